"""A round or game of Lama Dice as text: written, read, replayed.

A record has one statement in each line; dice and cards are sorted, L last::

    lama-odds record 1
    rules dice/amigo
    players 2
    policies threshold:5 random
    luck 0 155
    round 0 first 0
    scores 0 0
    deal 11234L 225LLL
    0 roll 244 discard 24
    1 roll 134 take 1
    0 roll 1LL discard 1L
    1 quit
    0 quit
    end quit
    penalties 4 18

Three llamas are ``roll LLL`` alone; a blown roll ends in ``blown``. A turn of which only the result
is known is ``1 discard 24``, ``1 take 1`` or ``1 blown``. `games.shared.record` has the
frame that all games share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.jobs import deal_of, simulation
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.feasibility import parse_position
from lama_odds.games.dice.rules.odds import discards
from lama_odds.games.dice.rules.position import (
    Counts,
    Opponent,
    Position,
    card_text,
    counts_mask,
    read_cards,
    unpack_hand,
)
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules, parse_rules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.interface.capabilities import CHOICE, LUCK, NOTHING, Record, Recorded
from lama_odds.games.shared.measures import logged_game
from lama_odds.games.shared.record import (
    STANDS,
    RecordReader,
    Refused,
    head_lines,
    numbers_line,
    scores_after,
    unfinished_round,
)
from lama_odds.games.shared.typed import Typed

# A round of Lama Dice, step by step; records are replayed on it.
#
# `transition` makes every decision about the rules. This module keeps the cards in readable form
# and refuses what cannot happen.

ENDS = ("quit", "out", "blown", "row")


class Round:
    """The state of a round; seats in turn order, `seat` to act.

    hands: cards by seat. row: a mask. out_of_round: seats that have quit.
    pending: dice that must still be used, or None.
    ended: one of ENDS when the round is over; `penalties` then has the round's penalties.
    """

    def __init__(
        self, rules: DiceRules, hands: list[Counts], scores: list[int], first: int
    ) -> None:
        self.rules = rules
        self.hands = list(hands)
        self.scores = list(scores)
        self.row = FULL_ROW
        self.quit_seats: set[int] = set()
        self.seat = first
        self.first = first
        self.pending: tuple[int, ...] | None = None
        self.ended: str | None = None
        self.last_actor = first

    @property
    def penalties(self) -> list[int]:
        """Return the penalty of each seat if the round ended now."""
        costs = [int(self.rules.penalties[counts_mask(hand)]) for hand in self.hands]
        for seat in self.quit_seats:
            costs[seat] = int(transition.quitting_cost(self.rules.columns, costs[seat]))
        return costs

    @property
    def alone(self) -> bool:
        """Whether all others have quit."""
        return len(self.quit_seats) == len(self.hands) - 1

    def quit(self) -> None:
        """Let the seat to act quit."""
        self._begin_turn()
        self.quit_seats.add(self.seat)
        if len(self.quit_seats) == len(self.hands):
            self.ended = "quit"
        else:
            self._pass_on()

    def roll(self, rolled: tuple[int, ...]) -> str:
        """Let the seat to act roll; return ``llamas``, ``match``, ``miss`` or ``blown``."""
        self._begin_turn()
        if rolled not in self.rules.readable_rolls:
            raise Refused(self.rules.cannot_show(rolled))
        hand, case = self.hands[self.seat], self._case(rolled)
        if case == transition.LLAMAS:
            self.scores[self.seat] -= self.rules.token(self.scores[self.seat])
            self._pass_on()
            return "llamas"
        if case == transition.BLOWN:
            taken = [held + (self.row >> kind & 1) for kind, held in enumerate(hand)]
            self.hands[self.seat] = tuple(taken)
            self.ended = "blown"
            return "blown"
        self.pending = rolled
        return "match" if case == transition.MATCH else "miss"

    def _case(self, rolled: tuple[int, ...]) -> int:
        """Return what a roll of the seat to act leads to, as `transition.roll_case`."""
        kinds = counts_mask(self.hands[self.seat])
        roll = transition.pack_roll(rolled)
        return int(transition.roll_case(self.rules.columns, kinds, self.row, roll, self.alone))

    def _brings(self, rolled: tuple[int, ...]) -> list[str]:
        """Return what a turn with this roll may come to, in words of a record."""
        case = self._case(rolled)
        if case == transition.MATCH:
            hand = self.hands[self.seat]
            return [f"discard {card_text(cards)}" for cards in discards(hand, rolled)]
        if case == transition.MISS:
            return [f"take {NAMES[kind]}" for kind in self._takes(rolled)]
        return ["blown" if case == transition.BLOWN else f"roll {_names(rolled)}"]

    def results(self) -> list[str]:
        """Return what a turn of unknown dice may come to, in words of a record, shortest first."""
        outcomes = {words for rolled in self.rules.readable_rolls for words in self._brings(rolled)}
        return sorted(outcomes, key=lambda words: (len(words), words))

    def bringing(self, words: str, cards: Counts) -> tuple[int, ...] | None:
        """Return a roll after which the turn may come to these words; None if there is none.

        cards: that it shows at least. The first of `DiceRules.readable_rolls` is returned.
        """
        for rolled in self.rules.readable_rolls:
            shown = all(rolled.count(kind) >= n for kind, n in enumerate(cards))
            if shown and words in self._brings(rolled):
                return rolled
        return None

    def discard(self, cards: Counts) -> None:
        """Use the pending roll to discard cards."""
        rolled, hand = self._pending_roll(), self.hands[self.seat]
        legal = discards(hand, rolled) if self._matches() else []
        if cards not in legal:
            raise Refused(self._not_allowed(f"discard {card_text(cards)}"))
        self.hands[self.seat] = tuple(held - less for held, less in zip(hand, cards, strict=True))
        self.pending = None
        if not any(self.hands[self.seat]):
            self.scores[self.seat] -= self.rules.token_out(
                self.scores[self.seat], counts_mask(cards)
            )
            self.ended = "out"
        else:
            self._pass_on()

    def take(self, kind: int) -> None:
        """Use the pending roll to take a card of the row."""
        rolled = self._pending_roll()
        if self._matches() or kind not in rolled or not self.row >> kind & 1:
            raise Refused(self._not_allowed(f"take {NAMES[kind]}"))
        hand = self.hands[self.seat]
        self.hands[self.seat] = tuple(held + (k == kind) for k, held in enumerate(hand))
        self.row &= ~(1 << kind)
        self.pending = None
        if transition.row_ends_round(self.rules.columns, self.row):
            self.ended = "row"
        else:
            self._pass_on()

    def _not_allowed(self, action: str) -> str:
        rolled, hand = self._pending_roll(), self.hands[self.seat]
        if self._matches():
            options = [f"discard {card_text(c)}" for c in discards(hand, rolled)]
        else:
            options = [f"take {NAMES[kind]}" for kind in self._takes(rolled)]
        return say(
            "{dice} does not allow you to {action} (it allows: {options})",
            dice=_names(rolled),
            action=action,
            options=", ".join(options),
        )

    def _takes(self, rolled: tuple[int, ...]) -> list[int]:
        return [kind for kind in range(KINDS) if kind in rolled and self.row >> kind & 1]

    def _matches(self) -> bool:
        return bool(
            counts_mask(self.hands[self.seat]) & sum(1 << k for k in set(self._pending_roll()))
        )

    def _pending_roll(self) -> tuple[int, ...]:
        if self.pending is None:
            raise Refused(say("no roll is waiting to be used"))
        return self.pending

    def _begin_turn(self) -> None:
        if self.ended:
            raise Refused(say("the round is over ({ended})", ended=self.ended))
        if self.pending is not None:
            raise Refused(
                say("seat {seat} has yet to use {dice}", seat=self.seat, dice=_names(self.pending))
            )
        self.last_actor = self.seat

    def _pass_on(self) -> None:
        seats = len(self.hands)
        self.seat = next(
            (self.seat + step) % seats
            for step in range(1, seats + 1)
            if (self.seat + step) % seats not in self.quit_seats
        )


def _names(rolled: tuple[int, ...]) -> str:
    return "".join(NAMES[kind] for kind in rolled)


VERBS = {
    "quit": NOTHING,
    "roll": LUCK,
    "discard": CHOICE,
    "take": CHOICE,
}  # of a turn, and what follows them
RESULTS = ("discard", "take", "blown")


def write_record(
    rules: DiceRules,
    policies: Sequence[str],
    luck: tuple[int, int],
    deals: Sequence[Sequence[Counts]],
    log: Sequence[int],
    whole_game: bool,
) -> str:
    """Return the record of a kernel's log (see `round_loop.log_turn`), replayed round by round."""
    seats = len(policies)
    lines = head_lines(rules.id, policies, luck)
    scores, first, at = [0] * seats, 0, 0
    for number, hands in enumerate(deals):
        lines.append(f"round {number} first {first}")
        lines.append(numbers_line("scores", scores))
        lines.append(f"deal {' '.join(card_text(hand) for hand in hands)}")
        state = Round(rules, list(hands), scores, first)
        while state.ended is None:
            lines.append(replay_entry(state, int(log[at]), rules.dice))
            at += 1
        lines.append(f"end {state.ended}")
        lines.append(numbers_line("penalties", state.penalties))
        scores = scores_after(state)
        first = state.last_actor
    if whole_game:
        lines.append(numbers_line("final", scores))
    return "\n".join(lines) + "\n"


