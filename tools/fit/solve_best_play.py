"""Match equity tables of two players of Lama Dice who both play as well as possible.

Rounds from many scores and deals are solved for the win. What a round is worth rests on the table,
and the table on what rounds are worth. So they are solved in batches, each twice as large as the
one before, with the table that the batches before gave. Older rounds are valued by the newest
table: play through their solutions tells which scores follow. (What best play is worth moves with
the ends of a round as if play stayed the same: Milgrom & Segal, "Envelope Theorems for Arbitrary
Choice Sets", Econometrica 2002.)

Both hands of a deal are held by both players in turn, which removes most of the sampling error.
What `best` makes of the same deals removes more of it (a control variate): its mean is known. The
worth of a round minus that of the table of `best` is then smoothed over the scores (see
`score_surface`).
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lama_odds import __version__
from lama_odds.games.dice.engine import kernels, round_loop
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.position import Counts, unpack_hand
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW
from lama_odds.games.dice.solvers.pair_walk import LAST, walk, walked
from lama_odds.games.dice.solvers.payoffs import EVEN, chance_to_win, win_payoff
from lama_odds.games.dice.solvers.token_cuts import cuts_of
from lama_odds.games.dice.solvers.two_players import pair_situations, solve_pair
from lama_odds.games.interface.match_equity import MatchEquity, shipped
from tools.fit.score_surface import Seen, Surface, fitted, likeliest
from tools.publishing.target import EQUITY, POLICIES, Making, Target

FOLDER = "data/best_play/"
RULES = ("dice/amigo",)
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): solved once
NAME = "best play"
# Tokens are followed so far that no value changes by more (see `token_cuts`); a tenth of what
# `advise` tolerates is not worth its time here.
TOLERATED = 0.01
MOST = 1 << 62
# Rounds whose ends moved by more on average are left out: then play would change too.
MOVED = 0.005
SETTLED = 1e-7  # the table moves less between two sweeps
# More of the late scores, where a round decides more: a power of numbers spread evenly.
LATE = 2 / 3
# Steps of a sequence that covers the square evenly (Roberts, "The unreasonable effectiveness of
# quasirandom sequences", 2018: powers of the inverse of the plastic number).
SPREAD = np.array([0.7548776662466927, 0.5698402909980532])


@dataclass(frozen=True)
class Round:
    """What rounds of one deal from given scores are worth, both hands held by both.

    scores: of the player who starts, and the other. table: float64[target, target], by which they
    were solved. win: the starter's chance to win. control: by how much `best` wins more often from
    this deal than from all. finals: int64[n, 3] and weights: float64[n], what
    best play left: scores of the starter and the other, and the last to act (0: the starter).
    """

    scores: tuple[int, int]
    table: np.ndarray
    win: float
    control: float
    finals: np.ndarray
    weights: np.ndarray

    def worth(self, rules: DiceRules, table: np.ndarray) -> tuple[float, float]:
        """Return the chance to win if another table values the ends, and how far these moved."""
        before, after = (
            starters_chance(rules, self.finals, values) for values in (self.table, table)
        )
        moved = after - before
        return self.win + float(self.weights @ moved), float(self.weights @ np.abs(moved))


def starters_chance(rules: DiceRules, finals: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return the chance to win of the player who started, by what rounds left."""
    mine, other, last = finals.T
    valued = MatchEquity(NAME, table, np.zeros_like(table), 0, 0)
    again = chance_to_win(rules, mine, other, valued)
    return np.where(last == 0, again, 1 - chance_to_win(rules, other, mine, valued))


def dealt(rules: DiceRules, seed: int, number: int) -> tuple[Counts, Counts]:
    """Return the hands of a first round of two players, as simulations deal them."""
    table = np.zeros(round_loop.TABLE_SIZE, dtype=np.int64)
    kernels.deal_round(rules.columns, rules.rolls, table, 2, seed, number, 0)
    first, second = table[round_loop.HAND : round_loop.HAND + 2].tolist()
    return unpack_hand(first), unpack_hand(second)


def scores_of(number: int, target: int) -> tuple[int, int]:
    """Return the scores of round `number`."""
    first, second = (((number + 1) * SPREAD % 1) ** LATE * target).astype(int).tolist()
    return first, second


