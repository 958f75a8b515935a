"""One decision of cards at a time: of a policy, a record, a game that is being played."""

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
from lama_odds.games.lama.engine import policy_kernels, round_loop
from lama_odds.games.lama.engine.policy_kernels import (
    BLOCK,
    BY_VALUES,
    CARD,
    COINS_AT,
    DRAWS_AT,
    FAMILY,
    HAND,
    LEARNED,
    PARAMETER,
    PLACE,
    RANDOM,
    TABLE_SIZE,
)
from lama_odds.games.lama.engine.round_loop import lay_root, play_round, set_table, sit_down
from lama_odds.games.lama.jobs import deal_of
from lama_odds.games.lama.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.lama.records import record
from lama_odds.games.lama.records.record import CardEntries, position_after, replay_entry
from lama_odds.games.lama.records.record import next_first as first_after
from lama_odds.games.lama.records.round import Round
from lama_odds.games.lama.records.words import ON_SCREEN, practice
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.position import Position, card_text
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules
from lama_odds.games.lama.solvers.hidden_hands import lay_place, root_table, shown_in
from lama_odds.games.shared.decisions import Asking, fewer_cards
from lama_odds.games.shared.record import numbers_line, scores_after
from lama_odds.games.shared.seating import knows_target, lay_seats
from lama_odds.games.shared.stepper import POLICY_DECIDES, Line
from lama_odds.jit import compiled
from lama_odds.luck.stream import stream_of

# Let policies of the card games decide situations (see `games.shared.decisions`).

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
    top = table[PLACE + policy_kernels.TOP]
    cards = hand & tables.playable[top & 7]
    can_draw = table[PLACE + policy_kernels.PILE] > 0 and others > 0
    return round_loop.decide(
        rules, tables, tables.penalties, np.uint64(1), table, seats, 0, hand, cards, top, others,
        can_draw, table[PLACE + policy_kernels.PLAYED],
    )  # fmt: skip


class Player:
    """A policy under a rule set; see `games.interface.capabilities.Player`."""

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
        if self.row[0] == BY_VALUES and knows_target(int(self.row[1])):
            columns[transition.TARGET] = self.rules.target
        if self.row[0] not in (BY_VALUES, LEARNED):
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
        table[COINS_AT] = np.array(word, dtype=np.uint64).astype(np.int64)
        move = int(
            asked_move(self.rules.columns, self.tables, table, position.players, position.others_in)
        )
        if move == transition.QUIT:
            return "quit"
        return "draw" if move == transition.DRAW else f"play {NAMES[self.rules.shifts.index(move)]}"


class Reader(Asking, record.Reader):
    """The situations of a record; see `games.shared.decisions.Asking`."""

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


# Games of cards that stop whenever one seat decides (see `games.shared.stepper`).

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
                raise LimitError(say("random policies cannot be stepped through"))
            self.rows = policy_rows(self.policies)
            self.log = np.zeros(LOG, dtype=np.int64)
            self.tables = tables_of(self.rules, self.policies, tokens=self.whole, log=self.log)
        seats = len(self.policies)
        hands, top = deal_of(self.rules, seats, *self.luck, self.number)
        pot = self.state.pot if self.state is not None else []
        return Round(self.rules, list(hands), top, self.scores, first, pot)

    def entries(self, begin: Any = POLICY_DECIDES) -> list[int]:
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
            round_loop.AS_POLICY if begin is POLICY_DECIDES else begin,
        )
        return [int(entry) for entry in self.log[1 : self.log[0] + 1]]

    def _table(self) -> np.ndarray:
        """Return the table of the compiled loop with all cards."""
        state, rules = self.state, self.rules
        table = np.zeros(TABLE_SIZE, dtype=np.int64)
        penalties = [
            rules.quitting(hand) if seat in state.quit_seats else -1
            for seat, hand in enumerate(state.hands)
        ]
        lay_seats(table, [rules.pack(hand) for hand in state.hands], penalties, state.scores)
        for seat, shown in enumerate(shown_in(rules, len(state.hands), state.turns)):
            table[policy_kernels.SHOWN + seat] = shown
        _lay_place(state, table)
        return table

    def replay(self, entry: int) -> None:
        """Carry out a logged move."""
        self.used[self.state.seat] += _move(entry) == transition.DRAW
        record.replay_entry(self.state, entry)

    def position(self) -> Position:
        """Return what the seat knows; without the past, hidden cards are dealt evenly."""
        position: Position = self.position_with_past()
        return position if self.recalls else replace(position, past=None)

    def hidden(self) -> tuple[int, ...]:
        """Return the others' hands, packed, in turn order."""
        hands, seat = self.state.hands, self.seat
        return tuple(self.rules.pack(hand) for hand in (*hands[seat + 1 :], *hands[:seat]))

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


