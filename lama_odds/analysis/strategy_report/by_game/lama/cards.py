"""The section on cards in hand: what a llama, a duplicate, a chain is worth, which card goes first.

Each figure is the mean of differences in points, situation by situation. The same round of
self-play is played to its end with two hands, or with two first cards; the cards to come are the
same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.strategy_report.by_game.lama import chains
from lama_odds.analysis.thresholds.answer import NOT_KNOWN, TOSS_UP, small
from lama_odds.core.estimate import Estimate
from lama_odds.core.progress import Progress
from lama_odds.core.wording import capital
from lama_odds.games.interface.jobs import HandStudies
from lama_odds.games.interface.objectives import POINTS
from lama_odds.simulation.run import Played, run

# Rounds for each game of other sections: for the number of players of the report, and for others.
PART, OTHERS_PART = 2.0, 0.5
COPIES = ("first of its value", "second", "third or more")
DEAREST, LOWER = "6", "5"  # numbers of which titles speak
BY_CARDS = ("1", "3", "6", "L")  # cards with a curve by the number of cards in hand


def cards_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section:
    """What cards in hand are worth, and which to play first."""
    played: dict[int, Played] = {}
    by_players: dict[int, chains.Studied] = {}
    numbers = [ask.players, *(n for n in ask.rules.players if n != ask.players)]
    rounds = [round((OTHERS_PART if at else PART) * ask.games) for at in range(len(numbers))]
    for at, players in enumerate(numbers):
        studies = _studies(ask, players)
        tell = _told(progress, sum(rounds[:at]), sum(rounds))
        sample = run(studies.job, ask.seed, rounds[at], threads=ask.threads, progress=tell)
        played[players], by_players[players] = sample, chains.Studied(studies, sample.tally)
        if sample.interrupted:
            break
    studied = by_players[ask.players]
    return doc.Section(
        "cards",
        "What cards in hand are worth",
        doc.SAMPLED,
        _basis(ask, played, studied),
        headlines=tuple(chains.headlines(studied)),
        findings=tuple(chains.findings(studied, by_players)),
        text=_text(studied),
        figures=_figures(studied, by_players),
        tables=(
            _values_table(studied),
            _first_table(studied),
            chains.players_table(by_players),
            _cards_table(studied),
            chains.hands_table(studied),
        ),
        games=sum(sample.games for sample in played.values()),
        interrupted=any(sample.interrupted for sample in played.values()),
        story=("card_values", "which_first"),
    )


def _studies(ask: doc.Ask, players: int) -> HandStudies:
    """The studies of a number of players who all play for points."""
    policy = ask.game.best_policy(ask.rules, players, "points")
    studies = ask.game.hand_studies(ask.rules, [policy] * players)
    assert studies is not None, "the plan asks only games that have them"
    return studies


def _told(progress: Progress | None, before: int, of: int) -> Progress | None:
    """Progress of one of several runs."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, of)


def _basis(ask: doc.Ask, played: Mapping[int, Played], studied: chains.Studied) -> str:
    """How it was made, in words."""
    situations = max((e.n for c in studied.cards if (e := studied.row({"card": c}))), default=0)
    others = [n for n in played if n != ask.players]
    sentence = (
        f" Other numbers of players: {played[others[0]].games:,} rounds each." if others else ""
    )
    return (
        f"{played[ask.players].games:,} first rounds of {ask.players} players, in which "
        f"{doc.all_play(ask, 'points')}. In each round one decision is chosen at random. In "
        f"{situations:,} of them there is a card to draw and another player still in. Then the "
        "round is also played to its end with other hands and the same cards to come."
        f"{sentence}"
    )


def _text(studied: chains.Studied) -> tuple[str, ...]:
    """What is counted, in words."""
    pink = ", the pink llama all of them" if "P" in studied.cards else ""
    return (
        "Points are your own at the end of the round. One card more comes out of the pile. What it "
        "costs is the difference to playing on without it. Other hands, all of different values, "
        "replace a hand of as many cards.",
        f"A top is the value on the discard pile: a card fits two of the seven{pink}.",
    )


