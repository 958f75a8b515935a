"""Which sections a report has, what each depends on, and how it is made; its story in words."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

import lama_odds
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.drills import DRILLS, Choice, Drill, collection
from lama_odds.analysis.coach.grades import RATINGS
from lama_odds.analysis.policy_files import PublishedCard, published_card
from lama_odds.analysis.strategy_report.by_game import own
from lama_odds.analysis.strategy_report.by_game.own import Made, Make
from lama_odds.analysis.strategy_report.document import HOOK, PLAYED, RULE, SAMPLED, Ask, Section
from lama_odds.analysis.strategy_report.sections import exact, games, rounds, variants
from lama_odds.analysis.thresholds.answer import small
from lama_odds.analysis.thresholds.thresholds import BAND
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.reading import MOST_BYTES, read_bytes
from lama_odds.core.wording import capital, size_with_error, with_unit
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.shared.decisions import decisions, is_turn, query_of, recorded_of
from lama_odds.statistics.intervals import FEWEST

PACKAGE = Path(lama_odds.__file__).resolve().parent
# What answers are made of; the layers above only show them.
SOURCES = ("core", "jit", "luck", "games", "simulation", "statistics", "analysis")
DATA = (".json", ".npy")
FOR_COACH = (RATINGS, DRILLS)  # which only reviews and training use


@dataclass(frozen=True)
class Planned:
    """A section to be made. weight: its part of the time, roughly."""

    name: str
    inputs: str
    weight: float
    make: Make


def planned(ask: Ask) -> list[Planned]:
    """The sections of a rule set, in the order of the page."""
    sections: list[Made] = [
        (HOOK, 0.2, lambda tell: hook_section(ask)),
        (RULE, 0.1, lambda tell: rule_section(ask)),
        (PLAYED, 0.1, lambda tell: played_section(ask)),
    ]
    if _has_game_forks(ask):
        sections.append(("thresholds_win", 6.0, lambda tell: rounds.win_section(ask, tell)))
    if _has_forks(ask):
        sections.append(("thresholds", 5.0, lambda tell: rounds.thresholds_section(ask, tell)))
    tables = {table.name: table for table in ask.game.exact_tables(ask.rules, ask.players)}
    sections += own.of_hands(ask)
    if "last_player" in tables:
        rows = tables["last_player"]
        sections.append(("last_player", 0.2, lambda tell: exact.last_player_section(rows)))
    sections += own.of_turns(ask, tables)
    sections += own.of_the_game(ask)
    sections += [
        ("costs", 4.0, lambda tell: games.costs_section(ask, tell)),
        ("seats", 2.0, lambda tell: games.seats_section(ask, tell)),
        ("league", 5.0, lambda tell: games.league_section(ask, tell)),
    ]
    if len(variants.variants_of(ask)) > 1:
        sections.append(("variants", 3.0, lambda tell: variants.variants_section(ask, tell)))
    sections += own.of_pairings(ask)
    if not ask.game.no_deal:
        sections.append(("deal", 0.2, lambda tell: exact.deal_section(ask)))
    return [Planned(name, inputs_of(ask, name), weight, make) for name, weight, make in sections]


def _has_forks(ask: Ask) -> bool:
    policy = ask.game.best_policy(ask.rules, ask.players, "points")
    chances = np.ones(ask.game.most_points(ask.rules) + 1, dtype=np.int64)
    return ask.game.forks(ask.rules, [policy] * ask.players, chances) is not None


def _has_game_forks(ask: Ask) -> bool:
    policies = [ask.game.best_policy(ask.rules, ask.players)] * ask.players
    return ask.game.game_forks(ask.rules, policies, None, BAND) is not None


def inputs_of(ask: Ask, name: str) -> str:
    """A hash of all that a section depends on: the question, and the code that answers it."""
    if name == HOOK:  # shipped positions are not part of the code
        name = f"{name} {shipped(ask)}"
    best = [ask.game.best_policy(ask.rules, ask.players, o).name for o in ("win", "points")]
    inputs: dict[str, Any] = {
        "section": name,
        "rules": ask.rules.id,
        "players": ask.players,
        "precision": ask.budget.precision,
        "seed": ask.seed,
        "best": best,
        "code": code_hash(),
    }
    return hash_of_inputs(inputs)


def hash_of_inputs(inputs: dict[str, Any]) -> str:
    """A hash of plain values by name."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


@cache
def code_hash() -> str:
    """A hash of the package's code below the reports, and of its data but what is for the coach."""
    digest = hashlib.sha256(lama_odds.__version__.encode())
    files = [path for layer in SOURCES for path in (PACKAGE / layer).rglob("*.py")]
    for folder in (PACKAGE / "data", PACKAGE.parent / "data"):
        if (folder / "best.json").is_file():
            paths = (path for path in folder.rglob("*") if path.suffix in DATA)
            files += [path for path in paths if path.name not in FOR_COACH]
            break
    for path in sorted(files, key=lambda path: path.as_posix()):
        digest.update(path.name.encode() + b"\0" + read_bytes(path, MOST_BYTES))
    return digest.hexdigest()


# What a page begins with: a hand from the table, the rule to play by, a round followed through.

LOOKED_AT = 4  # decisions of a round of which the most costly is shown
GAMES = 8_192  # that value the actions of each
ROUNDS, TURNS = 10, 16  # of this many rounds the one with about this many turns is followed
ENOUGH = 0.8  # of an even share of wins: the rule of a card that wins as much is a page's title


