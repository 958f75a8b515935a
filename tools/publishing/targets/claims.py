"""What pages state about strength and limits, each figure once: reports/claims.json.

A claim has a key, and a value that is looked up in a published table. Pages show it where they have
the mark ``<!-- claim: KEY -->…<!-- /claim -->``; `tools/publish pages` fills that in. So a figure
has one value, whichever pages show it.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.estimate import ERRORS
from tools.publishing.target import Making, Target

ROOT = Path(__file__).resolve().parent.parent.parent.parent
FILE = "reports/claims.json"
KIND = "lama-odds claims 1"
MARK = re.compile(r"(?P<begin><!-- claim: (?P<key>.+?) -->)(?P<text>.*?)(?=<!-- /claim -->)", re.S)
SMALL = 0.25  # half-widths below it have another digit
TUNED = "`meanfield:"  # how rows of the best tuned policy begin, whatever its numbers
RESPONSES, GOOD = "reports/best_response.csv", "reports/good_games.csv"
LEARNERS = "reports/exploiters.csv"
CARDS, COPY = "reports/two_player_cards.md", "reports/best_play.md"
EXPLOITED, EQUITY = "reports/dice_exploitability.md", "reports/equity.csv"
BELIEFS = "reports/beliefs.csv"
PIKOMINO, ERRED = "reports/whole_pikomino.md", "data/pikomino/learned_errors.json"
BEST, FITTED, FIVE = "data/best.json", "data/copy/dice.json", "data/pikomino/endgames_five.json"

LookUp = Callable[[str], str]  # the figure in a published file, as pages show it: ``50.6 ± 0.2``


def shown(value: float, half: float = 0.0) -> str:
    """Return a value as pages show it, with as many digits as its half-width deserves."""
    if half:
        digits = 2 if half < SMALL else 1
        return f"{value:.{digits}f} ± {half:.{digits}f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}".replace("e-0", "e-")


def in_csv(column: str, error: str = "", scale: float = 100.0, /, **where: str) -> LookUp:
    """Look up a number in the one row where other columns are so.

    error: the column of its standard error; none: `low` and `high` are its interval.
    """

    def find(text: str) -> str:
        rows = csv.DictReader(text.splitlines())
        (row,) = (row for row in rows if all(row[name] == value for name, value in where.items()))
        width = 0.0 if error else float(row["high"]) - float(row["low"])
        half = ERRORS * float(row[error]) if error else width / 2
        return shown(scale * float(row[column]), scale * half)

    return find


def in_report(column: str, scale: float = 1.0, exact: bool = False, **where: str) -> LookUp:
    """Look up a number of a strategy report in the one row where other columns are so.

    Names of columns have spaces there: in `where` they are written with _. exact: it has no error.
    """

    def find(text: str) -> str:
        wanted = {name.replace("_", " "): value for name, value in where.items()}
        rows = csv.DictReader(text.splitlines())
        (row,) = (row for row in rows if all(row[name] == value for name, value in wanted.items()))
        width = 0.0 if exact else float(row[f"{column} high"]) - float(row[f"{column} low"])
        return shown(scale * float(row[column]), scale * width / 2)

    return find


def lost(find: LookUp) -> LookUp:
    """What a choice costs, where a look-up finds a gain below 0; ValueError if it is above."""

    def cost(text: str) -> str:
        gain = find(text)
        if not gain.startswith("-"):
            raise ValueError(f"{gain} is a gain")
        return gain.removeprefix("-")

    return cost


def in_table(section: str, row: str, column: str) -> LookUp:
    """Look up a cell in a page: below a heading, in the first row that begins so."""

    def find(text: str) -> str:
        below = text[text.index(f"\n{section}\n") :].splitlines()
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in below if "|" in line]
        place = next(line.index(column) for line in lines if column in line)
        return next(line[place] for line in lines if line[0].startswith(row)).strip("* %")

    return find


def in_json(path: str, scale: float = 1.0, error: str = "") -> LookUp:
    """Look up a value by its keys, with / between. error: the key of its standard error."""

    def find(text: str) -> str:
        within, _, name = path.rpartition("/")
        content = json.loads(text)
        for key in filter(None, within.split("/")):
            content = content[key]
        half = ERRORS * scale * content[error] if error else 0.0
        return shown(scale * content[name], half)

    return find


@dataclass(frozen=True)
class Claim:
    """A figure: of which rules, players, objective and policies it says what; where it is from."""

    rules: str
    players: str
    objective: str
    policies: str
    what: str
    unit: str
    source: str
    find: LookUp

    @property
    def key(self) -> str:
        """What a mark names."""
        about = (self.rules, self.players, self.objective, self.policies)
        return f"{' '.join(filter(None, about))}: {self.what}"

    def to_json(self) -> dict[str, Any]:
        """Return the claim as it is kept, looked up in the checkout."""
        text = self.find((ROOT / self.source).read_text(encoding="utf-8"))
        value, half = (float(part) for part in (text.replace(",", "") + " ± 0").split(" ± ")[:2])
        about = {name: getattr(self, name) for name in ABOUT}
        number = {"value": value, "half_width": half, "unit": self.unit.strip()}
        return {"key": self.key, **about, **number, "text": text + self.unit}


ABOUT = ("rules", "players", "objective", "policies", "what", "source")
PERCENT, CHANCE = " %", " percentage points"
POINTS = " points"
REPORTS = {  # tables of the strategy reports, for four players
    "lama": "reports/strategy/lama-amigo-4/",
    "dice": "reports/strategy/dice-amigo-4/",
    "pikomino": "reports/strategy/pikomino-egmont-4/",
    "noprob": "reports/strategy/noprob-starnberger-4/",
}
LESSONS, RULE_CARDS = "reports/noprob_lessons.csv", "data/cards.json"
PAIRS = {"players": "4", "question": "pair", "face down": "any", "measure": "chance"}
AHEAD = {"players": "2", "objective": "win", "seat": "all"}  # rows of thinking one step ahead


def beaten(rules: str, policy: str, other: str, source: str, find: LookUp) -> Claim:
    """How often a policy wins two-player games against another one."""
    return Claim(rules, "2", "win", policy, f"wins against {other}", PERCENT, source, find)


def of_report(
    rules: str, objective: str, what: str, unit: str, table: str, find: LookUp, policies: str = ""
) -> Claim:
    """A finding of a strategy report."""
    source = f"{REPORTS[rules.partition('/')[0]]}{table}.csv"
    return Claim(rules, "4", objective, policies, what, unit, source, find)


STORIES = (
    Claim(
        *("dice/amigo", "4", "win", "card", "wins without quitting"), PERCENT, RULE_CARDS,
        in_json("cards/dice/amigo/4/never/among best/value", 100, "stderr"),
    ),
    Claim(
        *("dice/amigo", "4", "win", "threshold:5", "wins among strong players"),
        *(PERCENT, RULE_CARDS),
        in_json("cards/dice/amigo/4/former/among best/value", 100, "stderr"),
    ),
    *(
        of_report(
            *("lama/amigo", "points", f"a {copy} 6 costs", POINTS, "card_values"),
            in_report(column, one_card_more="6"),
        )
        for copy, column in (("first", "first of its value"), ("second", "second"))
    ),
    *(
        of_report(
            *("lama/amigo", "points", "a round costs", POINTS, "costs"),
            in_report("points per player", all_play=who), who,
        )
        for who in ("strong", "cautious")
    ),
    of_report(
        *("lama/amigo", "win", "wins among strong players", PERCENT, "league_matrix"),
        in_report("others: strong", 100, one_plays="cautious"), "cautious",
    ),
    *(
        of_report(
            *("pikomino/egmont", "points", f"{dice} rolled first are kept rightly", PERCENT),
            "first_face", in_report("best on", 100, exact=True, face="W", dice=dice[0]),
        )
        for dice in ("1 worm", "2 worms")
    ),
    *(
        of_report(
            *("pikomino/egmont", objective, what, unit, "league"),
            in_report(column, scale, plays=plays), policies,
        )
        for plays, policies in (("strong", "strong"), ("best turn for worms", "optimal-turn"))
        for objective, what, unit, column, scale in (
            ("points", "worms at mixed tables", " worms", "worms (more is better)", 1.0),
            ("win", "wins at mixed tables", PERCENT, "win rate", 100.0),
        )
    ),
    Claim(
        *("noprob/starnberger", "4", "win", "learned", "a pair of 10 adds"), CHANCE, LESSONS,
        in_csv("value", what="10", **PAIRS),
    ),
    Claim(
        *("noprob/starnberger", "4", "win", "learned", "a pair of 3 to 5 costs"), CHANCE, LESSONS,
        lost(in_csv("value", what="3 to 5", **PAIRS)),
    ),
)  # fmt: skip

CLAIMS = (
    *STORIES,
    Claim(
        *("all", "3 to 6", "win", "", "games that a match equity table saves"), " times", EQUITY,
        in_report("games", exact=True, rules="all"),
    ),
    *(
        Claim(
            *("lama/egmont", "2", "win", "equilibrium", what + after), CHANCE, RESPONSES,
            in_csv(column, error, rules="lama/egmont" + after, **AHEAD),
        )
        for after in ("", " with inference")
        for what, column, error in (
            ("thinking ahead gains", "gain", ""),
            ("thinking ahead promises too much", "difference", "difference_stderr"),
        )
    ),
    *(
        Claim(
            *("lama/amigo", players, "win", "learned", "thinking ahead gains with inference"),
            CHANCE, RESPONSES,
            in_csv("gain", rules="lama/amigo with inference", **{**AHEAD, "players": players}),
        )
        for players in "34"
    ),
    *(
        Claim(
            *("lama/egmont", "3", "win", "learned", "thinking ahead gains" + knows),
            CHANCE, RESPONSES,
            in_csv("gain", rules="lama/egmont" + knows, **{**AHEAD, "players": "3"}),
        )
        for knows in ("", " with inference", " with all cards seen")
    ),
    Claim(
        *("lama/egmont", "3", "win", "learned", "a network that learns to beat it wins"),
        PERCENT, LEARNERS, in_csv("won", "stderr", rules="lama/egmont", players="3"),
    ),
    Claim(
        *("lama/amigo", "all", "", "best", "log loss saved late"), "", BELIEFS,
        in_csv(
            "saved", "saved_stderr", 1.0, table="all play best", players="all", stage="late",
            statement="holds a card",
        ),
    ),
    *(
        Claim(
            *(rules, players, "win", "learned", "thinking ahead gains"), CHANCE, RESPONSES,
            in_csv("gain", rules=rules, **{**AHEAD, "players": players}),
        )
        for rules, players in (("pikomino/egmont", "2"), ("dice/amigo", "4"))
    ),
    *(
        beaten(rules, "equilibrium", "tuned", CARDS, in_table(f"### `{rules}`", TUNED, "wins %"))
        for rules in ("lama/egmont", "lama/amigo")
    ),
    beaten(
        "dice/amigo", "copy", "tuned", COPY, in_table("## How strong `copy` is", TUNED, "both")
    ),
    beaten(
        "dice/egmont", "copy", "tuned", EXPLOITED,
        in_table("## How strong `copy` is: `dice/egmont`", TUNED, "both seats"),
    ),
    *(
        beaten(
            "dice/amigo", "best response", name, EXPLOITED,
            in_table("## Against policies", row, "it wins"),
        )
        for name, row in (("copy", "`copy`"), ("tuned", TUNED))
    ),
    *(
        beaten(
            "pikomino/egmont", "learned", other, PIKOMINO,
            in_table("## Win rates of `learned`", f"`{other}`", "two players"),
        )
        for other in ("lead:50", "optimal-turn")
    ),
    *(
        Claim(
            *("pikomino/egmont", players, "win", "learned", "error of a difference"), CHANCE, ERRED,
            in_json(f"errors/{players}/apart", 100 * ERRORS),
        )
        for players in ("2", "7")
    ),
    *(
        Claim(
            *("pikomino/egmont", "2", "win", "best play", what), "", FIVE,
            in_json(f"manifest/{name}"),
        )
        for what, name in (("error with five tiles", "rounded"), ("boards of five tiles", "boards"))
    ),
    *(
        Claim(
            *("noprob/starnberger", players, "win", "learned", "wins among planner"), PERCENT, BEST,
            in_json(f"best/noprob/starnberger/{players}/win/among/value", 100, "stderr"),
        )
        for players in ("2", "3", "4")
    ),
    Claim(
        *("dice/amigo", "4", "win", "tuned", "wins among threshold:8"), PERCENT, GOOD,
        in_csv("value", rules="dice/amigo", policy="threshold:8", measure="skill"),
    ),
    Claim(
        *("dice/amigo", "2", "win", "copy", "rounds that taught it"), "", FITTED, in_json("rounds")
    ),
    Claim(
        *("lama/amigo", "2", "win", "equilibrium", "the starter wins at 20 each"), PERCENT, EQUITY,
        in_csv("at 20 each", "at 20 each stderr", rules="lama/amigo", players="2"),
    ),
)  # fmt: skip


def published() -> dict[str, str]:
    """Return the text of each claim as it was published, by key."""
    kept = json.loads((ROOT / FILE).read_text(encoding="utf-8"))
    return {claim["key"]: claim["text"] for claim in kept["claims"]}


def filled(page: str, texts: Mapping[str, str]) -> str:
    """Return a page with the text of each claim at its marks."""

    def text_of(mark: re.Match[str]) -> str:
        if mark["key"] not in texts:
            raise ReadError(f"no claim {mark['key']!r}", hints=near_names(mark["key"], texts))
        return mark["begin"] + texts[mark["key"]]

    return MARK.sub(text_of, page)


def make(making: Making) -> None:
    """Look all claims up and write them."""
    claims = [claim.to_json() for claim in CLAIMS]
    kept = {"kind": KIND, "claims": sorted(claims, key=lambda claim: claim["key"])}
    making.write(FILE, json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


TARGET = Target(
    name="claims",
    what="figures that pages state, looked up in published tables: one value each",
    make=make,
    again=make,
    writes=(FILE,),
    reads=tuple(sorted({claim.source for claim in CLAIMS})),
)
