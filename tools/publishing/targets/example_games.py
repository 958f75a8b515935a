"""Annotated example games, one of each family.

Every example is a simulated round or game and its review, as the two commands above it print them.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace

from rich.console import Console

from lama_odds.analysis.coach.review import review
from lama_odds.games.registry import game_of
from lama_odds.report.text.review import review_text
from tools.publishing.target import EQUITY, POLICIES, Making, Target

PAGE = "docs/results/example_games.md"
WIDTH = 100
INTRO = """# Example games

A short game of each family with its review. A grade says what a decision cost against the best
action, judged by what its player could know. *Worst* are the most costly decisions. Each has the
position to paste into `lama-odds advise RULES "POSITION"`, and the main difference between the best
action and the chosen one. [Luck and skill](../explanation/luck_and_skill.md) explains the results.

`tools/publish example-games` writes this page. The two commands above each example repeat it.
"""


@dataclass(frozen=True)
class Example:
    """A simulated game to look at.

    rounds: whether it is a first round alone. games, seat: as for the review.
    """

    title: str
    rules: str
    policies: tuple[str, ...]
    seed: int
    rounds: bool
    remark: str
    games: int | None = None
    seat: int | None = None

    @property
    def asked(self) -> str:
        """Options of the review, as they are typed."""
        seat = "" if self.seat is None else f" --seat {self.seat}"
        return seat + ("" if self.games is None else f" --games {self.games}")


EXAMPLES = (
    Example(
        "Lama Dice",
        "dice/amigo",
        ("threshold:5", "threshold:12", "random"),
        4,
        True,
        "Player 1 rolls on until five points are left, player 2 is content with twelve.",
        games=2_000,
    ),
    Example(
        "L.A.M.A.",
        "lama/egmont",
        ("matching:4", "threshold:12", "random"),
        7,
        True,
        "Drawing and quitting are the decisions that cost: what to play is seldom in doubt.",
        games=2_000,
    ),
    Example(
        "Pikomino",
        "pikomino/egmont",
        ("first-tile", "first-tile"),
        52,
        False,
        "Both stop at the first tile they can have. Every turn is solved, nothing is sampled.",
    ),
    Example(
        "No Prob-Lama",
        "noprob/starnberger",
        ("greedy", "random"),
        4,
        True,
        "To draw or to take is one decision, what to do with the card the next; only player 2, who "
        "plays by chance, is looked at.",
        games=1_000,
        seat=1,
    ),
)


def section(example: Example) -> str:
    """An example as Markdown: commands, record, review."""
    game = game_of(example.rules)
    rules = game.rules(example.rules)
    policies = [game.policy(name) for name in example.policies]
    text = game.record(rules, policies, example.seed, 0, example.rounds)
    found = review(game, rules, text, objective="points", games=example.games, seat=example.seat)
    told = io.StringIO()
    Console(file=told, width=WIDTH, color_system=None).print(review_text(replace(found, seconds=0)))
    lines = [line.rstrip().replace(" (0.0 s)", "") for line in told.getvalue().splitlines()]
    simulate = (
        f"lama-odds simulate {example.rules} --players {len(policies)} "
        + " ".join(f"--policy {name}" for name in example.policies)
        + " --rounds" * example.rounds
        + f" --games 1 --show 1 --seed {example.seed} > game.txt"
    )
    parts = [
        f"## {example.title}",
        example.remark,
        f"```\n{simulate}\nlama-odds review game.txt --objective points{example.asked}\n```",
        f"```\n{text.strip()}\n```",
        "```\n" + "\n".join(lines).strip() + "\n```",
    ]
    return "\n\n".join(parts) + "\n"


def make(making: Making) -> None:
    """Write the page."""
    making.write(PAGE, "\n".join([INTRO, *map(section, EXAMPLES)]))


TARGET = Target(
    name="example-games",
    what="a short game of each family with its review",
    make=make,
    writes=(PAGE,),
    reads=(*POLICIES, *EQUITY, "data/ratings.json"),
)
