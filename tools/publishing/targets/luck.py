"""Does luck have mean zero? Accounts of many games: reports/luck.md and reports/luck.csv.

One seat plays a policy of its own and the others play what a review takes for granted; then all
seats play that. A decision at which a seat did what the continuation policy would do adds nothing
to the sum of luck, because its two values are one. So only the other decisions and the first of
each stretch are played out, on few games each: the mean is right whatever that number is. The
option `games` is a factor: 1 takes an hour or so on one busy processor.
"""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lama_odds.analysis.coach.grades import Continuation, Worth, solved_worth
from lama_odds.analysis.coach.luck import Account, course_of, stretch_of
from lama_odds.analysis.coach.review import Asked, seed_of
from lama_odds.core.estimate import exact
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.objectives import SHARES
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import Decision, decisions, read_record
from lama_odds.statistics.intervals import ALPHA
from tools.publishing.target import EQUITY, POLICIES, Making, Target

PAGE, TABLE = "reports/luck.md", "reports/luck.csv"
MANY, MANY_SEED = 4_000_000, 6  # rounds for a mean result, see `sharpened`
GRADED = 1_000  # games for each action of a decision in the control
MODEL = "best"


@dataclass(frozen=True)
class Case:
    """Games to look at. policy: of the seat looked at, MODEL for what the others play.

    rounds: whether they are first rounds. each: games that a decision is played out for. control:
    whether luck is counted against the best action's value instead, as it must not be.
    """

    rules: str
    objective: str
    players: int
    policy: str
    games: int
    rounds: bool = False
    each: int = 100
    control: bool = False

    @property
    def solved(self) -> bool:
        """Whether every decision is solved."""
        return self.rules.startswith("pikomino") and self.objective == "points"


CASES = (
    Case("dice/amigo", "win", 2, "threshold:9", 1_500),
    Case("dice/amigo", "win", 4, "threshold:9", 200),
    Case("dice/amigo", "points", 4, "threshold:9", 3_000, True),
    Case("dice/amigo", "margin", 3, "threshold:9", 2_000, True),
    Case("lama/egmont", "points", 4, "threshold:9", 2_500, True),
    Case("lama/egmont", "points", 2, "threshold:9", 2_500, True),
    Case("lama/egmont", "win", 2, "threshold:9", 600),
    Case("pikomino/egmont", "points", 2, "first-tile", 40),
    Case("pikomino/egmont", "win", 2, "first-tile", 60, each=8),
    Case("noprob/starnberger", "round", 3, "greedy", 400, True),
    Case("dice/amigo", "win", 2, MODEL, 1_500),
    Case("dice/amigo", "points", 4, MODEL, 1_500, True),
    Case("lama/egmont", "points", 4, MODEL, 6_000, True),
    Case("lama/egmont", "points", 2, MODEL, 12_000, True),
    Case("lama/egmont", "win", 2, MODEL, 800),
    Case("pikomino/egmont", "win", 2, MODEL, 100, each=16),
    Case("noprob/starnberger", "round", 3, MODEL, 800, True),
    Case("lama/egmont", "win", 2, MODEL, 40, control=True),
)
PARTS: dict[str, Callable[[Account], float]] = {
    "luck": lambda account: account.rolls + account.between,
    "skill": lambda account: account.skill,
    "adjusted": lambda account: account.adjusted,
    "result": lambda account: account.result,
}
ANY = -1  # seat of a row: another one in each game


@dataclass(frozen=True)
class Row:
    """The accounts of a seat in the games of a case: means and standard errors by PARTS.

    together: of the sum of the luck-adjusted results of all seats, where that has to be 1.
    """

    case: Case
    seat: int
    policy: str
    games: int
    means: dict[str, tuple[float, float]]
    together: tuple[float, float] | None = None

    @property
    def away(self) -> float:
        """By how many standard errors luck is away from 0."""
        mean, error = self.means["luck"]
        return mean / error


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))


