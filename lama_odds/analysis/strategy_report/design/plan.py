"""What a designer's page is about, and its sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lama_odds.analysis.compare.compare import Amount
from lama_odds.analysis.strategy_report.by_game.amounts import amounts_of
from lama_odds.analysis.strategy_report.by_game.own import Made, Make
from lama_odds.analysis.strategy_report.design import changes, rules_changed, sample_game, swept
from lama_odds.analysis.strategy_report.plan import Planned, code_hash, hash_of_inputs
from lama_odds.analysis.strategy_report.report import QUICK_PRECISION, Ask
from lama_odds.analysis.variants.given import named
from lama_odds.core.policies import Policy
from lama_odds.games.interface.watched import ONE_IN

GAMES, QUICK_GAMES = 24_000, 3_200
FEWEST = 160


@dataclass(frozen=True)
class DesignAsk(Ask):
    """A baseline (`rules`) and variants of it, all played by one policy.

    names: of rule sets from files, by id. vary: options of the baseline to sweep, as in `sweep`.
    """

    variants: tuple[Any, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    policy: Policy | None = None
    vary: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """The words of a command that name it; variants by their ids."""
        others = [str(rules.id) for rules in self.variants]
        varied = [word for text in self.vary for word in ("--vary", text)]
        named = ["--design", str(self.rules.id), *others, "--policy", self.plays.name]
        return [*named, *varied]

    @property
    def question(self) -> dict[str, Any]:
        """All that its games depend on besides."""
        others = [rules.id for rules in self.variants]
        return {"design": others, "policy": self.plays.name, "vary": list(self.vary)}

    @property
    def intro(self) -> str:
        """What the page is for."""
        others = ", ".join(self.called(rules) for rules in self.variants)
        against = f"What {others} changes against {self.rules.id}" if others else "How it plays"
        return (
            f"{against}, with {self.players} players who all play {self.plays.name}. ± and lines "
            "beside dots are 95 % intervals."
        )

    @property
    def intro_md(self) -> str:
        """The same in Markdown."""
        return self.intro

    @property
    def every(self) -> tuple[Any, ...]:
        """The baseline, then the variants."""
        return (self.rules, *self.variants)

    @property
    def plays(self) -> Policy:
        """The policy of all players."""
        return self.policy or self.game.best_for_all(self.every, self.players)

    @property
    def games(self) -> int:
        """Games of each rule set: a multiple of ONE_IN."""
        most = QUICK_GAMES if self.budget.precision == QUICK_PRECISION else GAMES
        games = max(FEWEST, round(most * amounts_of(self.game.name).part))
        return games - games % ONE_IN

    @property
    def amount(self) -> Amount:
        """How much a comparison plays."""
        return Amount(games=self.games)

    def called(self, rules: Any) -> str:
        """A rule set by its name in a file, by what it has besides the baseline, or in full."""
        if rules.id in self.names:
            return named(rules.id, self.names)
        added = str(rules.id).removeprefix(self.rules.id)
        return added if added.startswith("+") else str(rules.id)


def planned(ask: DesignAsk) -> list[Planned]:
    """The sections of the page, in order."""
    found: list[Made] = []
    if ask.variants:
        found.append(("rules", 0.1, lambda _tell: rules_changed.rules_section(ask)))
    found.append(("measures", 10.0, lambda tell: changes.measures_section(ask, tell)))
    if ask.vary:
        found.append(("swept", 6.0, lambda tell: swept.swept_section(ask, tell)))
    found += [(f"game_{at}", 0.5, _game(ask, at)) for at in range(len(ask.every))]
    return [Planned(name, _inputs(ask, name), weight, make) for name, weight, make in found]


def _game(ask: DesignAsk, at: int) -> Make:
    return lambda _tell: sample_game.game_section(ask, at)


def _inputs(ask: DesignAsk, name: str) -> str:
    """A hash of all that a section depends on."""
    asked = {
        "section": f"design {name}",
        "rules": [rules.id for rules in ask.every],
        "names": [ask.called(rules) for rules in ask.every],
        "players": ask.players,
        "policy": ask.plays.name,
        "games": ask.games,
        "vary": list(ask.vary),
        "seed": ask.seed,
        "code": code_hash(),
    }
    return hash_of_inputs(asked)
