"""Policies of Lama Dice, put to the decisions of a record (see `games.asked`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine import policy_kernels, round_loop
from lama_odds.games.dice.engine.policy_kernels import RANDOM, VALUES
from lama_odds.games.dice.jobs.rollouts import root_table
from lama_odds.games.dice.policies.catalogue import policy_rows, tables_of
from lama_odds.games.dice.records import record
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.odds import legal_actions
from lama_odds.games.dice.rules.position import (
    Position,
    card_text,
    counts_mask,
    pack_hand,
    read_cards,
    roll_case,
    unpack_hand,
)
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.interface.capabilities import PolicyQuery
from lama_odds.games.interface.records import Situation
from lama_odds.games.shared.meanfield_numbers import knows_target
from lama_odds.games.shared.policy_query import Asking, fewer_cards
from lama_odds.jit import compiled


@compiled
def asked_roll(
    family, parameter, block, rules, points, table, seats, penalty, hand, row, others, coin, values,
    ranks,
):  # fmt: skip
    """See `policy_kernels.rolls_on`; table: seat 0 to decide."""
    table[round_loop.PARAMETER] = parameter
    ahead = np.float32(0)
    if family == VALUES:
        ahead = round_loop.all_leeway(rules, points, table, seats, 0, penalty)
    return policy_kernels.rolls_on(
        family, parameter, block, penalty, ahead, hand, row, others, coin, values, ranks
    )


@compiled
def asked_block(values, block, score, black, pink):
    """See `policy_kernels.with_token`."""
    return policy_kernels.with_token(values, block, score, black, pink)


@compiled
def asked_discard(family, block, most, hand, row, others, coin, values, ranks):
    """See `policy_kernels.chosen_discard`."""
    return policy_kernels.chosen_discard(
        family, block, most, hand, row, others, coin, values, ranks
    )


@compiled
def asked_take(family, block, takeable, hand, row, others, coin, values, ranks):
    """See `policy_kernels.chosen_take`."""
    return policy_kernels.chosen_take(
        family, block, takeable, hand, row, others, coin, values, ranks
    )


class Player:
    """A policy under a rule set; see `games.asked.Player`."""

    def __init__(self, rules: DiceRules, policy: Policy, players: int) -> None:
        seats = [policy] * players
        self.rules = rules
        self.family, self.parameter, self.block = (int(n) for n in policy_rows(seats)[0])
        tables = tables_of(rules, seats)
        self.penalties, self.values, self.ranks = tables.points, tables.values, tables.ranks

    @property
    def basis(self) -> tuple[Any, ...]:
        """Family and number; penalties unless it plays by chance; values if it has any."""
        tokens = (self.rules.columns[transition.BLACK], self.rules.columns[transition.PINK])
        numbers: tuple[Any, ...] = (self.family, self.parameter, self.rules.dice)
        if self.family != RANDOM:
            numbers += (self.penalties,)
        if self.family != VALUES:
            return numbers
        target = self.rules.target if knows_target(self.parameter) else 0
        return (*numbers, *tokens, target, self.values)

    def decides(self, situation: Situation, word: int) -> str:
        """Quit or roll; what to discard or take."""
        position: Position = situation.position
        coin = np.uint64(word)
        hand, row, others = pack_hand(position.hand), position.row, position.others_in
        rest = (hand, row, others, coin, self.values, self.ranks)
        block = self._block(position)
        if position.rolled is None:
            penalty = int(self.penalties[counts_mask(position.hand)])
            table = root_table(self.rules, position)
            at = (self.rules.columns, self.penalties, table, position.players)
            rolls = asked_roll(self.family, self.parameter, block, *at, penalty, *rest)
            return "roll" if rolls else "quit"
        roll = transition.pack_roll(position.rolled)
        if roll_case(self.rules, position, position.rolled) == transition.MATCH:
            most = transition.most_discarded(self.rules.dice, hand, roll)
            cards = asked_discard(self.family, block, most, *rest)
            return f"discard {card_text(unpack_hand(int(cards)))}"
        takeable = sum(1 << kind for kind in set(position.rolled)) & row
        return f"take {NAMES[asked_take(self.family, block, takeable, *rest)]}"

    def _block(self, position: Position) -> int:
        """Block of the values table with the token I hold."""
        if self.family != VALUES:
            return self.block
        columns = self.rules.columns
        score = position.scores[0] if position.scores else 0
        tokens = (columns[transition.BLACK], columns[transition.PINK])
        return int(asked_block(self.values, self.block, score, *tokens))


class Reader(Asking, record.Reader):
    """The situations of a record; see `games.asked.Asking`."""

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """To quit or to roll; then what to discard or take."""
        assert self.record is not None
        at_turn = partial(record.position_after, self.record)

        def rolled() -> Position:
            counts = read_cards(words[2], "roll")
            dice = tuple(kind for kind, n in enumerate(counts) for _ in range(n))
            return replace(at_turn(), rolled=dice)

        return [at_turn, rolled] if len(words) > 4 else [at_turn]


def unlike(a: DiceRules, b: DiceRules) -> str:
    """Why situations of rule set a cannot be put to a player of b; empty if they can."""
    if a.dealt != b.dealt:
        return f"other hands: {a.dealt} cards are dealt, {b.dealt} under the other rules"
    if a.dice != b.dice:
        return f"{a.dice} dice, {b.dice} under the other rules"
    return fewer_cards(a.in_play, b.in_play, tuple(NAMES))


QUERY = PolicyQuery(Player, Reader, legal_actions, unlike)
