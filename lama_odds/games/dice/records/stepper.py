"""Games of Lama Dice that stop whenever one seat decides (see `games.shared.stepper`)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.games.dice.engine import round_loop, table_rows
from lama_odds.games.dice.engine.kernels import seat_policies, set_table
from lama_odds.games.dice.engine.policy_kernels import RANDOM
from lama_odds.games.dice.engine.round_loop import play_round, sit_down, take_roll
from lama_odds.games.dice.engine.table_rows import TABLE_SIZE
from lama_odds.games.dice.jobs.simulation import deal_of
from lama_odds.games.dice.policies.catalogue import policy_rows, tables_of
from lama_odds.games.dice.records import record
from lama_odds.games.dice.records.round import Round
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.position import card_text, pack_hand, unpack_hand
from lama_odds.games.dice.rules.ruleset import NAMES
from lama_odds.games.shared.stepper import AS_POLICY, Line
from lama_odds.jit import compiled
from lama_odds.luck.stream import stream_of

LOG = 512  # entries: no real round comes near


@compiled
def play_on(rules, policies, tables, luck, root, used, seat, others, row, begin):
    """Play a round from a table, seat `seat` first, into the log among the tables.

    luck: seed, game, round. root: int64[TABLE_SIZE], seats as in the game. used: the number of
    rolls that each seat has made. begin: AS_POLICY or ROLL of `round_loop`.
    """
    seats = policies.shape[0]
    table, result = set_table(policies)
    for i in range(TABLE_SIZE):
        table[i] = root[i]
    seat_policies(policies, table)
    key, gamma = stream_of(luck[0])
    sit_down(rules, tables.rolls, table, seats, key, gamma, luck[1], luck[2])
    for s in range(seats):
        for _ in range(used[s]):
            take_roll(tables.rolls, rules[transition.ROLLS], gamma, table, s)
    play_round(rules, tables, gamma, table, seats, others, row, seat, begin, False, False, result)


class GameLine(Line):
    """A game of Lama Dice in progress; see `games.shared.stepper.Line`."""

    module: ClassVar[Any] = record
    state: Round

    def dealt(self, first: int) -> Round:
        """Return the dealt round."""
        if self.number == 0:
            if any(policy.family.code == RANDOM for policy in self.policies):
                raise LimitError("random policies cannot be stepped through")
            self.rows = policy_rows(self.policies)
            self.log = np.zeros(LOG, dtype=np.int64)
            self.tables = tables_of(self.rules, self.policies, tokens=self.whole, log=self.log)
        hands = deal_of(self.rules, len(self.policies), *self.luck, self.number)
        return Round(self.rules, list(hands), self.scores, first)

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
            self.state.row,
            round_loop.AS_POLICY if begin is AS_POLICY else begin,
        )
        return [int(entry) for entry in self.log[1 : self.log[0] + 1]]

    def _table(self) -> np.ndarray:
        """Return the table of the compiled loop."""
        state = self.state
        table = np.zeros(TABLE_SIZE, dtype=np.int64)
        active = [s for s in range(len(state.hands)) if s not in state.quit_seats]
        for seat, hand in enumerate(state.hands):
            table[table_rows.HAND + seat] = pack_hand(hand)
            table[table_rows.PENALTY + seat] = -1 if seat in active else state.penalties[seat]
            table[table_rows.SCORE + seat] = state.scores[seat]
        for seat, following in zip(active, [*active[1:], active[0]], strict=True):
            table[table_rows.NEXT + seat] = following
            table[table_rows.BEFORE + following] = seat
        return table

    def replay(self, entry: int) -> None:
        """Carry out a logged turn."""
        self.used[self.state.seat] += _event(entry) != round_loop.QUIT
        record.replay_entry(self.state, entry, self.rules.dice)

    def name_of(self, entry: int) -> str:
        """Return the first decision of an entry's turn, or the second one after the roll."""
        event, pick = _event(entry), entry >> 28
        if self.state.pending is None:
            return "quit" if event == round_loop.QUIT else "roll"
        if event == round_loop.DISCARDED:
            return f"discard {card_text(unpack_hand(pick))}"
        return f"take {NAMES[pick]}"

    def next_first(self) -> int:
        """Return the seat that starts the next round."""
        return self.state.last_actor

    def act(self, action: str) -> None:
        """Quit, roll, or use the rolled dice."""
        if self.state.pending is not None:
            self._use(action)
        elif action == "quit":
            rest = self.planned[1:] if self.usual == "quit" else []
            self.state.quit()
            self.follow(rest)
        else:
            if self.usual != "roll":
                self.planned = self.entries(round_loop.ROLL)
            self._roll()

    def _roll(self) -> None:
        """Roll the planned dice; if they leave a choice, it is the next decision."""
        entry = self.planned[0]
        if _event(entry) not in (round_loop.DISCARDED, round_loop.TOOK):
            self.replay(entry)
            self.follow(self.planned[1:])
            return
        shown = entry >> 8 & round_loop.DICE_BITS
        dice = range(self.rules.dice)
        self.state.roll(tuple(sorted(shown >> 4 * die & 15 for die in dice)))
        self.used[self.state.seat] += 1
        self.usual = self.name_of(entry)

    def _use(self, action: str) -> None:
        verb, _, cards = action.partition(" ")
        if verb == "discard":
            self.state.discard(tuple(cards.count(name) for name in NAMES))
        else:
            self.state.take(NAMES.index(cards))
        self.follow(self.planned[1:] if action == self.usual else [])


def _event(entry: int) -> int:
    """Return the event of a logged turn (see `round_loop.log_turn`)."""
    return entry >> 4 & 15
