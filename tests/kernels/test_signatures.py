"""Every compiled function is called with one combination of types only.

Two processes that compile for the first time at once then write the same machine code.
"""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
from numba.core.dispatcher import Dispatcher

import lama_odds
from lama_odds.analysis.advise import advise
from lama_odds.analysis.rollouts import Limits
from lama_odds.games.registry import GAMES, game_of


def compiled_functions() -> dict[str, Dispatcher]:
    """All compiled functions of the package, by name."""
    found = {}
    for module in pkgutil.walk_packages(lama_odds.__path__, "lama_odds."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Dispatcher) and value.__module__ == module.name:
                found[f"{module.name}.{name}"] = value
    return found


def use_everything() -> None:
    """Answer one question of each kind."""
    for name in GAMES:
        game = game_of(f"{name}/amigo")
        rules = game.rules(f"{name}/amigo+twenty")
        for text in (
            "hand=12L opp=3,4",
            "hand=12L opp=3",
            "hand=12L opp=q3",
            "hand=1L opp=3 rolled=13L",
        ):
            position = game.position(rules, text)
            game.odds(rules, position)
            for scores in (None, (3,) * position.players):
                asked = game.position(
                    rules, text + (f" scores={','.join(map(str, scores))}" if scores else "")
                )
                advise(game, rules, asked, limits=Limits(games=1_000))
        for policy in game.families:
            named = game.policy(
                f"{policy.name}:{policy.low + 1}" if policy.parameter else policy.name
            )
            for rounds in (False, True):
                game.record(rules, [named, named], np.int64(0), 0, rounds)


def test_one_signature_each() -> None:
    use_everything()
    several = {
        name: function.signatures
        for name, function in compiled_functions().items()
        if len(function.signatures) > 1
    }
    assert several == {}