def solved_rounds(
    rules: DiceRules,
    number: int,
    tables: tuple[MatchEquity, MatchEquity],
    seed: int,
    walks: int,
    threads: int,
) -> tuple[Round, Round]:
    """Return rounds of one deal, started by the player with the first or the second score.

    tables: of `best`, and what is known of best play.
    """
    base, table = tables
    best = GAME.best_policy(rules, 2)
    scores = scores_of(number, rules.target)
    hands = dealt(rules, seed, number)
    cuts = cuts_of(rules, scores, table)
    found: tuple[list[_Played], list[_Played]] = ([], [])
    for held in (hands, hands[::-1]):
        fewest = cuts.fewest(held, FULL_ROW, pair_situations(*held, FULL_ROW), MOST, TOLERATED)
        assert fewest is not None, "everything fits"
        tokens = fewest[0]
        levels = len(tokens[0].values), len(tokens[1].values)
        payoff = win_payoff(rules, tokens, scores, table, cuts.repeated(levels))
        solution = solve_pair(rules, *held, FULL_ROW, tokens, threads, None, payoff)
        through = walked(rules, solution)
        for starter in (0, 1):
            left, usual = (
                _from_starter(
                    walk(
                        rules, through, held, FULL_ROW, scores, starter, both, number, walks
                    ).finals,
                    starter,
                )
                for both in ((None, None), (best, best))
            )
            win = EVEN + float(solution.passed[starter][solution.root, 0])
            found[starter].append(
                _Played(win, float(starters_chance(rules, usual, base.values).mean()), left)
            )
    return (
        _round(scores, table.values, base.values, found[0]),
        _round(scores[::-1], table.values, base.values, found[1]),
    )


class _Played(NamedTuple):
    """A deal solved and played: chances to win of best play and of `best`, and what is left."""

    win: float
    usual: float
    finals: np.ndarray


def _from_starter(finals: np.ndarray, starter: int) -> np.ndarray:
    """Return final scores and the last to act, the starter's first."""
    if starter == 0:
        return finals
    return np.column_stack((finals[:, 1], finals[:, 0], 1 - finals[:, LAST]))


def _round(
    scores: tuple[int, int], table: np.ndarray, base: np.ndarray, both: Sequence[_Played]
) -> Round:
    left, counts = np.unique(
        np.concatenate([played.finals for played in both]), axis=0, return_counts=True
    )
    win, usual = (float(np.mean([played[at] for played in both])) for at in (0, 1))
    return Round(scores, table, win, usual - float(base[scores]), left, counts / counts.sum())


def smoothed(
    rules: DiceRules,
    rounds: Sequence[Round],
    latest: int,
    base: np.ndarray,
    start: np.ndarray | None,
) -> tuple[Surface, np.ndarray]:
    """Return what best play adds to the table `base`, and the sum: each agrees with the other.

    latest: this number of rounds at the end counts in any case, others only if their ends hardly
    moved.
    start: parameters of the surface to begin with.
    """
    scores = np.array([round_.scores for round_ in rounds])
    table, parameters = base, start
    for _ in range(3):  # the parameters hardly move after the first time
        worth, moved = np.array([round_.worth(rules, table) for round_ in rounds]).T
        counts = moved <= MOVED
        counts[-latest:] = True
        kept = [round_ for round_, is_kept in zip(rounds, counts, strict=True) if is_kept]
        at = scores[counts]
        controls = np.array([round_.control for round_ in kept])
        seen = Seen(at, worth[counts] - base[at[:, 0], at[:, 1]], controls, rules.target)
        parameters = likeliest(seen, parameters)
        while True:
            surface = fitted(seen, parameters)
            change = np.abs(base + surface.values - table).max()
            table = base + surface.values
            if change < SETTLED:
                break
            worth = np.array([round_.worth(rules, table)[0] for round_ in kept])
            seen = replace(seen, values=worth - base[at[:, 0], at[:, 1]])
    return surface, table


