"""How much the unknown pairing of the dice changes the answers: all 15, computed.

    .venv/bin/python scripts/dice_pairings.py --games 400000 --seed 1

Writes reports/dice_pairings.md and reports/dice_pairings.csv.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import lama_odds
from lama_odds.analysis.strategy_report.by_game.dice.pairings import Pairing, compare_pairings
from lama_odds.cli.common import note
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.ruleset import DEFAULT_FACES
from lama_odds.games.dice.rules.transition import FULL_ROW

REPORTS = Path(__file__).resolve().parent.parent / "reports"
OPENING = "hand=12345L opp=12346L"
MIDGAME = "hand=25L row=1346L opp=13LL"
POSITIONS = {"opening": OPENING, "midgame": MIDGAME}
SIMULATED = ("threshold:5", "meanfield")
PLAYERS = 4


def row_of(pairing: Pairing) -> dict[str, Any]:
    """A row of the table."""
    row: dict[str, Any] = {
        "faces": pairing.faces,
        "other decisions of 127": pairing.changed,
        "largest change alone": pairing.largest,
    }
    for name, values in pairing.values.items():
        row |= {f"{name} {action}": values[action] for action in ("roll", "quit")}
    for name, played in pairing.played.items():
        row[f"{name} penalty"] = played.penalty.value
        row[f"{name} stderr"] = played.penalty.stderr
        row[f"{name} blown"] = played.blown.value
    return row


def write(rows: list[dict[str, Any]], games: int, seed: int) -> None:
    """The CSV file and the page."""
    with (REPORTS / "dice_pairings.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (REPORTS / "dice_pairings.md").write_text(page(rows, games, seed), encoding="utf-8")


def spread(rows: list[dict[str, Any]], name: str) -> str:
    """Smallest and largest of a column."""
    values = [row[name] for row in rows]
    return f"{min(values):.3f} to {max(values):.3f}"


def page(rows: list[dict[str, Any]], games: int, seed: int) -> str:
    """The page, all figures from the rows."""
    shown = ["opening roll", "midgame roll", *(f"{name} penalty" for name in SIMULATED)]
    head = ["faces", "other decisions of 127", "largest change alone", *shown]
    lines = [
        "# What the dice pairing changes",
        "",
        "The rule books do not show the faces of the three dice. Known: each die has two llama "
        "faces and four different numbers, and each number is on two of the three dice. That "
        "leaves 15 pairings; which one is printed on the dice is an assumption "
        f"(default `{DEFAULT_FACES}`).",
        "",
        f"- The last player, one card of each kind he holds, full row, all {FULL_ROW} rows: at "
        f"most {max(row['other decisions of 127'] for row in rows)} decisions (quit or roll) "
        "differ from the default, and no value by more than "
        f"{max(row['largest change alone'] for row in rows):.3f} points (exact).",
        f"- Two players, opening `{OPENING}`: rolling is worth {spread(rows, 'opening roll')} "
        f"points of margin, quitting {spread(rows, 'opening quit')} (exact).",
        f"- Two players, `{MIDGAME}`: rolling {spread(rows, 'midgame roll')}, quitting "
        f"{spread(rows, 'midgame quit')} (exact).",
        *(
            f"- Four players, all `{name}`: {spread(rows, f'{name} penalty')} points per round, "
            f"{spread(rows, f'{name} blown')} of the rounds blown ({games:,} rounds each, "
            f"standard error {rows[0][f'{name} stderr']:.3f} per seat)."
            for name in SIMULATED
        ),
        "",
        "| " + " | ".join(head) + " |",
        "|---|" + "---:|" * (len(head) - 1),
    ]
    for row in rows:
        cells = [f"`{row['faces']}`", str(row["other decisions of 127"])]
        cells += [f"{row[name]:.3f}" for name in head[2:]]
        lines.append("| " + " | ".join(cells) + " |")
    lines += [
        "",
        "All figures: `pairings.csv`. Made by `python scripts/dice_pairings.py "
        f"--games {games} --seed {seed}`, lama-odds {lama_odds.__version__}, rule set dice/amigo.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Compute all 15 and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = compare_pairings(
        GAME,
        GAME.rules("dice/amigo"),
        POSITIONS,
        [GAME.policy(name) for name in SIMULATED],
        PLAYERS,
        args.games,
        args.seed,
        progress=lambda done, of: note(f"pairing {done + 1} of {of}"),
    )
    rows = [row_of(pairing) for pairing in found]
    write(rows, args.games, args.seed)


if __name__ == "__main__":
    main()
