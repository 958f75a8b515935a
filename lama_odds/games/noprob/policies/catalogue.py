"""The policies of No Prob-Lama by name, and the arrays the compiled functions read for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lama_odds.core.policies import Family, Policy
from lama_odds.core.policy_numbers import Numbers
from lama_odds.games.noprob.engine.policy_kernels import PLANNER, RANDOM, line_worth, spread_masks
from lama_odds.games.noprob.engine.tables import PlayTables
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.shared.families import code_of

NUMBERS = Numbers(chase=(0, 100, 0), lead=(-99, 99, -99), deny=(0, 100, 0), haste=(0, 99, 0))

GREEDY = Family(
    "greedy",
    PLANNER,
    "does what leaves its expected total lowest after this turn, unknown cards at the mean of "
    "all it has not seen; a Drama goes to the player with the lowest, a Karma to the one with "
    "the highest expected total; a special is not taken from the discards; after 50 turns of "
    "its own, turning a card up is worth 0.2 points more every turn",
    default=NUMBERS.default,
)
FAMILIES = (
    Family(
        "random",
        RANDOM,
        "draws or takes the discard with equal chance; puts a card in any cell, or one it has "
        "drawn away, with equal chance; gives a special to any other player; never passes",
    ),
    GREEDY,
    Family(
        "planner",
        PLANNER,
        "as greedy, and: a line that lacks one card counts chase hundredths of what completing it "
        "would save (two cards: squared); the round is ended only with an expected total at least "
        "lead below all others'; a card that it leaves on the discards costs deny hundredths of "
        "what it would save the next player; turning a card up is worth haste tenths of a point",
        "chase=C,lead=L,deny=D,haste=H",
        allowed=NUMBERS.allowed,
        read=NUMBERS.read,
        write=NUMBERS.write,
        default=NUMBERS.default,
        space=NUMBERS.space,
        pack=NUMBERS.pack,
        unpack=NUMBERS.unpack,
    ),
)

NO_LOG = np.zeros(0, dtype=np.int64)


def _numbers_of(policy: Policy) -> dict[str, int]:
    return NUMBERS.unpack(NUMBERS.default if policy.family is GREEDY else policy.parameter)


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """int64[seats, POLICY_COLUMNS]: family, which line worths, lead, deny, haste."""
    chases = _chases(policies)
    rows = []
    for policy in policies:
        code, numbers = code_of(policy, FAMILIES), _numbers_of(policy)
        worth = chases.index(numbers["chase"])
        rows.append([code, worth, numbers["lead"], numbers["deny"], numbers["haste"]])
    return np.array(rows, dtype=np.int64)


def _chases(policies: Sequence[Policy]) -> list[int]:
    """The chases of some policies; 0, for last turns, comes first."""
    others = {_numbers_of(policy)["chase"] for policy in policies if policy.family.code == PLANNER}
    return [0, *sorted(others - {0})]


@lru_cache(maxsize=64)
def _worth(rules: NoprobRules, chase: int) -> np.ndarray:
    return line_worth(rules.points, rules.tables.lines, chase)


@lru_cache(maxsize=1)
def _spread() -> np.ndarray:
    return spread_masks()


def tables_of(
    rules: NoprobRules, policies: Sequence[Policy], log: np.ndarray = NO_LOG
) -> PlayTables:
    """What the kernels read of a rule set and for policies."""
    worth = np.array([_worth(rules, chase) for chase in _chases(policies)])
    return PlayTables(rules.tables, rules.tables.points, _spread(), worth, log)
