"""Best play of two players of Lama Dice: its table, and what policies lose against it.

See `tools.study.solved_games` for how that is measured, and `tools.study.turned_decisions` for the
decisions shown.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence

import numpy as np

import lama_odds as lo
from lab.best_play.pairs import tuned
from lama_odds.analysis.equity import best_play_equities
from lama_odds.core.estimate import Estimate
from lama_odds.core.files import write_whole
from lama_odds.core.reading import data_json, read_json
from lama_odds.games.dice.game import GAME
from lama_odds.games.interface.match_equity import BEST_PLAY
from tools.publishing.target import EQUITY, POLICIES, Making, Target
from tools.publishing.targets.equity import shown_table
from tools.study.solved_games import lost_in_game
from tools.study.turned_decisions import lines_of, turned

RULES = "dice/amigo"
OTHERS = ("meanfield", "threshold:6", "threshold:8", "threshold:11", "random")
DECISIONS = 10  # that are shown
OFTEN = 3  # times as many solved games of `copy`, whose mistakes are rare


def losing() -> tuple[str, ...]:
    """Policies whose mistakes are measured."""
    return "copy", tuned(GAME.rules(RULES)).name, "threshold:8"


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
    at_once = "95 % intervals hold for each entry, not for all at once: entries share rounds."
    if "beside" in entry:
        found = entry["difference"]
        return (
            f"This is the table of `{entry['beside']}`, plus how the editions differ. "
            f"{entry['solved']} rounds were solved with both rules, on the same deals. The "
            f"difference is at most {100 * found['largest']:.2g} percentage points, with a "
            f"standard error of at most {100 * found['largest stderr']:.2g}. Standard errors of "
            f"the table are {100 * entry['mean stderr']:.2g} percentage points on average and "
            f"{100 * entry['largest stderr']:.2g} at most. {at_once}"
        )
    moved = ", ".join(f"{100 * move:.2g}" for move in entry["moved"])
    return (
        f"{entry['solved']} rounds were solved, each deal with both hands in both seats; the "
        f"{entry['rounds']} whose ends hardly moved since count. They were solved in "
        f"{entry['batches']} batches, each with the table of those before. The batches moved the "
        f"table by at most {moved} percentage points. Standard errors are "
        f"{100 * entry['mean stderr']:.2g} percentage points on average and "
        f"{100 * entry['largest stderr']:.2g} at most, the last move included. {at_once}"
    )


def match(other: str, games: int, seed: int) -> tuple[Estimate, Estimate]:
    """How often `copy` wins against a policy, first and second to play."""
    first = lo.simulate(RULES, 2, ["copy", other], games, seed=seed).seats[0]["win"]
    second = lo.simulate(RULES, 2, [other, "copy"], games, seed=seed + 1).seats[1]["win"]
    return first, second


def matches(games: int, seed: int) -> list[str]:
    """Win rates of `copy` as Markdown."""
    lines = ["| against | first to play | second to play | both |", "|---|--:|--:|--:|"]
    for other in (tuned(GAME.rules(RULES)).name, *OTHERS):
        first, second = match(other, games, seed)
        both = (first.value + second.value) / 2
        error = 1.96 * np.hypot(first.stderr, second.stderr) / 2
        lines.append(
            f"| `{other}` | {100 * first.value:.1f} % | {100 * second.value:.1f} % | "
            f"{100 * both:.1f} ± {100 * error:.1f} % |"
        )
    return lines


def lost(making: Making, name: str) -> np.ndarray:
    """Return float64[games, 5]: what a policy loses in each solved game, and its rounds."""
    rules = GAME.rules(RULES)
    making.work.mkdir(parents=True, exist_ok=True)
    path = making.work / f"{name.partition(':')[0]}.json"
    found = read_json(path) if path.exists() else []
    threads = making.threads or os.cpu_count() or 1
    games = making["solved"] * (OFTEN if name == "copy" else 1)
    for number in range(len(found), games):
        game = lost_in_game(rules, GAME.policy(name), making["seed"], number, threads)
        found.append([*game.costs.tolist(), game.rounds])
        write_whole(path, json.dumps(found))
        making.bar(number + 1, games)
    return np.array(found[:games])


def kept(making: Making, name: str, make_lines: Callable[[], list[str]]) -> list[str]:
    """Return the lines of a section, made only once."""
    making.work.mkdir(parents=True, exist_ok=True)
    path = making.work / f"{name}-lines.json"
    if not path.exists():
        write_whole(path, json.dumps(make_lines()))
        making.tell(name)
    found: list[str] = read_json(path)
    return found


def losses(making: Making) -> list[str]:
    """What policies lose a game against best play, as Markdown."""
    lines = [
        "| policy | quit or roll | which to discard | which to take | once the other has quit | "
        "a game in all | best play wins |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    rounds = []
    for name in losing():
        found = lost(making, name)
        lines.append(_row(name, 100 * found[:, :-1]))
        rounds.append(found[:, -1].mean())
        making.tell(lines[-1])
    return [*lines, "", *bounds(float(np.mean(rounds)))]


def _row(name: str, costs: np.ndarray) -> str:
    means = costs.mean(axis=0)
    whole = costs.sum(axis=1)
    error = 1.96 * whole.std(ddof=1) / len(whole) ** 0.5
    parts: Sequence[str] = [f"{mean:.2f}" for mean in means]
    return (
        f"| `{name}` | "
        + " | ".join(parts)
        + f" | {whole.mean():.2f} ± {error:.2f} | {50 + whole.mean():.1f} ± {error:.1f} % |"
    )


def bounds(rounds: float) -> list[str]:
    """How much best play itself may lose, as Markdown. rounds: of a game."""
    error = 100 * data_json(BEST_PLAY)["tables"][RULES]["mean stderr"]
    return [
        "What a policy loses to best play is a lower bound of its exploitability. A player made to "
        "beat just this policy may gain more.",
        "",
        "Best play itself is solved within each round, so it loses only by errors of the table. If "
        "all entries are off by ε, somebody gains at most 2 ε per round. A game has "
        f"{rounds:.1f} rounds. So an error of {error:.2f} percentage points, the mean standard "
        f"error, could cost up to {2 * error * rounds:.1f} percentage points of winning. That is "
        "an upper bound: all errors would have to be the worst for best play, at whatever scores "
        "the game comes to. It rests on the standard errors, and on no entry being off by more.",
    ]


def make(making: Making) -> None:
    """Measure and write."""
    rules = GAME.rules(RULES)
    lines = [
        "# Best play of two players of Lama Dice",
        "",
        "What a game is worth if both play as well as possible, how strong the policy `copy` is, "
        "and what mistakes cost. What holds for `dice/amigo` holds for `dice/gigamic` too, which "
        "is played alike. `copy` is `best` for two in all editions if the game is to be won. "
        "[Best responses](dice_exploitability.md) have its strength in `dice/egmont`.",
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
        *kept(making, "matches", lambda: matches(making["games"], making["seed"])),
        "",
        "## What mistakes cost",
        "",
        "Percentage points of winning that a policy loses a game against best play, by the kind of "
        f"decision. Each policy played {making['solved']} games in which every round was solved "
        "(`copy` three times as many), in half of them as the first to play. The deals are the "
        "same for all.",
        "",
        *losses(making),
        "",
        "## What points and winning decide differently",
        "",
        "Decisions from games of `copy` against itself. In brackets stands what the other action "
        "costs: points, the margin in points, and percentage points of winning. The margin and the "
        "chance to win are solved, points are sampled.",
        "",
        *kept(
            making,
            "turned",
            lambda: lines_of(rules, turned(rules, DECISIONS, making["seed"], making.threads or 1)),
        ),
    ]
    making.write("reports/best_play.md", "\n".join(lines) + "\n")


TARGET = Target(
    name="best-play-page",
    what="two-player Lama Dice: the table of best play, the strength of copy, what mistakes cost",
    make=make,
    writes=("reports/best_play.md",),
    reads=(*POLICIES, *EQUITY),
    options={"games": 100_000, "solved": 8, "seed": 101},
    quick={"games": 200, "solved": 2},
)
