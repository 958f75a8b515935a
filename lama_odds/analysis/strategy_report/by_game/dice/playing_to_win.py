"""A section of Lama Dice for two: when the scores turn a decision, and what points are worth."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.analysis.equity import Equities, best_play_equities
from lama_odds.analysis.strategy_report import document as doc
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.progress import Progress
from lama_odds.core.wording import POINTS_OF_CHANCE
from lama_odds.games.interface.match_equity import best_play
from lama_odds.simulation.run import default_threads

# A decision that is close for points: 7 points against 7, and one card more to lose.
CARDS = "hand=25 row=136L opp=34"
SAID = "You hold 25, the llama row is 136L, and the other player holds 34"
BAND = 5  # scores between two of the map
COLOUR_LIMIT = 0.1  # of the chance to win: colours are full from here on
SIDES = ("roll", "quit")
LLAMA, BLACK, WHITE = 10, 10, 1  # points of a llama card, and of tokens
# What is valued, by the name of its curve: how far one's own score changes, from and to.
STEPS = {
    "a point less": (0, -1),
    "no llama card": (LLAMA, 0),
    "a black token, not white": (-WHITE, -BLACK),
}
STARTING = "starting the next round"


def playing_to_win_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section | None:
    """When scores turn a decision, and what points are worth; None without a table for it."""
    if ask.players != 2 or best_play(ask.rules.id) is None:
        return None
    equities = best_play_equities(ask.rules)
    scores = range(0, equities.target, BAND)
    gains = {}
    for mine in scores:
        for other in scores:
            gains[mine, other] = _gain(ask, mine, other)
            if progress is not None:
                progress(len(gains), len(scores) ** 2)
    turns, worth = _turns_said(gains, scores), values_of_points(equities)
    return doc.Section(
        "playing_to_win",
        "Two players: playing to win",
        doc.EXACT,
        "Both play the rest of the game as well as possible. The round is solved; what the scores "
        "after it are worth comes from a match equity table, whose sampling error is in all "
        "intervals.",
        headlines=turns,
        findings=(_worth_said(worth),),
        text=(
            f"{SAID}: it is your turn. For points vs. others alone, rolling is a little better. To "
            "win the game, it depends on the scores. The line separates quitting from rolling.",
            "A number in the map is what the wrong choice costs, in percentage points of your "
            "chance to win. The curves show what else changes this chance if both have the same "
            "score: starting, a point or a llama card less, a black token returned. From "
            f"{equities.target - LLAMA} points on, a llama card ends the game.",
        ),
        story=("turned_by_scores",),
        figures=(_map(gains, scores, turns), _curves(worth)),
        tables=(_table_of_gains(gains), _table_of_worth(worth)),
    )


def _gain(ask: doc.Ask, mine: int, other: int) -> Estimate:
    """How much more often rolling wins than quitting, with these scores."""
    position = ask.game.position(ask.rules, f"{CARDS} scores={mine},{other} first=0")
    solution = ask.game.solve(
        ask.rules, position, "win", ask.threads or default_threads(), None, best_play(ask.rules.id)
    )
    assert solution is not None, "few cards are always solved"
    wins = {action.action: action.values["win"] for action in solution.actions}
    bound = sum(win.high - win.low for win in wins.values()) / 2
    return exact(wins["roll"].value - wins["quit"].value, bound)


def values_of_points(equities: Equities) -> dict[str, list[tuple[int, Estimate]]]:
    """What something adds to your chance to win at equal scores, by the score."""

    def win(mine: int, other: int) -> Estimate:
        """Your chance if either of both may start."""
        if mine >= equities.target:
            return exact(0.0)
        first, second = equities.win(mine, other), equities.win(other, mine)
        half = (first.high - first.low + second.high - second.low) / 4
        error = (first.stderr + second.stderr) / 2
        value = (first.value + 1 - second.value) / 2
        return Estimate.from_half(value, error, half, first.n)

    worth = {
        name: [
            (score, Estimate.difference(win(score + after, score), win(score + before, score)))
            for score in range(-min(before, after, 0), equities.target)
        ]
        for name, (before, after) in STEPS.items()
    }
    half = exact(0.5)
    starting = [
        (score, Estimate.difference(equities.win(score, score), half))
        for score in range(equities.target)
    ]
    return {STARTING: starting, **worth}


def _turns_said(gains: dict[tuple[int, int], Estimate], scores: Sequence[int]) -> tuple[str, ...]:
    """Up to which score of the other rolling is right, in sentences."""

    def limit(mine: int) -> str:
        rolls = [other for other in scores if gains[mine, other].value > 0]
        if len(rolls) == len(scores):
            return "always"
        if not rolls:
            return "never"
        return f"up to {rolls[-1]}" if rolls == list(scores[: len(rolls)]) else ""

    chosen = [mine for mine in (0, 10, 20, 30) if limit(mine)]
    limits = ", ".join(f"{limit(mine)} with {mine} points" for mine in chosen)
    best, worst = (most(gains, key=lambda scores: gains[scores].value) for most in (max, min))
    return (
        "With two players, roll when you are behind and quit when you are ahead. An example: "
        f"{SAID[0].lower()}{SAID[1:]}. Then roll, by the other's score, {limits}.",
        f"There, rolling wins up to {_points(gains[best])} {POINTS_OF_CHANCE} more (at "
        f"{best[0]}:{best[1]}), or costs up to {_points(gains[worst])} (at {worst[0]}:{worst[1]}).",
    )


def _points(estimate: Estimate) -> str:
    return f"{100 * abs(estimate.value):.1f}"


def _worth_said(worth: dict[str, list[tuple[int, Estimate]]]) -> str:
    """What points are worth at the start and late, in a sentence."""

    def at(name: str, score: int) -> str:
        return _points(dict(worth[name])[score])

    llama = "no llama card"
    black = "a black token, not white"
    return (
        f"At 0:0, starting is worth {at(STARTING, 0)} {POINTS_OF_CHANCE}, a point less "
        f"{at('a point less', 1)} and a llama card less {at(llama, 0)}. At 20:20 a llama card less "
        f"is worth {at(llama, 20)}, and returning a black token, not a white one, "
        f"{at(black, 20)}."
    )


def _map(
    gains: dict[tuple[int, int], Estimate], scores: Sequence[int], turns: Sequence[str]
) -> doc.HeatMap:
    names = tuple(map(str, scores))
    return doc.HeatMap(
        "turned_by_scores",
        f"Hand 25, row 136L, the other holds 34. {turns[1].removeprefix('There, ').capitalize()}",
        turns[0],
        "the other's score",
        "your score",
        names,
        names,
        tuple(tuple(-gains[mine, other].value for other in scores) for mine in scores),
        tuple(
            tuple(f"{100 * abs(gains[mine, other].value):.0f}" for other in scores)
            for mine in scores
        ),
        *SIDES,
        "what rolling costs, of the chance to win (below 0: what quitting costs)",
        COLOUR_LIMIT,
    )


def _curves(worth: dict[str, list[tuple[int, Estimate]]]) -> doc.Curves:
    return doc.Curves(
        "worth_of_points",
        _worth_said(worth).partition(". ")[0] + ".",
        "Curves by the score of both: " + "; ".join(worth) + ".",
        "score of both players",
        "added to your chance to win",
        tuple(doc.line_of(name, points) for name, points in worth.items()),
        share=True,
    )


def _table_of_gains(gains: dict[tuple[int, int], Estimate]) -> doc.Table:
    rows: tuple[tuple[doc.Cell, ...], ...] = tuple(
        (mine, other, SIDES[gain.value < 0], _size(gain)) for (mine, other), gain in gains.items()
    )
    columns = doc.columns_of("your score", "other's score", "better|text", "by|change")
    return doc.Table("turned_by_scores", "Roll or quit, by both scores", columns, rows, long=True)


def _size(estimate: Estimate) -> Estimate:
    return (
        estimate
        if estimate.value >= 0
        else exact(-estimate.value, (estimate.high - estimate.low) / 2)
    )


def _table_of_worth(worth: dict[str, list[tuple[int, Estimate]]]) -> doc.Table:
    by_score = {name: dict(points) for name, points in worth.items()}
    scores = [score for score, _ in worth[STARTING] if score % BAND == 0]
    return doc.Table(
        "worth_of_points",
        "What it adds to your chance to win, at equal scores",
        (doc.Column("score of both"), *(doc.Column(name, "change") for name in worth)),
        tuple((score, *(values.get(score) for values in by_score.values())) for score in scores),
    )
