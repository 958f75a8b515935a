"""What makes a game good: measures besides the usual ones, and groups of both.

Along a game (see `games.interface.watched`): lead changes, comebacks, long games, when the winner
is decided, drama, and where rounds can be quit, the time that a player watches and waits. From
games of mixed tables: how often the best policy wins against casual players, and bold ones against
cautious ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from lama_odds.analysis.compare.answer import (
    DECISIONS,
    GAME_MEASURES,
    ROUND_MEASURES,
    SKILL,
    UNFINISHED,
    Compared,
    Jobs,
    given_delta,
    mean_of,
)
from lama_odds.analysis.compare.decisions import CHOICES, DECISIONS_ASKED, MATTER, MOST_GAMES
from lama_odds.core.checks import Delta
from lama_odds.core.errors import LimitError, ReadError, near_names
from lama_odds.core.policies import BEST, Policy
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.watched import DECIDED
from lama_odds.jit.job import Job
from lama_odds.luck.stream import MAX_GAMES
from lama_odds.simulation.run import BLOCK, Play, Played
from lama_odds.statistics.intervals import Z

# What is a long game? One with more actions than a threshold, which comes from a pilot.
#
# The threshold is LONGER times the median of the pilot, so it has an error of its own. More games
# of an answer do not reduce it. The pilot plays the same games for every rule set, so differences
# have less of it than two shares.
#
# The error of a share is found where it is made. The limits of the median are ranks of the sorted
# pilot, ERRORS standard errors on either side of the middle. Lengths are whole numbers, so nearer
# limits are often equal. The shares of longer games at both limits say how much the share can be
# wrong. For the covariances between rule sets, it is linear in the part of games that
# are above the median.

LONG = "long games"
LONGER = 1.5  # times the median: a long game
ERRORS = 3.0


@dataclass(frozen=True)
class Pilot:
    """The number of actions of each game of a pilot, in the order of the games."""

    lengths: np.ndarray

    @property
    def longer(self) -> int:
        """A game with more actions is long."""
        return _threshold(float(np.median(self.lengths)))

    @property
    def above(self) -> np.ndarray:
        """For each game 1 if it is above the median, else 0."""
        return np.where(self.lengths > np.median(self.lengths), 1.0, 0.0)

    @property
    def slope(self) -> float:
        """How fast the share of long games falls as the rank of the median rises, from 0 to 1."""
        number = len(self.lengths)
        ranked = np.sort(self.lengths)
        apart = ERRORS * math.sqrt(number) / 2
        low = ranked[max(0, math.floor(number / 2 - apart))]
        high = ranked[min(number - 1, math.ceil(number / 2 + apart))]
        shares = [float(np.mean(self.lengths > _threshold(float(end)))) for end in (low, high)]
        return (shares[0] - shares[1]) * number / (2 * apart)


def _threshold(median: float) -> int:
    return int(LONGER * median)


def pilot_of(game: AnyGame, rules: Any, policy: Policy, players: int) -> Pilot:
    """Play the pilot: the same games every time, which no answer counts."""
    job = game.simulation(rules, [policy] * players, False).detailed()
    names = [measure.name for measure in job.measures]
    row = names.index("length" if "length" in names else "turns")
    first = MAX_GAMES - game.pilot
    return Pilot(np.array([job.play(0, first + at, 1)[row, 0] for at in range(game.pilot)]))


def covariances(pilots: Sequence[Pilot]) -> tuple[tuple[float, ...], ...]:
    """Return the covariances of the shares' errors that come from the medians."""
    above = np.array([pilot.above for pilot in pilots])
    slopes = np.array([pilot.slope for pilot in pilots])
    matrix = np.cov(above).reshape(len(pilots), len(pilots)) / above.shape[1]
    return tuple(tuple(map(float, row)) for row in matrix * np.outer(slopes, slopes))


# How many games to compare rule sets on: from a precision, from seconds, or two minutes' worth.

DEFAULT_GAMES = 200_000
SECONDS_PER_RULE_SET = 50.0  # by default
MOST_GAMES_PLANNED = 1_000_000_000
# Pilots have the highest game indices there are, so no game is counted twice.
PILOT_GAMES = 8_192  # to see how much differences vary
SPEED_GAMES = 512  # to see how fast games are, more of them if these take no time
SPEED_SECONDS = 0.1
SPARE = 0.9  # half-widths are planned to be this part of those wanted: a pilot is uncertain


