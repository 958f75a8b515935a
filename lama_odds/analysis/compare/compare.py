"""What does a rule change, how much, and how sure is that?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from lama_odds.analysis.compare import decisions, design
from lama_odds.analysis.compare.answer import (
    DECISIONS,
    DECISIONS_APART,
    UNFINISHED,
    Compared,
    Comparison,
    LeftOut,
    Pair,
    Row,
    compared_by,
    delta_of,
    difference_of,
    fixed_error,
    jobs_of,
    largest_of,
    moments_of,
    parts_of,
    value_of,
)
from lama_odds.analysis.compare.decisions import CHOICES, MATTER, Side, share_apart
from lama_odds.analysis.compare.design import (
    DEFAULT_GAMES,
    LONG,
    SECONDS_PER_RULE_SET,
    Pilot,
    Plan,
    check_deltas,
    covariances,
    deltas_of,
    for_precision,
    for_seconds,
    plan_from,
    precise,
)
from lama_odds.core.checks import Delta
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import EXACT, Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.watched import ONE_IN
from lama_odds.jit.job import Job
from lama_odds.simulation.run import USUAL, PairedPart, Play, Played, block_of, paired_job
from lama_odds.simulation.span_files import hash_of
from lama_odds.statistics.equivalence import Difference, judge, skewness_of
from lama_odds.statistics.intervals import Z

# Several rule sets played on the same cards and dice: what is measured, and how it is played.
#
# The one way to play for `compare` and `sweep`: the same rule sets, policies, seed and number of
# games give the same tally in both.

FEWEST = 100  # games, and blocks from which on figures are shown while it plays
# The figures of a tally after a number of blocks and games, by name.
FiguresOf = Callable[[np.ndarray, int, int], dict[str, Any]]


@dataclass(frozen=True)
class CommonGames:
    """Rule sets with their policies, and what is measured.

    hashes: of each rule set, of its jobs by name: where they are the same, all that is played is.
    """

    game: AnyGame
    sides: tuple[Side, ...]
    players: int
    measures: tuple[Compared, ...]
    parts: tuple[tuple[PairedPart, ...], ...]
    hashes: tuple[Mapping[str, str], ...]
    play: Play

    @property
    def seed(self) -> int:
        """Of the random numbers."""
        return self.play.seed

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the rule sets."""
        return tuple(side.rules.id for side in self.sides)

    def job(self, games: int) -> Job:
        """All rule sets on the same games."""
        return paired_job(self.parts, block_of(games))

    def alike(self, measure: Compared, variants: Iterable[int]) -> bool:
        """Whether these rule sets play what a measure counts in just the same way."""
        every = [self.hashes[at] for at in variants]
        return all(len({hashes.get(job) for hashes in every}) == 1 for job in measure.jobs)


def common_games(
    game: AnyGame,
    variants: Sequence[Any],
    policies: Sequence[Policy],
    players: int,
    play: Play,
    more: Sequence[str] = (),
) -> CommonGames:
    """The jobs of rule sets, each with the policy of all its seats.

    more: names of measures that are counted besides the usual ones, see `design`.
    """
    sides = tuple(Side(*side) for side in zip(variants, policies, strict=True))
    jobs = [jobs_of(game, side.rules, [side.policy] * players) for side in sides]
    pilots = [
        design.pilot_of(game, side.rules, side.policy, players) if LONG in more else None
        for side in sides
    ]
    best = game.best_for_each(variants, players)
    besides = [
        design.jobs_of(game, side.rules, side.policy, strongest, players, more, pilot)
        for side, strongest, pilot in zip(sides, best, pilots, strict=True)
    ]
    measures = (
        *compared_by(jobs[0], game.actions),
        *(_with_noise(m, pilots) for m in design.compared_by(besides[0]) if m.name in more),
    )
    jobs = [{**usual, **other} for usual, other in zip(jobs, besides, strict=True)]
    parts = tuple(tuple(parts_of(measures, of_variant)) for of_variant in jobs)
    hashes = tuple({name: _hash(job) for name, job in one.items()} for one in jobs)
    return CommonGames(game, sides, players, measures, parts, hashes, play)


