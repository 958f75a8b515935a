"""Is the test of skill right? Simulated players take it, and their numbers are looked for again.

Players are drawn from the prior of `analysis.coach.training`. For each number the study counts how
often the 95 % interval contains it, and how wide that interval is against the prior's. Run it as
``python -m tools.study.skill GAME --players 200``.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from lama_odds.analysis.coach import training
from lama_odds.games.registry import game_of
from lama_odds.statistics.intervals import share_of


def main() -> None:
    """Print coverage and width of every interval, and whether wrong traits were shown."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = game_of(given.game)
    first = training.SkillTest(game)
    names = ["cost", "caution", *first.names]
    inside = dict.fromkeys(names, 0)
    width: dict[str, list[float]] = {name: [] for name in names}
    truths: dict[str, list[float]] = {name: [] for name in names}
    shown = wrong = 0
    questions = []
    random = np.random.default_rng(given.seed)
    median, spread = training.PRECISION
    for number in range(given.players):
        precision = median * np.exp(spread * random.standard_normal())
        caution = training.CAUTION * random.standard_normal()
        ignored = random.random(len(first.names))
        done = training.simulated(training.SkillTest(game), [precision, caution, *ignored], number)
        questions.append(len(done.asked))
        result = done.result()
        true = {
            "cost": true_cost(done, precision, caution, ignored),
            "caution": caution * done.scale / precision,
            **dict(zip(first.names, ignored, strict=True)),
        }
        for name, value in {"cost": result.cost, **{t.id: t.value for t in result.traits}}.items():
            inside[name] += value.low <= true[name] <= value.high
            width[name].append(value.high - value.low)
            truths[name].append(true[name])
        for trait in result.traits:
            sign = np.sign(true[trait.id] - (0.0 if trait.id == "caution" else 0.5))
            shown += trait.shown != 0
            wrong += trait.shown != 0 and trait.shown != sign
        if number % 20 == 19:
            print(f"{number + 1} players", file=sys.stderr, flush=True)
    print(f"{given.game}: {given.players} players, {np.mean(questions):.1f} questions on average")
    for name in names:
        held = share_of(inside[name], given.players)
        prior = np.subtract(*np.quantile(truths[name], [0.975, 0.025]))
        print(
            f"  {name}: in {held.value:.1%} of intervals ({held.low:.1%} to {held.high:.1%}); "
            f"half-width {np.median(width[name]) / 2:.4g}, among the players {prior / 2:.4g}"
        )
    print(f"traits shown: {shown}, of these wrong: {wrong}")


def true_cost(
    done: training.SkillTest, precision: float, caution: float, ignored: np.ndarray
) -> float:
    """Return what a decision of usual games costs a player on average."""
    one = training.players_of(precision, caution, list(ignored))
    return float(
        np.mean(
            [
                (done.chances(drill, one) @ [choice.cost for choice in drill.choices])[0]
                for drill in done.usual
            ]
        )
    )


if __name__ == "__main__":
    main()
