"""Positions and policies of Pikomino as jobs: rollouts, games, standings, thinking ahead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import exact
from lama_odds.core.language import say
from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import RolloutJob, StandingsJob, ThinkingJob
from lama_odds.games.interface.match_equity import PLAYED_ON
from lama_odds.games.interface.objectives import (
    ThresholdTable,
)
from lama_odds.games.interface.tally_layout import EQUITY, FORK_COLUMNS, WIN, rollout_layout
from lama_odds.games.interface.tally_layout import WIN as WHOLE_WIN
from lama_odds.games.interface.watched import NO_STORY, WatchTables, measures_of
from lama_odds.games.pikomino.engine import kernels, look_ahead
from lama_odds.games.pikomino.engine.adjusted import roll_out_learned
from lama_odds.games.pikomino.engine.kernels import FAR, play_standings
from lama_odds.games.pikomino.engine.learned import RolloutTables, StandingTables, ThinkingTables
from lama_odds.games.pikomino.engine.policy_kernels import LEARNED
from lama_odds.games.pikomino.policies import policy_rows, tables_of
from lama_odds.games.pikomino.rules.board import MAX_TILES
from lama_odds.games.pikomino.rules.feasibility import after_keeping, legal_actions
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.solvers.endgame import FEW, patterns, sets_of, table_of
from lama_odds.games.pikomino.solvers.exact import board_of
from lama_odds.jit.job import Job, Measure

# The job that plays a game of Pikomino out after each legal action.


def rollouts(
    rules: PikominoRules,
    position: Position,
    policies: Sequence[Policy],
    only: Sequence[str] = (),
) -> RolloutJob:
    """Return all legal actions, or some, then the game to its end, with the same dice.

    If all play `learned`, wins are luck-adjusted.
    """
    actions = only or legal_actions(rules, position)
    roots = np.array([_root(rules, position, name) for name in actions], dtype=np.int64)
    layout = rollout_layout(kernels.OBJECTIVES, len(actions), kernels.EVENTS)
    adjusted = all(policy.family.code == LEARNED for policy in policies)
    kernel = roll_out_learned if adjusted else kernels.roll_out
    tables = RolloutTables(tables_of(rules, policies), board_of(rules, position), roots, layout)
    job = Job(kernel, rules.columns, policy_rows(policies), tables, layout.shape)
    units = (1 / (EQUITY if adjusted else WIN), 1.0)
    return RolloutJob(
        job,
        tuple(actions),
        ("win", "worms"),
        units,
        kernels.EVENT_NAMES,
        (),
        looked_up=adjusted,
    )


def _root(rules: PikominoRules, position: Position, name: str) -> tuple[int, int]:
    """Return the code in the kernel of an action, or of a bust; then state, tile or seat."""
    verb, _, what = name.partition(" ")
    if verb == "stop":
        return kernels.DO_STOP, int(what) - rules.low
    if verb == "steal":
        return kernels.DO_STEAL, int(what.split()[-1])
    if verb == "bust":
        return kernels.DO_BUST, 0
    kept = position.kept
    if verb == "keep":
        kept = after_keeping(position, NAMES.index(what))
    mask = sum(1 << face for face, count in enumerate(kept) if count)
    state = int(rules.tables.number[mask, rules.total(kept), rules.dice - sum(kept)])
    return (kernels.DO_ROLL if verb == "roll" else kernels.DO_KEEP), state


# Whole games as jobs.


def simulation(rules: PikominoRules, policies: Sequence[Policy], rounds: bool) -> Job:
    """Return whole games of these policies, one for each seat."""
    if rounds:
        raise ReadError(say("pikomino has no rounds, only whole games"))
    seats = len(policies)
    measures = (
        *(Measure("win", seat, 1 / WHOLE_WIN, share=True) for seat in range(seats)),
        *(Measure("outright", seat, share=True) for seat in range(seats)),
        *(Measure("worms", seat, most=int(rules.worm_table.sum())) for seat in range(seats)),
        *(Measure(name) for name in ("turns", "busts", "steals")),
        Measure("unfinished", share=True),
    )
    return Job(
        kernels.play_games,
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies),
        (len(measures), 2),
        measures,
    )


def watched(rules: PikominoRules, policies: Sequence[Policy], longer: int, looks: bool) -> Job:
    """Return whole games that are watched; longer, looks: see `interface.watched.WatchTables`."""
    play = tables_of(rules, policies)
    measures = measures_of(len(policies), False)
    tables = WatchTables(play, play, longer, PLAYED_ON, looks, NO_STORY)
    shape = (len(measures), 2)
    return Job(kernels.watch_games, rules.columns, policy_rows(policies), tables, shape, measures)


# Jobs and tables of the chance to win by worms ahead and tiles left.

FEWEST_BOARDS = 100  # for which a mean is shown
SHARES = ("win", "quarter below", "quarter above")


# Bands of tiles left in the centre, in sixteenths of all: the first of each band.
BANDS = (1, 3, 6, 10)


SIXTEENTHS = 16


def solved_standings(rules: PikominoRules) -> ThresholdTable | None:
    """Return the mover's chance to win with four tiles in play, by tiles left and worms ahead.

    It is None if there is no table of the rule set.
    """
    table = table_of(rules)
    if table is None:
        return None
    numbers = tuple(rules.numbers)
    ways = patterns(FEW)
    sets = [tiles for tiles in sets_of(numbers, FEW) if len(tiles) == FEW]
    first = sets_of(numbers)[sets[0]]
    chances = table[first : first + len(sets) * len(ways)].reshape(len(sets), len(ways))
    worms = np.array([[rules.worms_on(tile) for tile in tiles] for tiles in sets])
    sides = np.array([[_side(board, tile) for tile in range(FEW)] for board in ways])
    ahead = worms @ sides.T
    left = np.array([len(centre) for centre, _, _ in ways])
    rows = []
    for tiles in sorted(set(left.tolist())):
        here = left == tiles
        for lead in range(int(ahead[:, here].min()), int(ahead[:, here].max()) + 1):
            wins = chances[:, here][ahead[:, here] == lead]
            if wins.size < FEWEST_BOARDS:
                continue
            low, high = np.quantile(wins, (0.25, 0.75))
            rows.append(
                {
                    "tiles left": tiles,
                    "worms ahead": lead,
                    "boards": int(wins.size),
                    "win": exact(float(wins.mean())),
                    "quarter below": exact(float(low)),
                    "quarter above": exact(float(high)),
                }
            )
    title = say(
        "The two-player game with {tiles} tiles in play and best play. Win rate of the player to "
        "roll, by tiles left in the centre and worms ahead, mean over all boards. A quarter of the "
        "boards lies below the lower quarter, and one above the upper",
        tiles=FEW,
    )
    return ThresholdTable("standings", title, tuple(rows), shares=SHARES)


def _side(board: tuple[tuple[int, ...], ...], tile: int) -> int:
    """Return 1 for the mover's tile, −1 for the other's, 0 for one in the centre."""
    return (tile in board[1]) - (tile in board[2])


def standings_job(rules: PikominoRules, policies: Sequence[Policy]) -> StandingsJob:
    """Return the job that counts wins by tiles left and worms ahead."""
    firsts = sorted({max(1, at * rules.tiles // SIXTEENTHS) for at in BANDS})
    ends = [*(first - 1 for first in firsts[1:]), rules.tiles]
    bands = np.searchsorted(firsts, np.arange(MAX_TILES + 1), side="right") - 1
    keys = [
        {"tiles left": f"{first} to {last}" if last > first else f"{first}", "worms ahead": lead}
        for first, last in zip(firsts, ends, strict=True)
        for lead in range(-FAR, FAR + 1)
    ]
    job = Job(
        play_standings,
        rules.columns,
        policy_rows(policies),
        StandingTables(tables_of(rules, policies), bands.astype(np.int64)),
        (len(keys) + 1, FORK_COLUMNS),
    )
    return StandingsJob(job, keys, 1 / WIN)


# The jobs of games in which one seat looks a turn further ahead than `learned`.


def thinking_job(rules: PikominoRules, policies: Sequence[Policy], seat: int) -> ThinkingJob:
    """Return the games in which a seat looks ahead; raise LimitError for other policies."""
    if any(policy.family.code != LEARNED for policy in policies):
        raise LimitError(say("in pikomino only a player of learned can look a turn further ahead"))
    job = Job(
        look_ahead.think_games,
        rules.columns,
        policy_rows(policies),
        ThinkingTables(tables_of(rules, policies), seat),
        (look_ahead.ROWS, 2),
    )
    return ThinkingJob(
        job,
        thought=look_ahead.THOUGHT,
        usual=look_ahead.USUAL,
        promised=look_ahead.PROMISED,
        decisions=look_ahead.TURNS,
        departed=look_ahead.OTHERWISE,
        unfinished=look_ahead.NO_END,
    )