def _figures(
    studied: chains.Studied, by_players: Mapping[int, chains.Studied]
) -> tuple[doc.Figure, ...]:
    """All figures on which there is anything."""
    figures: list[doc.Figure] = [_values_figure(studied), _by_cards(studied)]
    figures += [
        chains.spots_of(studied, h)
        for h in studied.studies.hands
        if studied.situations(h) >= chains.FEWEST
    ]
    figures += [
        chains.pairs_figure(studied),
        chains.players_figure(by_players),
        _first_figure(studied),
    ]
    return tuple(figure for figure in figures if _drawn(figure))


def _drawn(figure: doc.Figure) -> bool:
    """Whether there is anything on a figure."""
    if isinstance(figure, doc.Beside):
        return bool(figure.parts)
    if isinstance(figure, doc.Curves):
        return bool(figure.lines)
    return not isinstance(figure, doc.Dots) or bool(figure.dots)


def _dots(cells: list[tuple[str, str, Estimate | None]]) -> tuple[doc.Dot, ...]:
    """Dots of estimates by label and group, those that are known."""
    return tuple(doc.dot_of(label, e, group) for label, group, e in cells if e is not None)


def _values_figure(studied: chains.Studied) -> doc.Dots:
    """What a card more costs, by the copies of its value held."""
    dots = _dots(
        [
            (card, name, studied.row({"card": card, "copies": copies}))
            for copies, name in enumerate(COPIES)
            for card in studied.cards
        ]
    )
    text = "; ".join(f"{d.label}, {d.group}: {d.value:.1f}" for d in dots)
    figure = doc.Dots(
        "card_values",
        "",
        f"Points that one card more costs, by the copies of its value that you hold: {text}.",
        "points this round that it costs",
        dots,
        reference=0.0,
        reference_name="nothing",
    )
    first, second, _ = COPIES
    finding = titles.of_copies(figure, DEAREST, first, second)
    other = dots and titles.of_most(figure, "One more {label}{group} costs most: {value} points.")
    return replace(figure, title=finding or other or "")


def _by_cards(studied: chains.Studied) -> doc.Beside:
    """The same by the number of cards in hand: a part for each of some cards."""
    most = max(row.get("cards", 0) for row in studied.studies.rows)
    parts = []
    for card in (card for card in BY_CARDS if card in studied.cards):
        lines = []
        for first, name in ((True, "the first"), (False, "another")):
            keys = {"card": card, "first": first}
            cells = [(x, studied.row({**keys, "cards": x})) for x in range(1, most + 1)]
            points = [(float(x), e) for x, e in cells if e is not None]
            if len(points) > 1:
                lines.append(doc.line_of(name, points))
        if lines:
            label = f"cards you hold without it ({most}: or more)"
            title = f"a {card}" if card != "L" else "a llama"
            parts.append(
                doc.Curves(
                    f"card_values_{card}",
                    title,
                    f"Curves of {title}.",
                    label,
                    "what it costs,\npoints",
                    tuple(lines),
                    zero=("it helps you", "it costs you"),
                )
            )
    text = "; ".join(
        f"{part.title}, {line.label}: {line.y[0]:.1f} with {line.x[0]:.0f} card in hand, "
        f"{line.y[-1]:.1f} with {line.x[-1]:.0f}"
        for part in parts
        for line in part.lines
    )
    return doc.Beside(
        "card_values_by_cards",
        titles.of_ends(
            parts[-1].lines[0],
            f"{capital(parts[-1].title)} costs {{at_first}} points beside {{first}} card in hand "
            "and {at_last} beside {last}.",
            1,
        )
        if parts
        else "",
        f"A figure for each of some cards, with curves for the first of its value and for another. "
        f"{text}.",
        tuple(parts),
    )


