"""What can happen next: exact chances of the next roll or draw, and of the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import lama_odds
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import say
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.objectives import HeldByOthers, OddsInWords
from lama_odds.games.shared.in_words import headed


@dataclass(frozen=True)
class Odds(Plain):
    """Chances by name; position is None for the deal. assumptions: what they take for granted.

    about: the position in words; in_words: the chances in a few lines, None where all are as well.
    others: what the others' actions tell of their cards, at the end of a record.
    """

    KEYS = (
        "rules position=asked events *groups others?=others.players others_made?=others.made "
        "assumptions? version"
    )

    rules: str
    position: str | None
    events: Mapping[str, Estimate]
    groups: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    about: str = ""
    in_words: OddsInWords | None = None
    others: HeldByOthers | None = None
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def asked(self) -> str:
        """The position, or the word deal."""
        return self.position or "deal"


def odds(game: Game[R, P], rules: R, position: Any | None, opponents: Policy | None = None) -> Odds:
    """Chances at a position, or of the deal.

    opponents: the others' policy, for what their actions tell of hidden cards; None for the best
    known.
    """
    if position is None:
        if game.no_deal:
            raise ReadError(game.no_deal)
        deal = game.deal_odds(rules)
        words = game.odds_in_words(rules, None, deal)
        return Odds(rules.id, None, deal, about=f"{rules.id} · {say('the deal')}", in_words=words)
    chances = game.odds(rules, position)
    assumed = opponents or game.best_policy(rules, position.players)
    return Odds(
        rules=rules.id,
        position=position.format(),
        events=chances,
        groups=game.odds_groups(rules, position),
        assumptions=game.odds_rest_on(rules, position),
        about=headed(rules.id, position.players, game.in_words(rules, position)),
        in_words=game.odds_in_words(rules, position, chances),
        others=game.held_by_others(rules, position, [assumed] * position.players),
    )
