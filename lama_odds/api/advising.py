"""How positions are valued: everything but the position, common to one and to many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, Unpack

from lama_odds.api.asked import opponents_of, read_rules, split_all
from lama_odds.api.options import (
    FEWEST_ROLLOUTS,
    MAX_GAMES,
    NAMED_SO,
    OnProgress,
    Option,
    Rules,
    Seed,
    Threads,
    question,
)
from lama_odds.core.checks import MAX_SECONDS, check_name
from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
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
        why: bool = False,
        settled: Callable[[Advice], None] | None = None,
    ) -> Advice:
        """The advice on a position; brief, interim: see `analysis.advice.advise`.

        why: look for reasons too, in games of their own; settled: hears the advice before that.
        """
        from lama_odds.analysis.advice.advise import advise
        from lama_odds.analysis.advice.sensitivity import SHARE
        from lama_odds.analysis.advice.sensitivity import sensitivity as ask_again

        policy, notes = self._policy(position)
        limits = self.limits
        if self.sensitivity:
            limits = replace(limits, seconds=SHARE * limits.seconds)
        answer = advise(
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
        if self.sensitivity and not answer.interrupted:
            again = ask_again(
                self.game,
                self.rules,
                position,
                answer,
                opponents=policy,
                limits=limits,
                seed=self.seed,
                progress=progress,
                look_up=self.look_up,
            )
            answer = replace(answer, sensitivity=again, interrupted=again is None)
        if why:
            from lama_odds.analysis.coach.reasons import Assumed, with_reasons

            if settled is not None:
                settled(answer)
            assumed = Assumed(policy, self.everybody, self.look_up)
            how = self.game, self.rules, position, answer, assumed
            answer = with_reasons(*how, self.limits.threads, progress)
        if not notes and self.variant == answer.variant:
            return answer  # one of thousands, perhaps
        assumptions = (*answer.assumptions, *notes)
        return replace(answer, assumptions=assumptions, variant=self.variant)

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


Opponents = Annotated[
    str | None,
    Option(
        f"The others' policy ({NAMED_SO}; default: best). all:POLICY: you continue with it too.",
        "After the action in question you play the best policy known.",
        shown="POLICY",
        offers="policies",
    ),
]
Objective = Annotated[
    str | None,
    Option(
        "points, margin (not pikomino), worms (pikomino), round (No Prob-Lama) or win. Default: "
        "win, with scores or (advise) a table for these rules that averages over them; else "
        "points, for two players margin. Pikomino without stacks: points. No Prob-Lama without "
        "llamas: round (with four_rounds: points).",
        offers="objectives",
    ),
]
Seconds = Annotated[
    float | None,
    Option(
        "Time for sampling at most (default: 1, with --sensitivity 2); 1,000 games are played in "
        "any case.",
        "Sampling stops before when the best action is clear and the values are precise enough. "
        "Exact answers ignore it.",
        most=MAX_SECONDS,
    ),
]
Precision = Annotated[
    float | None,
    Option(
        "Sample until the values are within ± this, for a minute at most (default: 0.05 points, "
        "0.005 of a chance)."
    ),
]
Games = Annotated[
    int | None,
    Option("Games for sampling, instead of a time.", least=FEWEST_ROLLOUTS, most=MAX_GAMES),
]
Sensitivity = Annotated[
    bool,
    Option(
        "Does the answer depend on your opponents? Repeats the analysis against other kinds of "
        "opponents, in about twice the time."
    ),
]
PlayOut = Annotated[
    bool,
    Option("Play games to their end, instead of looking the scores up in the match equity table."),
]
AMOUNTS = (("games", "seconds"), ("games", "precision"))  # of which one is enough


class Valued(TypedDict, total=False):
    """How positions are valued: what `advise`, `advise_many` and `adviser` share."""

    opponents: Opponents
    objective: Objective
    seconds: Seconds
    games: Games
    precision: Precision
    sensitivity: Sensitivity
    play_out: PlayOut
    threads: Threads
    seed: Seed
    progress: OnProgress


@question(*AMOUNTS)
def adviser(rules: Rules, **how: Unpack[Valued]) -> Adviser:
    """Return what gives the advice, from the arguments of `advise`; ReadError if they are wrong."""
    from lama_odds.analysis.advice.rollouts import Limits

    objective, seconds, precision = how["objective"], how["seconds"], how["precision"]
    sensitivity = how["sensitivity"]
    if seconds is None:
        usual = SECONDS * (MODELS if sensitivity else 1)
        seconds = usual if precision is None else LONGER
    limits = Limits(seconds, how["games"], how["threads"], precision=precision)
    given = read_rules(rules)
    game = given.game
    check_name(objective, game.objectives, f"objective {objective!r} of {game.name}")
    theirs, everybody = split_all(how["opponents"])
    if everybody and sensitivity:
        raise ReadError(say("the sensitivity is about the others alone: leave out all:"))
    settings = objective, theirs, everybody, limits, sensitivity, not how["play_out"], how["seed"]
    return Adviser(game, given.rules, *settings, variant=given.name)
