"""Rounds and games of No Prob-Lama that stop twice in a turn of one seat.

See `games.shared.stepper`. First the seat decides whether to draw, to take or to pass, then what to
do with the card.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.games.interface.records import Record
from lama_odds.games.interface.tally_layout import WIN, count
from lama_odds.games.noprob.engine import round_loop
from lama_odds.games.noprob.engine.grids import DRAW, PASS, TAKE
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY as ANY
from lama_odds.games.noprob.engine.policy_kernels import FAMILY, RANDOM
from lama_odds.games.noprob.jobs.simulation import deal_of
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.records import record
from lama_odds.games.noprob.records.round import Round
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.pile import pack_up
from lama_odds.games.noprob.rules.ruleset import CELLS
from lama_odds.games.noprob.rules.transition import DRAMA, TURNS
from lama_odds.games.noprob.solvers.root_state import place_name
from lama_odds.games.shared.stepper import AS_POLICY, Line
from lama_odds.jit import compiled
from lama_odds.luck.stream import COINS, DICE, lane_start, mix, stream_of

LOG = round_loop.MAX_TURNS + 1
SOURCES = {"draw": DRAW, "take": TAKE, "pass": PASS}


@compiled
def play_on(rules, policies, tables, luck, table, first, source):
    """Play a round from a table, seats as in the game, into the log among the tables.

    luck: seed, game, round. first: the seat that started the round. source: where the seat to act
    gets its card, PASS, or ANY.
    """
    seats = policies.shape[0]
    key, gamma = stream_of(luck[0])
    over = False
    if source != ANY:
        seat = (first + table[TURNS]) % seats
        lane = (gamma << np.uint64(10)) * np.uint64(seat)
        at = lane + gamma * np.uint64(table[TURNS] // seats)
        draws = mix(lane_start(key, gamma, luck[1], luck[2], DICE) + at)
        coins = mix(lane_start(key, gamma, luck[1], luck[2], COINS) + at)
        round_loop.play_turn(
            rules, tables, policies, table, seat, seats, draws, coins, source, ANY,
            round_loop.NOWHERE,
        )  # fmt: skip
        over = round_loop.after_turn(table, seat, seats)
    if not over:
        round_loop.play_on(
            rules, tables, policies, table, first, seats, key, gamma, luck[1], luck[2],
            round_loop.NOWHERE,
        )  # fmt: skip


class GameLine(Line):
    """A game in progress; see `games.shared.stepper.Line`.

    ended: its rounds that are over. standing: after them.
    """

    module: ClassVar[Any] = record
    state: Round

    def dealt(self, first: int) -> Round:
        """Return the dealt round."""
        if self.number == 0:
            self.rows = policy_rows(self.policies)
            if (self.rows[:, FAMILY] == RANDOM).any():
                raise LimitError("random policies cannot be stepped through")
            self.log = np.zeros(LOG, dtype=np.int64)
            self.tables = tables_of(self.rules, self.policies, self.log)
            self.ended: list[Round] = []
            self.standing = record.Standing.at_start(self.rules, len(self.policies))
        grids, top = deal_of(self.rules, len(self.policies), *self.luck, self.number)
        return Round(self.rules, list(grids), top, first)

    def entries(self, begin: Any = AS_POLICY) -> list[int]:
        """Return the log of the rest of the round; begin: another source of the next card."""
        self.log[0] = 0
        luck = (*self.luck, self.number)
        source = ANY if begin is AS_POLICY else begin
        play_on(
            self.rules.columns, self.rows, self.tables, luck, self._table(), self.state.first,
            source,
        )  # fmt: skip
        return [int(entry) for entry in self.log[1 : self.log[0] + 1]]

    def _table(self) -> np.ndarray:
        """Return the table of the compiled loop with all cards."""
        state, rules = self.state, self.rules
        table = np.zeros(transition.TABLE_SIZE, dtype=np.int64)
        for seat, hand in enumerate(state.hands):
            table[transition.GRID + seat] = sum(kind << 4 * cell for cell, kind in enumerate(hand))
            table[transition.UP + seat] = sum(1 << c for c in range(CELLS) if state.up[seat][c])
            table[transition.KNOWN + seat] = sum(
                1 << c for c in range(CELLS) if state.knows(seat, c)
            )
            table[transition.BESIDE + seat] = sum(rules.points[kind] for kind in state.beside[seat])
        table[transition.PACK : transition.PACK + 2] = pack_up(state.pile)
        table[transition.UNSEEN] = sum(n << 4 * kind for kind, n in enumerate(state.unseen))
        table[transition.PILE] = state.pile_size
        table[transition.STACK : transition.STACK + len(state.discards)] = state.discards
        table[transition.HEIGHT] = len(state.discards)
        table[transition.REFILLED] = state.recycled
        table[transition.TURNS] = state.turns_played
        table[transition.LAST] = -1 if state.last is None else state.last
        table[transition.CLOSER] = -1
        table[transition.TARGET_NOW] = rules.target_of(len(state.hands))
        return table

    @property
    def turns(self) -> int:
        """Return the turns of the round so far."""
        return int(self.state.turns_played)

    def position(self) -> Any:
        """What the seat knows; with the past only if it should infer from it."""
        rounds = [*self.ended, self.state]
        position = record.position_after(Record(self.rules, len(self.policies), rounds=rounds))
        return position if self.recalls else replace(position, past=None)

    def next_first(self) -> int:
        """Return the seat that starts the next round."""
        return (self.state.first + 1) % len(self.policies)

    def settled(self) -> bool:
        """Count the round that has ended; return whether the game has, too."""
        self.ended.append(self.state)
        self.standing.settle(self.penalties)
        self.scores = list(self.standing.totals)
        return self.standing.final is not None

    @property
    def winners(self) -> list[int]:
        """Return the seats that have won: the lowest totals of a given number of rounds, or enough
        llamas.
        """
        standing = self.standing
        if self.rules.four_rounds:
            lowest = min(standing.totals)
            return [seat for seat, total in enumerate(standing.totals) if total == lowest]
        return [seat for seat, n in enumerate(standing.llamas) if n >= standing.target]

    def result(self) -> int:
        """Return the result when it is over: the round's penalty, or the share of the win × WIN."""
        if not self.whole:
            return self.penalties[self.me]
        return WIN // len(self.winners) * (self.me in self.winners)

    @property
    def counted(self) -> int:
        """Return how many rows of the tally of `simulate` it counts."""
        return 4 * len(self.policies) + 2

    def count(self, tally: np.ndarray) -> None:
        """Count a whole game that is over, in the rows of `simulate`."""
        winners, players = self.winners, len(self.policies)
        for seat in range(players):
            won = seat in winners
            count(tally, seat, WIN // len(winners) * won)
            count(tally, players + seat, int(won and len(winners) == 1))
            count(tally, 2 * players + seat, self.standing.totals[seat])
            count(tally, 3 * players + seat, self.standing.llamas[seat])
        count(tally, 4 * players, self.standing.rounds)

    def replay(self, entry: int) -> None:
        """Carry out a logged turn."""
        record.replay_entry(self.state, entry)

    def asks(self) -> bool:
        """Return whether there is a choice: where to get a card, or else the use of the only one.

        In the second case it gets the card.
        """
        self.only = tuple(legal_actions(self.rules, self.position()))
        if len(self.only) > 1:
            return True
        return self._gets_card()

    def _gets_card(self) -> bool:
        """Get the card of the planned turn; return whether it gets one."""
        self.only = ()
        source, kind = self.planned[0] >> 4 & 15, self.planned[0] >> 8 & 15
        if source == PASS:
            return False
        (self.state.draw if source == DRAW else self.state.take)(kind)
        return True

    def name_of(self, entry: int) -> str:
        """Return the source of an entry, or the use of its card once it is in hand."""
        if self.only:
            return next(name for name, source in SOURCES.items() if source == entry >> 4 & 15)
        kind, place = entry >> 8 & 15, entry >> 12 & 15
        if kind >= DRAMA:
            place = (place - self.state.seat) % len(self.policies)
        return place_name(self.rules, kind, place)

    def act(self, action: str) -> None:
        """Get a card, or use the one in hand."""
        if self.only:
            if action != self.usual:
                self.planned = self.entries(SOURCES[action])
            if self._gets_card():
                self.usual = self.name_of(self.planned[0])
            else:
                self.replay(self.planned[0])
                self.follow(self.planned[1:])
            return
        kind = self.planned[0] >> 8 & 15
        verb, _, rest = action.partition(" ")
        if verb == "give":
            self.state.give(kind, (self.state.seat + int(rest.split()[-1])) % len(self.policies))
        elif verb == "discard":
            self.state.put_away(kind)
        else:
            row, column = (int(n) - 1 for n in rest.split(","))
            self.state.replace(kind, 3 * row + column)
        self.follow(self.planned[1:] if action == self.usual else [])
