"""A game played along: against policies, or entered at a table. Its record is its whole state.

Each entry becomes a line of the record, or part of one, and is kept only if the record can then be
read. So nothing impossible gets in, and you can go back to any moment of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.entries import in_short, of_entry, parts_of, without_line
from lama_odds.analysis.coach.reasons import with_reasons
from lama_odds.analysis.search import thinker_of, thinks_no_more
from lama_odds.core.errors import LimitError, ReadError, near_names
from lama_odds.core.language import say
from lama_odds.core.policies import SEARCH, Policy
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.capabilities import LivePlay, LiveRounds, Record, Situation, needed
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.decisions import (
    Told,
    by_result,
    decisions,
    is_turn,
    query_of,
    read_record,
    recorded_of,
    words_of,
)
from lama_odds.games.shared.record import (
    DEAL,
    ME,
    NO_NAME,
    PENALTIES,
    STANDS,
    head_lines,
    numbers_line,
)
from lama_odds.games.shared.typed import seat_of
from lama_odds.luck.stream import MAX_GAMES

# What a session of `play` needs besides its record: a game's turns, and errors in entries.


def live_play_of(game: AnyGame) -> LivePlay:
    """How a game is played along; LimitError if it cannot be."""
    return needed(
        game.live_play(),
        lambda: f"{game.name} cannot be played along with: use lama-odds advise",
    )


def name_of(line: str) -> str:
    """The first word of a line of a record."""
    return line.split()[0] if line.split() else ""


def _readable(game: AnyGame, lines: Sequence[str]) -> str:
    """The record of these lines; the error of one that cannot be read does not name its place."""
    text = "\n".join(lines) + "\n"
    try:
        read_record(game, text)
    except ReadError as error:
        raise ReadError(without_line(error), error.text, error.at, error.hints) from None
    return text


# What a policy that thinks at each decision does in a game played along.


def thought_of(
    game: AnyGame, record: Record, text: str, position: Any, policy: Policy, seed: int, step: int
) -> str:
    """Return the action that `search:GAMES` takes at a position, as `advise` names it.

    text: of the record. step: a number of its own for each moment of the game.
    """
    thinker = thinker_of(game, record.rules, record.players, policy, seed)
    query = query_of(game)
    actions = query.legal_actions(record.rules, position)
    if len(actions) == 1:
        return actions[0]
    player = query.player(record.rules, thinker.policies[0], record.players)
    turns = turns_of_round(text)
    usual = player.decides(Situation(0, position, turns), 0)
    if thinks_no_more(turns, record.players):
        return usual
    first = step * thinker.words % (MAX_GAMES - thinker.words)
    only = tuple(actions) if query.in_parts(position) else ()
    return thinker.pick(position, usual, first, only).action


def turns_of_round(text: str) -> int:
    """Return the turns of the last round of a record so far."""
    lines = takewhile(lambda line: not line.startswith("round "), reversed(text.splitlines()))
    return sum(map(is_turn, lines))


PLAYER = "player"
AT_TABLE = 1 << 38  # game indices of the game itself from here on: no advice plays them


@dataclass(frozen=True)
class Start:
    """How a game of people begins, if not from its start.

    names: by seat, empty for none. scores: by seat (No Prob-Lama: llamas), None for a new game.
    first: the seat that starts the round.
    """

    names: Sequence[str] = ()
    scores: Sequence[int] | None = None
    first: int = 0


class Session:
    """A game in progress.

    text: its record, which may stop anywhere in a turn. me: your seat. policies: by seat, None for
    yours; all None at a table.
    """

    def __init__(self, game: AnyGame, rules: Any, text: str) -> None:
        self.game = game
        self.rules = rules
        self.text = text
        record = self.record()
        self._read = text, record
        self.prefix: tuple[list[str], Any] | None = None  # lines that `choices` has read, and how
        if ME not in record.policies:
            raise ReadError(say("this record cannot be resumed: its policies name no seat 'me'"))
        self.me = record.policies.index(ME)
        self.table = PLAYER in record.policies
        self.policies = [
            None if name in (ME, PLAYER) else game.policy(name) for name in record.policies
        ]
        self.seed = record.luck[0] if record.luck else 0
        self.live, self.query = live_play_of(game), query_of(game)

    def at(self, lines: Sequence[str]) -> Session:
        """The same game with another record."""
        return Session(self.game, self.rules, "\n".join(lines) + "\n")

    @classmethod
    def begin(
        cls,
        game: AnyGame,
        rules: Any,
        players: int,
        me: int,
        against: Sequence[Policy] | None,
        seed: int,
        start: Start | None = None,
    ) -> Session:
        """A new game; against: the policies of the other seats in order, None at a table.

        start: of a game that is under way. Raises LimitError for a game that cannot be played
        along with, or be joined, and ReadError for a start that cannot be.
        """
        names = [policy.name for policy in against] if against is not None else [PLAYER] * players
        names = names[: players - 1]
        names.insert(me, ME)
        head = head_lines(rules.id, names, (seed, 0))
        if start is None:
            return cls(game, rules, "\n".join(head) + "\n")
        if start.names:
            head.append(" ".join(["names", *(name or NO_NAME for name in start.names)]))
        begun = cls(game, rules, _readable(game, head))
        if start.scores is not None or start.first:
            begun.text = _readable(game, [*head, *begun.joined(start)])
        return begun

    def joined(self, start: Start) -> list[str]:
        """The lines that open the round in which a game is joined."""
        rounds = self.live.rounds
        if rounds is None:
            raise LimitError(
                say(
                    "a game of {game} has no rounds that could be joined: begin it, and at your "
                    "turn enter stands centre=… stacks=…",
                    game=self.game.name,
                )
            )
        if unknown := rounds.unknown(self.rules):
            raise LimitError(
                say(
                    "a game of {rules} cannot be joined without {unknown}",
                    rules=self.rules.id,
                    unknown=say(unknown),
                )
            )
        lines = rounds.opening(self.now, 0, start.first)
        scores = [0] * self.now.players if start.scores is None else start.scores
        standing = recorded_of(self.game).standing
        return [
            numbers_line(name_of(line), scores) if name_of(line) in standing else line
            for line in lines
        ]

    def record(self) -> Record:
        """The record as it reads now."""
        return read_record(self.game, self.text)

    @property
    def now(self) -> Record:
        """The same, read once for each text: nothing may change it."""
        if self._read[0] != self.text:
            self._read = self.text, self.record()
        return self._read[1]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.now.final is not None

    @property
    def awaited(self) -> str | None:
        """The statement that is entered next at a table, before or after all turns; or None."""
        if not self.table or self.over:
            return None
        names = [name_of(line) for line in self.text.splitlines()]
        if names.count("round") == len(self.now.rounds):
            return PENALTIES if names[-1] == "end" and self.sees_one else None
        entered = list(self.live.on_screen.prompts)
        return entered[entered.index(names[-1]) + 1 if names[-1] in entered else 0]

    @property
    def sees_one(self) -> bool:
        """Whether only your cards are known."""
        return isinstance(self.state, Told)

    def seat(self) -> int | None:
        """The seat to act; None between rounds and at the end."""
        if self.over or self.awaited:
            return None
        state = self.state
        return None if state is None or getattr(state, "ended", None) else int(state.seat)

    @property
    def state(self) -> Any:
        """The round, or the table of a game without rounds; None before the first round."""
        record = self.now
        return record.rounds[-1] if record.rounds else record.state

    @property
    def seen(self) -> bool:
        """Whether I see what the seat to act knows."""
        return not self.sees_one or self.seat() == self.me

    def position(self) -> Any:
        """What the seat to act knows."""
        return self.game.position_after(self.rules, self.text)

    def actions(self) -> list[str]:
        """What the seat to act may do, as `advise` names it; nothing if I do not see its cards."""
        if not self.seen:
            return []
        return self.query.legal_actions(self.rules, self.position())

    def advice(
        self, objective: str | None, limits: Limits, progress: StageProgress | None = None
    ) -> Advice:
        """What `advise` says to the seat to act; exact, or sampled within these limits."""
        return advise(
            self.game,
            self.rules,
            self.position(),
            objective=objective,
            limits=limits,
            seed=self.seed,
            progress=progress,
        )

    def with_reasons(self, advice: Advice, progress: StageProgress | None = None) -> Advice:
        """That advice with its reasons."""
        return with_reasons(self.game, self.rules, self.position(), advice, progress=progress)

    def advance(self) -> list[str]:
        """Do what needs no entry of yours: deals, ends, the policies' turns, and forced actions
        (at a table only what must follow a roll that was entered).

        Returns the lines that are new or longer.
        """
        before = self.text.splitlines()
        self._settle()
        while self.table and (must := self._must()):
            self._enter_action(must.split(), must)
            self._settle()
        while not self.table and (seat := self.seat()) is not None:
            if seat == self.me:
                actions = self.actions()
                if len(actions) > 1:
                    break
                self._enter_action(actions[0].split(), actions[0])
            else:
                self._play_policy(seat)
            self._settle()
        return self._news(before)

    def _play_policy(self, seat: int) -> None:
        """Add the turn of a policy, or an action of one that thinks."""
        policy = self.policies[seat]
        assert policy is not None
        step = self._step()
        if policy.family is SEARCH:
            position = self.position()
            action = thought_of(self.game, self.now, self.text, position, policy, self.seed, step)
        elif self.live.policy_turn is not None:
            self._add(self.live.policy_turn(self.record(), policy, self.seed, step))
            return
        else:
            situation = Situation(0, self.position(), turns_of_round(self.text))
            word = int(words_of(self.seed, step, 1)[1, 0])
            player = self.query.player(self.rules, policy, len(self.policies))
            action = player.decides(situation, word)
        self._enter_action(action.split(), action)

    def enter(self, entry: str) -> list[str]:
        """Carry out what was typed: your action, or at a table what happens, with `;` between.

        Returns the lines that are new or longer. Raises ReadError with the reason and what is
        possible, and leaves all as it was.
        """
        text = self.text
        before = text.splitlines()
        try:
            for number, part in enumerate(parts_of(entry)):
                if number:
                    self.advance()
                self._enter(part)
        except ReadError:
            self.text = text
            raise
        return self._news(before)

    def _enter(self, entry: str) -> None:
        words = entry.split()
        if not words:
            raise ReadError(say("there is nothing between two semicolons"))
        if self.over:
            raise ReadError(say("the game is over"))
        awaited = self.awaited
        if awaited == DEAL:
            players = len(self.policies)
            dealt = getattr(self.rules, "dealt", 0)
            statement = self.live.entries.deal_words(self.me, players, words, dealt)
            self._add_told(statement)
        elif awaited is not None:
            statement = words[words[0].lower() == awaited :]
            if awaited == PENALTIES:
                statement = [piece for word in statement for piece in word.split(",") if piece]
            else:
                statement = [self.live.entries.cards_of(word) or word for word in statement]
            self._add_told([awaited, *statement])
        elif self.table and words[0].lower() == STANDS:
            self._add_told([STANDS, *words[1:]])
        else:
            me = f"#{self.me + 1}" if self.table else ""
            typed = in_short(entry, self.live.entries.letters.values(), me)
            (self._enter_turn if self.table else self._enter_action)(typed, " ".join(typed))

    def undo(self) -> None:
        """Take your last decision back (at a table: the last entry), and all that followed."""
        lines = self.text.splitlines()
        if self.table:
            names = {*self.live.on_screen.prompts, STANDS}
            names -= {PENALTIES} if not self.sees_one else set()
            places = [i for i, line in enumerate(lines) if is_turn(line) or name_of(line) in names]
            last = lines[places[-1]] if places else ""
            whole = name_of(last) in (DEAL, STANDS) or by_result(recorded_of(self.game), last)
            if self.game.hidden_cards or whole:
                if not places:
                    raise ReadError(say("nothing can be taken back: nothing has been entered"))
                self.text = "\n".join(lines[: places[-1]]) + "\n"
                return
        mine = [
            d
            for d in decisions(self.game, self.rules, self.text)
            if (self.table and d.chosen in self.live.shows)
            or (
                (self.table or d.seat == self.me)
                and len(self.query.legal_actions(self.rules, d.position)) > 1
            )
        ]
        if not mine:
            raise ReadError(say("nothing can be taken back: no decision has been made"))
        self.text = mine[-1].before + "\n"

    def _must(self) -> str:
        """At a table, the only action that a roll leaves; nothing if there are several."""
        if self.over or self.seat() is None or not self.seen or not self._open():
            return ""
        actions = self.actions()
        return actions[0] if len(actions) == 1 and actions[0] not in self.live.shows else ""

    def _enter_action(self, words: list[str], entry: str) -> None:
        state = self.state
        actions = self.actions()
        entries = self.live.entries
        by_words = {tuple(entries.action_words(state, a.split())): a for a in actions}
        typed = entries.action_words(state, words)
        name = by_words.get(tuple(typed))
        if name is None:
            hints = (f"  possible: {', '.join(actions)}",)
            try:
                self._extended(self._line(typed))
            except ReadError as error:
                raise of_entry(error, typed, hints) from None
            raise ReadError(
                say("{entry} is not an action here", entry=repr(entry.strip())),
                None,
                0,
                near_names(" ".join(words), actions) + hints,
            )
        shown = self.live.luck_of(self.record(), name, self.seed, self._step())
        self._take([*typed, *([shown] if shown else [])])

    def _enter_turn(self, words: list[str], entry: str) -> None:
        named = seat_of(words[0])
        if len(words[0]) == 1 and words[0] in "0123456789" and len(words) > 1:
            named = int(words[0])
        if named is not None:
            if named != self.seat():
                acts, other = (say("seat {seat}", seat=at) for at in (self.seat(), named))
                message = say("{player} is to act, not {other}", player=acts, other=other)
                raise ReadError(message, entry, 0)
            words = words[1:]
            if not words:
                raise ReadError(say("what happens is missing"), entry, len(entry))
        words = self.live.entries.record_words(self.state, words)
        if shown := self.live.shows.get(words[-1]):
            example = f"{words[-1]} {shown.upper()}"
            what = say("name the {shown} too: {example}", shown=say(shown), example=example)
            raise ReadError(what, entry, len(entry))
        self._take(words)

    def _take(self, words: list[str]) -> None:
        """Add the words of a turn, and one that goes without saying (`LivePlay.implied`)."""
        lines = self._line(words)
        try:
            self.text = self._extended(lines)
        except ReadError as error:
            with suppress(ReadError):
                for verb, more in self.live.implied.items():
                    if verb in words and words[-1] != more:
                        self.text = self._extended([*lines[:-1], f"{lines[-1]} {more}"])
                        return
            raise of_entry(error, words) from None

    def _line(self, words: Sequence[str]) -> list[str]:
        """The lines of the record once these words are added to the turn."""
        lines = self.text.splitlines()
        if self._open():
            return [*lines[:-1], f"{lines[-1]} {' '.join(words)}"]
        return [*lines, f"{self.seat()} {' '.join(words)}"]

    def _open(self) -> bool:
        """Whether the last line is a turn that is not over."""
        record = self.now
        if record.rounds:
            return getattr(record.rounds[-1], "pending", None) is not None
        return record.state is not None and bool(record.state.open_turn)

    def _extended(self, lines: Sequence[str]) -> str:
        text = "\n".join(lines) + "\n"
        self._read = text, read_record(self.game, text)
        return text

    def _add(self, line: str) -> None:
        self.text = self._extended([*self.text.splitlines(), line])

    def _add_told(self, words: Sequence[str]) -> None:
        try:
            self._add(" ".join(words))
        except ReadError as error:
            raise of_entry(error, words) from None

    def _step(self) -> int:
        """A number of its own for each moment of the game: where its random numbers are read."""
        words = sum(len(line.split()) for line in self.text.splitlines() if is_turn(line))
        return AT_TABLE + words

    def _settle(self) -> None:
        """Add what follows by itself: a bust, the end of a round or game, the next round."""
        if self.over or self.awaited:
            return
        rounds = self.live.rounds
        if rounds is None:
            self._settle_turn()
            return
        record = self.now
        if not record.rounds:
            self._open_round(record, rounds, 0)
            return
        state = record.rounds[-1]
        if state.ended is None:
            return
        if is_turn(self.text.splitlines()[-1]):
            self._add(f"end {state.ended}")
            if self.sees_one:
                return
            self._add(numbers_line(PENALTIES, state.penalties))
            record = self.now
        if record.outcome is not None:
            self._add(numbers_line("final", record.outcome))
        else:
            self._open_round(record, rounds, rounds.next_first(record))

    def _settle_turn(self) -> None:
        """Add what follows by itself in a game without rounds."""
        words = self.live.closing(self.record())
        if words:
            self.text = self._extended(self._line(words))
        if self.now.outcome is not None:
            self._add(numbers_line("final", self.now.outcome))

    def _open_round(self, record: Record, rounds: LiveRounds, first: int) -> None:
        number = len(record.rounds)
        lines = rounds.opening(record, number, first)
        if not self.table:
            lines += rounds.dealt(self.rules, record.players, self.seed, AT_TABLE, number)
        self.text = self._extended([*self.text.splitlines(), *lines])

    def _news(self, before: Sequence[str]) -> list[str]:
        """The lines that are new or longer."""
        after = self.text.splitlines()
        same = sum(a == b for a, b in zip(before, after, strict=False))
        return after[same:]


# Take one step of a turn back, where a turn is entered in several steps.


def step_back(session: Session) -> None:
    """Take the last step at a table back, and all that followed by itself.

    `Session.undo` may take a whole turn back. Then its earlier steps are kept, unless the step
    taken back would follow from them by itself. Raises ReadError if nothing was entered.
    """
    before = session.text
    session.undo()
    kept, lines = session.text.splitlines(), before.splitlines()
    words = lines[len(kept)].split() if len(kept) < len(lines) else []
    verbs = recorded_of(session.game).verbs
    steps = [at for at, word in enumerate(words) if word in verbs]
    if len(steps) > 1 and is_turn(lines[len(kept)]):
        earlier = session.at([*kept, " ".join(words[: steps[-1]])])
        earlier.advance()
        if earlier.text != before:
            session.text = earlier.text
    session.advance()
