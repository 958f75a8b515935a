"""Policies of No Prob-Lama by name, and the arrays that the compiled functions read for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lama_odds.core.policies import Family, Policy
from lama_odds.core.policy_numbers import Numbers
from lama_odds.games.noprob.engine.by_thumb.low_cards import HIDDEN
from lama_odds.games.noprob.engine.grids import line_worth, pair_worth, spread_masks
from lama_odds.games.noprob.engine.policy_kernels import CARD, LEARNED, LOW_CARDS, PLANNER, RANDOM
from lama_odds.games.noprob.engine.tables import PlayTables
from lama_odds.games.noprob.policies.card import CARDS, blocks
from lama_odds.games.noprob.policies.learned import learned
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.shared.families import code_of
from lama_odds.games.shared.rule_cards import parameters_of

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
def _worth(rules: NoprobRules, chase: int) -> np.ndarray:
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
    worths = [_worth(rules, chase) for chase in _chases(policies)]
    cards = blocks(rules, policies, pairs=len(worths))
    if cards is not None:
        worths.append(_pair_worth(rules))
    return PlayTables(
        rules.tables, rules.tables.points, _spread(), np.array(worths), known, low, cards, log
    )
