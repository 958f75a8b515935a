"""The policies of Lama Dice by name, and the arrays that compiled functions read for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.language import later, say
from lama_odds.core.policies import Family, Policy
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.dice.engine import card_rules
from lama_odds.games.dice.engine.policy_kernels import (
    CARD,
    COPY,
    COPY_ROWS,
    ENDS,
    FINALS,
    FIRST,
    HANDS,
    LEARNED,
    OTHERS,
    OWN,
    PASSED_ON,
    RANDOM,
    RESULTS,
    ROLLING,
    ROWS,
    SECOND,
    THRESHOLD,
    VALUES,
    Net,
    Worths,
    laid_out,
)
from lama_odds.games.dice.engine.roll_backup import add_matches, add_misses, count_up, roll_tables
from lama_odds.games.dice.engine.tables import PlayTables
from lama_odds.games.dice.engine.trained import NOBODY, learned
from lama_odds.games.dice.rules.ruleset import EVEN, DiceRules, chance_to_win
from lama_odds.games.dice.rules.transition import (
    KINDS,
    OUT_TOKEN,
    blown_kinds,
    last_llamas_blown,
    quitting_cost,
    row_ends_round,
)
from lama_odds.games.interface.match_equity import MatchEquity, best_play
from lama_odds.games.shared import rule_cards
from lama_odds.games.shared.card_values import ALWAYS, hand_ranks
from lama_odds.games.shared.families import code_of
from lama_odds.games.shared.rule_cards import (
    HAND,
    POINTS,
    CardLanguage,
    Feature,
    blocks_of,
    family_of,
    parameters_of,
)
from lama_odds.games.shared.seating import NUMBERS, SPACE, USAGE, meaning, out_of
from lama_odds.jit import compiled, inlined
from lama_odds.jit.arrays import array_of
from lama_odds.jit.store import kept

# What cards of rules for Lama Dice can speak of, and their blocks for compiled functions.

MOST, SCORE = card_rules.MOST_CARDS, card_rules.MOST_SCORE
FEATURES = (
    rule_cards.fewest(MOST, (1, 2, 3, 4, 6)),
    rule_cards.others(),
    rule_cards.cards(MOST, (1, 2, 3, 4, 6)),
    Feature(
        *("kinds", 1, 7, "different kinds among your cards", (1, 2, 3, 4)),
        noun="kind",
        said=later("you hold {amount} of cards"),
    ),
    Feature(
        *("row", 0, 7, "cards in the llama row", (2, 3, 4, 5)),
        noun=HAND,
        said=later("the row has {amount}"),
    ),
    rule_cards.score(SCORE),
    rule_cards.ahead(SCORE),
    rule_cards.behind(SCORE),
    rule_cards.total(SCORE, (19, 29, 34, 37)),
    Feature(
        *("leads", 0, SCORE, "points by which the others' lowest total is higher", (0, 4, 9)),
        noun=POINTS,
        said=later("with all cards counted you lead by {amount}"),
        told={
            (0, 0): later("with all cards counted you do not lead"),
            (1, SCORE): later("with all cards counted you lead"),
        },
    ),
    Feature(
        *("trails", 0, SCORE, "points by which it is lower", (0, 4, 9)),
        noun=POINTS,
        said=later("with all cards counted you trail by {amount}"),
        told={
            (0, 0): later("with all cards counted you do not trail"),
            (1, SCORE): later("with all cards counted you trail"),
        },
    ),
)
HABITS = {
    "llama": later("Take a llama before any number."),
    "llama4": later("Take a llama before a 4, 5 or 6."),
    "llama5": later("Take a llama before a 5 or 6."),
    "llama6": later("Take a llama before a 6."),
    "settle": later(
        "If all others have quit, quit if that surely wins the game, and roll if "
        "somebody else would surely win it then."
    ),
}
LANGUAGE = CardLanguage(
    FEATURES,
    31,
    HABITS,
    (("llama", "llama4", "llama5", "llama6"),),
    least=1,
    tried=(3, 6, 9, 12, 16, 31),
    always=later("quit"),
)
CARDS = family_of(
    LANGUAGE,
    CARD,
    "Quits with as many points as the first line says whose conditions hold, otherwise rolls. "
    "Discards as many cards as the dice allow and takes the lowest card (the llama last), unless a "
    "habit says otherwise",
)


def blocks(rules: DiceRules, policies: Sequence[Policy]) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none."""
    return blocks_of(
        LANGUAGE,
        policies,
        lambda card: (card.bits, len(policies), rules.target, rules.quit_cost),
    )


