"""How much the unknown pairing of the dice changes the answers: all 15, computed.

    .venv/bin/python scripts/dice_pairings.py --games 400000 --seed 1

Writes reports/dice_pairings.md and reports/dice_pairings.csv.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np

import lama_odds
from lama_odds.analysis.simulate import simulate
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.position import Opponent, Position, mask_counts
from lama_odds.games.dice.ruleset import DEFAULT_FACES, DiceRules, pairings
from lama_odds.games.dice.turn import FULL_ROW

REPORTS = Path(__file__).resolve().parent.parent / "reports"
OPENING = "hand=12345L opp=12346L"
MIDGAME = "hand=25L row=1346L opp=13LL"
SIMULATED = ("threshold:5", "meanfield")


def values_of(text: str, rules: DiceRules, objective: str) -> dict[str, float]:
    """Values of the actions of a solved position."""
    return values_at(GAME.position(rules, text), rules, objective)


def values_at(position: Position, rules: DiceRules, objective: str) -> dict[str, float]:
    """The same of a position."""
    solution = GAME.solve(rules, position, objective, 2)
    assert solution is not None
    return {action.action: action.values[objective].value for action in solution.actions}


def last_player(rules: DiceRules) -> tuple[np.ndarray, np.ndarray]:
    """For the 127 rows of one of each kind, alone with a full row: quit, and roll."""
    quits, rolls = [], []
    for mask in range(1, FULL_ROW + 1):
        # All seven kinds beside a full row cannot be held; the table has it for completeness.
        position = Position(mask_counts(mask), FULL_ROW, (Opponent(None, True, 21),))
        values = values_at(position, rules, "points")
        quits.append(values["quit"])
        rolls.append(values["roll"])
    return np.array(quits), np.array(rolls)


def figures(rules: DiceRules, games: int, seed: int) -> dict[str, Any]:
    """All figures of a pairing."""
    quits, rolls = last_player(rules)
    opening = values_of(OPENING, rules, "margin")
    midgame = values_of(MIDGAME, rules, "margin")
    found: dict[str, Any] = {
        "last_quit": quits,
        "last_roll": rolls,
        "opening roll": opening["roll"],
        "opening quit": opening["quit"],
        "midgame roll": midgame["roll"],
        "midgame quit": midgame["quit"],
    }
    for name in SIMULATED:
        played = simulate(GAME, rules, [GAME.policy(name)] * 4, games, rounds=True, seed=seed)
        seats = [seat["penalty"] for seat in played.seats]
        found[f"{name} penalty"] = sum(s.value for s in seats) / 4
        found[f"{name} stderr"] = sum(s.stderr for s in seats) / 4
        found[f"{name} blown"] = played.table["blown"].value
    return found


def row_of(faces: str, found: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """A row of the table, compared with the default pairing."""
    best, usual = (np.minimum(f["last_quit"], f["last_roll"]) for f in (found, base))
    flips = (found["last_quit"] < found["last_roll"]) != (base["last_quit"] < base["last_roll"])
    row: dict[str, Any] = {"faces": faces, "other decisions of 127": int(flips.sum())}
    row["largest change alone"] = float(np.abs(best - usual).max())
    row |= {name: value for name, value in found.items() if not name.startswith("last_")}
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
        "All figures: `dice_pairings.csv`. Made by `python scripts/dice_pairings.py "
        f"--games {games} --seed {seed}`, lama-odds {lama_odds.__version__}, rule set dice/amigo.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Compute all 15 and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    base = figures(GAME.rules("dice/amigo"), args.games, args.seed)
    rows = []
    for faces in pairings():
        print(faces, flush=True)
        rules = GAME.rules(f"dice/amigo+faces={faces}")
        rows.append(row_of(faces, figures(rules, args.games, args.seed), base))
    write(rows, args.games, args.seed)


if __name__ == "__main__":
    main()
