"""What a review rests on, in words."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.analysis.coach.grades import Graded
from lama_odds.analysis.coach.worth import Worth
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.objectives import TURN
from lama_odds.games.shared.decisions import recorded_of

HIDDEN = "redrawn"  # in `Game.shared`: cards are hidden


def assumptions(
    game: AnyGame,
    objective: str,
    games: int,
    most: int,
    seed: int,
    done: Sequence[Graded],
    worths: Sequence[Worth],
) -> tuple[str, ...]:
    """All that grades and the account of luck rest on.

    games: for each decision that is sampled; most: for doubtful ones.
    """
    found = ["a decision is graded by what its player could know, not by what turned out"]
    sampled = [g for g in done if g.method != "exact"]
    found += [g.rests_on[0] for g in (sampled or done)[:1] if g.rests_on]
    found += _about_luck(game, objective, worths)
    if sampled:
        fewer = sum(g.games < games for g in sampled)
        more = sum(g.games > games for g in sampled)
        doubtful = sum(g.doubtful for g in sampled)
        found += [
            f"{games:,} games for each decision, fewer for the {fewer} whose grade was soon "
            f"clear, {most:,} for the {more} doubtful ones that more could settle; "
            f"--games {games} --seed {seed} repeats this",
            f"{doubtful} grades are still doubtful (marked ?): the interval of what was lost "
            "reaches over a border",
            "sampled losses are a little high, because of several actions the luckiest looks best; "
            "the intervals of sums (95 %: at least, at most) allow for that",
        ]
    return tuple(found)


def _about_luck(game: AnyGame, objective: str, worths: Sequence[Worth]) -> list[str]:
    """What start, luck and skill are in this game."""
    found = [
        "start + luck + skill is the result. Start is what the player assumed above could expect "
        "at the first decision; skill is how much more or less the actions chosen were worth than "
        "those of that player (what was lost against the best action is not in it); luck is the "
        "rest, and its mean is 0 whatever the seat does if the others play as assumed"
    ]
    if HIDDEN in game.shared:
        found.append(
            "hidden cards are drawn at random, so that mean may be off by what play tells about "
            "them (reports/luck.md)"
        )
    if game.objectives[objective].span == TURN:
        found.append(
            "every turn is taken by itself, and all its luck is that of the own rolls. The result "
            "is what the own turns brought, minus the mean change of the others'; what was stolen "
            "from a seat in their turns is not in it"
        )
        return found
    found.append(
        f"luck: {recorded_of(game).luck}; all else that came between two decisions of a seat (the "
        "others' luck and play, hidden cards, new deals) is counted together"
    )
    games = max(worth.games for worth in worths)
    if games:
        found.append(
            f"start, luck and skill are from {games:,} games for each decision, fewer where the "
            "seat did what that player would do: what is sampled there cancels in their sums"
        )
    return found
