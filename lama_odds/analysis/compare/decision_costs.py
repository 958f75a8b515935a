"""How many decisions has a game, and how often do they matter?

Games are played under each rule set with its policy. All decisions with a choice are counted. Some
of each game, drawn at random, are played out after every action: a decision matters if the second
best action costs MATTERS more than the best. Everybody plays the same policy after it.

The cost is an estimate from PLAYS games on common random numbers. Its error (some 0.1 to 0.2
points) turns a few decisions near MATTERS the wrong way, in both directions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.compare.decision_agreement import MOST_DECISIONS, Side
from lama_odds.analysis.compare.measures import GAMES, Compared
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.policy_query import query_of, words_of
from lama_odds.simulation.paired_blocks import add_samples

CHOICES, MATTER = "choices", "matter"
OBJECTIVE = "points"
MATTERS = 1.0  # points
TRIED = 4  # decisions of a game
PLAYS = 1_000
MOST_GAMES = 64  # that are looked at, unless another number is given; see `studied`
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
    most: int = MOST_GAMES,
) -> tuple[np.ndarray, int]:
    """The tally of MEASURES, as that of `paired_blocks.paired_job` with blocks of one game.

    games: of the answer; at most `most` of them are looked at, fewer where turns are long. Also
    their number.
    """
    recorded = game.recorded()
    number = min(games, max(2, most // (recorded.fewer if recorded else 1)))
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
    found = [
        situation.position
        for situation in reader.found
        if len(query.legal_actions(side.rules, situation.position)) > 1
    ]
    if not found:
        return 0, 0
    order = np.argsort(words_of(seed, at, len(found))[1], kind="stable")[:TRIED]
    matter = [second_best(game, side, found[place], seed) > MATTERS for place in order]
    return len(found), round(PART * sum(matter) / len(matter))


def second_best(game: AnyGame, side: Side, position: object, seed: int) -> float:
    """What the second best action costs more than the best, in points."""
    found = advise(
        game,
        side.rules,
        position,
        objective=OBJECTIVE,
        seed=seed,
        limits=Limits(games=PLAYS, threads=1),
        opponents=side.policy,
    )
    return found.actions[1].regret.value if len(found.actions) > 1 else math.inf
