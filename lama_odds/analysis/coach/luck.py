"""What a result is made of: where a seat started, luck, and skill.

Between two decisions of a seat, its value moves by what it did not decide; at a decision, by what
it did. V is the value of a position to the seat that decides there, if it follows the continuation
policy. Q is the value of the action it chose, followed by that policy (see `worth`). Points already
won or lost count in both::

    result = V₁ + Σ (Qᵢ − Vᵢ) + Σ (Vᵢ₊₁ − Qᵢ),      Vₙ₊₁ the result

V₁ is the start. The first sum is skill: what the seat did better or worse than the policy, 0 for
the policy itself. The second sum is luck: that of the seat's own roll if its next decision follows
at once on that roll, otherwise that of all that came between. This is an identity, whatever errors
V and Q have. Each term of luck has mean 0 whatever the seat does, if the others play as Q assumes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lama_odds.analysis.advice.answer import EQUAL
from lama_odds.analysis.coach.grades import Graded, Worth
from lama_odds.core.language import say, say_count
from lama_odds.core.plain import Plain
from lama_odds.core.wording import thousands
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.capabilities import Record
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.match_equity import AnyEquity, chances_by_seat
from lama_odds.games.interface.objectives import TURN, Objective, vs_others
from lama_odds.games.shared.decisions import (
    Decision,
    is_turn,
    points_by_turn,
    recorded_of,
    shares,
    standing,
)


@dataclass(frozen=True)
class Swing(Plain):
    """A move of a seat's value that it did not decide.

    after: index of the decision before it. own: whether the seat's own roll alone did it.
    """

    KEYS = "seat line decision=after what amount own"

    seat: int
    after: int
    line: int
    what: str
    amount: float
    own: bool


@dataclass(frozen=True)
class Account(Plain):
    """What a seat's result is made of, in the unit of the objective; see the module.

    final: whether the result is known. Else it is the chance by the scores after the last round,
    if a table has it, or what was expected at the last decision.
    """

    KEYS = "start luck skill result luck_adjusted=adjusted final"

    start: float
    rolls: float
    between: float
    skill: float
    result: float
    final: bool

    def plus(self, other: Account) -> Account:
        """The sum of two."""
        return Account(
            self.start + other.start,
            self.rolls + other.rolls,
            self.between + other.between,
            self.skill + other.skill,
            self.result + other.result,
            self.final and other.final,
        )

    @property
    def adjusted(self) -> float:
        """The luck-adjusted result."""
        return self.result - self.rolls - self.between

    @property
    def luck(self) -> dict[str, float]:
        """Luck in the player's own rolls, and between its decisions."""
        return {"own_rolls": self.rolls, "between": self.between}


NOTHING = Account(0.0, 0.0, 0.0, 0.0, 0.0, True)


@dataclass(frozen=True)
class Level(Plain):
    """A seat's value at a decision, points already counted: before it, and of what it chose.

    before: of what the continuation policy would do.
    """

    KEYS = "decision=at seat before after"

    at: int
    seat: int
    before: float
    after: float


@dataclass(frozen=True)
class Course:
    """Levels of all seats in order, swings, accounts by seat, results by seat at the end.

    by: the policy of the table that has the results, if the record ends between two rounds.
    error: standard error of these results.
    """

    levels: tuple[Level, ...]
    swings: tuple[Swing, ...]
    accounts: tuple[Account, ...]
    ends: tuple[float | None, ...]
    by: str = ""
    error: float = 0.0


def course_of(
    game: AnyGame,
    record: Record,
    text: str,
    worths: Sequence[Worth],
    objective: str,
    table: AnyEquity | None = None,
) -> Course:
    """The course of the values of a reviewed record.

    table: chances to win by the scores after a round, for a record that ends between two rounds.
    """
    ends = _Ends(game, record, text, objective, table)
    decisions = [worth.decision for worth in worths]
    levels = []
    for i, worth in enumerate(worths):
        base, seat = ends.base(worth.decision), worth.decision.seat
        levels.append(Level(i, seat, base + worth.before.value, base + worth.after.value))
    swings: list[Swing] = []
    accounts, last = [], []
    for seat in range(record.players):
        account = NOTHING
        stretches: dict[int, list[int]] = {}  # decisions with one result together
        for i, decision in enumerate(decisions):
            if decision.seat == seat:
                part = stretch_of(game.objectives[objective], decision)
                stretches.setdefault(part, []).append(i)
        for stretch in stretches.values():
            first, final = decisions[stretch[0]], decisions[stretch[-1]]
            end = ends.end(final)
            moves = _swings(decisions, levels, stretch, end, ends.closing(final))
            account = account.plus(_account(levels, stretch, moves, end, ends.base(first)))
            swings += moves
        accounts.append(replace(account, final=account.final and ends.over))
        last.append(ends.last(seat))
    swings.sort(key=lambda swing: (swing.after, swing.seat))
    return Course(tuple(levels), tuple(swings), tuple(accounts), tuple(last), ends.by, ends.error)


