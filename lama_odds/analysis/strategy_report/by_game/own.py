"""Sections and figures that single games have besides those of all games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lama_odds.analysis.strategy_report.by_game import noprob, pikomino
from lama_odds.analysis.strategy_report.by_game.dice import dice, discards, pairings, playing_to_win
from lama_odds.analysis.strategy_report.by_game.lama import cards
from lama_odds.analysis.strategy_report.document import Ask, Figure, Section
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.objectives import ThresholdTable
from lama_odds.games.noprob.rules.ruleset import NoprobRules

Make = Callable[[Progress | None], Section | None]
Made = tuple[str, float, Make]  # name, weight (see `plan.Planned`), and how it is made

# The figures of exact tables, and of groups of chances, by their names.
TABLES: Mapping[str, Callable[[ThresholdTable], Figure]] = {"stop_or_roll": pikomino.stop_map}
GROUPS: Mapping[str, Callable[[Mapping[str, Mapping[str, Estimate]]], Figure]] = {
    "reach": pikomino.reach_curves
}


def of_hands(ask: Ask) -> list[Made]:
    """What single cards of a hand are worth, after the thresholds."""
    if not _offers(ask, ask.game.hand_studies):
        return []
    return [("cards", 4.0, lambda tell: cards.cards_section(ask, tell))]


def of_turns(ask: Ask, tables: Mapping[str, ThresholdTable]) -> list[Made]:
    """What exact tables tell of a turn. tables: by name."""
    sections: list[Made] = []
    if "stop_or_roll" in tables:
        stops = tables["stop_or_roll"]
        sections += [
            ("reach", 0.2, lambda tell: pikomino.reach_section(ask)),
            ("stop_or_roll", 0.2, lambda tell: pikomino.stop_section(stops)),
        ]
    if "first_face" in tables:
        faces, thumbs = tables["first_face"], tables["first_rules"]
        sections.append(
            ("first_face", 0.2, lambda tell: pikomino.first_face_section(ask, faces, thumbs))
        )
    if "steals" in tables:
        sections.append(("steals", 1.0, lambda tell: pikomino.steals_section(ask)))
    return sections


def of_the_game(ask: Ask) -> list[Made]:
    """The largest sections of a game, after what is exact."""
    sections: list[Made] = []
    if isinstance(ask.rules, DiceRules) and not ask.rules.unsolved:
        sections += [
            ("two_players", 2.0, lambda tell: dice.two_players_section(ask)),
            ("playing_to_win", 2.0, lambda tell: playing_to_win.playing_to_win_section(ask, tell)),
            ("blow", 0.2, lambda tell: dice.blow_section(ask)),
            ("discard", 1.0, lambda tell: discards.discard_section(ask)),
            ("take", 0.2, lambda tell: discards.take_section(ask)),
        ]
    if isinstance(ask.rules, NoprobRules):
        sections += [
            ("drawn", 4.0, lambda tell: noprob.drawn_section(ask, tell)),
            ("lines", 0.1, lambda tell: noprob.lines_section(ask)),
        ]
    if _offers(ask, ask.game.standings):
        sections += [
            ("standings", 4.0, lambda tell: pikomino.standings_section(ask, tell)),
            ("last_tiles", 0.2, lambda tell: pikomino.last_tiles_section(ask)),
        ]
    return sections


def of_pairings(ask: Ask) -> list[Made]:
    """What policies do against each other, after other rules."""
    if not isinstance(ask.rules, DiceRules) or ask.rules.unsolved:
        return []
    return [("pairings", 1.0, lambda tell: pairings.pairings_section(ask, tell))]


def _offers(ask: Ask, what: Callable[[Any, Sequence[Policy]], object | None]) -> bool:
    """Whether a game has a job that not all have."""
    policies = [ask.game.best_policy(ask.rules, ask.players, "points")] * ask.players
    return what(ask.rules, policies) is not None
