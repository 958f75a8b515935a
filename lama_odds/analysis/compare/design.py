"""What makes a game good: measures besides the usual ones, and groups of both.

Along a game (see `games.interface.watched`): lead changes, comebacks, long games, when the winner
is decided, drama, and where rounds can be quit, the time that a player watches and waits. From
games of mixed tables: how often the best policy wins against casual players, and bold ones against
cautious ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lama_odds.analysis.compare.decision_costs import CHOICES, MATTER
from lama_odds.analysis.compare.long_games import LONG, LONGER, Pilot, pilot_of
from lama_odds.analysis.compare.measures import (
    DECISIONS,
    SKILL,
    UNFINISHED,
    Compared,
    Jobs,
    mean_of,
)
from lama_odds.analysis.compare.names import SEAT_BIAS, matching, no_measure, plain_name
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import BEST, Policy
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.watched import DECIDED
from lama_odds.jit.job import Job

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
    found = [key for key in NEW if key in wanted]
    return tuple(key for key in found if key not in MIXED or seated(game, key))


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
    found: set[str] = set()
    for name in names:
        plain = plain_name(name)
        some = {m.name for m in (*matching(name, there), *_in_group(plain, there))}
        if not some and plain == SEAT_BIAS:
            raise ReadError(f"{plain} is for sweep: compare has the wins of every seat (win)")
        if not some:
            known = [*GROUPS, GOOD, *(m.key for m in there), *NEW]
            raise no_measure(name, known, title, NEW)
        found |= some
    return frozenset(found)


def piloted(
    game: AnyGame, rules: Any, policy: Policy, players: int, keys: Sequence[str]
) -> Pilot | None:
    """The games that say how many actions a long game has; None if nobody asks."""
    return pilot_of(game, rules, policy, players) if LONG in keys else None


def _in_group(plain: str, measures: Sequence[Compared]) -> list[Compared]:
    keys = members(plain)
    return [measure for measure in measures if measure.key in keys]


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

    best: the strongest policy, of one kind for all rule sets that are compared. pilot: see
    `piloted`; without it, long games are not counted.
    """
    found: dict[str, Job] = {}
    if set(keys) & set(ALONG):
        longer = pilot.longer if pilot else 0
        job = game.watched(
            rules, [policy] * players, longer, looks=not set(keys).isdisjoint(LOOKED_AT)
        )
        if job is not None:
            found[WATCHED] = job
    if SKILL in keys:
        for seat in range(players):
            found[f"{SKILL} {seat}"] = _mixed(game, rules, SKILL, best, players, {seat})
    if BOLD in keys:
        for first in range(2):
            seats = set(range(first, players, 2))
            found[f"{BOLD} {first}"] = _mixed(game, rules, BOLD, best, players, seats)
    return found


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
    found = []
    counted = {m.name: m for m in jobs[WATCHED].measures} if WATCHED in jobs else {}
    watched: Any = jobs[WATCHED].tables if WATCHED in jobs else None
    looks = watched is not None and watched.looks
    for key, (unit, meaning) in ALONG.items():
        if key in counted and (looks or key not in LOOKED_AT):
            measure = mean_of(key, key, unit, meaning, WATCHED, [counted[key]])
            found.append(replace(measure, most=100.0) if key in PARTS else measure)
    for key, meaning in MIXED.items():
        those = {name: job for name, job in jobs.items() if name.startswith(f"{key} ")}
        if those:
            found.append(_wins(key, meaning, those))
    return found


def _wins(key: str, meaning: str, jobs: Jobs) -> Compared:
    """The share of the wins that those who are counted have, mean over several tables."""
    weights = []
    for name, job in jobs.items():
        place, seats = int(name.split()[-1]), len(job.policies)
        counted = [place] if key == SKILL else range(place, seats, 2)
        weights += [(name, "win", seat, 1) for seat in counted]
    unit = next(iter(jobs.values())).measures[0].unit / len(jobs)
    return Compared(key, key, "of games", meaning, unit, True, False, tuple(weights))