def _account(
    levels: Sequence[Level],
    stretch: Sequence[int],
    swings: Sequence[Swing],
    end: float | None,
    offset: float,
) -> Account:
    """What the result of one stretch is made of; offset: what the seat had before it."""
    return Account(
        start=levels[stretch[0]].before - offset,
        rolls=sum(swing.amount for swing in swings if swing.own),
        between=sum(swing.amount for swing in swings if not swing.own),
        skill=sum(levels[i].after - levels[i].before for i in stretch),
        result=(levels[stretch[-1]].after if end is None else end) - offset,
        final=end is not None,
    )


def _swings(
    decisions: Sequence[Decision],
    levels: Sequence[Level],
    stretch: Sequence[int],
    end: float | None,
    closing: bool,
) -> list[Swing]:
    """The moves of a seat's value between its decisions and after the last, which `end` closes.

    closing: whether nobody moved between the last decision and the result.
    """
    swings = []
    for i, after in zip(stretch, [*stretch[1:], None], strict=True):
        following = end if after is None else levels[after].before
        if following is None:
            continue
        at = decisions[i]
        alone = closing if after is None else decisions[after].turn == at.turn
        own = bool(at.rolled) and alone
        what = _what(at, own)
        amount = following - levels[i].after
        if alone and not own and abs(amount) < EQUAL:
            continue  # nothing happened but the action
        swings.append(Swing(at.seat, i, at.line, what, amount, own))
    return swings


def _what(decision: Decision, own: bool) -> str:
    """What moved a value, in words: the player's own roll, or all after an action."""
    action = action_words(decision.chosen, decision.seat)
    if own:
        return say("{action} {rolled}", action=action, rolled=decision.rolled)
    return say("after {action}", action=action)


def stretch_of(counts: Objective, decision: Decision) -> int:
    """Number of the part of a record with one result: the game, a round, a turn."""
    if counts.whole_game:
        return 0
    return decision.turn if counts.span == TURN else decision.round


def score_of(record: Record, seat: int) -> float | None:
    """The score of a seat by the game's own count, at the end or so far; None if it is hidden."""
    if record.outcome is not None:
        return float(record.outcome[seat])
    if record.state is not None:
        return float(record.state.points[seat])
    ended = [at for at in range(len(record.rounds)) if record.rounds[at].ended]
    scores = standing(record, ended[-1]) if ended else None
    return None if scores is None else scores[seat]


def between_rounds(game: AnyGame, record: Record, table: AnyEquity) -> list[float] | None:
    """Each seat's chance to win by the scores after the last round.

    It is None in the middle of a round, and where a game does not say who starts the next one.
    """
    scores = standing(record, len(record.rounds) - 1) if record.rounds else None
    live = game.live_play()
    if scores is None or live is None or live.rounds is None:
        return None
    starter = live.rounds.next_first(record)
    return [float(chance) for chance in chances_by_seat(table, scores, starter)]


class _Ends:
    """What a record says about results, in the unit of an objective."""

    def __init__(
        self, game: AnyGame, record: Record, text: str, objective: str, table: AnyEquity | None
    ) -> None:
        self.record, self.counts = record, game.objectives[objective]
        self.lines = text.splitlines()
        self.shares = shares(game, record)
        self.expected, self.by, self.error = self.shares, "", 0.0
        if not self.counts.share:  # the score of the game itself
            self.expected = None if record.outcome is None else list(map(float, record.outcome))
        elif self.shares is None and self.counts.whole_game and table is not None:
            self.expected = between_rounds(game, record, table)
            if self.expected is not None:
                self.by, self.error = table.policy, float(np.max(table.stderr))
        self.turns = self.counts.span == TURN
        self.recorded = recorded_of(game)
        self.points = points_by_turn(self.recorded, text) if self.turns else []
        self.over = self.turns or (
            self.shares is not None
            if self.counts.whole_game
            else bool(record.rounds) and record.rounds[-1].ended is not None
        )

    def closing(self, decision: Decision) -> bool:
        """Whether the turn of a decision is the last one before its result."""
        at = decision.line
        while at < len(self.lines) and self.lines[at].strip()[:1] in ("", "#"):
            at += 1
        return self.turns or at == len(self.lines) or not is_turn(self.lines[at])

    def base(self, decision: Decision) -> float:
        """What the seat has already, in points that the result counts."""
        position = decision.position
        counts = self.counts
        if self.turns or counts.share or counts.result is None or position.scores is None:
            return 0.0
        return counts.result([float(score) for score in position.scores], 0)

    def end(self, decision: Decision) -> float | None:
        """The result of a decision's stretch for its seat; None if the record ends before it."""
        if self.counts.whole_game:
            return self.last(decision.seat)
        if self.turns:
            return self._turn(decision)
        points = standing(self.record, decision.round)
        if points is None or self.counts.result is None:
            return None
        return self.counts.result(points, decision.seat)

    def last(self, seat: int) -> float | None:
        """The level at the end of the record, as a drawing shows it."""
        if self.expected is None or not self.counts.whole_game:
            return None
        return self.expected[seat]

    def _turn(self, decision: Decision) -> float | None:
        """Points that a turn brought, minus the mean change of the others'; None within it."""
        if decision.turn == len(self.points):
            return None
        before, after = self.points[decision.turn]
        change = [b - a for a, b in zip(before, after, strict=True)]
        return vs_others(change, decision.seat)


