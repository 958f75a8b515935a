"""What a decision of each policy of a short list costs on average: data/ratings.json.

Policies of a list play each other, seats in turn. In each game some decisions of every seat are
reviewed, chosen at random among those with a choice. Results for a rule set and number of players
are kept at once, and a stopped run resumes after them. `--set only=pikomino` measures one game and
leaves the others unchanged.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from random import Random
from typing import Any

import lama_odds
from lama_odds.analysis.coach.grades import measured
from lama_odds.analysis.coach.review import Grader, games_for, grade_in_stages
from lama_odds.analysis.policy_files import named_policy
from lama_odds.core.files import write_whole
from lama_odds.core.reading import data_json, read_json
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions, query_of
from tools.publishing.target import ANSWERS, Making, Target
from tools.publishing.target import POLICIES as DATA

RATINGS = "ratings.json"
POLICIES = {
    "lama": "best,matching:4,threshold:5,threshold:12,random",
    "dice": "best,threshold:5,threshold:12,threshold:20,random",
    "pikomino": "optimal-turn,best,first-tile,random",
    "noprob": "best,greedy,random",
}
RULES = (
    *("dice/amigo", "lama/egmont", "lama/party", "pikomino/egmont", "noprob/starnberger"),
    "dice/egmont",
)
PLAYERS = (2, 4)
# In No Prob-Lama a weak player is soon so far behind that no decision changes the chance to win:
# mean costs under that objective do not separate policies. Elsewhere: what a review asks itself.
OBJECTIVES = {"noprob": "points"}
# Part of the games: reviews take long.
PART = {"noprob": 0.5, "pikomino": 2.0}


def errors_of(
    game: Game[R, P], rules: R, players: int, games: int, most: int, seed: int
) -> tuple[str, dict[str, list[list[float]]]]:
    """The objective of the reviews, and what the decisions of every policy cost, by game."""
    names = POLICIES[game.name].split(",")
    policies = [named_policy(game, rules, name, players) for name in names]
    actions = query_of(game).legal_actions
    lost: dict[str, list[list[float]]] = {name: [] for name in names}
    objective = OBJECTIVES.get(game.name, "")
    for number in range(games):
        seated = [(number + seat) % len(names) for seat in range(players)]
        text = game.record(rules, [policies[at] for at in seated], seed, number, False)
        taken = decisions(game, rules, text)
        objective = objective or game.default_objective(rules, taken[0].position)
        grader = Grader(game, rules, objective, None, games_for(game, objective), None, 0)
        for seat, at in enumerate(seated):
            own = [d for d in taken if d.seat == seat and len(actions(rules, d.position)) > 1]
            chosen = Random(f"{seed}/{number}/{seat}").sample(own, min(most, len(own)))
            lost[names[at]].append([grade_in_stages(grader, d).error.value for d in chosen])
    return objective, lost


def rating(text: str, players: int, making: Making) -> dict[str, list[dict[str, Any]]]:
    """What decisions of policies cost in a rule set, by objective."""
    game = game_of(text)
    rules = game.rules(text)
    games = max(2, int(making["games"] * PART.get(game.name, 1)))
    objective, lost = errors_of(game, rules, players, games, making["decisions"], making["seed"])
    rated = [asdict(measured(name, errors)) for name, errors in lost.items()]
    summary = ", ".join(f"{r['policy']} {r['mean']:.4f} ± {r['stderr']:.4f}" for r in rated)
    making.tell(f"{text} {players} {objective}: {summary}")
    return {objective: rated}


def make(making: Making) -> None:
    """Measure all, or what a stopped run has left, and write the file."""
    part = making.work / "ratings.json"
    ratings: dict[str, Any] = read_json(part) if part.exists() else {}
    for text in RULES:
        if not text.startswith(making["only"]):
            ratings[text] = data_json(RATINGS)["ratings"][text]
            continue
        for players in PLAYERS:
            by_players = ratings.setdefault(text, {})
            if str(players) not in by_players:
                by_players[str(players)] = rating(text, players, making)
                write_whole(part, json.dumps(ratings))
    manifest = {
        "what": "mean cost of a decision (where there was a choice) of each policy in games of "
        "these policies, by rule set, players and objective; stderr over games",
        "command": making.command,
        "games": making["games"],
        "decisions_of_a_seat": making["decisions"],
        "seed": making["seed"],
        "version": lama_odds.__version__,
    }
    content = {"manifest": manifest, "ratings": ratings}
    making.write(f"data/{RATINGS}", json.dumps(content, indent=1) + "\n")


TARGET = Target(
    name="ratings",
    what="what a decision of each policy costs, for reviews to compare with",
    make=make,
    writes=(f"data/{RATINGS}",),
    reads=(*DATA, *ANSWERS, "data/best_play/manifest.json"),
    options={"games": 40, "decisions": 4, "seed": 7, "only": ""},
    quick={"games": 10, "decisions": 1},
)
