"""What the others hold, by what they did in a round: a row for each player, or for each card."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.odds import Odds
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.solution import Held, HeldByOthers
from lama_odds.report.terminal.fitted import Fitted
from lama_odds.report.text.answers import percent, sentence
from lama_odds.report.text.numbers import listed, share_text

# The chance at random, among the events of `odds`.
AT_RANDOM = "opponent {} playable"
LIKELY = 4  # kinds of a cell that are shown
MADE_OF_CELLS = "Chances by what each player has taken, kept and thrown away."


def others_text(odds: Odds, verbose: bool = False) -> RenderableType:
    """Chances that others can play, and of what each holds; verbose: how they are found too."""
    others = odds.others
    assert others is not None
    shown = percent if verbose else share_text
    if any(player.cells for player in others.players):
        found = sentence(surest(others))
        rows = cell_rows(others, shown)
        made = MADE_OF_CELLS
    else:
        found, rows = finding(odds, others), _held_rows(others, shown)
        made = "Chances of at least one such card, by what each has played, drawn and not played."
    parts: list[RenderableType] = [
        Text(odds.about, style="dim"),
        Text(),
        Text(f"▶ {found}", "bold"),
        Text(),
        rows,
        Text(),
        Text(made),
    ]
    if verbose:
        notes = (*others.made, *map(_models, others.players))
        return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))
    return Group(*parts, Text("More: -v", style="dim"))


def finding(odds: Odds, others: HeldByOthers) -> str:
    """Chances that others can play now; in brackets what unseen cards alone would tell."""
    told: list[str] = []
    for player in others.players:
        if player.can_play is None:
            continue
        even = odds.events.get(AT_RANDOM.format(player.opponent))
        alone = "" if even is None else f" ({share_text(even)}{' at random' * (not told)})"
        verb = "" if told else "can play now "
        told.append(f"{who(player)} {verb}with {share_text(player.can_play)}{alone}")
    return sentence(f"{listed(told)}.") if told else "Everybody else has quit."


def who(player: Held) -> str:
    """A player, seen from you."""
    at = player.opponent
    ordinal = {2: "2nd ", 3: "3rd "}.get(at, f"{at}th ")
    return f"the {ordinal if at > 1 else ''}player to your left"


def _models(player: Held) -> str:
    """What a player plays like, in words."""
    known = sorted(player.models.items(), key=lambda one: -one[1])
    shares = (f"{name} {100 * share:.0f} %" for name, share in known if share >= 0.005)
    return f"{who(player)} plays like: {', '.join(shares)}"


def _held_rows(others: HeldByOthers, shown: Callable[[Estimate], str]) -> Fitted:
    """A row for each player: the cards held, and the chance of each kind."""
    kinds = list(others.players[0].holds)
    rows = []
    for player in others.players:
        cards = f"{player.cards} card{'s' * (player.cards != 1)}{' (quit)' * player.quit}"
        plays = "" if player.can_play is None else shown(player.can_play)
        chances = (shown(player.holds[kind]) for kind in kinds)
        rows.append((sentence(who(player)), cards, plays, *chances))
    return Fitted(("", "holds", "can play", *kinds), tuple(rows), left=(0, 1))


def surest(others: HeldByOthers) -> str:
    """The card that is known best, in a sentence."""
    every = [
        (chance.value, player, cell, kind)
        for player in others.players
        for cell, chances in player.cells.items()
        for kind, chance in chances.items()
    ]
    chance, player, cell, kind = max(every, key=lambda one: one[0])
    shown = share_text(player.cells[cell][kind])
    if chance < 0.5:
        return (
            f"No known card is likely. The likeliest: {who(player)} has {kind} in {cell}, {shown}."
        )
    return f"{who(player)} probably has {kind} in {cell}: {shown}."


def cell_rows(others: HeldByOthers, shown: Callable[[Estimate], str]) -> Fitted:
    """The likeliest kinds of each card."""
    rows = tuple(
        (sentence(who(player)), cell, ", ".join(_likeliest(chances, shown)[:LIKELY]))
        for player in others.players
        for cell, chances in player.cells.items()
    )
    return Fitted(("", "row, column", "probably"), rows, left=(0, 1, 2))


def _likeliest(chances: Mapping[str, Estimate], shown: Callable[[Estimate], str]) -> list[str]:
    """Kinds with their chances, the likeliest first."""
    sure = sorted(chances.items(), key=lambda one: -one[1].value)
    return [f"{kind} {shown(chance)}" for kind, chance in sure]
