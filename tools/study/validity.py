"""Are the intervals and verdicts right as often as they say? Compared to what is known exactly.

`tools/publish validity` writes the page; finished parts are kept, and a stopped run resumes after
them. One part alone, printed:

    .venv/bin/python -m tools.study.validity PART [--quick] [--seed N]

docs/explanation/intervals.md explains which method is used where.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lama_odds.analysis.strategy_report.plan import code_hash
from lama_odds.simulation.run_folder import open_folder
from tools.publishing.reference import markdown
from tools.publishing.target import ANSWERS, POLICIES, Making, Target
from tools.study import validity_parts as parts
from tools.study import validity_rates as v
from tools.study.validity_parts import Rates, Study
from tools.study.validity_played import played
from tools.study.validity_rates import Rate

TABLE = "reports/validity.csv"
PARTS: dict[str, tuple[str, Callable[[Study], Rates]]] = {
    "means": ("Means", parts.means),
    "grouped": ("Means and shares over decisions", parts.grouped),
    "paired": ("Paired differences", parts.paired),
    "rare": ("Differences that few games make", parts.rare),
    "shares": ("Shares", parts.shares),
    "anytime": ("Intervals that hold at every look", parts.anytime),
    "played": ("The games themselves, against exact values or one another", played),
    "races": ("Stopping early", parts.races),
    "comparisons": ("Verdicts of compare", parts.comparisons),
    "rankings": ("Ranks", parts.rankings),
    "tuning": ("Tuning races", parts.tuning),
}


def study_part(name: str, study: Study) -> list[Rate]:
    """All rates of a part."""
    return list(PARTS[name][1](study))


@contextmanager
def kept_parts(path: Path | None, study: Study) -> Iterator[Callable[[str], list[Rate]]]:
    """What gives the rates of a part: those of the run folder, if it has them already.

    LimitError if the folder is another study's, of other code, or in use.
    """
    if path is None:
        yield lambda name: study_part(name, study)
        return
    code = hashlib.sha256(code_hash().encode())
    for file in sorted(Path(__file__).parent.glob("validity*.py")):
        code.update(file.read_bytes())
    question = {
        "command": "validity",
        "seed": study.seed,
        "quick": study.quick,
        "code": code.hexdigest()[:16],
    }
    with open_folder(path, question, True, print) as folder:
        yield lambda name: [
            Rate(**{**rate, "aim": tuple(rate["aim"])})
            for rate in folder.settled(
                name, lambda: list(map(plain, study_part(name, study))), list
            )
        ]


def plain(rate: Rate) -> dict[str, Any]:
    """A rate as JSON."""
    # Counts may be numpy's.
    return {name: getattr(x, "item", lambda x=x: x)() for name, x in vars(rate).items()}


def csv_text(by_part: dict[str, list[Rate]]) -> str:
    """A line for each rate."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["part", "method", "what", "case", "n", "repeats", "rate", "low", "high"]
    writer.writerow([*head, "aim low", "aim high", "verdict"])
    for name, rates in by_part.items():
        for rate in rates:
            estimate = rate.estimate
            line: list[object] = [name, rate.method, rate.what, rate.case, rate.n]
            line += [
                rate.repeats or "",
                estimate.value,
                estimate.low,
                estimate.high,
                *rate.aim,
                rate.verdict,
            ]
            writer.writerow(line)
    return text.getvalue()


def page(text: str, made_by: str) -> str:
    """The page of a CSV table: a line for each part, with the rate that is farthest out."""
    parts: dict[str, list[dict[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        if row["verdict"] != v.SHOWN:
            parts.setdefault(row["part"], []).append(row)
    every = [row for rows in parts.values() for row in rows]
    held, missed = _number(every, v.HOLDS), _number(every, v.MISSES)
    lines = []
    for name, rows in parts.items():
        row = min(rows, key=_room)
        # What has no repeats was added up, and a p value is not a share.
        half = 50 * (float(row["high"]) - float(row["low"]))
        error = f" ± {half:.2f}" if row["repeats"] else ""
        shown = f"{100 * float(row['rate']):.2f}{error} %"
        cells = (PARTS[name][0], str(len(rows)), str(_number(rows, v.HOLDS)))
        case = f"{row['method']}, {row['what']}: {row['case']}"
        lines.append((*cells, case, shown, _limit(row)))
    return markdown.page(
        f"Intervals and verdicts: {held} of {len(every)} rates hold, {missed} miss",
        "A rate is the share of repeated experiments with a right interval, or with a false "
        "verdict. The truth is known: from solved positions of Lama Dice, the exact distribution "
        "of a Pikomino turn, positions of L.A.M.A. added up by hand, and made-up distributions. "
        "A rate that neither holds nor misses is off by no more than its own error.",
        markdown.table(
            ("", "rates", "hold", "closest to its limit", "rate", "limit"), lines, "lrrlrl"
        ),
        "[All rates as CSV](validity.csv). [Confidence intervals]"
        f"(../docs/explanation/intervals.md) says what is used where. Made by {made_by}.",
        target=TARGET.name,
    )


def _number(rows: list[dict[str, str]], verdict: str) -> int:
    return sum(row["verdict"] == verdict for row in rows)


def _room(row: dict[str, str]) -> float:
    """How far a rate is inside its limits; below 0 it is outside."""
    low, high, rate = (float(row[name]) for name in ("aim low", "aim high", "rate"))
    return min(rate - low if 0 < low < 1 else math.inf, high - rate if high < 1 else math.inf)


def _limit(row: dict[str, str]) -> str:
    """The limits of a rate."""
    low, high = (100 * float(row[name]) for name in ("aim low", "aim high"))
    if high == 100:
        return f"at least {low:.4g} %"
    return f"at most {high:.4g} %" if low == 0 else f"{low:.4g} to {high:.4g} %"


def make(making: Making) -> None:
    """Run the parts and write the reports."""
    by_part: dict[str, list[Rate]] = {}
    study = Study(making["seed"], bool(making["quick"]))
    with kept_parts(making.work / "run", study) as part:
        for name in PARTS:
            by_part[name] = part(name)
            making.tell(name)
    making.write(TABLE, csv_text(by_part))
    again(making)


def again(making: Making) -> None:
    """Write the page from the table."""
    text = making.path(TABLE).read_text(encoding="utf-8")
    making.write("reports/validity.md", page(text, making.made_by))


def main() -> None:
    """Print one part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=list(PARTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a hundredth of the repeats")
    given = parser.parse_args()
    print(csv_text({given.part: study_part(given.part, Study(given.seed, given.quick))}), end="")


TARGET = Target(
    name="validity",
    what="how often intervals and verdicts are right",
    make=make,
    again=again,
    writes=("reports/validity.md", TABLE),
    reads=(*POLICIES, *ANSWERS, "data/cards.json", "data/starting_scores/"),
    options={"seed": 1, "quick": 0},
    quick={"quick": 1},
)

if __name__ == "__main__":
    main()
