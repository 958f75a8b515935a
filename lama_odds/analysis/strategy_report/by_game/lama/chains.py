"""Figures, tables and a sentence on chains: hands played on against hands with gaps."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.analysis.strategy_report.by_game.lama.hand_values import (
    Studied,
    pairs_of,
    saved_by_top,
    size_of,
    tops_of,
)
from lama_odds.analysis.strategy_report.document import (
    Cell,
    Column,
    Curves,
    Dots,
    Spot,
    Spots,
    Table,
    dot_of,
    line_of,
)
from lama_odds.analysis.strategy_report.words import capital, listed, shown, size
from lama_odds.core.estimate import Estimate, with_unit
from lama_odds.games.interface.jobs import OtherHands

SIZES = {3: "three", 4: "four"}
GAPS, CHAINS, CLOSE = "gaps", "chains", "either"


def spots_of(found: Studied, hands: OtherHands) -> Spots:
    """All hands of one size: what they cost if you quit, and if you continue."""
    size = size_of(hands)
    most = len(tops_of(found))
    spots = [
        Spot(
            name,
            float(hands.penalties[at]),
            e.value,
            e.low,
            e.high,
            f"{hands.tops[at]} of {most} tops",
        )
        for at, name in sorted(enumerate(hands.names), key=lambda item: -hands.tops[item[0]])
        if (e := found.points(hands, at)) is not None
    ]
    best, worst = min(spots, key=lambda s: s.y), max(spots, key=lambda s: s.y)
    return Spots(
        f"hands_of_{size}",
        f"All hands of {SIZES.get(size, str(size))} different cards",
        "Each hand by its penalty and by the points it ends with if you continue: from "
        f"{best.y:.1f} ({best.label}) to {worst.y:.1f} ({worst.label}). "
        f"{_saved_said(found, hands)}",
        "penalty if you quit now",
        "points at the end of the round if you continue",
        tuple(spots),
        "fits",
    )


def _saved_said(found: Studied, hands: OtherHands) -> str:
    """What a top more changes, in a sentence."""
    saved = saved_by_top(found, hands)
    if saved is None:
        return ""
    return f"At the same penalty, each top fewer that a hand fits costs {with_unit(shown(saved))}."


def pairs_figure(found: Studied) -> Dots:
    """Chains against gaps."""
    dots = tuple(
        dot_of(f"{', '.join(pair.narrow)} against {', '.join(pair.wide)}", pair.more)
        for hands in found.studies.hands
        for pair in pairs_of(found, hands)
        if pair.tops > 1
    )
    said = "; ".join(f"{d.label} {d.value:+.1f}" for d in dots)
    return Dots(
        "chain_or_gaps",
        "What a chain costs more than gaps at the same penalty",
        f"Points that a chain costs more than a hand of as many cards and the same penalty that "
        f"fits two tops more: {said}.",
        "points that the chain costs more",
        dots,
        reference=0.0,
        reference_name="no difference",
    )


def better(found: Studied) -> str:
    """Which are better for certain, with all sizes of hands: GAPS, CHAINS; or CLOSE."""
    saved = [saved_by_top(found, hands) for hands in found.studies.hands]
    if all(e is not None and e.low > 0 for e in saved):
        return GAPS
    return CHAINS if all(e is not None and e.high < 0 for e in saved) else CLOSE


def players_figure(by_players: Mapping[int, Studied]) -> Curves:
    """What a top more saves, by the number of players."""
    cells = [
        (f"{SIZES.get(size_of(hands), str(size_of(hands)))} cards", players, e)
        for players, found in sorted(by_players.items())
        for hands in found.studies.hands
        if (e := saved_by_top(found, hands)) is not None
    ]
    lines = tuple(
        line_of(name, [(float(players), e) for label, players, e in cells if label == name])
        for name in dict.fromkeys(label for label, _, _ in cells)
    )
    said = "; ".join(f"{p} players, {name}: {e.value:+.2f}" for name, p, e in cells)
    return Curves(
        "chain_by_players",
        "Chain or gaps, by the number of players",
        "Curves of the points that each top fewer that a hand fits costs, at the same penalty and "
        f"number of cards: {said}.",
        "players",
        "what each top fewer costs, points",
        lines,
        zero=("chains are better", "gaps are better"),
    )


def players_table(by_players: Mapping[int, Studied]) -> Table:
    """The same as a table."""
    hands = next(iter(by_players.values())).studies.hands
    columns = [Column("players")]
    for group in hands:
        name = SIZES.get(size_of(group), str(size_of(group)))
        columns += [Column(f"a top fewer costs, {name} cards"), Column(f"n, {name} cards")]
    rows: list[tuple[Cell, ...]] = []
    for players, found in sorted(by_players.items()):
        line: list[Cell] = [players]
        for group in found.studies.hands:
            line += [saved_by_top(found, group), found.situations(group)]
        rows.append((*line, better(found)))
    title = "Chain or gaps, by the number of players (points)"
    return Table("chain_by_players", title, (*columns, Column("better", "text")), tuple(rows))


def hands_table(found: Studied) -> Table:
    """All hands with what they cost."""
    rows: list[tuple[Cell, ...]] = [
        (name, size_of(hands), hands.penalties[at], hands.tops[at], found.points(hands, at))
        for hands in found.studies.hands
        for at, name in enumerate(hands.names)
    ]
    columns = (
        Column("hand", "text"),
        Column("cards"),
        Column("penalty"),
        Column("tops it fits"),
        Column("points if you play on"),
    )
    return Table("other_hands", "All hands that were compared", columns, tuple(rows), long=True)


def chain_said(found: Studied, by_players: Mapping[int, Studied]) -> str:
    """What a chain costs against gaps, in a sentence."""
    saved = [(size_of(h), e) for h in found.studies.hands if (e := saved_by_top(found, h))]
    if not saved:
        return ""
    same = len({e.value >= 0 for _, e in saved}) == 1
    parts = [
        f"{_costs(e, named=not at or not same)} with {SIZES.get(cards, str(cards))} cards"
        for at, (cards, e) in enumerate(saved)
    ]
    verb = {
        GAPS: "Gaps are better than chains",
        CHAINS: "Chains are better than gaps",
        CLOSE: "Chains and gaps are about equally good",
    }[better(found)]
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
        f"{verb}{_example(found)}. At the same penalty, each top fewer that a hand fits "
        f"{listed(parts)}.{players}"
    )


def _example(found: Studied) -> str:
    """One chain against one hand with gaps: of three cards, in the middle of the penalties."""
    pairs = [
        pair
        for pair in pairs_of(found, found.studies.hands[0])
        if pair.tops > 1 and len(pair.narrow) == len(pair.wide) == 1
    ]
    if not pairs:
        return ""
    pair = pairs[len(pairs) // 2]
    worse, best = pair.narrow[0], pair.wide[0]
    worse, best = (worse, best) if pair.more.value >= 0 else (best, worse)
    return f": {worse} costs {with_unit(size(pair.more))} more than {best}, with the same penalty"


def _costs(found: Estimate, named: bool) -> str:
    """What a top fewer costs, or saves; named: with the verb and the unit."""
    verb = "costs" if found.value >= 0 else "saves"
    return f"{verb} {with_unit(size(found))}" if named else size(found)
