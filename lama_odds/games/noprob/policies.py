"""The policies of No Prob-Lama by name, and the arrays that compiled functions read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from lama_odds.core.language import later
from lama_odds.core.policies import Family, Numbers, Policy
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.noprob.engine import policy_kernels
from lama_odds.games.noprob.engine.grids import HIDDEN, line_worth, pair_worth, spread_masks
from lama_odds.games.noprob.engine.learned import UNITS, PlayTables
from lama_odds.games.noprob.engine.planner import STAGES, Learned, by_card, line_kinds
from lama_odds.games.noprob.engine.policy_kernels import CARD, LEARNED, LOW_CARDS, PLANNER, RANDOM
from lama_odds.games.noprob.rules.ruleset import NoprobRules, parse_rules
from lama_odds.games.noprob.rules.transition import CELLS, DRAMA
from lama_odds.games.shared.families import code_of
from lama_odds.games.shared.rule_cards import (
    FIELDS,
    CardLanguage,
    Feature,
    RuleCard,
    blocks_of,
    family_of,
    parameters_of,
)
from lama_odds.jit.arrays import array_of

# What cards of rules for No Prob-Lama can speak of, and their blocks for compiled functions.

POINTS, DOWN = "point", "card"
FEATURES = (
    Feature(
        *("down", 0, CELLS, "cards face down of the other player with the lowest total"),
        cuts=(0, 1, 2, 3, 4),
        noun=DOWN,
        said=later("the other player with the lowest total has {amount} face down"),
    ),
    Feature(
        *("fewest", 0, CELLS, "fewest cards that another player has face down"),
        cuts=(0, 1, 2, 3),
        noun=DOWN,
        said=later("of the others, the one with the fewest cards face down has {amount}"),
    ),
    Feature(
        *("total", 0, policy_kernels.MOST, "your total at the end, 0 if it is below"),
        cuts=(0, 2, 4, 8, 12),
        noun=POINTS,
        said=later("your total will be {amount}"),
    ),
)
UP, PAIRS = "up", "pairs"
SAVED_UP, TAKES_UP, TAKES = 7, 10, 4
HABITS = {
    UP: later(
        "A card that you turn up saves 7 points more. Take the top discard if it saves 10 or more."
    ),
    PAIRS: later(
        "Two alike in a row or column count as one of them, unless the third card counts less "
        "than nothing."
    ),
}
LANGUAGE = CardLanguage(
    FEATURES,
    80,
    HABITS,
    tried=(0, 6, 10, 15, 25, 40),
    deed=later("end the round from a lead of {amount}"),
    noun=POINTS,
    never=later("do not end the round"),
    lowest=later("end the round if nobody has a lower total"),
)
CARDS = family_of(
    LANGUAGE,
    CARD,
    "Ends the round with the lead that the first line says whose conditions hold, and after 50 "
    "turns of its own anyway. The lead is the lowest total of the others minus its own; cards face "
    "down count the mean of the deck. It puts a card where its total gets lowest. It takes the "
    "top discard if that saves 4 points or more. Drama goes to the lowest total, Karma to the "
    "highest",
)


def blocks(rules: NoprobRules, policies: Sequence[Policy], pairs: int) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none.

    pairs: index of the table of line worths in which two alike count as one.
    """
    names = list(HABITS)

    def numbers(card: RuleCard) -> list[int]:
        habits = {names[at] for at in card.habits}
        row = [0] * FIELDS
        row[policy_kernels.HIDDEN] = round(rules.mean_card)
        row[policy_kernels.TAKES] = TAKES_UP if UP in habits else TAKES
        row[policy_kernels.TURNS_UP] = SAVED_UP if UP in habits else 0
        row[policy_kernels.WORTH] = pairs if PAIRS in habits else 0
        return row

    return blocks_of(LANGUAGE, policies, numbers)


# What `learned` knows, as shipped in data/learned.

AS_SOLD = "noprob/starnberger"
NEAR = 2  # points
MANIFEST = "learned/noprob.json"
SEATS = range(2, 7)


class Weights(NamedTuple):
    """What is fitted, by kinds of lines (see `line_kinds`); as in `Learned` otherwise.

    own, theirs: float64[STAGES, kinds]. net: float32[rows, UNITS].
    """

    own: np.ndarray
    theirs: np.ndarray
    share: np.ndarray
    chance: np.ndarray
    net: np.ndarray


