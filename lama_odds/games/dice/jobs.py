"""Positions and policies of Lama Dice as jobs: rollouts, games, decisions for thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.language import later, say
from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine import kernels, steps, tables
from lama_odds.games.dice.engine.tables import RolloutTables
from lama_odds.games.dice.policies import MEANFIELD, policy_rows, tables_of
from lama_odds.games.dice.rules import odds, ruleset
from lama_odds.games.dice.rules.position import Counts, Position, pack_hand, unpack_hand
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.from_scores import AS_GIVEN, from_scores
from lama_odds.games.interface.jobs import ForkJob, RolloutJob
from lama_odds.games.interface.match_equity import PLAYED_ON, RoundsToWin, table_for
from lama_odds.games.interface.tally_layout import (
    PARTS,
    WIN,
    rollout_layout,
)
from lama_odds.games.interface.watched import NO_STORY, WatchTables, measures_of
from lama_odds.games.shared.drivers import OBJECTIVES
from lama_odds.games.shared.forks import LEFT, Forking, round_forks
from lama_odds.games.shared.forks import game_forks as forks_of_games
from lama_odds.games.shared.measures import DETAILS, game_measures, round_measures
from lama_odds.jit.job import Job

# The job that plays a position of Lama Dice out after each legal action.

ROLLOUT_OBJECTIVES = ("points", "margin", "win")
ADJUSTED = later(
    "points are luck-adjusted: what your rolls cost above their mean in the table of `{policy}` is "
    "subtracted"
)
UNPLANNED = later("`{policy}` plans as if going out returned no token")


def rollouts(
    rules: DiceRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    only: Sequence[str] = (),
) -> RolloutJob:
    """Return the job that plays a position out after all legal actions, or some of them."""
    actions = only or odds.legal_actions(rules, position)
    results = rules.most_points + 1
    layout = rollout_layout(OBJECTIVES, len(actions), steps.EVENTS, results)
    tables = RolloutTables(
        play=tables_of(rules, policies, tokens=play_out or any(position.scores or ())),
        root=root_table(rules, position),
        actions=np.array([_root_action(action) for action in actions], dtype=np.int64),
        others=position.others_in,
        row=position.row,
        layout=layout,
        equities=PLAYED_ON,
        starts=AS_GIVEN,
    )
    kernel = kernels.roll_out_games if play_out else kernels.roll_out
    job = Job(kernel, rules.columns, policy_rows(policies), tables, layout.shape)
    units = (1 / PARTS, 1 / (PARTS * (position.players - 1)), 1 / WIN)
    return RolloutJob(
        job,
        tuple(actions),
        ROLLOUT_OBJECTIVES[: 3 if play_out else 2],
        units,
        steps.EVENT_NAMES,
        tuple(f"penalty {penalty}" for penalty in range(results)),
        notes=lambda _counters, _games: _notes(rules, policies),
        of_round=kernels.roll_out,
    )


def _notes(rules: DiceRules, policies: Sequence[Policy]) -> tuple[str, ...]:
    found = (ADJUSTED,) if policies[0].family is MEANFIELD else ()
    if rules.out_token == "llama" and MEANFIELD in [policy.family for policy in policies]:
        found = (*found, UNPLANNED)
    return tuple(say(note, policy=MEANFIELD.name) for note in found)


def root_table(rules: DiceRules, position: Position) -> np.ndarray:
    """Return the table of the compiled loop for a position; seat 0 decides."""
    table = np.zeros(tables.TABLE_SIZE, dtype=np.int64)
    active = [0]
    table[tables.HAND] = pack_hand(position.hand)
    table[tables.PENALTY] = -1
    for seat, opponent in enumerate(position.opponents, 1):
        table[tables.PENALTY + seat] = -1
        if not opponent.quit:
            active.append(seat)
        elif opponent.cards is not None:
            penalty = odds.penalty_of(rules, opponent.cards)
            table[tables.PENALTY + seat] = penalty + rules.quit_cost
        else:
            table[tables.PENALTY + seat] = (opponent.penalty or 0) + rules.quit_cost
        if opponent.cards is not None:
            table[tables.HAND + seat] = pack_hand(opponent.cards)
    for seat, following in zip(active, [*active[1:], 0], strict=True):
        table[tables.NEXT + seat] = following
        table[tables.BEFORE + following] = seat
    for seat, score in enumerate(position.scores or ()):
        table[tables.SCORE + seat] = score
    return table


def _root_action(action: str) -> tuple[int, int]:
    """Return code and cards (or kind) of an action's name."""
    verb, _, cards = action.partition(" ")
    if verb == "discard":
        counts = tuple(cards.count(name) for name in ruleset.NAMES)
        return steps.DO_DISCARD, pack_hand(counts)
    if verb == "take":
        return steps.DO_TAKE, ruleset.NAMES.index(cards)
    return (steps.DO_QUIT if verb == "quit" else steps.DO_ROLL), 0


