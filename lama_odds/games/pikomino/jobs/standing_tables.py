"""Jobs and tables of the chance to win by worms ahead and tiles left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.estimate import exact
from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import StandingsJob
from lama_odds.games.interface.solution import (
    ThresholdTable,
)
from lama_odds.games.interface.tally_layout import FORK_COLUMNS, WIN
from lama_odds.games.pikomino.engine.standings import FAR, play_standings
from lama_odds.games.pikomino.engine.tables import StandingTables
from lama_odds.games.pikomino.policies.catalogue import policy_rows, tables_of
from lama_odds.games.pikomino.rules.board import MAX_TILES
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.endgame_table import FEW, patterns, sets_of, table_of
from lama_odds.jit.job import Job

FEWEST_BOARDS = 100  # for which a mean is shown


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
            found = chances[:, here][ahead[:, here] == lead]
            if found.size < FEWEST_BOARDS:
                continue
            low, high = np.quantile(found, (0.25, 0.75))
            rows.append(
                {
                    "tiles left": tiles,
                    "worms ahead": lead,
                    "boards": int(found.size),
                    "win": exact(float(found.mean())),
                    "quarter below": exact(float(low)),
                    "quarter above": exact(float(high)),
                }
            )
    title = (
        f"The two-player game with {FEW} tiles in play and best play. Win rate of the player to "
        "roll, by tiles left in the centre and worms ahead, mean over all boards. A quarter of the "
        "boards lies below the lower quarter, and one above the upper"
    )
    return ThresholdTable("standings", title, tuple(rows))


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
