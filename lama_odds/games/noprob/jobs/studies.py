"""Tables of replacements and of specials given, beside thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import ForkTable
from lama_odds.games.interface.jobs import ForkTables as TablesBeside
from lama_odds.games.interface.tally_layout import CERTAIN, FORK_COLUMNS
from lama_odds.games.noprob.engine.studies import GIFTS, ROWS, study_rounds
from lama_odds.games.noprob.engine.tables import ForkTables
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import DRAMA, MAX_SEATS
from lama_odds.jit.job import Job

# How many of CERTAIN cards drawn are studied: further ones of a round add little.
STUDIED = CERTAIN // 4


MOST_ROUNDS = 180_000  # times seats: half a minute


def replacement_keys(rules: NoprobRules) -> list[dict[str, str]]:
    """Return the meaning of each row of the tally up to GIFTS."""
    replaced = [
        "face down",
        *rules.names[:DRAMA],
        *(f"({name})" for name in rules.names),
        "completes a line",
        "breaks a line",
    ]
    return [{"card": card, "replaces": old} for card in rules.names[:DRAMA] for old in replaced]


def gift_keys(rules: NoprobRules, seats: int) -> list[dict[str, str]]:
    """Return the meaning of each row from GIFTS; empty for seats that do not exist."""
    others = seats - 1
    ranks = [f"{nth(at)} lowest total" for at in range(1, others + 1)]
    ranks[0], ranks[-1] = "lowest total", "highest total" if others > 1 else ""
    steps = [f"{nth(at)} in turn" for at in range(1, others + 1)]
    steps[0] = "next in turn"
    blank = [""] * (MAX_SEATS - 1 - others)
    return [
        {"card": card, "to": to, "against": against} if to else {}
        for card in rules.names[DRAMA:]
        for to in (*ranks, *blank, *steps, *blank)
        for against in ("nobody", "whom the policy gives it")
    ]


def tables_beside(rules: NoprobRules, policies: Sequence[Policy]) -> TablesBeside:
    """Return the tables of these decisions, for `thresholds`."""
    chances = np.array([STUDIED, STUDIED], dtype=np.int64)
    tables = ForkTables(tables_of(rules, policies), chances)
    job = Job(study_rounds, rules.columns, policy_rows(policies), tables, (ROWS, FORK_COLUMNS))
    replacements = ForkTable(
        "replacements",
        "What putting a card drawn there adds to your total, compared with its best other use",
        0,
        replacement_keys(rules),
        (("points", 1.0), ("round", 1.0)),
        "below 0 is better; (7) is face down but known; without last turns and ends of the round",
        "card",
    )
    gifts = ForkTable(
        "gifts",
        "What a Drama or a Karma for another adds to your points vs. others, and to your chance of "
        "the round",
        GIFTS,
        gift_keys(rules, len(policies)),
        (("margin", 1 / (len(policies) - 1)), ("round", 1.0)),
        "totals as the giver expects them",
    )
    return TablesBeside(job, MOST_ROUNDS // len(policies), (replacements, gifts))


def nth(number: int) -> str:
    """Return an ordinal number."""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
