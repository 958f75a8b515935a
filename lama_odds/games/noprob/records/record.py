"""A round or game of No Prob-Lama as text: written, read, replayed.

A record has one statement in each line::

    lama-odds record 1
    rules noprob/starnberger
    players 2
    round 0 first 0
    llamas 0 0
    target 3
    deal 3,5,-1/4,4,J/10,D,3 9,8,8/-2,J,3/4,4,K
    top 4
    0 draw 5 replace 1,2 turns 5
    1 take 5 replace 3,3 turns K
    0 draw D give 1
    1 draw 7 discard
    0 draw 4

``turns`` names the card that was replaced; a last turn may be ``pass``. A record may stop with a
card in hand: the next decision is then its use. A round ends with lines such as ``end done`` (or
``empty``) and ``penalties 12 -3``.

A round recorded from one seat has ``deal ? (3),?,…`` for what is hidden, ``turns`` for every card
turned up, and penalties that are entered. Instead of ``?``, ``*,*,?/?,?,?/?,?,?`` tells which cards
another player has looked at. With four_rounds, ``scores`` replaces llamas and target.
`games.shared.record` has the frame that all games share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from lama_odds.core.errors import ReadError
from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.interface.capabilities import (
    CHOICE,
    LUCK,
    NOTHING,
    Record,
    Recorded,
    as_written,
    highest_wins,
    lowest_wins,
)
from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY
from lama_odds.games.noprob.engine.round_loop import NO_PLACE
from lama_odds.games.noprob.jobs import Deal, deal_of, simulation
from lama_odds.games.noprob.records.round import ENDS, TAKEN, Round, SeenRound
from lama_odds.games.noprob.rules.feasibility import parse_position
from lama_odds.games.noprob.rules.position import (
    LOOKED,
    Grid,
    Past,
    Position,
    grid_text,
    read_card,
    read_cell,
    read_grid,
    read_looked,
)
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules, parse_rules
from lama_odds.games.noprob.rules.transition import DRAMA, UNKNOWN
from lama_odds.games.shared.decisions import viewer_of
from lama_odds.games.shared.measures import logged_game
from lama_odds.games.shared.record import (
    HIDDEN,
    STANDS,
    RecordReader,
    Refused,
    head_lines,
    numbers_line,
    one_word,
    unfinished_round,
)
from lama_odds.games.shared.typed import Typed, seat_of

# Of a turn, and what follows them.
VERBS = {
    **{"draw": LUCK, "take": LUCK, "pass": NOTHING},
    **{"replace": CHOICE, "discard": NOTHING, "give": CHOICE},
}


@dataclass
class Standing:
    """The standing of a game between rounds."""

    rules: NoprobRules
    llamas: list[int]
    totals: list[int]
    target: int
    rounds: int = 0
    final: list[int] | None = field(default=None)

    @classmethod
    def at_start(cls, rules: NoprobRules, players: int, llamas: Sequence[int] = ()) -> Standing:
        """Return the standing before the first round. llamas: of a game that was joined then."""
        begun = list(llamas) or [0] * players
        return cls(rules, begun, [0] * players, rules.target_of(players))

    def settle(self, penalties: list[int]) -> None:
        """Count a round that has ended; `final` is set when the game has."""
        self.rounds += 1
        self.totals = [a + b for a, b in zip(self.totals, penalties, strict=True)]
        if self.rules.four_rounds:
            self.final = self.totals if self.rounds == self.rules.rounds else None
            return
        lowest = min(penalties)
        self.llamas = [n + (p == lowest) for n, p in zip(self.llamas, penalties, strict=True)]
        if self.rules.any_tie and penalties.count(lowest) > 1 and self._reached():
            self.target += 1
        while self._reached() > 1:
            self.target += 1
        self.final = self.llamas if self._reached() else None

    def _reached(self) -> int:
        return sum(n >= self.target for n in self.llamas)

    def lines(self) -> list[str]:
        """Return the standing as lines of a record."""
        if self.rules.four_rounds:
            return [numbers_line("scores", self.totals)]
        return [numbers_line("llamas", self.llamas), f"target {self.target}"]


def write_record(
    rules: NoprobRules,
    policies: Sequence[str],
    luck: tuple[int, int],
    deal_of: Callable[[int], Deal],
    log: Sequence[int],
    whole_game: bool,
) -> str:
    """Return the record of a kernel's log (see `round_loop.log_turn`), replayed round by round.

    deal_of: grids and opening card of a round. A round that was broken off has no end.
    """
    players = len(policies)
    lines = head_lines(rules.id, policies, luck)
    standing, at = Standing.at_start(rules, players), 0
    while at < len(log):
        number = standing.rounds
        grids, top = deal_of(number)
        state = Round(rules, list(grids), top, number % players)
        lines += [f"round {number} first {number % players}", *standing.lines()]
        dealt = [grid_text(rules.names, Grid(grid, (True,) * 9)) for grid in grids]
        lines += [f"deal {' '.join(dealt)}", f"top {rules.names[top]}"]
        while state.ended is None and at < len(log):
            lines.append(replay_entry(state, int(log[at])))
            at += 1
        if state.ended is None:
            break
        lines += [f"end {state.ended}", numbers_line("penalties", state.penalties)]
        standing.settle(state.penalties)
    if whole_game and standing.final is not None:
        lines.append(numbers_line("final", standing.final))
    return "\n".join(lines) + "\n"


def replay_entry(state: Round, entry: int) -> str:
    """Carry out a logged turn on `state`; return its line."""
    seat, source, kind = entry & 15, entry >> 4 & 15, entry >> 8 & 15
    place = entry >> 12 & 15
    names = state.rules.names
    if source == PASS:
        state.skip()
        return f"{seat} pass"
    if source == DRAW:
        state.draw(kind)
    else:
        state.take(kind)
    line = f"{seat} {'draw' if source == DRAW else 'take'} {names[kind]}"
    if kind >= DRAMA:
        state.give(kind, place)
        return f"{line} give {place}"
    if place == PUT_AWAY:
        state.put_away(kind)
        return f"{line} discard"
    replaced = state.replace(kind, place)
    assert entry >> 16 in (replaced, NO_PLACE)
    return f"{line} replace {place // 3 + 1},{place % 3 + 1} turns {names[replaced]}"


def read_record(text: str) -> Record:
    """Read and replay a record; see `games.shared.record.RecordReader.read`."""
    return Reader().read(text)


class Reader(RecordReader):
    """What a record of No Prob-Lama adds: standing, deal, opening card and turns."""

    game = "noprob"
    verbs = VERBS
    ends = ENDS
    final_said = later(
        "the scores at the end of the game: llamas, or sums of the rounds with four_rounds"
    )

    def __init__(self) -> None:
        super().__init__()
        self.standing: Standing | None = None
        self.told: set[str] = set()
        self.grids: list[tuple[int, ...]] | None = None
        self.viewer: int | None = None
        self.looked: tuple[int, ...] = ()

    def read_rules(self, text: str) -> NoprobRules:
        """Return the rule set of an id."""
        return parse_rules(text)

    def begin(self, count: int) -> Record:
        """Return a record for this number of players."""
        self.standing = Standing.at_start(self.rules, count)
        return Record(self.rules, count)

    def next_first(self) -> tuple[int, str]:
        """Return the seat that starts the next round."""
        if self._settled().final is not None:
            raise Refused(say("the game is over: final, and nothing more"))
        return (self.state.first + 1) % self.state.players, say("next in turn order")

    def statements(self) -> dict[str, Callable[[list[Part]], None]]:
        """Return the readers of standing, deal and opening card."""
        return {
            "llamas": self._standing,
            "target": self._standing,
            "scores": self._standing,
            "deal": self._deal,
            "top": self._top,
            STANDS: self.stands,
        }

    def stand(self, text: str) -> None:
        """Let the round be as a position says; its llamas follow from the rounds before."""
        if self.viewer is None:
            raise Refused(
                say("all cards are known here: only a record of one seat may have stands")
            )
        position, standing = parse_position(self.rules, text), self._settled()
        grids = self.in_order(position.grids)
        for given, kept in ((position.llamas, standing.llamas), (position.totals, standing.totals)):
            if given is not None and self.in_order(given) != kept:
                raise Refused(f"by the rounds before it is {','.join(map(str, kept))}, by seat")
        self.state.stand(self.mine, position, grids)

    def _settled(self) -> Standing:
        """Return the standing after every round that has ended, even without a line for its end."""
        assert self.standing is not None
        assert self.record is not None
        rounds = self.record.rounds
        if rounds and rounds[-1].ended and self.standing.rounds < len(rounds):
            self.standing.settle(rounds[-1].penalties)
        return self.standing

    def _standing(self, words: list[Part]) -> None:
        """Check the standing, which follows from the rounds before."""
        record = self.begun(words)
        if self.first is None:
            raise words[0].fail(say("round before its standing"))
        if words[0].text == "llamas" and not record.rounds and not self.rules.four_rounds:
            self._joined(words, record)
        expected = {line.split()[0]: line.split()[1:] for line in self._settled().lines()}
        name = words[0].text
        if name not in expected:
            raise words[0].fail(" and ".join(expected) + f", {self.rules.id}")
        if [word.text for word in words[1:]] != expected[name]:
            raise words[-1].fail(f"the standing that follows: {' '.join(expected[name])}")

    def _joined(self, words: list[Part], record: Record) -> None:
        """Read the llamas before the first round of a record: the game may have begun before."""
        most = self.rules.target_of(record.players) - 1
        llamas = self.integers(words, record.players)
        for word, number in zip(words[1:], llamas, strict=True):
            if not 0 <= number <= most:
                raise word.fail(say("0 to {most} llamas", most=most))
        record.start = tuple(llamas)
        self.standing = Standing.at_start(self.rules, record.players, record.start)

    def _deal(self, words: list[Part]) -> None:
        record = self.begun(words)
        if self.first is None:
            raise words[0].fail(say("round before the deal"))
        if len(words) - 1 != record.players:
            raise words[0].fail(say("the grids of {players} players", players=record.players))
        self.looked = tuple(read_looked(self.rules, word) for word in words[1:])
        words = [Part(w.whole, HIDDEN, w.at) if LOOKED in w.text else w for w in words]
        self.viewer = viewer_of(words)
        self.grids = [self._dealt(word) for word in words[1:]]
        self._check_kinds(words, [])

    def _dealt(self, word: Part) -> tuple[int, ...]:
        """Return a dealt grid; if only one seat's cards are known, with those that it looked at."""
        if word.text == HIDDEN:
            return (UNKNOWN,) * CELLS
        grid = read_grid(self.rules, word, "deal", bracketed=self.viewer is not None)
        if self.viewer is None and grid.hidden:
            raise word.fail(say("nine cards, all known"))
        if self.viewer is not None and (any(grid.up) or CELLS - grid.hidden > self.rules.peeks):
            known = self.rules.peeks
            raise word.fail(say("cards face down, at most {cards} known: (7)", cards=known))
        return grid.cards

    def _check_kinds(self, words: list[Part], more: list[int]) -> None:
        assert self.grids is not None
        cards = [kind for grid in self.grids for kind in grid] + more
        for kind, there in enumerate(self.rules.deck):
            if cards.count(kind) > there:
                name = self.rules.names[kind]
                raise words[0].fail(say("at most {cards} cards {card}", cards=there, card=name))

    def _top(self, words: list[Part]) -> None:
        record = self.begun(words)
        if self.grids is None or self.first is None:
            raise words[0].fail(say("round and deal, then top CARD"))
        top = read_card(self.rules, one_word(words), "top")
        self._check_kinds(words, [top])
        begun = (record.rules, self.grids, top, self.first)
        if self.viewer is None:
            self.state = Round(*begun)
        else:
            self.state = SeenRound(self.viewer, *begun, self.looked)
        record.rounds.append(self.state)
        self.first = self.grids = None

    def turn(self, words: list[Part]) -> None:
        """Read a turn."""
        state: Round = self.state
        what = [word.text for word in words[1:]]
        if what == ["pass"]:
            state.skip()
            return
        if len(words) < 3 or what[0] not in ("draw", "take"):
            raise words[min(1, len(words) - 1)].fail(
                say("SEAT draw CARD …, SEAT take CARD … or SEAT pass")
            )
        kind = read_card(self.rules, words[2], what[0])
        # Errors of the line are found first: a turn that cannot be changes nothing.
        place = self._place(words, kind) if len(words) > 3 else None
        act = state.draw if what[0] == "draw" else state.take
        act(kind)
        if place is None:
            return  # the card is in hand
        if what[2] == "give":
            state.give(kind, place)
        elif what[2] == "discard":
            state.put_away(kind)
        else:
            self._replace(words, kind, place)

    def _replace(self, words: list[Part], kind: int, cell: int) -> None:
        turned = read_card(self.rules, words[6], "turns") if len(words) == 7 else None
        if self.viewer is not None:
            self.state.turn_up(cell, turned)
        replaced = self.state.replace(kind, cell)
        if turned not in (None, replaced):
            card, where = self.rules.names[replaced], f"row {cell // 3 + 1}, column {cell % 3 + 1}"
            raise words[6].wrong(say("{card}: {cell} holds {card}", card=card, cell=where))

    def _place(self, words: list[Part], kind: int) -> int:
        """Return the seat or cell that a card goes to, or refuse the line."""
        verb, source = words[3], words[1].text
        if verb.text == "give" and len(words) == 5:
            if kind < DRAMA:
                raise verb.fail(say("replace ROW,COLUMN or discard: only specials are given"))
            seat = words[4].integer("give")
            if not 0 <= seat < self.state.players or seat == self.state.seat:
                raise words[4].fail(say("another seat, 0 to {last}", last=self.state.players - 1))
            return seat
        if kind >= DRAMA:
            raise verb.fail(say("give SEAT"))
        if verb.text == "discard" and len(words) == 4:
            if source == "take":
                raise verb.fail(say("replace ROW,COLUMN: a card taken must replace another"))
            return PUT_AWAY
        if verb.text != "replace" or len(words) not in (5, 7):
            raise verb.fail(say("replace ROW,COLUMN [turns CARD], discard, or give SEAT"))
        if len(words) == 7 and words[5].text != "turns":
            raise words[5].fail(say("turns CARD"))
        return read_cell(words[4])

    def final_scores(self) -> list[int] | None:
        """Return what ``final`` must say; None before the end of the game."""
        return self._settled().final