@dataclass(frozen=True)
class Plan:
    """Games to play, and the seconds they should take (None: not known)."""

    games: int
    seconds: float | None = None


def plan_from(plain: Any) -> Plan:
    """A plan from its fields, as JSON has them; ValueError for anything else."""
    if not isinstance(plain, list | tuple) or len(plain) != len(fields(Plan)):
        raise ValueError("found no plan")
    games, seconds = plain
    if isinstance(games, bool) or not isinstance(games, int) or not 0 < games <= MAX_GAMES:
        raise ValueError(f"games: expected a whole number, 1 to {MAX_GAMES:,}")
    known = isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds >= 0
    if seconds is not None and not known:
        raise ValueError("seconds: expected a number")
    return Plan(games, seconds)


def pilot(job: Job, games: int, play: Play) -> Played:
    """Play games that no comparison counts. KeyboardInterrupt if interrupted."""
    played = play.run(job, games, first=MAX_GAMES - games, folder=None)
    if played.interrupted:
        raise KeyboardInterrupt
    return played


def for_seconds(
    job: Job,
    seconds: float,
    play: Play,
    most: int = MOST_GAMES_PLANNED,
) -> Plan:
    """As many games as can be played in this number of seconds, the pilot's included.

    A number with three binary digits, so that machines alike play alike; no more than `most`.
    """
    games = SPEED_GAMES
    played = pilot(job, games, play)
    spent = played.seconds
    while played.seconds < min(SPEED_SECONDS, seconds / 4):
        games *= 4
        played = pilot(job, games, play)
        spent += played.seconds
    per_game = played.seconds / games
    possible = int(max(0.0, seconds - spent) / per_game)
    if possible >= most:
        return Plan(most, most * per_game)
    step = 1 << max(BLOCK.bit_length() - 1, possible.bit_length() - 3)
    planned = max(SPEED_GAMES, possible - possible % step)
    return Plan(planned, planned * per_game)


def for_precision(
    job: Job,
    half_width: float,
    stderr: Callable[[np.ndarray, int], float],
    play: Play,
) -> Plan:
    """As many games as give a 95 % interval of this half-width.

    stderr: the standard error after a tally and its number of games. LimitError beyond MOST_GAMES.
    """
    played = pilot(job, PILOT_GAMES, play)
    reached = Z * stderr(played.tally, played.games)
    wanted = PILOT_GAMES * (reached / (SPARE * half_width)) ** 2
    per_game = played.seconds / PILOT_GAMES
    if wanted > MOST_GAMES_PLANNED:
        raise LimitError(
            f"±{half_width:g} would take some {wanted:.2g} games, about {wanted * per_game:.2g} s: "
            f"at most {MOST_GAMES_PLANNED:,} are played (choose a wider interval)"
        )
    games = max(PILOT_GAMES, math.ceil(wanted / BLOCK) * BLOCK)
    return Plan(games, games * per_game)


# Measures by their names, as people write them: the same reading for every option.

SINGLE = (CHOICES, MATTER, DECISIONS)  # what is known from single decisions
SEAT_BIAS = "seat bias"


def plain_name(name: str) -> str:
    """A measure as a person writes it: spaces or underscores, small or capital letters."""
    return " ".join(name.replace("_", " ").casefold().split())


def matching(name: str, measures: Iterable[Compared]) -> list[Compared]:
    """The measures of this name: those of all seats if it names no seat."""
    plain = plain_name(name)
    there = (measure for measure in measures if measure.key != UNFINISHED)
    return [m for m in there if plain in (plain_name(m.name), plain_name(m.key))]


def no_measure(
    name: str, known: Iterable[str], title: str = "", along: Iterable[str] = ()
) -> ReadError:
    """The refusal of a name. known: names that there are; title: of the game.

    along: measures that are counted in some games.
    """
    plain = plain_name(name)
    if title and plain in along:
        return ReadError(f"{plain} means nothing in {title}")
    if title and plain in map(plain_name, (*ROUND_MEASURES, *GAME_MEASURES)):
        names = ", ".join(map(plain_name, dict.fromkeys(known)))
        return ReadError(f"{plain} is not counted in {title}", hints=(f"  known: {names}",))
    return ReadError(f"no measure {name!r} here", hints=near_names(name, dict.fromkeys(known)))


