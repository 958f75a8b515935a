"""`advise` played many times: clear, toss-up, other objectives, other guesses, games needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import cast
from unittest.mock import patch

import numpy as np

from lama_odds.analysis.advice import guesses
from lama_odds.analysis.advice.answer import TOO_CLOSE, TOSS_UP, Advice, losses, other_choices
from lama_odds.analysis.advice.sensitivity import WORSE, _state
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.objectives import POINTS, Objective
from lama_odds.statistics.intervals import ALPHA, Moments
from lama_odds.statistics.race import EARLY_CHECK, is_clear, next_check
from tests.calibration.playing import (
    SURER,
    Change,
    Statement,
    advice_of,
    errors_ahead,
    outcomes,
    parts,
    question,
    rollouts,
    sums_at,
)

LOOKS = [EARLY_CHECK]
while LOOKS[-1] < 400_000:
    LOOKS.append(next_check(LOOKS[-1]))
CENTS = 100  # what is won or lost is counted in hundredths, to be just off zones
# Standard errors; with SURER times the error rate the bounds at any look are still above 2.9.
WORTH_A_LOOK = 2.7
ZONE = round(POINTS.zone * CENTS)
SPAN = 40.0 * CENTS  # see `Moments`
MORE = replace(POINTS, name="more", higher=True)


def anytime_surer(*modules: str) -> tuple[Change, ...]:
    """Changes with which anytime-valid statements are SURER times as often wrong."""
    return tuple((f"lama_odds.{module}.ALPHA", SURER * ALPHA) for module in modules)


def joint(actions: int, ahead: int = 0) -> np.ndarray:
    """Payoffs of equally good actions, in hundredths; the first one's are lower by so much."""
    found = CENTS * outcomes(actions)
    found[:, 0] -= ahead
    return found


def said_at_any_look(
    payoffs: np.ndarray,
    said: Callable[[Moments], bool],
    worth: Callable[[np.ndarray], np.ndarray],
) -> Callable[[np.random.Generator, int], int]:
    """How many plays say something at any look; worth: at which looks that can be."""

    def play(rng: np.random.Generator, plays: int) -> int:
        found = 0
        for part in parts(plays):
            sums = sums_at(payoffs, LOOKS, part, rng)
            asked = worth(sums)
            found += sum(
                any(said(_moments(sums, at, look)) for look in np.flatnonzero(asked[at]))
                for at in np.flatnonzero(asked.any(axis=1))
            )
        return found

    return play


def clear(far: int, counts: Objective, rate: float) -> Statement:
    """One of two equally good actions is said to be best; so many others are far behind."""
    counts = replace(counts, zone=0.0)
    payoffs = joint(2 + far)
    payoffs[:, 2:] += (-3 if counts.higher else 3) * CENTS

    def said(moments: Moments) -> bool:
        named = advice_of(moments, counts).verdict not in (TOSS_UP, TOO_CLOSE)
        assert named == is_clear(moments, not counts.higher)  # what stops the games
        return named

    def worth(sums: np.ndarray) -> np.ndarray:
        return errors_ahead(sums, LOOKS, not counts.higher).min(axis=2) > WORTH_A_LOOK

    play = said_at_any_look(payoffs, said, worth)
    surer = anytime_surer("analysis.advice.advise", "statistics.race")
    return Statement(f"clear, {2 + far} actions, {counts.name}", rate, play, surer)


def worse(actions: int, rate: float) -> Statement:
    """Any of equally good actions is said to be worse than another, also by a model of others."""

    def said(moments: Moments) -> bool:
        found = advice_of(moments)
        return any(_state(found, each.regret, each.action) == WORSE for each in found.actions)

    def worth(sums: np.ndarray) -> np.ndarray:
        errors = errors_ahead(sums, LOOKS, True)
        return np.where(np.isfinite(errors), errors, 0.0).max(axis=2) > WORTH_A_LOOK

    play = said_at_any_look(joint(actions), said, worth)
    return Statement(
        f"worse, {actions} actions", rate, play, anytime_surer("analysis.advice.advise")
    )


def toss_up(rate: float) -> Statement:
    """A toss-up is said where the best action is better by just what matters."""

    def said(moments: Moments) -> bool:
        return advice_of(moments).verdict == TOSS_UP

    def worth(sums: np.ndarray) -> np.ndarray:
        return errors_ahead(sums, LOOKS, True, ZONE).min(axis=2) < -WORTH_A_LOOK

    play = said_at_any_look(joint(2, ZONE), said, worth)
    return Statement("toss-up", rate, play, anytime_surer("analysis.advice.advise"))


def objectives(number: int) -> dict[str, Objective]:
    """The objective that was asked for, and others."""
    return {name: replace(POINTS, name=name) for name in ("asked", *"pqrs"[:number])}