# The networks of `copy`, from the weights shipped in data/copy and the table of best play.
#
# What depends on the scores alone is added up here, so that a decision looks it up as one row.

MANIFEST = "copy/dice.json"
# Points from which the worth of scores is seen; -1 stands for a returned token.
STEPS = (-1, 0, 7, 14, 25)
STEPS_ALONE = (-1, 1, 3, 5, 7, 9, 11, 13, 15, 18, 21, 25, 31)
MIDDLE = 0.012  # chance to win that a point changes about the middle of a game
LEAST_SLOPE, LEAST_ALONE = 0.004, 0.002
NEAR = 5  # scores on either side from which it is found what a point changes
FAR = 20  # the same for a player alone


class Weights(NamedTuple):
    """What is fitted of a network; see `copied.Net`.

    own, other: float[score, FIRST], rows of the first layer for either score. outlook:
    float[features, FIRST], see `outlook`.
    """

    cards: np.ndarray
    own: np.ndarray
    other: np.ndarray
    outlook: np.ndarray
    ends: np.ndarray
    second: np.ndarray
    results: np.ndarray
    constants: np.ndarray


def shapes(alone: bool) -> list[tuple[int, ...]]:
    """Return the shapes of the weights, in the order of `Weights`."""
    seen = len(STEPS_ALONE) if alone else len(STEPS) ** 2
    first = [COPY_ROWS, OWN, OTHERS, seen + 1, ENDS]
    rest = [(FIRST, SECOND), (RESULTS, SECOND), (SECOND + RESULTS,)]
    return [*((rows, FIRST) for rows in first), *rest]


def worths(rules: DiceRules, table: MatchEquity, alone: bool) -> Worths:
    """Return what scores are worth to players of a rule set; alone: if the other has quit."""
    scores = np.arange(FINALS)
    mine, other = np.meshgrid(scores, scores, indexing="ij")
    i_end = EVEN - chance_to_win(rules, mine, other, table)
    ends = np.stack((i_end, i_end if alone else -i_end.T))
    returns = np.array([rules.token(score) for score in scores.tolist()])
    if alone:
        own = np.arange(OWN)
        after, before = i_end[own + FAR], i_end[own - returns[own]]
        changed = (after - before) / (FAR + returns[own])[:, None]
        slopes = np.maximum(changed[:, :OTHERS], LEAST_ALONE)
    else:
        slopes = np.full((OWN, OTHERS), LEAST_SLOPE)
        slopes[: rules.target, : rules.target] = _slopes(table.values)
    return Worths(*(part.astype(np.float32) for part in (ends, slopes, returns)))


def _slopes(values: np.ndarray) -> np.ndarray:
    """Return float64[target, target]: what a point changes, by the own and the other's score."""
    at = np.arange(len(values))
    low, high = np.maximum(at - NEAR, 0), np.minimum(at + NEAR, len(values) - 1)
    own = (values[low] - values[high]) / (high - low)[:, None]
    other = (values[:, high] - values[:, low]) / (high - low)
    return np.asarray(np.maximum((own + other) / 2, LEAST_SLOPE))


def outlook(worths: Worths, alone: bool) -> np.ndarray:
    """Return float64[own, other, features]: what scores are worth some points from here."""
    own, others = worths.slopes.shape
    slopes = worths.slopes.astype(np.float64)
    returns = worths.returns.astype(np.int64)
    a, b = np.arange(own), np.arange(others)
    mean = worths.ends.astype(np.float64).mean(axis=0)

    def moved(scores: np.ndarray, step: int) -> np.ndarray:
        return scores - returns[scores] if step < 0 else scores + step

    still = (0,) if alone else STEPS
    seen = [
        mean[np.ix_(moved(a, mine), moved(b, other))] - mean[:own, :others]
        for mine in (STEPS_ALONE if alone else STEPS)
        for other in still
    ]
    size = (slopes - MIDDLE) / (slopes + MIDDLE)
    return np.stack([*(change / slopes * 0.1 for change in seen), size], axis=-1)


