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

Three llamas are ``roll LLL`` alone; a blown roll ends in ``blown``. `games.shared.record` has the
frame that all games share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lama_odds.core.notation import Part
from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.records.round import ENDS, Round
from lama_odds.games.dice.rules.position import (
    Counts,
    Opponent,
    Position,
    card_text,
    read_cards,
    unpack_hand,
)
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules, parse_rules
from lama_odds.games.dice.rules.transition import KINDS
from lama_odds.games.interface.records import CHOICE, LUCK, NOTHING, Record
from lama_odds.games.shared.record import (
    RecordReader,
    head_lines,
    numbers_line,
    scores_after,
    unfinished_round,
)

VERBS = {
    "quit": NOTHING,
    "roll": LUCK,
    "discard": CHOICE,
    "take": CHOICE,
}  # of a turn, and what follows them


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
    ends = ENDS

    def read_rules(self, text: str) -> DiceRules:
        """Return the rule set of an id."""
        return parse_rules(text)

    def next_first(self) -> tuple[int, str]:
        """Return the seat that starts the next round: the last one to act."""
        return self.state.last_actor, "the player who acted last in the round before"

    def statements(self) -> dict[str, Callable[[list[Part]], None]]:
        """Return the reader of the deal."""
        return {"deal": self._deal}

    def _deal(self, words: list[Part]) -> None:
        record = self.begun(words)
        if self.first is None or self.scores is None:
            raise words[0].fail("round and scores before the deal")
        if len(words) - 1 != record.players:
            raise words[0].fail(f"the hands of {record.players} players")
        hands = [read_cards(word, "deal") for word in words[1:]]
        for word, hand in zip(words[1:], hands, strict=True):
            if sum(hand) != record.rules.dealt:
                raise word.fail(f"{record.rules.dealt} cards")
        for kind in range(KINDS):
            if sum(hand[kind] for hand in hands) > record.rules.dealt_from[kind]:
                raise words[0].fail(f"at most {record.rules.dealt_from[kind]} cards {NAMES[kind]}")
        self.state = Round(record.rules, hands, self.scores, self.first)
        record.rounds.append(self.state)
        self.first = self.scores = None

    def turn(self, words: list[Part]) -> None:
        """Read a turn."""
        state = self.state
        if len(words) == 2 and words[1].text == "quit":
            state.quit()
            return
        if len(words) < 3 or words[1].text != "roll":
            raise words[0].fail("SEAT quit, or SEAT roll DICE with what follows")
        rolled = read_cards(words[2], "roll")
        what = state.roll(tuple(k for k in range(KINDS) for _ in range(rolled[k])))
        rest = words[3:]
        if what in ("llamas", "blown"):
            if [word.text for word in rest] != (["blown"] if what == "blown" else []):
                raise words[2].fail(
                    "three llamas alone" if what == "llamas" else "blown after the dice"
                )
        elif len(rest) == 2 and rest[0].text == "discard":
            state.discard(read_cards(rest[1], "discard"))
        elif len(rest) == 2 and rest[0].text == "take":
            state.take(_kind(rest[1]))
        elif rest:
            raise rest[0].fail("discard CARDS or take CARD")


def _kind(part: Part) -> int:
    if part.text not in tuple(NAMES):
        raise part.fail("one card, 1-6 or L")
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
