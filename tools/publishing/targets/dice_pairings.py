"""How much the unknown pairing of the dice changes the answers: all 15, computed."""

from __future__ import annotations

from typing import Any

from lama_odds.analysis.strategy_report.by_game.dice.pairings import (
    Pairing,
    Rounds,
    compare_pairings,
)
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.ruleset import DEFAULT_FACES
from lama_odds.games.dice.rules.transition import FULL_ROW
from tools.publishing.target import Making, Target

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


def spread(rows: list[dict[str, Any]], name: str, scale: int = 1) -> str:
    """Smallest and largest of a column; scale: 100 for per cent."""
    values = [scale * row[name] for row in rows]
    digits = 3 if scale == 1 else 1
    return f"{min(values):.{digits}f} to {max(values):.{digits}f}"


def page(rows: list[dict[str, Any]], games: int, made_by: str) -> str:
    """The page, all figures from the rows."""
    shown = ["opening roll", "midgame roll", *(f"{name} penalty" for name in SIMULATED)]
    head = ["faces", "other decisions of 127", "largest change alone", *shown]
    lines = [
        "# What the dice pairing changes",
        "",
        "The rule books do not show the faces of the three dice. Each die has two llama faces and "
        "four different numbers, and each number is on two of the three dice. That leaves 15 "
        "pairings. Which one is printed on the dice is an assumption "
        f"(default `{DEFAULT_FACES}`).",
        "",
        f"- The last player holds one card each of some kinds, and the row is full ({FULL_ROW} "
        f"cases). In at most {max(row['other decisions of 127'] for row in rows)} of them the "
        "decision (quit or roll) differs from the default. No value differs by more than "
        f"{max(row['largest change alone'] for row in rows):.3f} points (exact).",
        f"- Two players, opening `{OPENING}`: rolling is worth {spread(rows, 'opening roll')} "
        f"points vs. others, quitting {spread(rows, 'opening quit')} (exact).",
        f"- Two players, `{MIDGAME}`: rolling is worth {spread(rows, 'midgame roll')}, quitting "
        f"{spread(rows, 'midgame quit')} (exact).",
        *(
            f"- Four players who all play `{name}`: a round costs "
            f"{spread(rows, f'{name} penalty')} points per player, and "
            f"{spread(rows, f'{name} blown', 100)} % of rounds are blown ({games:,} rounds each, "
            f"standard error {rows[0][f'{name} stderr']:.3f} points)."
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
        f"All numbers are in `dice_pairings.csv`. Made by {made_by}, rule set dice/amigo.",
    ]
    return "\n".join(lines) + "\n"


def make(making: Making) -> None:
    """Compute all 15 and write them."""
    game: Any = GAME
    found = compare_pairings(
        game,
        GAME.rules("dice/amigo"),
        POSITIONS,
        [GAME.policy(name) for name in SIMULATED],
        Rounds(PLAYERS, making["games"], making["seed"]),
        progress=lambda done, of: making.tell(f"{done} of {of} pairings"),
    )
    rows = [row_of(pairing) for pairing in found]
    values = [list(row.values()) for row in rows]
    making.write_rows("reports/dice_pairings.csv", [list(rows[0]), *values])
    making.write("reports/dice_pairings.md", page(rows, making["games"], making.made_by))


TARGET = Target(
    name="dice-pairings",
    what="how much the unknown pairing of the dice changes",
    make=make,
    writes=("reports/dice_pairings.md", "reports/dice_pairings.csv"),
    reads=("data/dice/",),
    options={"games": 400_000, "seed": 1},
    quick={"games": 2_000},
)
