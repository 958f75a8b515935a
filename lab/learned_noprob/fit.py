"""Fit `learned` of No Prob-Lama without its network: least squares, chances to win, trials."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.learned_noprob.learning import COLUMNS, OWN, THEIRS, add_up, collect
from lab.learned_noprob.sharpen import sharpened
from lab.learned_noprob.trials import RULES, first_net, rows_of, seatings, tables_with
from lama_odds.games.noprob.engine.learned import UNITS, PlayTables
from lama_odds.games.noprob.engine.planner import STAGES, line_kinds
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies import (
    SEATS,
    Weights,
    joined,
    split,
)
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import JOKER, NUMBERS, UNKNOWN, cells_of_lines
from tools.publishing.target import Making, Target

# Weights of `learned` by least squares, and its chances to win by logistic regression.
#
# Stages with few rounds borrow from stages near by. First a few numbers are fitted: for the cards
# of a line, its pairs and what completes it. Then comes one for each kind of line, held close to
# these.

CLOSE = 100.0  # rows that a kind of line needs to count as much as what it is held close to
FEW = 30.0  # the same for the few numbers of a stage
NEAR = 0.3  # weight of a neighbouring stage, to the power of the distance
LEAST_NEAR = 0.02
ENOUGH = 50  # rows of a stage; others are filled in from the nearest
SLOPE = 0.12  # of the logarithm of the odds, a point: where nothing else is known
HELD = np.array([2_000.0, 20.0])  # how firmly slope and height are held
STEPS = 30  # of Newton's method, at most


def traits() -> np.ndarray:
    """Return float64[kinds, traits]: how often each card is in a line, its pairs, completeness."""
    kinds = line_kinds()
    cells = np.sort(np.minimum(cells_of_lines(), UNKNOWN), axis=0)[
        :, np.unique(kinds, return_index=True)[1]
    ]
    jokers = (cells == JOKER).sum(axis=0)
    unknown = (cells == UNKNOWN).sum(axis=0)
    columns = [(cells == kind).sum(axis=0) for kind in range(UNKNOWN + 1)]
    of_number = [(cells == number).sum(axis=0) for number in range(NUMBERS)]
    full = [(there > 0) & (there + jokers == 3) for there in of_number] + [jokers == 3]
    open_ = ~np.any(full, axis=0)
    for there in of_number:
        columns += [
            (there == 2) & open_,
            (there == 1) & (jokers == 1) & open_,
            (there > 0) & (there + jokers == 2) & (unknown == 1),
        ]
    return np.array([*columns, *full, (jokers == 2) & open_], dtype=float).T


def start_of(rules: NoprobRules, mean: float, traits_: np.ndarray) -> np.ndarray:
    """Return the numbers for traits before anything is learned: half of what each card counts."""
    start = np.zeros(traits_.shape[1])
    start[: UNKNOWN + 1] = np.array([*rules.points, mean]) / 2
    return start


def weights_of(
    gram: np.ndarray, right: np.ndarray, traits_: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return float64[STAGES, kinds] and float64[STAGES], weights and shares of unknown cards.

    gram, right: sums of one side, see `learning.add_up`.
    """
    kinds, size = traits_.shape
    into = np.zeros((kinds + 2, size + 2))
    into[:kinds, :size] = traits_
    into[kinds, size] = into[kinds + 1, size + 1] = 1.0
    few = [centred(into.T @ gram[at] @ into, into.T @ right[at]) for at in range(STAGES)]
    start = np.array([*start, 1.0, 0.0])
    weights, shares = np.full((STAGES, kinds), np.nan), np.ones(STAGES)
    for stage in range(STAGES):
        rows = gram[stage, -1, -1]
        if rows < ENOUGH:
            continue
        first = into @ _few_of(few, stage, start)
        first[-1] = (right[stage, -1] - gram[stage, -1, :-1] @ first[:-1]) / rows
        firm = np.full(kinds + 2, CLOSE)
        firm[-2:] = 1e4, 1e-3
        used = np.flatnonzero(gram[stage].diagonal() > 0)
        solution = first.copy()
        solution[used] = np.linalg.solve(
            gram[stage][np.ix_(used, used)] + np.diag(firm[used]),
            right[stage][used] + firm[used] * first[used],
        )
        weights[stage], shares[stage] = solution[:kinds] + solution[-1] / 6, solution[-2]
    return filled(weights, shares)


