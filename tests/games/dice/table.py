"""A round laid out by hand, for rule books, and small positions, for exact solvers."""

import random
from dataclasses import dataclass, replace

import numpy as np
import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.records.record import Record, Round, position_after
from lama_odds.games.dice.rules.feasibility import parse_position
from lama_odds.games.dice.rules.odds import legal_actions
from lama_odds.games.dice.rules.ruleset import parse_rules
from lama_odds.games.interface.match_equity import MatchEquity
from tests.games.dice.cases import id_of, twin_rules
from tests.reference import dice as twin
from tests.reference.dice_solver import choices_of

KINDS = "123456L"


def counts(cards):
    """Count cards written as 25L."""
    assert set(cards) <= set(KINDS)
    return tuple(cards.count(kind) for kind in KINDS)


def text(counted):
    """Write counted cards."""
    return "".join(kind * number for kind, number in zip(KINDS, counted, strict=True))


class Table:
    """A round under a rule set, spoken to in the letters of cards and dice."""

    def __init__(self, rules_id, *hands, scores=None, first=0, row=KINDS):
        self.rules = parse_rules(rules_id)
        start = list(scores) if scores else [0] * len(hands)
        self.round = Round(self.rules, [counts(hand) for hand in hands], start, first)
        self.round.row = sum(1 << KINDS.index(kind) for kind in row)

    def __getattr__(self, name):
        """Seat, scores, how it ended, and penalties are those of the round."""
        return getattr(self.round, name)

    def roll(self, dice):
        """Roll these dice; give what it means: llamas, match, miss or blown."""
        return self.round.roll(tuple(sorted(KINDS.index(kind) for kind in dice)))

    def choices(self):
        """List what the player to act may do, as the advice names it."""
        found = Record(self.rules, len(self.round.hands), rounds=[self.round])
        return legal_actions(self.rules, position_after(found))

    def discard(self, cards):
        self.round.discard(counts(cards))

    def take(self, kind):
        self.round.take(KINDS.index(kind))

    def play(self, turns):
        """Play turns, or parts of turns, as a record has them: "roll 124 discard 2 quit"."""
        words = iter(turns.split())
        for verb in words:
            if verb == "quit":
                self.round.quit()
            else:
                getattr(self, verb)(next(words))

    @property
    def hands(self):
        return [text(hand) for hand in self.round.hands]

    @property
    def row(self):
        return "".join(kind for at, kind in enumerate(KINDS) if self.round.row >> at & 1)


def choices_at(rules_id, position):
    """List what may be done at a position in the notation of the product."""
    rules = parse_rules(rules_id)
    return legal_actions(rules, parse_position(rules, position))


# --- Small positions, drawn by a seed, legal by construction ---------------------------------


RULES = (
    ("amigo", {}),
    ("egmont", {}),
    ("gigamic", {"twenty": True}),
    ("amigo", {"llama_safe_alone": False}),
    ("egmont", {"twenty": True, "llama_safe_alone": False}),
    ("amigo", {"faces": "1235LL.1346LL.2456LL"}),
    ("egmont", {"faces": "123LL.456LL"}),
    ("amigo", {"faces": "123456L"}),
    ("egmont", {"faces": "1L.23L.34L"}),
    ("amigo", {"faces": "1L.2L", "llama_safe_alone": False}),
    ("amigo", {"points": (6, 5, 4, 3, 2, 1)}),
    ("egmont", {"points": (1, 1, 2, 40, 7, 1), "llama_points": 3}),
    ("amigo", {"black": 5, "pink": 12, "twenty": True}),
    ("egmont", {"empty_row_ends": True, "target": 60, "twenty": True}),
    ("amigo", {"empty_row_ends": False, "llama_points": 15}),
)
SCORES = (0, 1, 9, 10, 23, 39)


@dataclass(frozen=True)
class Small:
    """A position, named as the product and the reference name it."""

    edition: str
    options: tuple
    hand: str
    row: str
    others: tuple
    quit: bool
    shown: str | None = None
    scores: tuple | None = None

    @property
    def rules(self):
        return twin_rules(self.edition, dict(self.options))

    @property
    def rules_id(self):
        return id_of(self.edition, dict(self.options))

    @property
    def held(self):
        """Scores of all players, 0 where nobody holds tokens."""
        return self.scores or (0,) * (1 + len(self.others))

    @property
    def text(self):
        """The position as the product reads it."""
        mark = "q" if self.quit else ""
        opponents = ",".join(mark + cards for cards in self.others)
        words = [f"hand={self.hand} row={self.row or '-'} opp={opponents}"]
        if self.shown:
            words.append(f"rolled={self.shown}")
        if self.scores:
            words.append("scores=" + ",".join(map(str, self.scores)))
        return " ".join(words)

    def read(self):
        """Give the product's rule set and position."""
        rules = GAME.rules(self.rules_id)
        return rules, GAME.position(rules, self.text)

    def __str__(self):
        return f"{self.rules_id[5:]} {self.text}"


AMIGO, EGMONT, TWENTY = ("amigo", {}), ("egmont", {}), ("amigo", {"twenty": True})
UNSAFE = ("egmont", {"llama_safe_alone": False})


def small(rules, hand, row, *others, alone=False, **more):
    """Give a position by its rules (edition and options) and cards."""
    edition, options = rules
    return Small(edition, tuple(options.items()), hand, row, others, alone, **more)


def near(expected, within=1e-9):
    """Compare fractions by name with what a solver found."""
    floats = {name: float(value) for name, value in expected.items()}
    return pytest.approx(floats, abs=within, rel=0)


def table_of(target, seed):
    """Give a match equity table: any chances will do."""
    values = np.random.default_rng(seed).integers(0, 1001, (target, target)) / 1000
    return MatchEquity("some policy", values, np.full_like(values, 0.001), 1000, seed)


def draw(number, quit_, most):
    """Draw a position with at most so many cards; the number decides rules and seeds the rest."""
    luck = random.Random(f"{number} {quit_}")
    while True:
        small = _draw(luck, quit_, *RULES[number % len(RULES)])
        if len(small.hand + small.row + small.others[0]) <= most:
            return small


def _draw(luck, quit_, edition, options):
    rules = twin_rules(edition, options)
    row = luck.sample(twin.KINDS, luck.randint(1, 4))
    pack = twin.full_pack(rules)
    luck.shuffle(pack)
    hands = []
    for _ in range(1 + (luck.randint(1, 3) if quit_ else 1)):
        hands.append([pack.pop() for _ in range(luck.randint(1, 4))])
    # Sometimes a card was taken from the row; it is of a kind that was not held.
    taken = [kind for kind in twin.KINDS if kind not in row and kind not in hands[0]]
    if taken and luck.random() < 0.3:
        hands[0].append(luck.choice(taken))
    if not rules.empty_row_ends and luck.random() < 0.15:
        row = []
    scores = tuple(luck.choice(SCORES) for _ in hands) if luck.random() < 0.6 else None
    mine, *others = ["".join(sorted(hand)) for hand in hands]
    small = Small(edition, tuple(options.items()), mine, "".join(sorted(row)), tuple(others), quit_)
    rolls = []  # those that leave something to choose
    for roll in twin.all_rolls(rules.faces):
        case, _ = choices_of(rules, small.hand, small.row, roll, quit_)
        if case in ("discard", "take"):
            rolls.append(twin.cards_text(roll.items()))
    shown = luck.choice(rolls) if rolls and luck.random() < 0.35 else None
    return replace(small, scores=scores, shown=shown)
