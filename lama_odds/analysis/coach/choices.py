"""What can be tapped now in a game at a table: entries found by asking whether each can be read.

No rule is written again: a game lists the words that may follow its verbs (`LivePlay.tapped`). Each
is offered if the record could be read with it.
"""

from __future__ import annotations

import copy
import functools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.session import Session, live_play_of
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.capabilities import NOTHING, Follows, LineReader
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.shared.decisions import Told, recorded_of
from lama_odds.games.shared.record import DEAL, ME, PENALTIES, Refused

# Advice that is computed while the player reads: begun at once, waited for, or dropped.

SECONDS = 1.0  # of sampling at most, where somebody waits
MOST = 16_384  # games at most, where nobody does: nothing depends on the clock then


class Dropped(Exception):
    """Raised in the thread of an advice that nobody wants any more."""


def limits_of(games: int | None, waits: bool) -> Limits:
    """How long to sample. games: exactly this number; waits: whether somebody is at a terminal."""
    if games is not None:
        return Limits(games=games)
    return Limits(seconds=SECONDS, clear=True) if waits else Limits(clear=True, most=MOST)


class Ahead:
    """The advice for the decision at hand of a session, computed in a thread of its own.

    when_ready: called in that thread with the advice, then again once its reasons are known, unless
    it was dropped before. seconds: what the advice has taken.
    """

    def __init__(
        self,
        session: Session,
        objective: str | None,
        limits: Limits,
        when_ready: Callable[[Advice], None],
    ) -> None:
        self.session = Session(session.game, session.rules, session.text)
        self.objective = objective
        self.limits = limits
        self.when_ready = when_ready
        self.seconds = 0.0
        self._found: Advice | None = None
        self._first = threading.Event()  # the advice is there, or an error; reasons come later
        self._error: LamaOddsError | None = None
        self._unwanted = threading.Event()
        self._thread = threading.Thread(target=copy_context().run, args=(self._run,), daemon=True)
        self._thread.start()

    def drop(self) -> None:
        """Nobody wants it any more: it ends soon, without a word."""
        self._unwanted.set()

    @property
    def dropped(self) -> bool:
        """Whether it was dropped."""
        return self._unwanted.is_set()

    def wait(self, reasons: bool = False) -> Advice:
        """The advice; raises what asking for it raises. Ctrl-C is heard meanwhile.

        reasons: wait for these too.
        """
        while self._thread.is_alive() and (reasons or not self._first.wait(0.1)):
            self._thread.join(0.1)
        if self._error is not None:
            raise self._error
        assert self._found is not None
        return self._found

    def _run(self) -> None:
        began = time.perf_counter()
        try:
            self._found = self.session.advice(self.objective, self.limits, self._tell)
            self.seconds = time.perf_counter() - began
            self._ready()
            self._found = self.session.with_reasons(self._found, self._tell)
            if self._found.reasons:
                self._ready()
        except Dropped:
            return
        except LamaOddsError as error:
            self._error = error
        finally:
            self._first.set()

    def _ready(self) -> None:
        assert self._found is not None
        self._first.set()
        if not self.dropped:
            self.when_ready(self._found)

    def _tell(self, _part: float, _what: str) -> None:
        """Called between the parts of the work: where it can be left."""
        if self.dropped:
            raise Dropped


# What is compiled or loaded before the first prompt of a game, so that nothing is in between.
#
# A short game of the same rules is played with all that a game may need. That is turns of the
# policies, rolls and draws, and advice of every kind: for points, margin and the chance to win,
# solved and sampled.

LEAST = 1_000  # games of an advice: its answer is not used
MOVES = 2  # of yours in a short game: a turn may take as many


def get_ready(session: Session, objective: str | None, progress: StageProgress | None) -> None:
    """Compile or load whatever advice and turns in this game can need."""
    game, rules, players = session.game, session.rules, len(session.policies)
    against = [policy for policy in session.policies if policy is not None]
    practice = live_play_of(game).practice(players)
    for done, text in enumerate(practice):
        if progress is not None:
            progress(done / (len(practice) + 1), "getting ready")
        with suppress(LamaOddsError):
            _ask(game, rules, game.position(rules, text), objective)
    if session.live.rounds is not None:
        session.live.rounds.counting(rules)
    if progress is not None:
        progress(len(practice) / (len(practice) + 1), "getting ready")
    _play_a_little(game, rules, players, against, session.seed)


def _ask(game: Game[R, P], rules: R, position: P, aim: str | None) -> None:
    """An answer that nobody reads; some positions cannot occur under options of the rules."""
    with suppress(LamaOddsError):
        advise(game, rules, position, objective=aim, limits=Limits(games=LEAST))


def _ask_at(session: Session) -> None:
    """An answer that nobody reads, after what has been done in the round."""
    with suppress(LamaOddsError):
        position = session.position()
        if position is not None:
            _ask(session.game, session.rules, position, None)