def centred(gram: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums about the means of a stage, so that its height does not count."""
    rows = max(gram[-1, -1], 1.0)
    mean = gram[-1] / rows
    return gram - np.outer(mean, mean) * rows, right - mean * right[-1]


def _few_of(few: list[tuple[np.ndarray, np.ndarray]], stage: int, start: np.ndarray) -> np.ndarray:
    """Return the numbers for the traits in a stage, from it and those near by."""
    firm = np.full(len(start), FEW)
    gram, right = np.diag(firm), firm * start
    for other in range(STAGES):
        near = NEAR ** apart(stage, other) if alike(stage, other) else 0.0
        if near > LEAST_NEAR:
            gram = gram + near * few[other][0]
            right = right + near * few[other][1]
    return np.asarray(np.linalg.solve(gram, right))


def apart(stage: int, other: int) -> int:
    """Return how far two stages are apart."""
    return abs(stage // 10 - other // 10) + abs(stage % 10 - other % 10)


def alike(stage: int, other: int) -> bool:
    """Whether in both stages, or in neither, the player or another has all cards face up."""
    return (stage < 10) == (other < 10) and (stage % 10 == 0) == (other % 10 == 0)


def filled(weights: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights for all stages: those that hardly occur like the nearest that does."""
    known = [stage for stage in range(STAGES) if not np.isnan(weights[stage, 0])]
    for stage in set(range(STAGES)) - set(known):
        nearest = min(known, key=lambda other: (not alike(stage, other), apart(stage, other)))
        weights[stage], shares[stage] = weights[nearest], shares[nearest]
    return weights, shares


def chances_of(leads: np.ndarray) -> np.ndarray:
    """Return float64[STAGES, 2], slope and height of the chance to win by the foretold lead.

    leads: float32[n, 3], see `learning.collect`.
    """
    stages = leads[:, 0].astype(np.int64)
    curves = np.empty((STAGES, 2))
    for stage in range(STAGES):
        curve = np.array([SLOPE, 0.0])
        near = np.array([apart(stage, o) <= 2 and alike(stage, o) for o in range(STAGES)])
        for part in (near[stages], stages == stage):
            curve = logistic(leads[part].astype(np.float64), curve)
        curves[stage] = max(curve[0], SLOPE / 10), curve[1]
    return curves


def logistic(leads: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return the slope and height most likely for leads and shares won, held close to a start.

    Newton's method, with shorter steps where a step leads away.
    """
    given, won = np.stack([leads[:, 1], np.ones(len(leads))], axis=1), leads[:, 2]

    def off(curve: np.ndarray) -> float:
        odds = given @ curve
        loss = np.logaddexp(0.0, odds) - won * odds
        return float(loss.sum() + (HELD * (curve - start) ** 2).sum() / 2)

    curve, least = start.copy(), off(start)
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(given @ curve, -30.0, 30.0)))
        bend = (given * (chance * (1.0 - chance))[:, None]).T @ given + np.diag(HELD)
        step = np.linalg.solve(bend, given.T @ (won - chance) - HELD * (curve - start))
        part = 1.0
        while off(curve + part * step) > least and part > 1e-4:
            part /= 2
        curve, before, least = curve + part * step, least, off(curve + part * step)
        if before - least < 1e-6:
            break
    return curve


# Fit `learned`, which plays No Prob-Lama: rounds that it plays teach it, again and again.
#
# At first it watches `planner`. Then it plays rounds among itself, and with `planner` in one of the
# seats. Sums of earlier steps count less with every step. In the end trials sharpen the weights
# (see `trials`). Each number of players is learned apart.

# How far steps go in the first lesson of trials, see `trials.RATES`.
RATE = 0.3
NO_NET = np.empty((0, UNITS), np.float32)
FOLDER = "lab/learned_noprob/base/"


def name_of(seats: int) -> str:
    """Return the name of the file with the weights for a number of players."""
    return f"noprob-{seats}.npy"


# How much of the sums of earlier steps counts, up to a step. At first rounds are soon out of date.
# Later the weights hardly change, and what counts is how many rounds they come from.
KEPT = ((16, 0.5), (22, 0.8))
KEPT_LAST = 0.9
# Rows of a round for which there is room, times the square of the seats: in a larger round there
# are more turns, and more is seen in each. Rounds beyond it are left out.
PER_ROUND = 35
SECOND = 1 << 20  # number of the first round that chances are fitted to


class Sums(NamedTuple):
    """What weights are fitted to, see `learning.add_up`."""

    gram: np.ndarray
    right: np.ndarray


class Rounds(NamedTuple):
    """What was seen in rounds, see `learning.collect`."""

    found: np.ndarray
    numbers: np.ndarray
    leads: np.ndarray


class Lesson(NamedTuple):
    """What rounds are played for: the number of players, the seed, and how many of two players.

    kept: how much of the sums of the steps before counts.

    Of more players there are fewer rounds: each has more turns, and more is seen in each.
    """

    seats: int
    seed: int
    of_two: int
    kept: float = KEPT[0][1]

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.of_two * 4 // self.seats**2


def kept_at(number: int) -> float:
    """Return how much of the earlier sums counts in a step, the first being 0."""
    return next((kept for until, kept in KEPT if number < until), KEPT_LAST)


def watched(
    rules: NoprobRules, tables: PlayTables, judged: PlayTables, lesson: Lesson, first: int,
    rounds: int, learned: bool,
) -> Rounds:  # fmt: skip
    """Play rounds from `first` on. learned: whether it plays, or is to learn first."""
    parts = []
    for number, (plays, share) in enumerate(seatings(lesson.seats)):
        if not learned and number:
            break
        rows = rows_of(plays if learned else ~plays)
        count = int(rounds * share) if learned else rounds
        room = PER_ROUND * lesson.seats**2 * count + 4_000 * lesson.seats
        part = Rounds(
            np.empty((room, COLUMNS), np.int16),
            np.empty((room, 2), np.float32),
            np.empty((room, 3), np.float32),
        )
        noted, led, _ = collect(
            rules.columns, rows, tables, judged, lesson.seed + number, first, count, plays, *part
        )
        parts.append(Rounds(part.found[:noted], part.numbers[:noted], part.leads[:led]))
    return Rounds(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def step(
    rules: NoprobRules, known: Weights | None, sums: Sums, lesson: Lesson
) -> tuple[Weights, Sums]:
    """Return what a step teaches: weights from its rounds, chances from others like them.

    sums: of the steps before; the new ones take their place.
    """
    traits_ = traits()
    start = start_of(rules, rules.mean_card, traits_)
    if known is None:
        plain = np.tile(traits_ @ start, (STAGES, 1))
        net = first_net(lesson.seats)
        known = Weights(plain, plain, np.ones((2, STAGES)), np.zeros((STAGES, 2)), net)
        plays = False
    else:
        plays = True
    tables = tables_with(rules, lesson.seats, known)
    seen = watched(rules, tables, tables, lesson, 0, lesson.rounds, plays)
    gram, right = sums
    gram *= lesson.kept
    right *= lesson.kept
    order = np.lexsort((seen.found[:, 1], seen.found[:, 0]))
    add_up(seen.found, seen.numbers, order, line_kinds(), gram, right)
    own, of_own = weights_of(gram[OWN], right[OWN], traits_, start)
    theirs, of_theirs = weights_of(gram[THEIRS], right[THEIRS], traits_, start)
    weights = known._replace(own=own, theirs=theirs, share=np.array([of_own, of_theirs]))
    judged = tables_with(rules, lesson.seats, weights)
    leads = watched(rules, tables, judged, lesson, SECOND, lesson.rounds // 3, plays).leads
    return weights._replace(chance=chances_of(leads)), Sums(gram, right)


def fitted(making: Making, rules: NoprobRules, seats: int) -> Weights:
    """Return the weights for a number of players after all steps, before trials.

    What a stopped run has kept is not done again.
    """
    features = len(traits()) + 2
    sums = Sums(np.zeros((2, STAGES, features, features)), np.zeros((2, STAGES, features)))
    known: Weights | None = None
    done = 0
    making.work.mkdir(parents=True, exist_ok=True)
    path = making.work / f"steps-{seats}.npz"
    if path.exists():
        with np.load(path) as kept:
            done, known = int(kept["done"]), split(kept["weights"])
            sums.gram.flat[kept["at"]] = kept["gram"]
            sums.right[:] = kept["right"]
    for number in range(done, making["steps"]):
        lesson = Lesson(seats, making["seed"] + 10 * number, making["rounds"], kept_at(number))
        weights, sums = step(rules, known, sums, lesson)
        known = split(joined(weights))  # as it will be shipped, and as a stopped run finds it
        _keep(path, number + 1, joined(known), sums)
        making.tell(f"{seats} players: step {number + 1} of {making['steps']}")
    assert known is not None
    return known


def _keep(path: Path, done: int, weights: np.ndarray, sums: Sums) -> None:
    """Write what is done, whole or not at all; most sums are of lines that never came together."""
    partial = path.with_name(f"partial-{path.name}")
    at = np.flatnonzero(sums.gram)
    gram = sums.gram.flat[at]
    np.savez(partial, done=np.array(done), weights=weights, at=at, gram=gram, right=sums.right)
    os.replace(partial, path)


def for_all(making: Making, weights_for: Callable[[int], Weights]) -> dict[int, Weights]:
    """Return the weights for every number of players. weights_for: those for one."""
    with ThreadPoolExecutor(making.threads or os.cpu_count() or 1) as pool:
        longest_first = SEATS[::-1]
        weights = dict(zip(longest_first, pool.map(weights_for, longest_first), strict=True))
    return dict(sorted(weights.items()))


def make(making: Making) -> None:
    """Fit, sharpen by trials, and write."""
    rules = GAME.rules(RULES)

    def found(seats: int) -> Weights:
        return sharpened(making, rules, seats, fitted(making, rules, seats), RATE, 0.0)

    for seats, weights in for_all(making, found).items():
        making.write_array(FOLDER + name_of(seats), joined(weights._replace(net=NO_NET)))


TARGET = Target(
    name="learned-base",
    what="the weights of `learned` for No Prob-Lama before it has a network",
    make=make,
    writes=(FOLDER,),
    options={"rounds": 80_000, "steps": 34, "trials": 300_000, "lessons": 30, "seed": 1},
    quick={"rounds": 3_000, "steps": 2, "trials": 10_000, "lessons": 2},
    deep=True,
)
