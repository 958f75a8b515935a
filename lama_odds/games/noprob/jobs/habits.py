"""Habits of No Prob-Lama played out both ways, as a job."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.tally_layout import CERTAIN, FORK_COLUMNS
from lama_odds.games.noprob.engine.habits import FIRST_OF_CLASS, LEAST_DOWN, ROWS, ask_rounds
from lama_odds.games.noprob.engine.tables import ForkTables
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import CELLS, DRAMA
from lama_odds.jit.job import Job

ASKED = CERTAIN // 4  # how many of CERTAIN turns are studied
NAMES = ("hidden", "pair", "taken")


def habits(rules: NoprobRules, policies: Sequence[Policy], asked: int = ASKED) -> Job:
    """Return the job that plays such questions out both ways, see `engine.habits`."""
    tables = ForkTables(tables_of(rules, policies), np.array([asked], dtype=np.int64))
    shape = (ROWS, FORK_COLUMNS)
    return Job(ask_rounds, rules.columns, policy_rows(policies), tables, shape)


def habit_keys(rules: NoprobRules) -> list[tuple[str, str, str]]:
    """Return the meaning of each row: the question, the card, own cards face down."""
    least = (*LEAST_DOWN, CELLS + 1)
    groups = ["any", *(f"{a} to {b - 1}" for a, b in pairwise(least))]
    cards = []
    for first, after in pairwise((*FIRST_OF_CLASS, DRAMA)):
        names = rules.names[first], rules.names[after - 1]
        between = " or " if after - first == 2 else " to "
        cards.append(between.join(dict.fromkeys(names)))
    return [(name, card, down) for name in NAMES for card in cards for down in groups]
