"""The page of the record format, with a simulated record of each game."""

from __future__ import annotations

from lama_odds.games.interface.game import AnyGame
from tools.publishing.reference.games import games, title_of
from tools.publishing.reference.markdown import page, table

INTRO = """A record is a round or a game as text, one statement a line. `play` keeps one of each
game, and `simulate --show` prints some. `review` grades it, and `advise --after` answers at its
end.

A record may stop anywhere in a round. Empty lines and lines that begin with `#` are skipped. `?`
stands for what the writer does not see. Seats count from 0.

The first round may begin with any scores, or llamas: then a game under way was joined.

`play --objective points` writes `# objective points`. Only `play --resume` reads that."""
STATEMENTS = (
    ("`lama-odds record 1`", "The first line of every record."),
    ("`rules RULES`", "The rule set."),
    ("`players N`", "The number of players."),
    ("`policies P …`", "The policies of a simulated game, one a seat. Optional."),
    ("`luck SEED GAME`", "Where the random draws of a simulated game come from. Optional."),
    ("`names NAME …`", "The players of a table, `-` for none. Optional."),
    ("`round R first SEAT`", "A round begins. Games without rounds have none."),
    ("`scores S …`", "Points in tokens before the round, by seat."),
    ("`pot T …`", "The tokens on the drama pot, least first: their order does not matter."),
    ("`deal …`, `top CARD`", "What is dealt and opened, as the game writes it."),
    ("`SEAT MOVE …`", "A turn: the seat, its moves, and what they bring."),
    (
        "`SEAT RESULT`",
        "A turn whose dice nobody wrote down. Pickomino: `stop 25`, `steal 24` or `bust`. "
        "Lama Dice: `discard 14`, `take 3` or `blown`. Its decisions are not graded.",
    ),
    (
        "`stands POSITION`",
        "From here on all is as a [position](../howto/play.md#put-it-right) says, and `me` acts.",
    ),
    ("`end HOW`", "The round is over."),
    ("`penalties P …`", "What the round costs each seat."),
    ("`final S …`", "The scores at the end of the game."),
)
# A short round or game of each game: rule set, policies, seed.
EXAMPLES = {
    "lama": ("lama/amigo", ("matching:4", "threshold:12", "random"), 7),
    "dice": ("dice/amigo", ("threshold:5", "threshold:12", "random"), 4),
    "pikomino": ("pikomino/egmont", ("first-tile", "first-tile"), 52),
    "noprob": ("noprob/starnberger", ("greedy", "random"), 4),
}
MOST_LINES = 16


def records_page() -> str:
    """The format, and an example of each game."""
    parts = [part for game in games() for part in (f"## {title_of(game)}", _example(game))]
    return page(
        "Record format",
        INTRO,
        "## Statements",
        table(("statement", "meaning"), STATEMENTS),
        *parts,
    )


def _example(game: AnyGame) -> str:
    rules_id, names, seed = EXAMPLES[game.name]
    rules = game.rules(rules_id)
    policies = [game.policy(name) for name in names]
    text = game.record(rules, policies, seed, 0, game.has_rounds).strip()
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], "…"]
    return "```text\n" + "\n".join(lines) + "\n```"
