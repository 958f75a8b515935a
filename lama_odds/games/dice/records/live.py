"""One decision of Lama Dice at a time: of a policy, a record, a game that is being played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy, read_policy
from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.engine.policy_kernels import (
    CARD,
    COPY,
    LEARNED,
    RANDOM,
    VALUES,
    chosen_discard,
    chosen_take,
    rolls_on,
)
from lama_odds.games.dice.engine.round_loop import (
    play_round,
    seat_policies,
    set_table,
    sit_down,
    take_roll,
    weighed_by,
)
from lama_odds.games.dice.engine.tables import BLOCK, FAMILY, PARAMETER, TABLE_SIZE
from lama_odds.games.dice.jobs import deal_of, root_table
from lama_odds.games.dice.policies import FAMILIES, policy_rows, tables_of
from lama_odds.games.dice.records import record
from lama_odds.games.dice.records.record import DiceEntries, Round, position_after, replay_entry
from lama_odds.games.dice.records.words import ON_SCREEN, practice
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
from lama_odds.games.interface.capabilities import (
    Follows,
    LivePlay,
    LiveRounds,
    PolicyQuery,
    Record,
    Situation,
)
from lama_odds.games.shared.decisions import Asking, fewer_cards
from lama_odds.games.shared.record import numbers_line, scores_after
from lama_odds.games.shared.seating import PLAIN, lay_seats
from lama_odds.games.shared.stepper import POLICY_DECIDES, Line
from lama_odds.jit import compiled
from lama_odds.luck.stream import stream_of

# Let policies of Lama Dice decide the situations of a record (see `games.shared.decisions`).


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
    """A policy under a rule set; see `games.interface.capabilities.Player`."""

    def __init__(self, rules: DiceRules, policy: Policy, players: int) -> None:
        seats = [policy] * players
        self.rules = rules
        self.row = policy_rows(seats)[0]
        self.tables = tables_of(rules, seats)

    @property
    def basis(self) -> tuple[Any, ...]:
        """Family and number; penalties unless it plays at random; values and networks it has."""
        tokens = (self.rules.columns[transition.BLACK], self.rules.columns[transition.PINK])
        family, parameter = int(self.row[0]), int(self.row[1])
        numbers: tuple[Any, ...] = (family, parameter, self.rules.dice)
        if family != RANDOM:
            numbers += (self.tables.points,)
        if family == COPY:
            return (*numbers, *tokens, self.rules.target, self.tables.copied)
        if family == LEARNED:
            return (*numbers, self.tables.learned)
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
    """The situations of a record; see `games.shared.decisions.Asking`."""

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


# Games of Lama Dice that stop whenever one seat decides (see `games.shared.stepper`).

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
                raise LimitError(say("random policies cannot be stepped through"))
            self.rows = policy_rows(self.policies)
            self.log = np.zeros(LOG, dtype=np.int64)
            self.tables = tables_of(self.rules, self.policies, tokens=self.whole, log=self.log)
        hands = deal_of(self.rules, len(self.policies), *self.luck, self.number)
        return Round(self.rules, list(hands), self.scores, first)

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
            self.state.row,
            round_loop.AS_POLICY if begin is POLICY_DECIDES else begin,
        )
        return [int(entry) for entry in self.log[1 : self.log[0] + 1]]

    def _table(self) -> np.ndarray:
        """Return the table of the compiled loop."""
        state = self.state
        table = np.zeros(TABLE_SIZE, dtype=np.int64)
        penalties = [
            penalty if seat in state.quit_seats else -1
            for seat, penalty in enumerate(state.penalties)
        ]
        lay_seats(table, [pack_hand(hand) for hand in state.hands], penalties, state.scores)
        return table

    def replay(self, entry: int) -> None:
        """Carry out a logged turn."""
        self.used[self.state.seat] += _event(entry) != round_loop.QUIT
        record.replay_entry(self.state, entry, self.rules.dice)

    def hidden(self) -> tuple[int, ...]:
        """Return nothing: all cards lie open."""
        return ()

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


# One turn of a policy in a live game, and one roll, for games that are played along.


def _entry(
    rules: DiceRules, position: Position, policy: Policy, seed: int, step: int, begin: int
) -> int:
    """Return the log entry of the current turn (see `round_loop.log_turn`).

    step: index of the random numbers.
    """
    policies = [policy] * position.players
    log = np.zeros(2, dtype=np.int64)
    play_on(
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies, log=log),
        (seed, step, 0),
        root_table(rules, position),
        np.zeros(position.players, dtype=np.int64),
        0,
        position.others_in,
        position.row,
        begin,
    )
    return int(log[1])


def policy_turn(record: Record, policy: Policy, seed: int, step: int) -> str:
    """Return the line of a policy's turn, which begins here."""
    state: Round = record.rounds[-1]
    entry = _entry(record.rules, position_after(record), policy, seed, step, round_loop.AS_POLICY)
    return replay_entry(state, entry | state.seat, record.rules.dice)


