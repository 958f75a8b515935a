"""Games of cards that stop whenever one seat decides (see `games.shared.stepper`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.games.lama.engine import round_loop, table_rows
from lama_odds.games.lama.engine.policy_kernels import RANDOM
from lama_odds.games.lama.engine.round_loop import play_round, sit_down
from lama_odds.games.lama.engine.starts import lay_root, set_table
from lama_odds.games.lama.engine.table_rows import DRAWS_AT, PLACE, TABLE_SIZE
from lama_odds.games.lama.jobs.simulation import deal_of
from lama_odds.games.lama.policies.catalogue import policy_rows, tables_of
from lama_odds.games.lama.records import record
from lama_odds.games.lama.records.round import Round
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import NAMES
from lama_odds.games.lama.solvers.root_state import shown_in
from lama_odds.games.shared.stepper import AS_POLICY, Line
from lama_odds.jit import compiled
from lama_odds.luck.stream import stream_of

LOG = 512  # entries: no real round comes near


@compiled
def play_on(rules, policies, tables, luck, root, used, seat, others, begin):
    """Play a round from a table, seat `seat` first, into the log among the tables.

    luck: seed, game, round. root: int64[TABLE_SIZE], seats as in the game. used: the number of
    cards that each seat has drawn. begin: AS_POLICY of `round_loop`, or the first move.
    """
    seats = policies.shape[0]
    table, result = set_table(policies)
    lay_root(table, root)
    key, gamma = stream_of(luck[0])
    sit_down(table, seats, key, gamma, luck[1], luck[2])
    for s in range(seats):
        table[DRAWS_AT + s] += np.int64(gamma) * used[s]
    play_round(rules, tables, gamma, table, seats, others, seat, begin, False, result)


class GameLine(Line):
    """A card game in progress; see `games.shared.stepper.Line`."""

    module: ClassVar[Any] = record
    state: Round

    def dealt(self, first: int) -> Round:
        """Return the dealt round, with the pot left from the one before."""
        if self.number == 0:
            if any(policy.family.code == RANDOM for policy in self.policies):
                raise LimitError("random policies cannot be stepped through")
            self.rows = policy_rows(self.policies)
            self.log = np.zeros(LOG, dtype=np.int64)
            self.tables = tables_of(self.rules, self.policies, tokens=self.whole, log=self.log)
        seats = len(self.policies)
        hands, top = deal_of(self.rules, seats, *self.luck, self.number)
        pot = self.state.pot if self.state is not None else []
        return Round(self.rules, list(hands), top, self.scores, first, pot)

    def entries(self, begin: Any = AS_POLICY) -> list[int]:
        """Return the log of the rest of the round."""
        self.log[0] = 0
        play_on(
            self.rules.columns,
            self.rows,
            self.tables,
            (*self.luck, self.number),
            self._table(),
            np.array(self.used, dtype=np.int64),
            self.state.seat,
            len(self.policies) - len(self.state.quit_seats) - 1,
            round_loop.AS_POLICY if begin is AS_POLICY else begin,
        )
        return [int(entry) for entry in self.log[1 : self.log[0] + 1]]

    def _table(self) -> np.ndarray:
        """Return the table of the compiled loop with all cards."""
        state, rules = self.state, self.rules
        table = np.zeros(TABLE_SIZE, dtype=np.int64)
        active = [s for s in range(len(state.hands)) if s not in state.quit_seats]
        for seat, hand in enumerate(state.hands):
            table[table_rows.HAND + seat] = rules.pack(hand)
            table[table_rows.PENALTY + seat] = -1 if seat in active else rules.quitting(hand)
            table[table_rows.SCORE + seat] = state.scores[seat]
        for seat, shown in enumerate(shown_in(rules, len(state.hands), state.turns)):
            table[table_rows.SHOWN + seat] = shown
        for seat, following in zip(active, [*active[1:], active[0]], strict=True):
            table[table_rows.NEXT + seat] = following
            table[table_rows.BEFORE + following] = seat
        played = list(state.seen)
        played[state.top] += 1
        place = table[PLACE:]
        place[table_rows.TOP] = rules.places[state.top // 2]
        place[table_rows.LEFT] = place[table_rows.PILE] = sum(state.pack)
        place[table_rows.POT], place[table_rows.POT_TOKENS] = sum(state.pot), len(state.pot)
        place[table_rows.RUNNING] = state.running
        place[table_rows.PLAYED] = rules.pack(tuple(played))
        place[table_rows.PLAIN_PACK], place[table_rows.SPECIAL_PACK] = rules.pack_words(
            tuple(state.pack)
        )
        return table

    def replay(self, entry: int) -> None:
        """Carry out a logged move."""
        self.used[self.state.seat] += _move(entry) == transition.DRAW
        record.replay_entry(self.state, entry)

    def position(self) -> Position:
        """Return what the seat knows; without the past, hidden cards are dealt evenly."""
        position: Position = super().position()
        return position if self.recalls else replace(position, past=None)

    def name_of(self, entry: int) -> str:
        """Return the move of an entry."""
        move = _move(entry)
        if move < 0:
            return "draw" if move == transition.DRAW else "quit"
        return f"play {NAMES[self.rules.shifts.index(move)]}"

    def next_first(self) -> int:
        """Return the seat that starts the next round."""
        return record.next_first(self.state, len(self.policies))[0]

    def act(self, action: str) -> None:
        """Play a card, draw or quit."""
        entries = self.planned
        if action != self.usual:
            verb, _, card = action.partition(" ")
            moves = {"draw": transition.DRAW, "quit": transition.QUIT}
            kind = NAMES.index(card) if card else 0
            entries = self.entries(moves.get(verb, self.rules.shifts[kind]))
        self.replay(entries[0])
        self.follow(entries[1:])


def _move(entry: int) -> int:
    """Return the move of a log entry (see `round_loop.log_move`)."""
    return (entry >> 4 & 0xFF) + round_loop.AS_POLICY
