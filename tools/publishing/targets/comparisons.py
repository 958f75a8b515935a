"""Compare rules on which the rule books are silent or editions differ; keep the answers.

In reports/comparisons: comparisons.md with every table, a CSV file for each question, manifest.json
with commands, seeds and versions.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import lama_odds
from lama_odds.analysis.compare.compare import Amount, Comparison, Row, compare
from lama_odds.analysis.policy_files import named_policy
from lama_odds.games.registry import game_of
from lama_odds.report.terminal import number
from lama_odds.report.text.compare import change, compared_csv, relative, unit, verdict
from lama_odds.simulation.run import BLOCK
from tools.publishing.target import POLICIES, Making, Target

FOLDER = "reports/comparisons/"
BEST = "best"
FEWEST = 800  # games, whatever the scale
USED = ("numpy", "numba", "scipy")


@dataclass(frozen=True)
class Question:
    """What is compared: rule sets, baseline first, and the players.

    key: name of the CSV files. policies: a comparison each; ``best`` is the strongest policy known
    for the baseline. games: by policy. equal: no game may make a difference (otherwise it is an
    error).
    """

    key: str
    title: str
    rules: tuple[str, ...]
    players: int
    policies: tuple[str, ...]
    games: tuple[int, ...]
    all_pairs: bool = False
    equal: tuple[str, str] | None = None


DICE, LAMA = ("threshold:5", BEST), ("matching:3", BEST)
DICE_GAMES, LAMA_GAMES = (200_000, 100_000), (120_000, 60_000)


def dice(key: str, title: str, *rules: str, **more: Any) -> Question:
    """A question about Lama Dice, four players."""
    return Question(key, title, rules, 4, DICE, DICE_GAMES, **more)


def cards(key: str, title: str, *rules: str, **more: Any) -> Question:
    """A question about the card games, four players."""
    return Question(key, title, rules, 4, LAMA, LAMA_GAMES, **more)


QUESTIONS = (
    dice(
        "dice_editions",
        "The three editions of Lama Dice",
        *("dice/amigo", "dice/egmont", "dice/gigamic"),
        all_pairs=True,
        equal=("dice/amigo", "dice/gigamic"),
    ),
    dice(
        "dice_empty_row",
        "Lama Dice: does taking the last card of the llama row end the round?",
        *("dice/amigo", "dice/amigo+empty_row_ends=off"),
    ),
    dice(
        "dice_safe_alone",
        "Lama Dice: can the last player blow it with three llamas and no llama card?",
        *("dice/amigo", "dice/amigo+llama_safe_alone=off"),
    ),
    dice("dice_twenty", "Lama Dice: pink tokens of 20", "dice/amigo", "dice/amigo+twenty"),
    cards(
        "lama_starter",
        "L.A.M.A.: who starts the next round?",
        *("lama/egmont", "lama/egmont+starter=last_actor"),
    ),
    cards(
        "lama_llamas",
        "L.A.M.A.: 56 cards (eight llamas) against 55, and the 56-card edition with its start",
        *("lama/egmont", "lama/egmont+llamas=8", "lama/amigo"),
        all_pairs=True,
    ),
    cards(
        "lama_llama_each",
        "L.A.M.A.: every llama in hand costs its points",
        *("lama/egmont", "lama/egmont+llama_each"),
    ),
    cards("lama_twenty", "Lama 20: pink tokens of 20", "lama/egmont", "lama/egmont+twenty"),
    cards("lama_drama", "Lama Drama: the pot", "lama/egmont", "lama/egmont+drama"),
    cards("lama_party", "Lama Party against the basic game", "lama/egmont", "lama/party"),
    cards(
        "party_pink_adds",
        "Lama Party: does a hand with the pink and other llamas cost both?",
        *("lama/party", "lama/party+pink_adds"),
    ),
    cards(
        "party_pink_drama",
        "Lama Party with drama: does the pink llama count for the drama?",
        *("lama/party+drama", "lama/party+drama+pink_drama=off"),
    ),
    Question(
        "noprob_options",
        "No Prob-Lama: any tie raises the target, three jokers make a line, the pile is refilled",
        (
            "noprob/starnberger",
            "noprob/starnberger+any_tie",
            "noprob/starnberger+triple_joker=off",
            "noprob/starnberger+refill=off",
        ),
        4,
        ("greedy",),
        (8_000,),
    ),
    Question(
        "noprob_ends",
        "No Prob-Lama: to three llamas, or four rounds",
        ("noprob/starnberger", "noprob/starnberger+four_rounds"),
        4,
        ("greedy",),
        (8_000,),
    ),
    Question(
        "pikomino_options",
        "Pikomino: a bust turns a tile over even without a tile to lose, or even the highest one",
        ("pikomino/egmont", "pikomino/egmont+flip_without_tile", "pikomino/egmont+short"),
        3,
        ("first-tile", "optimal-turn"),
        (40_000, 3_200),
    ),
)


def answer(asked: Question, at: int, scale: float, seed: int) -> Comparison:
    """Play the comparison with the policy at `at` of a question."""
    game = game_of(asked.rules[0])
    variants = [game.rules(text) for text in asked.rules]
    name = asked.policies[at]
    if name == BEST:
        policy = game.best_for_all(variants, asked.players)
    else:
        policy = named_policy(game, variants[0], name, asked.players)
    games = max(FEWEST, int(asked.games[at] * scale) // BLOCK * BLOCK)
    found = compare(
        game,
        variants,
        [policy] * len(variants),
        asked.players,
        amount=Amount(games=games),
        all_pairs=asked.all_pairs,
        seed=seed,
    )
    if found.interrupted:
        raise KeyboardInterrupt
    check_equal(asked, found)
    return found


def check_equal(asked: Question, found: Comparison) -> None:
    """ValueError if rule sets that must come out the same do not."""
    for row in found.rows:
        if (row.against, row.rules) == asked.equal and not row.identical:
            raise ValueError(f"{row.rules} and {row.against} differ in {row.measure.name}")


def command(asked: Question, found: Comparison) -> str:
    """The command that repeats an answer."""
    pairs = " --all-pairs" if asked.all_pairs else ""
    return (
        f"lama-odds compare {' '.join(asked.rules)} --players {found.players} "
        f"--policy {found.policies[0]} --games {found.games} --seed {found.seed}{pairs}"
    )


def section(asked: Question, found: Sequence[Comparison], files: Sequence[str]) -> list[str]:
    """A question with its tables."""
    lines = [f"## {asked.title}", ""]
    for played, file in zip(found, files, strict=True):
        lines += [
            f"{played.players} players who all play `{played.policies[0]}`, {played.games:,} games "
            f"of each rule set, seed {played.seed}: [{file}]({file})",
            "",
            f"    {command(asked, played)}",
            "",
        ]
        for (against, rules), rows in played.pairs.items():
            lines += [f"**`{rules}` against `{against}`**: {summary(rows)}", ""]
            lines += table(rows)
        for left in played.left_out:
            lines += [f"No {left.measure} for `{left.rules}`: {left.reason}.", ""]
    return lines


def summary(rows: Sequence[Row]) -> str:
    """The verdicts of a pair, counted by what they say."""
    if all(row.identical for row in rows):
        return "all games came out the same"
    names: dict[str, list[str]] = {"differs": [], "same": [], "undecided": []}
    for row in rows:
        names[row.judged.verdict].append(row.measure.name.replace("_", " "))
    return "; ".join(f"{what}: {', '.join(which)}" for what, which in names.items() if which)


def table(rows: Sequence[Row]) -> list[str]:
    """The rows of a pair as a Markdown table."""
    head = ("measure", "baseline", "other", "change", "in", "relative", "verdict")
    lines = ["| " + " | ".join(head) + " |", "|---|---:|---:|---:|---|---:|---|"]
    for row in rows:
        cells = (
            row.measure.name.replace("_", " "),
            number(row.baseline, row.measure.share),
            number(row.other, row.measure.share),
            change(row),
            unit(row),
            relative(row),
            verdict(row),
        )
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return [*lines, ""]


def page(sections: Sequence[str], found: Sequence[Comparison], made_by: str) -> str:
    """The whole page."""
    lines = [
        "# What the rules change",
        "",
        "Rule books leave some questions open: editions differ, sentences can be read in two "
        "ways, and there are options. Each comparison plays game by game with the same cards and "
        "dice. `change` is the other rule set minus the baseline, with its 95 % interval.",
        "",
        "A verdict says that a measure differs, that it is equivalent within δ (“same”; δ is 1 % "
        "of means, 0.5 % of shares), or how many more games are needed. Among all "
        "verdicts of one comparison the chance of any wrong “differs” is at most 5 %; so is "
        f"that of any wrong “same”. Over all {len(found)} comparisons, expect one or two wrong.",
        "",
        "Where that is quick, each comparison is played twice: with a plain policy, and with the "
        "strongest one known for winning with the baseline. Pikomino uses the best single turn, No "
        "Prob-Lama greedy alone. All players keep their policy under the other rules; a policy "
        "that is solved for a rule set is solved for each.",
        "",
        *sections,
        f"Made by {made_by}; see [manifest.json](manifest.json).",
    ]
    return "\n".join(lines) + "\n"


def make(making: Making) -> None:
    """Ask all questions and write the answers."""
    sections: list[str] = []
    everything: list[Comparison] = []
    entries: list[dict[str, Any]] = []
    for asked in QUESTIONS:
        found = [
            answer(asked, at, making["scale"], making["seed"]) for at in range(len(asked.policies))
        ]
        files = [
            f"{asked.key}.csv" if at == 0 else f"{asked.key}_{name.partition(':')[0]}.csv"
            for at, name in enumerate(asked.policies)
        ]
        for file, played in zip(files, found, strict=True):
            making.write(FOLDER + file, compared_csv(played))
            entries.append({"file": file, "command": command(asked, played)})
        sections += section(asked, found, files)
        everything += found
        making.tell(asked.key)
    versions = {"python": platform.python_version(), "lama-odds": lama_odds.__version__}
    versions |= {name: version(name) for name in USED}
    manifest = {
        "command": making.command,
        "seed": making["seed"],
        "versions": versions,
        "comparisons": entries,
    }
    making.write(FOLDER + "comparisons.md", page(sections, everything, making.made_by))
    making.write(FOLDER + "manifest.json", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="comparisons",
    what="what the rules change on which books are silent or editions differ",
    make=make,
    writes=(FOLDER,),
    reads=POLICIES,
    options={"scale": 1.0, "seed": 1},
    quick={"scale": 0.001},
)
