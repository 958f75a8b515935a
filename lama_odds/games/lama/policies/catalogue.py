"""The policies of the card games by name, and the arrays that the compiled functions read for
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import Family, Policy
from lama_odds.core.reading import data_json
from lama_odds.games.lama.engine import card_rules
from lama_odds.games.lama.engine.average_table import solve
from lama_odds.games.lama.engine.policy_kernels import (
    BY_VALUES,
    CARD,
    CONTEXTS,
    EQUILIBRIUM,
    HANDS,
    LEARNED,
    MATCHING,
    MOST_OTHERS,
    RANDOM,
    THRESHOLD,
)
from lama_odds.games.lama.engine.round_loop import A_CARD
from lama_odds.games.lama.engine.tables import PlayTables
from lama_odds.games.lama.engine.trained import BY_SCORES, NO_EQUILIBRIUM
from lama_odds.games.lama.policies.equilibrium import POINTS_CLASS, equilibrium_of
from lama_odds.games.lama.policies.learned import learned
from lama_odds.games.lama.rules.ruleset import LLAMA, VALUES, LamaRules
from lama_odds.games.lama.rules.transition import PLACES
from lama_odds.games.shared import rule_cards
from lama_odds.games.shared.card_values import hand_ranks
from lama_odds.games.shared.families import code_of
from lama_odds.games.shared.rule_cards import (
    HAND,
    CardLanguage,
    Feature,
    blocks_of,
    family_of,
    parameters_of,
)
from lama_odds.games.shared.seating import NUMBERS, SPACE, USAGE, meaning, out_of
from lama_odds.jit.store import kept

# What cards of rules for L.A.M.A. can speak of, and their blocks for compiled functions.

MOST, PILE, SCORE = card_rules.MOST_CARDS, card_rules.MOST_PILE, card_rules.MOST_SCORE
FEATURES = (
    rule_cards.fewest(MOST, (1, 2, 3, 4)),
    rule_cards.others((1, 2)),
    rule_cards.cards(MOST, (1, 2, 3, 4)),
    Feature(
        *("values", 1, 7, "different values among your cards", (1, 2, 3)),
        noun="value",
        said=later("your cards have {amount}"),
    ),
    Feature(
        *("pile", 0, PILE, "cards left to draw", (5, 10, 20, 30)),
        noun=HAND,
        said=later("the pile has {amount}"),
    ),
    rule_cards.score(SCORE),
    rule_cards.ahead(SCORE),
    rule_cards.behind(SCORE),
    rule_cards.total(SCORE, (9, 19, 29, 39)),
    Feature(
        *("second", 0, MOST, "your cards of the value two above the top", (0, 1)),
        noun=HAND,
        said=later("you hold {amount} two above the top"),
        told={(1, MOST): later("you hold a card two above the top")},
    ),
    Feature(
        *("doubles", 0, MOST, "your cards beyond one of each value", (0, 1, 2)),
        noun=HAND,
        said=later("you hold {amount} twice"),
        told={
            (0, 0): later("you hold no card twice"),
            (0, 1): later("you hold at most one card twice"),
        },
    ),
)
HABITS = {
    "same": later("Two cards fit: play the number that lies on top first."),
    "hold": later(
        "Two cards fit: play the number that lies on top first. But with five or more cards, "
        "while everybody else has four or more, look again. If you hold one card of the top's "
        "number and more of the next than of the one before it, play the next number."
    ),
    "alone": later("If all others have quit, continue as long as you can."),
    "plus": later("Play a plus card before a plain one of its number."),
}
LANGUAGE = CardLanguage(
    FEATURES,
    41,
    HABITS,
    (("same", "hold"),),
    tried=(0, 2, 4, 6, 9, 12, 16, 20),
    never=later("always draw"),
)
CARDS = family_of(
    LANGUAGE,
    CARD,
    "Plays a card if it can, the one that costs most unless a habit says otherwise. Else it quits "
    "with as many points as the first line says whose conditions hold, and draws with more",
)


def row_of(policy: Policy, parameters: Sequence[int]) -> tuple[int, int]:
    """Return the habits of a card, as bits, and its block among these cards."""
    return LANGUAGE.unpack(policy.parameter).bits, parameters.index(policy.parameter)


# Values tables for the `meanfield` policy: one player solved against an average table.
#
# What happens between two turns of a player comes from self-play (see `data/lama`): the end of the
# round, players who quit, the smallest hand, the top card. It is treated as if it depended only on
# the *context* and the card on top. The rest is one player's problem, solved by value iteration:
# which card to play, when to draw, when to quit.
#
# A context is (others still in: one, two, three or more; fewest cards among them: 1 to 6 or more).
# A hand is its counts by place, above two treated as two; plus cards count as their numbers. A
# separate flag says whether it has a pink llama.

# Columns of a passing table after the contexts: all others have quit; the round has ended.
ALONE = CONTEXTS


def values_table(
    rules: LamaRules, contexts: np.ndarray, tops: np.ndarray, bonus: float, token: int = 0
) -> np.ndarray:
    """Return float32[2, CONTEXTS, PLACES, hands]: what a hand will cost, PASSED_ON or DECIDING.

    contexts: float64[CONTEXTS, CONTEXTS + 2], for each context after a turn, how frequent each
    context is at the next one.
    tops: float64[MOST_OTHERS, 7, 7], for each value on top after a turn, how frequent each value is
    at the next one.
    bonus: points that going out is worth in any case. token: the value of the token held, which
    going out returns as the rules say.
    """
    places = np.array(rules.places)
    by_place = np.zeros((MOST_OTHERS, PLACES, PLACES))
    for others in range(MOST_OTHERS):
        by_place[others][np.ix_(places, places)] = tops[others]
    following = np.zeros(PLACES, dtype=np.int64)
    for value, place in enumerate(rules.places):
        following[place] = rules.places[(value + 1) % VALUES]
    deck = np.zeros(PLACES + 1)
    for value, place in enumerate(rules.places):
        deck[place] = rules.deck[2 * value] + (value != LLAMA) * rules.deck[2 * value + 1]
    deck[PLACES] = rules.pink_llamas
    gone_out = np.full(PLACES, -bonus, dtype=np.float32)
    for value, place in enumerate(rules.places):  # of the last card
        gone_out[place] -= token if rules.token(token, 2 * value) else 0
    hands = HANDS * (2 if rules.pink_llamas else 1)
    values = np.zeros((2, CONTEXTS, PLACES, hands), dtype=np.float32)
    _solve(
        _costs(rules, hands), _moves(deck, hands), following, rules.places[LLAMA], contexts,
        by_place, gone_out, rules.quit_cost, values,
    )  # fmt: skip
    return values


def _costs(rules: LamaRules, hands: int) -> np.ndarray:
    """Return float32[hands]: the penalty of every hand."""
    costs = np.zeros(hands, dtype=np.float32)
    for hand in range(hands):
        counts = [hand // 3**place % 3 for place in range(PLACES)]
        llamas = counts[rules.places[LLAMA]]
        mask = sum(1 << place for place in range(PLACES) if counts[place])
        held = mask | (hand >= HANDS) << 7
        costs[hand] = rules.penalties[held] + rules.llama_each * rules.llama_points * llamas
    return costs


class Moves(NamedTuple):
    """What drawing and playing do to a hand, by place; the last place is the pink llama.

    chances: float32[PLACES + 1, hands], of drawing a card of the place. ups, downs: int64 of the
    same shape, the hand with a card more and less; -1 if there is none to play.
    """

    chances: np.ndarray
    ups: np.ndarray
    downs: np.ndarray


def _solve(
    costs: np.ndarray,
    moves: Moves,
    following: np.ndarray,
    llama: int,
    contexts: np.ndarray,
    tops: np.ndarray,
    gone_out: np.ndarray,
    quit_cost: int,
    values: np.ndarray,
) -> None:
    """Iterate until the values converge: PASSED_ON from DECIDING, DECIDING from PASSED_ON.

    gone_out: float32[PLACES], what going out costs by the place of the last card. quit_cost: what
    quitting costs besides the cards.

    All is float32, added up in a fixed order: the same bits on every machine.
    """
    values[:] = costs
    quitting = costs + np.float32(quit_cost)
    alone = _last_player(quitting, moves.downs, following, llama, gone_out)
    tables = contexts.astype(np.float32), tops.astype(np.float32)
    solve(costs, quitting, *moves, following, llama, *tables, (alone, gone_out), values)


def _last_player(
    costs: np.ndarray, downs: np.ndarray, following: np.ndarray, llama: int, gone_out: np.ndarray
) -> np.ndarray:
    """Return what a hand will cost once all others have quit, see `policy_kernels.last_move`.

    float32[PLACES, hands], filled in from few cards to many.
    """
    alone = np.tile(costs, (PLACES, 1))
    alone[:, 0] = gone_out
    left = np.arange(costs.size)
    cards = left // HANDS + sum(left // 3**place % 3 for place in range(PLACES))
    for number in range(1, cards.max() + 1):
        hands = np.flatnonzero(cards == number)
        for top in range(PLACES):
            after = following[top]
            cost = np.where(hands >= HANDS, alone[llama, hands - HANDS], costs[hands])
            for place in (after, top):  # cards like the top are played first
                down = downs[place, hands]
                cost = np.where(down >= 0, alone[place, down], cost)
            alone[top, hands] = cost
    return alone


def _moves(deck: np.ndarray, hands: int) -> Moves:
    """Return the moves of every hand. deck: float64[PLACES + 1], the cards of each place."""
    every = np.arange(hands)
    pink = every // HANDS
    counts = np.array([*(every // 3**place % 3 for place in range(PLACES)), pink])
    steps = np.array([*(3**place for place in range(PLACES)), HANDS])[:, np.newaxis]
    unseen = np.maximum(0.0, deck[:, np.newaxis] - counts)
    left = np.zeros(hands)
    for place in range(PLACES + 1):
        left += unseen[place]
    most = np.array([*(2 for _ in range(PLACES)), 1 if deck[PLACES] else 0])[:, np.newaxis]
    with np.errstate(invalid="ignore"):  # a player with all cards draws none
        chances = (unseen / left).astype(np.float32)
    ups = every + np.where(counts < most, steps, 0)
    return Moves(chances, ups, np.where(counts > 0, every - steps, -1))


def _read_aim(part: Part) -> int:
    """Return 1 for `points`."""
    if part.text != "points":
        raise part.fail(say("points, or nothing"), what=say("policy"))
    return 1


MEANFIELD = Family(
    "meanfield",
    BY_VALUES,
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
    contexts, tops = (np.array(shipped[name], dtype=np.float64) for name in ("contexts", "tops"))
    return contexts, tops


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
    return kept(__name__, inputs, solve, like)


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
        hand_ranks(),
        moves,
        known,
        blocks_of(LANGUAGE, policies),
        log,
    )
