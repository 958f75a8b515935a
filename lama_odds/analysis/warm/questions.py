"""Typical questions about a rule set: between them they need what its commands compile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.odds import odds
from lama_odds.analysis.simulate import simulate
from lama_odds.analysis.thresholds.by_score import game_thresholds
from lama_odds.analysis.thresholds.thresholds import thresholds
from lama_odds.core.checks import default_players
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import built_in, game_of
from lama_odds.games.shared.decisions import decisions
from lama_odds.statistics.anytime import FEWEST

ADVISE, ODDS, SIMULATE, THRESHOLDS = "advise", "odds", "simulate", "thresholds"
# Of simulate: rounds, or two-player games; of thresholds and advise: the whole game.
ROUNDS, TWO, WIN = "rounds", "two", "win"
PLAY_OUT = "win, played out"  # where advice would look scores up, without that
AFTER = "--after"  # of odds: a record
SOME_PLAYERS = 3  # of that record
FEW_GAMES = 64
SOME_GAMES, SOME_ROUNDS = 400, 4_000  # enough for thresholds


@dataclass(frozen=True)
class Question:
    """A command with its rule set; text: the position, or what else the command is about.

    aim: WIN or PLAY_OUT if advice is wanted for the whole game.
    """

    command: str
    rules: str
    text: str = ""
    aim: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.command, self.rules, self.text, self.aim)))


def built_in_rules() -> list[str]:
    """Return the ids of all built-in rule sets."""
    return [f"{game.name}/{edition}" for game in built_in() for edition in game.editions]


def typical_questions(rules: Sequence[str]) -> list[Question]:
    """Return the questions that these rule sets are warmed up with, those of a rule set together.

    Raises ReadError for a rule set that there is not.
    """
    found: list[Question] = []
    for name in rules:
        game = game_of(name)
        positions = game.typical or (game.example,)
        game.rules(name)
        # What takes longest comes first, so that no process is left alone with it at the end.
        found += [Question(SIMULATE, name)]
        found += [Question(ADVISE, name, position) for position in positions]
        # Whole games have a kernel of their own, and so may the best policy for two.
        aims = (WIN, PLAY_OUT) if game.has_rounds else ()
        found += [Question(ADVISE, name, positions[0], aim) for aim in aims]
        found += [Question(SIMULATE, name, TWO)]
        found += [Question(THRESHOLDS, name, WIN)] if game.has("game_forks") else []
        found += [Question(THRESHOLDS, name)] if _has_thresholds(game) else []
        found += [Question(SIMULATE, name, ROUNDS)] if game.has_rounds else []
        found += [Question(ODDS, name, position) for position in positions]
        found += [Question(ODDS, name, AFTER)] if game.has("held_by_others") else []
    return found


def ask(question: Question) -> None:
    """Answer a question in few games; raises LamaOddsError if these rules have no such answer."""
    game = game_of(question.rules)
    rules = game.rules(question.rules)
    if question.command == ADVISE:
        limits = Limits(games=FEWEST, threads=1)
        position = game.position(rules, question.text)
        objective = WIN if question.aim else None
        look_up = question.aim != PLAY_OUT
        advise(game, rules, position, objective=objective, limits=limits, look_up=look_up)
        return
    if question.command == ODDS and question.text == AFTER:
        policies = [game.best_policy(rules, SOME_PLAYERS)] * SOME_PLAYERS
        record = game.record(rules, policies, 0, 0, True)
        odds(game, rules, decisions(game, rules, record)[-1].position)
        return
    if question.command == ODDS:
        odds(game, rules, game.position(rules, question.text))
        return
    players = min(rules.players) if question.text == TWO else default_players(rules)
    if question.command == SIMULATE:
        policies = [game.best_policy(rules, players)] * players
        simulate(game, rules, policies, FEW_GAMES, rounds=question.text == ROUNDS, threads=1)
    elif question.text == WIN:
        game_thresholds(game, rules, players, games=SOME_GAMES, threads=1)
    else:
        thresholds(game, rules, players, games=SOME_ROUNDS, threads=1)


def _has_thresholds(game: AnyGame) -> bool:
    return game.has("forks") or game.has("exact_tables")