def net_of(weights: Weights, worths: Worths, alone: bool) -> np.ndarray:
    """Return a network as the compiled functions read it, see `copied.laid_out`."""
    scores = weights.own[:, None].astype(np.float64) + weights.other[None]
    features = outlook(worths, alone)
    for number, row in enumerate(weights.outlook.astype(np.float64)):
        scores = scores + features[..., number, None] * row  # in this order: the same bits anywhere
    return laid_out(Net(weights.cards, scores, *weights[4:]), worths)


def joined(both: tuple[Weights, Weights]) -> np.ndarray:
    """Return the weights of both networks as they are shipped: float16."""
    return np.concatenate([part.ravel() for net in both for part in net]).astype(np.float16)


def split(weights: np.ndarray) -> tuple[Weights, Weights]:
    """Return the weights of both networks, float32, from what `joined` returns."""
    parts, at = [], 0
    for alone in (False, True):
        for shape in shapes(alone):
            size = int(np.prod(shape))
            parts.append(weights[at : at + size].astype(np.float32).reshape(shape))
            at += size
    count = len(Weights._fields)
    return Weights(*parts[:count]), Weights(*parts[count:])


def networks(rules: DiceRules, both: tuple[Weights, Weights], table: MatchEquity) -> np.ndarray:
    """Return both networks, one after the other."""
    return np.concatenate(
        [
            net_of(weights, worths(rules, table, alone), alone)
            for weights, alone in zip(both, (False, True), strict=True)
        ]
    )


def suits(rules: DiceRules, players: int) -> bool:
    """Whether weights were fitted for a rule set and number of players."""
    return players == 2 and rules.id in data_json(MANIFEST)["rules"]


def copied(rules: DiceRules, players: int) -> np.ndarray:
    """Return the networks for a rule set.

    Raises ReadError unless two players play a rule set for which weights were fitted.
    """
    known = data_json(MANIFEST)["rules"]
    if players != 2:
        raise ReadError(
            say(
                "{policy} is a policy for two players, found {players}",
                policy="copy",
                players=players,
            )
        )
    if rules.id not in known:
        raise ReadError(
            say(
                "{policy} is trained for {rules}; found {found}",
                policy="copy",
                rules=", ".join(sorted(known)),
                found=rules.id,
            )
        )
    return _read(rules, known[rules.id]["file"], known[rules.id]["sha256"])


@cache
def _read(rules: DiceRules, name: str, digest: str) -> np.ndarray:
    table = best_play(rules.id)
    assert table is not None, "rule sets of `copy` have a table of best play"
    weights = array_of(data_bytes(f"copy/{name}", digest))
    return networks(rules, split(weights), table)


# Values tables for the `meanfield` policy: one player solved against an average table.
#
# Between two turns of a player the round may end, and others may quit. How often that happens comes
# from self-play (see `data/dice`), as if it did not depend on the cards. The rest is one player's
# problem, solved exactly: when to quit, what to discard, what to take. Hands with more than two
# cards of a kind count as having two.


def values_table(
    rules: DiceRules, passing: np.ndarray, extra: float = 0.0, token: float = 0.0
) -> np.ndarray:
    """Return float32[others + 1, 2, ROWS * HANDS], see `policy_kernels`.

    passing: float64[n, n + 1] for n players. Row k: with k others still in, how often 0, 1, …
    others are in at the player's next turn; last column: how often the round has ended.
    extra: additional points for going out.
    token: what three llamas return, every time, and going out if it always returns one. If only a
    llama as the last card does, that is left out.
    """
    values = np.zeros((passing.shape[0], 2, ROWS * HANDS))
    tables = roll_tables(rules)
    _solve(
        tables,
        rules.columns,
        rules.penalties,
        passing,
        float(extra),
        float(token),
        *_moves(rules),
        _scratch(tables.stem.size),
        values,
    )
    return values.astype(np.float32)


def _moves(rules: DiceRules) -> tuple[np.ndarray, np.ndarray]:
    """Return how far the place moves when cards go, and when one is taken; see `roll_backup`."""
    steps = np.zeros((KINDS, 3, rules.dice + 1), np.int64)
    takes = np.zeros((KINDS, 3), np.int64)
    for kind in range(KINDS):
        for held in range(3):
            takes[kind, held] = 3**kind - (HANDS << kind)
            for gone in range(1, min(held, rules.dice) + 1):
                steps[kind, held, gone] = -gone * 3**kind
    return steps, takes


