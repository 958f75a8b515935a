"""Figures, tables and a sentence on chains: hands played on against hands with gaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report import titles
from lama_odds.core.estimate import Estimate
from lama_odds.core.wording import capital, listed, size_with_error, with_error, with_unit
from lama_odds.games.interface.jobs import HandStudies, OtherHands
from lama_odds.games.interface.tally_layout import HandTally
from lama_odds.statistics.intervals import mean_of

# What situations played on with other hands show: differences in points, from their tally.

FEWEST = 30  # situations of an estimate
FEW = 4  # cards in hand, at most: few


@dataclass(frozen=True)
class Studied:
    """A tally of `HandStudies` with what it holds."""

    studies: HandStudies
    tally: np.ndarray

    def row(self, *keys: Mapping[str, Any]) -> Estimate | None:
        """The mean of the rows with just these keys, taken together; None if there are too few."""
        n = total = squares = 0
        for at, row in enumerate(self.studies.rows):
            if row and row in keys:
                more = HandTally(self.tally).row(at).tolist()
                n, total, squares = n + more[0], total + more[1], squares + more[2]
        return mean_of(total, squares, n) if n >= FEWEST else None

    @property
    def cards(self) -> list[str]:
        """The cards of the deck, in order."""
        names = [row["card"] for row in self.studies.rows if set(row) == {"card"}]
        return sorted(names, key=lambda card: ("123456LP".index(card[0]), card))

    def situations(self, hands: OtherHands) -> int:
        """In how many situations these hands were played."""
        return HandTally(self.tally).situations(hands.at)

    def contrast(self, hands: OtherHands, weights: list[int], unit: float = 1.0) -> Estimate | None:
        """The mean of a weighted sum of the points of hands, times `unit`."""
        n = self.situations(hands)
        if n < FEWEST:
            return None
        sums = HandTally(self.tally).sums(hands.at, len(hands.names))
        used = [at for at, weight in enumerate(weights) if weight]
        total = sum(weights[i] * int(sums[i, 0]) for i in used)
        squares = sum(weights[i] * weights[j] * int(sums[i, 1 + j]) for i in used for j in used)
        return mean_of(total, squares, n, unit)

    def points(self, hands: OtherHands, at: int) -> Estimate | None:
        """The mean points of one of the hands."""
        return self.contrast(hands, [int(i == at) for i in range(len(hands.names))])


def size_of(hands: OtherHands) -> int:
    """How many cards each of the hands has."""
    return len(hands.names[0])


def _alike(hands: OtherHands) -> list[list[int]]:
    """Hands of the same penalty that can be played on different numbers of values."""
    by_penalty: dict[int, list[int]] = {}
    for at, penalty in enumerate(hands.penalties):
        by_penalty.setdefault(penalty, []).append(at)
    groups = [by_penalty[penalty] for penalty in sorted(by_penalty)]
    return [group for group in groups if len({hands.tops[at] for at in group}) > 1]


@dataclass(frozen=True)
class Pair:
    """Hands of the same penalty: those playable on the fewest values against the most."""

    narrow: tuple[str, ...]
    wide: tuple[str, ...]
    penalty: int
    more: Estimate
    tops: int


def pairs_of(studied: Studied, hands: OtherHands) -> list[Pair]:
    """What the hands that can be played on the fewest values cost more than those on the most."""
    pairs = []
    for group in _alike(hands):
        tops = sorted({hands.tops[at] for at in group})
        narrow, wide = ([at for at in group if hands.tops[at] == t] for t in (tops[0], tops[-1]))
        whole = lcm(len(narrow), len(wide))
        weights = [0] * len(hands.names)
        for at in group:
            weights[at] = whole // len(narrow) * (at in narrow) - whole // len(wide) * (at in wide)
        more = studied.contrast(hands, weights, 1 / whole)
        if more is not None:
            names = [tuple(hands.names[at] for at in side) for side in (narrow, wide)]
            penalty = hands.penalties[group[0]]
            pairs.append(Pair(names[0], names[1], penalty, more, tops[-1] - tops[0]))
    return pairs


def saved_by_top(studied: Studied, hands: OtherHands) -> Estimate | None:
    """What one more of the values that a hand can be played on saves, at the same penalty.

    The slope of the points on the number of values, within the groups of `_alike`.
    """
    groups = _alike(hands)
    if not groups:
        return None
    whole = lcm(*(len(group) for group in groups))
    weights = [0] * len(hands.names)
    for group in groups:
        part = whole // len(group)
        total = sum(hands.tops[at] for at in group)
        for at in group:
            weights[at] = part * (total - len(group) * hands.tops[at])
    spread = -sum(weight * tops for weight, tops in zip(weights, hands.tops, strict=True))
    return studied.contrast(hands, weights, 1 / spread)


def tops_of(studied: Studied) -> list[tuple[str, str]]:
    """The tops and what is next to them."""
    rows = [row for row in studied.studies.rows if set(row) == {"top", "next"}]
    pairs = [(row["top"], row["next"]) for row in rows]
    return sorted(pairs, key=lambda pair: "123456L".index(pair[0]))


def next_first(studied: Studied, top: str, after: str, few: bool) -> Estimate | None:
    """What playing the next value first costs more, with few or with many cards in hand."""
    keys = {"top": top, "next": after}
    counts = {row.get("cards", 0) for row in studied.studies.rows} - {0}
    chosen = [{**keys, "cards": n} for n in counts if (n <= FEW) == few]
    return studied.row(*chosen)


SIZES = {3: "three", 4: "four"}
GAPS, CHAINS, CLOSE = "gaps", "chains", "either"
VERDICTS = {
    GAPS: "Gaps are better than chains",
    CHAINS: "Chains are better than gaps",
    CLOSE: "Chains and gaps are about equally good",
}


def spots_of(studied: Studied, hands: OtherHands) -> doc.Spots:
    """All hands of one size: what they cost if you quit, and if you continue."""
    size = size_of(hands)
    most = len(tops_of(studied))
    spots = [
        doc.Spot(
            name,
            float(hands.penalties[at]),
            e.value,
            e.low,
            e.high,
            f"{hands.tops[at]} of {most} tops",
        )
        for at, name in sorted(enumerate(hands.names), key=lambda item: -hands.tops[item[0]])
        if (e := studied.points(hands, at)) is not None
    ]
    best, worst = min(spots, key=lambda s: s.y), max(spots, key=lambda s: s.y)
    return doc.Spots(
        f"hands_of_{size}",
        f"Of hands of {SIZES.get(size, str(size))} different cards, {worst.label} ends with "
        f"{worst.y:.1f} points and {best.label} with {best.y:.1f}.",
        "Each hand by its penalty and by the points it ends with if you continue: from "
        f"{best.y:.1f} ({best.label}) to {worst.y:.1f} ({worst.label}). "
        f"{_saved_said(studied, hands)}",
        "penalty if you quit now",
        "points at the end of the round if you continue",
        tuple(spots),
        "fits",
    )


def _saved_said(studied: Studied, hands: OtherHands) -> str:
    """What a top more changes, in a sentence."""
    saved = saved_by_top(studied, hands)
    if saved is None:
        return ""
    lost = with_unit(with_error(saved))
    return f"At the same penalty, every top that your hand cannot answer costs {lost}."


def pairs_figure(studied: Studied) -> doc.Dots:
    """Chains against gaps."""
    dots = tuple(
        doc.dot_of(f"{', '.join(pair.narrow)} against {', '.join(pair.wide)}", pair.more)
        for hands in studied.studies.hands
        for pair in pairs_of(studied, hands)
        if pair.tops > 1
    )
    text = "; ".join(f"{d.label} {d.value:+.1f}" for d in dots)
    return doc.Dots(
        "chain_or_gaps",
        f"{VERDICTS[better(studied)]}: for certain in {sum(d.low > 0 for d in dots)} of "
        f"{len(dots)} "
        "pairs the chain costs more.",
        f"Points that a chain costs more than a hand of as many cards and the same penalty that "
        f"fits two tops more: {text}.",
        "points that the chain costs more",
        dots,
        reference=0.0,
        reference_name="no difference",
    )


def better(studied: Studied) -> str:
    """Which are better for certain, with all sizes of hands: GAPS, CHAINS; or CLOSE."""
    saved = [saved_by_top(studied, hands) for hands in studied.studies.hands]
    if all(e is not None and e.low > 0 for e in saved):
        return GAPS
    return CHAINS if all(e is not None and e.high < 0 for e in saved) else CLOSE


def players_figure(by_players: Mapping[int, Studied]) -> doc.Curves:
    """What a top more saves, by the number of players."""
    cells = [
        (f"{SIZES.get(size_of(hands), str(size_of(hands)))} cards", players, e)
        for players, studied in sorted(by_players.items())
        for hands in studied.studies.hands
        if (e := saved_by_top(studied, hands)) is not None
    ]
    lines = tuple(
        doc.line_of(name, [(float(players), e) for label, players, e in cells if label == name])
        for name in dict.fromkeys(label for label, _, _ in cells)
    )
    text = "; ".join(f"{p} players, {name}: {e.value:+.2f}" for name, p, e in cells)
    return doc.Curves(
        "chain_by_players",
        titles.of_ends(
            lines[-1],
            "An unanswered top costs {at_first} points with {first} players, {at_last} with "
            f"{{last}} ({lines[-1].label}).",
            2,
        )
        if lines
        else "",
        "Curves of what every top costs that a hand cannot answer, in points, at the same penalty "
        f"and number of cards: {text}.",
        "players",
        "what every unanswered top costs, points",
        lines,
        zero=("chains are better", "gaps are better"),
    )


def players_table(by_players: Mapping[int, Studied]) -> doc.Table:
    """The same as a table."""
    hands = next(iter(by_players.values())).studies.hands
    columns = [doc.Column("players")]
    for group in hands:
        name = SIZES.get(size_of(group), str(size_of(group)))
        columns += [doc.Column(f"a top fewer costs, {name} cards"), doc.Column(f"n, {name} cards")]
    rows: list[tuple[doc.Cell, ...]] = []
    for players, studied in sorted(by_players.items()):
        line: list[doc.Cell] = [players]
        for group in studied.studies.hands:
            line += [saved_by_top(studied, group), studied.situations(group)]
        rows.append((*line, better(studied)))
    title = "Chain or gaps, by the number of players (points)"
    return doc.Table(
        "chain_by_players", title, (*columns, doc.Column("better", "text")), tuple(rows)
    )


def hands_table(studied: Studied) -> doc.Table:
    """All hands with what they cost."""
    rows: list[tuple[doc.Cell, ...]] = [
        (name, size_of(hands), hands.penalties[at], hands.tops[at], studied.points(hands, at))
        for hands in studied.studies.hands
        for at, name in enumerate(hands.names)
    ]
    columns = doc.columns_of(
        "hand|text", "cards", "penalty", "tops it fits", "points if you play on"
    )
    return doc.Table("other_hands", "All hands that were compared", columns, tuple(rows), long=True)


def chain_said(studied: Studied, by_players: Mapping[int, Studied]) -> str:
    """What a chain costs against gaps, in a sentence."""
    saved = [(size_of(h), e) for h in studied.studies.hands if (e := saved_by_top(studied, h))]
    if not saved:
        return ""
    same = len({e.value >= 0 for _, e in saved}) == 1
    parts = [
        f"{_costs(e, named=not at or not same)} with {SIZES.get(cards, str(cards))} cards"
        for at, (cards, e) in enumerate(saved)
    ]
    verb = VERDICTS[better(studied)]
    by_verdict = {
        verdict: [str(n) for n, other in sorted(by_players.items()) if better(other) == verdict]
        for verdict in (CHAINS, GAPS)
    }
    sides = [
        f"{verdict} are better with {listed(ns)} players"
        for verdict, ns in by_verdict.items()
        if ns
    ]
    others = len(by_players) > 1 and sides
    players = f" {capital('; '.join(sides))}." if others else ""
    return (
        f"{verb}{_example(studied)}. At the same penalty, every top that a hand cannot answer "
        f"{listed(parts)}.{players}"
    )


def _example(studied: Studied) -> str:
    """One chain against one hand with gaps: of three cards, in the middle of the penalties."""
    pairs = [
        pair
        for pair in pairs_of(studied, studied.studies.hands[0])
        if pair.tops > 1 and len(pair.narrow) == len(pair.wide) == 1
    ]
    if not pairs:
        return ""
    pair = pairs[len(pairs) // 2]
    worse, best = pair.narrow[0], pair.wide[0]
    worse, best = (worse, best) if pair.more.value >= 0 else (best, worse)
    more = with_unit(size_with_error(pair.more))
    return f": {worse} costs {more} more than {best}, with the same penalty"


def _costs(estimate: Estimate, named: bool) -> str:
    """What a top fewer costs, or saves; named: with the verb and the unit."""
    verb = "costs" if estimate.value >= 0 else "saves"
    return f"{verb} {with_unit(size_with_error(estimate))}" if named else size_with_error(estimate)


# The short version of what cards in hand are worth, in sentences.

NUMBERS = "123456"


def headlines(studied: Studied) -> list[str]:
    """Which card to play first, and what a llama in hand costs."""
    return [line for line in (_first_said(studied), _llama_said(studied)) if line]


def findings(studied: Studied, by_players: Mapping[int, Studied]) -> list[str]:
    """What a duplicate and a chain are worth."""
    return [line for line in (_copies_said(studied), chain_said(studied, by_players)) if line]


def _llama_said(studied: Studied) -> str:
    """What a llama costs, beside a number."""
    llama = studied.row({"card": "L"})
    if llama is None:
        return ""
    cost = with_unit(with_error(llama))
    text = f"One llama more in your hand costs you {cost} by the end of the round"
    first, second = (studied.row({"card": "L", "copies": at}) for at in (0, 1))
    if first and second:
        text += f": {with_error(first)} as your first llama, {with_error(second)} as the second"
    six = studied.row({"card": "6"})
    return f"{text}. A 6 costs you {with_error(six)}." if six else f"{text}."


def _copies_said(studied: Studied) -> str:
    """What another card of a number held costs, against a first one."""
    sides = []
    for counts, name in ((range(1, 3), "one or two cards"), (range(5, 7), "five or more cards")):
        means = []
        for first in (False, True):
            rows = [[{"card": c, "first": first, "cards": n} for n in counts] for c in NUMBERS]
            cells = [e for keys in rows if (e := studied.row(*keys)) is not None]
            if len(cells) == len(NUMBERS):
                means.append(Estimate.mean(cells))
        if len(means) == 2:
            sides.append(
                f"With {name} in hand it costs {with_unit(with_error(means[0]))}, a new number "
                f"{with_error(means[1])}."
            )
    if not sides:
        return ""
    return (
        "A second card of a number adds nothing to your penalty, but you have to play it, too. "
        f"{' '.join(sides)}"
    )


def _first_said(studied: Studied) -> str:
    """Whether llamas go first."""
    sentences = []
    for top, after in tops_of(studied):
        more = studied.row({"top": top, "next": after})
        if "L" in (top, after) and more is not None:
            name, other = (("the llama" if card == "L" else f"the {card}") for card in (top, after))
            place = "On a llama" if top == "L" else f"On a {top}"
            if more.low <= 0 <= more.high:
                sentences.append(
                    f"{place}, it makes no clear difference if {name} or {other} goes first"
                )
            else:
                first, then = (name, other) if more.value > 0 else (other, name)
                cost = f"the other order costs {with_unit(size_with_error(more))}"
                sentences.append(f"{place}, play {first} before {then}: {cost}")
    return f"{'. '.join(sentences)}." if sentences else ""
