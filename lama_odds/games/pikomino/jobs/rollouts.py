"""The job that plays a game of Pikomino out after each legal action."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.tally_layout import EQUITY, WIN, rollout_layout
from lama_odds.games.pikomino.engine import kernels
from lama_odds.games.pikomino.engine.adjusted_lanes import roll_out_learned
from lama_odds.games.pikomino.engine.policy_kernels import LEARNED
from lama_odds.games.pikomino.engine.tables import RolloutTables
from lama_odds.games.pikomino.policies.catalogue import policy_rows, tables_of
from lama_odds.games.pikomino.rules.moves import after_keeping, legal_actions
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.solvers.exact import board_of
from lama_odds.jit.job import Job


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
    """Return an action's code in the kernel, then state, tile or seat."""
    verb, _, what = name.partition(" ")
    if verb == "stop":
        return kernels.DO_STOP, int(what) - rules.low
    if verb == "steal":
        return kernels.DO_STEAL, int(what.split()[-1])
    kept = position.kept
    if verb == "keep":
        kept = after_keeping(position, NAMES.index(what))
    mask = sum(1 << face for face, count in enumerate(kept) if count)
    state = int(rules.tables.number[mask, rules.total(kept), rules.dice - sum(kept)])
    return (kernels.DO_ROLL if verb == "roll" else kernels.DO_KEEP), state
