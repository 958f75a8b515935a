"""What `learned` knows, as shipped in data/learned."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.games.noprob.engine.foretelling import STAGES, Learned, by_card, line_kinds
from lama_odds.games.noprob.engine.grids import line_worth
from lama_odds.games.noprob.rules.ruleset import NoprobRules, parse_rules
from lama_odds.games.noprob.rules.transition import DRAMA
from lama_odds.jit.arrays import array_of

AS_SOLD = "noprob/starnberger"
NEAR = 2  # points
MANIFEST = "learned/noprob.json"
SEATS = range(2, 7)


class Weights(NamedTuple):
    """What is fitted, by kinds of lines (see `line_kinds`); as in `Learned` otherwise.

    own, theirs: float64[STAGES, kinds].
    """

    own: np.ndarray
    theirs: np.ndarray
    share: np.ndarray
    chance: np.ndarray


def learned(rules: NoprobRules, seats: int) -> Learned:
    """Return what a policy knows that plays under a rule set, at a table of `seats`.

    It is fitted to the game as it is sold.
    """
    return _as_sold(seats)._replace(mean=rules.mean_card, worth=_worth(rules))


def suits(rules: NoprobRules) -> bool:
    """Return whether `learned` plays well under a rule set.

    It has seen grids of cards as they are sold, some of them known. It was measured against
    the best `planner`, option by option. It wins more than its share if no card is further than
    `NEAR` from its points, and every player has looked at a card. Otherwise it may win much less.
    """
    sold = parse_rules(AS_SOLD).points
    off = max(abs(a - b) for a, b in zip(rules.points[:DRAMA], sold[:DRAMA], strict=True))
    return off <= NEAR and rules.peeks > 0


def expanded(weights: Weights, rules: NoprobRules) -> Learned:
    """Return weights by lines, for a rule set."""
    kinds = line_kinds()
    own, theirs = (np.ascontiguousarray(part[:, kinds]) for part in weights[:2])
    return Learned(
        own, theirs, weights.share, weights.chance, rules.mean_card, by_card(own), _worth(rules)
    )


def _worth(rules: NoprobRules) -> np.ndarray:
    return by_card(line_worth(rules.points, rules.tables.lines, 0))


def joined(weights: Weights) -> np.ndarray:
    """Return float32[STAGES, …], as it is shipped."""
    return np.concatenate(
        [weights.own, weights.theirs, weights.share.T, weights.chance], axis=1
    ).astype(np.float32)


def split(rows: np.ndarray) -> Weights:
    """Return the parts of what is shipped."""
    own, theirs = np.split(rows[:, :-4].astype(np.float64), 2, axis=1)
    share = np.ascontiguousarray(rows[:, -4:-2].T.astype(np.float64))
    return Weights(own, theirs, share, np.ascontiguousarray(rows[:, -2:].astype(np.float64)))


@cache
def _as_sold(seats: int) -> Learned:
    found = data_json(MANIFEST)["tables"][str(seats)]
    rows = array_of(data_bytes(f"learned/{found['file']}", found["sha256"]))
    assert len(rows) == STAGES
    return expanded(split(rows), parse_rules(AS_SOLD))