class Scratch(NamedTuple):
    """What `_solve` writes on; made here, because that takes less to compile.

    digits, sizes, reach: int64. best, order: float64[…, 1 and KINDS]. total, blown: float64[1].
    """

    digits: np.ndarray
    sizes: np.ndarray
    reach: np.ndarray
    best: np.ndarray
    order: np.ndarray
    total: np.ndarray
    blown: np.ndarray


def _scratch(sets: int) -> Scratch:
    return Scratch(
        digits=np.zeros(KINDS, np.int64),
        sizes=np.full(KINDS, 3, np.int64),
        reach=np.zeros(sets, np.int64),
        best=np.full((sets, 1), np.inf),
        order=np.zeros((2, KINDS)),
        total=np.zeros(1),
        blown=np.zeros(1),
    )


@compiled
def _solve(tables, columns, penalties, passing, extra, token, steps, takes, scratch, values):
    """Fill values[others, ROLLING or PASSED_ON, row * HANDS + hand], fewest others first."""
    digits, sizes, reach, best, order, total, blown = scratch
    gone_out = -extra - (token if columns[OUT_TOKEN] == ALWAYS else 0.0)
    for others in range(passing.shape[0]):
        worth = values[others, PASSED_ON].reshape(ROWS * HANDS, 1)
        for kind in range(KINDS):
            digits[kind] = 0
        for place in range(ROWS * HANDS):
            row = place // HANDS
            mask = 0
            for kind in range(KINDS):
                mask |= (digits[kind] > 0) << kind
            penalty = penalties[mask]
            quitting = quitting_cost(columns, penalty)
            if mask == 0 or row_ends_round(columns, row):
                worth[place, 0] = penalty if mask else gone_out
                values[others, ROLLING, place] = worth[place, 0]
                count_up(digits, sizes)
                continue
            total[0] = 0.0
            blown[0] = penalties[blown_kinds(mask, row)]
            add_matches(tables, worth, place, digits, steps, mask, reach, best, total)
            again = tables.llamas[0]
            if others > 0:
                add_misses(tables, worth, place, digits, takes, mask, row, blown, order, total)
            else:
                total[0] += tables.avoiding[mask] * blown[0]
                if last_llamas_blown(columns, mask):
                    total[0] += again * blown[0]
                    again = 0.0
            total[0] -= again * token
            rolling = _with_repeats(
                total[0] / tables.outcomes[0],
                again / tables.outcomes[0],
                penalty,
                quitting,
                others,
                place,
                passing,
                values,
            )
            values[others, ROLLING, place] = rolling
            worth[place, 0] = _passed_on(
                min(quitting, rolling), penalty, quitting, others, place, passing, values
            )
            count_up(digits, sizes)


@inlined
def _passed_on(mine, penalty, quitting, others, place, passing, values):
    """Return the worth of a hand between two turns.

    mine: the worth of deciding with as many others in. penalty, quitting: the cost of the cards,
    and of quitting with them.
    """
    worth = passing[others, passing.shape[1] - 1] * penalty + passing[others, others] * mine
    for fewer in range(others):
        worth += passing[others, fewer] * min(quitting, values[fewer, ROLLING, place])
    return worth


@inlined
def _with_repeats(moved, again, penalty, quitting, others, place, passing, values):
    """Return the cost of rolling if three llamas (chance `again`) change nothing."""
    rest = _passed_on(0.0, penalty, quitting, others, place, passing, values)
    stay = passing[others, others]
    rolling = (moved + again * rest) / (1.0 - again * stay)
    if rolling > quitting:
        rolling = moved + again * (rest + stay * quitting)
    return rolling


# The policies of Lama Dice by name, and the arrays that the compiled functions read for them.