def standing_after(record: Record, rounds: int) -> Standing:
    """Return the standing after a number of rounds of a record."""
    standing = Standing.at_start(record.rules, record.players, record.start)
    for played in record.rounds[:rounds]:
        standing.settle(played.penalties)
    return standing


def position_after(record: Record) -> Position:
    """Return what the seat to decide knows at the end of a record.

    It knows its own hidden cards that it looked at. Discards put back into the pile are forgotten:
    they are not among the cards seen.
    """
    state: Round = unfinished_round(record)
    rules: NoprobRules = record.rules
    standing = standing_after(record, len(record.rounds) - 1)
    seats = [(state.seat + step) % record.players for step in range(record.players)]
    grids = [_seen_by(state, state.seat, seat) for seat in seats]
    llamas = tuple(standing.llamas[seat] for seat in seats)
    return Position(
        names=rules.names,
        grids=tuple(grids),
        top=state.discards[-1] if state.discards else None,
        pile=state.pile_size,
        seen=tuple(kind for kind in reversed(state.discards[:-1]) if kind != UNKNOWN),
        drawn=state.pending[1] if state.pending else None,
        taken=state.pending is not None and state.pending[0] == TAKEN,
        last=state.last,
        llamas=None if rules.four_rounds else llamas,
        target=None if rules.four_rounds else standing.target,
        totals=tuple(standing.totals[seat] for seat in seats) if rules.four_rounds else None,
        round=standing.rounds + 1 if rules.four_rounds else None,
        first=seats.index(state.first),
        past=None if state.stood else _past(state),
    )


