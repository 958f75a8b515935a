"""How the chance to win goes with worms ahead and tiles left: boards solved, and games played.

Worms ahead: worms of who is to roll, less the most that another has. Exact: all boards of two
players with four tiles in play. Sampled: `play_standings` notes before each turn of games how far
its player is ahead and how many tiles lie in the centre, and who wins in the end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.estimate import exact
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import ThresholdTable
from lama_odds.games.interface.jobs import StandingsJob
from lama_odds.games.interface.tally_layout import (
    FORK_COLUMNS,
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    WIN,
    add_fork,
    close_forks,
)
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.round_loop import (
    EVENT_SIZE,
    MAX_TURNS,
    begin_game,
    play_turn,
    winners,
)
from lama_odds.games.pikomino.policies.catalogue import policy_rows, tables_of
from lama_odds.games.pikomino.rules.board import (
    BOARD_SIZE,
    CENTRE,
    MAX_SEATS,
    MAX_TILES,
    worms_of,
)
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.endgame_table import MOST, patterns, sets_of, table_of
from lama_odds.jit import compiled, inlined
from lama_odds.jit.job import Job
from lama_odds.luck.stream import stream_of

FAR = 10  # worms ahead or behind: so many and more are one
LEADS = 2 * FAR + 1
FEWEST_BOARDS = 100  # that a mean is given of
# Tiles left in the centre that are told apart, in sixteenths of all: the first of each band.
BANDS = (1, 3, 6, 10)
SIXTEENTHS = 16


def solved_standings(rules: PikominoRules) -> ThresholdTable | None:
    """The mover's chance to win with four tiles in play, by tiles left and worms ahead.

    None if there is no table of the rule set.
    """
    table = table_of(rules)
    if table is None:
        return None
    numbers = tuple(rules.numbers)
    ways = patterns(MOST)
    sets = [tiles for tiles in sets_of(numbers) if len(tiles) == MOST]
    first = sets_of(numbers)[sets[0]]
    chances = table[first : first + len(sets) * len(ways)].reshape(len(sets), len(ways))
    worms = np.array([[rules.worms_on(tile) for tile in tiles] for tiles in sets])
    sides = np.array([[_side(board, tile) for tile in range(MOST)] for board in ways])
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
        f"The game of two with {MOST} tiles in play, both playing as well as can be: chance to win "
        "of who is to roll, by tiles left in the centre and worms ahead, mean over all boards; a "
        "quarter of the boards is below, a quarter above what is named so"
    )
    return ThresholdTable("standings", title, tuple(rows))


def _side(board: tuple[tuple[int, ...], ...], tile: int) -> int:
    """1: the tile is the mover's, −1: the other's, 0: in the centre."""
    return (tile in board[1]) - (tile in board[2])


@inlined
def lead_of(board, worms, seat, seats):
    """How many worms a seat has more than the best of the others; FAR at most, either way."""
    most = 0
    for other in range(seats):
        if other != seat:
            most = max(most, worms_of(board, worms, other))
    return min(max(worms_of(board, worms, seat) - most, -FAR), FAR)


@inlined
def tiles_in(mask):
    """How many tiles a mask has."""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found


@compiled
def play_standings(rules, policies, tables, seed, first, games, tally):
    """Whole games; tally: of each band of tiles left and each lead, wins (see `add_fork`).

    tables: those of `kernels.play_games`, then ``bands``: int64[MAX_TILES + 1], the band of each
    number of tiles. The row after the cells counts games without an end, whose turns are not
    counted.
    """
    turn, worms, counts, log, bands = tables
    seats = policies.shape[0]
    board = np.zeros(BOARD_SIZE, np.int64)
    event = np.zeros(EVENT_SIZE, np.int64)
    turns = np.zeros(MAX_SEATS, np.int64)
    cells = np.zeros(MAX_TURNS, np.int64)
    open_cells = np.zeros((tally.shape[0], OPEN_COLUMNS), np.int64)
    touched = np.zeros(tally.shape[0] + 1, np.int64)
    payoff = np.zeros(FORK_OBJECTIVES, np.int64)
    scratch = scratch_of(turn)
    start = turn.mask.size - 1
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        begin_game(rules, board)
        turns[:] = 0
        played = 0
        seat = 0
        while board[CENTRE] and played < MAX_TURNS:
            lead = lead_of(board, worms, seat, seats)
            cells[played] = bands[tiles_in(board[CENTRE])] * LEADS + lead + FAR
            play_turn(
                rules, turn, worms, counts, policies, board, seat, key, gamma, game,
                turns[seat], start, False, scratch, event, log,
            )  # fmt: skip
            played += 1
            turns[seat] += 1
            seat = seat + 1 if seat + 1 < seats else 0
        if board[CENTRE]:
            tally[tally.shape[0] - 1, 0] += 1
            continue
        found, shared = winners(board, worms, seats)
        for at in range(played):
            payoff[0] = WIN // shared * (found >> at % seats & 1)
            add_fork(open_cells, touched, cells[at], payoff, payoff)
        close_forks(tally, open_cells, touched)


def standings_job(rules: PikominoRules, policies: Sequence[Policy]) -> StandingsJob:
    """The job that counts wins by tiles left and worms ahead."""
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
        (*tables_of(rules), bands.astype(np.int64)),
        (len(keys) + 1, FORK_COLUMNS),
    )
    return StandingsJob(job, keys, 1 / WIN)