def luck_of(record: Record, action: str, seed: int, step: int) -> str:
    """Return what the dice show if the seat to act rolls; an empty text for other actions."""
    if action != "roll":
        return ""
    policy = read_policy("threshold:0", FAMILIES)
    entry = _entry(record.rules, position_after(record), policy, seed, step, round_loop.ROLL)
    shown = entry >> 8 & round_loop.DICE_BITS
    return "".join(NAMES[k] for k in sorted(shown >> 4 * d & 15 for d in range(record.rules.dice)))


def dealt(rules: DiceRules, players: int, seed: int, game: int, number: int) -> list[str]:
    """Return the lines of the deal of a round."""
    hands = deal_of(rules, players, seed, game, number)
    return [f"deal {' '.join(card_text(hand) for hand in hands)}"]


def opening(record: Record, number: int, first: int) -> list[str]:
    """Return the lines that open a round, before its deal."""
    scores = scores_after(record.rounds[-1]) if record.rounds else [0] * record.players
    return [f"round {number} first {first}", numbers_line("scores", scores)]


def next_first(record: Record) -> int:
    """Return the seat that starts the round after the last one."""
    return int(record.rounds[-1].last_actor)


# What `play` needs of Lama Dice.


def tapped(rules: DiceRules, players: int) -> dict[str, Follows]:
    """Return what can follow each verb: the cards and the rolls of the rule set."""
    copies = dict(zip(NAMES, rules.dealt_from, strict=True))
    rolls = ["".join(NAMES[kind] for kind in roll) for roll in sorted(rules.readable_rolls)]
    faces = tuple(name for name in NAMES if name in rules.faces)
    return {
        "deal": Follows("cards", tuple(NAMES), dealt=rules.dealt, hands=players, copies=copies),
        "roll": Follows("dice", faces, dice=rules.dice, rolls=rolls),
        "discard": Follows("cards"),
        "take": Follows("card"),
    }


def doubt(rules: DiceRules, words: Sequence[str]) -> str:
    """Return that the faces assumed cannot show the dice of a turn, which are used as they lie.

    A card discarded for each die names all dice.
    """
    shown = words[2] if words[1:2] in (["roll"], ["discard"]) else ""
    rolled = tuple(sorted(NAMES.index(name) for name in shown))
    known = words[1:2] == ["roll"] or len(rolled) == rules.dice
    return "" if not known or rolled in rules.sorted_rolls else rules.cannot_show(rolled)


LIVE_PLAY = LivePlay(
    policy_turn=policy_turn,
    luck_of=luck_of,
    rounds=LiveRounds(opening, dealt, next_first, lambda rules: rules.token(1)),
    entries=DiceEntries(),
    on_screen=ON_SCREEN,
    practice=practice,
    tapped=tapped,
    shows={"roll": later("dice")},
    implied={"roll": "blown"},
    doubt=doubt,
    results=lambda state: dict.fromkeys(state.results()),
)