def _play_a_little(
    game: Game[R, P], rules: R, players: int, against: Sequence[Policy], seed: int
) -> None:
    """Some turns of a game against these policies, at a table against the strongest."""
    against = against or [game.best_policy(rules, players)] * (players - 1)
    session = Session.begin(game, rules, players, 0, against, seed)
    assert ME in session.record().policies
    for _ in against:
        session.advance()
        if session.over:
            return
        kinds = {action.split()[0]: action for action in session.actions()}
        for action in kinds.values():
            trial = Session(game, rules, session.text)
            trial.enter(action)
            trial.advance()
            _ask_at(trial)
            for _ in range(MOVES - 1):
                if not trial.over:
                    trial.enter(trial.actions()[0])
                    trial.advance()
                    _ask_at(trial)
    _ask(game, rules, session.position(), None)


@dataclass(frozen=True)
class Choice:
    """One thing that can be entered: a verb, and what follows it.

    takes: what follows; None if nothing does. Without a count exactly one of the options follows.
    count: that many of the options follow together (dice, or cards of a deal), or that many
    numbers, or that many places, each with one of the options (``11=3``).
    hands: a deal has that many hands, each of `count` cards. copies: of each option in a deal.
    rolls: the only combinations of dice, if not every one is possible.
    seats: of each option, whose it is (a tile that is stolen).
    places: where the cards of a deal can lie. bounds: the least and the most of each number.
    then: what follows the option.
    """

    verb: str
    takes: str | None = None
    options: tuple[str, ...] = ()
    count: int = 0
    hands: int = 0
    copies: Mapping[str, int] = field(default_factory=dict)
    rolls: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    bounds: tuple[tuple[int, int], ...] = ()
    then: Choice | None = None

    def as_json(self) -> dict[str, Any]:
        """The same as plain values; what says nothing is left out."""
        values: dict[str, Any] = {"verb": self.verb, "takes": self.takes}
        values |= {name: list(getattr(self, name)) for name in _LISTS if getattr(self, name)}
        if self.count or self.hands:
            values["count"] = self.count
        if self.hands:
            values |= {"hands": self.hands, "copies": dict(self.copies)}
        if self.then is not None:
            values["then"] = self.then.as_json()
        return values


_LISTS = ("options", "rolls", "seats", "places", "bounds")


def choices(session: Session) -> list[Choice]:
    """Return what can be entered now at a table, whichever seat acts.

    The turns of others are results where dice are rolled: nobody taps all their dice. It is empty
    at the end of a game, and if the game does not list what can be tapped.
    """
    live = session.live
    awaited, seat = session.awaited, session.seat()
    if not session.table or (awaited is None and seat is None) or live.tapped is None:
        return []
    follows = live.tapped(session.rules, len(session.policies))
    if awaited == PENALTIES:
        return [_penalties(session)]
    probe = _Probe(session)
    if awaited is not None:
        return list(_statement(probe, awaited, follows[awaited]))
    begins = not probe.open
    if begins and seat != session.me and (results := live.results(session.state)):
        return [*_without_dice(probe, follows), *_of_results(results, follows)]
    options: list[Choice] = []
    recorded = recorded_of(session.game)
    for verb, what in recorded.verbs.items():
        if begins and verb in recorded.results:
            continue
        if probe.allows(verb):
            options.append(Choice(verb))
        elif what != NOTHING and verb in follows:
            options += _with_words(probe, verb, follows[verb])
    return options


def _without_dice(probe: _Probe, follows: Mapping[str, Follows]) -> Iterator[Choice]:
    """Yield the verbs that need no dice, such as quitting."""
    for verb, what in recorded_of(probe.game).verbs.items():
        if what == NOTHING and verb not in follows and probe.allows(verb):
            yield Choice(verb)


def _of_results(
    results: Mapping[str, int | None], follows: Mapping[str, Follows]
) -> Iterator[Choice]:
    """Yield what a turn of unknown dice may come to, by verb."""
    for verb in dict.fromkeys(name.split()[0] for name in results):
        named = {name.split()[1]: seat for name, seat in results.items() if f"{verb} " in name}
        seats = tuple(seat for seat in named.values() if seat is not None)
        takes = follows[verb].takes if named else None
        yield Choice(verb, takes, tuple(named), seats=seats)