def _lay_place(state: Round, table: np.ndarray) -> None:
    """Write on a table what lies between the seats, with all cards of the pack."""
    rules, pack = state.rules, tuple(state.pack)
    lay_place(rules, table, state.top, state.seen, state.pot, state.running, pack, sum(pack))


def _move(entry: int) -> int:
    """Return the move of a log entry (see `round_loop.log_move`)."""
    return (entry >> 4 & 0xFF) + round_loop.AS_POLICY


# One turn of a policy in a live game, and one draw, for games that are played along.


def _entry(record: Record, policy: Policy, seed: int, step: int, begin: int) -> int:
    """Return the log entry of the current turn (see `round_loop.log_move`).

    All cards are known here. step: index of the random numbers.
    """
    rules: LamaRules = record.rules
    state: Round = record.rounds[-1]
    position = position_after(record)
    policies = [policy] * record.players
    root = root_table(rules, position)
    for step_round in range(1, record.players):
        hand = state.hands[(state.seat + step_round) % record.players]
        root[policy_kernels.HAND + step_round] = rules.pack(hand)
    _lay_place(state, root)
    log = np.zeros(2, dtype=np.int64)
    play_on(
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies, tokens=True, log=log),
        (seed, step, 0),
        root,
        np.zeros(record.players, dtype=np.int64),
        0,
        position.others_in,
        begin,
    )
    return int(log[1])


def policy_turn(record: Record, policy: Policy, seed: int, step: int) -> str:
    """Return the line of a policy's turn, which begins here."""
    state: Round = record.rounds[-1]
    return replay_entry(
        state, _entry(record, policy, seed, step, round_loop.AS_POLICY) | state.seat
    )


def luck_of(record: Record, action: str, seed: int, step: int) -> str:
    """Return the card that the seat to act draws; an empty text for other actions."""
    if action != "draw":
        return ""
    policy = read_policy("threshold:0", FAMILIES)
    entry = _entry(record, policy, seed, step, transition.DRAW)
    return str(NAMES[record.rules.shifts.index(entry >> 12)])


def dealt(rules: LamaRules, players: int, seed: int, game: int, number: int) -> list[str]:
    """Return the lines of the deal of a round."""
    hands, top = deal_of(rules, players, seed, game, number)
    return [f"deal {' '.join(card_text(hand) for hand in hands)}", f"top {NAMES[top]}"]


def opening(record: Record, number: int, first: int) -> list[str]:
    """Return the lines that open a round, before its deal."""
    scores = scores_after(record.rounds[-1]) if record.rounds else [0] * record.players
    lines = [f"round {number} first {first}", numbers_line("scores", scores)]
    if record.rules.drama:
        pot = record.rounds[-1].pot if record.rounds else []
        lines.append(f"pot {' '.join(map(str, pot)) or '-'}")
    return lines


def next_first(record: Record) -> int:
    """Return the seat that starts the round after the last one."""
    return int(first_after(record.rounds[-1], record.players)[0])


def counting(rules: LamaRules) -> None:
    """Call what counts a round."""
    rules.token(1)
    rules.lowest_token(1)


def seen_by(record: Record, seat: int) -> Position:
    """Return what a seat knows while another acts."""
    record.rounds[-1].seat = seat
    return position_after(record)


# What `play` needs of the card games.


def tapped(rules: LamaRules, players: int) -> dict[str, Follows]:
    """Return what can follow each verb: the cards of the rule set."""
    del players
    copies = {name: there for name, there in zip(NAMES, rules.deck, strict=True) if there}
    card = Follows("card", tuple(copies))
    deal = Follows("cards", tuple(copies), dealt=rules.dealt, copies=copies)
    return {"deal": deal, "top": card, "draw": card, "play": card}


LIVE_PLAY = LivePlay(
    policy_turn=policy_turn,
    luck_of=luck_of,
    rounds=LiveRounds(
        opening, dealt, next_first, counting, lambda rules: "the pot" if rules.drama else ""
    ),
    entries=CardEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    tapped=tapped,
    seen_by=seen_by,
    shows={"draw": later("card")},
)
