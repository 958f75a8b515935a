"""Decisions of two players of Lama Dice that are other ones for points than for the win.

They come from games of `copy` against itself. The margin and the chance to win are solved, points
are sampled with the policy that is best for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.odds import penalty_of
from lama_odds.games.dice.rules.position import Position, counts_mask, mask_counts
from lama_odds.games.dice.rules.ruleset import DiceRules, chance_to_win
from lama_odds.games.dice.rules.transition import blown_kinds
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.match_equity import best_play
from lama_odds.games.shared.decisions import decisions

OBJECTIVES = ("points", "margin", "win")
EASY = 60_000  # situations that are solved in a moment
GAMES = 40_000  # played for points
LEAST = {"points": 0.1, "margin": 0.1, "win": 0.01}  # what the other action costs at least
ALIKE = 4  # decisions of the same pattern at most


class Turned(NamedTuple):
    """A decision. best: the action of each objective. costs: of the other action in each."""

    position: Position
    best: tuple[str, ...]
    costs: tuple[float, ...]


def turned(rules: DiceRules, number: int, seed: int, threads: int) -> list[Turned]:
    """Return this many decisions to quit or roll that points and the win make differently.

    Left out are those that what going out and blowing it change does not explain.
    """
    found: list[Turned] = []
    patterns: Counter[tuple[str, ...]] = Counter()
    for position in _positions(rules, seed):
        one = _judged(rules, position, seed, threads)
        if one is None or patterns[one.best] == ALIKE:
            continue
        patterns[one.best] += 1
        found.append(one)
        if len(found) == number:
            break
    return found


def _positions(rules: DiceRules, seed: int) -> Iterator[Position]:
    """Return easy decisions to quit or roll, one of each game, for as long as they are wanted."""
    luck = np.random.default_rng(seed)
    game = 0
    while True:
        record = GAME.record(rules, [GAME.policy("copy")] * 2, seed, game, False)
        met = [decision.position for decision in decisions(GAME, rules, record)]
        easy = [position for position in met if _easy(position)]
        if easy:
            yield easy[int(luck.integers(len(easy)))]
        game += 1


def _easy(position: Position) -> bool:
    cards = position.opponents[0].cards
    if position.rolled is not None or not position.others_in or cards is None:
        return False
    return pair_situations(position.hand, cards, position.row) <= EASY


def _judged(rules: DiceRules, position: Position, seed: int, threads: int) -> Turned | None:
    """Return what each objective says; None unless points and the win clearly differ."""
    best, costs = [], []
    for objective in OBJECTIVES[::-1]:  # the surest first
        limits = Limits(games=GAMES, threads=threads)
        advice = advise(
            GAME, rules, position, objective=objective, limits=limits, seed=seed, brief=True
        )
        cost = advice.actions[1].regret
        if cost.low < LEAST[objective]:
            return None
        best.append(advice.best)
        costs.append(cost.value)
    if best[0] == best[-1] or (best[0] == "roll") != stakes_of(rules, position).pays_more:
        return None
    return Turned(position, tuple(best[::-1]), tuple(costs[::-1]))


def lines_of(rules: DiceRules, found: list[Turned]) -> list[str]:
    """Decisions as Markdown: a table, and why for each."""
    lines = [
        "| | position | points | margin | win |",
        "|--:|---|---|---|---|",
    ]
    for number, one in enumerate(found, 1):
        cells = [
            f"{action} ({100 * cost:.1f} %)" if objective == "win" else f"{action} ({cost:.2f})"
            for objective, action, cost in zip(OBJECTIVES, one.best, one.costs, strict=True)
        ]
        lines.append(f"| {number} | `{one.position.format()}` | " + " | ".join(cells) + " |")
    reasons = [
        f"{number}. {stakes_of(rules, one.position).said}" for number, one in enumerate(found, 1)
    ]
    return [*lines, "", *reasons]


class Stakes(NamedTuple):
    """What going out and blowing it change against quitting: points, and chances to win in %.

    scores: of both. quits, out, blown: chances, if the other stops too.
    """

    scores: tuple[int, int]
    gained: int
    lost: int
    quits: float
    out: float
    blown: float

    @property
    def pays_more(self) -> bool:
        """Whether going out gains more against what blowing it loses than in points."""
        return (self.out - self.quits) * self.lost > (self.quits - self.blown) * self.gained

    @property
    def said(self) -> str:
        """The same in sentences."""
        mine, other = self.scores
        return (
            f"At {mine}:{other}, if the other stops too, quitting wins {self.quits:.0f} %, going "
            f"out {self.out:.0f} % and blowing it {self.blown:.0f} %. Going out gains "
            f"{self.gained} points and {self.out - self.quits:.0f} %, blowing it loses {self.lost} "
            f"points and {self.quits - self.blown:.0f} %. So risk pays "
            f"{'more' if self.pays_more else 'less'} for the win than for points."
        )


def stakes_of(rules: DiceRules, position: Position) -> Stakes:
    """Return what is at stake at a decision to quit or roll."""
    cards = position.opponents[0].cards
    table = best_play(rules.id)
    assert cards is not None
    assert position.scores is not None
    assert table is not None
    mine, other = position.scores
    now = penalty_of(rules, position.hand)
    kinds = blown_kinds(counts_mask(position.hand), position.row)
    blown = penalty_of(rules, mask_counts(kinds))
    token = rules.token(mine)
    finals = np.array([mine + now, mine - token, mine + blown])
    theirs = np.full(3, other + penalty_of(rules, cards))
    _, out, busts = (100 * chance_to_win(rules, finals, theirs, table)).tolist()
    # If both stop, the other is the last to act, and starts the next round.
    quits = 100 - 100 * float(chance_to_win(rules, theirs, finals, table)[0])
    return Stakes((mine, other), now + token, blown - now, quits, out, busts)
