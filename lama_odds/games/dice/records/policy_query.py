"""Let policies of Lama Dice decide the situations of a record (see `games.shared.policy_query`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine.policy_kernels import (
    CARD,
    COPY,
    RANDOM,
    VALUES,
    chosen_discard,
    chosen_take,
    rolls_on,
)
from lama_odds.games.dice.engine.round_loop import weighed_by
from lama_odds.games.dice.engine.table_rows import BLOCK, FAMILY, PARAMETER
from lama_odds.games.dice.jobs.rollouts import root_table
from lama_odds.games.dice.policies.catalogue import policy_rows, tables_of
from lama_odds.games.dice.records import record
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.odds import legal_actions
from lama_odds.games.dice.rules.position import (
    Position,
    card_text,
    pack_hand,
    read_cards,
    roll_case,
    unpack_hand,
)
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.interface.capabilities import PolicyQuery
from lama_odds.games.interface.records import Situation
from lama_odds.games.shared.meanfield_numbers import PLAIN
from lama_odds.games.shared.policy_query import Asking, fewer_cards
from lama_odds.jit import compiled


@compiled
def asked_roll(rules, tables, table, seats, hand, row, others, coin):
    """Return whether seat 0 rolls, decided as in `round_loop.play_round`."""
    penalty = tables.points[transition.kinds_of(hand)]
    block, ahead = weighed_by(rules, tables.points, tables.values, table, seats, 0, penalty, others)
    return rolls_on(
        table[FAMILY], table[PARAMETER], block, penalty, ahead, hand, row, others, coin, tables,
        table, 0,
    )  # fmt: skip


@compiled
def asked_discard(rules, tables, table, seats, hand, row, others, coin, most):
    """Return the cards that seat 0 discards, within `most`, decided likewise."""
    block, _ = weighed_by(rules, tables.points, tables.values, table, seats, 0, 0, others)
    return chosen_discard(table[FAMILY], block, most, hand, row, others, coin, tables, table, 0)


@compiled
def asked_take(rules, tables, table, seats, hand, row, others, coin, takeable):
    """Return the kind that seat 0 takes, decided likewise."""
    block, _ = weighed_by(rules, tables.points, tables.values, table, seats, 0, 0, others)
    return chosen_take(table[FAMILY], block, takeable, hand, row, others, coin, tables, table, 0)


class Player:
    """A policy under a rule set; see `games.interface.records.Player`."""

    def __init__(self, rules: DiceRules, policy: Policy, players: int) -> None:
        seats = [policy] * players
        self.rules = rules
        self.row = policy_rows(seats)[0]
        self.tables = tables_of(rules, seats)

    @property
    def basis(self) -> tuple[Any, ...]:
        """Family and number; penalties unless it plays at random; values if it has any."""
        tokens = (self.rules.columns[transition.BLACK], self.rules.columns[transition.PINK])
        family, parameter = int(self.row[0]), int(self.row[1])
        numbers: tuple[Any, ...] = (family, parameter, self.rules.dice)
        if family != RANDOM:
            numbers += (self.tables.points,)
        if family == COPY:
            return (*numbers, *tokens, self.rules.target, self.tables.copied)
        if family == CARD:
            return (*numbers, self.rules.target, self.tables.cards)
        if family != VALUES:
            return numbers
        target = self.rules.target if parameter != PLAIN else 0  # see `seating.settled_alone`
        return (*numbers, *tokens, target, self.tables.values)

    def decides(self, situation: Situation, word: int) -> str:
        """Return quit or roll, or what to discard or take."""
        position: Position = situation.position
        hand, row = pack_hand(position.hand), position.row
        table = root_table(self.rules, position)
        for at, value in zip((FAMILY, PARAMETER, BLOCK), self.row, strict=True):
            table[at] = value
        own = (self.rules.columns, self.tables, table, position.players)
        seen = (*own, hand, row, position.others_in, np.uint64(word))
        if position.rolled is None:
            return "roll" if asked_roll(*seen) else "quit"
        roll = transition.pack_roll(position.rolled)
        if roll_case(self.rules, position, position.rolled) == transition.MATCH:
            most = transition.most_discarded(hand, roll)
            return f"discard {card_text(unpack_hand(int(asked_discard(*seen, most))))}"
        takeable = sum(1 << kind for kind in set(position.rolled)) & row
        return f"take {NAMES[asked_take(*seen, takeable)]}"


class Reader(Asking, record.Reader):
    """The situations of a record; see `games.shared.policy_query.Asking`."""

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """Return the decision to quit or roll, then what to discard or take."""
        assert self.record is not None
        at_turn = partial(record.position_after, self.record)

        def rolled() -> Position:
            counts = read_cards(words[2], "roll")
            dice = tuple(kind for kind, n in enumerate(counts) for _ in range(n))
            return replace(at_turn(), rolled=dice)

        return [at_turn, rolled] if len(words) > 4 else [at_turn]


def unlike(a: DiceRules, b: DiceRules) -> str:
    """Return why situations of rule set a cannot be put to a player of b; empty if they can."""
    if a.dealt != b.dealt:
        return f"other hands: {a.dealt} cards are dealt, {b.dealt} under the other rules"
    if a.dice != b.dice:
        return f"{a.dice} dice, {b.dice} under the other rules"
    return fewer_cards(a.in_play, b.in_play, tuple(NAMES))


QUERY = PolicyQuery(Player, Reader, legal_actions, unlike)
