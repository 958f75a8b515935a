"""How positions are valued: everything but the position, common to one and to many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lama_odds.api.asked import (
    FEWEST_ROLLOUTS,
    check_games,
    check_playing,
    given_of,
    opponents_of,
    split_all,
)
from lama_odds.core.checks import (
    check_flag,
    check_name,
    check_one,
    check_precision,
    check_seconds,
)
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import BEST, Policy
from lama_odds.core.progress import StageProgress

if TYPE_CHECKING:
    from lama_odds.analysis.advice.answer import Advice
    from lama_odds.analysis.advice.rollouts import Limits
    from lama_odds.games.interface.game import AnyGame

SECONDS = 1.0  # of sampling at most, if neither time nor games are given
LONGER = 60.0  # where a precision is
MODELS = 2  # times as long where models of the others follow


@dataclass(frozen=True)
class Adviser:
    """Gives the advice on any position of a rule set, always in the same way.

    opponents: the name of the others' policy; everybody: you continue with it too.
    variant: the name of the rule set, if it has one.
    met: policies by number of players and objective, each with what there is to note about it.
    """

    game: AnyGame
    rules: Any
    objective: str | None
    opponents: str | None
    everybody: bool
    limits: Limits
    sensitivity: bool
    look_up: bool
    seed: int
    variant: str = ""
    met: dict[tuple[int, str], tuple[Policy | None, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def question(self) -> dict[str, Any]:
        """Everything that the numbers depend on besides positions and policies; plain JSON."""
        return {
            "rules": self.rules.id,
            "objective": self.objective,
            "seconds": None if self.limits.games else self.limits.seconds,
            "games": self.limits.games,
            "precision": self.limits.precision,
            "sensitivity": self.sensitivity,
            "play_out": not self.look_up,
            "seed": self.seed,
            **({"everybody": True} if self.everybody else {}),
        }

    def on(self, threads: int) -> Adviser:
        """The same on this number of threads."""
        return replace(self, limits=replace(self.limits, threads=threads))

    def advice(
        self,
        position: Any,
        progress: StageProgress | None = None,
        brief: bool = False,
        interim: Callable[[Advice], None] | None = None,
    ) -> Advice:
        """The advice on a position; brief, interim: see `analysis.advice.advise`."""
        from lama_odds.analysis.advice.advise import advise
        from lama_odds.analysis.advice.sensitivity import SHARE
        from lama_odds.analysis.advice.sensitivity import sensitivity as ask_again

        policy, notes = self._policy(position)
        limits = self.limits
        if self.sensitivity:
            limits = replace(limits, seconds=SHARE * limits.seconds)
        found = advise(
            self.game,
            self.rules,
            position,
            objective=self.objective,
            opponents=policy,
            everybody=self.everybody,
            limits=limits,
            seed=self.seed,
            progress=progress,
            look_up=self.look_up,
            brief=brief,
            interim=interim,
        )
        if self.sensitivity and not found.interrupted:
            again = ask_again(
                self.game,
                self.rules,
                position,
                found,
                opponents=policy,
                limits=limits,
                seed=self.seed,
                progress=progress,
                look_up=self.look_up,
            )
            found = replace(found, sensitivity=again, interrupted=again is None)
        if not notes and self.variant == found.variant:
            return found  # one of thousands, perhaps
        assumptions = (*found.assumptions, *notes)
        return replace(found, assumptions=assumptions, variant=self.variant)

    def _policy(self, position: Any) -> tuple[Policy | None, tuple[str, ...]]:
        """The policy of the others; None for the best known."""
        if self.opponents is None or self.opponents == BEST:
            return None, ()
        aim = self.objective or self.game.default_objective(self.rules, position)
        key = position.players, aim
        if key not in self.met:
            notes: list[str] = []
            policy = opponents_of(self.game, self.rules, self.opponents, *key, notes)
            self.met[key] = policy, tuple(notes)
        return self.met[key]


def adviser(
    rules: str,
    *,
    opponents: str | None,
    objective: str | None,
    seconds: float | None,
    games: int | None,
    precision: float | None,
    sensitivity: bool,
    play_out: bool,
    threads: int | None,
    seed: int,
    progress: StageProgress | None,
) -> Adviser:
    """Return what gives the advice, from the arguments of `advise`; ReadError if they are wrong."""
    limits = _limits(seconds, games, precision, threads, SECONDS * (MODELS if sensitivity else 1))
    check_playing(threads, seed, progress)
    check_flag(sensitivity, "sensitivity")
    check_flag(play_out, "play_out")
    given = given_of(rules)
    game = given.game
    check_name(objective, game.objectives, f"objective {objective!r} of {game.name}")
    theirs, everybody = split_all(opponents)
    if everybody and sensitivity:
        raise ReadError("the sensitivity is about the others alone: leave out all:")
    asked = objective, theirs, everybody, limits, sensitivity, not play_out, seed
    return Adviser(game, given.rules, *asked, variant=given.name)


def _limits(
    seconds: float | None,
    games: int | None,
    precision: float | None,
    threads: int | None,
    usual: float,
) -> Limits:
    """How long to sample; usual: seconds where nothing is given."""
    from lama_odds.analysis.advice.rollouts import Limits

    check_one({"games": games, "seconds": seconds})
    check_one({"games": games, "precision": precision})
    check_games(games, FEWEST_ROLLOUTS)
    if precision is not None:
        check_precision(precision)
    if seconds is None:
        seconds = usual if precision is None else LONGER
    check_seconds(seconds)
    return Limits(seconds, games, threads, precision=precision)
