"""The policies of the card games by name, and the arrays that the compiled functions read for
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lama_odds.core.data import data_json
from lama_odds.core.notation import Part
from lama_odds.core.policies import Family, Policy
from lama_odds.games.lama.engine.equilibrium import BY_SCORES, NO_EQUILIBRIUM
from lama_odds.games.lama.engine.policy_kernels import (
    CONTEXTS,
    EQUILIBRIUM,
    HANDS,
    LEARNED,
    MATCHING,
    RANDOM,
    THRESHOLD,
    VALUES,
    hand_ranks,
)
from lama_odds.games.lama.engine.round_loop import A_CARD
from lama_odds.games.lama.engine.tables import PlayTables
from lama_odds.games.lama.policies import meanfield
from lama_odds.games.lama.policies.card import CARDS, LANGUAGE, row_of
from lama_odds.games.lama.policies.equilibrium import POINTS_CLASS, equilibrium_of
from lama_odds.games.lama.policies.learned import learned
from lama_odds.games.lama.policies.meanfield import values_table
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.lama.rules.transition import PLACES
from lama_odds.games.shared.families import code_of
from lama_odds.games.shared.meanfield_numbers import NUMBERS, SPACE, USAGE, meaning, out_of
from lama_odds.games.shared.rule_cards import blocks_of, parameters_of
from lama_odds.jit.store import kept


def _read_aim(part: Part) -> int:
    """Return 1 for `points`."""
    if part.text != "points":
        raise part.fail("points, or nothing", what="policy")
    return 1


MEANFIELD = Family(
    "meanfield",
    VALUES,
    "plays as well as one player can against an average table. What happens between two turns "
    "is as frequent as in self-play with this number of others still in and this smallest "
    "hand. That includes the end of the round, players who quit and the top card. It knows "
    "the chances of each unseen card, what going out returns, and what the drama takes and "
    "gives. Alone it plays as long as it can. Solved for the rule set when needed. "
    + meaning("drawing", f", a hidden one {A_CARD} points"),
    USAGE,
    allowed=NUMBERS.allowed,
    read=NUMBERS.read,
    write=NUMBERS.write,
    default=NUMBERS.default,
    space=SPACE,
    pack=NUMBERS.pack,
    unpack=NUMBERS.unpack,
    brief="cautious",
)
BALANCED = Family(
    "equilibrium",
    EQUILIBRIUM,
    "two players only: plays to win the game, close to an equilibrium. Its table of moves was "
    "trained by self-play. It knows its cards, the top, the number of the other's cards and both "
    "scores, in classes; not which cards were played. Hands of more than eight cards count as "
    "similar ones of eight. Once the other has quit, it plays as long as it can. With `points` it "
    "plays for the points of a round: its own minus the other's",
    "points",
    allowed="points or nothing",
    read=_read_aim,
    write=lambda aim: "points" if aim else "",
    default=0,
    brief="nearly unbeatable",
)
FAMILIES = (
    Family(
        "random",
        RANDOM,
        "any card that can be played, drawing and quitting, all with equal chance",
        brief="random",
    ),
    Family(
        "threshold",
        THRESHOLD,
        "plays a card if it can: the one that costs most (plain before plus, llama before pink). "
        "Otherwise it quits if the hand costs T or less, else draws if it can, else quits",
        "T",
        0,
        1000,
        brief="rule of thumb: quit at {}",
    ),
    Family(
        "matching",
        MATCHING,
        "plays a card of the same value as the top if it can, plain before plus. Llamas and the "
        "pink llama have one value, and the llama comes first. Otherwise it plays as threshold:T",
        "T",
        0,
        1000,
        brief="rule of thumb: match, quit at {}",
    ),
    CARDS,
    MEANFIELD,
    BALANCED,
    Family(
        "learned",
        LEARNED,
        "three to six players: a small neural network that has played millions of games against "
        "itself. In them it tried every action in turn and saw what came of it. It knows its "
        "cards, which cards are left, all scores, and what the others showed of their hands by "
        "what they drew and played. Once all others have quit, it plays as long as it can",
        brief="learned",
    ),
)

PARAMETERS = "lama/meanfield.json"

NO_LOG = np.zeros(0, dtype=np.int64)
NO_VALUES = np.zeros((1, 1, 1, 1, 1, 1), dtype=np.float32)


def passing_of(rules: LamaRules, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what self-play saw between two turns of a seat: contexts and tops, see `meanfield`."""
    shipped = data_json(PARAMETERS)["passing"][rules.edition][str(players)]
    return np.array(shipped["contexts"]), np.array(shipped["tops"])


