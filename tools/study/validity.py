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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lama_odds.analysis.strategy_report.plan import code_hash
from lama_odds.simulation.run_folder import open_folder
from tools.publishing.target import EQUITY, POLICIES, Making, Target
from tools.study import validity_parts as parts
from tools.study import validity_rates as v
from tools.study.validity_parts import Rates, Study
from tools.study.validity_played import played
from tools.study.validity_rates import Rate

PARTS: dict[str, tuple[str, Callable[[Study], Rates]]] = {
    "means": ("Means", parts.means),
    "grouped": ("Means and shares over decisions", parts.grouped),
    "paired": ("Paired differences", parts.paired),
    "rare": ("Differences that few games make", parts.rare),
    "shares": ("Shares", parts.shares),
    "anytime": ("Intervals that hold at every look", parts.anytime),
    "played": ("The games themselves, against exact values", played),
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


def aim_text(rate: Rate) -> str:
    """What a rate is held to."""
    low, high = rate.aim
    if rate.aim == v.ANY:
        return ""
    if rate.what.startswith("p of"):
        return "not below 0.001"
    if rate.what.endswith("beside that"):
        return "the line above"
    if low == high:
        return f"{100 * low:g} %"
    if high == 1:
        return f"at least {100 * low:g} %"
    return f"at most {100 * high:g} %" if low == 0 else f"{100 * low:g} to {100 * high:g} %"


def rate_text(rate: Rate) -> str:
    """The rate, with the half-width of its own interval."""
    found = rate.estimate
    if rate.what.startswith("p of"):
        return f"{found.value:.3f}"
    if rate.known is not None:
        return f"{100 * found.value:.2f} %"
    return f"{100 * found.value:.2f} ± {50 * (found.high - found.low):.2f} %"


def csv_text(found: dict[str, list[Rate]]) -> str:
    """A line for each rate."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["part", "method", "what", "case", "n", "repeats", "rate", "low", "high"]
    writer.writerow([*head, "aim low", "aim high", "verdict"])
    for name, rates in found.items():
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


def page(found: dict[str, list[Rate]], made_by: str) -> str:
    """The page: what misses first, then all."""
    rates = [rate for part in found.values() for rate in part]
    held = [rate for rate in rates if rate.aim != v.ANY]
    counts = {name: sum(r.verdict == name for r in held) for name in (v.HOLDS, v.UNCLEAR, v.MISSES)}
    lines = [
        "# How often intervals and verdicts are right",
        "",
        "Repeated experiments against what is known exactly: Lama Dice positions that are solved, "
        "the exact distribution of a Pikomino turn, L.A.M.A. positions added up by hand, and "
        "made-up distributions. `played` are games of the kernels, the others are drawn from the "
        "exact distribution. What is used where: "
        "[confidence intervals](../docs/explanation/intervals.md).",
        "",
        f"Of {len(held)} rates that are held to something, {counts[v.HOLDS]} hold, "
        f"{counts[v.UNCLEAR]} are off by no more than their own error (unclear), "
        f"{counts[v.MISSES]} miss.",
        "",
    ]
    missed = [rate for rate in held if rate.verdict == v.MISSES]
    if missed:
        lines += ["## What misses", "", *table(missed)]
    lines += ["## By method", "", *summary(found)]
    for name, part in found.items():
        lines += [f"## {PARTS[name][0]}", "", *table(part)]
    lines += [f"Made by {made_by}. All figures: `validity.csv`."]
    return "\n".join(lines) + "\n"


def summary(found: dict[str, list[Rate]]) -> list[str]:
    """Lowest and highest rate of each method, of what it is held to."""
    groups: dict[tuple[str, ...], list[Rate]] = {}
    for name, part in found.items():
        for rate in part:
            if rate.aim != v.ANY and not rate.what.endswith("beside that"):
                key = (PARTS[name][0], rate.method, rate.what, aim_text(rate))
                groups.setdefault(key, []).append(rate)
    lines = [
        "| | method | what | cases | lowest | highest | held to | miss |",
        "|---|---|---|---:|---:|---:|---|---:|",
    ]
    for (title, method, what, aim), rates in groups.items():
        values = [rate.estimate.value for rate in rates]
        scale, unit = (1.0, "") if what.startswith("p of") else (100.0, " %")
        shown = [f"{scale * value:.4g}{unit}" for value in (min(values), max(values))]
        missing = sum(rate.verdict == v.MISSES for rate in rates)
        cells = (title, method, what, str(len(rates)), *shown, aim, str(missing))
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def table(rates: list[Rate]) -> list[str]:
    """Rates as a Markdown table."""
    lines = [
        "| method | what | case | sample | repeats | rate | held to | verdict |",
        "|---|---|---|---|---:|---:|---|---|",
    ]
    for rate in rates:
        repeats = f"{rate.repeats:,}" if rate.repeats else "–"
        cells = (rate.method, rate.what, rate.case, rate.n, repeats, rate_text(rate))
        lines.append("| " + " | ".join((*cells, aim_text(rate), rate.verdict)) + " |")
    return [*lines, ""]


def make(making: Making) -> None:
    """Run the parts and write the reports."""
    found: dict[str, list[Rate]] = {}
    study = Study(making["seed"], bool(making["quick"]))
    with kept_parts(making.work / "run", study) as part:
        for name in PARTS:
            found[name] = part(name)
            making.tell(name)
    making.write("reports/validity.csv", csv_text(found))
    making.write("reports/validity.md", page(found, making.made_by))


def main() -> None:
    """Print one part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=list(PARTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a hundredth of the repeats")
    given = parser.parse_args()
    print("\n".join(table(study_part(given.part, Study(given.seed, given.quick)))))


TARGET = Target(
    name="validity",
    what="how often intervals and verdicts are right",
    make=make,
    writes=("reports/validity.md", "reports/validity.csv"),
    reads=(*POLICIES, *EQUITY),
    options={"seed": 1, "quick": 0},
    quick={"quick": 1},
)

if __name__ == "__main__":
    main()
