"""A game played along: against policies, or told from a table. The record is all there is of it.

Whatever is entered becomes a line of the record, or part of one, and stands if the record with it
reads; so nothing impossible gets in, and any moment of the game can be gone back to.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from lama_odds.analysis.advise import Advice, advise
from lama_odds.analysis.rollouts import Limits
from lama_odds.core.errors import LimitError, ReadError, near_names
from lama_odds.core.policies import Policy
from lama_odds.games.decisions import decisions, is_turn, read_record, standing
from lama_odds.games.protocol import Game
from lama_odds.games.record import Record, head_lines, numbers_line

ME = "me"
PLAYER = "player"
ALONG = ("dice", "lama", "pikomino")  # policies can be played against
OPEN = ("dice", "pikomino")  # nothing is hidden: can be told from a table
AT_TABLE = 1 << 38  # luck of the game itself has these game indices: no advice plays them


class Session:
    """A game going on.

    text: its record, which may stop anywhere in a turn. me: my seat. policies: by seat, None for
    me; None altogether at a table.
    """

    def __init__(self, game: Game, rules: Any, text: str) -> None:
        self.game = game
        self.rules = rules
        self.text = text
        record = self.record()
        if ME not in record.policies:
            raise ReadError(
                "this record cannot be gone on with: its policies name no seat 'me'", text=None
            )
        self.me = record.policies.index(ME)
        self.table = PLAYER in record.policies
        self.policies = [
            None if name in (ME, PLAYER) else game.policy(name) for name in record.policies
        ]
        self.seed = record.luck[0] if record.luck else 0
        self.parts: Any = importlib.import_module(f"lama_odds.games.{game.name}.decide")

    @classmethod
    def begin(
        cls,
        game: Game,
        rules: Any,
        players: int,
        me: int,
        against: Sequence[Policy] | None,
        seed: int,
    ) -> Session:
        """A new game; against: the policies of the other seats in order, None at a table.

        Raises LimitError for a game that cannot be played along with.
        """
        check_possible(game, at_table=against is None)
        names = [policy.name for policy in against] if against is not None else [PLAYER] * players
        names = names[: players - 1]
        names.insert(me, ME)
        return cls(game, rules, "\n".join(head_lines(rules.id, names, (seed, 0))) + "\n")

    def record(self) -> Record:
        """The record as it reads now."""
        return read_record(self.game, self.text)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.record().final is not None

    @property
    def awaits_deal(self) -> bool:
        """Whether the cards of a round are to be told next."""
        return self.text.splitlines()[-1].split()[0] == "scores"

    def seat(self) -> int | None:
        """The seat to act; None between rounds and at the end."""
        if self.over or self.awaits_deal:
            return None
        record = self.record()
        state = record.rounds[-1] if record.rounds else getattr(record, "state", None)
        return None if state is None or getattr(state, "ended", None) else int(state.seat)

    def position(self) -> Any:
        """What the seat to act knows."""
        return self.game.position_after(self.rules, self.text)

    def actions(self) -> list[str]:
        """What the seat to act may do, as `advise` names it."""
        found: list[str] = self.parts.legal_actions(self.rules, self.position())
        return found

    def advice(self, objective: str | None, games: int) -> Advice:
        """What `advise` says to the seat to act; exact, or from so many games."""
        return advise(
            self.game,
            self.rules,
            self.position(),
            objective=objective,
            limits=Limits(games=games),
            seed=self.seed,
        )

    def advance(self) -> list[str]:
        """Let happen what needs no word of mine: deals, ends, the policies' turns.

        Returns the lines that are new or longer.
        """
        before = self.text.splitlines()
        self._settle()
        while not self.table and (seat := self.seat()) is not None and seat != self.me:
            policy = self.policies[seat]
            assert policy is not None
            self._add(self.parts.policy_turn(self.record(), policy, self.seed, self._step()))
            self._settle()
        after = self.text.splitlines()
        same = sum(a == b for a, b in zip(before, after, strict=False))
        return after[same:]

    def enter(self, entry: str) -> None:
        """Carry out what was typed: an action of mine, or a turn of anybody at a table.

        Raises ReadError with the reason and what is possible, and leaves all as it was.
        """
        words = entry.split()
        if self.awaits_deal:
            if words[0] != "deal":
                raise ReadError("the deal comes next: deal CARDS CARDS …, a hand for each seat")
            self._add(" ".join(words))
            return
        if self.table:
            self._enter_turn(words, entry)
        else:
            self._enter_action(words, entry)

    def undo(self) -> None:
        """Take my last decision back (at a table: anybody's), and all that followed it."""
        lines = self.text.splitlines()
        if self.table and lines[-1].split()[0] == "deal":
            self.text = "\n".join(lines[:-1]) + "\n"
            return
        found = decisions(self.game, self.rules, self.text)
        mine = [d for d in found if self.table or d.seat == self.me]
        if not mine:
            raise ReadError("nothing can be taken back: no decision has been made")
        self.text = mine[-1].before + "\n"

    def _enter_action(self, words: list[str], entry: str) -> None:
        name = " ".join(words)
        if self.game.name == "dice" and words[0] == "discard" and len(words) == 2:
            name = f"discard {''.join(sorted(words[1]))}"
        actions = self.actions()
        if name not in actions:
            hints = (f"  possible: {', '.join(actions)}",)
            try:
                self._extended(self._line(words))
            except ReadError as error:
                raise ReadError(error.message, error.text, error.at, hints) from None
            raise ReadError(
                f"{entry.strip()!r} is no action here", None, 0, near_names(name, actions) + hints
            )
        shown = self.parts.luck_of(self.record(), name, self.seed, self._step())
        self._take([*_record_words(name), *([shown] if shown else [])])

    def _enter_turn(self, words: list[str], entry: str) -> None:
        if words[0].isdigit() and words[0].isascii():
            if int(words[0]) != self.seat():
                raise ReadError(f"seat {self.seat()} is to act, not {words[0]}", entry, 0)
            words = words[1:]
        if not words or words == ["roll"]:
            raise ReadError("tell what the roll shows too: roll DICE", entry, len(entry))
        self._take(_record_words(" ".join(words)))

    def _take(self, words: list[str]) -> None:
        """Add the words of a turn, and `blown` where that is all that can follow."""
        lines = self._line(words)
        try:
            self.text = self._extended(lines)
        except ReadError:
            if self.game.name != "dice" or "roll" not in words or words[-1] == "blown":
                raise
            try:
                self.text = self._extended([*lines[:-1], f"{lines[-1]} blown"])
            except ReadError:
                pass
            else:
                return
            raise

    def _line(self, words: Sequence[str]) -> list[str]:
        """The lines of the record once these words are added to the turn."""
        lines = self.text.splitlines()
        if self._open():
            return [*lines[:-1], f"{lines[-1]} {' '.join(words)}"]
        return [*lines, f"{self.seat()} {' '.join(words)}"]

    def _open(self) -> bool:
        """Whether the last line is a turn that is not over."""
        record = self.record()
        if record.rounds:
            return getattr(record.rounds[-1], "pending", None) is not None
        state = getattr(record, "state", None)
        return state is not None and bool(state.open_turn)

    def _extended(self, lines: Sequence[str]) -> str:
        text = "\n".join(lines) + "\n"
        read_record(self.game, text)
        return text

    def _add(self, line: str) -> None:
        self.text = self._extended([*self.text.splitlines(), line])

    def _step(self) -> int:
        """A number that each moment of the game has alone: where its luck is read."""
        words = sum(len(line.split()) for line in self.text.splitlines() if is_turn(line))
        return AT_TABLE + words

    def _settle(self) -> None:
        """Add what follows by itself: a bust, the end of a round or game, the next round."""
        if self.over:
            return
        record = self.record()
        if self.game.name == "pikomino":
            words = self.parts.bust_words(record)
            if words:
                self.text = self._extended(self._line(words))
                record = self.record()
            if not record.state.centre:  # type: ignore[attr-defined]
                self._add(numbers_line("final", record.state.worms))  # type: ignore[attr-defined]
            return
        if not record.rounds:
            self._open_round(record, 0, [0] * record.players)
            return
        state = record.rounds[-1]
        if state.ended is None or self.awaits_deal:
            return
        if is_turn(self.text.splitlines()[-1]):
            self._add(f"end {state.ended}")
            self._add(numbers_line("penalties", state.penalties))
        scores = [int(points) for points in standing(record, -1) or ()]
        if max(scores) >= self.rules.target:
            self._add(numbers_line("final", scores))
        else:
            self._open_round(record, self.parts.next_first(record), scores)

    def _open_round(self, record: Record, first: int, scores: list[int]) -> None:
        number = len(record.rounds)
        lines = self.parts.opening(record, number, first, scores)
        if not self.table:
            lines += self.parts.dealt(self.rules, record.players, self.seed, AT_TABLE, number)
        self.text = self._extended([*self.text.splitlines(), *lines])


def check_possible(game: Game, at_table: bool) -> None:
    """LimitError for a game that cannot be played along with, or not from a table."""
    if game.name not in ALONG:
        raise LimitError(
            f"play knows {', '.join(ALONG)}, not {game.name}: "
            f"ask lama-odds advise with a position, for example '{game.example}'"
        )
    if at_table and game.name not in OPEN:
        raise LimitError(
            f"play --table is for games where everything lies open ({', '.join(OPEN)}): a record "
            f"of {game.name} tells every hand. Ask lama-odds advise with what you see, for "
            f"example '{game.example}'"
        )


def _record_words(action: str) -> list[str]:
    """An action as a record writes it: who a tile is stolen from goes without saying."""
    words = action.split()
    if words[0] == "steal" and len(words) == 4 and words[2] == "from":
        return words[:2]
    return words
