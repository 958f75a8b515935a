"""The policies of Lama Dice by name, and the arrays that the compiled functions read for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lama_odds.core.data import data_json
from lama_odds.core.policies import Family, Policy
from lama_odds.games.dice.engine.policy_kernels import (
    COPY,
    HANDS,
    RANDOM,
    ROWS,
    THRESHOLD,
    VALUES,
    hand_ranks,
)
from lama_odds.games.dice.engine.tables import PlayTables
from lama_odds.games.dice.policies import meanfield
from lama_odds.games.dice.policies.card import CARDS, blocks
from lama_odds.games.dice.policies.copy import copied
from lama_odds.games.dice.policies.meanfield import values_table
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.shared.families import code_of
from lama_odds.games.shared.meanfield_numbers import NUMBERS, SPACE, USAGE, meaning, out_of
from lama_odds.games.shared.rule_cards import parameters_of
from lama_odds.jit.store import kept

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
    CARDS,
)

PARAMETERS = "dice/meanfield.json"

NO_LOG = np.zeros(0, dtype=np.int64)
NO_VALUES = np.zeros((1, 2, 1), dtype=np.float32)


def passing_of(rules: DiceRules, players: int) -> np.ndarray:
    """Return float64[players, players + 1]: frequencies of changes between two turns."""
    shipped = data_json(PARAMETERS)["passing"]
    return np.array(shipped[rules.edition][str(players)])


@lru_cache(maxsize=16)
def meanfield_values(rules: DiceRules, players: int, extra: int = 0, token: int = 0) -> np.ndarray:
    """Return the values table of `meanfield` for a rule set and number of players.

    extra, token: see `values_table`.
    """
    passing = passing_of(rules, players)
    inputs = (rules.columns, rules.rolls, rules.penalties, passing, np.array([extra, token]))
    like = "float32", (players, 2, ROWS * HANDS)
    return kept(
        meanfield.__name__, inputs, lambda: values_table(rules, passing, extra, token), like
    )


@lru_cache(maxsize=1)
def ranks() -> np.ndarray:
    """Return the table for `policy_kernels.hand_index`."""
    return hand_ranks()


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """Return int64[seats, 3]: family code, parameter, block of the values table.

    Of a card: 0, and the block of its own.
    """
    extras, cards = _extras(policies), parameters_of(policies)
    rows = []
    for policy in policies:
        row = [code_of(policy, FAMILIES), policy.parameter, 0]
        if policy.family is MEANFIELD:
            row[2] = len(policies) * extras.index(out_of(policy))
        elif policy.family is CARDS:
            row[1:] = 0, cards.index(policy.parameter)
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
    cards = blocks(rules, policies)
    return PlayTables(rules.rolls, rules.penalties, values, ranks(), nets, cards, log)


@lru_cache(maxsize=4)
def _values(rules: DiceRules, players: int, extras: tuple[int, ...], tokens: bool) -> np.ndarray:
    """Return the values tables of all `meanfield` at a table: megabytes, so one array for many."""
    held = [0, rules.black, *([rules.pink] if rules.twenty else [])] if tokens else [0]
    each = [meanfield_values(rules, players, extra, token) for token in held for extra in extras]
    return np.concatenate(each)