def _first_figure(studied: chains.Studied) -> doc.Dots:
    """Two cards fit: what playing the next value first costs more."""
    cells = [
        (f"top {top}: {after} before {top}", name, chains.next_first(studied, top, after, few))
        for few, name in (
            (True, f"you hold {chains.FEW} cards or fewer"),
            (False, f"you hold {chains.FEW + 1} or more"),
        )
        for top, after in chains.tops_of(studied)
    ]
    dots = _dots(cells)
    text = "; ".join(f"{d.label}, {d.group}: {d.value:+.1f}" for d in dots)
    figure = doc.Dots(
        "which_first",
        "",
        f"Points by top card and number of cards in hand. Below 0, the next value should go first. "
        f"{text}.",
        "cost of playing the next value first, points",
        dots,
        reference=0.0,
        reference_name="no difference",
    )
    shown = f"top {LOWER}: {DEAREST} before {LOWER}", f"you hold {chains.FEW} cards or fewer"
    finding = titles.of_first(figure, *shown, LOWER, DEAREST)
    if finding is None and dots:
        finding = titles.of_most(figure, "{label} costs most: {value} points{group}.")
    elif finding:
        finding = f"With {chains.FEW} cards or fewer, {small(finding)}"
    return replace(figure, title=finding or "")


def _values_table(studied: chains.Studied) -> doc.Table:
    columns = [doc.Column("one card more", "text"), doc.Column("any copy")]
    columns += [doc.Column(name) for name in COPIES] + [
        doc.Column("a llama instead"),
        doc.Column("n"),
    ]
    rows: list[tuple[doc.Cell, ...]] = []
    for card in studied.cards:
        whole = studied.row({"card": card})
        copies = [studied.row({"card": card, "copies": at}) for at in range(len(COPIES))]
        instead = studied.row({"instead of": card}) if card != "L" else None
        rows.append((card, whole, *copies, instead, whole.n if whole else 0))
    title = "What one card more costs, and how much more a llama instead of it costs (points)"
    return doc.Table("card_values", title, tuple(columns), tuple(rows))


def _first_table(studied: chains.Studied) -> doc.Table:
    rows: list[tuple[doc.Cell, ...]] = []
    for top, after in chains.tops_of(studied):
        whole = studied.row({"top": top, "next": after})
        sides = [chains.next_first(studied, top, after, few) for few in (True, False)]
        n = whole.n if whole else 0
        rows.append((top, f"{after} or {top}", whole, *sides, _advice(top, after, whole), n))
    columns = doc.columns_of(
        "top|text",
        "choice|text",
        "next value first costs",
        f"with {chains.FEW} cards or fewer",
        f"with {chains.FEW + 1} or more",
        "play first|text",
        "n",
    )
    return doc.Table(
        "which_first", "Which of two cards to play first (points)", columns, tuple(rows)
    )


def _advice(top: str, after: str, more: Estimate | None) -> str:
    """Which card goes first, as far as it is known."""
    if more is None or more.low <= 0 <= more.high:
        equal = more is not None and -POINTS.zone <= more.low and more.high <= POINTS.zone
        return TOSS_UP if equal else NOT_KNOWN
    return top if more.value > 0 else after


def _cards_table(studied: chains.Studied) -> doc.Table:
    counts = sorted({row.get("cards", 0) for row in studied.studies.rows} - {0})
    rows: list[tuple[doc.Cell, ...]] = []
    for card in studied.cards:
        for first in (True, False):
            cells = [studied.row({"card": card, "first": first, "cards": n}) for n in counts]
            rows.append((card, COPIES[0] if first else "another", *cells))
    columns = [doc.Column("one card more", "text"), doc.Column("it is", "text")]
    columns += [doc.Column(f"you hold {n}{' or more' if n == counts[-1] else ''}") for n in counts]
    title = "What one card more costs, by how many you hold (points)"
    return doc.Table("card_values_by_cards", title, tuple(columns), tuple(rows), long=True)
