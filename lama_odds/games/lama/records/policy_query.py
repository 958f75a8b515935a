"""Let policies of the card games decide situations (see `games.shared.policy_query`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.interface.capabilities import PolicyQuery
from lama_odds.games.interface.records import Situation
from lama_odds.games.lama.engine import round_loop, table_rows
from lama_odds.games.lama.engine.policy_kernels import CARD, LEARNED, RANDOM, VALUES
from lama_odds.games.lama.engine.table_rows import BLOCK, COINS_AT, FAMILY, HAND, PARAMETER, PLACE
from lama_odds.games.lama.policies.catalogue import policy_rows, tables_of
from lama_odds.games.lama.records import record
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules
from lama_odds.games.lama.solvers.root_state import root_table
from lama_odds.games.shared.meanfield_numbers import knows_target
from lama_odds.games.shared.policy_query import Asking, fewer_cards
from lama_odds.jit import compiled

# Columns of the rules that affect no decision.
UNREAD = (
    transition.DECK,
    transition.DEALT,
    transition.TARGET,
    transition.ROTATE,
    transition.PLAIN_PACK,
    transition.SPECIAL_PACK,
)


@compiled
def asked_move(rules, tables, table, seats, others):
    """Return the decision of seat 0, made as in `round_loop.play_round`."""
    hand = table[HAND]
    top = table[PLACE + table_rows.TOP]
    cards = hand & tables.playable[top & 7]
    can_draw = table[PLACE + table_rows.PILE] > 0 and others > 0
    return round_loop.decide(
        rules, tables, tables.penalties, np.uint64(1), table, seats, 0, hand, cards, top, others,
        can_draw, table[PLACE + table_rows.PLAYED],
    )  # fmt: skip


class Player:
    """A policy under a rule set; see `games.interface.records.Player`."""

    def __init__(self, rules: LamaRules, policy: Policy, players: int) -> None:
        seats = [policy] * players
        self.rules = rules
        self.row = policy_rows(seats)[0]
        self.tables = tables_of(rules, seats, tokens=True)

    @property
    def basis(self) -> tuple[Any, ...]:
        """The policy's row, and the tables and rules that it reads unless it plays at random."""
        if self.row[0] == RANDOM:
            return (self.row, self.rules.shifts)
        columns = self.rules.columns.copy()
        columns[list(UNREAD)] = 0
        if self.row[0] == VALUES and knows_target(int(self.row[1])):
            columns[transition.TARGET] = self.rules.target
        if self.row[0] not in (VALUES, LEARNED):
            # Only `meanfield` and `learned` use tokens and unseen cards.
            unused = (
                transition.BLACK,
                transition.PINK,
                transition.DRAMA,
                transition.PINK_DRAMA,
                transition.CARDS,
            )
            columns[list(unused)] = 0
        own = self.tables
        if self.row[0] == CARD:
            columns[transition.CARDS] = self.rules.columns[transition.CARDS]
            return (self.row[:2], columns, own.playable, own.penalties, own.cards)
        read = (own.playable, own.penalties, own.order, own.values, own.ranks, *own.equilibrium)
        return (self.row, columns, *read, *(own.learned or ()))

    def decides(self, situation: Situation, word: int) -> str:
        """Return a card to play, draw or quit."""
        position: Position = situation.position
        table = root_table(self.rules, position)
        for at, value in zip((FAMILY, PARAMETER, BLOCK), self.row, strict=True):
            table[at] = value
        table[COINS_AT] = np.uint64(word).astype(np.int64)
        move = int(
            asked_move(self.rules.columns, self.tables, table, position.players, position.others_in)
        )
        if move == transition.QUIT:
            return "quit"
        return "draw" if move == transition.DRAW else f"play {NAMES[self.rules.shifts.index(move)]}"


class Reader(Asking, record.Reader):
    """The situations of a record; see `games.shared.policy_query.Asking`."""

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """Return the single decision of a turn."""
        assert self.record is not None
        return [partial(record.position_after, self.record)]


def unlike(a: LamaRules, b: LamaRules) -> str:
    """Return why situations of rule set a cannot be put to a player of b; empty if they can."""
    if a.dealt != b.dealt:
        return f"other hands: {a.dealt} cards are dealt, {b.dealt} under the other rules"
    if a.drama and not b.drama:
        return "the drama pot is unknown under the other rules"
    return fewer_cards(a.deck, b.deck, tuple(NAMES))


QUERY = PolicyQuery(Player, Reader, legal_actions, unlike)
