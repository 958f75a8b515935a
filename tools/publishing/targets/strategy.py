"""The published strategy reports: one rule set of every game, four players.

Pages with their figures, and CSV tables; PNG only for what other pages show. Stopped runs resume;
finished sections are not computed again.
"""

from __future__ import annotations

from lama_odds.analysis.strategy_report.by_game.amounts import DEFAULT_RULES
from lama_odds.analysis.strategy_report.document import Beside, Curves, Figure, Section
from lama_odds.analysis.strategy_report.plan import planned
from lama_odds.cli.common import start_kernels
from lama_odds.cli.report import publish, read_asks
from lama_odds.report.figures.draw import draw
from lama_odds.report.pages.pages import Folder
from tools.publishing.target import ANSWERS, POLICIES, Making, Target

OUT = "reports/strategy/"
# Figures that other pages show, by rule set and name: one, or all that are called so and a number.
ELSEWHERE = {"dice/amigo": ("last_player", "pairings"), "lama/amigo": ("by_scores",)}


def make(making: Making) -> None:
    """Publish, and say what was written."""
    start_kernels()
    folder = Folder(making.path(OUT))
    rules = making["rules"].split() or list(DEFAULT_RULES)
    asks = read_asks(rules, None, making["precision"], False, threads=making.threads)
    for ask, slug in asks:
        publish(folder, ask, slug, images=(), parquet=False)  # a page has its figures
        for plan in planned(ask):
            section = folder.part(slug, plan)
            for name in ELSEWHERE.get(ask.rules.id, ()):
                figure = None if section is None else shown_figure(section, name)
                if figure is not None:
                    making.write(f"{OUT}{slug}/{name}.png", draw(figure, "png"))
        making.tell(ask.rules.id)


def shown_figure(section: Section, name: str) -> Figure | None:
    """The figure of a name in a section; curves that are numbered after it, together."""
    for figure in section.figures:
        if figure.name == name:
            return figure
    parts = tuple(
        figure
        for figure in section.figures
        if isinstance(figure, Curves) and figure.name.rpartition("_")[0] == name
    )
    if not parts:
        return None
    return Beside(name, section.title, " ".join(part.alt for part in parts), parts)


TARGET = Target(
    name="strategy",
    what="strategy reports: one rule set of every game, four players",
    make=make,
    writes=(OUT,),
    reads=(
        *(*POLICIES, *ANSWERS),
        *("data/cards.json", "data/drills.json", "data/starting_scores/"),
    ),
    # precision: points; four times the games of a quick run. rules: none for one of every game.
    options={"precision": 0.125, "rules": ""},
    quick={"precision": 2.0},
)
