"""Rounds played with dice by the solved values come out as solved; deviating is no gain."""

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import sqrt

import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.solvers.last_player import alone_space, solve_alone
from lama_odds.games.dice.solvers.tokens import tokens_of
from lama_odds.games.dice.solvers.two_players import solve_pair
from tests.games.dice.small_positions import Small
from tests.reference import dice as twin
from tests.reference.dice_chain import Chain, Decided, End, State, Threshold, event_chances, points
from tests.reference.dice_solver import Solver

ROUNDS = 8_000
FEWER = 2_500
ERRORS = 4  # standard errors
NEAR = 1e-9


def small(rules_id, hand, row, *others, alone=False, scores=None):
    edition, *words = rules_id.split("+")
    options = tuple((word.split("=")[0], not word.endswith("=off")) for word in words)
    return Small(edition, options, hand, row, others, alone, scores=scores)


TWO = (
    small("amigo", "1225L", "1346L", "3356L"),
    small("amigo", "13L", "123456L", "2466"),
    small("egmont+twenty", "1456", "25L", "136L", scores=(23, 9)),
    small("egmont+llama_safe_alone=off", "356", "146L", "25L", scores=(10, 0)),
)
ALONE = (
    small("amigo", "1135LL", "123456L", "1", alone=True),
    small("amigo", "122345L", "1346L", "25", "1L", alone=True, scores=(12, 0, 3)),
    small("egmont+llama_safe_alone=off", "2356", "1L", "3", alone=True, scores=(39, 9)),
)


# --- Playing ---------------------------------------------------------------------------------


class Player:
    """Follows solved values: quits, discards and takes what they say is best."""

    def __init__(self, rules, position):
        self.penalties = rules.penalties
        scores = position.scores or (0,) * position.players
        self.tokens = [tokens_of(rules, score) for score in scores]
        self.levels = [level_by_score(*held) for held in zip(scores, self.tokens, strict=True)]

    def level(self, state, seat):
        return self.levels[seat][state.scores[seat]]

    def penalty(self, hand):
        return self.penalties[mask_of(hand)]

    def choose(self, state, case, choices):
        return min(choices, key=lambda choice: self.worth(state, *choice[1:]))


class PlayerAlone(Player):
    """The last player, by `solve_alone`."""

    def __init__(self, rules, position):
        super().__init__(rules, position)
        self.solution = solve_alone(
            rules, alone_space(position.hand, position.row), self.tokens[0], with_ends=False
        )

    def quits(self, state):
        return self.worth(state, state.hand, state.row) >= self.penalty(state.hand)

    def worth(self, state, hand, row):
        place = self.solution.space.place(counts_of(hand), mask_of(row))
        return self.solution.worth[place, self.level(state, state.seat)]


class PlayerOfTwo(Player):
    """Either of two players, by `solve_pair`."""

    def __init__(self, rules, position):
        super().__init__(rules, position)
        (opponent,) = position.opponents
        hands = position.hand, opponent.cards
        self.solution = solve_pair(rules, *hands, position.row, tuple(self.tokens), threads=2)

    def quits(self, state):
        if state.alone:
            worth = self.worth(state, state.hand, state.row)
            return worth >= self.penalty(state.hand)
        other = state.waiting[1]
        left = self.alone(other, state, state.hands[other], state.row)
        return -self.passed(state.seat, state, state.hands, state.row) >= (
            self.penalty(state.hand) - left
        )

    def worth(self, state, hand, row):
        if state.alone:
            return self.alone(state.seat, state, hand, row)
        hands = list(state.hands)
        hands[state.seat] = hand
        return self.passed(state.waiting[1], state, hands, row)

    def alone(self, seat, state, hand, row):
        solution = self.solution.alone[seat]
        place = solution.space.place(counts_of(hand), mask_of(row))
        return solution.worth[place, self.level(state, seat)]

    def passed(self, seat, state, hands, row):
        """Value to the player who is not to decide."""
        place = self.solution.place(*map(counts_of, hands), mask_of(row))
        mine, others = self.level(state, 0), self.level(state, 1)
        return self.solution.passed[seat, place, mine * len(self.tokens[1].values) + others]


@cache
def counts_of(cards):
    return tuple(cards.count(kind) for kind in twin.KINDS)


@cache
def mask_of(cards):
    return sum(1 << twin.KINDS.index(kind) for kind in set(cards))


def level_by_score(score, tokens):
    """Number the scores that are left after returning one token after another."""
    levels = {}
    for level, token in enumerate(tokens.values.tolist()):
        levels[score] = level
        score -= token
    return levels


