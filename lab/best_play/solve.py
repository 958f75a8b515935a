"""Solve the chance to win from all scores of two players of Lama Dice."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from lab.best_play.pairs import NAME, Kept, Pair, solved_rounds, tuned
from lama_odds import __version__
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.match_equity import MatchEquity, shipped
from tools.publishing.target import TUNED, Making, Target

# A smooth surface over the scores of two players, from noisy observations at some of them.
#
# Gaussian process regression (Rasmussen & Williams, "Gaussian Processes for Machine Learning",
# 2006, algorithm 2.1). What is added to a known table is smooth over the scores, but may jump where
# the most valuable token of a player changes. So one part of the covariance is smooth everywhere,
# and one only within the same tens of both scores. An observation may come with a control:
# something whose mean is 0 and that varies with it. The noise grows with the scores, since a round
# decides more late in a game. Sizes, lengths and noise maximise the marginal likelihood (equation
# 2.30).
#
# A surface has a symmetry. AHEAD is what one player has at two scores and the other lacks: it
# changes its sign if the scores change places. STARTING is what both have: it stays the same. So an
# observation tells as much of the scores the other way round.

AHEAD, STARTING = -1, 1  # symmetries
TENS = 10
# Standard deviations and lengths in scores at which the search starts, and their bounds. The last
# one is how many times larger the noise is at the highest scores than at 0.
START = (0.02, 20.0, 0.01, 6.0, 0.005, 3.0)
BOUNDS = (
    (0.001, 0.06), (10.0, 60.0), (0.0003, 0.03), (3.0, 40.0), (0.001, 0.05), (1.0, 20.0),
)  # fmt: skip
DEVIATIONS = (True, False, True, False, True, False)  # which parameters are standard deviations
CONTROLLED = 1.0  # standard deviation of how many times a control counts, before anything is seen
JITTER = 1e-10  # of the variance, for the numerics


@dataclass(frozen=True)
class Surface:
    """A surface over all scores.

    values, errors: float64[target, target], means and standard errors, by the own and the other's
    score.
    parameters: float64[6], standard deviation and length of the smooth part and of the part within
    tens, the standard deviation of an observation at scores of 0, and its growth.
    residuals: float64[n], observations minus what all other observations predict, in standard
    errors of that difference (equation 5.12).
    controlled: how many times a control is subtracted.
    """

    values: np.ndarray
    errors: np.ndarray
    parameters: np.ndarray
    residuals: np.ndarray
    controlled: float


def alike(one: np.ndarray, other: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """Return how a surface without symmetry varies together at scores, int64[..., 2] both."""
    smooth, length, jumping, short = parameters[:4]
    squared = ((one - other) ** 2).sum(axis=-1)
    same = (one // TENS == other // TENS).sum(axis=-1)
    within = np.exp(-squared / (2 * short**2)) * np.where(same == 2, 1.0, np.where(same, 0.5, 0.0))
    return np.asarray(smooth**2 * np.exp(-squared / (2 * length**2)) + jumping**2 * within)


def covariance(
    one: np.ndarray, other: np.ndarray, parameters: np.ndarray, symmetry: int
) -> np.ndarray:
    """Return the covariance of a surface at scores, int64[..., 2] both, with this symmetry."""
    turned = alike(one, other[..., ::-1], parameters)
    return np.asarray(alike(one, other, parameters) + symmetry * turned)


@dataclass(frozen=True)
class Seen:
    """Observations: float64[n] of the surface at int64[n, 2] scores, with float64[n] controls.

    target: the score that ends a game. symmetry: AHEAD or STARTING.
    """

    scores: np.ndarray
    values: np.ndarray
    controls: np.ndarray
    target: int
    symmetry: int

    def noise(self, parameters: np.ndarray) -> np.ndarray:
        """Return float64[n], the standard deviation of each observation."""
        late = self.scores.sum(axis=1) / (2 * self.target)
        return np.asarray(parameters[4] * parameters[5] ** late)

    def factor(self, parameters: np.ndarray) -> tuple[np.ndarray, bool]:
        """Return the Cholesky factor of the covariance of the observations."""
        matrix = covariance(self.scores[:, None], self.scores, parameters, self.symmetry)
        matrix += CONTROLLED**2 * np.outer(self.controls, self.controls)
        matrix[np.diag_indices(len(matrix))] += self.noise(parameters) ** 2 + JITTER
        factor: tuple[np.ndarray, bool] = cho_factor(matrix, lower=True)
        return factor


def likeliest(seen: Seen, start: np.ndarray | None = None, unit: float = 1.0) -> np.ndarray:
    """Return the parameters with the highest marginal likelihood.

    unit: of the deviations in START and BOUNDS; small for a surface that is known to be flat.
    """
    units = np.where(DEVIATIONS, unit, 1.0)

    def cost(logs: np.ndarray) -> float:
        factor = seen.factor(np.exp(logs))
        fit = seen.values @ cho_solve(factor, seen.values)
        return float(0.5 * fit + np.log(np.diag(factor[0])).sum())

    begin = np.log(units * START if start is None else start)
    bounds = np.log(units[:, None] * BOUNDS)
    solution = minimize(cost, begin, method="L-BFGS-B", bounds=bounds)
    return np.asarray(np.exp(solution.x))


def fitted(seen: Seen, parameters: np.ndarray) -> Surface:
    """Return the surface that observations make likely."""
    factor = seen.factor(parameters)
    every = np.stack(np.meshgrid(*[range(seen.target)] * 2, indexing="ij"), axis=-1)
    every = every.reshape(-1, 2)
    cross = covariance(every[:, None], seen.scores, parameters, seen.symmetry)
    weights = cho_solve(factor, seen.values)
    own = covariance(every, every, parameters, seen.symmetry)
    variances = own - np.einsum("ij,ji->i", cross, cho_solve(factor, cross.T))
    inverse = np.diag(cho_solve(factor, np.eye(len(weights))))
    shape = (seen.target, seen.target)
    return Surface(
        (cross @ weights).reshape(shape),
        np.sqrt(np.maximum(variances, 0)).reshape(shape),
        parameters,
        weights / np.sqrt(inverse),
        float(CONTROLLED**2 * seen.controls @ weights),
    )


# Match equity tables of two players of Lama Dice who both play as well as possible.
#
# Rounds from many scores and deals are solved for the win. What a round is worth rests on the
# table, and the table on what rounds are worth. So they are solved in batches, each twice as large
# as the one before, with the table that the batches before gave. Older rounds are valued by the
# newest table: play through their solutions tells which scores follow. (What best play is worth
# moves with the ends of a round as if play stayed the same: Milgrom & Segal, "Envelope Theorems for
# Arbitrary Choice Sets", Econometrica 2002.)
#
# Both hands of a deal are held by both players in turn, which removes most of the sampling error.
# What the policy tuned to win makes of the same deals removes more of it (a control variate): its
# mean is known. What is left is the worth of a round minus that of the table of this policy. It is
# smoothed over the scores in two parts: the worth of being ahead, and that of starting (see
# the surface above).
#
# The editions play nearly alike. So one of them is solved, and for the other the difference. Rounds
# of the same deals from the same scores are solved with both rules and the table of the first. What
# makes rounds differ is then mostly the same in both.

FOLDER = "data/best_play/"
RULES = "dice/amigo"
BESIDE = "dice/egmont"  # rules of which the difference is solved
SMALL = 0.02  # of the deviations of a table are those of the difference, roughly
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once
# Rounds whose ends moved by more on average are left out: then play would change too.
MOVED = 0.005
SETTLED = 1e-7  # the table moves less between two sweeps


@dataclass(frozen=True)
class Smoothed:
    """What best play adds to the table of the tuned policy, in two parts.

    Being ahead is worth to one player what it costs the other; starting is worth the same to both.
    A lucky deal mostly puts one player ahead, and says little about the worth of starting. Parts
    that are smoothed on their own are known better.
    """

    ahead: Surface
    starting: Surface

    @property
    def values(self) -> np.ndarray:
        """float64[target, target], what is added."""
        return np.asarray(self.ahead.values + self.starting.values)

    @property
    def errors(self) -> np.ndarray:
        """float64[target, target], its standard errors."""
        return np.asarray(np.hypot(self.ahead.errors, self.starting.errors))


def _part(rules: DiceRules, pairs: Sequence[Pair], added: np.ndarray, symmetry: int) -> Seen:
    """Return what pairs of rounds say of one part.

    added: float64[n, 2], what best play adds for the starter of either round of a pair.
    """
    scores = np.array([first.scores for first, _ in pairs])
    controls = np.array([[round_.control for round_ in pair] for pair in pairs])
    # At the same score nobody is ahead, whatever the cards.
    tells = (scores[:, 0] != scores[:, 1]) | (symmetry == STARTING)
    halves = np.array([0.5, 0.5 * symmetry])
    return Seen(
        scores[tells], added[tells] @ halves, controls[tells] @ halves, rules.target, symmetry
    )


def smoothed(
    rules: DiceRules,
    pairs: Sequence[Pair],
    latest: int,
    base: np.ndarray,
    starts: Sequence[np.ndarray | None] = (None, None),
    unit: float = 1.0,
) -> tuple[Smoothed, np.ndarray]:
    """Return what best play adds to the table `base`, and the sum: each agrees with the other.

    latest: this number of pairs at the end counts in any case, others only if their ends hardly
    moved.
    starts: parameters of the parts to begin with. unit: see `likeliest`.
    """

    def added(pairs: Sequence[Pair], table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        worth = np.array([[round_.worth(rules, table) for round_ in pair] for pair in pairs])
        known = np.array([[base[round_.scores] for round_ in pair] for pair in pairs])
        return np.subtract(worth[..., 0], known), worth[..., 1]

    table = base
    for _ in range(3):  # the parameters hardly move after the first time
        more, moved = added(pairs, table)
        counts = moved.max(axis=1) <= MOVED
        counts[-latest:] = True
        kept = [pair for pair, is_kept in zip(pairs, counts, strict=True) if is_kept]
        parts = [_part(rules, kept, more[counts], symmetry) for symmetry in (AHEAD, STARTING)]
        likely = [likeliest(*arguments, unit) for arguments in zip(parts, starts, strict=True)]
        starts = likely
        while True:
            addition = Smoothed(*(fitted(*both) for both in zip(parts, likely, strict=True)))
            change = np.abs(base + addition.values - table).max()
            table = base + addition.values
            if change < SETTLED:
                break
            more = added(kept, table)[0]
            parts = [_part(rules, kept, more, symmetry) for symmetry in (AHEAD, STARTING)]
    return addition, table


def best_play(making: Making, text: str) -> tuple[MatchEquity, dict[str, Any]]:
    """Return the table of a rule set, and what is to be known of how it was made."""
    rules = GAME.rules(text)
    base = tuned_table(text)
    kept = Kept(making.work / text.replace("/", "-"))
    threads = making.threads or os.cpu_count() or 1
    table = base.values
    parameters: Sequence[np.ndarray | None] = (None, None)
    pairs: list[Pair] = []
    moves = []
    batches = making["batches"]
    deals = [making["rounds"] << batch for batch in range(batches)]
    for batch, size in enumerate(deals):
        known = replace(base, values=table)
        for number in range(sum(deals[:batch]), sum(deals[: batch + 1])):
            pair = kept.read(number, table)
            if pair is None:
                pair = solved_rounds(
                    rules, number, (base, known), making["seed"], making["walks"], threads
                )
                kept.write(number, pair)
            pairs.append(pair)
            making.bar(number + 1, sum(deals))
        before = table
        added, table = smoothed(rules, pairs, size, base.values, parameters)
        parameters = [part.parameters for part in (added.ahead, added.starting)]
        moves.append(float(np.abs(table - before).max()))
        making.tell(
            f"{text}: {2 * len(added.starting.residuals)} of {2 * len(pairs)} rounds count; the "
            f"table moved by at most {moves[-1]:.4f}, its errors are {added.errors.mean():.4f} on "
            f"average, at most {added.errors.max():.4f}; added to the tuned policy: "
            f"{np.abs(added.values).max():.3f}"
        )
    # Until the table stands still, its last move tells how far it may be from where it would.
    errors = np.hypot(added.errors, table - before)
    facts = {
        "rounds": 2 * len(added.starting.residuals),
        "solved": 2 * len(pairs),
        "seed": making["seed"],
        "batches": batches,
        "moved": [float(f"{move:.2g}") for move in moves],
        **parts_of(added),
        **errors_of(errors),
    }
    return MatchEquity(NAME, table, errors, facts["rounds"], making["seed"]), facts


def tuned_table(text: str) -> MatchEquity:
    """Return the table of the policy tuned to win, for both players."""
    best = tuned(GAME.rules(text))
    table = shipped(text, [best, best])
    assert table is not None, "tables of tuned policies are shipped"
    return table


def parts_of(added: Smoothed) -> dict[str, Any]:
    """Return how the parts of a table were smoothed, for the manifest."""
    return {
        name: {
            "surface": [float(f"{value:.3g}") for value in part.parameters],
            "controlled": float(f"{part.controlled:.2g}"),
            "residuals": float(f"{part.residuals.std():.3g}"),
            "mean stderr": float(f"{part.errors.mean():.2g}"),
        }
        for name, part in (("ahead", added.ahead), ("starting", added.starting))
    }


def errors_of(errors: np.ndarray) -> dict[str, float]:
    """Return the errors of a table, for the manifest."""
    return {
        "mean stderr": float(f"{errors.mean():.2g}"),
        "largest stderr": float(f"{errors.max():.2g}"),
    }


def beside(
    making: Making, text: str, other: str, known: MatchEquity
) -> tuple[MatchEquity, dict[str, Any]]:
    """Return the table of a rule set from that of another, and what is to be known of it.

    known: the table of the other. Rounds are solved with both rules.
    """
    folder = making.work / f"{text.replace('/', '-')}-beside"
    threads = making.threads or os.cpu_count() or 1
    sides = [(GAME.rules(rules_id), tuned_table(rules_id)) for rules_id in (other, text)]
    keeps = [Kept(folder / rules_id.replace("/", "-")) for rules_id in (other, text)]
    pairs: list[Pair] = []
    for number in range(making["beside"]):
        solved: list[Pair] = []
        for (rules, base), kept in zip(sides, keeps, strict=True):
            pair = kept.read(number, known.values)
            if pair is None:
                pair = solved_rounds(
                    rules, number, (base, known), making["seed"], making["walks"], threads
                )
                kept.write(number, pair)
            solved.append(pair)
        pairs.append(minus(solved[0], solved[1], known.values))
        making.bar(number + 1, making["beside"])
    rules = sides[1][0]
    added, table = smoothed(rules, pairs, len(pairs), known.values, unit=SMALL)
    errors = np.hypot(known.stderr, added.errors)
    facts = {
        "rounds": known.rounds,
        "beside": other,
        "solved": 2 * len(pairs),
        "seed": making["seed"],
        "difference": {
            **parts_of(added),
            **errors_of(added.errors),
            "largest": float(f"{np.abs(added.values).max():.2g}"),
        },
        **errors_of(errors),
    }
    making.tell(f"{text}: differs from {other} by at most {np.abs(added.values).max():.5f}")
    return MatchEquity(NAME, table, errors, known.rounds, making["seed"]), facts


def minus(usual: Pair, rounds: Pair, table: np.ndarray) -> Pair:
    """Return rounds as if those of the same deals with other rules were worth what the table says.

    The other rules are thus a control variate, and the only one.
    """
    first, second = (
        replace(round_, win=round_.win - same.win + float(table[round_.scores]), control=0.0)
        for same, round_ in zip(usual, rounds, strict=True)
    )
    return first, second


def make(making: Making) -> None:
    """Solve all and write them with a manifest."""
    tables: dict[str, Any] = {}
    usual = best_play(making, RULES)
    other = beside(making, BESIDE, RULES, usual[0])
    for text, (table, facts) in ((RULES, usual), (BESIDE, other)):
        name = text.replace("/", "-") + ".npy"
        digest = making.write_array(FOLDER + name, np.stack([table.values, table.stderr]))
        tables[text] = {"policy": NAME, "file": name, **facts, "sha256": digest}
    tables.update({text: tables[other] for text, other in ALIKE.items()})
    manifest = {
        "what": "chance to win a two-player game of the player who starts the next round, by the "
        "own and the other's score. Ties are shared, and both play as well as possible. "
        "float64[2, target, target], values and standard errors, which include the last move of "
        "an entry. rounds: those that count, at all scores together, of all that were solved. "
        "beside: the rule set whose table was taken, the difference added from rounds solved with "
        "both. Entries share rounds: 95 % intervals hold for each entry, not for all at once",
        "command": making.command,
        "version": __version__,
        "tables": tables,
    }
    making.write(FOLDER + "manifest.json", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="best-play",
    what="chance to win from any scores if two players of Lama Dice play as well as possible",
    make=make,
    writes=(FOLDER,),
    reads=(*TUNED, "data/equity/"),
    options={"rounds": 12, "batches": 5, "beside": 40, "walks": 10_000, "seed": 1},
    quick={"rounds": 3, "batches": 2, "beside": 3, "walks": 200},
    deep=True,
)
