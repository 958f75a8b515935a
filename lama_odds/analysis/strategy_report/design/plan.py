"""What a designer's page is about, and its sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lama_odds.analysis.compare.compare import Amount
from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report.by_game.amounts import amounts_of
from lama_odds.analysis.strategy_report.by_game.own import Made, Make
from lama_odds.analysis.strategy_report.design import changes
from lama_odds.analysis.strategy_report.plan import Planned, code_hash, hash_of_inputs
from lama_odds.analysis.variants.given import named
from lama_odds.core.policies import Policy
from lama_odds.core.wording import capital, listed
from lama_odds.games.interface import watched
from lama_odds.games.interface.watched import ONE_IN
from lama_odds.statistics.intervals import Z

# A section with one game of a rule set: after each stretch its standing and chances.

DOT = "\u00a0·\u00a0"  # between numbers that stay on a line
GAME = 0  # of the seed: its chances are looked at
ENDS = {
    "out": "player {} goes out",
    "quit": "all have quit",
    "blown": "player {} blows it",
    "row": "the llama row is empty",
}


@dataclass(frozen=True)
class Stretch:
    """A round (or turn): after it the standing, and chances to win if they were looked at."""

    number: int
    standing: tuple[int, ...]
    chances: tuple[float, ...] | None


def story_of(ask: DesignAsk, rules: Any) -> list[Stretch]:
    """The stretches of the game."""
    job = ask.game.watched(rules, [ask.plays] * ask.players, 0)
    assert job is not None
    story = np.zeros((watched.MOST_STRETCHES + 1, 1 + 2 * watched.SEATS))
    job.with_tables(story=story).play(ask.seed, GAME, 1)
    stretches = []
    for row in story[1 : 1 + int(story[0, 0])]:
        standing = tuple(int(n) for n in row[1 : 1 + ask.players])
        chances = row[1 + watched.SEATS :][: ask.players]
        looked = tuple(float(chance) for chance in chances) if chances[0] >= 0 else None
        stretches.append(Stretch(int(row[0]), standing, looked))
    return stretches


def game_section(ask: DesignAsk, at: int) -> doc.Section:
    """A game of rule set number `at`."""
    rules = ask.every[at]
    stretches = story_of(ask, rules)
    rounds = ask.game.has_rounds
    what = "round" if rounds else "turn"
    ends, costs = _events(ask, rules) if rounds else ([], [])
    lines = _chance_lines(stretches, ask.players)
    figures: tuple[doc.Figure, ...] = ()
    if lines:
        figures = (
            doc.Curves(
                f"game_{at}",
                _game_said(stretches, what),
                f"Chance to win after each {what}, one line for each of {ask.players} players. The "
                f"game has {len(stretches)} {what}s.",
                what,
                "chance to win",
                tuple(lines),
                share=True,
                panels=True,
                separate=True,
            ),
        )
    columns = (
        doc.Column(what),
        doc.Column("what happened", "text"),
        *((doc.Column("points", "text"),) if rounds else ()),
        doc.Column("standing", "text"),
        doc.Column("chances to win, %", "text"),
    )
    shown = [s for s in stretches if rounds or s.chances is not None or s is stretches[-1]]
    rows: list[tuple[doc.Cell, ...]] = []
    remarks = _remarks(stretches)
    for stretch in shown:
        happened = [ends[stretch.number - 1]] if rounds else []
        happened += remarks.get(stretch.number, [])
        points = (costs[stretch.number - 1],) if rounds else ()
        chances = DOT.join(f"{100 * chance:.0f}" for chance in stretch.chances or ()) or "–"
        standing = DOT.join(str(abs(n)) for n in stretch.standing)
        text = "; ".join(filter(None, happened))
        rows.append((stretch.number, text, *points, standing, chances))
    name = ask.called(rules)
    return doc.Section(
        f"game_{at}",
        f"A game with {name}",
        doc.SAMPLED,
        f"Game {GAME} of seed {ask.seed}, all players play {ask.plays.name}. Chances to win come "
        f"from {watched.FEWEST} to {watched.MOST} games played on from there, unless the players "
        "have a match equity table.",
        figures=figures,
        tables=(doc.Table(f"game_{at}", f"The game, {what} by {what}", columns, tuple(rows)),),
        games=1,
    )


def _game_said(stretches: list[Stretch], what: str) -> str:
    """How the game ended, and from where on it was decided."""
    final = stretches[-1].standing  # noted so that the lowest is best
    wins = [f"player {seat + 1}" for seat, n in enumerate(final) if n == min(final)]
    text = f"{capital(listed(wins))} win{'s' * (len(wins) == 1)} after {len(stretches)} {what}s"
    decided = _decided(stretches)
    return f"{text}." if decided is None else f"{text}, with little doubt from {what} {decided} on."


def _chance_lines(stretches: list[Stretch], players: int) -> list[doc.Line]:
    """A line for each player through the chances that were looked at, with their errors."""
    there = [s for s in stretches if s.chances is not None]
    if not there:
        return []
    lines = []
    for seat in range(players):
        points = [(0.0, 1 / players, 0.0)]
        for stretch in there:
            assert stretch.chances is not None
            chance = stretch.chances[seat]
            error = Z * float(np.sqrt(chance * (1 - chance) / watched.FEWEST))
            points.append((float(stretch.number), chance, error))
        x, y, errors = (tuple(column) for column in zip(*points, strict=True))
        lines.append(
            doc.Line(
                f"player {seat + 1}",
                x,
                y,
                tuple(max(0.0, a - e) for a, e in zip(y, errors, strict=True)),
                tuple(min(1.0, a + e) for a, e in zip(y, errors, strict=True)),
            )
        )
    return lines


def _events(ask: DesignAsk, rules: Any) -> tuple[list[str], list[str]]:
    """How each round ended, and what it cost."""
    text = ask.game.record(rules, [ask.plays] * ask.players, ask.seed, GAME, False)
    ends: list[str] = []
    costs: list[str] = []
    last = 0
    for line in text.splitlines():
        word, *rest = line.split()
        if word.isdigit():
            last = int(word)
        elif word == "end":
            ends.append(ENDS.get(rest[0], "").format(last + 1))
        elif word == "penalties":
            costs.append(DOT.join(rest))
    return ends, costs


def _remarks(stretches: list[Stretch]) -> dict[int, list[str]]:
    """Where the lead changes, and from where the winner stays above DECIDED, by stretch."""
    notes: dict[int, list[str]] = {}
    leader = -1
    for stretch in stretches:
        best = min(stretch.standing)  # noted so that the lowest is best
        ahead = [seat for seat, n in enumerate(stretch.standing) if n == best]
        if len(ahead) == 1:
            if leader not in (-1, ahead[0]):
                notes.setdefault(stretch.number, []).append(f"player {ahead[0] + 1} takes the lead")
            leader = ahead[0]
    decided = _decided(stretches)
    if decided is not None:
        note = f"from here the winner stays above {watched.DECIDED} %"
        notes.setdefault(decided, []).append(note)
    notes.setdefault(stretches[-1].number, []).append("the game ends")
    return notes


def _decided(stretches: list[Stretch]) -> int | None:
    """The first stretch after which the winner stays above DECIDED; None if that is the last."""
    final = stretches[-1].standing
    if final.count(min(final)) > 1:
        return None
    winner, since = final.index(min(final)), None
    for stretch in reversed(stretches):
        if stretch.chances is not None:
            if stretch.chances[winner] * 100 <= watched.DECIDED:
                break
            since = stretch.number
    return since


GAMES, QUICK_GAMES = 24_000, 3_200
FEWEST = 160


@dataclass(frozen=True)
class DesignAsk(doc.Ask):
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
        return f"{against}, with {self.players} players who all play {self.plays.name}."

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
        most = QUICK_GAMES if self.budget.precision == doc.QUICK_PRECISION else GAMES
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
    sections: list[Made] = []
    if ask.variants:
        sections.append(("rules", 0.1, lambda _tell: changes.rules_section(ask)))
    sections.append(("measures", 10.0, lambda tell: changes.measures_section(ask, tell)))
    if ask.vary:
        sections.append(("swept", 6.0, lambda tell: changes.swept_section(ask, tell)))
    sections += [(f"game_{at}", 0.5, _game(ask, at)) for at in range(len(ask.every))]
    return [Planned(name, _inputs(ask, name), weight, make) for name, weight, make in sections]


def _game(ask: DesignAsk, at: int) -> Make:
    return lambda _tell: game_section(ask, at)


def _inputs(ask: DesignAsk, name: str) -> str:
    inputs = {
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
    return hash_of_inputs(inputs)
