"""What makes one rule set good: every measure of the groups, without another to compare it with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.compare import decision_costs, design
from lama_odds.analysis.compare.answer import SkillShows, shows_after
from lama_odds.analysis.compare.common_games import check_ended, common_games, whole_games
from lama_odds.analysis.compare.measures import SKILL, Compared
from lama_odds.analysis.compare.paired_differences import value_of
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import AnyGame
from lama_odds.simulation.paired_blocks import block_of
from lama_odds.simulation.run import run


@dataclass(frozen=True)
class Measured:
    """The measures of a rule set, each with its estimate, in the order of the groups.

    games: of most of them; others have fewer, see `Estimate.n`.
    """

    rules: str
    policy: str
    players: int
    games: int
    seed: int
    values: tuple[tuple[Compared, Estimate], ...]

    @property
    def skill_shows(self) -> SkillShows | None:
        """After how many games skill shows; None if that is not measured."""
        rates = [value for measure, value in self.values if measure.key == SKILL]
        return shows_after(rates[0], self.players) if rates else None


def measured(
    game: AnyGame,
    rules: Any,
    policy: Policy,
    players: int,
    games: int,
    seed: int = 0,
    progress: Progress | None = None,
    looked_at: int = decision_costs.MOST_GAMES,
) -> Measured:
    """Play games of a rule set, and count all that the groups of measures have.

    looked_at: games at most of which single decisions are looked at.
    """
    more = design.asked(game, [design.GOOD])
    common = common_games(game, [rules], [policy], players, seed, None, more)
    number = whole_games(games, more) or games
    played = run(common.job(number), seed, number, progress=progress)
    if played.interrupted:
        raise KeyboardInterrupt
    check_ended(common, played)
    names = design.wanted(common.measures, [design.GOOD])
    samples = played.games // block_of(number)
    found = {
        measure: value_of(measure, sums, 0, samples, played.games)
        for measure, sums in zip(common.measures, played.tally, strict=True)
        if measure.name in names
    }
    if decision_costs.can_be_tried(game):
        tally, looked = decision_costs.studied(
            game, common.sides, players, number, seed, most=looked_at
        )
        for measure, sums in zip(decision_costs.MEASURES, tally, strict=True):
            found[measure] = value_of(measure, sums, 0, looked, looked)
    order = {key: at for at, key in enumerate(design.members(design.GOOD))}
    values = sorted(found.items(), key=lambda item: order[item[0].key])
    return Measured(rules.id, policy.name, players, played.games, seed, tuple(values))
