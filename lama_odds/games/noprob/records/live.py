"""One decision of No Prob-Lama at a time: of a policy, a record, a game being played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy, read_policy
from lama_odds.games.interface.capabilities import (
    Follows,
    LivePlay,
    LiveRounds,
    PolicyQuery,
    Record,
    Situation,
)
from lama_odds.games.interface.tally_layout import WIN, count
from lama_odds.games.noprob.engine import round_loop
from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY, TAKE
from lama_odds.games.noprob.engine.learned import chance_of, learned_costs, source_chances
from lama_odds.games.noprob.engine.policy_kernels import (
    AS_POLICY,
    FAMILY,
    LEARNED,
    RANDOM,
    choose_place,
    choose_source,
)
from lama_odds.games.noprob.engine.policy_kernels import AS_POLICY as ANY
from lama_odds.games.noprob.engine.round_loop import NOWHERE, play_turn
from lama_odds.games.noprob.jobs import deal_of
from lama_odds.games.noprob.policies import FAMILIES, among_itself, policy_rows, tables_of
from lama_odds.games.noprob.records import record
from lama_odds.games.noprob.records.record import (
    GridEntries,
    position_after,
    replay_entry,
    standing_after,
)
from lama_odds.games.noprob.records.round import Round
from lama_odds.games.noprob.records.words import ON_SCREEN, practice
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import cell_name, legal_actions
from lama_odds.games.noprob.rules.position import Grid, Position, grid_text, is_special, read_card
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import DRAMA, TURNS, UNKNOWN, pack_up
from lama_odds.games.noprob.solvers.exact import place_name, place_of, root_table
from lama_odds.games.shared.decisions import Asking, fewer_cards
from lama_odds.games.shared.stepper import POLICY_DECIDES, Line
from lama_odds.jit import compiled
from lama_odds.luck.stream import COINS, DICE, lane_start, mix, stream_of

# Let policies of No Prob-Lama decide situations (see `games.shared.decisions`).


@compiled
def asked_source(tables, policies, table, seats, word):
    """Return draw, take or pass; see `policy_kernels.choose_source`."""
    return choose_source(tables, policies, table, 0, seats, word)[0]


@compiled
def asked_place(tables, policies, table, seats, kind, drawn, word):
    """Return what to do with a card; see `policy_kernels.choose_place`."""
    return choose_place(tables, policies, table, 0, seats, kind, drawn, word)


@compiled
def asked_chances(tables, table, seats, kind, chances):
    """Write what LEARNED expects: see `learned.source_chances`, or with a card in hand."""
    if kind < 0:
        source_chances(tables, table, 0, seats, chances)
    else:
        learned_costs(tables, table, 0, seats, kind, chances)
        for place in range(chances.size):
            chances[place] = chance_of(-chances[place])


class Player:
    """A policy under a rule set; see `games.interface.capabilities.Player`."""

    def __init__(self, rules: NoprobRules, policy: Policy, players: int) -> None:
        seats = [policy] * players
        self.rules = rules
        self.rows = policy_rows(seats)
        self.tables = tables_of(rules, seats)

    @property
    def basis(self) -> tuple[Any, ...]:
        """The policy's row and the rules; values and weights too, unless it plays at random."""
        columns = self.rules.columns.copy()  # whose deck says which cards are still unseen
        columns[[transition.ANY_TIE, transition.PEEKED]] = 0
        if self.rows[0, FAMILY] == RANDOM:
            return (self.rows[0], columns)
        own, known = self.tables, self.tables.learned
        fitted = () if known is None else (*known[:4], known.net)
        return (self.rows[0], columns, own.points, own.spread, own.worth, *fitted)

    def decides(self, situation: Situation, word: int) -> str:
        """Return draw, take or pass, or what to do with the card."""
        position: Position = situation.position
        seats = position.players
        table, _ = root_table(self.rules, position)
        table[transition.TURNS] = situation.turns
        if position.drawn is None:
            source = asked_source(self.tables, self.rows, table, seats, np.uint64(word))
            return "pass" if source == PASS else "draw" if source == DRAW else "take"
        kind = position.drawn
        drawn = not position.taken
        place = int(asked_place(self.tables, self.rows, table, seats, kind, drawn, np.uint64(word)))
        if is_special(kind):
            return f"give {self.rules.names[kind]} to {place}"
        return "discard" if place == PUT_AWAY else f"replace {cell_name(place)}"

    def expects(self, situation: Situation, action: str) -> tuple[str, float] | None:
        """Return the chance to win the round that LEARNED expects; None of others and specials.

        The others play as it does, see `policies.among_itself`.
        """
        position: Position = situation.position
        kind = -1 if position.drawn is None else position.drawn
        if self.rows[0, FAMILY] != LEARNED or is_special(kind):
            return None
        table, _ = root_table(self.rules, position)
        table[transition.TURNS] = situation.turns
        chances = np.zeros(CELLS + 1)
        known = self.tables.learned
        assert known is not None
        tables = self.tables._replace(learned=among_itself(known, position.players))
        asked_chances(tables, table, position.players, kind, chances)
        return "round", float(chances[SOURCES[action] if kind < 0 else place_of(action)])