def own_name(name: str, measures: Sequence[Compared], title: str) -> str:
    """The name or key that a measure has in an answer. ReadError for a name that none has."""
    matches = matching(name, measures)
    if not matches:
        there = [m for m in measures if m.key != UNFINISHED]
        known = [*(m.key for m in there), *(m.name for m in there if m.name != m.key)]
        raise no_measure(name, known, title)
    first = matches[0]
    return first.key if plain_name(first.key) == plain_name(name) else first.name


def deltas_of(
    given: Mapping[str | None, Delta], measures: Sequence[Compared], title: str
) -> dict[str | None, Delta]:
    """δ by the names that measures have; ReadError for an unknown name, or one given twice."""
    deltas: dict[str | None, Delta] = {}
    for name, delta in given.items():
        own = None if name is None else own_name(name, measures, title)
        if own in deltas:
            raise ReadError(f"δ of {own} is given twice")
        deltas[own] = delta
    return deltas


def check_deltas(deltas: Mapping[str | None, Delta], shown: Iterable[Compared]) -> None:
    """ReadError for a δ of 1 or more for a share: anything would be equivalent."""
    for measure in shown:
        delta = given_delta(measure, deltas)
        if measure.share and delta and not delta.relative and delta.value >= 1:
            named = deltas.get(measure.name) or deltas.get(measure.key)
            other = "" if named else ", or name a measure: rounds=1"
            raise ReadError(
                f"δ of {delta.value:g} for {plain_name(measure.name)}: it is a share, from 0 to 1, "
                f"so δ must be below 1, such as 0.05{other}"
            )


def precise(
    name: str | None, shown: Sequence[Compared], measures: Sequence[Compared], title: str
) -> str:
    """The measure that a precision is for. shown: those wanted that all games count.

    ReadError where no number of games gives a precision, or for a measure that is not wanted.
    """
    if name is None:
        if not shown:
            raise ReadError("a precision: none of the wanted measures can have one")
        return shown[0].name
    plain = plain_name(name)
    if plain in (CHOICES, MATTER):
        raise ReadError(
            f"a precision of {plain}: at most {MOST_GAMES} games are looked at, so more games do "
            "not help"
        )
    if plain == DECISIONS:
        raise ReadError(
            f"a precision of {plain}: about {DECISIONS_ASKED:,} of them are tried at most, so it "
            "cannot be chosen"
        )
    own = own_name(name, measures, title)
    if not any(own in (measure.name, measure.key) for measure in shown):
        raise ReadError(f"a precision of {plain}: this measure is not among the wanted ones")
    return own


WATCHED = "watched"
BOLD = "bold wins"
GOOD = "good"  # all groups

# What is counted of games that are watched, each with its unit and its meaning.
ALONG: Mapping[str, tuple[str, str]] = {
    LONG: (
        "of games",
        f"longer than {LONGER} times the median of other games under the same rules; the error of "
        "this median is in the interval",
    ),
    "longest wait": (
        "actions",
        "the most actions of others between two of your own in a game, mean over players. The mean "
        "wait is the number of other players, whatever the rules",
    ),
    "sat out": ("% of a game", "actions that a player watches after quitting a round"),
    "lead changes": ("times per game", "another player than before is alone in the lead"),
    "comebacks": ("of games", "won by a player who was last at half time"),
    "decided": (
        "% of the game",
        f"after this part the later winner's chance to win stays above {DECIDED} %",
    ),
    "drama": (
        "percentage points",
        "by which the leader's chance to win is above the later winner's, mean over a game",
    ),
}
PARTS = ("decided", "sat out")  # of a game, in per cent
LOOKED_AT = ("decided", "drama")  # these need chances to win
MIXED: Mapping[str, str] = {
    SKILL: "the best policy wins, alone among casual players",
    BOLD: "a bold player wins, where every other player is a cautious one",
}

GROUPS: Mapping[str, tuple[str, ...]] = {
    "duration": ("rounds", "length", "turns", LONG, "longest wait", "sat out"),
    "fairness": ("win", "seat bias", "shared"),
    "tension": ("lead changes", "comebacks", "decided", "drama"),
    "decisions": (CHOICES, MATTER, DECISIONS, BOLD),
    "skill": (SKILL,),
}
NEW = (*ALONG, *MIXED)


def members(name: str) -> tuple[str, ...]:
    """The keys of the measures in a group; empty if it is not a group."""
    if name == GOOD:
        return tuple(key for keys in GROUPS.values() for key in keys)
    return GROUPS.get(name, ())


