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
from typing import Any, NamedTuple

import numpy as np

from lama_odds.core.language import say
from lama_odds.core.policies import Policy
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.core.wording import in_percent, significant
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.rounds_won import RoundsWonEquity, rounds_won
from lama_odds.games.interface.tally_layout import EQUITY, lowest_score
from lama_odds.jit import allocating, compiled, inlined
from lama_odds.jit.arrays import array_of
from lama_odds.jit.job import Job

# Chances to win by the scores between rounds, as kernels look them up in match equity tables.
#
# Two players have a table of every pair of scores. Of more players it would be too large. They have
# a small network instead, whose first layer is tables. Everybody's score has a row of numbers, and
# so has what it means to all. A player's own row and the sum of the rows of all are added. What is
# positive of it is weighted and summed: the logarithm of a strength. Chances are strengths divided
# by their sum, as Harville (1973) has it. So they sum to 1, and players are treated alike except
# for their turns.
#
# All numbers are integers, and so are sums: any machine finds the same chances.

MOST_UNITS = 64  # of the network
STEPS = 512  # of a logarithm by 1
SMALLEST = 14  # the logarithm of a strength, below that of the strongest, from which on it is 0
POWERS = np.rint((1 << 30) * np.exp(-np.arange(SMALLEST * STEPS) / STEPS)).astype(np.int64)


class Several(NamedTuple):
    """Chances of more than two players.

    own, common: int32[players, target, units], by turns after the starter and by score: what is
    added for the player, and for all. weights: int32[units]. step: what is 1 / STEPS in the
    weighted sums. powers: int64, strengths by steps below the strongest.
    """

    own: np.ndarray
    common: np.ndarray
    weights: np.ndarray
    step: int
    powers: np.ndarray


class Equities(NamedTuple):
    """A match equity table for kernels.

    two: int64[target, target], in units of 1 / EQUITY: the chance of the player who starts, by its
    own and the other's score. It is of size 0 if the table is for more.
    several: its step is 0 if the table is for two. One version of each kernel serves both.
    """

    two: np.ndarray
    several: Several


NOT_OF_TWO = np.zeros((0, 0), np.int64)
NOT_OF_SEVERAL = Several(
    own=np.zeros((0, 0, 0), np.int32),
    common=np.zeros((0, 0, 0), np.int32),
    weights=np.zeros(0, np.int32),
    step=0,
    powers=POWERS,
)
PLAYED_ON = Equities(NOT_OF_TWO, NOT_OF_SEVERAL)  # no table: games are played out
CHANCE, UNIT = range(2)  # the rows of a room


@inlined
def has_table(equities):
    """Return whether there is a table."""
    return equities.two.size > 0 or equities.several.step > 0


@allocating
def new_room():
    """Return the array in which chances are worked out: chances by seat, sums by unit."""
    return np.zeros((2, MOST_UNITS), np.int64)


@inlined
def find_chances(equities, table, at, seats, starter, room):
    """Write everybody's chance to win by the scores table[at: at + seats], in 1 / EQUITY.

    starter: the seat that starts the next round. room: see `new_room`; row CHANCE is the result.
    """
    if equities.two.size:
        room[CHANCE, 0] = chance_of_two(equities.two, table, at, starter)
        room[CHANCE, 1] = EQUITY - room[CHANCE, 0]
    else:
        chances_of_several(equities, table, at, seats, starter, room)


@inlined
def chance_of_two(two, table, at, starter):
    """Return the chance that seat 0 of two wins."""
    mine = table[at]
    other = table[at + 1]
    if max(mine, other) >= two.shape[0]:
        return EQUITY * (mine < other) + EQUITY // 2 * (mine == other)
    if starter == 0:
        return two[mine, other]
    return EQUITY - two[other, mine]


