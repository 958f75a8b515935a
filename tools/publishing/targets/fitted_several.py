"""Solve the match equity tables of three to six players of a trained policy.

Its options are those of `tools/publish several-equity`.
"""

from __future__ import annotations

from lab.equity.solve_several import ALIKE, OPTIONS, QUICK, make_tables
from lama_odds.core.policies import Policy
from lama_odds.core.reading import data_json
from lama_odds.games.dice.engine import trained
from lama_odds.games.interface.match_equity import TRAINED
from lama_odds.games.lama.policies import learned
from lama_odds.games.registry import game_of
from lama_odds.games.shared.shipped_weights import LEARNED
from tools.publishing.target import Making, Target


def learned_of(text: str, _players: int) -> Policy:
    """The trained policy of a rule set."""
    return game_of(text).policy(LEARNED)


def make(making: Making) -> None:
    """Solve all and write them."""
    known = (text for one in (learned, trained) for text in data_json(one.MANIFEST)["rules"])
    make_tables(making, TRAINED, [text for text in known if text not in ALIKE], learned_of, ALIKE)


TARGET = Target(
    name="fitted-several",
    what="chance of three to six players to win from any scores, if all play `learned`",
    make=make,
    writes=(f"data/{TRAINED}/",),
    reads=("data/dice/", "data/lama/"),
    options=OPTIONS,
    quick=QUICK,
    deep=True,
)
