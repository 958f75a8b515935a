"""A round or game of cards as text: written, read, replayed.

A record has one statement in each line; cards are in the order 1, 1+, 2, … 6+, L, P::

    lama-odds record 1
    rules lama/party+drama
    players 2
    round 0 first 0
    scores 10 4
    pot 1 1 1 10
    deal 112+35L 225LLL
    top 6
    0 play L pays 10
    1 draw 4 takes 23
    0 play 1
    1 quit
    0 play 1
    0 play 2+
    0 play 3
    0 quit
    end quit
    penalties 5 21

``pot`` is there with the drama only. It lists what lies there, least tokens first: the order does
not matter for the rules, and any is read. After an action comes the token that a llama put on the
pot (``pays``), and the sum of a pot taken before it (``takes``). Both follow from the rules and may
be left out. A round recorded from one seat has ``deal ? 112+35L`` and ``1 draw ?`` for what is
hidden, and penalties that are entered. `games.shared.record` has the frame that all games share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from lama_odds.core.errors import ReadError
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.interface.capabilities import CHOICE, LUCK, NOTHING, Record, Recorded
from lama_odds.games.lama.engine import round_loop
from lama_odds.games.lama.jobs import Deal, deal_of, simulation
from lama_odds.games.lama.records.round import ENDS, Round, SeenRound, Tokens
from lama_odds.games.lama.rules import transition as turn
from lama_odds.games.lama.rules.feasibility import parse_position
from lama_odds.games.lama.rules.position import (
    NO_CARDS,
    Opponent,
    Past,
    Position,
    card_text,
    read_card,
    read_cards,
)
from lama_odds.games.lama.rules.ruleset import NAMES, Counts, LamaRules, parse_rules
from lama_odds.games.shared.decisions import viewer_of
from lama_odds.games.shared.measures import logged_game
from lama_odds.games.shared.record import (
    HIDDEN,
    STANDS,
    RecordReader,
    Refused,
    head_lines,
    numbers_line,
    scores_after,
    unfinished_round,
)
from lama_odds.games.shared.typed import Typed

# Of a turn, and what follows them.
VERBS = {"quit": NOTHING, "draw": LUCK, "play": CHOICE}


def write_record(
    rules: LamaRules,
    policies: Sequence[str],
    luck: tuple[int, int],
    deals: Sequence[Deal],
    log: Sequence[int],
    whole_game: bool,
) -> str:
    """Return the record of a kernel's log (see `round_loop.log_move`), replayed round by round.

    deals: of each round the hands and the opening card.
    """
    seats = len(policies)
    lines = head_lines(rules.id, policies, luck)
    scores, first, at, pot = [0] * seats, 0, 0, list[int]()
    for number, (hands, top) in enumerate(deals):
        state = Round(rules, list(hands), top, scores, first, pot)
        lines += [f"round {number} first {first}", numbers_line("scores", scores)]
        if rules.drama:
            lines.append(f"pot {' '.join(map(str, pot)) or '-'}")
        lines += [f"deal {' '.join(card_text(hand) for hand in hands)}", f"top {NAMES[top]}"]
        while state.ended is None:
            lines.append(replay_entry(state, int(log[at])))
            at += 1
        lines += [f"end {state.ended}", numbers_line("penalties", state.penalties)]
        scores, pot = scores_after(state), state.pot
        first = next_first(state, seats)[0]
    if whole_game:
        lines.append(numbers_line("final", scores))
    return "\n".join(lines) + "\n"


def next_first(state: Round, seats: int) -> tuple[int, str]:
    """Return the seat that starts the next round, and the reason."""
    if state.rules.starter == "rotate":
        return (state.first + 1) % seats, say("next in turn order")
    return state.last_actor, say("the player who acted last in the round before")


def replay_entry(state: Round, entry: int) -> str:
    """Carry out a logged decision on `state`; return its line."""
    seat, move, drawn = entry & 15, (entry >> 4 & 0xFF) + round_loop.AS_POLICY, entry >> 12
    shifts = state.rules.shifts
    if move == turn.QUIT:
        line, tokens = f"{seat} quit", state.quit()
    elif move == turn.DRAW:
        kind = shifts.index(drawn)
        line, tokens = f"{seat} draw {NAMES[kind]}", state.draw(kind)
    else:
        kind = shifts.index(move)
        line, tokens = f"{seat} play {NAMES[kind]}", state.play(kind)
    if tokens.paid:
        return f"{line} pays {tokens.paid}"
    return f"{line} takes {tokens.taken}" if tokens.taken else line


def read_record(text: str) -> Record:
    """Read and replay a record; see `games.shared.record.RecordReader.read`."""
    return Reader().read(text)


class Reader(RecordReader):
    """What a record of the card games adds: pot, deal, opening card and turns."""

    game = "lama"
    verbs = VERBS
    ends = ENDS

    def __init__(self) -> None:
        super().__init__()
        self.pot: list[int] | None = None
        self.hands: list[Counts] | None = None
        self.viewer: int | None = None

    def read_rules(self, text: str) -> LamaRules:
        """Return the rule set of an id."""
        return parse_rules(text)

    def next_first(self) -> tuple[int, str]:
        """Return the seat that starts the next round."""
        assert self.record is not None
        return next_first(self.state, self.record.players)

    def statements(self) -> dict[str, Callable[[list[Part]], None]]:
        """Return the readers of pot, deal and opening card."""
        return {"pot": self._pot, "deal": self._deal, "top": self._top, STANDS: self.stands}

    def stand(self, text: str) -> None:
        """Let the round be as a position says."""
        if self.viewer is None:
            raise Refused(
                say("all hands are known here: only a record of one seat may have stands")
            )
        position = parse_position(self.rules, text)
        hands = [sum(position.hand), *(other.cards for other in position.opponents)]
        quits = [False, *(other.quit for other in position.opponents)]
        self.state.stand(self.mine, position, self.in_order(hands), self.in_order(quits))

    def _pot(self, words: list[Part]) -> None:
        record = self.begun(words)
        if not record.rules.drama:
            raise words[0].fail(say("no pot: the drama is in play with +drama only"))
        if self.first is None or len(words) < 2:
            raise words[0].fail(say("round, then pot with its tokens, or - for none"))
        tokens = [] if [w.text for w in words[1:]] == ["-"] else words[1:]
        pot = [word.integer("pot") for word in tokens]
        worth = {1, record.rules.black} | ({record.rules.pink} if record.rules.twenty else set())
        for word, token in zip(tokens, pot, strict=True):
            if token not in worth:
                raise word.fail(say("a token of {worth}", worth=", ".join(map(str, sorted(worth)))))
        if self.state is not None and sorted(pot) != self.state.pot:
            expected = " ".join(map(str, self.state.pot)) or "-"
            raise words[0].fail(say("the pot as it was left: {tokens}", tokens=expected))
        self.pot = pot

    def _deal(self, words: list[Part]) -> None:
        record = self.begun(words)
        if self.first is None or self.scores is None:
            raise words[0].fail(say("round and scores before the deal"))
        if len(words) - 1 != record.players:
            raise words[0].fail(say("the hands of {players} players", players=record.players))
        self.viewer = viewer_of(words)
        hands = [
            NO_CARDS if word.text == HIDDEN else read_cards(word, "deal") for word in words[1:]
        ]
        for word, hand in zip(words[1:], hands, strict=True):
            if sum(hand) != record.rules.dealt and word.text != HIDDEN:
                raise word.fail(say("{dealt} cards", dealt=record.rules.dealt))
        self._check_kinds(words, hands)
        self.hands = hands

    def _check_kinds(self, words: list[Part], hands: list[Counts]) -> None:
        for kind, there in enumerate(self.rules.deck):
            if sum(hand[kind] for hand in hands) > there:
                name = NAMES[kind]
                holders = zip(words[1:], hands[1 - len(words) :], strict=True)
                word = [word for word, hand in holders if hand[kind]][-1]
                if there:
                    raise word.wrong(say("at most {cards} cards {card}", cards=there, card=name))
                at = word.at + max(0, word.text.find(name))
                raise ReadError(
                    say("found {text}, but {rules} has none", text=repr(name), rules=self.rules.id),
                    word.whole,
                    at,
                )

    def _top(self, words: list[Part]) -> None:
        record = self.begun(words)
        if self.hands is None or self.first is None or self.scores is None or len(words) != 2:
            raise words[0].fail(say("round, scores and deal, then top CARD"))
        top = read_card(words[1], "top")
        opened = tuple(int(kind == top) for kind in range(len(NAMES)))
        self._check_kinds(words, [*self.hands, opened])
        pot = self.pot
        if pot is None:
            pot = [] if self.state is None else self.state.pot
        begun = (record.rules, self.hands, top, self.scores, self.first, pot)
        self.state = Round(*begun) if self.viewer is None else SeenRound(self.viewer, *begun)
        record.rounds.append(self.state)
        self.first = self.scores = self.pot = self.hands = None

    def turn(self, words: list[Part]) -> None:
        """Read a turn."""
        what = [word.text for word in words[1:]]
        if what[:1] == ["quit"]:
            tokens, rest = self.state.quit(), words[2:]
        elif what[:2] == ["draw", HIDDEN]:
            tokens, rest = self.state.draw_unseen(), words[3:]
        elif what[:1] in (["play"], ["draw"]) and len(words) > 2:
            kind = read_card(words[2], what[0])
            act = self.state.play if what[0] == "play" else self.state.draw
            tokens, rest = act(kind), words[3:]
        else:
            raise words[min(1, len(words) - 1)].fail(
                say(
                    "SEAT play CARD, SEAT draw CARD (? for a card that you do not see) or SEAT quit"
                )
            )
        self._check_tokens(rest, tokens)

    def _check_tokens(self, rest: list[Part], tokens: Tokens) -> None:
        if not rest:
            return
        moved = {"pays": tokens.paid, "takes": tokens.taken}
        if len(rest) != 2 or rest[0].text not in moved:
            raise rest[0].fail(say("pays TOKEN, takes SUM or nothing more"))
        expected = moved[rest[0].text]
        if rest[1].integer(rest[0].text) != expected:
            raise rest[1].fail(f"{expected}")


def position_after(record: Record) -> Position:
    """Return what the seat to decide knows at the end of a record: every discard, no other hand."""
    state: Round = unfinished_round(record)
    seats = [(state.seat + step) % record.players for step in range(record.players)]
    opponents = tuple(
        Opponent(state.cards_of(seat), seat in state.quit_seats) for seat in seats[1:]
    )
    return Position(
        hand=state.hands[state.seat],
        top=state.top,
        opponents=opponents,
        pile=state.pile_size,
        seen=tuple(state.seen),
        pot=tuple(state.pot) if state.rules.drama else None,
        running=state.running,
        scores=tuple(state.scores[seat] for seat in seats),
        first=seats.index(state.first),
        past=None if state.stood else Past(state.seat, tuple(state.turns)),
    )


# What you type in the card games played along: ``5`` is ``play 5``.


class CardEntries(Typed):
    """The entries of the card games."""

    verbs = VERBS
    letters: ClassVar[Mapping[str, str]] = {"p": "play", "d": "draw", "q": "quit"}
    card = re.compile(r"[1-6]\+?|[LP]")
    follows = ("pays", "takes")
    one_hand = True

    def verb_of(self, word: str) -> str | None:
        """Return the verb of a letter; ``P`` is the pink llama, and ``p`` alone is ambiguous."""
        if word == "p":
            raise ReadError(say("play which card? p5 plays a 5, P (or pp) the pink llama"), word)
        return None if word == "P" else super().verb_of(word)

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of the record; cards that others draw at a table are hidden."""
        words = self.in_full(entry)
        if len(words) == 1 and not words[0].islower():
            return ["play", *words]
        if words == ["draw"] and state.viewer not in (None, state.seat):
            return ["draw", HIDDEN]
        return words


# How records of the card games are split into decisions.

RECORDED = Recorded(
    VERBS,
    Reader,
    luck=later("single draws are not separated"),
    shown_at_once=False,
)


# A simulated round or game as text.


def simulated_record(
    rules: LamaRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
) -> str:
    """Return a simulated round or game as text."""
    seats = len(policies)
    played, log = logged_game(simulation(rules, policies, rounds), seed, game, rounds)
    deals = [deal_of(rules, seats, seed, game, number) for number in range(played)]
    names = [policy.name for policy in policies]
    return write_record(rules, names, (seed, game), deals, log, not rounds)