def learned(rules: NoprobRules, seats: int) -> Learned:
    """Return what a policy knows that plays under a rule set, at a table of `seats`.

    It is fitted to the game as it is sold.
    """
    return _as_sold(seats)._replace(mean=rules.mean_card, worth=_worth(rules))


def among_itself(known: Learned, seats: int) -> Learned:
    """Return what foretells chances among players who are all `learned`.

    It also learned at tables with a weaker player, so it expects too much among strong ones. It
    still plays by what it learned.
    """
    shifts = np.array(data_json(MANIFEST)["tables"][str(seats)]["shifts"])
    chance = known.chance.copy()
    chance[:, 1] += shifts.repeat(STAGES // len(shifts))
    return known._replace(chance=chance)


def suits(rules: NoprobRules) -> bool:
    """Return whether `learned` plays well under a rule set.

    It has seen grids of cards as they are sold, some of them known. It was measured against
    the best `planner`, option by option. It wins more than its share if no card is further than
    `NEAR` from its points, and every player has looked at a card. Otherwise it may win much less.
    """
    sold = parse_rules(AS_SOLD).points
    distance = max(abs(a - b) for a, b in zip(rules.points[:DRAMA], sold[:DRAMA], strict=True))
    return distance <= NEAR and rules.peeks > 0


def expanded(weights: Weights, rules: NoprobRules) -> Learned:
    """Return weights by lines, for a rule set."""
    kinds = line_kinds()
    own, theirs = (np.ascontiguousarray(part[:, kinds]) for part in weights[:2])
    return Learned(
        own,
        theirs,
        weights.share,
        weights.chance,
        rules.mean_card,
        by_card(own),
        _worth(rules),
        weights.net,
    )


@lru_cache(maxsize=4)
def _worth(rules: NoprobRules) -> np.ndarray:
    """Return what lines are worth in three orders; every job of a search asks for it."""
    return by_card(line_worth(rules.points, rules.tables.lines, 0))


def joined(weights: Weights) -> np.ndarray:
    """Return float32 of any size, as it is shipped: a row for each stage, then the network."""
    rows = np.concatenate([weights.own, weights.theirs, weights.share.T, weights.chance], axis=1)
    return np.concatenate([rows.ravel(), weights.net.ravel()]).astype(np.float32)


def split(shipped: np.ndarray) -> Weights:
    """Return the parts of what is shipped."""
    columns = 2 * (line_kinds().max() + 1) + 4
    rows, net = np.split(shipped, [STAGES * columns])
    rows = rows.reshape(STAGES, columns).astype(np.float64)
    own, theirs = np.split(rows[:, :-4], 2, axis=1)
    share = np.ascontiguousarray(rows[:, -4:-2].T)
    return Weights(own, theirs, share, np.ascontiguousarray(rows[:, -2:]), net.reshape(-1, UNITS))


@cache
def _as_sold(seats: int) -> Learned:
    entry = data_json(MANIFEST)["tables"][str(seats)]
    rows = array_of(data_bytes(f"learned/{entry['file']}", entry["sha256"]))
    return expanded(split(rows), parse_rules(AS_SOLD))


# Policies of No Prob-Lama by name, and the arrays that the compiled functions read for them.

NUMBERS = Numbers(chase=(0, 100, 0), lead=(-99, 99, -99), deny=(0, 100, 0), haste=(0, 99, 0))

GREEDY = Family(
    "greedy",
    PLANNER,
    "makes its expected total after this turn as low as possible, unknown cards at the mean "
    "of all unseen ones. A Drama goes to the player with the lowest expected total, a Karma "
    "to the one with the highest. It never takes a special from the discards. After 50 turns "
    "of its own, turning a card up is worth 0.2 points more every turn",
    default=NUMBERS.default,
    brief="greedy",
)
FAMILIES = (
    Family(
        "random",
        RANDOM,
        "draws or takes the discard with equal chance; puts a card in any cell, or one it has "
        "drawn away, with equal chance. It gives a special to any other player, and never passes",
    ),
    Family(
        "low-cards",
        LOW_CARDS,
        "the rules of a program for Skyjo. It takes the top discard or keeps a card drawn if it "
        "counts at most T (default: 4). It puts a number beside an equal one, else over a card "
        "face up that counts at least 4 more, else over one face down. It ends the round only "
        "if nobody seems to have fewer points. Cards face down count 2",
        "T",
        -99,
        99,
        default=4,
        brief="keeps cards of {} or less",
    ),
    GREEDY,
    Family(
        "planner",
        PLANNER,
        "as greedy, with four numbers. chase: a line that lacks one card counts this many "
        "hundredths of what completing it would save (two cards: squared). lead: it ends the "
        "round only with an expected total at least this much below all others'. deny: a card "
        "that it leaves on the discards costs this many hundredths of what it would save the "
        "next player. haste: turning a card up is worth this many tenths of a point",
        "chase=C,lead=L,deny=D,haste=H",
        allowed=NUMBERS.allowed,
        read=NUMBERS.read,
        write=NUMBERS.write,
        default=NUMBERS.default,
        space=NUMBERS.space,
        pack=NUMBERS.pack,
        unpack=NUMBERS.unpack,
        brief="plans ahead",
    ),
    Family(
        "learned",
        LEARNED,
        "does what gives the best chance to win the round. For each number of players, rounds "
        "against itself and `planner` have taught it everybody's total at the end, by the cards of "
        "each line and the cards face down. They also taught it what a lead is worth. After 50 "
        "turns of its own it ends a round more and more readily",
        brief="learned",
    ),
    CARDS,
)

NO_LOG = np.zeros(0, dtype=np.int64)


def _numbers_of(policy: Policy) -> dict[str, int]:
    return NUMBERS.unpack(NUMBERS.default if policy.family is GREEDY else policy.parameter)


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """Return int64[seats, POLICY_COLUMNS]: family, index of line worths, lead, deny, haste.

    Of LOW_CARDS: family, the most points of a card that it keeps. Of a card: family, its block.
    """
    chases, cards = _chases(policies), parameters_of(policies)
    rows = []
    for policy in policies:
        if policy.family.code == LOW_CARDS:
            rows.append([LOW_CARDS, policy.parameter, 0, 0, 0])
            continue
        if policy.family is CARDS:
            rows.append([CARD, cards.index(policy.parameter), 0, 0, 0])
            continue
        code, numbers = code_of(policy, FAMILIES), _numbers_of(policy)
        worth = chases.index(numbers["chase"])
        rows.append([code, worth, numbers["lead"], numbers["deny"], numbers["haste"]])
    return np.array(rows, dtype=np.int64)


def _chases(policies: Sequence[Policy]) -> list[int]:
    """Return the chases of some policies; 0, for last turns, comes first."""
    others = {_numbers_of(policy)["chase"] for policy in policies if policy.family.code == PLANNER}
    return [0, *sorted(others - {0})]


@lru_cache(maxsize=64)
def _worth_of_plan(rules: NoprobRules, chase: int) -> np.ndarray:
    return line_worth(rules.points, rules.tables.lines, chase)


@lru_cache(maxsize=8)
def _pair_worth(rules: NoprobRules) -> np.ndarray:
    return pair_worth(rules.points, rules.tables.lines)


@lru_cache(maxsize=1)
def _spread() -> np.ndarray:
    return spread_masks()


def tables_of(
    rules: NoprobRules,
    policies: Sequence[Policy],
    log: np.ndarray = NO_LOG,
    seats: int | None = None,
) -> PlayTables:
    """Return what the kernels read of a rule set and for policies.

    seats: players at the table, if there is not one policy for each.
    """
    learns = any(policy.family.code == LEARNED for policy in policies)
    known = learned(rules, seats or len(policies)) if learns else None
    low = np.array([HIDDEN]) if any(p.family.code == LOW_CARDS for p in policies) else None
    worths = [_worth_of_plan(rules, chase) for chase in _chases(policies)]
    cards = blocks(rules, policies, pairs=len(worths))
    if cards is not None:
        worths.append(_pair_worth(rules))
    return PlayTables(
        rules.tables, rules.tables.points, _spread(), np.array(worths), known, low, cards, log
    )