def _past(state: Round) -> Past:
    """Return a round so far, as everybody has seen it."""
    looked = [0 if seat == state.seat else state.looked_at(seat) for seat in range(state.players)]
    return Past(
        seat=state.seat,
        top=state.opening,
        looked=tuple(looked),
        turns=tuple(state.log),
        closed=tuple(state.unseen),
    )


def _seen_by(state: Round, viewer: int, seat: int) -> Grid:
    """Return the grid of a seat as another, or itself, knows it."""
    cards = tuple(
        kind if up or (seat == viewer and state.knows(seat, cell)) else UNKNOWN
        for cell, (kind, up) in enumerate(zip(state.hands[seat], state.up[seat], strict=True))
    )
    return Grid(cards, tuple(state.up[seat]), tuple(sorted(state.beside[seat])))


# What you type in No Prob-Lama played along.
#
# ``d5 12 7`` is ``draw 5 replace 1,2 turns 7``; ``t 12 7`` takes the top discard, which needs no
# name. The deal is ``11=3 12=7 #2:11,12``: cards that you looked at, and where player 2 did.

_CELL = re.compile(r"([1-3]),?([1-3])")
_LOOKED = re.compile(r"#(\d+):(.*)")


class GridEntries(Typed):
    """The entries of No Prob-Lama."""

    verbs = VERBS
    letters: ClassVar[Mapping[str, str]] = {
        **{"d": "draw", "t": "take", "p": "pass"},
        **{"r": "replace", "x": "discard", "g": "give"},
    }
    card = re.compile(r"10|-[125]|[3-9JDK]")
    follows = ("turns", "to")

    def takes_cards(self, word: str) -> bool:
        """Return whether a card follows: a verb that names one, or a cell whose card is turned
        up.
        """
        return word in ("draw", "take", "turns") or _CELL.fullmatch(word) is not None

    def record_words(self, state: Any, entry: Sequence[str]) -> list[str]:
        """Return the words of the record: the source of a card, and its use."""
        words = self.in_full(entry)
        begun: list[str] = []
        if state.pending is None:
            if words[0] not in ("draw", "take"):
                return words
            begun, words = [words[0]], words[1:]
            top = state.rules.names[state.discards[-1]] if state.discards else HIDDEN
            if begun == ["take"] and words[:1] != [top]:
                begun.append(top)
            else:
                begun, words = begun + words[:1], words[1:]
        return [*begun, *_use(state, words)]

    def hands_of(self, words: Sequence[str], players: int, dealt: int) -> list[str]:
        """Return grids, or the cells that you looked at, each with its card: ``11=3 12=7``."""
        return list(words) if any("/" in word for word in words) else [self._grid(words)]

    def deal_words(self, me: int, players: int, words: Sequence[str], dealt: int) -> list[str]:
        """Return the words of a deal: your cards, and cells that others looked at: ``#2:11,12``."""
        looked = [one for word in words if (one := _LOOKED.fullmatch(word))]
        mine = [word for word in words if not _LOOKED.fullmatch(word)]
        deal = super().deal_words(me, players, mine, dealt)
        for match in looked:
            seat = int(match[1]) - 1
            if not 0 <= seat < players or seat == me:
                raise ReadError(
                    say(
                        "found player {player}, expected another of {players} players",
                        player=match[1],
                        players=players,
                    ),
                    match[0],
                )
            if deal[1 + seat] != HIDDEN:
                raise ReadError(say("player {player} is there twice", player=match[1]), match[0])
            deal[1 + seat] = _looked_at(match)
        return deal

    def _grid(self, words: Sequence[str]) -> str:
        """Return a grid face down with some cells known: ``11=3`` in each word."""
        cells = ["?"] * 9
        for word in words:
            place, _, card = word.partition("=")
            cell = _CELL.fullmatch(place)
            if cell is None or not card:
                expected = say("a cell and its card, such as 12=7: row 1, column 2")
                raise Part(word, word, 0).wrong(expected)
            row, column = map(int, cell.groups())
            cells[3 * row + column - 4] = f"({self.cards_of(card) or card})"
        return "/".join(",".join(cells[at : at + 3]) for at in (0, 3, 6))


