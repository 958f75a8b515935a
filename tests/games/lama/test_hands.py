"""Situations played on with other hands: against the twin, whose rounds are stopped and changed."""

from collections import deque
from copy import deepcopy
from itertools import combinations

import pytest

from lama_odds.games.interface.hand_tally import (
    HandTally,
)
from lama_odds.games.lama.engine.hands import LLAMA_INSTEAD, OF_A_CARD
from lama_odds.games.lama.game import GAME
from lama_odds.simulation.run import run
from tests.games.cases import product_rules
from tests.games.lama.cases import id_of, twin_rules
from tests.reference import lama as twin
from tests.reference import luck

STUDY = 15  # the lane that picks the decision


class Stopped(Exception):
    """A round of the twin has come to the decision that was picked."""


class Stops:
    """A policy that stops the round at a decision, counted from 0 over all seats."""

    def __init__(self, seat, policy, countdown):
        self.seat, self.policy, self.countdown = seat, policy, countdown

    def choose(self, table, hand, held, top, may_draw, coin):
        if self.countdown[0] == 0:
            raise Stopped(self.seat, top, may_draw)
        self.countdown[0] -= 1
        return self.policy.choose(table, hand, held, top, may_draw, coin)


class Forced:
    """A policy whose first choice is given."""

    def __init__(self, policy, action):
        self.policy, self.action = policy, action

    def choose(self, *what):
        action, self.action = self.action, None
        return self.policy.choose(*what) if action is None else action


class Situation:
    """A first round of the twin at the decision that is picked."""

    def __init__(self, table, game):
        players = len(table.policies)
        word = luck.word_at(table.stream, luck.address_of(game, 0, STUDY))
        countdown = [luck.below(word, 12 * players)]
        self.table, self.plain = table, table.policies
        hands, top, self.pile = twin.deal(table, game, 0)
        self.hands = hands
        self.draws = [luck.address_of(game, 0, luck.DICE + seat) for seat in range(players)]
        self.coins = [luck.address_of(game, 0, luck.COINS + seat) for seat in range(players)]
        self.waiting = deque(range(players))
        self.met = False
        table.policies = [Stops(s, policy, countdown) for s, policy in enumerate(self.plain)]
        try:
            self.play_on(top)
        except Stopped as stopped:
            self.seat, self.top, self.met = stopped.args
        table.policies = self.plain

    def play_on(self, top):
        scores = [0] * len(self.plain)
        rest = (self.draws, self.coins, self.waiting, scores, [])
        _, _, penalties = twin.play_on(self.table, self.hands, top, self.pile, *rest)
        return [a + b for a, b in zip(scores, penalties, strict=True)]

    @property
    def hand(self):
        return self.hands[self.seat]

    def points(self, hand=None, pile=None, action=None):
        """Points of who decides, with another hand and pile, or another first action."""
        copied = ("hands", "pile", "draws", "coins", "waiting")
        before = {name: getattr(self, name) for name in copied}
        for name in copied:
            setattr(self, name, deepcopy(before[name]))
        if hand is not None:
            self.hands[self.seat], self.pile = list(hand), list(pile)
        if action is not None:
            self.table.policies = list(self.plain)
            self.table.policies[self.seat] = Forced(self.plain[self.seat], action)
        found = self.play_on(self.top)[self.seat]
        self.table.policies = self.plain
        for name in copied:
            setattr(self, name, before[name])
        return found


def less(cards, taken):
    """Cards without some of them; None if they are not there."""
    left = list(cards)
    for card in taken:
        if card not in left:
            return None
        left.remove(card)
    return left


def add(rows, key, difference):
    n, total, squares = rows.get(key, (0, 0, 0))
    rows[key] = (n + 1, total + difference, squares + difference**2)


def add_card_rows(rows, at):
    base, more = at.points(), {}
    for card in twin.CARDS:
        if card in at.pile:
            more[card] = at.points([*at.hand, card], less(at.pile, [card]))
    for card, points in more.items():
        name = twin.NAME_OF[card]
        held = sum(twin.VALUE_OF[c] == twin.VALUE_OF[card] for c in at.hand)
        cards = min(len(at.hand), 6)
        keys = [(), (("copies", min(held, 2)),), (("first", held == 0), ("cards", cards))]
        for key in keys:
            add(rows, (("card", name), *key), points - base)
        if twin.LLAMA in more:
            add(rows, (("instead of", name),), more[twin.LLAMA] - points)


