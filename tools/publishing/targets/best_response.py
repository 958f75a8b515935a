"""How much a player who thinks one step ahead gains against `best`: a lower bound of
exploitability.

See `analysis.research.best_response`.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from lama_odds.analysis.research.best_response import SURE, Response, best_response, told_apart
from lama_odds.core.estimate import Estimate
from lama_odds.games.registry import game_of
from lama_odds.statistics.anytime import ALPHA
from lama_odds.statistics.intervals import Z
from tools.publishing.target import EQUITY, POLICIES, Making, Target

PAGE, TABLE = "reports/best_response.md", "reports/best_response.csv"
# Rule set, players, objective, games (each is played in every seat), games of rollouts at most.
PLAYED = (
    ("lama/egmont", 4, "points", 1_500, 1_024),
    ("lama/egmont", 2, "points", 2_500, 1_024),
    ("dice/amigo", 4, "points", 1_500, 1_024),
    ("dice/amigo", 2, "points", 2_500, 1_024),
    ("noprob/starnberger", 4, "points", 120, 64),
    ("lama/egmont", 4, "win", 150, 256),
    ("lama/egmont", 2, "win", 250, 1_024),
    ("dice/amigo", 4, "win", 250, 256),
    ("dice/amigo", 2, "win", 500, 1_024),
)
OPEN = ("dice",)  # games in which nothing is hidden
LEFT_OUT = (
    "Left out: Pikomino. There every turn of every rollout game is solved, so a game takes "
    "hundreds of times as long as a round of dice. In the time of this whole page the player would "
    "play too few games for any result. No Prob-Lama is included for points only, and only for the "
    "use of a card in hand. Whether to draw or to take would need the best use of every possible "
    "card, searched again at each decision."
)


def shown(found: Estimate, share: bool, sign: str = "+") -> str:
    """A value with its half-width."""
    scale, unit, digits = (100, " %", 1) if share else (1, "", 2)
    half = (found.high - found.low) / 2
    return f"{scale * found.value:{sign}.{digits}f} ± {scale * half:.{digits}f}{unit}"


def line_of(found: Response) -> str:
    """A row of the table."""
    share = found.objective == "win"
    best = shown(found.base, share, "")
    cells = [
        f"`{found.rules}`",
        str(found.players),
        f"`{found.policy}`",
        best,
        f"**{shown(found.gain, share)}**",
        shown(found.promised, share),
        shown(found.apart, share),
        f"{found.decisions:.1f}",
        f"{100 * found.departed:.1f} %",
        f"{found.games:,} × {found.players}",
        f"{found.played:.0f} (≤ {found.most:,})",
    ]
    return f"| {' | '.join(cells)} |"


def section(title: str, unit: str, found: list[Response]) -> list[str]:
    """A table of one objective."""
    if not found:
        return []
    head = (
        f"| rule set | players | `best` | {unit} of `best` | gain | by rollouts | "
        "difference | decisions | other"
    )
    return [
        "",
        f"## {title}",
        "",
        f"{head} action | games × seats | rollouts a decision |",
        "|---" * 11 + "|",
        *(line_of(one) for one in found),
    ]


def command_of(found: list[Response]) -> str:
    """The command that plays these rows."""
    games = {(text, players, objective): games for text, players, objective, games, _ in PLAYED}
    quick = any(one.games < games[one.rules, one.players, one.objective] for one in found)
    return "tools/publish best-response" + " --quick" * quick


def page(found: list[Response]) -> str:
    """The report as Markdown."""
    of = {o: [one for one in found if one.objective == o] for o in ("points", "win")}
    lines = [
        "# One-step best-response gain against `best`",
        "",
        "A player sits among copies of `best` and thinks one step ahead, as `advise` does. At "
        "each own decision every action is played out on many rollout games in which everybody "
        "continues with `best`. Hidden cards are drawn at random from what the player cannot "
        f"see. The player leaves `best` only if another action was better by more than {SURE:g} "
        "standard errors (more with many actions). Every game is played with the player in each "
        "seat in turn, and with `best` in that seat and the same cards and dice. Rollouts use "
        "random numbers of another seed. The gain is a lower bound of the exploitability of "
        "`best`.",
        "",
        "The gain is a **lower bound** of what `best` loses against an opponent who exploits it "
        "fully. What it does not show: that nothing more can be gained.",
        *section("Points of a round (the first; fewer points are a gain)", "points", of["points"]),
        *section("Chance to win a game", "win", of["win"]),
        "",
        "Gain: of the games themselves, with 95 % intervals over games, the seats of one counted "
        "together. By rollouts: the same from what each other action gains in rollouts that had "
        "no part in choosing it, added up over a round or game. Difference: how much more "
        "rollouts promise; its error is computed as if the two were independent. Decisions: with "
        "a choice, of a seat in a round or game. Other action: share of them where the player "
        "left `best`.",
        "",
        "## Do rollouts promise what is gained?",
        "",
        *agreement(found),
        "",
        "Two-player games are valued by the match equity table of `best` after the round, if there "
        "is one. It is used only to choose: the games that are counted are played to their end.",
        "",
        LEFT_OUT,
        "",
        f"Made by `{command_of(found)}` with seed {found[0].seed} and games as given above, "
        f"lama-odds {found[0].version}.",
    ]
    return "\n".join(lines) + "\n"


def named(found: list[Response]) -> str:
    """Rows in words."""
    rows = (
        f"`{one.rules}` with {one.players} players for {one.objective} "
        f"({shown(one.apart, one.objective == 'win')})"
        for one in found
    )
    return ", ".join(rows)


def hidden(one: Response) -> bool:
    """Whether there are cards that a player does not see."""
    return one.rules.split("/")[0] not in OPEN


def agreement(found: list[Response]) -> list[str]:
    """Which promises are the gain as far as is known, which are not, and why: paragraphs."""
    apart = [one for one, no in zip(found, told_apart(found), strict=True) if no]
    rest = [one for one in found if one not in apart]
    test = f"(t tests over games, {100 * ALPHA:.0f} % for all rows together by Holm)"
    lines = [
        "If rollouts are right, their promise and the gain differ by sampling error only. They "
        "do not know the random numbers to come, which are those of another seed. But hidden "
        "cards are drawn at random from all that the player cannot see. What the others have "
        "played and drawn would say something about them, so with cards the promise may be off "
        "by that. In Lama Dice nothing is hidden.",
        "",
    ]
    if apart:
        lines.append(f"**Told apart** {test}: {named(apart)}. {_cause(apart, rest)}")
    else:
        lines.append(f"No row is told apart {test}.")
    if rest:
        lines += [
            "",
            f"Not told apart: {named(rest)}. That does not show that there is no difference: any "
            "within the ± there may be.",
        ]
    return lines


def _cause(apart: list[Response], rest: list[Response]) -> str:
    """Why these rows are apart, as far as the others tell."""
    if not all(hidden(one) for one in apart):
        return "Nothing is hidden in some of these, so there rollouts are wrong by something else."
    seen = [one for one in rest if not hidden(one)]
    beside = f", and none of the {len(seen)} rows without any is told apart" if seen else ""
    return (
        f"All have hidden cards{beside}: the gap comes from how hidden cards are sampled. The gain "
        "is measured in games as they were dealt, and is right nevertheless. Values of `advise` in "
        "such games may be off by more than their ±, which includes sampling error only."
    )


def rows_of(found: list[Response]) -> str:
    """All numbers as CSV, a row for all seats and one for each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = ["gain", "stderr", "low", "high", "best", "by_rollouts", "by_rollouts_stderr"]
    names += ["decisions", "other_action", "best_stderr", "rollouts"]
    names += ["difference", "difference_stderr", "told_apart"]
    head = ("rules", "players", "objective", "policy", "seat", "games", "rollouts_at_most", "seed")
    writer.writerow([*head, *names, "version"])
    for one, no in zip(found, told_apart(found), strict=True):
        for seat, gain in [("all", one.gain), *enumerate(one.by_seat)]:
            made = (one.rules, one.players, one.objective, one.policy, seat)
            promised = (one.promised.value, one.promised.stderr)
            whole: tuple[object, ...] = (one.base.value, *promised, one.decisions, one.departed)
            whole += (one.base.stderr, one.played)
            whole += (one.apart.value, one.apart.stderr, str(no).lower())
            more = whole if seat == "all" else ("",) * len(whole)
            counted = (one.games, one.most, one.seed)
            numbers = (gain.value, gain.stderr, gain.low, gain.high, *more)
            writer.writerow([*made, *counted, *numbers, one.version])
    return text.getvalue()