class Study:
    """A case as it is played."""

    def __init__(self, case: Case, seed: int) -> None:
        self.case, self.seed = case, seed
        self.game: AnyGame = game_of(case.rules)
        self.rules: Any = self.game.rules(case.rules)
        aim = "points" if case.objective in ("points", "margin") else "win"
        self.model = self.game.best_policy(self.rules, case.players, aim)
        self.policy: Policy = self.model if case.policy == MODEL else self.game.policy(case.policy)
        self.going_on: Continuation | None = None

    def rows(self, games: int) -> list[Row]:
        """Return rows of games: in each, one seat in turn, or every seat if all play the same."""
        case, alike = self.case, self.case.policy == MODEL
        found: dict[int, list[Account]] = {}
        together: list[float] = []
        for number in range(games):
            tell(number, games)
            seats = range(case.players) if alike else [number % case.players]
            here = dict(self.accounts(number, seats))
            for seat, account in here.items():
                found.setdefault(seat if alike else ANY, []).append(account)
            if case.objective == "win" and len(here) == case.players:
                together.append(sum(account.adjusted for account in here.values()))
        sums = mean_of(together) if together else None
        rows = []
        for seat, accounts in sorted(found.items()):
            means = {name: mean_of([part(a) for a in accounts]) for name, part in PARTS.items()}
            rows.append(Row(case, seat, self.policy.name, len(accounts), means, sums))
        return [sharpened(row) for row in rows]

    def accounts(self, number: int, seats: Sequence[int]) -> Iterator[tuple[int, Account]]:
        """Seats and accounts of some seats in a game; none of a seat that had no decision."""
        case, game = self.case, self.game
        seated = [self.policy if seat in seats else self.model for seat in range(case.players)]
        text = game.record(self.rules, seated, self.seed, number, case.rounds)
        record, found = read_record(game, text), decisions(game, self.rules, text)
        seed = seed_of(self.seed, number, 0)
        for seat in seats:
            own = [decision for decision in found if decision.seat == seat]
            if own:
                worths = list(self.worths(own, seed))
                account = course_of(game, record, text, worths, case.objective).accounts[seat]
                parts = account.start + account.rolls + account.between + account.skill
                assert abs(parts - account.result) < 1e-9
                yield seat, account

    def worths(self, own: Sequence[Decision], seed: int) -> Iterator[Worth]:
        """What the decisions of a seat were worth, as far as it is in the sums."""
        case, before = self.case, set[int]()
        if self.going_on is None:
            first = own[0].position
            arguments = (self.game, self.rules, first, case.objective, None, case.each, 1)
            self.going_on = Continuation(*arguments)
        asked = Asked(self.game, self.rules, case.objective, None, GRADED, 1, seed)
        for place, decision in enumerate(own):
            stretch = stretch_of(self.game.objectives[case.objective], decision)
            if case.control or case.solved:
                yield solved_worth(asked.grade(decision, GRADED))
            elif stretch in before and self.going_on.usual(decision) == decision.chosen:
                # Its two values are one: whatever it is, it drops out of the sums.
                nothing = exact(0.0)
                yield Worth(decision, decision.chosen, nothing, nothing, nothing)
            else:
                yield self.going_on.worth(decision, seed_of(seed, decision.line, place))
            before.add(stretch)


def sharpened(row: Row) -> Row:
    """The row with the mean result of many other rounds, if all play alike for points.

    Luck is the result minus the start then. So the mean result need not come from the same games,
    in which it varies most.
    """
    case = row.case
    if case.policy != MODEL or case.control or not case.rounds or case.objective != "points":
        return row
    game: AnyGame = game_of(case.rules)
    rules: Any = game.rules(case.rules)
    model = game.best_policy(rules, case.players, case.objective)
    sums = game.simulation(rules, [model] * case.players, True).play(MANY_SEED, 0, MANY)[row.seat]
    result = float(sums[0]) / MANY
    spread = float(sums[1]) / MANY - result**2
    start, error = row.means["adjusted"]
    luck = (result - start, math.hypot(error, math.sqrt(spread / MANY)))
    return replace(row, means={**row.means, "luck": luck})