class Reader(Asking, record.Reader):
    """The situations of a record; see `games.shared.decisions.Asking`."""

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """Return the choice of a source, then of a use."""
        assert self.record is not None
        at_turn = partial(record.position_after, self.record)

        def with_card() -> Position:
            position = at_turn()
            kind = read_card(self.rules, words[2], words[1].text)
            if words[1].text == "draw":
                return replace(position, drawn=kind, pile=(position.pile or 0) - 1)
            top = position.seen[0] if position.seen else None
            return replace(position, drawn=kind, taken=True, top=top, seen=position.seen[1:])

        return [at_turn, with_card] if len(words) > 3 else [at_turn]

    def turns_played(self) -> int:
        """Return the turns of the round so far: policies become more urgent."""
        return int(self.state.turns_played)


def _before_a_card(position: Position) -> bool:
    return position.drawn is None


def unlike(a: NoprobRules, b: NoprobRules) -> str:
    """Return why situations of rule set a cannot be put to a player of b; empty if they can."""
    if a.names != b.names:
        return "other kinds of cards"
    if a.peeks != b.peeks:
        return f"{a.peeks} own cards are looked at, {b.peeks} under the other rules"
    return fewer_cards(a.deck, b.deck, a.names)


QUERY = PolicyQuery(Player, Reader, legal_actions, unlike, _before_a_card)


# Rounds and games of No Prob-Lama that stop twice in a turn of one seat.
#
# See `games.shared.stepper`. First the seat decides whether to draw, to take or to pass, then what
# to do with the card.

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
                raise LimitError(say("random policies cannot be stepped through"))
            self.log = np.zeros(LOG, dtype=np.int64)
            self.tables = tables_of(self.rules, self.policies, self.log)
            self.ended: list[Round] = []
            self.standing = record.Standing.at_start(self.rules, len(self.policies))
        grids, top = deal_of(self.rules, len(self.policies), *self.luck, self.number)
        return Round(self.rules, list(grids), top, first)

    def entries(self, begin: Any = POLICY_DECIDES) -> list[int]:
        """Return the log of the rest of the round; begin: another source of the next card."""
        self.log[0] = 0
        luck = (*self.luck, self.number)
        source = ANY if begin is POLICY_DECIDES else begin
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
        position = self.position_with_past()
        return position if self.recalls else replace(position, past=None)

    def position_with_past(self) -> Any:
        """The same with the past."""
        rounds = [*self.ended, self.state]
        return record.position_after(Record(self.rules, len(self.policies), rounds=rounds))

    def hidden(self) -> tuple[int, ...]:
        """Return the others' grids in turn order: what they have looked at and not turned up.

        All else that is hidden, nobody knows. So it may be drawn again.
        """
        state, seats = self.state, len(self.policies)
        return tuple(
            sum(
                (kind if state.knows(s, cell) and not state.up[s][cell] else UNKNOWN) << 4 * cell
                for cell, kind in enumerate(state.hands[s])
            )
            for s in ((self.seat + step) % seats for step in range(1, seats))
        )

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


# One turn of a policy in a live game, and one draw, for games that are played along.


@compiled
def one_turn(rules, policies, tables, seed, step, table, source):
    """Play a turn of seat 0 and log it; step: index of its random numbers. source: or AS_POLICY."""
    key, gamma = stream_of(seed)
    draws = mix(lane_start(key, gamma, step, 0, DICE))
    coins = mix(lane_start(key, gamma, step, 0, COINS))
    seats = policies.shape[0]
    play_turn(rules, tables, policies, table, 0, seats, draws, coins, source, AS_POLICY, NOWHERE)