@lru_cache(maxsize=16)
def meanfield_values(rules: LamaRules, players: int, tokens: bool, extra: int) -> np.ndarray:
    """Return values tables of `meanfield`, a block for each token that can be returned.

    tokens: whether anybody may hold any; without them there is one block. extra: additional points
    for going out.
    """
    held = [0]
    if tokens:
        held += [rules.black] + [rules.pink] * rules.twenty
    passing = passing_of(rules, players)
    inputs = (
        rules.columns,
        rules.penalties,
        np.array(rules.places),
        *passing,
        np.array([*held, extra]),
    )

    def solve() -> np.ndarray:
        return np.stack([values_table(rules, *passing, extra, token) for token in held])

    hands = HANDS * (2 if rules.pink_llamas else 1)
    like = "float32", (len(held), 2, CONTEXTS, PLACES, hands)
    return kept(meanfield.__name__, inputs, solve, like)


@lru_cache(maxsize=1)
def ranks() -> np.ndarray:
    """Return the table for `policy_kernels.hand_index`."""
    return hand_ranks()


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """Return int64[seats, 3]: family code, parameter, group of the values table.

    Of a card: its habits, and the block of its own.
    """
    extras = _extras(policies)
    cards = parameters_of(policies)
    rows = [
        (code_of(p, FAMILIES), *row_of(p, cards))
        if p.family is CARDS
        else (code_of(p, FAMILIES), p.parameter, _block_of(p, extras))
        for p in policies
    ]
    return np.array(rows, dtype=np.int64)


def _block_of(policy: Policy, extras: Sequence[int]) -> int:
    """Return the group of a policy's values table, or the class of scores that it plays by."""
    if policy.family is BALANCED:
        return POINTS_CLASS if policy.parameter else BY_SCORES
    return extras.index(out_of(policy)) if policy.family is MEANFIELD else 0


def _extras(policies: Sequence[Policy]) -> list[int]:
    """Return the bonus for going out of each `meanfield` among some policies."""
    return sorted({out_of(policy) for policy in policies if policy.family is MEANFIELD})


@lru_cache(maxsize=4)
def _values(rules: LamaRules, seats: int, tokens: bool, extras: tuple[int, ...]) -> np.ndarray:
    """Return the values tables of several `meanfield` policies, in one array."""
    return np.stack([meanfield_values(rules, seats, tokens, extra) for extra in extras])


def tables_of(
    rules: LamaRules,
    policies: Sequence[Policy],
    tokens: bool,
    log: np.ndarray = NO_LOG,
    players: int | None = None,
) -> PlayTables:
    """Return what the kernels read of a rule set and for policies.

    tokens: whether anybody may hold tokens during play. players: their number, unless each has one
    of the policies.
    """
    extras, seats = _extras(policies), players or len(policies)
    values = _values(rules, seats, tokens, tuple(extras)) if extras else NO_VALUES
    order = np.array(rules.shifts, dtype=np.int64)
    moves = NO_EQUILIBRIUM
    if any(policy.family is BALANCED for policy in policies):
        moves = equilibrium_of(rules.id, seats)
    known = None
    if any(policy.family.code == LEARNED for policy in policies):
        known = learned(rules.id, seats)
    return PlayTables(
        rules.playable,
        rules.penalties,
        order,
        values,
        ranks(),
        moves,
        known,
        blocks_of(LANGUAGE, policies),
        log,
    )
