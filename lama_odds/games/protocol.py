"""What a game offers to the layers above: the same for every game.

The analysis layer chooses methods and knows statistics; a game knows its rules
and hands out kernels, positions and what it can solve exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Family, Policy
from lama_odds.core.rulesets import Option


@dataclass(frozen=True)
class Measure:
    """One row of a tally. unit: how much one counts; share: a yes-or-no of each game."""

    name: str
    seat: int | None = None
    unit: float = 1.0
    share: bool = False


@dataclass(frozen=True)
class Job:
    """A kernel with its arguments: what `simulation` runs.

    kernel: ``kernel(rules, policies, tables, seed, first, count, tally)``, adding to an
    int64 tally of shape `shape`; the same tally whatever the split into calls.
    """

    kernel: Any
    rules: np.ndarray
    policies: np.ndarray
    tables: tuple[np.ndarray, ...]
    shape: tuple[int, ...]
    measures: tuple[Measure, ...] = ()


@dataclass(frozen=True)
class RolloutJob:
    """A job that plays a position out after each action, on the same luck.

    The tally holds, for each objective, the sums and the sums of products of
    the actions' payoffs: int64[objectives, k, k + 1], column 0 the sums; then
    int64[k, events] counts. units: what one counts in each objective.
    """

    job: Job
    actions: tuple[str, ...]
    objectives: tuple[str, ...]
    units: tuple[float, ...]
    events: tuple[str, ...]


@dataclass(frozen=True)
class Valued:
    """An action with its exact value in every objective known, and its chances."""

    action: str
    values: Mapping[str, Estimate]
    chances: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True)
class Solution:
    """What could be solved: all actions, and what the values rest on."""

    actions: tuple[Valued, ...]
    assumptions: tuple[str, ...]


class Rules(Protocol):
    """A rule set: a frozen value with a canonical id."""

    @property
    def id(self) -> str: ...
    @property
    def values(self) -> dict[str, Any]: ...
    @property
    def players(self) -> range: ...


class Position(Protocol):
    """What one player knows of a round, seat 0 to decide."""

    @property
    def players(self) -> int: ...
    @property
    def others_in(self) -> int: ...
    @property
    def scores(self) -> tuple[int, ...] | None: ...
    def format(self) -> str: ...


class Game(Protocol):
    """A game: the rooms of its folder behind one face."""

    name: str
    title: str
    editions: Mapping[str, str]
    options: Mapping[str, Option]
    defaults: Mapping[str, Mapping[str, Any]]
    words: Mapping[str, str]
    families: Sequence[Family]
    example: str
    notes: tuple[str, ...]

    def rules(self, text: str) -> Any: ...
    def position(self, rules: Any, text: str) -> Any: ...
    def position_after(self, rules: Any, record: str) -> Any: ...
    def policy(self, text: str) -> Policy: ...
    def best_policy(self, rules: Any, players: int) -> Policy: ...
    def simulation(self, rules: Any, policies: Sequence[Policy], rounds: bool) -> Job: ...
    def record(
        self, rules: Any, policies: Sequence[Policy], seed: int, game: int, rounds: bool
    ) -> str: ...
    def odds(self, rules: Any, position: Any) -> Mapping[str, Estimate]: ...
    def deal_odds(self, rules: Any) -> Mapping[str, Estimate]: ...
    def default_objective(self, rules: Any, position: Any) -> str: ...
    def next_chances(self, rules: Any, position: Any) -> Mapping[str, Mapping[str, Estimate]]: ...
    def turning_point(
        self, rules: Any, position: Any, objective: str, values: Mapping[str, float]
    ) -> str: ...
    def solve(
        self,
        rules: Any,
        position: Any,
        objective: str,
        threads: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> Solution | None: ...
    def rollouts(
        self, rules: Any, position: Any, policies: Sequence[Policy], play_out: bool
    ) -> RolloutJob: ...
