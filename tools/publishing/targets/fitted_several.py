"""Solve the match equity tables of three to six players of a trained policy.

Its options are those of `tools/publish several-equity`.
"""

from __future__ import annotations

from lab.equity.solve_several import OPTIONS, QUICK, make_tables
from lama_odds.core.policies import Policy
from lama_odds.core.reading import data_json
from lama_odds.games.interface.match_equity import TRAINED
from lama_odds.games.lama.policies.learned import MANIFEST
from lama_odds.games.lama.policies.trained import LEARNED
from lama_odds.games.registry import game_of
from tools.publishing.target import Making, Target


def trained(text: str, _players: int) -> Policy:
    """The trained policy of a rule set."""
    return game_of(text).policy(LEARNED)


def make(making: Making) -> None:
    """Solve all and write them."""
    make_tables(making, TRAINED, data_json(MANIFEST)["rules"], trained, {})


TARGET = Target(
    name="fitted-several",
    what="chance of three to six players to win cards from any scores, if all play `learned`",
    make=make,
    writes=(f"data/{TRAINED}/",),
    reads=("data/lama/",),
    options=OPTIONS,
    quick=QUICK,
    deep=True,
)
