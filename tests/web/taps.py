"""Recorded games entered on the page with a thumb: which buttons are tapped, and how many taps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.web.phone import Phone
from tests.web.served import Server

LOOKED = ("1,1", "1,2")  # the cells whose cards I looked at: a record does not say
CARD = re.compile(r"[0-9A-Z]\+?")


@dataclass(frozen=True)
class Step:
    """What is entered at once by people: a turn, a deal with its opening card, scores.

    kind: ``others``, ``mine``, ``deal`` or ``scores``. lines: the words of the record.
    """

    kind: str
    lines: tuple[tuple[str, ...], ...]


def steps_of(record: str, me: int) -> Iterator[Step]:
    """Yield what is entered of a whole game, in its order. me: the seat whose cards I see."""
    lines = [tuple(line.split()) for line in record.splitlines()]
    dice = any(words[:2] == ("rules", "dice") or "dice/" in words[-1] for words in lines[:2])
    for at, words in enumerate(lines):
        if words[0].isdigit():
            yield Step("mine" if int(words[0]) == me else "others", (words,))
        elif words[0] == "deal":
            opened = (lines[at + 1],) if lines[at + 1][0] == "top" else ()
            yield Step("deal", (words, *opened))
        elif words[0] == "penalties" and not dice:
            yield Step("scores", (words,))


@dataclass
class Tapper:
    """Taps a game of one rule set on the page of a phone, and counts.

    counts: taps of every step so far, by its kind.
    """

    phone: Phone
    server: Server
    game: str
    me: int
    players: int
    rules: str
    taps: int = 0
    counts: dict[str, list[int]] = field(default_factory=dict)

    @property
    def grids(self) -> bool:
        """Whether it is the game with cards in grids."""
        return self.rules.startswith("noprob")

    @classmethod
    def begin(cls, phone: Phone, server: Server, rules: str, players: int, me: int) -> Tapper:
        """Begin a game on the server and open it."""
        begun = server.post("/api/games", {"rules": rules, "players": players, "me": me}).json
        phone.open(f"table={begun['id']}")
        phone.page.wait_for_selector(".table [data-key=back]")
        return cls(phone, server, begun["id"], me, players, rules)

    def enter(self, step: Step) -> None:
        """Tap a step; AssertionError, with the screen in words, if something cannot be tapped."""
        before = self.taps
        for words in step.lines:
            getattr(self, f"_{words[0]}" if not words[0].isdigit() else "_turn")(words)
        self.counts.setdefault(step.kind, []).append(self.taps - before)

    def press(self, *keys: str) -> None:
        """Tap the first of these buttons that can be tapped, once the page takes taps."""
        page = self.phone.page
        self.phone.settle()
        for key in keys:
            found = page.locator(f'.table [data-key="{key}"]:enabled:visible').first
            if found.count():
                found.click()
                self.taps += 1
                self.phone.settle()
                return
        there = page.eval_on_selector_all(
            ".table [data-key]:enabled", "all => all.map(each => each.dataset.key)"
        )
        raise AssertionError(f"none of {keys} can be tapped, but {there}: {self.turns()[-1:]}")

    def can(self, key: str) -> bool:
        """Whether a button can be tapped now."""
        found: int = self.phone.page.locator(f'.table [data-key="{key}"]:enabled:visible').count()
        return found > 0

    def turns(self) -> list[list[str]]:
        """The turns of the record on the server, without their seats."""
        text: str = self.server.get(f"/api/games/{self.game}/record").json["record"]
        return [line.split()[1:] for line in text.splitlines() if line[0].isdigit()]

    def _deal(self, words: Sequence[str]) -> None:
        hands = words[1:]
        if "/" in hands[0]:
            cells = hands[self.me].replace("/", ",").split(",")
            for place in LOOKED:
                self.press(f"place.{self.me}.{place}", f"place.{place[0]}{place[2]}")
                card = cells[3 * int(place[0]) + int(place[2]) - 4]
                self.press(f"face.{card}", f"add.{card}")
            return
        game = self.server.get(f"/api/games/{self.game}").json
        every = game["choices"][0].get("hands") == self.players
        for hand in hands if every else [hands[self.me]]:
            for card in CARD.findall(hand):
                self.press(f"face.{card}", f"add.{card}")

    def _top(self, words: Sequence[str]) -> None:
        self.press(f"face.{words[1]}", f"option.top.{words[1]}", f"add.{words[1]}")

    def _penalties(self, words: Sequence[str]) -> None:
        bounds = self.server.get(f"/api/games/{self.game}").json["choices"][0]["bounds"]
        if self.phone.page.locator(".table [data-key='digit.1']").count():
            for (low, high), value in zip(bounds, words[1:], strict=True):
                if low != high:
                    for key in [*value, "next"]:
                        self.press(f"digit.{key}")
            return
        for seat, value in enumerate(map(int, words[1:])):
            low, high = bounds[seat]
            at = low if low == high else None
            while at != value:
                gap = value - (at or 0)
                by = (5 if abs(gap) >= 3 else 1) * (-1 if gap < 0 else 1)
                self.press(f"number.{seat}.{by}")
                at = min(high, max(low, (at or 0) + by))
        self.press("ok")

    def _turn(self, words: Sequence[str]) -> None:
        """A turn, a verb at a time; what the server adds by itself is not tapped."""
        told, mine = list(words[1:]), int(words[0]) == self.me
        at = len(self.turns())
        if not mine and self._result(int(words[0]), told):
            return
        while True:
            turns = self.turns()
            done = len(turns[at]) if len(turns) > at else 0
            if done >= len(told) or told[done] == "turns":  # of a card that I know
                return
            self._act(told[done], told[done + 1 :], mine)

    def _result(self, seat: int, told: list[str]) -> bool:
        """Enter what others' turn came to, without its rolls, where the page offers that."""
        if self.grids and self.can(f"place.{seat}.1,1"):
            at = len(self.turns())
            while told and len(self.turns()) == at:  # the page enters a whole turn
                verb, what, told = told[0], (told[1:2] or [""])[0], told[2:]
                if verb in ("draw", "turns"):
                    self.press(f"face.{what}")
                elif verb == "replace":
                    self.press(f"place.{seat}.{what}")
                elif verb == "give":
                    self.press(f"option.give.#{int(what) + 1}")
                else:
                    self.press(f"verb.{verb}")
            return True
        verb, what = told[-2:] if len(told) > 1 else (told[0], "")
        if verb in ("returns", "flips") or "bust" in told:
            verb = "bust"
        known = {
            "stop": f"tile.{what}",
            "steal": f"steal.{what}",
            "bust": "verb.bust",
            "blown": "verb.blown",
        }
        if told[0] == "roll" and (self.can("verb.bust") or self.can("verb.quit")):
            if "keep" in told:
                self.press(known[verb])
            elif told[-1] in ("blown", "LLL"):
                self.press(f"verb.{told[-1]}")
            else:
                self._cards(verb, what)
            return True
        return False

    def _cards(self, verb: str, cards: str) -> None:
        """Cards of Lama Dice that came from the row, or went."""
        if verb == "take":
            self.press(f"row.{cards}")
            return
        for card in cards:
            self.press(f"face.{card}")
        if self.can("verb.done"):
            self.press("verb.done")

    def _act(self, verb: str, rest: list[str], mine: bool) -> None:
        """Tap a verb and what belongs to it. rest: the words that follow."""
        what = rest[0] if rest else ""
        if verb == "roll":
            if not self.can(f"add.{what[0]}"):
                self.press("verb.roll", f"face.{what[0]}")
            for die in what if self.can(f"add.{what[0]}") else what[1:]:
                self.press(f"face.{die}", f"add.{die}")
        elif verb == "replace":
            self._replace(what, rest[2] if len(rest) > 2 else "")
        elif verb == "give":
            self.press(f"option.give.#{int(what) + 1}")
        elif verb in ("play", "keep") or (verb == "draw" and self.grids):
            self._one_of(verb, what)
        elif verb == "draw" and mine:
            self.press("verb.draw")
            self.press(f"face.{what}", f"option.draw.{what}")
        elif self.can(f"option.{verb}.{what}"):
            self.press(f"option.{verb}.{what}")
        else:
            self.press(f"verb.{verb}")
            if self.can(f"option.{verb}.{what}"):
                self.press(f"option.{verb}.{what}")

    def _one_of(self, verb: str, face: str) -> None:
        if not self.can(f"face.{face}") and not self.can(f"option.{verb}.{face}"):
            self.press(f"verb.{verb}")
        self.press(f"face.{face}", f"option.{verb}.{face}")

    def _replace(self, place: str, turned: str) -> None:
        here = [f"place.{seat}.{place}" for seat in range(self.players)]
        if not any(map(self.can, [*here, f"place.{place}"])):
            self.press("verb.replace")
        turns = self.turns()
        self.press(*here, f"place.{place}")
        if self.turns() != turns:  # the card was known
            return
        if self.can(f"face.{turned}") or self.can(f"option.replace.{turned}"):
            self.press(f"face.{turned}", f"option.replace.{turned}")
