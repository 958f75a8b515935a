"""What `validity.py` tries: distributions known exactly, and the parts of the study."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lama_odds.analysis.tune.racing import first_of
from lama_odds.games.registry import game_of
from tools.study import validity_rates as v
from tools.study import validity_verdicts as verdicts
from tools.study.validity_rates import Rate, Truth

LAST = "hand=25L row=1346L opp=q13,q6LL"  # Lama Dice: the last player, solved
PAIR = "hand=1256L row=134L opp=1244 rolled=25L"  # Lama Dice: two players, solved
TURN = "own=24 tops=27"  # Pikomino: a whole turn

Rates = Iterator[Rate]


class Study:
    """How often everything is repeated, and with which seed. quick: a hundredth."""

    def __init__(self, seed: int, quick: bool) -> None:
        self.seed, self.quick = seed, quick

    def rng(self, part: int) -> np.random.Generator:
        """Random numbers of a part: the same whichever parts are run."""
        return np.random.default_rng([self.seed, part])

    def times(self, repeats: int) -> int:
        """Repeats; fewer if quick."""
        return max(20, repeats // 100) if self.quick else repeats


def turn_truth() -> Truth:
    """Worms that a Pikomino turn brings under the best play, from its exact distribution."""
    from lama_odds.games.pikomino.solvers.exact import solve_position

    game = game_of("pikomino/egmont")
    rules = game.rules("pikomino/egmont")
    position = game.position(rules, TURN)
    turn = solve_position(rules, position)
    chances = turn.results(position.kept, roll=True)
    worth = np.append(np.where(np.isfinite(turn.stop), turn.stop, 0), turn.bust)
    at = chances > 0
    truth = Truth("worms of a Pikomino turn", worth[at].astype(np.int64), chances[at])
    # The distribution and the solver's own value must be one.
    assert abs(truth.mean - turn.rolling[turn.state(position.kept)]) < 1e-9
    return truth


def penalty_truth() -> Truth:
    """Penalty of the last player of Lama Dice, from the solved position."""
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    solution = game.solve(rules, game.position(rules, LAST), "points", 1)
    assert solution is not None
    roll = next(action for action in solution.actions if action.action == "roll")
    results = {
        int(name.split()[1]): chance.value
        for name, chance in roll.chances.items()
        if name.startswith("penalty ")
    }
    return Truth(
        "penalty of the last player", np.array(list(results)), np.array([*results.values()])
    )


def synthetic() -> list[Truth]:
    """Made-up distributions: even, skewed, and one that is rarely not 0."""
    points = np.arange(40)
    return [
        Truth("a die", np.arange(1, 7), np.ones(6)),
        Truth("skewed: geometric", points, 0.8**points),
        v.event(0.01),
    ]


def differences() -> list[Truth]:
    """Paired differences: of two turns, of penalties, and skewed ones."""
    turn = turn_truth()
    pairs = [(a - b, p * q) for a, p in _pairs(turn) for b, q in _pairs(turn)]
    two = Truth("two Pikomino turns", *_collected(pairs))
    penalty = penalty_truth()
    # Rolling compared to quitting with 17 points, with common random numbers.
    against = Truth("roll less quit, last player", penalty.values - 17, penalty.chances)
    skewed = Truth("0, else −1, 2 or 8", np.array([-1, 0, 2, 8]), np.array([0.1, 0.8, 0.07, 0.03]))
    return [two, against, skewed]


def _pairs(truth: Truth) -> list[tuple[int, float]]:
    return list(zip(truth.values.tolist(), truth.chances.tolist(), strict=True))


def _collected(pairs: list[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Values once each, with their chances."""
    chances: dict[int, float] = {}
    for value, chance in pairs:
        chances[value] = chances.get(value, 0.0) + chance
    return np.array(list(chances)), np.array([*chances.values()])


def means(study: Study) -> Rates:
    """Fixed-sample intervals of means."""
    rng = study.rng(1)
    for truth in (turn_truth(), penalty_truth(), *synthetic()):
        for n in (50, 200, 1_000, 10_000):
            yield v.cover_means(truth, n, study.times(100_000), rng)


def grouped(study: Study) -> Rates:
    """Means over decisions: none, one or two in a game, and worth the more the more there are.

    And shares of decisions, those of a game being more or less alike.
    """
    rng = study.rng(10)
    pairs = np.array([(0, 0), (-2, 1), (1, 1), (6, 1), (-3, 2), (2, 2), (14, 2)])
    chances = np.array([0.5, 0.2, 0.15, 0.05, 0.03, 0.04, 0.03])
    for n in (200, 1_000, 10_000):
        yield v.cover_ratios("0, 1 or 2 decisions", pairs, chances, n, study.times(100_000), rng)
    for p, alike in (
        (0.0005, 0.01),
        (0.001, 0.1),
        (0.002, 0.05),
        (0.01, 0.01),
        (0.01, 0.1),
        (0.1, 0.1),
    ):
        for groups in (40, 200):
            yield v.cover_grouped(p, alike, groups, 40, study.times(5_000), rng)


def paired(study: Study) -> Rates:
    """Intervals of paired differences from blocks of 8 games, as compare and tournament make."""
    rng = study.rng(2)
    for truth in differences():
        for n in (200, 1_000, 10_000):
            yield v.cover_blocks(truth, n, 8, study.times(100_000), rng)


