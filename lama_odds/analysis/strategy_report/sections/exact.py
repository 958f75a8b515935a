"""Exact sections of cards and dice: the last player left, and the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.core.estimate import Estimate
from lama_odds.core.wording import listed
from lama_odds.games.interface.objectives import ThresholdTable

LOW_KINDS, HIGH_KINDS = "123", "456L"
POINTS_OF_LLAMA = 10
# What is dealt, in words; and the means of it.
DEALT = {"penalty": "penalty points", "kinds": "different cards"}
MEANS = {
    "mean penalty": "penalty points",
    "mean kinds": "different cards",
    "mean llamas": "llamas",
    "mean points of a card": "points",
}


def last_player_section(table: ThresholdTable) -> doc.Section:
    """Roll or quit for every row of one card each, as a map."""
    cells = {
        row["cards"]: (row["roll"].value - row["quit"].value, str(row["penalty"]))
        for row in table.rows
    }
    figure = map_of_kinds(
        "last_player",
        _boundary(table).partition(". In between")[0].removesuffix(".") + ".",
        _boundary(table),
        "held",
        cells,
        ("roll", "quit"),
        "what rolling costs, points (below 0: what quitting costs)",
        12.0,
    )
    columns = doc.columns_of(
        "cards|text", "penalty", "quit", "roll", "better|text", "go out|share", "blow it|share"
    )
    rows = tuple(tuple(row.values()) for row in table.rows)
    return doc.Section(
        "last_player",
        "The last player left",
        doc.EXACT,
        "All rolls to come, with best play. The llama row is full and all others have quit.",
        headlines=(_boundary(table),),
        text=(
            "You hold one card of each kind, since only the kinds count. Each field shows what "
            "quitting costs you. The line separates quitting from rolling.",
        ),
        figures=(figure,),
        tables=(doc.Table("last_player", table.title, columns, rows, long=True),),
        story=("last_player",),
    )


def map_of_kinds(
    name: str,
    title: str,
    about: str,
    where: str,
    cells: Mapping[str, tuple[float, str]],
    sides: tuple[str, str],
    unit: str,
    limit: float,
) -> doc.HeatMap:
    """A map of all sets of kinds, the empty one aside: a value and a text for each.

    about: what it shows, in a sentence; where: what the cards are, say held; sides, unit and limit
    as in `HeatMap`.
    """
    across, down = _subsets(LOW_KINDS), _subsets(HIGH_KINDS)
    nothing: tuple[float | None, str] = (None, "")
    lines = [[cells.get(low + high, nothing) for low in across] for high in down]
    return doc.HeatMap(
        name,
        title,
        "A map of all 127 sets of different cards: columns by the cards 1, 2 and 3, rows by 4, 5, "
        f"6 and llama (L). {about}",
        f"1, 2 and 3 {where}",
        f"4, 5, 6 and llama (L) {where}",
        tuple(low or "none" for low in across),
        tuple(high or "none" for high in down),
        tuple(tuple(value for value, _ in line) for line in lines),
        tuple(tuple(text for _, text in line) for line in lines),
        *sides,
        unit,
        limit,
    )


def _subsets(kinds: str) -> list[str]:
    """All subsets of some kinds, the cheaper first."""
    subsets = [""]
    for kind in kinds:
        subsets += [cards + kind for cards in subsets]

    def points(cards: str) -> int:
        return sum(POINTS_OF_LLAMA if card == "L" else int(card) for card in cards)

    return sorted(subsets, key=lambda cards: (points(cards), len(cards)))


def _boundary(table: ThresholdTable) -> str:
    """In a sentence: up to which penalty to quit, from which on to roll."""
    quits = [row["penalty"] for row in table.rows if row["better"] == "quit"]
    rolls = [row["penalty"] for row in table.rows if row["better"] == "roll"]
    if not quits or not rolls:
        return f"As the last player still in, always {'quit' if quits else 'roll'}."
    sure_quit = min(rolls) - 1
    sure_roll = max(quits) + 1
    between = [row for row in table.rows if sure_quit < row["penalty"] < sure_roll]
    part = sum(row["better"] == "roll" for row in between)
    text = (
        f"As the last player still in, with the llama row full, quit with {sure_quit} points or "
        f"less and roll with {sure_roll} or more."
    )
    if between:
        text += (
            f" In between it depends on your cards: rolling is right for {part} of {len(between)} "
            "sets."
        )
    return text


def deal_section(ask: doc.Ask) -> doc.Section:
    """Chances of the deal."""
    chances = ask.game.deal_odds(ask.rules)
    groups: dict[str, list[tuple[str, Estimate]]] = {}
    for name, chance in chances.items():
        group, _, value = name.rpartition(" ")
        if not name.startswith("mean "):
            groups.setdefault(group, []).append((value, chance))
    means = {name: e for name, e in chances.items() if name.startswith("mean ")}
    bars = (
        doc.Bars(
            f"deal_{group or 'cards'}",
            "",
            f"Bars of the chance of each value: {DEALT.get(group, group) or 'a card'}.",
            DEALT.get(group, group) or "card",
            "chance",
            tuple(value for value, _ in pairs),
            tuple(e.value for _, e in pairs),
        )
        for group, pairs in groups.items()
        if group in ("", "penalty", "llamas")
    )
    often = "The most frequent number of {} is {{value}}: {{share}} % of hands."
    card = "The most frequent card is {value}: {share} % of the deck."
    figures = tuple(
        replace(b, title=titles.of_mode(b, often.format(b.x_label) if "" not in groups else card))
        for b in bars
    )
    text = listed([f"{e.value:.2f} {MEANS[name]}" for name, e in means.items() if name in MEANS])
    rows = tuple((name, e) for name, e in chances.items() if not name.startswith("mean "))
    title = "Chances of the deal"
    return doc.Section(
        "deal",
        "The deal" if len(groups) > 1 else "The deck",
        doc.EXACT,
        "All cards of the deck, every hand counted.",
        findings=(f"{'A hand' if len(groups) > 1 else 'A card'} has {text} on average.",)
        if text
        else (),
        figures=figures,
        tables=(doc.Table("deal", title, doc.columns_of("what|text", "chance|share"), rows, True),),
    )