def read_rows(text: str) -> list[Response]:
    """What `rows_of` wrote."""
    found: list[Response] = []
    seats: dict[tuple[str, ...], list[Estimate]] = {}
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        if row["seat"] != "all":
            key = (row["rules"], row["players"], row["objective"])
            seats.setdefault(key, []).append(_estimate(row, "gain", "stderr"))
    for row in rows:
        if row["seat"] != "all":
            continue
        found.append(
            Response(
                rules=row["rules"],
                players=int(row["players"]),
                objective=row["objective"],
                policy=row["policy"],
                gain=_estimate(row, "gain", "stderr"),
                base=_estimate(row, "best", "best_stderr"),
                by_seat=tuple(seats[row["rules"], row["players"], row["objective"]]),
                decisions=float(row["decisions"]),
                departed=float(row["other_action"]),
                promised=_estimate(row, "by_rollouts", "by_rollouts_stderr"),
                played=float(row["rollouts"]),
                games=int(row["games"]),
                most=int(row["rollouts_at_most"]),
                seed=int(row["seed"]),
                version=row["version"],
            )
        )
    return found


def _estimate(row: dict[str, str], name: str, error: str) -> Estimate:
    value, stderr = float(row[name]), float(row[error])
    return Estimate.normal(value, stderr, int(row["games"]), Z)


def make(making: Making) -> None:
    """Play all and write the files."""
    found = []
    for text, players, objective, games, most in PLAYED:
        game: Any = game_of(text)
        one = best_response(
            game,
            game.rules(text),
            players,
            objective,
            games=max(4, int(games * making["scale"])),
            most=most,
            seed=making["seed"],
            threads=making.threads,
            progress=making.bar,
        )
        found.append(one)
        gain, promised = (shown(e, objective == "win") for e in (one.gain, one.promised))
        making.tell(f"{text}, {players} players, {objective}: {gain}, by rollouts {promised}")
    making.write(TABLE, rows_of(found))
    making.write(PAGE, page(found))


def again(making: Making) -> None:
    """Write the page again from the existing table."""
    table = making.path(TABLE).read_text(encoding="utf-8")
    making.write(PAGE, page(read_rows(table)))


TARGET = Target(
    name="best-response",
    what="one-step best-response gain against best, a lower bound of its exploitability",
    make=make,
    writes=(PAGE, TABLE),
    reads=(*POLICIES, *EQUITY),
    options={"scale": 1.0, "seed": 11},
    quick={"scale": 0.01},
    again=again,
)