def _looked_at(match: re.Match[str]) -> str:
    """Return a grid of which only the cells are known that its player has looked at."""
    cells = ["?"] * 9
    for place in match[2].split(","):
        cell = _CELL.fullmatch(place)
        if cell is None:
            expected = say("a cell such as 12: row 1, column 2")
            raise Part(match[0], place, 0).wrong(expected)
        cells[3 * int(cell[1]) + int(cell[2]) - 4] = LOOKED
    return "/".join(",".join(cells[at : at + 3]) for at in (0, 3, 6))


def _use(state: Any, words: list[str]) -> list[str]:
    """Return the use of a card: replace a cell, or give a special to a seat."""
    if words[:1] == ["replace"]:
        words = words[1:] or words  # a place that is missing: the record says so
    elif words[:1] == ["give"]:
        seat = seat_of(words[-1])
        if seat is not None:
            return ["give", str(seat)]
        if len(words) == 4 and words[2] == "to" and words[3].isdigit():
            return ["give", str((state.seat + int(words[3])) % state.players)]
        return words
    cell = _CELL.fullmatch(words[0]) if words else None
    if cell is None:
        return words
    turned = words[1:] if len(words) != 2 else ["turns", words[1]]
    return ["replace", ",".join(cell.groups()), *turned]


# How records of No Prob-Lama are split into decisions.


def named(position: Any, words: Sequence[str], at: int) -> str:
    """Return a choice in the agreed notation: seats that get a special are counted from the
    giver.
    """
    if words[at] != "give":
        return as_written(position, words, at)
    return f"give {words[2]} to {(int(words[at + 1]) - int(words[0])) % position.players}"


def ranked(record: Record) -> list[Any]:
    """Return llamas by seat; in games of four rounds, points negated."""
    return lowest_wins(record) if record.rules.four_rounds else highest_wins(record)


RECORDED = Recorded(
    VERBS,
    Reader,
    luck=later("of own cards from the pile, if the player decides on them at once"),
    named=named,
    ranked=ranked,
    fewer=3,
    standing=("scores", "llamas"),
)


# A simulated round or game as text.


def simulated_record(
    rules: NoprobRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
) -> str:
    """Return a simulated round or game as text."""
    seats = len(policies)
    _, log = logged_game(simulation(rules, policies, rounds), seed, game, rounds)
    names = [policy.name for policy in policies]
    deals = partial(deal_of, rules, seats, seed, game)
    return write_record(rules, names, (seed, game), deals, log, not rounds)