def otherwise(number: int, rate: float) -> Statement:
    """Another objective would choose otherwise, where the choice is no better than matters."""
    known = objectives(number)
    payoffs = joint(2, ZONE)  # b is worse by just that

    def play(rng: np.random.Generator, plays: int) -> int:
        found = 0
        for part in parts(plays):
            each = {name: sums_at(payoffs, LOOKS, part, rng) for name in list(known)[1:]}
            losing = [errors_ahead(sums, LOOKS, True, ZONE)[..., 1] for sums in each.values()]
            asked = np.any([np.isfinite(one) & (one > WORTH_A_LOOK) for one in losing], axis=0)
            for at in np.flatnonzero(asked.any(axis=1)):
                looks = (
                    {name: _moments(sums, at, look) for name, sums in each.items()}
                    for look in np.flatnonzero(asked[at])
                )
                found += any(
                    other_choices(known, "asked", [("b", {}), ("a", {})], rollouts(one))
                    for one in looks
                )
        return found

    surer = anytime_surer("analysis.advice.answer")
    return Statement(f"{number} other objectives", rate, play, surer)


def _moments(sums: np.ndarray, at: int, look: int) -> Moments:
    return Moments(sums[at, look], LOOKS[look], 1 / CENTS, span=SPAN)


GAMES = 4_096  # fixed beforehand


def given(payoffs: np.ndarray, plays: int, rng: np.random.Generator) -> Iterator[Moments]:
    """Sums of GAMES games, again and again."""
    for each in sums_at(payoffs, [GAMES], plays, rng)[:, 0]:
        yield Moments(each, GAMES, 1 / CENTS, span=0.0)


def apart(number: int, rate: float) -> Statement:
    """The same in games of their own, whose number is fixed beforehand."""
    known = objectives(number)
    names = tuple(known)[1:]
    asked = question(*known.values())

    def play(rng: np.random.Generator, plays: int) -> int:
        played = [given(joint(3, ZONE), plays, rng) for _ in names]
        answer = SimpleNamespace(games=4 * GAMES, best="b", actions=())
        found = 0
        with (
            patch.object(guesses, "roll_out") as roll_out,
            patch.object(guesses, "replace", lambda answer, otherwise: otherwise),
        ):
            for each in zip(*played, strict=True):
                roll_out.side_effect = [
                    rollouts({name: one}) for name, one in zip(names, each, strict=True)
                ]
                advice = cast(Advice, answer)
                found += bool(guesses.with_others_apart(asked, advice, names, False))
        return found

    surer = (("lama_odds.analysis.advice.guesses.ALPHA", SURER * ALPHA),)
    return Statement(f"{number} other objectives, apart", rate, play, surer)


def guess(ahead: int, said: Callable[[guesses.Guess], bool], name: str, rate: float) -> Statement:
    """What another guess would change, or would not."""
    asked, job = question(), cast(RolloutJob, None)

    def play(rng: np.random.Generator, plays: int) -> int:
        found = 0
        with patch.object(guesses, "roll_out") as roll_out:
            for each in given(joint(3, ahead), plays, rng):
                roll_out.return_value = rollouts({POINTS.name: each})
                found += said(guesses._sampled(asked, "if so", job, GAMES))
        return found

    usual = losses.__defaults__
    assert usual == (ALPHA, False)
    surer = (("lama_odds.analysis.advice.answer.losses.__defaults__", (SURER * ALPHA, False)),)
    return Statement(name, rate, play, surer)


def needed(ahead: int, rate: float) -> Statement:
    """The games said to settle a question do not settle it."""
    payoffs = joint(2, ahead)

    def play(rng: np.random.Generator, plays: int) -> int:
        sums = np.column_stack((payoffs.sum(axis=0), payoffs.T @ payoffs))
        seen = Moments(sums * (GAMES // len(payoffs)), GAMES, 1 / CENTS)
        games = rollouts({POINTS.name: seen}).games_needed(POINTS, 1, 0, ALPHA)
        assert games > GAMES
        later = sums_at(payoffs, [games], plays, rng)[:, 0]
        verdicts = [advice_of(Moments(each, games, 1 / CENTS)).verdict for each in later]
        return verdicts.count(TOO_CLOSE)

    surer = (("lama_odds.analysis.advice.rollouts.POWER", 0.7),)
    return Statement(f"games needed at {ahead / CENTS:g} points", rate, play, surer)


STATEMENTS = [
    clear(0, POINTS, 0.0135),
    clear(1, MORE, 0.006),
    worse(4, 0.013),
    toss_up(0.0045),
    otherwise(2, 0.006),
    apart(2, 0.0185),
    guess(0, lambda one: "b" not in one.fitting(POINTS.zone), "another guess turns it", 0.025),
    guess(CENTS, lambda one: one.agrees("b", 1.0), "another guess agrees", 0.012),
    needed(8, 0.16),
    needed(0, 0.195),
]