def rare(study: Study) -> Rates:
    """Differences that few games make: events of one sign and size, mixed, and of many sizes."""
    rng = study.rng(3)
    kinds = {
        "rare, always +1": ([1], [1.0]),
        "rare, ±1 alike": ([1, -1], [0.5, 0.5]),
        "rare, of many sizes": ([1, 2, 3, 5, 10], [5.0, 4.0, 3.0, 2.0, 1.0]),
    }
    n = 8_000
    for name, (sizes, weights) in kinds.items():
        for expected in (3, 8, 20, 80):
            share = np.array(weights) / sum(weights) * expected / n
            truth = Truth(
                f"{name}, {expected} expected",
                np.array([*sizes, 0]),
                np.array([*share, 1 - share.sum()]),
            )
            yield v.cover_blocks(truth, n, 8, study.times(50_000), rng, v.AT_LEAST)


def shares(study: Study) -> Rates:
    """Wilson's intervals, added up exactly and tried."""
    rng = study.rng(4)
    for n in (10, 30, 100, 1_000):
        yield v.mean_share_coverage(n, 100 if study.quick else 400)
        for p in (0.001, 0.01, 0.05, 0.3, 0.5, 0.95, 0.999):
            yield from v.cover_shares(p, n, study.times(100_000), rng)
    for p in pair_chances():
        yield from v.cover_shares(p, 1_000, study.times(100_000), rng)


def pair_chances() -> list[float]:
    """Chances to go out and to blow it in a solved two-player position of Lama Dice."""
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    solution = game.solve(rules, game.position(rules, PAIR), "margin", 1)
    assert solution is not None
    best = min(solution.actions, key=lambda action: action.values["margin"].value)
    return [best.chances["out"].value, best.chances["blown"].value]


def anytime(study: Study) -> Rates:
    """Intervals that must hold at every checkpoint of a race."""
    rng = study.rng(5)
    looks = v.checkpoints(1 << 20)
    for truth in (turn_truth(), penalty_truth(), *synthetic()):
        yield v.stay_in(truth, looks, study.times(10_000), rng)
    for truth in differences():
        yield v.stay_in(truth, looks, study.times(10_000), rng)
    yield v.stay_in(v.event(1e-4, "an event of 1 in 10,000"), looks, study.times(4_000), rng)
    for p in (0.0001, 0.01, 0.3, 0.5, 0.99):
        yield v.stay_in_shares(p, looks, study.times(4_000), rng)


def races(study: Study) -> Rates:
    """Early stopping: a best action is named although all are equal."""
    rng = study.rng(6)
    for k in (2, 3, 5):
        yield verdicts.race_of_equals(k, v.checkpoints(1 << 20), study.times(10_000), rng)


def null(truth: Truth) -> Truth:
    """Differences of two that are alike."""
    pairs = [(a - b, p * q) for a, p in _pairs(truth) for b, q in _pairs(truth)]
    return Truth(f"{truth.name}, twice", *_collected(pairs))


def comparisons(study: Study) -> Rates:
    """Verdicts of compare: wrong ones among twelve measures."""
    rng = study.rng(7)
    repeats = study.times(5_000)
    turn, skewed = null(turn_truth()), null(synthetic()[1])
    few = Truth("±1 in few games", np.array([-1, 0, 1]), np.array([0.005, 0.99, 0.005]))
    lopsided = Truth("9 or −1 in few games", np.array([-1, 0, 9]), np.array([0.009, 0.99, 0.001]))
    for truth, n in (
        (turn, 1_000),
        (skewed, 1_000),
        (few, 2_000),
        (few, 20_000),
        (lopsided, 20_000),
    ):
        yield verdicts.false_differs(truth.name, truth, 12, n, repeats, rng)
    for p, n in ((0.005, 800), (0.005, 4_000), (0.05, 4_000)):
        case = f"true difference δ: +1 in {100 * p:g} % of games"
        yield verdicts.false_same(case, v.event(p), 12, n, repeats, rng, 1.0)
    truth = differences()[2]
    yield verdicts.false_same("true difference δ: skewed", truth, 12, 4_000, repeats, rng)
    for truth, n in ((turn, 1_000), (skewed, 1_000), (few, 20_000)):
        yield verdicts.uniform_p(truth, n, 8, study.times(20_000), rng, rare=truth is few)
    # With 4 rounds per game, 0.8 apart, a game is assumed to change by 6.4 at most; it changes by
    # 3.
    longer = Truth("+3", np.array([0, 3]), np.array([0.98, 0.02]))
    for n in (104, 200, 800):
        case = "true difference δ: +3 rounds in 2 % of games"
        yield verdicts.false_same(case, longer, 12, n, repeats, rng, 6.4)


def rankings(study: Study) -> Rates:
    """Ranks of a tournament."""
    rng = study.rng(8)
    for chances in ((0.25,) * 4, (0.3, 0.3, 0.2, 0.2), (1 / 6,) * 6):
        yield verdicts.ranks_of(chances, 1_600, 8, study.times(10_000), rng)


def tuning(study: Study) -> Rates:
    """The tuning race, and searches of several."""
    rng = study.rng(9)
    for gap in (0.0, 0.02, 0.1):
        for skewed in (False, True):
            yield verdicts.best_dropped(25, gap, skewed, study.times(1_000), rng)
    for races in (1, 9):
        yield verdicts.equal_dropped(11, races, first_of, study.times(2_000), rng)
