"""The published card of a rule set: a rule that was played, in sentences, with what it wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.best import card_entry
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.rule_cards import card_in

SMALL = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True)
class PublishedCard:
    """A card of rules.

    policy: as it is written. lines: in sentences, habits last. wins: win rate of one player of it
    among players of `best`, the strongest policy known, every seat in turn.
    """

    policy: str
    lines: tuple[str, ...]
    wins: Estimate
    best: str
    players: int

    @property
    def said(self) -> str:
        """What it wins, in a sentence."""
        half = 50 * (self.wins.high - self.wins.low)
        others = self.players - 1
        against = "a strong player" if others == 1 else f"{SMALL[others]} strong ones"
        return (
            f"One such player {'against' if others == 1 else 'among'} {against} wins "
            f"{100 * self.wins.value:.1f} ± {half:.1f} % of games; an equal one would win "
            f"{100 / self.players:.0f} %."
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "policy": self.policy,
            "lines": list(self.lines),
            "wins": self.wins.to_json(),
            "among": self.best,
        }


def published_card(game: AnyGame, rules: Any, players: int) -> PublishedCard | None:
    """Return the card of a rule set and number of players; None if none was published."""
    entry = card_entry(game.name, rules.edition, players) if game.card_suits(rules) else None
    if entry is None:
        return None
    won = entry["among best"]
    wins = Estimate.from_interval(won["value"], won["stderr"], won["low"], won["high"], won["n"])
    language, card = card_in(game.policy(entry["policy"]))
    lines = tuple(language.in_words(card))
    return PublishedCard(entry["policy"], lines, wins, entry["best"], players)
