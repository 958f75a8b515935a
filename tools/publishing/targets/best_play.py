"""Best play of two players of Lama Dice: its table, and what policies lose against it.

A round of each of some games is solved for the win and played through with a policy on one side.
What its mistakes cost is measured without the sampling error of the dice (see `solvers.pair_walk`).
The cost of a game is that of its round times its number of rounds; the rounds are those of games of
the policy against `copy`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

import lama_odds as lo
from lama_odds.analysis.equity import best_play_equities
from lama_odds.core.data import data_json
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.solvers.pair_walk import PLACES, walk
from lama_odds.games.interface.match_equity import BEST_PLAY, best_play
from lama_odds.games.shared.decisions import Decision, decisions
from tools.fit.won_round import won_round
from tools.publishing.target import EQUITY, POLICIES, Making, Target
from tools.publishing.targets.equity import shown_table

RULES = "dice/amigo"
LOSING = ("copy", "best", "threshold:8")  # whose mistakes are measured
OTHERS = ("best", "meanfield", "threshold:6", "threshold:8", "threshold:11", "random")
WALKS = 20_000


def shown(text: str) -> list[str]:
    """The table of a rule set as Markdown, and how it was made."""
    return [
        f"## Your chance to win: `{text}`",
        "",
        "In %, ties shared, if you start the next round, by your score and the other's. "
        f"`lama-odds equity {text} --best-play` shows the same.",
        "",
        *shown_table(best_play_equities(GAME.rules(text))),
        "",
        how_made(text),
        "",
    ]


def how_made(text: str) -> str:
    """How a table was made, and how sure it is."""
    entry = data_json(BEST_PLAY)["tables"][text]
    moved = ", ".join(f"{100 * move:.2g}" for move in entry["moved"])
    return (
        f"{entry['solved']} rounds were solved, each deal with both hands in both seats; the "
        f"{entry['rounds']} whose ends hardly moved since count. They were solved in "
        f"{entry['batches']} batches, each with the table of those before. The batches moved the "
        f"table by at most {moved} percentage points. Standard errors are "
        f"{100 * entry['mean stderr']:.2g} percentage points on average and "
        f"{100 * entry['largest stderr']:.2g} at most, the last move included."
    )


def match(other: str, games: int, seed: int) -> tuple[Estimate, Estimate]:
    """How often `copy` wins against a policy, first and second to play."""
    first = lo.simulate(RULES, 2, ["copy", other], games, seed=seed).seats[0]["win"]
    second = lo.simulate(RULES, 2, [other, "copy"], games, seed=seed + 1).seats[1]["win"]
    return first, second


def matches(games: int, seed: int) -> list[str]:
    """Win rates of `copy` as Markdown."""
    lines = ["| against | first to play | second to play | both |", "|---|--:|--:|--:|"]
    for other in OTHERS:
        first, second = match(other, games, seed)
        both = (first.value + second.value) / 2
        error = 1.96 * np.hypot(first.stderr, second.stderr) / 2
        lines.append(
            f"| `{other}` | {100 * first.value:.1f} % | {100 * second.value:.1f} % | "
            f"{100 * both:.1f} ± {100 * error:.1f} % |"
        )
    return lines


def deals_of(rules: DiceRules, record: str) -> list[Decision]:
    """The first decision of each round of a game."""
    found = {decision.round: decision for decision in reversed(decisions(GAME, rules, record))}
    return [found[number] for number in sorted(found)]


def costs(rules: DiceRules, policy: Policy, deal: Decision, threads: int) -> np.ndarray:
    """Return float64[4], what a policy in seat 0 loses in a round; see `Walks.costs`."""
    values = best_play(rules.id)
    assert values is not None
    start = deal.position  # as the player sees it who decides first
    hands = start.hand, start.opponents[0].cards
    solved = won_round(rules, hands, start.row, start.scores, values, threads)
    policies = [policy, None] if deal.seat == 0 else [None, policy]
    played = walk(rules, solved.through, hands, start.row, start.scores, 0, policies, 1, WALKS)
    return np.asarray(played.costs[:, deal.seat].mean(axis=0))


def losses(making: Making) -> list[str]:
    """What policies lose a game against best play, as Markdown."""
    rules = GAME.rules(RULES)
    threads = making.threads or os.cpu_count() or 1
    lines = [
        "| policy | quit or roll | which to discard | which to take | once the other has quit | "
        "a game in all |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name in LOSING:
        luck = np.random.default_rng((making["seed"], len(name)))
        policy = GAME.best_policy(rules, 2) if name == "best" else GAME.policy(name)
        lost = np.empty((making["rounds"], PLACES))
        for number in range(making["rounds"]):
            seats = [policy, GAME.policy("copy")]
            record = GAME.record(rules, seats, making["seed"], number, False)
            deals = deals_of(rules, record)
            deal = deals[int(luck.integers(len(deals)))]
            lost[number] = len(deals) * costs(rules, policy, deal, threads)
            making.bar(number + 1, making["rounds"])
        lines.append(_row(name, 100 * lost))
        making.tell(lines[-1])
    return lines


def _row(name: str, lost: np.ndarray) -> str:
    means = lost.mean(axis=0)
    whole = lost.sum(axis=1)
    error = 1.96 * whole.std(ddof=1) / len(whole) ** 0.5
    parts: Sequence[str] = [f"{mean:.2f}" for mean in means]
    return f"| `{name}` | " + " | ".join(parts) + f" | {whole.mean():.1f} ± {error:.1f} |"


def make(making: Making) -> None:
    """Measure and write."""
    lines = [
        "# Best play of two players of Lama Dice",
        "",
        "What a game is worth if both play as well as possible, how strong the policy `copy` is, "
        "and what mistakes cost. What holds for `dice/amigo` holds for `dice/gigamic` too, which "
        "is played alike. `copy` is for these two.",
        "",
        f"Made by {making.made_by}, from the table of `tools/publish best-play` and the weights of "
        "`tools/publish copy`.",
        "",
        *shown(RULES),
        *shown("dice/egmont"),
        "## How strong `copy` is",
        "",
        f"How often it wins {making['games']:,} games from each seat, with seeds on which nothing "
        "was fitted or tuned.",
        "",
        *matches(making["games"], making["seed"]),
        "",
        "## What mistakes cost",
        "",
        "Percentage points of winning that a policy loses a game against best play, by the kind of "
        f"decision, from {making['rounds']} solved rounds of games against `copy`.",
        "",
        *losses(making),
    ]
    making.write("reports/best_play.md", "\n".join(lines) + "\n")


TARGET = Target(
    name="best-play-page",
    what="two-player Lama Dice: the table of best play, the strength of copy, what mistakes cost",
    make=make,
    writes=("reports/best_play.md",),
    reads=(*POLICIES, *EQUITY),
    options={"games": 100_000, "rounds": 30, "seed": 101},
    quick={"games": 200, "rounds": 2},
)
