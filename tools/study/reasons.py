"""How often the coach says why a verdict is right, and how often what it says holds again.

Positions come from games between the best policy and casual players. Only clear verdicts count.
Each sentence is tested again with other random numbers and four times the games. Run it as
``python -m tools.study.reasons GAME --positions 500``; it prints a table of patterns.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach import reasons as why
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import Decision, decisions, query_of, recorded_of

TIMES = 4  # as many games in the second test
AWAY = 3.3  # standard errors by which a number may differ in the second test
EACH = 3  # decisions of a game
MOST_GAMES = 16_384  # of the advice
TABLES = {
    "lama": ("lama/amigo", "lama/egmont", "lama/party"),
    "dice": ("dice/amigo", "dice/egmont", "dice/gigamic"),
    "pikomino": ("pikomino/egmont",),
    "noprob": ("noprob/starnberger",),
}
PLAYERS = (2, 3, 4)


def positions(game: AnyGame, seed: int) -> Iterator[tuple[Any, Decision]]:
    """Yield rule sets and decisions with a choice, a few of each game, without end."""
    names, number = TABLES[game.name], 0
    random = np.random.default_rng(seed)
    while True:
        rules = game.rules(names[number % len(names)])
        players = PLAYERS[number // len(names) % len(PLAYERS)]
        casual, best = game.policy(game.casual), game.best_policy(rules, players)
        policies = [(best, casual)[(seat + number) % 2] for seat in range(players)]
        text = game.record(rules, policies, seed, number, rounds=False)
        query = query_of(game)
        choices = [
            decision
            for decision in decisions(game, rules, text)
            if len(query.legal_actions(rules, decision.position)) > 1
        ]
        for at in random.permutation(len(choices))[:EACH]:
            yield rules, choices[int(at)]
        number += 1


def holds(ground: why.Ground, reason: why.Reason, advice: Advice) -> bool:
    """Return whether the claim of a sentence is true in other games."""
    game, rules = ground.question.game, ground.question.rules
    if reason.position:
        values = why.values_at(ground, game.position(rules, reason.position), ground.games, (1,))
        if values is None:
            return False
        action, loses = values
        return action == reason.action and loses[advice.best].value > 0
    pattern = next(c for c in game.reasons(rules).contrasts if c.id == reason.id)
    best, other = reason.values[0].action, reason.values[1].action
    again = why.measured(ground, (best, other), [pattern])
    signs = [
        gap.sign * (again[best][gap.measure].value - again[other][gap.measure].value)
        >= gap.least / 2
        for gap in pattern.gaps
    ]
    return all(signs) and all(
        _agrees(cited.value, again[cited.action][cited.measure]) for cited in reason.values
    )


def _agrees(was: Estimate, now: Estimate) -> bool:
    away = AWAY * math.hypot(was.stderr, now.stderr)
    return abs(was.value - now.value) <= away + 1e-9


def main() -> None:
    """Print how often sentences were spoken and held, by pattern."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", choices=sorted(TABLES))
    parser.add_argument("--positions", type=int, default=2000, help="clear positions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=10)
    given = parser.parse_args()
    game = game_of(TABLES[given.game][0])
    spoken: Counter[str] = Counter()
    held: Counter[str] = Counter()
    clear, seen, both = 0, 0, 0
    silent: list[str] = []
    shown: list[str] = []
    for rules, decision in positions(game, given.seed):
        seen += 1
        limits = Limits(most=MOST_GAMES // recorded_of(game).fewer ** 2, clear=True)
        advice = advise(game, rules, decision.position, limits=limits, thorough=False)
        if advice.verdict != advice.best or len(advice.actions) < 2:
            continue
        clear += 1
        reasons = why.reasons(game, rules, decision.position, advice)
        ground = why.ground_of(
            game, rules, decision.position, advice.objective, seed=given.seed + 1, times=TIMES
        )
        if not reasons:
            silent.append(f"{rules.id} {decision.position.format()}: {advice.best}")
        both += len(reasons) > 1
        for reason in reasons:
            spoken[reason.id] += 1
            good = holds(ground, reason, advice)
            held[reason.id] += good
            if not good:
                print(f"failed: {rules.id} {decision.position.format()}: {reason.text}")
        if reasons and len(shown) < given.examples:
            text = " ".join(reason.text for reason in reasons)
            shown.append(f"{rules.id} {decision.position.format()}: {advice.best}. {text}")
        if clear % 50 == 0:
            print(f"{clear} clear positions", file=sys.stderr, flush=True)
        if clear >= given.positions:
            break
    total, right = sum(spoken.values()), sum(held.values())
    print(f"{given.game}: {clear} clear of {seen} positions, seed {given.seed}")
    print(f"spoke on {clear - len(silent)} = {(clear - len(silent)) / clear:.1%}, ", end="")
    print(f"both sentences on {both / clear:.1%}")
    print(f"held again: {right} of {total} sentences = {right / max(1, total):.1%}")
    for name, count in spoken.most_common():
        print(f"  {name}: {held[name]} of {count}")
    print(*(f"example: {line}" for line in shown), sep="\n")
    print(*(f"silent: {line}" for line in silent[: given.examples]), sep="\n")


if __name__ == "__main__":
    main()