@inlined
def chances_of_several(equities, table, at, seats, starter, room):
    """Write everybody's chance in `room`; return whether the game continues."""
    several = equities.several
    own, common, weights = several.own, several.common, several.weights
    highest = 0
    for seat in range(seats):
        highest = max(highest, table[at + seat])
    if highest >= own.shape[1]:
        lowest, shared = lowest_score(table, at, seats)
        for seat in range(seats):
            room[CHANCE, seat] = EQUITY // shared * (table[at + seat] == lowest)
        return False
    units = weights.size
    for unit in range(units):
        room[UNIT, unit] = 0
    for seat in range(seats):
        turn = (seat - starter) % seats
        for unit in range(units):
            room[UNIT, unit] += common[turn, table[at + seat], unit]
    for seat in range(seats):
        turn = (seat - starter) % seats
        logarithm = 0
        for unit in range(units):
            value = room[UNIT, unit] + own[turn, table[at + seat], unit]
            logarithm += max(value, 0) * weights[unit]
        room[CHANCE, seat] = logarithm
    share_chances(several, seats, room)
    return True


@inlined
def share_chances(several, seats, room):
    """Turn logarithms of strengths into chances."""
    powers = several.powers
    top = room[CHANCE, 0]
    for seat in range(1, seats):
        top = max(top, room[CHANCE, seat])
    total = 0
    for seat in range(seats):
        below = (top - room[CHANCE, seat]) // several.step
        room[CHANCE, seat] = powers[below] if below < powers.size else 0
        total += room[CHANCE, seat]
    for seat in range(seats):
        room[CHANCE, seat] = (EQUITY * room[CHANCE, seat] + total // 2) // total


@compiled
def chances_at(equities, scores, starters, chances):
    """Write everybody's chance for each row of scores, in units of 1 / EQUITY."""
    seats = chances.shape[1]
    room = new_room()
    for row in range(scores.shape[0]):
        find_chances(equities, scores[row], 0, seats, starters[row], room)
        for seat in range(seats):
            chances[row, seat] = room[CHANCE, seat]


# Match equity tables of three to six players: a network of the scores, see `score_chances`.
#
# `lab.equity` fits them. Those that are shipped are in data/several_equity, of tuned
# policies, and in data/fitted_several, of trained ones. `tools/publish several-equity` and
# `fitted-several` write them.

TUNED, TRAINED = SEVERAL_FOLDERS = ("several_equity", "fitted_several")
PLAYERS = range(3, 7)


@dataclass(frozen=True)
class SeveralEquity:
    """A match equity table of more than two players of one policy.

    own, common, weights: int32, see `score_chances.Several`. whole: how much of a weighted sum is a
    logarithm by 1.
    stderr: how far a chance at random scores is off, as a standard deviation. after: the same of
    the mean chance after a round from there. apart: the same of the difference between two such
    means, at scores that are near each other.
    rounds: the number it was fitted to. seed: of these rounds.
    """

    policy: str
    own: np.ndarray
    common: np.ndarray
    weights: np.ndarray
    whole: int
    stderr: float
    after: float
    apart: float
    rounds: int
    seed: int

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.own.shape[0])

    @property
    def target(self) -> int:
        """The score that ends a game."""
        return int(self.own.shape[1])

    @property
    def off(self) -> tuple[float, float]:
        """Standard errors of a looked-up mean and of a difference of two."""
        return self.after, self.apart

    @property
    def said(self) -> str:
        """The table and its error, in words."""
        return say(
            "the match equity table of {players} players of {policy} (standard error of a mean "
            "chance {error}, in the intervals)",
            players=self.players,
            policy=self.policy,
            error=in_percent(significant(100 * self.after)),
        )

    @property
    def counted(self) -> Equities:
        """The table for kernels."""
        several = Several(self.own, self.common, self.weights, self.whole // STEPS, POWERS)
        return Equities(NOT_OF_TWO, several)

    def chances(self, scores: Sequence[int]) -> np.ndarray:
        """Return float64[players]: everybody's chance to win; the first one starts."""
        by_seat: np.ndarray = chances_of(self, np.array([scores], dtype=np.int64))[0]
        return by_seat


def chances_of(
    table: SeveralEquity, scores: np.ndarray, starters: np.ndarray | None = None
) -> np.ndarray:
    """Return float64[rows, players], chances by the scores of all seats.

    starters: of the next round; None: seat 0.
    """
    if starters is None:
        starters = np.zeros(len(scores), dtype=np.int64)
    return chances_in(table.counted, scores, starters)


def chances_in(counted: Equities, scores: np.ndarray, starters: np.ndarray) -> np.ndarray:
    """Return float64[rows, players], chances in the table of a kernel, of any number of players."""
    chances = np.zeros_like(scores)
    chances_at(counted, scores, starters, chances)
    return np.asarray(chances / EQUITY)


def shipped_several(rules_id: str, policies: Sequence[str]) -> SeveralEquity | None:
    """Return the shipped table of players of these policies; None if there is none.

    Raises LamaOddsError if the installed table differs from its manifest.
    """
    for folder in SEVERAL_FOLDERS:
        entry = manifest(folder)["tables"].get(rules_id, {}).get(str(len(policies)))
        if entry is not None and set(policies) == {entry["policy"]}:
            return read_several(folder, entry)
    return None


def manifest(folder: str) -> Any:
    """Return what is known of the shipped tables of one of the FOLDERS."""
    return data_json(f"{folder}/manifest.json")


def read_several(folder: str, entry: dict[str, Any]) -> SeveralEquity:
    """Return the table of an entry of the manifest of a folder."""
    flat = array_of(data_bytes(f"{folder}/{entry['file']}", entry["sha256"])).astype(np.int32)
    units = entry["units"]
    shape = (2, entry["players"], entry["target"], units)
    own, common = flat[:-units].reshape(shape)
    return SeveralEquity(
        entry["policy"],
        own,
        common,
        flat[-units:],
        entry["whole"],
        entry["stderr"],
        entry["after"],
        entry["apart"],
        entry["rounds"],
        entry["seed"],
    )


def packed(table: SeveralEquity) -> np.ndarray:
    """Return int16[…]: the own rows, the common ones and the weights, as they are shipped."""
    parts = (table.own, table.common, table.weights)
    return np.concatenate([part.reshape(-1) for part in parts]).astype(np.int16)


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
    def off(self) -> tuple[float, float]:
        """Nothing: the error of the table is not in the intervals."""
        return 0.0, 0.0

    @property
    def said(self) -> str:
        """The table and its error, in words."""
        return say(
            "the match equity table of {policy} (standard error of an entry at most {error}, not "
            "in the intervals)",
            policy=self.policy,
            error=in_percent(significant(100 * self.stderr.max())),
        )

    @property
    def counted(self) -> Equities:
        """The table for kernels: chances as int64 in units of 1 / EQUITY."""
        return Equities(np.asarray(np.rint(self.values * EQUITY), dtype=np.int64), NOT_OF_SEVERAL)


AnyEquity = MatchEquity | SeveralEquity | RoundsWonEquity


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
        return say(
            "scores unknown: averaged over those at which rounds begin in games of {policy}; give "
            "scores= for yours",
            policy=self.policy,
        )


def table_for(rules_id: str, policies: Sequence[Policy]) -> AnyEquity | None:
    """Return the table for players of these policies, one for each seat; None if there is none.

    Raises LamaOddsError if the installed table differs from its manifest.
    """
    names = [policy.name for policy in policies]
    by_rounds = rounds_won(rules_id, len(names), names[0]) if len(set(names)) == 1 else None
    if by_rounds is not None:
        return by_rounds
    return shipped(rules_id, policies) if len(names) == 2 else shipped_several(rules_id, names)


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
    """Return float64[players], everybody's chance by the scores; starter: of the next round.

    Scores are rounds won where a game counts these.
    """
    if isinstance(table, RoundsWonEquity):
        return table.by_seat([int(score) for score in scores], starter)
    rows, starters = np.array([scores], dtype=np.int64), np.array([starter], dtype=np.int64)
    chances: np.ndarray = chances_in(table.counted, rows, starters)[0]
    return chances


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

    def looked_up(job: Job) -> Job:
        return replace(job.with_tables(equities=table.counted), kernel=of_round)

    of_round, among = job.of_round, job.among
    return replace(
        job,
        job=looked_up(job.job),
        units=(*job.units[:-1], 1 / EQUITY),
        looked_up=True,
        off=table.off,
        among=None if among is None else lambda actions: looked_up(among(actions)),
    )
