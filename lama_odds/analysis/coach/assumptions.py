"""What a review rests on, in words."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.analysis.coach.grades import Graded
from lama_odds.analysis.coach.luck import Course
from lama_odds.analysis.coach.worth import Worth
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.objectives import TURN
from lama_odds.games.shared.decisions import recorded_of


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
    found = ["a decision is graded by what its player could know, not by how it turned out"]
    sampled = [g for g in done if g.games]
    learned = [g for g in done if g.learned]
    found += [g.rests_on[0] for g in (sampled or learned or done)[:1] if g.rests_on]
    found += _about_luck(game, objective, worths)
    if course.by:
        found.append(
            "the record ends between two rounds: an expected result is the chance to win with "
            f"these scores by the match equity table of {course.by}, whose error is in its interval"
        )
    if learned:
        found += [
            *learned[0].rests_on[1:2],
            "in sums, errors of one turn add up, and those of different turns are independent",
            _uncertain(learned),
        ]
    if sampled:
        fewer = sum(g.games < games for g in sampled)
        more = sum(g.games > games for g in sampled)
        found += [
            f"{games:,} games for each decision; fewer for {fewer} whose grade was soon clear, "
            f"{most:,} for {more} uncertain ones that more games could settle. "
            f"--games {games} --seed {seed} repeats this",
            _uncertain(sampled),
            "sampled costs are biased slightly upward (winner's curse); the intervals of sums "
            "(95 %: at least, at most) allow for that",
        ]
    return tuple(found)


def _uncertain(graded: Sequence[Graded]) -> str:
    """How many grades may be another."""
    doubtful = sum(one.doubtful for one in graded)
    return (
        f"{doubtful} grade{' is' if doubtful == 1 else 's are'} uncertain (marked ?): the interval "
        "of the cost spans two grades"
    )


def _about_luck(game: AnyGame, objective: str, worths: Sequence[Worth]) -> list[str]:
    """What start, luck and skill are in this game."""
    found = [
        "a result is the sum of start, luck and skill. Start is what the policy assumed above "
        "expects at the first decision. Skill is how much more the chosen actions are worth than "
        "those of that policy (not: than the best actions). Luck is the rest; its mean is 0 "
        "whatever the seat does, if the others play as assumed"
    ]
    if any(worth.inferred for worth in worths):
        found.append(
            "hidden cards are drawn by what the others did in the round, as if they played as "
            "assumed or like a few other policies. How they really play may move that average"
        )
    elif game.hidden_cards:
        found.append(
            "hidden cards are drawn at random, without inference from play, so that average may "
            "be slightly off 0"
        )
    if game.objectives[objective].span == TURN:
        found.append(
            "every turn is counted by itself, and its only chance events are your own rolls. The "
            "result is what your own turns brought, minus the mean change of the others'. Tiles "
            "stolen from you in their turns are not in it"
        )
        return found
    found.append(
        f"luck: {recorded_of(game).luck}; everything else between two decisions of a seat "
        "(the others' luck and play, hidden cards, new deals) is counted together"
    )
    if any(worth.learned for worth in worths):
        found.append(
            "start, luck and skill are of learned chances too. Within a turn their luck has mean "
            "0, from turn to turn only as far as these chances are right"
        )
    games = max(worth.games for worth in worths)
    if games:
        found.append(
            f"start, luck and skill rest on {games:,} games for each decision, fewer where the "
            "seat did what that policy would do: there the sampling error cancels"
        )
    return found
