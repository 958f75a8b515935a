"""What a decision of each policy of a short list loses on average: data/ratings.json.

    .venv/bin/python scripts/publish_ratings.py --games 200 --decisions 6 --seed 7

Policies of a list play each other, seats in turn; of each game some decisions of every seat are
reviewed, chosen at random among those where there was a choice. The file is written after every
rule set and number of players; --only goes on with one game.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import lama_odds
from lama_odds.analysis.coach.ratings import measured
from lama_odds.analysis.coach.review import Asked, games_for, grade_in_stages
from lama_odds.analysis.policy_files import named_policy
from lama_odds.core.files import write_whole
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions

DATA = Path(__file__).resolve().parent.parent / "data" / "ratings.json"
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
# mean losses under that objective do not tell policies apart. Elsewhere: what a review asks itself.
OBJECTIVES = {"noprob": "points"}
# Part of the games: reviews take long.
PART = {"noprob": 0.5, "pikomino": 2.0}


def errors_of(
    game: Game[R, P], rules: R, players: int, games: int, most: int, seed: int
) -> tuple[str, dict[str, list[list[float]]]]:
    """The objective of the reviews, and of every policy what decisions lost, game by game."""
    names = POLICIES[game.name].split(",")
    policies = [named_policy(game, rules, name, players) for name in names]
    actions = importlib.import_module(
        f"lama_odds.games.{game.name}.records.live_turn"
    ).legal_actions
    lost: dict[str, list[list[float]]] = {name: [] for name in names}
    objective = OBJECTIVES.get(game.name, "")
    for number in range(games):
        seated = [(number + seat) % len(names) for seat in range(players)]
        text = game.record(rules, [policies[at] for at in seated], seed, number, False)
        found = decisions(game, rules, text)
        objective = objective or game.default_objective(rules, found[0].position)
        asked = Asked(game, rules, objective, None, games_for(game, objective), None, 0)
        for seat, at in enumerate(seated):
            own = [d for d in found if d.seat == seat and len(actions(rules, d.position)) > 1]
            chosen = Random(f"{seed}/{number}/{seat}").sample(own, min(most, len(own)))
            lost[names[at]].append([grade_in_stages(asked, d).error.value for d in chosen])
    return objective, lost


def write(ratings: dict[str, Any], args: argparse.Namespace) -> None:
    """The file, whole."""
    manifest = {
        "what": "mean loss of a decision (where there was a choice) of each policy in games of "
        "these policies, by rule set, players and objective; stderr by games",
        "command": f"python scripts/publish_ratings.py --games {args.games} "
        f"--decisions {args.decisions} --seed {args.seed}",
        "games": args.games,
        "decisions_of_a_seat": args.decisions,
        "seed": args.seed,
        "version": lama_odds.__version__,
    }
    write_whole(DATA, json.dumps({"manifest": manifest, "ratings": ratings}, indent=1) + "\n")


def main() -> None:
    """Measure all and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--decisions", type=int, default=6, help="of each seat of a game")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default="", help="one rule set; the others stay as they are")
    args = parser.parse_args()
    ratings: dict[str, Any] = {}
    if args.only and DATA.is_file():
        ratings = json.loads(DATA.read_text(encoding="utf-8"))["ratings"]
    for text in RULES:
        if args.only not in ("", text):
            continue
        game = game_of(text)
        rules = game.rules(text)
        for players in PLAYERS:
            games = max(2, int(args.games * PART.get(game.name, 1)))
            objective, lost = errors_of(game, rules, players, games, args.decisions, args.seed)
            rated = [asdict(measured(name, errors)) for name, errors in lost.items()]
            ratings.setdefault(text, {})[str(players)] = {objective: rated}
            write(ratings, args)
            told = ", ".join(f"{r['policy']} {r['mean']:.4f} ± {r['stderr']:.4f}" for r in rated)
            print(f"{text} {players} {objective}: {told}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