# Rounds and games as jobs, and the deals of simulated games.

MOST_ACTIONS = 4_096  # of a round that is watched


def simulation(rules: DiceRules, policies: Sequence[Policy], rounds: bool) -> Job:
    """Return first rounds or whole games of these policies, one for each seat."""
    seats = len(policies)
    most = rules.most_points
    measures = round_measures(seats, most) if rounds else game_measures(seats, rules.target + most)
    return Job(
        kernels.play_first_rounds if rounds else kernels.play_games,
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies, tokens=not rounds),
        (len(measures), 2),
        measures,
        () if rounds else DETAILS,
    )


def watched(rules: DiceRules, policies: Sequence[Policy], longer: int, looks: bool) -> Job:
    """Return whole games that are watched; longer, looks: see `interface.watched.WatchTables`."""
    play = tables_of(rules, policies)
    table = table_for(rules.id, policies)
    equities = PLAYED_ON if table is None else table.counted
    measures = measures_of(len(policies), True)
    log = np.zeros(MOST_ACTIONS, dtype=np.int64)
    tables = WatchTables(play, play._replace(log=log), longer, equities, looks, NO_STORY)
    shape = (len(measures), 2)
    return Job(kernels.watch_games, rules.columns, policy_rows(policies), tables, shape, measures)


def rounds_from(rules: DiceRules, policies: Sequence[Policy], starts: np.ndarray, most: int) -> Job:
    """Return rounds from given scores, see `from_scores.from_scores`."""
    return from_scores(
        kernels.play_from_scores,
        rules.columns,
        policy_rows(policies),
        tables_of(rules, policies),
        starts,
        most,
    )


def deal_of(rules: DiceRules, seats: int, seed: int, game: int, number: int) -> list[Counts]:
    """Return the hands that are dealt in a round of a simulated game."""
    table = np.zeros(tables.TABLE_SIZE, dtype=np.int64)
    kernels.deal_round(rules.columns, rules.rolls, table, seats, seed, game, number)
    return [unpack_hand(int(table[tables.HAND + seat])) for seat in range(seats)]


# Decisions played out both ways, as jobs for thresholds.

FORKED = later("with others still in")
FORK_KEYS = {"others": LEFT}
ACTIONS = ("quit", "roll")


def forks(
    rules: DiceRules,
    policies: Sequence[Policy],
    chances: np.ndarray,
    worth: RoundsToWin | None = None,
) -> ForkJob:
    """Return decisions to roll or to quit, played out both ways, see `shared.forks.round_forks`."""
    play = tables_of(rules, policies, tokens=worth is not None)
    asked = Forking(rules, policy_rows(policies), play, ACTIONS, FORKED, FORK_KEYS)
    cells = steps.cells_of(rules.most_points)
    return round_forks(kernels.fork_rounds, asked, cells, chances, worth)


def game_forks(
    rules: DiceRules, policies: Sequence[Policy], chances: np.ndarray | None, band: int
) -> ForkJob:
    """Return the same decisions, played out to the end of the game."""
    play = tables_of(rules, policies)
    asked = Forking(rules, policy_rows(policies), play, ACTIONS, FORKED, FORK_KEYS)
    return forks_of_games(kernels.fork_games, asked, chances, band)
