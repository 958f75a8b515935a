"""The policies of Pikomino by name, and the arrays that the compiled functions read for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.core.policies import Family, Policy
from lama_odds.games.pikomino.engine.policy_kernels import (
    EARLY_WORM,
    FIRST_TILE,
    LEAD,
    LEARNED,
    RANDOM,
    TURN,
)
from lama_odds.games.pikomino.engine.round_loop import roll_counts
from lama_odds.games.pikomino.engine.tables import Learned, PlayTables
from lama_odds.games.pikomino.policies.card import CARDS, blocks
from lama_odds.games.pikomino.policies.learned import NOTHING, learned
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.shared.families import code_of
from lama_odds.games.shared.rule_cards import parameters_of

UNIT = 1000
BY_PLAYERS = -1  # parameter of optimal-turn: the weight of a steal is 1 / (players − 1)
MOST_WEIGHT = 10


def read_weight(part: Part) -> int:
    """Return a weight written as ``steal=0.5``, in thousandths."""
    name, equals, text = part.text.partition("=")
    if name != "steal" or not equals:
        raise part.fail("steal=WEIGHT, for example steal=0.5", what="policy")
    try:
        value = round(UNIT * float(text))
    except (ValueError, OverflowError):
        value = -1
    if not 0 <= value <= MOST_WEIGHT * UNIT:
        raise part.fail(f"a weight from 0 to {MOST_WEIGHT}", offset=len(name) + 1, what="policy")
    return value


def write_weight(value: int) -> str:
    """Return the inverse of `read_weight`; an empty text for the default."""
    return "" if value == BY_PLAYERS else f"steal={value / UNIT:g}"


LEAD_FAMILY = Family(
    "lead",
    LEAD,
    "plays the turn exactly for the chance to win that its lead in worms over the best other "
    "is worth at the end of the turn. With the worms left in the centre that is 1 / (1 + "
    "exp(-k lead / sqrt(left))), k in hundredths; with none left, won or lost",
    "K",
    1,
    1000,
    brief="plays for the lead",
)
FAMILIES = (
    Family(
        "random",
        RANDOM,
        "keeps any face it can, with equal chance; then rolls on, takes the tile of the centre or "
        "steals, whatever is possible, with equal chance",
        brief="random",
    ),
    Family(
        "first-tile",
        FIRST_TILE,
        "keeps the face with the largest count times value (of equals the higher, the worm above "
        "the 5). It stops as soon as it can have a tile, and prefers to steal",
        brief="takes the first tile",
    ),
    Family(
        "early-worm",
        EARLY_WORM,
        "keeps the worm of the first roll that shows one after another face was kept. Otherwise it "
        "plays like first-tile",
        brief="keeps the worm early",
    ),
    Family(
        "optimal-turn",
        TURN,
        "plays the turn exactly for worms: those of the tile, or minus those of the own top tile "
        "in a bust. A steal adds the victim's loss times the weight (default: 1 / (players - 1))",
        "steal=WEIGHT",
        allowed=f"WEIGHT from 0 to {MOST_WEIGHT}",
        read=read_weight,
        write=write_weight,
        default=BY_PLAYERS,
        space={"steal": (0, 2 * UNIT)},
        pack=lambda numbers: numbers["steal"],
        brief="best turn for worms",
    ),
    LEAD_FAMILY,
    Family(
        "learned",
        LEARNED,
        "plays the turn exactly for its chance to win the game, which it reads off the board after "
        "the turn. It has learned these chances from games against itself, for each number of "
        "players",
        brief="learned",
    ),
    CARDS,
)
BEST_K = 50

NO_LOG = np.zeros(0, dtype=np.int64)


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """Return int64[seats, POLICY_COLUMNS]: family code and its weight, in thousandths.

    Of a card: the family code and its block.
    """
    each, cards = UNIT // (len(policies) - 1), parameters_of(policies)
    rows = []
    for policy in policies:
        weight = each if policy.parameter == BY_PLAYERS else policy.parameter
        if policy.family is LEAD_FAMILY:
            weight *= UNIT // 100  # hundredths to thousandths
        elif policy.family is CARDS:
            weight = cards.index(policy.parameter)
        rows.append([code_of(policy, FAMILIES), weight])
    return np.array(rows, dtype=np.int64)


@lru_cache(maxsize=1)
def rolls_of_four() -> np.ndarray:
    """Return the table for `round_loop.roll_dice`."""
    return roll_counts()


def play_tables(
    rules: PikominoRules,
    known: Learned = NOTHING,
    log: np.ndarray = NO_LOG,
    cards: np.ndarray | None = None,
) -> PlayTables:
    """Return what the kernels read of a rule set. known: what `learned` knows; cards: blocks."""
    return PlayTables(rules.tables, rules.worm_table, rolls_of_four(), known, cards, log)


def tables_of(
    rules: PikominoRules, policies: Sequence[Policy], log: np.ndarray = NO_LOG
) -> PlayTables:
    """Return what the kernels read of a rule set and for policies."""
    known = learned() if any(p.family.code == LEARNED for p in policies) else NOTHING
    return play_tables(rules, known, log, blocks(policies))
