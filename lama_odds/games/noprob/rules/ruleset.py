"""The rule sets of No Prob-Lama: frozen values; every field cites its source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.rulesets import (
    RuleSet,
    editions_of,
    number,
    options_of,
    refuse_senseless,
    said_option,
    switch,
    text,
)
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.transition import ScoreTables, pack_up, score_tables

NEGATIVES = 3
MANY = 5  # players from which `target_many` is used
CELLS = 9

_BOOK = "starnberger"
_MATERIAL = "starnberger, Spielmaterial"


def _read_three(low: int, high: int, name: str) -> Any:
    """Return a reader of three numbers between dots."""

    def read(part: Part) -> tuple[int, ...]:
        values = tuple(piece.integer(said_option(name)) for piece in part.split("."))
        if len(values) != NEGATIVES or not all(low <= value <= high for value in values):
            expected = say("three numbers from {low} to {high}, such as 1.2.5", low=low, high=high)
            raise part.fail(expected, what=name)
        return values

    return read


def _write_three(values: tuple[int, ...]) -> str:
    return ".".join(map(str, values))


ABOUT = {"starnberger": "German rules, 156 cards, to 3 llamas (2 with 5 or 6 players)"}


@dataclass(frozen=True)
class NoprobRules(RuleSet):
    """A rule set of No Prob-Lama; the fields are the options."""

    GAME = "noprob"
    CHANGES: ClassVar = {"starnberger": {}}

    any_tie: bool = switch(
        False,
        later(
            "any tie for the lowest total in a round that would end the game raises the target by "
            "one"
        ),
        "starnberger, Ende einer Runde, read literally",
        column=transition.ANY_TIE,
    )
    copies: int = number(14, "cards of each number", _MATERIAL, 1, 15)
    dramas: int = number(6, "Drama cards", _MATERIAL, 0, 15)
    four_rounds: bool = switch(
        False,
        later("a fixed number of rounds; the lowest sum of totals wins, equal sums share"),
        "starnberger, Alternatives Spielende",
    )
    jokers: int = number(5, "jokers", _MATERIAL, 0, 15)
    karmas: int = number(8, "Karma cards", _MATERIAL, 0, 15)
    low: int = number(3, "the lowest of the eight numbers", _MATERIAL, 1, 90)
    negative_copies: tuple[int, ...] = text(
        (10, 10, 5),
        "cards of each negative value",
        _MATERIAL,
        read=_read_three(0, 15, "negative_copies"),
        write=_write_three,
    )
    negatives: tuple[int, ...] = text(
        (1, 2, 5),
        "the three negative values, without their sign",
        _MATERIAL,
        read=_read_three(1, 99, "negatives"),
        write=_write_three,
    )
    peeks: int = number(2, "own cards looked at before the round", _BOOK, 0, 9)
    refill: bool = switch(
        True,
        later(
            "an empty pile is made again of the discards except the top one; off: the round ends "
            "there"
        ),
        "the rule book does not say",
        column=transition.REFILL,
    )
    rounds: int = number(4, "rounds of a game with four_rounds", _BOOK, 1, 100)
    special: int = number(
        3, "what a Drama costs and a Karma gives", _MATERIAL, 0, 20, column=transition.SPECIAL
    )
    target: int = number(
        3,
        "llamas that win, 2 to 4 players",
        "starnberger, Spielende",
        1,
        20,
        column=transition.TARGET,
    )
    target_many: int = number(
        2,
        "llamas that win, 5 or 6 players",
        "starnberger, Spielende",
        1,
        20,
        column=transition.TARGET_MANY,
    )
    triple_joker: bool = switch(
        True, later("three jokers are a line of the highest number"), "the rule book does not say"
    )

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The number of cards of each kind."""
        numbers = (self.copies,) * transition.NUMBERS
        return (*numbers, *self.negative_copies, self.jokers, self.dramas, self.karmas)

    @property
    def cards(self) -> int:
        """The number of cards."""
        return sum(self.deck)

    @property
    def mean_card(self) -> float:
        """What a card counts on average, in points."""
        return sum(n * p for n, p in zip(self.deck, self.points, strict=True)) / self.cards

    @property
    def players(self) -> range:
        """The numbers of players: up to six, as far as the cards suffice for grids and a pile."""
        return range(2, min(6, (self.cards - 2) // CELLS) + 1)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """What a card of each kind counts outside lines."""
        numbers = tuple(self.low + at for at in range(transition.NUMBERS))
        return (*numbers, *(-n for n in self.negatives), 0, self.special, -self.special)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each kind of card as it is written."""
        return (*map(str, self.points[: transition.JOKER]), "J", "D", "K")

    def target_of(self, players: int) -> int:
        """Return the llamas that win, before a tie has raised the number."""
        return self.target_many if players >= MANY else self.target

    @cached_property
    def tables(self) -> ScoreTables:
        """The tables for scoring."""
        return score_tables(self.points, self.triple_joker)

    @cached_property
    def columns(self) -> np.ndarray:
        """int64[RULES_COLUMNS]: the numbers that the compiled functions read."""
        row = np.zeros(transition.RULES_COLUMNS, dtype=np.int64)
        row[list(self.in_columns())] = list(self.in_columns().values())
        row[transition.FOUR_ROUNDS] = self.rounds if self.four_rounds else 0
        row[transition.PEEKED] = (1 << self.peeks) - 1
        row[transition.CARDS] = self.cards
        row[transition.PILE_PACK : transition.PILE_PACK + 2] = pack_up(self.deck)
        row[transition.DECK] = sum(there << 4 * kind for kind, there in enumerate(self.deck))
        return row


OPTIONS, EDITIONS = options_of(NoprobRules), editions_of(NoprobRules)


def parse_rules(id_: str) -> NoprobRules:
    """Return the rule set of an id; raise ReadError with the place of a wrong part."""
    rules, given = NoprobRules.read(id_)
    refuse_senseless(id_, _senseless(rules, given))
    return rules


def _senseless(rules: NoprobRules, given: set[str]) -> list[tuple[str, str]]:
    """Return options that contradict the rest, with the reason."""
    options = []
    if "rounds" in given and not rules.four_rounds:
        options.append(("rounds", say("it is for four_rounds")))
    for name in ("target", "target_many", "any_tie"):
        if name in given and rules.four_rounds:
            options.append((name, say("with four_rounds nobody collects llamas")))
    if len(set(rules.negatives)) < NEGATIVES:
        options.append(("negatives", say("the three values differ")))
    if "triple_joker" in given and rules.jokers < 3:
        options.append(("triple_joker", say("there are {jokers} jokers", jokers=rules.jokers)))
    if not rules.players:
        name = next((n for n in ("copies", "negative_copies", "jokers") if n in given), "copies")
        reason = say(
            "{cards} cards are too few for two grids, discards and a pile", cards=rules.cards
        )
        options.append((name, reason))
    return options