def replay_entry(state: Round, entry: int, dice: int) -> str:
    """Carry out a logged turn on `state`; return its line."""
    seat, event, pick = entry & 15, entry >> 4 & 15, entry >> 28
    if event == round_loop.QUIT:
        state.quit()
        return f"{seat} quit"
    shown = entry >> 8 & round_loop.DICE_BITS
    rolled = tuple(sorted(shown >> 4 * die & 15 for die in range(dice)))
    line = f"{seat} roll {''.join(NAMES[kind] for kind in rolled)}"
    state.roll(rolled)
    if event == round_loop.BLEW_IT:
        return f"{line} blown"
    if event == round_loop.DISCARDED:
        state.discard(unpack_hand(pick))
        return f"{line} discard {card_text(unpack_hand(pick))}"
    if event == round_loop.TOOK:
        state.take(pick)
        return f"{line} take {NAMES[pick]}"
    return line


def read_record(text: str) -> Record:
    """Read and replay a record; see `games.shared.record.RecordReader.read`."""
    return Reader().read(text)


class Reader(RecordReader):
    """What a record of Lama Dice adds: the deal and the turns."""

    game = "dice"
    verbs = VERBS
    results = RESULTS
    ends = ENDS

    def read_rules(self, text: str) -> DiceRules:
        """Return the rule set of an id."""
        return parse_rules(text)

    def next_first(self) -> tuple[int, str]:
        """Return the seat that starts the next round: the last one to act."""
        return self.state.last_actor, say("the player who acted last in the round before")

    def statements(self) -> dict[str, Callable[[list[Part]], None]]:
        """Return the reader of the deal."""
        return {"deal": self._deal, STANDS: self.stands}

    def stand(self, text: str) -> None:
        """Let the round be as a position says; scores and starter stay where it has none."""
        position, state = parse_position(self.rules, text), self.state
        hands = [position.hand, *(other.cards for other in position.opponents)]
        if position.rolled is not None or None in hands or state.pending is not None:
            raise Refused(say("stands has the cards of all players before a roll"))
        state.hands = self.in_order(hands)
        quits = self.in_order([False, *(other.quit for other in position.opponents)])
        state.quit_seats = {seat for seat, has_quit in enumerate(quits) if has_quit}
        state.row, state.seat = position.row, self.mine
        if position.scores is not None:
            state.scores = self.in_order(position.scores)
        if position.first is not None:
            state.first = (self.mine + position.first) % len(hands)

    def _deal(self, words: list[Part]) -> None:
        record = self.begun(words)
        if self.first is None or self.scores is None:
            raise words[0].fail(say("round and scores before the deal"))
        if len(words) - 1 != record.players:
            raise words[0].fail(say("the hands of {players} players", players=record.players))
        hands = [read_cards(word, "deal") for word in words[1:]]
        for word, hand in zip(words[1:], hands, strict=True):
            if sum(hand) != record.rules.dealt:
                raise word.fail(say("{dealt} cards", dealt=record.rules.dealt))
        for kind in range(KINDS):
            if sum(hand[kind] for hand in hands) > record.rules.dealt_from[kind]:
                raise words[0].fail(
                    say(
                        "at most {cards} cards {card}",
                        cards=record.rules.dealt_from[kind],
                        card=NAMES[kind],
                    )
                )
        self.state = Round(record.rules, hands, self.scores, self.first)
        record.rounds.append(self.state)
        self.first = self.scores = None

    def turn(self, words: list[Part]) -> None:
        """Read a turn."""
        state = self.state
        if len(words) == 2 and words[1].text == "quit":
            state.quit()
            return
        if len(words) > 1 and words[1].text in RESULTS:
            self._result(words)
            return
        if len(words) < 3 or words[1].text != "roll":
            raise words[0].fail(say("SEAT quit, or SEAT roll DICE with what follows"))
        rolled = read_cards(words[2], "roll")
        what = state.roll(tuple(k for k in range(KINDS) for _ in range(rolled[k])))
        rest = words[3:]
        if what in ("llamas", "blown"):
            if [word.text for word in rest] != (["blown"] if what == "blown" else []):
                raise words[2].fail(
                    say("three llamas alone") if what == "llamas" else say("blown after the dice")
                )
        elif len(rest) == 2 and rest[0].text == "discard":
            state.discard(read_cards(rest[1], "discard"))
        elif len(rest) == 2 and rest[0].text == "take":
            state.take(_kind(rest[1]))
        elif rest:
            raise rest[0].fail(say("discard CARDS or take CARD"))

    def _result(self, words: list[Part]) -> None:
        """Read a turn of which only the result is known: any roll that may bring it will do."""
        state, verb, rest = self.state, words[1].text, words[2:]
        if len(rest) != (verb != "blown"):
            raise words[1].fail(say("discard CARDS, take CARD or blown, then nothing more"))
        cards: Counts = (0,) * KINDS
        if verb == "discard":
            cards = read_cards(rest[0], verb)
        elif verb == "take":
            cards = tuple(int(kind == _kind(rest[0])) for kind in range(KINDS))
        action = f"{verb} {card_text(cards)}" if rest else verb
        rolled = state.bringing(action, cards)
        if rolled is None:
            row = card_text(tuple(state.row >> kind & 1 for kind in range(KINDS)))
            raise Refused(
                say(
                    "no roll makes seat {seat} {action} here: its cards are {cards}, the row is "
                    "{row}, and there are {dice} dice",
                    seat=state.seat,
                    action=action,
                    cards=card_text(state.hands[state.seat]),
                    row=row,
                    dice=state.rules.dice,
                )
            )
        state.roll(rolled)
        if verb == "discard":
            state.discard(cards)
        elif verb == "take":
            state.take(_kind(rest[0]))