# What a review rests on, in words.


def assumptions(
    game: AnyGame,
    objective: str,
    games: int,
    most: int,
    seed: int,
    done: Sequence[Graded],
    course: Course,
    worths: Sequence[Worth],
) -> tuple[str, ...]:
    """All that grades and the account of luck and skill rest on.

    games: for each decision that is sampled; most: for doubtful ones.
    """
    notes = [say("a decision is graded by what its player could know, not by how it turned out")]
    sampled = [g for g in done if g.games]
    learned = [g for g in done if g.learned]
    notes += [g.rests_on[0] for g in (sampled or learned or done)[:1] if g.rests_on]
    notes += _about_luck(game, objective, worths)
    if course.by:
        notes.append(
            say(
                "the record ends between two rounds: an expected result is the chance to win with "
                "these scores by the match equity table of {policy}, whose error is in its "
                "interval",
                policy=course.by,
            )
        )
    if learned:
        notes += [
            *learned[0].rests_on[1:2],
            say("in sums, errors of one turn add up, and those of different turns are independent"),
            *_shown(learned),
        ]
    if sampled:
        notes += _about_games(games, most, seed, sampled)
    return tuple(notes)


def _about_games(games: int, most: int, seed: int, sampled: Sequence[Graded]) -> list[str]:
    """How many games were played, and what follows from sampling."""
    if sampled[0].by_turn:
        return [
            say(
                "{games} games for each way in which a turn may end, fewer for rare ones. All "
                "decisions of a turn share them, and the chances of these ends are exact",
                games=thousands(games),
            ),
            *_shown(sampled),
            say("sampled costs are biased slightly upward (winner's curse)"),
        ]
    free = [g for g in sampled if not g.forced]
    return [
        say(
            "{games} games for each decision; fewer for {fewer} whose grade was soon clear, "
            "{most} for {more} uncertain ones that more games could settle. --games {number} "
            "--seed {seed} repeats this",
            games=thousands(games),
            fewer=sum(g.games < games for g in free),
            most=thousands(most),
            more=sum(g.games > games for g in free),
            number=games,
            seed=seed,
        ),
        *_shown(sampled),
        say(
            "sampled costs are biased slightly upward (winner's curse); the intervals of sums "
            "(95 %: at least, at most) allow for that"
        ),
    ]


def _shown(graded: Sequence[Graded]) -> list[str]:
    """How many costs are shown, and what that means, in a note."""
    free = [one for one in graded if not one.forced]
    shown = [one for one in free if one.shown]
    doubtful = sum(one.doubtful for one in shown)
    sentences = [
        say(
            "costs are shown for {shown} of {decisions} decisions: the interval of each lies above "
            "0. All decisions of a player share the error rate of 5 % (Bonferroni)",
            shown=len(shown),
            decisions=len(free),
        )
    ]
    if doubtful:
        sentences.append(
            say_count(
                "{n} of the grades may be another (marked ?)",
                "{n} of the grades may be another (marked ?)",
                doubtful,
            )
        )
    return [". ".join(sentences)]


def _about_luck(game: AnyGame, objective: str, worths: Sequence[Worth]) -> list[str]:
    """What start, luck and skill are in this game."""
    sentences = [
        say(
            "a result is the sum of start, luck and skill. Start is what the policy assumed above "
            "expects at the first decision. Skill is how much more the chosen actions are worth "
            "than those of that policy (not: than the best actions). Luck is the rest; its mean is "
            "0 whatever the seat does, if the others play as assumed"
        )
    ]
    if any(worth.inferred for worth in worths):
        sentences.append(
            say(
                "hidden cards are drawn by what the others did in the round, as if they played as "
                "assumed or like a few other policies. How they really play may move that average"
            )
        )
    elif game.hidden_cards:
        sentences.append(
            say(
                "hidden cards are drawn at random, without inference from play, so that average "
                "may be slightly off 0"
            )
        )
    if game.objectives[objective].span == TURN:
        return [*sentences, _about_turns(recorded_of(game).uncounted)]
    sentences.append(
        say(
            "luck: {luck}; everything else between two decisions of a seat ({between}) is counted "
            "together",
            luck=say(recorded_of(game).luck),
            between=say(game.between),
        )
    )
    if any(worth.learned for worth in worths):
        sentences.append(
            say(
                "start, luck and skill are of learned chances too. Within a turn their luck has "
                "mean 0, from turn to turn only as far as these chances are right"
            )
        )
    games = max(worth.games for worth in worths)
    if games:
        sentences.append(
            say(
                "start, luck and skill rest on {games} games for each decision, fewer where the "
                "seat did what that policy would do: there the sampling error cancels",
                games=thousands(games),
            )
        )
    return sentences


def _about_turns(uncounted: str) -> str:
    """What is counted where each turn is by itself. uncounted: what is left out."""
    text = say(
        "every turn is counted by itself, and its only chance events are your own rolls. The "
        "result is what your own turns brought, minus the mean change of the others'"
    )
    return f"{text}. {say(uncounted)}" if uncounted else text
