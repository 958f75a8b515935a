"""Odds: what happens next in a sentence, then a few chances; all of them with -v.

After a record: what the others probably hold, in a sentence and a row for each player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.odds import Odds
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import later, say, say_count
from lama_odds.core.wording import capital, in_percent, listed, number, percent, share_text
from lama_odds.games.interface.chances import chance_words
from lama_odds.games.interface.objectives import ChanceWords, Held, HeldByOthers, OddsInWords
from lama_odds.games.registry import game_of
from lama_odds.report.terminal import Fitted, table

# What the others hold, by what they did in a round: a row for each player, or for each card.

# The chance at random, among the events of `odds`.
AT_RANDOM = "opponent {} playable"
LIKELY = 4  # kinds of a cell that are shown
MADE_OF_CELLS = later("Chances by what each player has taken, kept and thrown away.")
MADE_OF_CARDS = later(
    "Chances of at least one such card, by what each has played, drawn and not played."
)


def others_text(odds: Odds, verbose: bool = False) -> RenderableType:
    """Chances that others can play, and of what each holds; verbose: how they are found too."""
    others = odds.others
    assert others is not None
    shown = percent if verbose else share_text
    if any(player.cells for player in others.players):
        sentence = capital(surest(others))
        rows = cell_rows(others, shown)
        made = say(MADE_OF_CELLS)
    else:
        sentence, rows = finding(odds, others), _held_rows(others, shown)
        made = say(MADE_OF_CARDS)
    parts: list[RenderableType] = [
        Text(odds.about, style="dim"),
        Text(),
        Text(f"▶ {sentence}", "bold"),
        Text(),
        rows,
        Text(),
        Text(made),
    ]
    if verbose:
        notes = (*others.made, *map(_models, others.players))
        return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))
    return Group(*parts, Text(say("More: -v"), style="dim"))


def finding(odds: Odds, others: HeldByOthers) -> str:
    """Chances that others can play now; in brackets what unseen cards alone would tell."""
    clauses: list[str] = []
    for player in others.players:
        if player.can_play is None:
            continue
        even = odds.events.get(AT_RANDOM.format(player.opponent))
        clauses.append(_can_play(player, even, first=not clauses))
    return capital(f"{listed(clauses)}.") if clauses else say("Everybody else has quit.")


def _can_play(player: Held, even: Estimate | None, first: bool) -> str:
    """The chance that a player can play, a part of a list; even: at random, if that is known."""
    assert player.can_play is not None
    values = {"player": who(player), "chance": share_text(player.can_play)}
    if even is None:
        if first:
            return say("{player} can play now with {chance}", **values)
        return say("{player} with {chance}", **values)
    values["random"] = share_text(even)
    if first:
        return say("{player} can play now with {chance} ({random} at random)", **values)
    return say("{player} with {chance} ({random})", **values)


PLACES = (
    *("", later("the player to your left"), later("the 2nd player to your left")),
    later("the 3rd player to your left"),
)


def who(player: Held) -> str:
    """A player, seen from you."""
    at = player.opponent
    if at < len(PLACES):
        return say(PLACES[at])
    return say("the {n}th player to your left", n=at)


def _models(player: Held) -> str:
    """What a player plays like, in words."""
    known = sorted(player.models.items(), key=lambda one: -one[1])
    shares = [
        f"{name} {in_percent(f'{100 * share:.0f}')}" for name, share in known if share >= 0.005
    ]
    return say("{player} plays like: {policies}", player=who(player), policies=", ".join(shares))


def _held_rows(others: HeldByOthers, shown: Callable[[Estimate], str]) -> Fitted:
    """A row for each player: the cards held, and the chance of each kind."""
    kinds = list(others.players[0].holds)
    rows = []
    for player in others.players:
        cards = say_count("{n} card", "{n} cards", player.cards)
        if player.quit:
            cards = say("{cards} (quit)", cards=cards)
        plays = "" if player.can_play is None else shown(player.can_play)
        chances = (shown(player.holds[kind]) for kind in kinds)
        rows.append((capital(who(player)), cards, plays, *chances))
    return Fitted(("", say("holds"), say("can play"), *kinds), tuple(rows), left=(0, 1))


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
    words = {"player": who(player), "card": kind, "cell": cell, "chance": shown}
    if chance < 0.5:
        return say(
            "No known card is likely. The likeliest: {player} has {card} in {cell}, {chance}.",
            **words,
        )
    return say("{player} probably has {card} in {cell}: {chance}.", **words)


def cell_rows(others: HeldByOthers, shown: Callable[[Estimate], str]) -> Fitted:
    """The likeliest kinds of each card."""
    rows = []
    for player in others.players:
        for cell, chances in player.cells.items():
            likely = sorted(chances.items(), key=lambda one: -one[1].value)[:LIKELY]
            kinds = ", ".join(f"{kind} {shown(chance)}" for kind, chance in likely)
            rows.append((capital(who(player)), cell, kinds))
    return Fitted(("", say("row, column"), say("probably")), tuple(rows), left=(0, 1, 2))


WITHOUT_PAST = later("What happens next, unseen cards being as likely as any others:")
NO_LUCK = later("Nothing here is left to chance: there is no draw or roll to come.")


def odds_text(odds: Odds, verbose: bool = False) -> RenderableType:
    """What happens next, and the chances it is made of; verbose: every chance, and groups.

    After a record: what the others hold; verbose: and what happens next.
    """
    if odds.others is not None:
        held = others_text(odds, verbose)
        return Group(held, Text(), Text(say(WITHOUT_PAST)), _all(odds)) if verbose else held
    in_words = odds.in_words
    head = Text(odds.about or _head(odds), style="dim")
    if not odds.events:
        return Group(head, Text(), Text(say(NO_LUCK)))
    if verbose or in_words is None:
        return _all(odds)
    parts: list[RenderableType] = [head, Text(), Text(f"▶ {in_words.finding}", "bold")]
    if in_words.rows:
        parts += [Text(), _rows(in_words)]
    parts += [Text(), *map(Text, in_words.lines)]
    return Group(*parts, Text(say("Exact. More: -v"), style="dim"))


def _head(odds: Odds) -> str:
    return f"{titled(odds)}   {odds.position or 'deal'}"


def _rows(in_words: OddsInWords) -> Fitted:
    rows = (
        tuple(cell if isinstance(cell, str) else share_text(exact(cell)) for cell in row)
        for row in in_words.rows
    )
    return Fitted(in_words.heads, tuple(rows))


def _all(odds: Odds) -> RenderableType:
    """Every chance by name, means first."""
    rows = [
        (chance_words(name), number(chance) if name.startswith("mean ") else percent(chance))
        for name, chance in without_alike(game_of(odds.rules).chances, odds.events)
    ]
    parts: list[RenderableType] = [Text(_head(odds), style="dim")]
    if odds.in_words is not None:
        parts += [Text(), Text(f"▶ {odds.in_words.finding}", "bold"), Text()]
    parts.append(table(["", say("chance")], rows))
    if odds.groups:
        names = list(next(iter(odds.groups.values())))
        groups = (
            [name, *(percent(group[name]) for group in odds.groups.values())] for name in names
        )
        parts += [Text(), table(["", *map(chance_words, odds.groups)], groups)]
    notes = (say("exact"), *odds.assumptions)
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def without_alike(
    words: ChanceWords, chances: Mapping[str, Estimate]
) -> Iterator[tuple[str, Estimate]]:
    """Chances without duplicates under another name."""
    left_out = {
        first
        for first, second in words.alike
        if first in chances and second in chances and chances[first] == chances[second]
    }
    yield from ((name, chance) for name, chance in chances.items() if name not in left_out)
