"""L.A.M.A. against its twin on the same random numbers: records, tallies, forks, golden games."""

from collections import deque
from copy import deepcopy
from itertools import combinations

import numpy as np
import pytest

from lama_odds.games.interface.tally_layout import (
    CERTAIN,
    HandTally,
)
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.records.record import read_record
from lama_odds.simulation.run import run
from tests.games.cases import (
    counted,
    is_taken,
    measures_of,
    payoffs_of,
    product_record,
    product_rows,
    product_rules,
    rounds_of,
    sums_of,
    tally_of,
)
from tests.games.lama.cases import GAMES, GOLDEN, SEED, id_of, record, twin_rules
from tests.reference import lama as twin
from tests.reference import luck

# --- Golden games: kept so that product and twin do not change together ----------------------


def numbers(words):
    return [int(word) for word in words[1:]]


def scores_before_penalties(text):
    """List for each round the scores after its tokens moved: those after it minus penalties."""
    rounds = rounds_of(text)
    after = [numbers(lines[1]) for lines in rounds[1:]]
    after.append(numbers(text.splitlines()[-1].split()))
    costs = [numbers(next(x for x in lines if x[0] == "penalties")) for lines in rounds]
    return [
        [score - points for score, points in zip(*both, strict=True)]
        for both in zip(after, costs, strict=True)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_product_and_twin_write_the_golden_record_and_it_is_read(name):
    edition, options, policies, game = GAMES[name]
    text = GOLDEN.read(name)
    assert product_record(id_of(edition, options), policies.split(), SEED, game) == text
    assert record(name) == text
    assert GOLDEN.files() == set(GAMES)
    found = read_record(text)
    assert (found.rules.id, found.luck) == (id_of(edition, options), (SEED, game))
    assert found.policies == tuple(policies.split())
    for state, lines in zip(found.rounds, rounds_of(text), strict=True):
        words = {line[0]: line for line in lines}
        assert (state.first, state.ended) == (int(lines[0][3]), words["end"][1])
        assert state.penalties == numbers(words["penalties"])
    assert [state.scores for state in found.rounds] == scores_before_penalties(text)
    assert list(found.final) == numbers(text.splitlines()[-1].split())


# --- Tallies ---------------------------------------------------------------------------------

PAIR = ("threshold:6", "random")
FOUR = ("random", "threshold:3", "matching:9", "threshold:16")
TABLES = (
    ("egmont", {"llama_each": True, "twenty": True}, FOUR),
    ("party", {"dealt": 5, "drama": True, "drama_tokens": 3, "pink_drama": False}, PAIR),
)
# Few points, so that many games are shared by two, three or all.
TIES = ("egmont", {"llama_points": 1, "points": (1,) * 6, "target": 6}, ("random",) * 4)


@pytest.mark.parametrize(("edition", "options", "policies"), TABLES)
def test_sums_and_squares_over_first_rounds(edition, options, policies):
    found = tally_of(id_of(edition, options), policies, True, 11, 500, 100, threads=2)
    table = twin.Table(twin_rules(edition, options), policies, 11)
    measured = [{("blown", None): 0}]
    for game in range(500, 600):
        turns, ended, penalties = twin.play_turns(table, game, 0, 0, [0] * len(policies), [])
        values = {("penalty", seat): penalty for seat, penalty in enumerate(penalties)}
        values |= {("actions", None): len(turns), ("went_out", None): int(ended == "out")}
        measured.append(values)
    assert found == sums_of(measured)
    assert 0 < found["went_out", None][0] < 100


@pytest.mark.parametrize(("edition", "options", "policies"), [TABLES[1], TIES])
def test_measures_of_games_are_those_of_the_twin(edition, options, policies):
    games = 120
    found = tally_of(id_of(edition, options), policies, False, 13, 40, games, threads=2)
    table = twin_rules(edition, options)
    played = [measures_of(*each) for each in twin.games(table, policies, 13, 40, games)]
    assert found == sums_of(measures for measures, _ in played)
    if policies == TIES[2]:
        assert {winners for _, winners in played} == {1, 2, 3, 4}


# --- Decisions played both ways: the twin's policies are forced to quit or to draw -----------


class Watched:
    """A policy that notes its decisions to draw or quit; one of them is given to it."""

    def __init__(self, seat, policy, round_):
        self.seat, self.policy, self.round = seat, policy, round_

    def choose(self, table, hand, held, top, may_draw, coin):
        action = self.policy.choose(table, hand, held, top, may_draw, coin)
        sizes, met = self.round.sizes, self.round.met
        if may_draw and not held & table.follows[top]:
            fewest = min(cards for seat, cards in sizes.items() if seat != self.seat)
            left = len(sizes) - 1
            met.append((self.seat, table.penalty_of(hand, held), len(hand), fewest, left))
            if len(met) == self.round.forced_at:
                action = self.round.forced
        sizes[self.seat] = len(hand) + (1 if action == twin.DRAW else -1)
        if action == twin.QUIT:
            del sizes[self.seat]
        return action


class Watch:
    """A first round of the twin; decision number forced_at (from 1) is taken out of its hands."""

    def __init__(self, table, game, forced_at=0, forced=None):
        self.forced_at, self.forced, self.met = forced_at, forced, []
        plain = table.policies
        self.sizes = dict.fromkeys(range(len(plain)), table.rules.dealt)
        table.policies = [Watched(seat, policy, self) for seat, policy in enumerate(plain)]
        scores = [0] * len(plain)
        _, _, penalties = twin.play_turns(table, game, 0, 0, scores, [])
        table.policies = plain
        self.changes = [a + b for a, b in zip(scores, penalties, strict=True)]


def twin_forks(edition, options, policies, seed, games, chances):
    """Play every decision of first rounds both ways; give the forks of each round."""
    table = twin.Table(twin_rules(edition, options), policies, seed)
    for game in range(games):
        forks = []
        for number, decision in enumerate(Watch(table, game).met, 1):
            seat, penalty, own, fewest, left = decision
            if not is_taken(table.stream, game, number, chances[penalty]):
                continue
            ways = [Watch(table, game, number, action) for action in (twin.QUIT, twin.DRAW)]
            own, fewest = min(own, 10), min(fewest, 6)
            cells = [(None, None), (own, None), (None, fewest), (own, fewest)]
            cells = [(*cell, None) for cell in cells] + [(None, None, left)]
            keys = [(penalty, *cell) for cell in cells]
            forks.append((keys, *(payoffs_of(seat, way.changes) for way in ways)))
        yield forks


FORKED = [
    ("egmont", {}, ("threshold:6",) * 3, 4),  # by the penalty, fewer of some than of others
    ("party", {"drama": True, "plus": 3, "pink_llamas": 4}, ("matching:2", "threshold:14"), 1),
    ("egmont", {"dealt": 12, "llamas": 12}, ("random", "matching:3", "threshold:20"), 1),
    ("amigo", {"points": (6, 5, 4, 3, 2, 1), "dealt": 4}, ("threshold:3",) * 6, 1),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("edition", "options", "policies", "thinned"), FORKED)
def test_forks_are_the_twins_rounds_played_both_ways(edition, options, policies, thinned):
    rules = product_rules(id_of(edition, options))
    penalties = range(GAME.most_points(rules) + 1)
    chances = np.array([CERTAIN // (1 + p % thinned) - (p % thinned > 0) for p in penalties])
    job = GAME.forks(rules, [GAME.policy(name) for name in policies], chances)
    expected = counted(twin_forks(edition, options, policies, 4, 60, chances))
    assert len(expected) > 20
    assert product_rows(job, 4, 60, threads=1 + (thinned > 1)) == expected
    assert (job.actions, job.margin_unit) == (("quit", "draw"), 1 / (len(policies) - 1))


# --- Situations played on with other hands ---------------------------------------------------


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


class Stopping:
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


WITH_HANDS = [
    ("egmont", {}, ("threshold:5",) * 4),
    ("party", {"drama": True, "plus": 3, "pink_llamas": 4}, ("matching:2", "threshold:14")),
    ("amigo", {"points": (6, 5, 4, 3, 2, 1), "dealt": 4, "llamas": 0}, ("threshold:3",) * 6),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("edition", "options", "policies"), WITH_HANDS)
def test_situations_are_the_twins_played_on_with_other_hands(edition, options, policies):
    rules = product_rules(id_of(edition, options))
    studies = GAME.hand_studies(rules, [GAME.policy(name) for name in policies])
    games, rows, hands = 60, {}, {size: [] for size in (3, 4)}
    table = twin.Table(twin_rules(edition, options), policies, 4)
    for game in range(games):
        at = Stopping(table, game)
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
    assert product == {key: row for key, row in rows.items() if any(row)}
    assert len(product) > 20
    for shown, found in zip(studies.hands, hands.values(), strict=True):
        assert HandTally(tally).situations(shown.at) == len(found)
        sums = HandTally(tally).sums(shown.at, len(shown.names))
        points = np.array(found, dtype=np.int64).reshape(len(found), len(shown.names))
        assert np.array_equal(sums[:, 0], points.sum(axis=0))
        assert np.array_equal(sums[:, 1:], points.T @ points)


def test_other_hands_have_their_names_penalties_and_tops():
    studies = GAME.hand_studies(GAME.rules("lama/egmont"), [GAME.policy("threshold:5")] * 4)
    three = studies.hands[0]
    costs = zip(three.names, three.penalties, three.tops, strict=True)
    found = {name: (penalty, tops) for name, penalty, tops in costs}
    assert [found[name] for name in ("246", "345", "6L1")] == [(12, 6), (12, 4), (17, 4)]
    assert len(found) == len(studies.hands[1].names) == 35
