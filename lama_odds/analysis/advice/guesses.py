"""Would another guess at hidden cards change the verdict?

Where the policy of players who have quit would not have quit there, their hands are a guess. The
answer is then repeated with other hands, each in games of its own. Their number depends only on
the games of the answer, so the `--games` that repeats the answer repeats all of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lama_odds.analysis.advice.otherwise import losses
from lama_odds.analysis.advice.rollouts import Limits, roll_out
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.objectives import Objective
from lama_odds.luck.stream import MAX_SEED
from lama_odds.statistics.anytime import FEWEST

PART = 3  # each other guess is played with one game for every three of the answer
# The part of the time that the answer itself takes where other guesses are tried after it.
SHARE = 0.5
OTHER_LUCK = 0x6B79_1D35  # added to the seed: games that stopped the answer decide nothing here


def seed_apart(seed: int) -> int:
    """The seed of games that the answer does not count."""
    return (seed + OTHER_LUCK) % MAX_SEED


@dataclass(frozen=True)
class Guess:
    """The answer with other hands.

    said: the hands, in words.
    best: the best action with them.
    agrees: whether the advised action is certain to be the best one, or equivalent to it.
    contradicts: whether the advised action is certain to be worse.
    games: played with these hands.
    """

    said: str
    best: str
    agrees: bool
    contradicts: bool
    games: int

    @property
    def found(self) -> str:
        """What these hands would change, in words."""
        if self.contradicts:
            return f"with {self.said}, {self.best} is better"
        return f"with {self.said}, it would be too close to call"


def try_guesses(
    jobs: Iterator[tuple[str, RolloutJob]],
    objectives: Mapping[str, Objective],
    objective: str,
    advised: str,
    games: int,
    limits: Limits,
    seed: int,
) -> tuple[Guess, ...] | None:
    """The answer with the hands of each job; None if it was interrupted.

    jobs: with what each guesses. games, limits, seed: of the answer. What is stated of a guess is
    wrong in at most ALPHA of all answers. The same is true of the statement that all guesses
    agree: it is wrong only if every guess that disagrees was misjudged.
    """
    counts = objectives[objective]
    each = Limits(games=max(FEWEST, games // PART), threads=limits.threads)
    found = []
    for said, job in jobs:
        played = roll_out(job, objectives, objective, each, seed_apart(seed), None)
        if played.interrupted:
            return None
        best, loses = losses(objective, counts, played, fixed=True)
        zone = counts.zone
        if best == advised:
            agrees = all(lost.low > 0 or lost.high < zone for lost in loses.values())
            contradicts = False
        else:
            agrees = loses[advised].high < zone
            contradicts = loses[advised].low > 0 and not agrees
        found.append(Guess(said, best, agrees, contradicts, played.games))
    return tuple(found)


def caution_of(guess: str, found: tuple[Guess, ...]) -> str:
    """What the verdict depends on, in words; empty if no other guess would change it.

    guess: what is guessed, in words.
    """
    changed = sorted((one for one in found if not one.agrees), key=lambda one: not one.contradicts)
    if not changed:
        return ""
    return f"{guess}: {changed[0].found}"


def notes_on(guess: str, found: tuple[Guess, ...]) -> tuple[str, ...]:
    """What was tried, and what came out, in words."""
    changed = [one.found for one in found if not one.agrees]
    kept = [one.said for one in found if one.agrees]
    games = f"{found[0].games:,} games each" if found else ""
    if not changed:
        return (f"{guess}; the verdict is the same {_listed(kept)} ({games})",)
    same = f"; it is the same {_listed(kept)}" if kept else ""
    return (f"{guess}; {'; '.join(changed)}{same} ({games})",)


def _listed(names: list[str]) -> str:
    *before, last = (f"with {name}" for name in names)
    return f"{', '.join(before)} and {last}" if before else last