MEANFIELD = Family(
    "meanfield",
    VALUES,
    "plays as well as one player can against an average table. Between two turns the round "
    "ends, or others quit, as often as in self-play with this number of others still in, "
    "whatever the cards. It quits when quitting costs no more than rolling, and it discards "
    "and takes for the lowest expected points. Solved for the rule set when needed. "
    + meaning("rolling", "")
    + ". The last player in a round quits if that surely wins the game, and never if it surely "
    "loses it, unless all numbers are 0",
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
COPIED = Family(
    "copy",
    COPY,
    "two players only: plays nearly as well as possible to win the game. Its decisions are fitted "
    "to solved rounds: all cards, the row and both scores count",
    brief="nearly perfect",
)
TRAINED = Family(
    "learned",
    LEARNED,
    "three to six players: two small neural networks that have played millions of games against "
    "themselves. One says whether to roll, the other which cards to discard or to take. Both see "
    "all cards, the row and all scores. With 13 points or more it rolls, unless all others have "
    "quit",
    brief="learned",
)
FAMILIES = (
    Family(
        "random",
        RANDOM,
        "quits or rolls with equal chance; then any legal discard, or any card that can be taken, "
        "with equal chance",
        brief="random",
    ),
    Family(
        "threshold",
        THRESHOLD,
        "quits if the penalty of its cards is T or less, otherwise rolls. It discards as many "
        "cards as the dice allow, and takes the lowest card that can be taken (the llama last)",
        "T",
        0,
        1000,
        brief="rule of thumb: quit at {}",
    ),
    MEANFIELD,
    COPIED,
    TRAINED,
    CARDS,
)

PARAMETERS = "dice/meanfield.json"

NO_LOG = np.zeros(0, dtype=np.int64)
NO_VALUES = np.zeros((1, 2, 1), dtype=np.float32)


def passing_of(rules: DiceRules, players: int) -> np.ndarray:
    """Return float64[players, players + 1]: frequencies of changes between two turns."""
    shipped = data_json(PARAMETERS)["passing"]
    return np.array(shipped[rules.edition][str(players)], dtype=np.float64)


@lru_cache(maxsize=16)
def meanfield_values(rules: DiceRules, players: int, extra: int = 0, token: int = 0) -> np.ndarray:
    """Return the values table of `meanfield` for a rule set and number of players.

    extra, token: see `values_table`.
    """
    passing = passing_of(rules, players)
    inputs = (rules.columns, rules.rolls, rules.penalties, passing, np.array([extra, token]))
    like = "float32", (players, 2, ROWS * HANDS)
    return kept(__name__, inputs, lambda: values_table(rules, passing, extra, token), like)


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """Return int64[seats, 3]: family code, parameter, block of the values table.

    Of a card: 0, and the block of its own. Of `learned`: 0, and the number of players.
    """
    extras, cards = _extras(policies), parameters_of(policies)
    rows = []
    for policy in policies:
        row = [code_of(policy, FAMILIES), policy.parameter, 0]
        if policy.family is MEANFIELD:
            row[2] = len(policies) * extras.index(out_of(policy))
        elif policy.family is CARDS:
            row[1:] = 0, cards.index(policy.parameter)
        elif policy.family is TRAINED:
            row[2] = len(policies)
        rows.append(row)
    return np.array(rows, dtype=np.int64)


def _extras(policies: Sequence[Policy]) -> list[int]:
    """Return the bonus for going out of each `meanfield` among some policies."""
    return sorted({out_of(p) for p in policies if p.family is MEANFIELD})


def tables_of(
    rules: DiceRules, policies: Sequence[Policy], tokens: bool = True, log: np.ndarray = NO_LOG
) -> PlayTables:
    """Return what the kernels read of a rule set and for policies.

    tokens: whether anybody may hold tokens during play (see `policy_kernels.with_token`).
    """
    extras, players = _extras(policies), len(policies)
    values = _values(rules, players, tuple(extras), tokens) if extras else NO_VALUES
    nets = None
    if any(policy.family is COPIED for policy in policies):
        nets = copied(rules, players)
    plays = any(policy.family is TRAINED for policy in policies)
    return PlayTables(
        rules.rolls,
        rules.penalties,
        values,
        hand_ranks(),
        nets,
        blocks(rules, policies),
        learned(rules.id, players) if plays else NOBODY,
        log,
    )


@lru_cache(maxsize=4)
def _values(rules: DiceRules, players: int, extras: tuple[int, ...], tokens: bool) -> np.ndarray:
    """Return the values tables of all `meanfield` at a table: megabytes, so one array for many."""
    held = [0, rules.black, *([rules.pink] if rules.twenty else [])] if tokens else [0]
    tables = [meanfield_values(rules, players, extra, token) for token in held for extra in extras]
    return np.concatenate(tables)