def _kind(part: Part) -> int:
    if part.text not in tuple(NAMES):
        raise part.fail(say("one card, 1-6 or L"))
    return NAMES.index(part.text)


def position_after(record: Record) -> Position:
    """Return the position at the end of a record, as the seat to decide sees it."""
    state = unfinished_round(record)
    seats = [(state.seat + step) % record.players for step in range(record.players)]
    opponents = tuple(Opponent(state.hands[seat], seat in state.quit_seats) for seat in seats[1:])
    return Position(
        hand=state.hands[state.seat],
        row=state.row,
        opponents=opponents,
        rolled=state.pending,
        scores=tuple(state.scores[seat] for seat in seats),
        first=seats.index(state.first),
    )


# What you type in Lama Dice played along: dice and cards; ``244`` alone is a roll.


class DiceEntries(Typed):
    """The entries of Lama Dice."""

    verbs = VERBS
    letters: ClassVar[Mapping[str, str]] = {"r": "roll", "d": "discard", "t": "take", "q": "quit"}
    card = re.compile(r"[1-6L]")
    several = ("roll", "discard")
    follows = ("blown",)

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of the record; several dice without a verb are a roll."""
        words = self.in_full(entry)
        if len(words) == 1 and state.pending is None and _shows_dice(words[0]):
            return ["roll", *words]
        return words

    def action_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return these words with the cards of a discard sorted."""
        words = self.record_words(state, entry)
        if words[0] == "discard" and len(words) == 2:
            words[1] = "".join(sorted(words[1]))
        return words


def _shows_dice(word: str) -> bool:
    return len(word) > 1 and set(word) <= set("123456L")


# How records of Lama Dice are split into decisions.


def named(position: Any, words: Sequence[str], at: int) -> str:
    """Return a choice in the agreed notation: its cards sorted."""
    del position
    return f"{words[at]} {''.join(sorted(words[at + 1]))}"


RECORDED = Recorded(
    VERBS,
    Reader,
    luck=later("of own rolls, if the player decides on them at once or they end the round"),
    named=named,
    results=RESULTS,
)


# A simulated round or game as text.


def simulated_record(
    rules: DiceRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
) -> str:
    """Return a simulated round or game as text."""
    played, log = logged_game(simulation(rules, policies, rounds), seed, game, rounds)
    deals = [deal_of(rules, len(policies), seed, game, number) for number in range(played)]
    names = [policy.name for policy in policies]
    return write_record(rules, names, (seed, game), deals, log, not rounds)