def _with_noise(measure: Compared, pilots: Sequence[Pilot | None]) -> Compared:
    """A measure with the error of its pilots, if it has any."""
    known = [pilot for pilot in pilots if pilot is not None]
    if measure.key != LONG or not known:
        return measure
    return replace(measure, noise=covariances(known))


def _hash(job: Job) -> str:
    """Of a job with what it counts: the same only where every game is, and every count."""
    return hash_of([job, [astuple(measure) for measure in job.measures]])


def check_games(games: int | None) -> None:
    """LimitError for fewer games than can be compared."""
    if games is not None and games < FEWEST:
        raise LimitError(f"too few games to compare: {games}, at least {FEWEST} are needed")


def whole_games(games: int | None, more: Iterable[str]) -> int | None:
    """A number of games, rounded up where one game in ONE_IN is looked at; more: see above."""
    check_games(games)
    if games is None or set(more).isdisjoint(design.LOOKED_AT):
        return games
    return -(-games // ONE_IN) * ONE_IN


def play_common(
    common: CommonGames,
    name: str,
    decide: Callable[[], Plan],
    figures_of: FiguresOf,
    planned: Callable[[Plan], None] | None,
) -> tuple[Played, int]:
    """Play the games of a plan; also the number of blocks that were played.

    name, decide: of the plan; a run that resumes keeps the plan of this name. figures_of: what to
    show while it plays. LimitError if it was stopped before FEWEST games, or if games do not end.
    """
    # Seconds are never the same twice: a resumed run plays the number of games planned at first.
    folder = common.play.folder
    plan = folder.settled(name, lambda: astuple(decide()), plan_from) if folder else decide()
    if planned:
        planned(plan)

    def figures(tally: np.ndarray, games: int) -> dict[str, Any]:
        samples = games // block_of(plan.games)
        return {} if samples < FEWEST else figures_of(tally, samples, games)

    played = common.play.run(common.job(plan.games), plan.games, figures=figures)
    if played.games < FEWEST:
        raise LimitError(f"stopped before {FEWEST} games were played")
    check_ended(common, played)
    return played, played.games // block_of(plan.games)


def check_ended(common: CommonGames, played: Played) -> None:
    """LimitError if games did not end."""
    for measure, sums in zip(common.measures, played.tally, strict=True):
        if measure.key == UNFINISHED and sums[:, 0].any():
            raise LimitError(
                f"{sums[:, 0].max()} games did not end: nobody reaches the target with "
                "these policies"
            )


__all__ = ["Amount", "Comparison", "Row", "compare"]


@dataclass(frozen=True)
class Amount:
    """How much to play: games, or seconds, or a half-width of one measure (None: the first).

    None of them: DEFAULT_GAMES, or fewer if they would take long.
    """

    games: int | None = None
    seconds: float | None = None
    half_width: float | None = None
    measure: str | None = None


@dataclass(frozen=True)
class CompareQuestion(CommonGames):
    """The question: rule sets with their policies, what is measured, and which are compared.

    shown: names of the measures that are wanted.
    """

    pairs: tuple[Pair, ...]
    shown: frozenset[str]

    @property
    def wanted(self) -> list[tuple[int, Compared]]:
        """The measures that are wanted, each with its place among all."""
        every = enumerate(self.measures)
        return [(at, measure) for at, measure in every if measure.name in self.shown]

    @property
    def every(self) -> tuple[Compared, ...]:
        """All measures that there are to choose from."""
        besides = decisions.MEASURES if decisions.can_be_tried(self.game) else ()
        return (*self.measures, *besides, DECISIONS_APART)


def compare(
    game: AnyGame,
    variants: Sequence[Any],
    policies: Sequence[Policy],
    players: int,
    *,
    retuned: bool = False,
    amount: Amount | None = None,
    all_pairs: bool = False,
    measures: Sequence[str] = (),
    deltas: Mapping[str | None, Delta] | None = None,
    play: Play = USUAL,
    planned: Callable[[Plan], None] | None = None,
    asking: Progress | None = None,
) -> Comparison:
    """Play all rule sets with the same cards and dice; compare each with the first, or all pairs.

    variants, policies: rule sets of the game, with the policy of all seats in each.
    retuned: whether each has a policy of its own (for the report).
    measures: those wanted, or groups of them (see `design`); default: the usual ones.
    deltas: by name of a measure; None: for all others.
    planned: called with what will be played, once that is known.
    asking: progress of the decisions that are tried under both.
    Raises ReadError for a measure that there is not, LimitError if games do not end, if too few
    are played, or if too many would be needed.
    """
    amount = amount or Amount()
    amount = replace(amount, games=whole_games(amount.games, design.asked(game, measures)))
    question = asked_of(game, variants, policies, players, all_pairs, play, measures)
    if amount.half_width is not None:
        shown = [measure for _, measure in question.wanted]
        amount = replace(
            amount, measure=precise(amount.measure, shown, question.measures, game.title)
        )
    deltas = deltas_of(deltas or {}, question.every, game.title)
    check_deltas(deltas, (m for m in question.every if m.name in question.shown))
    played, samples = _play(question, amount, planned)
    rows = _measured(question, question.wanted, played.tally, samples, played.games, deltas)
    rows += _studied(question, played, deltas, asking)
    left_out: list[LeftOut] = []
    if DECISIONS in question.shown:
        more, left_out = _decisions_apart(question, played, deltas, asking)
        rows += more
    return Comparison(
        rules=question.ids,
        players=players,
        policies=tuple(policy.name for policy in policies),
        retuned=retuned,
        rows=tuple(_judged(question, rows)),
        games=played.games,
        seed=play.seed,
        seconds=played.seconds,
        interrupted=played.interrupted,
        left_out=tuple(left_out),
    )


def asked_of(
    game: AnyGame,
    variants: Sequence[Any],
    policies: Sequence[Policy],
    players: int,
    all_pairs: bool,
    play: Play,
    measures: Sequence[str] = (),
) -> CompareQuestion:
    """The question with the jobs that answer it."""
    more = design.asked(game, measures)
    common = common_games(game, variants, policies, players, play, more)
    pairs = combinations(range(len(variants)), 2)
    question = CompareQuestion(
        **vars(common),
        pairs=tuple(p for p in pairs if all_pairs or p[0] == 0),
        shown=frozenset(),
    )
    return replace(question, shown=design.wanted(question.every, measures, game.title))


def _play(
    question: CompareQuestion, amount: Amount, planned: Callable[[Plan], None] | None
) -> tuple[Played, int]:
    """Play the wanted amount; also the number of blocks that were played."""

    def decide() -> Plan:
        return _plan(question, amount)

    def figures(tally: np.ndarray, samples: int, games: int) -> dict[str, Any]:
        return {
            f"{measure.name}: {question.ids[b]} − {question.ids[a]}": _change(
                question, (a, b), measure, tally[at], samples, games
            ).to_json()
            for a, b in question.pairs
            for at, measure in question.wanted
        }

    name = f"{amount}, {list(question.pairs)}"
    return play_common(question, name, decide, figures, planned)


def _plan(question: CompareQuestion, amount: Amount) -> Plan:
    """How many games to play."""
    if amount.games is not None:
        return Plan(amount.games)
    job, measures, play = question.job(1 << 20), question.measures, question.play
    if amount.half_width is not None:
        wanted = amount.measure
        assert wanted is not None
        chosen = [at for at, m in enumerate(measures) if wanted in (m.name, m.key)]

        def worst(tally: np.ndarray, games: int) -> float:
            samples = games // block_of(games)
            return max(
                difference_of(
                    replace(measures[at], noise=()), tally[at], pair, samples, games
                ).stderr
                for at in chosen
                for pair in question.pairs
            )

        least = max(Z * fixed_error(measures[at], pair) for at in chosen for pair in question.pairs)
        half = without_fixed(wanted, amount.half_width, least)
        return for_precision(job, half, worst, play)
    if amount.seconds is not None:
        return for_seconds(job, amount.seconds, play)
    seconds = SECONDS_PER_RULE_SET * len(question.sides)
    return for_seconds(job, seconds, play, DEFAULT_GAMES)


def without_fixed(name: str, half_width: float, least: float) -> float:
    """The half-width that is left for games; least: that of the error that they do not reduce."""
    if half_width <= least:
        raise LimitError(
            f"±{half_width:g} of {name}: more games do not help below ±{least:.2g}, as the median "
            "length of a game is known only so well"
        )
    return math.sqrt(half_width**2 - least**2)


def _change(
    question: CompareQuestion,
    pair: Pair,
    measure: Compared,
    sums: np.ndarray,
    samples: int,
    games: int,
) -> Estimate:
    """The difference of a pair in a measure; exact where both play the very same games."""
    if question.alike(measure, pair):
        return exact(0.0)
    return difference_of(measure, sums, pair, samples, games)


def _measured(
    question: CompareQuestion,
    wanted: Sequence[tuple[int, Compared]],
    tally: np.ndarray,
    samples: int,
    games: int,
    deltas: Mapping[str | None, Delta],
) -> list[Row]:
    """Rows of all pairs before they are judged. wanted: measures, each with its place."""
    rows = []
    for pair in question.pairs:
        for at, measure in wanted:
            sums = tally[at]
            old, new = (value_of(measure, sums, v, samples, games) for v in pair)
            change = _change(question, pair, measure, sums, samples, games)
            delta = delta_of(measure, old.value, deltas)
            total, squares, cubes, differing = moments_of(sums, pair)
            skewness = skewness_of(total, squares, cubes, samples)
            largest = largest_of(measure, old)
            fixed = 0.0 if change.method == EXACT else fixed_error(measure, pair)
            tested = Difference(change, samples, delta, differing, largest, skewness, fixed)
            names = _names(question, pair)
            row = Row(measure, *names, old, delta, new, change, tested, differing, samples)
            rows.append(row)
    return rows


def _studied(
    question: CompareQuestion,
    played: Played,
    deltas: Mapping[str | None, Delta],
    progress: Progress | None,
) -> list[Row]:
    """The number of decisions per game and how often they matter, from some of the games."""
    every = enumerate(decisions.MEASURES)
    wanted = [(at, measure) for at, measure in every if measure.name in question.shown]
    if not wanted or played.interrupted:
        return []
    tally, games = decisions.studied(
        question.game, question.sides, question.players, played.games, question.seed, progress
    )
    return _measured(question, wanted, tally, games, games, deltas)


def _decisions_apart(
    question: CompareQuestion,
    played: Played,
    deltas: Mapping[str | None, Delta],
    progress: Progress | None,
) -> tuple[list[Row], list[LeftOut]]:
    """How often decisions differ, for each pair; the reason where that cannot be measured."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    delta = delta_of(DECISIONS_APART, 0.0, deltas)
    stopped = played.interrupted
    for pair in question.pairs:
        share: Any = "stopped early"
        old, new = (question.sides[at] for at in pair)
        if not stopped:
            try:
                share = share_apart(
                    question.game,
                    old,
                    new,
                    question.players,
                    played.games,
                    question.seed,
                    delta,
                    progress,
                )
            except KeyboardInterrupt:  # what was played is still an answer
                stopped = True
        names = _names(question, pair)
        if isinstance(share, str):
            left_out.append(LeftOut(DECISIONS, *names, share))
            continue
        value = share.estimate
        baseline, counted = exact(0.0), (share.found, value.n)
        row = Row(DECISIONS_APART, *names, baseline, delta, value, value, share, *counted)
        rows.append(row)
    return rows, left_out


def _names(question: CompareQuestion, pair: Pair) -> tuple[str, str]:
    """The rule sets of a pair by their ids, the second one first."""
    return question.ids[pair[1]], question.ids[pair[0]]


def _judged(question: CompareQuestion, unjudged: Sequence[Row]) -> list[Row]:
    """All rows, pair by pair, the verdicts judged together."""
    rows = []
    for row, judged in zip(unjudged, judge([row.tested for row in unjudged]), strict=True):
        if row.measure.key in (CHOICES, MATTER):
            judged = replace(judged, more=None)
        rows.append(replace(row, judged=judged))
    order = [_names(question, pair) for pair in question.pairs]
    return sorted(rows, key=lambda row: order.index((row.rules, row.against)))
