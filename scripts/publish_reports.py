"""Make the published reports: one rule set of every game, four players.

    .venv/bin/python scripts/publish_reports.py

Writes reports/strategy: pages, CSV tables and SVG figures, and as PNG only those of the README.
Stopped runs go on where they were; finished sections are not computed again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lama_odds.analysis.strategy_report.plan import DEFAULT_RULES, planned
from lama_odds.cli.common import note, start_kernels
from lama_odds.cli.report import publish, read_asks
from lama_odds.core.files import write_whole_bytes
from lama_odds.report.figures.draw import draw
from lama_odds.report.pages.page_folder import Folder

OUT = Path(__file__).resolve().parent.parent / "reports" / "strategy"
# Figures that the README shows, by rule set and name.
IN_README = {"dice/amigo": ("last_player",), "lama/egmont": ("by_scores",)}
PRECISION = 0.125  # points: four times the games of a quick run


def main() -> None:
    """Publish, and say what was written."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rules", nargs="*", help="rule sets (default: one of every game)")
    parser.add_argument("--out", type=Path, default=OUT, help="folder (default: reports/strategy)")
    parser.add_argument(
        "--precision", type=float, default=PRECISION, help=f"in points (default: {PRECISION:g})"
    )
    given = parser.parse_args()
    start_kernels()
    folder = Folder(given.out)
    for ask, slug in read_asks(given.rules or list(DEFAULT_RULES), None, given.precision, False):
        note(f"{ask.rules.id} …")
        page = publish(folder, ask, slug, images=("svg",), parquet=False)
        for plan in planned(ask):
            section = folder.part(slug, plan)
            for figure in section.figures if section else ():
                if figure.name in IN_README.get(ask.rules.id, ()):
                    write_whole_bytes(given.out / slug / f"{figure.name}.png", draw(figure, "png"))
        print(page)


if __name__ == "__main__":
    main()