@dataclass
class Played:
    """Rounds played: how often each end came."""

    ends: Counter
    before: tuple

    @property
    def rounds(self):
        return self.ends.total()

    def margin(self):
        """Mean margin and its standard error."""
        margins = Counter()
        for end, count in self.ends.items():
            margins[self._margin(end)] += count
        mean = sum(count * margin for margin, count in margins.items()) / self.rounds
        squares = sum(count * (margin - mean) ** 2 for margin, count in margins.items())
        return mean, sqrt(squares / (self.rounds - 1) / self.rounds)

    def _margin(self, end):
        mine, *others = [points({end: 1}, seat, self.before) for seat in range(len(self.before))]
        return mine - sum(others) / len(others)

    def chances(self):
        return event_chances({end: count / self.rounds for end, count in self.ends.items()})


def play(chain, state, first, rounds, seed):
    """Play rounds from a situation, the first action given; what follows it is looked up once."""
    luck, ends = random.Random(seed), Counter()
    rolls = twin.all_rolls(chain.rules.faces)

    @cache
    def quits(now):
        return chain.policies[now.seat].quits(now)

    @cache
    def after(now, number):
        return chain.after_roll(now, rolls[number])

    quitting = cache(chain.after_quitting)
    for _ in range(rounds):
        now, quit_ = state, first == "quit" if first else quits(state)
        while True:
            now = quitting(now) if quit_ else after(now, luck.randrange(len(rolls)))
            if isinstance(now, End):
                ends[now] += 1
                break
            quit_ = quits(now)
    return Played(ends, state.scores)


@cache
def follower(position):
    rules, read = position.read()
    return (PlayerAlone if position.quit else PlayerOfTwo)(rules, read)


@cache
def solved(position):
    rules, read = position.read()
    return {valued.action: valued for valued in GAME.solve(rules, read, "margin", 2).actions}


@cache
def played(position, first, rounds, deviation=None, deviator=0):
    """Play from a position, everybody following the solution, or all but one."""
    seats = len(position.held)
    policies = [follower(position)] * seats
    if deviation is not None:
        policies[deviator] = deviating(deviation, position)
    waiting = (0,) if position.quit else tuple(range(seats))
    state = State((position.hand, *position.others), position.row, waiting, position.held)
    chain = Chain(Solver(position.rules), policies)
    return play(chain, state, first, rounds, seed=f"{position} {first} {deviation} {deviator}")


def deviating(name, position):
    """Somebody who plays against the solution."""
    if name == "quits":
        return Decided(True, follower(position))
    if name == "never quits":
        return Decided(False, follower(position))
    return Threshold(Solver(position.rules), int(name))


def best_of(position):
    """Value of the best action."""
    return min(valued.values["margin"].value for valued in solved(position).values())


# --- What must come out ----------------------------------------------------------------------

EVENTS = ("out", "blown", "last", "other out", "other blown")
DEVIATIONS = ("quits", "never quits", "2", "5", "9")


@pytest.mark.long
@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
@pytest.mark.parametrize("action", ["quit", "roll"])
def test_an_action_comes_out_as_solved(position, action):
    mean, error = played(position, action, ROUNDS).margin()
    assert abs(mean - solved(position)[action].values["margin"].value) <= ERRORS * error + NEAR


@pytest.mark.long
@pytest.mark.one_in(5)
@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
@pytest.mark.parametrize("action", ["quit", "roll"])
def test_the_round_ends_as_often_in_each_way_as_solved(position, action):
    expected = solved(position)[action].chances
    found = played(position, action, ROUNDS).chances()
    names = [name for name in expected if name in EVENTS or name.startswith("penalty")]
    assert [name for name, share in found.items() if share and name not in names] == []
    for name in names:
        chance = expected[name].value
        error = sqrt(max(0, chance * (1 - chance)) / ROUNDS)
        assert abs(found.get(name, 0) - chance) <= ERRORS * error + NEAR, name


@pytest.mark.long
@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
def test_the_value_of_deciding_is_that_of_the_best_action(position):
    mean, error = played(position, None, FEWER).margin()
    assert abs(mean - best_of(position)) <= ERRORS * error + NEAR


@pytest.mark.long
@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
@pytest.mark.parametrize("name", DEVIATIONS)
def test_whoever_deviates_does_no_better(position, name):
    mean, error = played(position, None, FEWER, name).margin()
    assert mean >= best_of(position) - ERRORS * error - NEAR


@pytest.mark.long
@pytest.mark.parametrize("position", TWO, ids=str)
@pytest.mark.parametrize("name", DEVIATIONS)
def test_the_other_does_no_better_by_deviating(position, name):
    mean, error = played(position, None, FEWER, name, deviator=1).margin()
    assert mean <= best_of(position) + ERRORS * error + NEAR


@pytest.mark.long
@pytest.mark.one_in(4)
@pytest.mark.parametrize("position", [*TWO, *ALONE], ids=str)
def test_some_deviation_costs_much(position):
    costs = []
    for name in DEVIATIONS:
        mean, error = played(position, None, FEWER, name).margin()
        costs.append(mean - ERRORS * error - best_of(position))
    assert max(costs) > 0.5