class Kept:
    """Rounds and tables of one rule set that are done, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def read(self, number: int, table: np.ndarray) -> tuple[Round, Round] | None:
        """Return the rounds of a number, solved by this table; None if there are none."""
        path = self.folder / f"{number:05}.npz"
        if not path.exists():
            return None
        with np.load(path) as kept:
            first, second = (
                Round(
                    tuple(kept["scores"].tolist()[:: 1 - 2 * starter]),
                    table,
                    float(kept["wins"][starter]),
                    float(kept["controls"][starter]),
                    kept[f"finals{starter}"],
                    kept[f"weights{starter}"],
                )
                for starter in (0, 1)
            )
        return first, second

    def write(self, number: int, rounds: tuple[Round, Round]) -> None:
        """Keep the rounds of a number, whole or not at all."""
        path, partial = self.folder / f"{number:05}.npz", self.folder / "partial.npz"
        parts: dict[str, Any] = {
            f"{name}{starter}": getattr(round_, name)
            for starter, round_ in enumerate(rounds)
            for name in ("finals", "weights")
        }
        parts |= {
            "scores": rounds[0].scores,
            "wins": [round_.win for round_ in rounds],
            "controls": [round_.control for round_ in rounds],
        }
        np.savez_compressed(partial, **parts)
        os.replace(partial, path)


def best_play(making: Making, text: str) -> tuple[MatchEquity, dict[str, Any]]:
    """Return the table of a rule set, and what is to be known of how it was made."""
    rules = GAME.rules(text)
    best = GAME.best_policy(rules, 2)
    base = shipped(text, [best, best])
    assert base is not None, "tables of `best` are shipped"
    kept = Kept(making.work / text.replace("/", "-"))
    threads = making.threads or os.cpu_count() or 1
    table, parameters = base.values, None
    rounds: list[Round] = []
    moves = []
    deals = [making["rounds"] << batch for batch in range(making["batches"])]
    for batch, size in enumerate(deals):
        known = replace(base, values=table)
        for number in range(sum(deals[:batch]), sum(deals[: batch + 1])):
            found = kept.read(number, table)
            if found is None:
                found = solved_rounds(
                    rules, number, (base, known), making["seed"], making["walks"], threads
                )
                kept.write(number, found)
            rounds += found
            making.bar(number + 1, sum(deals))
        before = table
        surface, table = smoothed(rules, rounds, 2 * size, base.values, parameters)
        parameters = surface.parameters
        moves.append(float(np.abs(table - before).max()))
        making.tell(
            f"{text}: {len(surface.residuals)} of {len(rounds)} rounds count; the table moved by "
            f"at most {moves[-1]:.4f}, its errors are {surface.errors.mean():.4f} on average, at "
            f"most {surface.errors.max():.4f}; added to `best`: {np.abs(surface.values).max():.3f}"
        )
    # Until the table stands still, its last move tells how far it may be from where it would.
    errors = np.hypot(surface.errors, table - before)
    facts = {
        "rounds": len(surface.residuals),
        "solved": len(rounds),
        "seed": making["seed"],
        "batches": making["batches"],
        "moved": [float(f"{move:.2g}") for move in moves],
        "surface": [float(f"{value:.3g}") for value in surface.parameters],
        "controlled": float(f"{surface.controlled:.2g}"),
        "residuals": float(f"{surface.residuals.std():.3g}"),
        "mean stderr": float(f"{errors.mean():.2g}"),
        "largest stderr": float(f"{errors.max():.2g}"),
    }
    return MatchEquity(NAME, table, errors, facts["rounds"], making["seed"]), facts


def make(making: Making) -> None:
    """Solve all and write them with a manifest."""
    tables: dict[str, Any] = {}
    for text in RULES:
        found, facts = best_play(making, text)
        packed = io.BytesIO()
        np.save(packed, np.stack([found.values, found.stderr]), allow_pickle=False)
        name = text.replace("/", "-") + ".npy"
        making.write(FOLDER + name, packed.getvalue())
        digest = hashlib.sha256(packed.getvalue()).hexdigest()
        tables[text] = {"policy": NAME, "file": name, **facts, "sha256": digest}
    tables.update({text: tables[other] for text, other in ALIKE.items()})
    manifest = {
        "what": "chance to win a two-player game of the player who starts the next round, by the "
        "own and the other's score. Ties are shared, and both play as well as possible. "
        "float64[2, target, target], values and standard errors, which include the last move of "
        "an entry. rounds: those that count, at all scores together, of all that were solved",
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
    reads=(*POLICIES, *EQUITY),
    options={"rounds": 12, "batches": 4, "walks": 10_000, "seed": 1},
    quick={"rounds": 3, "batches": 2, "walks": 200},
    deep=True,
)