def shipped(ask: Ask) -> Drill | None:
    """Return the published position with the most surprising answer, one that its card gives."""
    card = published_card(ask.game, ask.rules, ask.players)
    policy = card and ask.game.policy(card.policy)
    player = policy and query_of(ask.game).player(ask.rules, policy, ask.players)
    drills = []
    for drill in collection(ask.game.name):
        if drill.rules == ask.rules.id:
            position = ask.game.position(ask.rules, drill.position)
            if position.players == ask.players:
                given = player and player.decides(Situation(0, position), 0) == drill.best
                drills.append((bool(given), _surprise(drill), drill))
    return max(drills, key=itemgetter(0, 1), default=(False, (), None))[2]


def _surprise(drill: Drill) -> tuple[bool, int, float]:
    """Whether the second best seems better to some; how many reasons there are; what it costs."""
    second = drill.choices[1]
    return any(cost < 0 for cost in second.seen.values()), len(drill.why), second.cost


def hook_section(ask: Ask) -> Section | None:
    """A position, what is best there and what the next best costs; None if none is clear."""
    drill = shipped(ask) or _from_play(ask)
    if drill is None:
        return None
    counts = ask.game.objectives[drill.objective]
    position = ask.game.position(ask.rules, drill.position)
    best, second = drill.choices[:2]
    apart = Estimate.from_interval(second.cost, 0.0, second.low, second.high, GAMES)
    cost = with_unit(size_with_error(apart, 100 if counts.share else 1), counts.cost_unit)
    return Section(
        HOOK,
        "At the table",
        EXACT if drill.made == EXACT else SAMPLED,
        drill.position,
        text=(
            f"{capital(ask.game.in_words(ask.rules, position))}.",
            f"“{capital(best.action)}” is best. “{capital(second.action)}” costs you {cost}.",
            *drill.why,
        ),
    )


def _from_play(ask: Ask) -> Drill | None:
    """The most costly of the first decisions of a round; None if none is clear."""
    if ask.game.recorded() is None or ask.game.policy_query() is None:
        return None
    games = max(FEWEST, GAMES // recorded_of(ask.game).fewer)
    limits = Limits(games=games, threads=ask.threads, learned=True)
    text = record_of(ask, 0)
    drills: list[Drill] = []
    for decision in decisions(ask.game, ask.rules, text)[:LOOKED_AT]:
        position = decision.position
        counts = ask.game.default_objective(ask.rules, position)
        advice = advise(ask.game, ask.rules, position, objective=counts, limits=limits, brief=True)
        if advice.verdict == advice.best and len(advice.actions) > 1:
            costs = [(action.action, action.regret) for action in advice.actions]
            choices = tuple(Choice(name, e.value, e.low, e.high) for name, e in costs)
            made = EXACT if advice.method == EXACT else games
            drills.append(Drill(ask.rules.id, position.format(), counts, choices, made))
    return max(drills, key=_surprise, default=None)


def rule_section(ask: Ask) -> Section:
    """The card of rules that was played, and what it wins; that there is none."""
    card = published_card(ask.game, ask.rules, ask.players)
    title = "The rule to play by"
    if card is None:
        missing = "No card of rules has been played for this rule set and number of players."
        return Section(RULE, title, SAMPLED, missing)
    return Section(
        RULE,
        title,
        SAMPLED,
        f"This comes from {card.wins.n:,} games, every seat in turn. The card is written "
        f"{card.policy}; the strong players are {card.best}.",
        headlines=(" ".join(card.lines), card.said),
        text=card.lines,
        lead=_in_short(card),
    )


def _in_short(card: PublishedCard) -> str:
    """The first rule of a card, with the other case; if it wins little, that it does."""
    if card.wins.value * card.players < ENOUGH:
        share, even = size_with_error(card.wins, 100), 100 / card.players
        return (
            f"The rule below wins {share} % of games among strong players; an even share is "
            f"{even:.0f} %."
        )
    first, *others = card.lines
    if others and others[0].startswith("Otherwise"):
        return f"{first.removesuffix('.')}; {small(others[0])}"
    return first


def played_section(ask: Ask) -> Section:
    """A round of strong players as its record: of the first ones, one that is not too long."""
    rounds = ask.game.has_rounds
    records = [record_of(ask, at) for at in range(ROUNDS if rounds else 1)]
    turns = [sum(map(is_turn, record.splitlines())) for record in records]
    chosen = min(range(len(records)), key=lambda at: abs(turns[at] - TURNS))
    best = ask.game.best_policy(ask.rules, ask.players)
    which = f"Round {chosen + 1} of seed {ask.seed}" if rounds else f"A game of seed {ask.seed}"
    return Section(
        PLAYED,
        "One round, followed through" if rounds else "The first turns of a game",
        SAMPLED,
        f"{which}. All players play the strongest policy known ({best.name}).",
        text=tuple(records[chosen].splitlines()),
    )


def record_of(ask: Ask, game: int) -> str:
    """Return the record of a round (of a game without rounds: the whole game) of strong players."""
    best = ask.game.best_policy(ask.rules, ask.players)
    policies = [best] * ask.players
    return ask.game.record(ask.rules, policies, ask.seed, game, ask.game.has_rounds)