def tell(done: int, games: int) -> None:
    """Progress on stderr, where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r{done} of {games} games ", end="", file=sys.stderr, flush=True)


def csv_of(rows: Sequence[Row]) -> str:
    """The rows as CSV."""
    told = io.StringIO()
    names = [f"{name}{end}" for name in [*PARTS, "sum_adjusted"] for end in ("", "_stderr")]
    fields = ["rules", "objective", "players", "policy", "seat", "control", "first_rounds"]
    writer = csv.writer(told, lineterminator="\n")
    writer.writerow([*fields, "each", "games", *names])
    for row in rows:
        case = row.case
        means = [number for pair in row.means.values() for number in pair]
        writer.writerow(
            [
                *(case.rules, case.objective, case.players, row.policy),
                *("any" if row.seat == ANY else row.seat, int(case.control), int(case.rounds)),
                *(case.each, row.games, *means, *(row.together or ("", ""))),
            ]
        )
    return told.getvalue()


def shown(row: Row, pair: tuple[float, float]) -> str:
    """A mean with its standard error; chances in percentage points."""
    share = row.case.objective in SHARES
    scale, digits = (100, 1) if share else (1, 2)
    return f"{scale * pair[0]:+.{digits}f} ± {scale * pair[1]:.{digits}f}" + " %" * share


def line_of(row: Row) -> str:
    """A row of the page."""
    case = row.case
    seat = "each in turn" if row.seat == ANY else str(row.seat + 1)
    parts = [shown(row, row.means[name]) for name in ("luck", "skill")]
    cells = [f"`{case.rules}`", case.objective, str(case.players), f"`{row.policy}`", seat]
    return "| " + " | ".join([*cells, f"{row.games:,}", *parts, f"{row.away:+.1f}"]) + " |"


HEAD = (
    "| rule set | objective | players | policy | seat | games | mean luck | mean skill | luck / "
    "error |\n|---|---|---|---|---|---|---|---|---|"
)


def any_as_far(most: float, rows: int) -> float:
    """The chance that one of `rows` independent means of 0 is `most` standard errors away."""
    return 1 - math.erf(most / math.sqrt(2)) ** rows


def told_apart(rows: Sequence[Row]) -> str:
    """The rows whose means chance does not explain, in a sentence; nothing if there are none."""
    apart = [row for row in rows if any_as_far(abs(row.away), len(rows)) < ALPHA]
    if not apart:
        return ""
    named = (
        f"`{row.case.rules}` for {row.case.objective} with {row.case.players} players, "
        f"`{row.policy}`{'' if row.seat == ANY else f' in seat {row.seat + 1}'} "
        f"({shown(row, row.means['luck'])})"
        for row in apart
    )
    return f" Chance does not explain: {', '.join(named)}."


def page_of(rows: Sequence[Row], made_by: str) -> str:
    """The page."""
    others = [row for row in rows if row.seat == ANY]
    control = [row for row in rows if row.case.control]
    alike = [row for row in rows if row.seat != ANY and not row.case.control]
    sums = {(r.case.rules, r.case.players): r for r in alike if r.together}
    told = [
        f"`{rules}` with {players} players: {100 * row.together[0]:.1f} ± "
        f"{100 * row.together[1]:.1f} %"
        for (rules, players), row in sums.items()
        if row.together
    ]
    before = next(iter(control), None)
    against = ""
    if before is not None and before.together is not None:
        against = (
            "\n## If luck were counted against the best action\n\nA control: the same account with "
            "the value of the best action in place of the policy's. The policy itself does not "
            "always take that action, and what that costs is counted as luck.\n\n"
            + "\n".join([HEAD, *map(line_of, control)])
            + f"\n\nThe luck-adjusted results of both seats would sum to "
            f"{100 * before.together[0]:.0f} ± {100 * before.together[1]:.0f} % of a win.\n"
        )
    most = max((abs(r.away) for r in [*others, *alike]), default=0.0)
    return TEXT.format(
        others="\n".join([HEAD, *map(line_of, others)]),
        alike="\n".join([HEAD, *map(line_of, alike)]),
        sums="; ".join(told),
        against=against,
        most=f"{most:.1f}",
        apart=told_apart([*others, *alike]),
        chance=f"{100 * any_as_far(most, len(others) + len(alike)):.2g} %",
        rows=len(others) + len(alike),
        many=f"{MANY:,}",
        made_by=made_by,
    )


TEXT = """# Luck in reviews has mean zero

