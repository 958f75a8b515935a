"""How often would a player under other rules decide otherwise, and what would it cost?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.compare.answer import GAMES, Compared
from lama_odds.core.estimate import exact
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.decisions import query_of, same_basis, words_of
from lama_odds.simulation.run import add_samples
from lama_odds.statistics.equivalence import GroupedShare, grouped_share

# How often would a player under another rule set decide otherwise?
#
# Games are played under the baseline with its policy. At a part of the decisions with a choice, the
# policy is tried twice: as it plays under the baseline, and as it plays under the other rule set.
# Both get the same information as the player to move. If the two cannot differ, the share is
# exactly 0.

DECISIONS_ASKED = 10_000  # about as many are tried
ONE_IN = 4  # decisions is tried: those of a game are alike, so more games show more
FEWEST_GAMES = 20
MOST_DECISIONS = 1 << 14  # of a game: each needs a random number
PILOT = 8  # games whose decisions are counted to know how many games it takes
# One game's decisions are tried for every PLAYED_FOR_ONE games played: that takes little longer.
PLAYED_FOR_ONE = 50


@dataclass(frozen=True)
class Side:
    """A rule set and its policy."""

    rules: Any
    policy: Policy


def share_apart(
    game: AnyGame,
    baseline: Side,
    other: Side,
    players: int,
    games: int,
    seed: int,
    delta: float,
    progress: Progress | None = None,
) -> GroupedShare | str:
    """The share of decisions that a player under the other rules would decide otherwise.

    The decisions are those of games of the baseline. If they cannot be tried under the other
    rules, the answer is the reason, in words. games: of the comparison; of these, enough are
    looked at to give about DECISIONS_ASKED.
    """
    query = game.policy_query()
    if query is None:
        return f"single decisions of {game.name} cannot be compared"
    reason = query.unlike(baseline.rules, other.rules)
    if reason:
        return f"the decisions cannot be tried under {other.rules.id}: {reason}"
    both = [query.player(side.rules, side.policy, players) for side in (baseline, other)]
    if same_basis(*both):
        return GroupedShare(exact(0.0), 0, 0, float("inf"), delta)
    most = max(FEWEST_GAMES, games // PLAYED_FOR_ONE)
    counts: list[tuple[int, int]] = []
    while len(counts) < most:
        if progress:
            progress(len(counts), most)
        counts.append(_ask(game, baseline, both, players, seed, len(counts)))
        if len(counts) == PILOT:
            per_game = sum(n for _, n in counts) / PILOT
            most = min(most, max(FEWEST_GAMES, round(DECISIONS_ASKED / max(per_game, 1e-9))))
    differing, tried = np.array(counts, dtype=np.int64).T
    if not tried.sum():
        return "no decision with a choice occurred"
    return grouped_share(differing, tried, delta)


def _ask(
    game: AnyGame, side: Side, both: Sequence[Any], players: int, seed: int, at: int
) -> tuple[int, int]:
    """Of one game: how many decisions differ, and how many were tried."""
    query = query_of(game)
    text = game.record(side.rules, [side.policy] * players, seed, at, False)
    wanted, coins = words_of(seed, at, MOST_DECISIONS)
    chosen = (wanted >> np.uint64(32)) % np.uint64(ONE_IN) == 0
    reader = query.reader(lambda number: number < MOST_DECISIONS and bool(chosen[number]))
    reader.read(text)
    apart = tried = 0
    for situation in reader.found:
        if len(query.legal_actions(side.rules, situation.position)) > 1:
            word = int(coins[situation.number])
            tried += 1
            apart += both[0].decides(situation, word) != both[1].decides(situation, word)
    return apart, tried


# How many decisions has a game, and how often do they matter?
#
# Games are played under each rule set with its policy. All decisions with a choice are counted.
# Some of each game, drawn at random, are played out after every action: a decision matters if the
# second best action costs MATTERS more than the best. Everybody plays the same policy after it.
#
# The cost is an estimate from PLAYS games on common random numbers. Its error (some 0.1 to 0.2
# points) turns a few decisions near MATTERS the wrong way, in both directions.

CHOICES, MATTER = "choices", "matter"
OBJECTIVE = "points"
MATTERS = 1.0  # points
TRIED = 4  # decisions of a game
PLAYS = 1_000
MOST_GAMES = 64  # that are looked at, see `studied`
PART = 1 << 16  # shares of a game's decisions are counted in units of 1 / PART
# Each is counted of whole games, without a row of their tally.
MEASURES = (
    Compared(
        CHOICES,
        CHOICES,
        "decisions per game",
        "decisions of all players with more than one legal action",
        1.0,
        False,
        False,
        ((GAMES, CHOICES, None, 1),),
    ),
    Compared(
        MATTER,
        MATTER,
        "of decisions",
        f"the second best action costs more than {MATTERS:g} point this round; sampled",
        1 / PART,
        True,
        False,
        ((GAMES, MATTER, None, 1),),
    ),
)


def can_be_tried(game: AnyGame) -> bool:
    """Whether single decisions of a game can be put to its policies, in points."""
    return game.policy_query() is not None and OBJECTIVE in game.objectives


def studied(
    game: AnyGame,
    sides: Sequence[Side],
    players: int,
    games: int,
    seed: int,
    progress: Progress | None = None,
) -> tuple[np.ndarray, int]:
    """The tally of MEASURES, as that of `paired_blocks.paired_job` with blocks of one game.

    games: of the answer; at most MOST_GAMES of them are looked at, fewer where turns are long. Also
    their number.
    """
    recorded = game.recorded()
    number = min(games, max(2, MOST_GAMES // (recorded.fewer if recorded else 1)))
    samples = np.zeros((len(MEASURES), len(sides), number), dtype=np.int64)
    for variant, side in enumerate(sides):
        for at in range(number):
            samples[:, variant, at] = _of_game(game, side, players, seed, at)
            if progress:
                progress(variant * number + at + 1, len(sides) * number)
    tally = np.zeros((len(MEASURES), len(sides), 1 + 3 * len(sides)), dtype=np.int64)
    add_samples(tally, samples)
    return tally, number


def _of_game(game: AnyGame, side: Side, players: int, seed: int, at: int) -> tuple[int, int]:
    """The decisions of a game, and the share of them that matter, in units of 1 / PART."""
    query = query_of(game)
    reader = query.reader(lambda number: number < MOST_DECISIONS)
    reader.read(game.record(side.rules, [side.policy] * players, seed, at, False))
    positions = [
        situation.position
        for situation in reader.found
        if len(query.legal_actions(side.rules, situation.position)) > 1
    ]
    if not positions:
        return 0, 0
    order = np.argsort(words_of(seed, at, len(positions))[1], kind="stable")[:TRIED]
    matter = [second_best(game, side, positions[place], seed) > MATTERS for place in order]
    return len(positions), round(PART * sum(matter) / len(matter))


def second_best(game: AnyGame, side: Side, position: object, seed: int) -> float:
    """What the second best action costs more than the best, in points."""
    advice = advise(
        game,
        side.rules,
        position,
        objective=OBJECTIVE,
        seed=seed,
        limits=Limits(games=PLAYS, threads=1),
        opponents=side.policy,
    )
    return advice.actions[1].regret.value if len(advice.actions) > 1 else math.inf
