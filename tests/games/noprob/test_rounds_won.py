"""What llamas are worth: against a plain iteration, and against games that are played out."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.interface.match_equity import chances_by_seat, table_for
from lama_odds.games.interface.rounds_won import RoundsWonEquity, rounds_won
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.noprob.game import GAME
from tests.games.cases import product_rules

RULES = "noprob/starnberger"


def by_hand(shares: list[float], players: int, target: int, rounds: int) -> dict[Any, list[float]]:
    """Chances by the llamas of all and the starter, if the game ends within some more rounds.

    Llamas are counted as the rule book has it: who alone has the target wins, and if several reach
    it, one more is needed.
    """
    later: dict[Any, list[float]] = {}

    def chance(llamas: tuple[int, ...], needed: int, starter: int, left: int) -> list[float]:
        if not left:
            return [1 / players] * players
        at = tuple(needed - n for n in llamas), starter, left
        if at not in later:
            found = [0.0] * players
            for winners, share in enumerate(shares):
                if share:
                    turns = [(seat - starter) % players for seat in range(players)]
                    after = tuple(
                        n + (winners >> k & 1) for n, k in zip(llamas, turns, strict=True)
                    )
                    goal = needed
                    while sum(n >= goal for n in after) > 1:
                        goal += 1
                    if max(after) >= goal:
                        value = [float(n >= goal) for n in after]
                    else:
                        value = chance(after, goal, (starter + 1) % players, left - 1)
                    found = [x + share * v for x, v in zip(found, value, strict=True)]
            later[at] = found
        return later[at]

    return {
        (llamas, starter): chance(llamas, target, starter, rounds)
        for llamas in product(range(target), repeat=players)
        for starter in range(players)
    }


@pytest.mark.parametrize(("players", "target", "rounds"), [(2, 3, 60), (3, 2, 30)])
def test_chances_are_those_of_a_plain_iteration(players: int, target: int, rounds: int) -> None:
    counts = np.random.default_rng(5).integers(1, 9, size=1 << players) * 10
    counts[0] = 0
    table = RoundsWonEquity("greedy", players, target, counts, 1, 0.0, 0.0)
    shares = list(counts / counts.sum())
    kernel = table.counted
    for (llamas, starter), chances in by_hand(shares, players, target, rounds).items():
        found = table.by_seat(llamas, starter)
        assert found == pytest.approx(chances, abs=2e-3)  # far behind after ties is cut off
        lacking = [target - n - 1 for n in llamas]
        others = 0
        for n in lacking[1:]:
            others = others * (target + 1) + n
        assert kernel[starter, lacking[0], others] / EQUITY == pytest.approx(found[0], abs=1e-5)


def test_shipped_tables_are_for_the_best_policy_at_every_table() -> None:
    rules = product_rules(RULES)
    for players in rules.players:
        best = GAME.best_policy(rules, players)
        table = table_for(RULES, [best] * players)
        assert isinstance(table, RoundsWonEquity)
        assert table.target == rules.target_of(players)
        level = chances_by_seat(table, [0] * players, 0)
        assert level.sum() == pytest.approx(1)
        assert max(level) - min(level) < 0.06
        ahead = chances_by_seat(table, [1, *[0] * (players - 1)], 0)
        assert ahead[0] > level[0] + 0.1
    assert rounds_won(RULES, 2, "greedy") is None
    assert table_for(RULES + "+target=5", [GAME.best_policy(rules, 2)] * 2) is None


@pytest.mark.long
def test_looked_up_and_played_out_games_agree() -> None:
    rules, limits = product_rules(RULES), Limits(games=4_000, threads=1)
    text = "grid=3,6,5/?,(7),4/J,9,-2 top=4 opp=?;? drawn=5 llamas=1,2,0"
    how = {"objective": "win", "limits": limits, "thorough": False}
    found, played = (
        advise(GAME, rules, GAME.position(rules, text), look_up=up, seed=int(up), **how)
        for up in (True, False)
    )
    others = {action.action: action.value for action in played.actions}
    for action in found.actions:
        mine, other = action.value, others[action.action]
        assert abs(mine.value - other.value) < 4.5 * np.hypot(mine.stderr, other.stderr) + 0.005
    told = ["match equity table" in answer.assumptions[0] for answer in (found, played)]
    assert told == [True, False]