`lama-odds review` takes a result apart: start + luck + skill. Luck must not favour anybody. Its \
mean over many games must be 0 for every seat, whatever policy that seat plays, as long as the \
others play what the review assumes. This page checks it on simulated games. Errors after ± are \
standard errors over games. Points and worms are those of a round or game. Numbers with % are \
percentage points of winning chance.

## One seat plays another policy

The others play the policy that the review assumes. Skill is the result of playing another \
policy. A worse one gives a number below 0 for chances and worms, and above 0 for points, where \
fewer are better.

{others}

## All seats play the policy that the review assumes

Skill is then exactly 0, and luck is the result minus the start. Of rounds for points the mean \
result comes from {many} other rounds, so that the error is that of the start. There is one \
exception: in rounds of No Prob-Lama with more than 50 own turns, players become impatient, which \
values do not foresee.

{alike}

In whole games one seat wins, so the luck-adjusted results of all seats have to sum to 100 % on \
average: {sums}.
{against}
## What may be left

Of {rows} rows above, the mean farthest from 0 is {most} standard errors away. If all true means \
were 0 and the rows independent, it would be as far or farther in {chance} of all such pages.{apart}

In L.A.M.A. and No Prob-Lama cards are hidden. A review draws them by what the others did (see \
[what play tells](beliefs.md)), as if they played as assumed or like a few other policies. \
So in these games the mean of luck may differ from 0 by what better inference is worth. The rows \
of these games measure it, to within their errors. In two-player games of Lama Dice the scores \
after a round are valued by a match equity table, whose errors (see [equity](equity.md)) add to \
this.

Made by {made_by}.
"""


def make(making: Making) -> None:
    """Play all cases and write the files."""
    rows: list[Row] = []
    for case in CASES:
        found = Study(case, making["seed"]).rows(max(8, round(case.games * making["games"])))
        rows += found
        making.tell(line_of(found[0]))
    making.write(TABLE, csv_of(rows))
    making.write(PAGE, page_of(rows, making.made_by))


def rows_from(text: str) -> list[Row]:
    """The rows of a table that was written."""
    cases = {(c.rules, c.objective, c.players, c.policy == MODEL, c.control): c for c in CASES}
    found = []
    for line in csv.DictReader(io.StringIO(text)):
        means = {name: (float(line[name]), float(line[f"{name}_stderr"])) for name in PARTS}
        both = line["sum_adjusted"], line["sum_adjusted_stderr"]
        seat = ANY if line["seat"] == "any" else int(line["seat"])
        control = line["control"] == "1"
        case = cases[line["rules"], line["objective"], int(line["players"]), seat != ANY, control]
        together = (float(both[0]), float(both[1])) if all(both) else None
        found.append(Row(case, seat, line["policy"], int(line["games"]), means, together))
    return found


def again(making: Making) -> None:
    """Write the files from the table that is there."""
    rows = [sharpened(row) for row in rows_from(making.path(TABLE).read_text(encoding="utf-8"))]
    making.write(TABLE, csv_of(rows))
    making.write(PAGE, page_of(rows, making.made_by))


TARGET = Target(
    name="luck",
    what="whether luck in reviews has mean zero",
    make=make,
    again=again,
    writes=(PAGE, TABLE),
    reads=(*POLICIES, *EQUITY),
    options={"games": 1.0, "seed": 5},
    quick={"games": 0.02},
)