def add_top_rows(rows, at):
    value = twin.VALUE_OF[at.top]
    same, after = twin.CARDS[2 * value], twin.CARDS[2 * ((value + 1) % 7)]
    if same in at.hand and after in at.hand:
        more = at.points(action=after) - at.points(action=same)
        top = (("top", twin.NAME_OF[same]), ("next", twin.NAME_OF[after]))
        held = sum(twin.VALUE_OF[card] == value for card in at.hand)
        for key in ((), (("copies", min(held, 2)),), (("cards", min(len(at.hand), 6)),)):
            add(rows, (*top, *key), more)


def other_hands(at, table, size):
    """Points by hand of so many plain cards, each value once; None if they cannot all be had."""
    order = {card: number for number, card in enumerate(dict.fromkeys(table.deck))}
    pool = sorted([*at.pile, *at.hand], key=order.get)
    plain = [card for card in twin.CARDS[0:14:2] if card in table.deck]
    if len(at.hand) != size or not set(plain) <= set(pool):
        return None
    hands = combinations(plain, size)
    return [at.points(hand, less(pool, hand)) for hand in hands]


CASES = [
    ("egmont", {}, ("threshold:5", "threshold:5", "threshold:5", "threshold:5")),
    ("egmont", {"llama_each": True}, ("threshold:0", "matching:9")),
    ("egmont", {"copies": 3, "dealt": 3, "llamas": 0}, ("threshold:0",) * 4),
    ("egmont", {"dealt": 4, "llamas": 12}, ("threshold:12", "matching:3", "threshold:20")),
    ("party", {}, ("threshold:7", "matching:4", "threshold:1")),
    ("party", {"drama": True, "plus": 3, "pink_llamas": 4}, ("matching:2", "threshold:14")),
    ("amigo", {"points": (6, 5, 4, 3, 2, 1), "dealt": 4}, ("threshold:3",) * 6),
]


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("edition", "options", "policies"), CASES)
def test_situations_are_the_twins_played_on_with_other_hands(edition, options, policies):
    rules = product_rules(id_of(edition, options))
    studies = GAME.hand_studies(rules, [GAME.policy(name) for name in policies])
    games, rows, hands = 60, {}, {size: [] for size in (3, 4)}
    table = twin.Table(twin_rules(edition, options), policies, 4)
    for game in range(games):
        at = Situation(table, game)
        if at.met:
            add_card_rows(rows, at)
            add_top_rows(rows, at)
            for size, found in hands.items():
                points = other_hands(at, table, size)
                found += [points] if points else []
    tally = run(studies.job, 4, games, threads=1).tally
    product = {}
    for at, row in enumerate(studies.rows):
        cell = HandTally(tally).row(at)
        if row and cell.any():
            product[tuple(row.items())] = tuple(cell.tolist())
    expected = {key: row for key, row in rows.items() if any(row)}
    assert product == expected
    assert len(product) > 20
    for shown, found in zip(studies.hands, hands.values(), strict=True):
        assert HandTally(tally).situations(shown.at) == len(found)
        k = len(shown.names)
        sums = HandTally(tally).sums(shown.at, k)
        for i in range(k):
            assert sums[i, 0] == sum(points[i] for points in found)
            for j in range(k):
                assert sums[i, 1 + j] == sum(points[i] * points[j] for points in found)


@pytest.mark.long
def test_other_hands_are_there_to_be_tested():
    studies = GAME.hand_studies(GAME.rules("lama/egmont"), [GAME.policy("threshold:5")] * 4)
    tally = run(studies.job, 4, 400, threads=1).tally
    assert [HandTally(tally).situations(hands.at) > 10 for hands in studies.hands] == [True, True]
    assert [len(hands.names) for hands in studies.hands] == [35, 35]
    three = studies.hands[0]
    at = three.names.index
    assert three.names[at("6L1")] == "6L1"
    assert three.penalties[at("246")] == three.penalties[at("345")] == 12
    assert [three.tops[at(name)] for name in ("246", "345", "356", "6L1")] == [6, 4, 5, 4]
    first = studies.rows[:OF_A_CARD]
    assert first[0] == {"card": "L"}
    assert first[LLAMA_INSTEAD] == {"instead of": "L"}