def _table(record: Record) -> np.ndarray:
    """Return the table, the seat to act first, every card in its place."""
    state: Round = record.rounds[-1]
    rules: NoprobRules = record.rules
    table, _ = root_table(rules, position_after(record))
    for step in range(record.players):
        seat = (state.seat + step) % record.players
        hand, up = state.hands[seat], state.up[seat]
        table[transition.GRID + step] = sum(kind << 4 * cell for cell, kind in enumerate(hand))
        table[transition.UP + step] = sum(1 << cell for cell in range(CELLS) if up[cell])
        known = (1 << cell for cell in range(CELLS) if state.knows(seat, cell))
        table[transition.KNOWN + step] = sum(known)
    table[transition.PACK : transition.PACK + 2] = pack_up(state.pile)
    table[transition.PILE] = state.pile_size
    table[transition.UNSEEN] = sum(n << 4 * kind for kind, n in enumerate(state.unseen))
    table[transition.REFILLED] = state.recycled
    table[transition.TURNS] = state.turns_played
    return table


def _entry(record: Record, policy: Policy, seed: int, step: int, source: int) -> int:
    """Return the log entry of the current turn (see `round_loop.log_turn`), by seats of the
    record.
    """
    state: Round = record.rounds[-1]
    policies = [policy] * record.players
    log = np.zeros(2, dtype=np.int64)
    tables = tables_of(record.rules, policies, log)
    rows = policy_rows(policies)
    one_turn(record.rules.columns, rows, tables, seed, step, _table(record), source)
    entry = int(log[1]) & ~15 | state.seat
    # given to a seat, counted from the giver
    if transition.DRAMA <= entry >> 8 & 15 < transition.KINDS:
        to = (state.seat + (entry >> 12 & 15)) % record.players
        entry = entry & ~(15 << 12) | to << 12
    return entry


def policy_turn(record: Record, policy: Policy, seed: int, step: int) -> str:
    """Return the line of a policy's turn, which begins here."""
    return replay_entry(record.rounds[-1], _entry(record, policy, seed, step, AS_POLICY))


def luck_of(record: Record, action: str, seed: int, step: int) -> str:
    """Return the card that an action draws or turns up; an empty text for other actions."""
    state: Round = record.rounds[-1]
    verb, _, place = action.partition(" ")
    if verb == "draw":
        policy = read_policy("random", FAMILIES)
        return str(record.rules.names[_entry(record, policy, seed, step, DRAW) >> 8 & 15])
    if verb == "replace":
        row, column = (int(n) - 1 for n in place.split(","))
        return f"turns {record.rules.names[state.hands[state.seat][3 * row + column]]}"
    return ""


def dealt(rules: NoprobRules, players: int, seed: int, game: int, number: int) -> list[str]:
    """Return the lines of the deal of a round."""
    grids, top = deal_of(rules, players, seed, game, number)
    texts = [grid_text(rules.names, Grid(grid, (True,) * CELLS)) for grid in grids]
    return [f"deal {' '.join(texts)}", f"top {rules.names[top]}"]


def opening(record: Record, number: int, first: int) -> list[str]:
    """Return the lines that open a round, before its deal."""
    return [f"round {number} first {first}", *standing_after(record, number).lines()]


def next_first(record: Record) -> int:
    """Return the seat that starts the round after the last one."""
    return int((record.rounds[-1].first + 1) % record.players)


def seen_by(record: Record, seat: int) -> Position:
    """Return what a seat knows while another acts."""
    record.rounds[-1].seat = seat
    record.rounds[-1].pending = None
    return position_after(record)


# What `play` needs of No Prob-Lama.

PLACES = tuple(f"{row},{column}" for row in (1, 2, 3) for column in (1, 2, 3))


def tapped(rules: NoprobRules, players: int) -> dict[str, Follows]:
    """Return what can follow each verb: the cards of the rule set, places, and players."""
    copies = {name: there for name, there in zip(rules.names, rules.deck, strict=True) if there}
    card = Follows("card", tuple(copies))
    peeked = [place.replace(",", "") for place in PLACES]
    return {
        "deal": Follows("places", tuple(copies), dealt=rules.peeks, copies=copies, places=peeked),
        "top": card,
        "draw": card,
        "replace": Follows("place", PLACES, then=card),
        "give": Follows("player", tuple(f"#{seat + 1}" for seat in range(players))),
    }


LIVE_PLAY = LivePlay(
    policy_turn=policy_turn,
    luck_of=luck_of,
    rounds=LiveRounds(
        opening,
        dealt,
        next_first,
        unknown=lambda rules: later("the number of rounds played") if rules.four_rounds else "",
    ),
    entries=GridEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    tapped=tapped,
    seen_by=seen_by,
    shows={"draw": later("card")},
)
