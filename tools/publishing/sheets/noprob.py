"""The sheet of No Prob-Lama: when to end the round, where to put a card."""

from __future__ import annotations

from collections.abc import Iterator

from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.solution import ThresholdTable
from tools.publishing.reference.markdown import table
from tools.publishing.sheets.limits import Played, by_key, by_objectives

RULES, PLAYERS = "noprob/starnberger", 4
# Where a card drawn may go: all other places cost something, whatever the card.
PLACES = {
    "completes a line": "a card, and completes a line",
    "face down": "an unknown card, face down",
    "10": "a 10, face up",
    "breaks a line": "a card of a finished line",
}


def parts(played: Played) -> Iterator[str]:
    """The sheet, part by part."""
    yield "## End the round?"
    yield (
        "Your lead is how far your expected total is below the lowest of the others'. With one "
        "card face down and a card that fits there, end the round from this lead on. Only the "
        "lowest total wins a llama, so the round counts more than points:"
    )
    heads = {"round lost": "end from a lead of, to win the round", "points": "for few points"}
    yield by_objectives(played, {(RULES, name): head for name, head in heads.items()})
    found = played.thresholds(RULES, PLAYERS)
    limits = by_key(found, "down", "fewest cards face down", "end from")
    if limits:
        yield (
            f"With {PLAYERS} players and for few points, by the fewest face-down cards of another "
            "player:"
        )
        yield limits
    tables = {each.name: each for each in found.tables}
    if "replacements" in tables:
        yield "## You drew a card: where does it go?"
        yield (
            "What it changes in your points to put the card there, against its best other use. "
            "Below 0 is good. *≈* is a toss-up."
        )
        yield _replacements(tables["replacements"])
    if "gifts" in tables:
        yield "## Whom to give a Drama or a Karma?"
        yield "What the gift changes in your points minus the mean of the others'; below 0 is good:"
        yield _gifts(tables["gifts"])


def _replacements(found: ThresholdTable) -> str:
    cards = list(dict.fromkeys(row["card"] for row in found.rows))
    values = {(row["replaces"], row["card"]): row["points"] for row in found.rows}
    rows = [
        [told, *(_effect(values.get((place, card))) for card in cards)]
        for place, told in PLACES.items()
    ]
    return table(("it replaces", *cards), rows)


def _gifts(found: ThresholdTable) -> str:
    names = {"D": "Drama", "K": "Karma"}
    rows = [row for row in found.rows if row["against"] == "nobody" and "total" in row["to"]]
    to = list(dict.fromkeys(row["to"] for row in rows))
    values = {(row["card"], row["to"]): row["margin"] for row in rows}
    lines = [[names[card], *(_effect(values.get((card, whom))) for whom in to)] for card in names]
    return table(("to the player with the", *to), lines)


def _effect(found: Estimate | None) -> str:
    if found is None:
        return "–"
    shown = f"{found.value:+.1f}".replace("-", "−")
    return f"≈ {shown}" if found.low <= 0 <= found.high else shown
