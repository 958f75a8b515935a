"""How a screen shows Pikomino played along: situations, chances, practice games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say
from lama_odds.core.wording import capital, in_percent, share_text
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.interface.objectives import OddsInWords
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.shared.in_words import other_player, score_text, spaced, word_of

# How a screen shows Pikomino played along.


def holds(position: Any, at: int) -> str:
    """Return the top tile of a player."""
    stack = position.stacks[at]
    return say("tile {tile} of {n}", tile=stack[-1], n=len(stack)) if stack else say("no tile")


def hand(rules: Any, position: Any) -> str:
    """Return the dice kept and rolled."""
    kept, rolled = word_of(position, "kept"), word_of(position, "rolled")
    total = rules.total(position.kept)
    parts = [say("you keep {dice} = {total}", dice=kept, total=total)] * bool(kept)
    parts += [say("you rolled {dice}", dice=rolled)] * bool(rolled)
    return capital(", ".join(parts) or say("your turn"))


def in_words(rules: Any, position: Any) -> str:
    """Return the dice kept and rolled, in words."""
    kept, rolled = word_of(position, "kept"), word_of(position, "rolled")
    parts = []
    if kept:
        total = rules.total(position.kept)
        parts.append(say("kept {dice} = {total}", dice=spaced(kept), total=total))
    if rolled:
        parts.append(say("rolled {dice}", dice=spaced(rolled)))
    return " · ".join(parts) or say("your turn begins")


ON_SCREEN = OnScreen(
    against=(
        ("r", later("roll")),
        ("kW", later("keep W: all worms rolled")),
        ("s27", later("stop 27: take the tile from the centre")),
        ("t27", later("steal 27 from another player")),
    ),
    table=(
        ("r1124444W k4", later("rolls and keeps the fours")),
        ("s27", later("stops and takes tile 27")),
        ("t27", later("steals tile 27")),
        ("27, bust", later("the result alone: takes or steals tile 27, goes bust")),
    ),
    middle={"centre": later("centre")},
    holds=holds,
    score=score_text,
    hand=hand,
    unit=lambda rules: "worms",
    tie_break=later("the highest tile"),
    told={
        "bust": later("bust"),
        "steal": later("steal {what}"),
        "returns": later("{what} goes back"),
        "flips": later("{what} is turned over"),
    },
    aimed=("steal",),
)


# What can become of a turn of Pikomino, in a few lines.

MOST = 6  # ends of the turn in the table
BUST = "turn bust"
RARE = 0.005  # would be shown as 0 %


def odds_in_words(
    rules: PikominoRules, position: Position | None, chances: Mapping[str, Estimate]
) -> OddsInWords | None:
    """How the best turn ends, most likely ends first."""
    if position is None or BUST not in chances:
        return None
    del rules
    ends = {name: e.value for name, e in chances.items() if name.startswith(("stop", "steal"))}
    if not ends:
        return OddsInWords(say("The turn is bust, whatever you do."))
    likely = sorted(ends, key=lambda name: -ends[name])
    finding = say("Played for worms, the turn takes a tile with {chance}.", chance=_sum(ends))
    if "bust" in chances:
        finding += f" {_next_bust(chances['bust'])}"
    rows: list[tuple[str | float, ...]] = [(_end(name), ends[name]) for name in likely[:MOST]]
    if likely[MOST:]:
        others = say("one of {n} others", n=len(likely) - MOST)
        rows.append((others, sum(ends[n] for n in likely[MOST:])))
    rows.append((say("bust"), chances[BUST].value))
    return OddsInWords(finding, (say("the turn ends with"), say("chance")), tuple(rows))


def _next_bust(chance: Estimate) -> str:
    """How often the next roll busts, in a sentence."""
    if chance.value < RARE:
        return say("The next roll hardly ever busts.")
    return say("The next roll busts with {chance}.", chance=share_text(chance))


def _sum(ends: Mapping[str, float]) -> str:
    return in_percent(f"{100 * sum(ends.values()):.0f}")


def _end(name: str) -> str:
    """An end of the turn as one would say it."""
    words = name.split()
    if words[0] == "steal":
        player = other_player(int(words[3]))
        return say("tile {tile}, from {player}", tile=words[1], player=player)
    return say("tile {tile}", tile=words[1])


# Small positions of Pikomino for practice: the solved ones and those in between.


def practice(players: int) -> Sequence[str]:
    """Return positions with one tile to take and with few in play; after a roll and before it."""
    stacks = "/".join(["21", *["-"] * (players - 1)])
    few = "/".join(["21", "22", *["-"] * (players - 2)])
    return [
        *(f"kept=44W stacks={stacks}{end}" for end in ("", " rolled=12345")),
        *(f"kept=44W centre=25,26 stacks={few}{end}" for end in ("", " rolled=12345")),
    ]
