"""The pictures of docs/strategy and of the home page, from published tables."""

from __future__ import annotations

from lama_odds.report.figures.draw import draw
from tools.publishing.stories.figures import FIGURES
from tools.publishing.stories.marks import FOLDER, titled
from tools.publishing.stories.tiles import TILES, tile
from tools.publishing.target import Making, Target
from tools.publishing.targets.claims import LESSONS, REPORTS, RULE_CARDS


def make(making: Making) -> None:
    """Draw all figures and tiles."""
    for made in FIGURES:
        figure = made()
        svg = draw(figure, "svg").decode()
        making.write(f"{FOLDER}{figure.name}.svg", titled(svg, figure.title))
    for name in TILES:
        making.write(f"{FOLDER}tile_{name}.svg", tile(name))


TARGET = Target(
    name="stories",
    what="figures of the strategy pages, and the tiles of the home page",
    make=make,
    again=make,
    writes=(FOLDER,),
    reads=(*REPORTS.values(), LESSONS, RULE_CARDS),
)
