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
from lama_odds.games.interface.from_scores import AS_GIVEN
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.match_equity import PLAYED_ON
from lama_odds.games.interface.tally_layout import (
    PARTS,
    WIN,
    rollout_layout,
)
from lama_odds.games.shared.drivers import OBJECTIVES
from lama_odds.games.shared.jobs import LEFT, PenaltyJobs
from lama_odds.games.shared.seating import lay_seats
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
    notes = (ADJUSTED,) if policies[0].family is MEANFIELD else ()
    if rules.out_token == "llama" and MEANFIELD in [policy.family for policy in policies]:
        notes = (*notes, UNPLANNED)
    return tuple(say(note, policy=MEANFIELD.name) for note in notes)


def root_table(rules: DiceRules, position: Position) -> np.ndarray:
    """Return the table of the compiled loop for a position; seat 0 decides."""
    table = np.zeros(tables.TABLE_SIZE, dtype=np.int64)
    hands, penalties = [pack_hand(position.hand)], [-1]
    for opponent in position.opponents:
        cards = opponent.cards
        hands.append(0 if cards is None else pack_hand(cards))
        points = opponent.penalty or 0 if cards is None else odds.penalty_of(rules, cards)
        penalties.append(points + rules.quit_cost if opponent.quit else -1)
    lay_seats(table, hands, penalties, position.scores or ())
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

_JOBS = PenaltyJobs(
    kernels,
    policy_rows,
    tables_of,
    tokens_in_rounds=lambda _: False,
    blows=True,
    actions=("quit", "roll"),
    occasion=later("with others still in"),
    cells_of=steps.cells_of,
    words={"others": LEFT},
)
simulation, watched, rounds_from = _JOBS.simulation, _JOBS.watched, _JOBS.rounds_from
forks, game_forks = _JOBS.forks, _JOBS.game_forks


def deal_of(rules: DiceRules, seats: int, seed: int, game: int, number: int) -> list[Counts]:
    """Return the hands that are dealt in a round of a simulated game."""
    table = np.zeros(tables.TABLE_SIZE, dtype=np.int64)
    kernels.deal_round(rules.columns, rules.rolls, table, seats, seed, game, number)
    return [unpack_hand(int(table[tables.HAND + seat])) for seat in range(seats)]