class _Probe(Session):
    """A session that is only asked whether an entry could be carried out; it never changes."""

    def __init__(self, session: Session) -> None:
        self.__dict__.update(session.__dict__)
        lines, self.open = self.text.splitlines(), self._open()
        self._known = lines[: len(lines) - self.open]
        self._reader = self._begun()
        session.prefix = self._known, self._reader

    def allows(self, entry: str) -> bool:
        """Whether the record could be read with this entry."""
        with suppress(ReadError):
            self._enter(entry)
            return True
        return False

    def named(self, verb: str) -> list[str]:
        """What follows a verb in the legal actions of the seat to act."""
        entries, state = self.live.entries, self.state
        actions = [entries.record_words(state, action.split()) for action in self.actions()]
        return [words[1] for words in actions if words[0] == verb and len(words) == 2]

    def _enter(self, entry: str) -> None:
        text, read = self.text, self._read
        try:
            super()._enter(entry)
        finally:
            self.text, self._read = text, read

    def _begun(self) -> LineReader:
        """A reader of all lines that an entry leaves unchanged."""
        before, reader = self.prefix or ([], None)
        if reader is None or self._known[: len(before)] != before:
            before, reader = self._known[:1], recorded_of(self.game).reader()
        for line in self._known[len(before) :]:
            reader.line(line)
        return reader

    def _extended(self, lines: Sequence[str]) -> str:
        """Read only the lines that are new or longer, with a copy of the reader."""
        record = self._reader.record
        same = [self.rules, *([] if record is None else [record.rules, *record.rounds[:-1]])]
        reader = _copied(self._reader, {id(part): part for part in same})
        try:
            for line in lines[len(self._known) :]:
                reader.line(line)
        except (Refused, LamaOddsError) as error:
            raise ReadError(str(error)) from None
        return "\n".join(lines) + "\n"


def _copied(value: Any, same: dict[int, Any]) -> Any:
    """A copy that shares what cannot change, as `copy.deepcopy` gives, but much faster.

    same: copies by the id of what they are copies of; what should be shared is its own copy.
    """
    kind: Any = type(value)
    if kind in _FIXED or isinstance(value, tuple):
        return value
    copied = same.get(id(value))
    if copied is not None:
        return copied
    if kind is list:
        copied = same[id(value)] = []
        copied += [part if type(part) in _FIXED else _copied(part, same) for part in value]
    elif _has_only_a_dict(kind):
        copied = same[id(value)] = object.__new__(kind)
        for name, part in value.__dict__.items():
            copied.__dict__[name] = part if type(part) in _FIXED else _copied(part, same)
    else:
        copied = copy.deepcopy(value, same)
    return copied


@functools.cache
def _has_only_a_dict(kind: Any) -> bool:
    """Whether all that objects of a class of ours hold is in their ``__dict__``."""
    plain = kind.__module__ != "builtins" and not issubclass(kind, (list, dict, set))
    slots = any(getattr(base, "__slots__", ()) for base in kind.__mro__)
    return plain and not slots and kind.__dictoffset__ != 0


# Tuples in a replayed record are of numbers and texts.
_FIXED = frozenset({int, str, bool, float, type(None), tuple, frozenset})


def _statement(probe: _Probe, name: str, follows: Follows) -> Iterator[Choice]:
    """Yield a statement before a turn: the cards of a deal, or the opening card."""
    if follows.dealt or name == DEAL:
        yield Choice(
            name,
            follows.takes,
            tuple(follows.options),
            count=follows.dealt,
            hands=follows.hands,
            copies=follows.copies,
            places=tuple(follows.places),
        )
    else:
        yield from _with_words(probe, name, follows)


def _penalties(session: Session) -> Choice:
    """Return the points that are entered when hidden cards are laid open."""
    state = session.now.rounds[-1]
    seats = range(len(session.policies))
    bounds = tuple(state.possible(seat) for seat in seats) if isinstance(state, Told) else ()
    return Choice(PENALTIES, "numbers", count=len(seats), bounds=bounds)


def _with_words(probe: _Probe, verb: str, follows: Follows) -> Iterator[Choice]:
    """Yield a verb with the words that can follow it."""
    if follows.dice:
        yield from _dice(probe, verb, follows)
        return
    options = follows.options or probe.named(verb)
    alone = tuple(option for option in options if probe.allows(f"{verb} {option}"))
    if alone:
        yield Choice(verb, follows.takes, alone)
    if follows.then is None:
        return
    # What may come then is the same after each option, so one option of each is tried.
    rest = [option for option in options if option not in alone]
    begun = f"{verb} {rest[0]}" if rest else ""
    more = tuple(m for m in follows.then.options if rest and probe.allows(f"{begun} {m}"))
    if more:
        both = tuple(option for option in rest if probe.allows(f"{verb} {option} {more[0]}"))
        yield Choice(verb, follows.takes, both, then=Choice("", follows.then.takes, more))


def _dice(probe: _Probe, verb: str, follows: Follows) -> Iterator[Choice]:
    """Yield a roll: the number of dice is the one that can be read."""
    if follows.rolls:
        if probe.allows(f"{verb} {follows.rolls[0]}"):
            options, rolls = tuple(follows.options), tuple(follows.rolls)
            yield Choice(verb, follows.takes, options, count=follows.dice, rolls=rolls)
        return
    for count in range(follows.dice, 0, -1):
        options = tuple(o for o in follows.options if probe.allows(f"{verb} {o * count}"))
        if options:
            yield Choice(verb, follows.takes, options, count=count)
            return
