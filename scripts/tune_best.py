"""Tune the strongest policy of every game, edition and number of players; writes data/best.json.

Those of cards and dice are tuned against themselves: the best parameters against the policy at
hand become the policy at hand, until they stay or ROUNDS are over. Of those that the last race did
not tell from the winner, the one that is worth most against the plain policy named in `PLAIN` is
taken: people are no copies of it. What is reported is its share against that plain policy, on games
that no search has played.

    python scripts/tune_best.py --games 60000 --seed 1
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from lama_odds import __version__
from lama_odds.analysis.tune import measure, tune
from lama_odds.core.files import write_whole
from lama_odds.core.policies import Policy
from lama_odds.games.best import POINTS, WIN
from lama_odds.games.registry import GAMES, game_of

DATA = Path(__file__).resolve().parent.parent / "data" / "best.json"
ROUNDS = 3
# By game: the family for winning and where to start, what points are played with (None: tuned
# too), and the plain policy it is measured against.
FAMILY = {"lama": "meanfield", "dice": "meanfield", "pikomino": "lead", "noprob": "planner"}
START = {
    "lama": "meanfield:out=5",
    "dice": "meanfield:out=5",
    "pikomino": "lead:50",
    "noprob": "planner:chase=40,lead=6,deny=18,haste=6",
}
# Games whose start is tuned for each number of players. Pikomino's is played with any number (found
# for two with `lama-odds tune`: more take hours, and their plateau is wide), and it is measured.
TUNED = ("lama", "dice", "noprob")
FOR_POINTS = {"lama": "meanfield", "dice": "meanfield", "pikomino": "optimal-turn"}
PLAIN = {
    "lama": "matching:2",
    "dice": "threshold:2",
    "pikomino": "optimal-turn",
    "noprob": "greedy",
}
ALIKE = {"gigamic": "amigo"}  # editions that play alike (tested): tuned once
GAMES_FACTOR = {"pikomino": 0.02, "noprob": 0.05}  # slower games, fewer of them


def best_of(
    game: Any, rules: Any, players: int, objective: str, games: int, seed: int, known: str
) -> dict[str, Any]:
    """The policy that is best against itself, as far as the rounds go, and what it is worth.

    known: found before with the same games and seed; it is only measured.
    """
    family = next(f for f in game.families if f.name == FAMILY[game.name])
    policy: Policy = game.policy(known or START[game.name])
    plain = game.policy(PLAIN[game.name])
    seen = [policy.name]
    plateau: list[Policy] = []
    for number in range(0 if known or game.name not in TUNED else ROUNDS):
        found = tune(
            game,
            rules,
            family,
            players,
            objective=objective,
            against=policy,
            games=games,
            seed=seed + number,
            start=policy,
        )
        policy = game.policy(found.policy)
        plateau = [game.policy(tried.policy) for tried in found.plateau]
        if found.policy in seen:
            break
        seen.append(found.policy)
    if len(plateau) > 1:
        worth = [
            measure(game, rules, players, objective, plain, one, games, seed + ROUNDS).value
            for one in plateau
        ]
        policy = plateau[worth.index((max if objective == WIN else min)(worth))]
    value = measure(game, rules, players, objective, plain, policy, games, seed)
    print(f"{rules.id} {players} {objective}: {policy.name} {value.value:.4f}", flush=True)
    return {
        "policy": policy.name,
        "against": plain.name,
        "value": round(value.value, 5),
        "stderr": round(value.stderr, 5),
    }


def main() -> None:
    """Tune all and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="one game; the others stay as they are")
    parser.add_argument("--keep", action="store_true", help="keep what the file has measured")
    args = parser.parse_args()
    best: dict[str, Any] = {}
    if DATA.is_file():
        best = json.loads(DATA.read_text(encoding="utf-8"))["best"]
    for name in GAMES:
        if args.only not in ("", name):
            continue
        game = game_of(name)
        games = int(args.games * GAMES_FACTOR.get(name, 1))
        for edition in game.editions:
            rules = game.rules(f"{name}/{edition}")
            if edition in ALIKE:
                best[name][edition] = best[name][ALIKE[edition]]
                continue
            for players in rules.players:
                there = best.setdefault(name, {}).setdefault(edition, {})
                found = there.get(str(players), {}) if args.keep else {}
                for objective in (WIN, POINTS):
                    if objective == POINTS and name in FOR_POINTS:
                        found[POINTS] = {"policy": FOR_POINTS[name]}
                    elif "value" not in found.get(objective, {}):
                        known = found.get(objective, {}).get("found", "")
                        found[objective] = best_of(
                            game, rules, players, objective, games, args.seed, known
                        )
                there[str(players)] = found
                write(best, args.games, args.seed, args.keep)


def write(best: dict[str, Any], games: int, seed: int, keep: bool) -> None:
    """The file, after every step: a run that was stopped goes on with --keep."""
    kept = (
        "; made with --keep: policies that earlier runs, also of earlier versions of the search, "
    )
    kept += "had found were kept, and measured with these games and this seed"
    manifest = {
        "what": "the strongest policies known; value: of one among players of `against`, every "
        "seat in turn, on games that no search has played (win: share; points: of a round)"
        + kept
        * keep,
        "command": f"python scripts/tune_best.py --games {games} --seed {seed}" + " --keep" * keep,
        "version": __version__,
        "games": games,
        "seed": seed,
    }
    write_whole(DATA, json.dumps({"manifest": manifest, "best": best}, indent=1) + "\n")


if __name__ == "__main__":
    main()
