"""Tables of pages that people write, from published CSV tables: ``<!-- table: NAME -->``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.estimate import ERRORS
from tools.publishing.reference.markdown import table
from tools.publishing.stories.figures import ROOT, rows_of

TABLE = re.compile(
    r"(?P<begin><!-- table: (?P<name>\w+) -->\n)(?P<text>.*?)(?=<!-- /table -->)", re.S
)
LUCK, COMPARED = "reports/luck.csv", "reports/comparisons/"
BELIEFS, NOPROB_BELIEFS = "reports/beliefs.csv", "reports/noprob_beliefs.csv"
STRONG = re.compile(r"_best|_optimal-turn")  # in names of comparisons that strong players played
LONGER = 0.01  # changes of length that have a line of their own

Row = Mapping[str, str]


def with_error(row: Row, name: str, digits: int, scale: float = 1.0) -> str:
    """A value with the half-width of its 95 % interval, from its standard error."""
    half = ERRORS * scale * float(row[f"{name}_stderr"])
    return f"{scale * float(row[name]):+.{digits}f} ± {half:.{digits}f}"


def luck() -> str:
    """Mean luck and skill of one seat that plays another policy."""
    rows = [row for row in rows_of(LUCK) if row["control"] == "0"]
    far = max(abs(_errors(row)) for row in rows)
    alone = 1 - math.erf(far / math.sqrt(2)) ** len(rows)

    def line(row: Row) -> Iterator[str]:
        share = row["objective"] in ("win", "round")
        yield from (f"`{row['rules']}`", row["objective"], row["players"], f"`{row['policy']}`")
        yield f"{int(row['games']):,}"
        for name in ("luck", "skill"):
            shown = with_error(row, name, 1 if share else 2, 100 if share else 1)
            yield shown + " %" * share
        yield f"{_errors(row):+.1f}"

    head = ("rules", "for", "players", "policy", "games", "luck", "skill", "luck in errors")
    return (
        table(head, (line(row) for row in rows if row["seat"] == "any"), "llrlrrrr")
        + f"\nThe table of all has {len(rows)} such means. The farthest is {far:.1f} standard "
        f"errors from 0. Chance alone gives a table like it {100 * alone:.0f} % of the time.\n"
    )


def _errors(row: Row) -> float:
    return float(row["luck"]) / (float(row["luck_stderr"]) or 1.0)


def beliefs() -> str:
    """Log loss of what is inferred about hidden cards, against cards drawn at random."""
    games = (
        ("L.A.M.A.", BELIEFS, "statement", "holds a card", ("first turns", "late")),
        (
            "No Prob-Lama",
            NOPROB_BELIEFS,
            "cards",
            "its player knows",
            ("up to 3 turns", "more turns"),
        ),
    )
    lines = [
        [
            *(game, row["table"], row["stage"]),
            *(f"{float(row[how]):.2f}" for how in ("at_random", "from_play")),
            with_error(row, "saved", 2).lstrip("+"),
        ]
        for game, name, column, about, stages in games
        for row in rows_of(name)
        if row["players"] == "all" and row["stage"] in stages and row[column] == about
    ]
    return table(("game", "table", "when", "at random", "from play", "saved"), lines, "lllrrr")


def comparisons() -> str:
    """What each other rule does to the length of a game, and to the seats."""
    by_rules: dict[str, dict[bool, dict[str, Row]]] = {}
    names: dict[str, str] = {}
    for path in sorted((ROOT / COMPARED).glob("*.csv")):
        rows = rows_of(f"{COMPARED}{path.name}")
        for row in rows:
            if row["against"] == rows[0]["against"]:
                by = by_rules.setdefault(row["rules"], {})
                by.setdefault(bool(STRONG.search(path.name)), {})[row["measure"]] = row
                names[row["rules"]] = f"[`{row['rules']}`]({path.name})"
    # No Prob-Lama was played by one policy.
    best = {rules: by[max(by)] for rules, by in by_rules.items()}
    order = sorted(best, key=lambda rules: -abs(_longer(best[rules])[0]))
    shown = [rules for rules in order if abs(_longer(best[rules])[0]) >= LONGER]
    rest = order[len(shown) :]
    lines = [
        [
            *(names[rules], f"`{best[rules]['decisions']['against']}`"),
            *(_change(by_rules[rules].get(strong)) for strong in (True, False)),
            ", ".join(name for name, row in best[rules].items() if row["verdict"] == "differs"),
        ]
        for rules in shown
    ]
    seats = max(
        abs(float(row["difference value"]))
        for measures in best.values()
        for name, row in measures.items()
        if name.startswith("win seat")
    )
    head = ("rules", "instead of", "strong players", "plain players", "what differs")
    return (
        table(head, lines, "llrrl")
        + f"\nThese change the length by {100 * abs(_longer(best[rest[0]])[0]):.1f} % at most: "
        f"{', '.join(names[rules] for rules in rest)}. The largest change of a seat's chance to "
        f"win is {100 * seats:.1f} percentage points.\n"
    )


def _longer(measures: Mapping[str, Row]) -> tuple[float, float]:
    """By which part a game gets longer, and the half-width of that."""
    row = measures["length"] if "length" in measures else measures["turns"]
    width = float(row["difference high"]) - float(row["difference low"])
    base = float(row["baseline value"])
    return float(row["difference value"]) / base, width / 2 / base


def _change(measures: Mapping[str, Row] | None) -> str:
    if measures is None:
        return "–"
    change, half = _longer(measures)
    return f"{100 * change:+.1f} ± {100 * half:.1f} %"


TABLES: dict[str, Callable[[], str]] = {
    "luck": luck,
    "beliefs": beliefs,
    "comparisons": comparisons,
}


def with_tables(page: str) -> str:
    """Return a page with each table at its marks."""

    def shown(mark: re.Match[str]) -> str:
        if mark["name"] not in TABLES:
            raise ReadError(f"no table {mark['name']!r}", hints=near_names(mark["name"], TABLES))
        return f"{mark['begin']}\n{TABLES[mark['name']]()}\n"

    return TABLE.sub(shown, page)
