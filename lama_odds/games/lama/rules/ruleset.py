"""The rule sets of the L.A.M.A. card games: frozen values; every field cites its source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.rulesets import (
    RuleSet,
    editions_of,
    number,
    option,
    options_of,
    refuse_senseless,
    said_option,
    switch,
    text,
)
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import PLACES, PLAIN
from lama_odds.games.shared.card_values import (
    OUT_TOKEN,
    OUT_TOKENS,
    POINTS,
    QUIT_COST,
    lowest_token,
)

# Kinds of cards in the order in which they are written.
NAMES = ("1", "1+", "2", "2+", "3", "3+", "4", "4+", "5", "5+", "6", "6+", "L", "P")
KINDS = len(NAMES)
VALUES = 7
LLAMA = 6
LLAMA_KIND = NAMES.index("L")
PINK_KIND = NAMES.index("P")

PINK_OPTIONS = ("pink_adds", "pink_points", "pink_drama")
STARTERS = ("rotate", "last_actor")

Counts = tuple[int, ...]

_BOOKS = "amigo, egmont"
_PARTY = "egmont, Lama Party"
_DRAMA = "egmont, Lama Drama"


def read_starter(part: Part) -> str:
    """Return who starts the next round."""
    if part.text not in STARTERS:
        raise part.fail(say(" or ").join(STARTERS), what=said_option("starter"))
    return part.text


ABOUT = {
    "egmont": "Polish rules, 55 cards; the start rotates",
    "amigo": "the edition with 56 cards (eight llamas); the last to act starts the next round",
    "party": "Lama Party: plus cards, the pink llama, 20-point tokens",
}


@dataclass(frozen=True)
class LamaRules(RuleSet):
    """A rule set of the card games; the fields are the options."""

    GAME = "lama"
    CHANGES: ClassVar = {
        "egmont": {},
        "amigo": {"llamas": 8, "starter": "last_actor"},
        "party": {"copies": 7, "pink_llamas": 1, "plus": 1, "twenty": True},
    }

    black: int = number(10, "value of a black token", _BOOKS, 2, 1000, column=transition.BLACK)
    copies: int = number(8, "plain cards of each value 1-6", _BOOKS, 1, 12)
    dealt: int = number(6, "cards dealt to each player", _BOOKS, 1, 12, column=transition.DEALT)
    drama: bool = switch(
        False, later("llamas played put tokens on a pot that somebody takes"), _DRAMA
    )
    drama_tokens: int = number(5, "tokens on the pot from which the drama runs", _DRAMA, 1, 20)
    llama_each: bool = switch(
        False, later("every llama in hand costs its points, not all together"), "egmont, scoring"
    )
    llama_points: int = number(10, "points for all llama cards of a hand together", _BOOKS, 1, 40)
    llamas: int = number(7, "llama cards, the pink one not counted", _BOOKS, 0, 12)
    out_token: str = option(OUT_TOKENS[0], OUT_TOKEN)
    pink: int = number(20, "value of a pink token (with twenty)", "egmont, Lama 20", 2, 1000)
    pink_adds: bool = switch(
        False, later("a hand with pink and other llamas costs both, not the pink one alone"), _PARTY
    )
    pink_drama: bool = switch(
        True, later("the pink llama counts for the drama"), _DRAMA, column=transition.PINK_DRAMA
    )
    pink_llamas: int = number(0, "pink llama cards", _PARTY, 0, 4)
    pink_points: int = number(
        20, "points for all llama cards of a hand with the pink one", _PARTY, 1, 80
    )
    plus: int = number(0, "plus cards of each value 1-6", _PARTY, 0, 4)
    points: tuple[int, ...] = option((1, 2, 3, 4, 5, 6), POINTS)
    quit_cost: int = option(0, QUIT_COST, column=transition.QUIT_COST)
    starter: str = text(
        "rotate",
        "the starter of the next round: rotate (the next seat) or last_actor (the last to act)",
        "egmont: the dealer rotates; amigo: the last to act",
        read=read_starter,
    )
    target: int = number(
        40, "score at which the game ends", _BOOKS, 1, 1000, column=transition.TARGET
    )
    twenty: bool = switch(
        False, later("pink tokens of 20 points are in play"), "egmont, Lama 20 and Lama Party"
    )

    @property
    def players(self) -> range:
        """The numbers of players for which the cards suffice, at most six."""
        return range(2, min(6, (sum(self.deck) - 1) // self.dealt) + 1)

    @cached_property
    def deck(self) -> Counts:
        """Cards of each kind, in the order of NAMES."""
        return (self.copies, self.plus) * LLAMA + (self.llamas, self.pink_llamas)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each value (0 to 5 the numbers, 6 the llama): its rank by points.

        Of equal points the higher value has the higher place.
        """
        worth = (*self.points, self.llama_points)
        order = sorted(range(VALUES), key=lambda value: (worth[value], value))
        return tuple(order.index(value) for value in range(VALUES))

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """The number of each kind in compiled functions (see `transition`), in the order of
        NAMES.
        """
        return tuple(8 * self.places[k // 2] + PLAIN * (k % 2 == 0) for k in range(KINDS))

    def pack(self, counts: Counts) -> int:
        """Return cards as the compiled functions use them."""
        return sum(count << shift for count, shift in zip(counts, self.shifts, strict=True))

    def unpack(self, packed: int) -> Counts:
        """Return the inverse of `pack`."""
        return tuple(packed >> shift & 15 for shift in self.shifts)

    def pack_words(self, counts: Counts) -> tuple[int, int]:
        """Return the cards of a pack as the compiled functions draw from them, see `pack_up`."""
        by_place = [(0, 0)] * PLACES
        for value, place in enumerate(self.places):
            by_place[place] = (counts[2 * value], counts[2 * value + 1])
        plain, special = zip(*by_place, strict=True)
        return transition.pack_up(plain, special)

    @cached_property
    def playable(self) -> np.ndarray:
        """int64[7]: by the place on top, all bits of the kinds that can be played on it."""
        masks = np.zeros(PLACES, dtype=np.int64)
        for value, place in enumerate(self.places):
            following = self.places[(value + 1) % VALUES]
            pink = 0xF << 8 * self.places[LLAMA]
            masks[place] = 0xFF << 8 * place | 0xFF << 8 * following | pink
        return masks

    @cached_property
    def penalties(self) -> np.ndarray:
        """int64[256], for `penalty_of`; without llamas that cost points each."""
        table = np.zeros(256, dtype=np.int64)
        for held in range(256):
            table[held] = sum(
                self.points[value]
                for value, place in enumerate(self.places)
                if value != LLAMA and held >> place & 1
            )
            pink, plain = held >> 7, held >> self.places[LLAMA] & 1
            if pink:
                table[held] += self.pink_points
            if plain and not self.llama_each and (self.pink_adds or not pink):
                table[held] += self.llama_points
        return table

    @cached_property
    def columns(self) -> np.ndarray:
        """int64[RULES_COLUMNS]: the numbers that the compiled functions read."""
        row = np.zeros(transition.RULES_COLUMNS, dtype=np.int64)
        row[list(self.in_columns())] = list(self.in_columns().values())
        row[transition.DECK] = sum(self.deck)
        row[transition.PINK] = self.pink_token
        row[transition.DRAMA] = self.drama_tokens if self.drama else 0
        row[transition.EACH] = self.llama_points if self.llama_each else 0
        row[transition.ROTATE] = self.starter == "rotate"
        row[transition.LLAMA_PLACE] = self.places[LLAMA]
        row[transition.PLAIN_PACK], row[transition.SPECIAL_PACK] = self.pack_words(self.deck)
        row[transition.CARDS] = self.pack(self.deck)
        row[transition.OUT_TOKEN] = OUT_TOKENS.index(self.out_token)
        row[transition.SPECIALS] = bool(self.plus or self.pink_llamas)
        return row

    @property
    def pink_token(self) -> int:
        """The value of a 20-point token, 0 if none are in play."""
        return self.pink if self.twenty else 0

    @property
    def most_points(self) -> int:
        """An upper bound of the points that a round costs."""
        llamas = self.llama_points * (self.llamas if self.llama_each else 1)
        most = sum(self.points) + llamas + self.pink_points * bool(self.pink_llamas)
        return most + self.quit_cost

    def penalty(self, hand: Counts) -> int:
        """Return the points of a hand."""
        return int(transition.penalty_of(self.columns, self.penalties, self.pack(hand)))

    def quitting(self, hand: Counts) -> int:
        """Return the points that quitting with a hand costs."""
        return int(transition.quitting_cost(self.columns, self.penalties, self.pack(hand)))

    def token(self, score: int, kind: int = LLAMA_KIND) -> int:
        """Return the value of the token that going out with a card of this kind returns.

        It is 0 if none is returned.
        """
        return int(transition.out_token(self.columns, score, self.shifts[kind]))

    def lowest_token(self, score: int) -> int:
        """Return the value of the least token of a player with this score (0: has none)."""
        return int(lowest_token(score, self.black, self.pink_token))

    def pays(self, kind: int) -> bool:
        """Return whether a card of this kind counts for the drama."""
        return self.drama and (kind == LLAMA_KIND or (kind == PINK_KIND and self.pink_drama))


OPTIONS, EDITIONS = options_of(LamaRules), editions_of(LamaRules)


def parse_rules(id_: str) -> LamaRules:
    """Return the rule set of an id; raise ReadError with the place of a wrong part."""
    rules, given = LamaRules.read(id_)
    refuse_senseless(id_, _senseless(rules, given))
    return rules


def _senseless(rules: LamaRules, given: set[str]) -> list[tuple[str, str]]:
    """Return options that contradict the rest, with the reason; given: those named in the id."""
    changed = {n for n, value in rules.values.items() if value != EDITIONS[rules.edition][n]}
    clashes = []
    if rules.llama_each and rules.pink_llamas:
        named = "llama_each" if "llama_each" in changed else "pink_llamas"
        reason = say("what a hand with a pink llama costs is not defined with llama_each")
        clashes.append((named, reason))
    if not rules.pink_llamas:
        reason = say("there is no pink llama card (+pink_llamas=1 adds one)")
        # It is on by default, but nobody may request it.
        wanted = changed | ({"pink_drama"} & given if rules.pink_drama else set())
        clashes += [(name, reason) for name in PINK_OPTIONS if name in wanted]
    needs = (
        ("pink_drama", rules.drama, say("the drama is in play with +drama only")),
        ("drama_tokens", rules.drama, say("the drama is in play with +drama only")),
        ("pink", rules.twenty, say("pink tokens are in play with +twenty only")),
    )
    clashes += [(name, reason) for name, needed, reason in needs if name in changed and not needed]
    if rules.twenty and rules.pink <= rules.black:
        named = next(n for n in ("pink", "black", "twenty") if n in changed)
        reason = say(
            "a pink token ({pink}) must be worth more than a black one ({black})",
            pink=rules.pink,
            black=rules.black,
        )
        clashes.append((named, reason))
    if not len(rules.players):
        size = sum(rules.deck)
        sizes = ("dealt", "copies", "llamas", "plus", "pink_llamas")
        named = next(n for n in sizes if n in changed)
        reason = say("{cards} cards do not suffice for two players and an opening card", cards=size)
        clashes.append((named, reason))
    return clashes
