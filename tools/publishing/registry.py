"""The targets of `tools/publish`. A new one: a module with a ``TARGET``, and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from tools.publishing.target import Target

MODULES = (
    "lab.meanfield.fit_dice",
    "lab.meanfield.fit_cards",
    "lab.endgames",
    "lab.learned_pikomino.fit",
    "lab.learned_pikomino.measure",
    "lab.tune_best",
    "tools.publishing.targets.cards",
    "lab.equity.solve_two",
    "lab.equity.solve_several",
    "lab.best_play.solve",
    "lab.copy.fit",
    "tools.publishing.targets.fitted_equity",
    "tools.publishing.targets.fitted_several",
    "tools.publishing.targets.starting_scores",
    "lab.learned_noprob.fit",
    "lab.learned_noprob.network",
    "tools.publishing.targets.rounds_won",
    "lab.learned_cards.fit",
    "lab.learned_dice.fit",
    "lab.equilibrium.fit",
    "tools.publishing.targets.equity",
    "tools.publishing.targets.league",
    "tools.publishing.targets.ratings",
    "tools.publishing.targets.drills",
    "lab.exploiters",
    "tools.publishing.targets.best_response",
    "tools.publishing.targets.strategy",
    "tools.publishing.targets.beside_the_table",
    "tools.publishing.targets.reference",
    "tools.publishing.targets.claims",
    "tools.publishing.targets.stories",
    "tools.publishing.targets.pages",
    "tools.study.validity",
)


def targets() -> Sequence[Target]:
    """All targets, loaded."""
    return [load(name) for name in MODULES]


def load(module: str) -> Target:
    """The target of a module; its `make` must be there too: what it imports is looked through."""
    target: Target = importlib.import_module(module).TARGET
    assert target.module == module, f"{target.name}: `make` is in {target.module}, not {module}"
    return target