def asked(game: AnyGame, names: Iterable[str]) -> tuple[str, ...]:
    """Which measures besides the usual ones are wanted by these names of measures and groups."""
    plain = set(map(plain_name, names))
    wanted = plain.union(*map(members, plain))
    keys = [key for key in NEW if key in wanted]
    return tuple(key for key in keys if key not in MIXED or seated(game, key))


def seated(game: AnyGame, key: str) -> tuple[str, str] | None:
    """The policies of a mixed table: those that are counted, and the others; None if unknown."""
    if key == SKILL:
        return (BEST, game.casual) if game.casual else None
    bold, cautious = game.models.get("bold"), game.models.get("cautious")
    return (bold, cautious) if bold and cautious else None


def wanted(measures: Sequence[Compared], names: Sequence[str], title: str = "") -> frozenset[str]:
    """The names of the measures that are wanted by names of measures and groups.

    None: the usual ones. ReadError for a name that there is not. title: of the game.
    """
    there = [measure for measure in measures if measure.key != UNFINISHED]
    if not names:
        usual = (measure for measure in there if measure.key not in (*NEW, CHOICES, MATTER))
        return frozenset(measure.name for measure in usual)
    chosen: set[str] = set()
    for name in names:
        plain = plain_name(name)
        some = {m.name for m in matching(name, there)}
        some |= {m.name for m in there if m.key in members(plain)}
        if not some and plain == SEAT_BIAS:
            raise ReadError(f"{plain} is for sweep: compare has the wins of every seat (win)")
        if not some:
            known = [*GROUPS, GOOD, *(m.key for m in there), *NEW]
            raise no_measure(name, known, title, NEW)
        chosen |= some
    return frozenset(chosen)


def jobs_of(
    game: AnyGame,
    rules: Any,
    policy: Policy,
    best: Policy,
    players: int,
    keys: Sequence[str],
    pilot: Pilot | None = None,
) -> dict[str, Job]:
    """The jobs that count these measures.

    best: the strongest policy, of one kind for all rule sets that are compared. pilot: the games
    that say how many actions a long game has; without it, these are not counted.
    """
    jobs: dict[str, Job] = {}
    if set(keys) & set(ALONG):
        longer = pilot.longer if pilot else 0
        job = game.watched(
            rules, [policy] * players, longer, looks=not set(keys).isdisjoint(LOOKED_AT)
        )
        if job is not None:
            jobs[WATCHED] = job
    if SKILL in keys:
        for seat in range(players):
            jobs[f"{SKILL} {seat}"] = _mixed(game, rules, SKILL, best, players, {seat})
    if BOLD in keys:
        for first in range(2):
            seats = set(range(first, players, 2))
            jobs[f"{BOLD} {first}"] = _mixed(game, rules, BOLD, best, players, seats)
    return jobs


def _mixed(
    game: AnyGame, rules: Any, key: str, best: Policy, players: int, counted: set[int]
) -> Job:
    """Whole games of a mixed table. counted: the seats that play otherwise."""
    names = seated(game, key)
    assert names is not None
    one, other = (best if name == BEST else game.policy(name) for name in names)
    policies = [one if seat in counted else other for seat in range(players)]
    return game.simulation(rules, policies, False)


def compared_by(jobs: Jobs) -> list[Compared]:
    """The measures that such jobs count."""
    measures = []
    counted = {m.name: m for m in jobs[WATCHED].measures} if WATCHED in jobs else {}
    watched: Any = jobs[WATCHED].tables if WATCHED in jobs else None
    looks = watched is not None and watched.looks
    for key, (unit, meaning) in ALONG.items():
        if key in counted and (looks or key not in LOOKED_AT):
            measure = mean_of(key, key, unit, meaning, WATCHED, [counted[key]])
            measures.append(replace(measure, most=100.0) if key in PARTS else measure)
    for key, meaning in MIXED.items():
        those = {name: job for name, job in jobs.items() if name.startswith(f"{key} ")}
        if those:
            measures.append(_wins(key, meaning, those))
    return measures


def _wins(key: str, meaning: str, jobs: Jobs) -> Compared:
    """The share of the wins that those who are counted have, mean over several tables."""
    weights = []
    for name, job in jobs.items():
        place, seats = int(name.split()[-1]), len(job.policies)
        counted = [place] if key == SKILL else range(place, seats, 2)
        weights += [(name, "win", seat, 1) for seat in counted]
    unit = next(iter(jobs.values())).measures[0].unit / len(jobs)
    return Compared(key, key, "of games", meaning, unit, True, False, tuple(weights))
