"""Match equity tables: the chance to win a game from the scores alone.

As in gammon programs, a round is played out, and the table gives the chance to win from the
resulting scores. For two players, ``values[mine, other]`` is the chance of the player who starts
the next round, ties shared; both play one policy. Tables of tuned policies are shipped in
data/equity, those of `copy` and `equilibrium` in data/fitted_equity, for the rule sets of their
manifests.
`tools/publish equity-tables` and `fitted-equity` solve them (see `analysis.equity`). Those of three
to six players are in `several_equity`.

Where rounds can be solved, there is a table of best play too, in data/best_play: both play as well
as possible. `tools/publish best-play` solves it.

Where scores are not known, they are drawn from those at which rounds of such games begin. These are
in data/starting_scores; `tools/publish starting-scores` plays them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from lama_odds.core.data import data_bytes, data_json
from lama_odds.core.policies import Policy
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.score_chances import Equities
from lama_odds.games.interface.several_equity import SeveralEquity, chances_in, shipped_several
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.jit.arrays import array_of

FOLDERS = ("equity", "fitted_equity")
BEST_PLAY = "best_play/manifest.json"
STARTING = "starting_scores/manifest.json"


@dataclass(frozen=True)
class MatchEquity:
    """A match equity table.

    values, stderr: float64[target, target], chances and standard errors by the own and the other's
    score.
    rounds: the number played from each pair of scores. seed: of these rounds.
    solved: whether both play as well as possible; then rounds counts those solved, at all scores
    together.
    """

    policy: str
    values: np.ndarray
    stderr: np.ndarray
    rounds: int
    seed: int
    solved: bool = False

    @property
    def said(self) -> str:
        """The table and its error, in words."""
        return (
            f"the match equity table of {self.policy} (standard error of an entry at most "
            f"{100 * self.stderr.max():.2g} %, not in the intervals)"
        )

    @property
    def counted(self) -> Equities:
        """The table for kernels: chances as int64 in units of 1 / EQUITY."""
        return Equities(np.asarray(np.rint(self.values * EQUITY), dtype=np.int64), None)


AnyEquity = MatchEquity | SeveralEquity


@dataclass(frozen=True)
class RoundsToWin:
    """What rounds of a game begin with, and what the scores are worth that they leave."""

    starting: StartingScores
    table: AnyEquity


@dataclass(frozen=True, eq=False)
class StartingScores:
    """Scores at which rounds of whole games begin.

    rows: int64[rows, players], the scores of a player chosen at random and of those after it in
    turn order, all equally likely. policy: of all players. games, seed: in which they occurred.
    """

    policy: str
    rows: np.ndarray
    games: int
    seed: int

    @property
    def averaged(self) -> str:
        """What is averaged, in words."""
        return (
            "scores unknown: averaged over those at which rounds begin in games of "
            f"{self.policy}; give scores= for yours"
        )


def table_for(rules_id: str, policies: Sequence[Policy]) -> AnyEquity | None:
    """Return the table for players of these policies, one for each seat; None if there is none.

    Raises LamaOddsError if the installed table differs from its manifest.
    """
    if len(policies) == 2:
        return shipped(rules_id, policies)
    return shipped_several(rules_id, [policy.name for policy in policies])


def shipped(rules_id: str, policies: Sequence[Policy]) -> MatchEquity | None:
    """Return the table for two players of these policies; None if there is none.

    Raises LamaOddsError if the installed table differs from its manifest.
    """
    if len(policies) != 2:
        return None
    names = {policy.name for policy in policies}
    for folder in FOLDERS:
        entry = data_json(f"{folder}/manifest.json")["tables"].get(rules_id)
        if entry is not None and names == {entry["policy"]}:
            return _table(folder, entry)
    return None


def best_play(rules_id: str) -> MatchEquity | None:
    """Return the table for two players who play as well as possible; None if there is none.

    Raises LamaOddsError if the installed table differs from its manifest.
    """
    entry = data_json(BEST_PLAY)["tables"].get(rules_id)
    return None if entry is None else replace(_table("best_play", entry), solved=True)


@cache
def starting_scores(rules_id: str, players: int) -> StartingScores | None:
    """Return the scores at which rounds begin; None for a rule set that has none.

    Raises LamaOddsError if the installed file differs from its manifest.
    """
    entry = data_json(STARTING)["tables"].get(rules_id, {}).get(str(players))
    if entry is None:
        return None
    content = data_bytes(f"starting_scores/{entry['file']}", entry["sha256"])
    rows = array_of(content).astype(np.int64)
    return StartingScores(entry["policy"], rows, entry["games"], entry["seed"])


def _table(folder: str, entry: dict[str, Any]) -> MatchEquity:
    """Return the table of an entry of a manifest."""
    values, stderr = read_table(f"{folder}/{entry['file']}", entry["sha256"])
    return MatchEquity(entry["policy"], values, stderr, entry["rounds"], entry["seed"])


@cache
def read_table(name: str, digest: str) -> tuple[np.ndarray, np.ndarray]:
    """Return values and errors of a shipped file; raise LamaOddsError for another hash."""
    values, stderr = array_of(data_bytes(name, digest))
    return values, stderr


def chances_by_seat(table: AnyEquity, scores: Sequence[float], starter: int) -> np.ndarray:
    """Return float64[players], everybody's chance by the scores; starter: of the next round."""
    rows, starters = np.array([scores], dtype=np.int64), np.array([starter], dtype=np.int64)
    found: np.ndarray = chances_in(table.counted, rows, starters)[0]
    return found


def rounds_to_win(rules_id: str, policies: Sequence[Policy]) -> RoundsToWin | None:
    """Return what rounds of these players are played for; None where that is not known."""
    table, starting = table_for(rules_id, policies), starting_scores(rules_id, len(policies))
    return None if table is None or starting is None else RoundsToWin(starting, table)


def drawn_from(job: RolloutJob, starting: StartingScores) -> RolloutJob:
    """Return rollouts in which every game draws the scores before the round."""
    return replace(job, job=job.job.with_tables(starts=starting.rows))


def valued_by(job: RolloutJob, table: AnyEquity) -> RolloutJob:
    """Return rollouts that look up the end of a round in a table instead of continuing the game.

    job: of a game whose kernel `of_round` takes such a table, as its `equities`.
    """
    units = (*job.units[:-1], 1 / EQUITY)
    of_round = replace(job.job.with_tables(equities=table.counted), kernel=job.of_round)
    off = (table.after, table.apart) if isinstance(table, SeveralEquity) else (0.0, 0.0)
    return replace(job, job=of_round, units=units, looked_up=True, off=off)
