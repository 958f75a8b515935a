"""Positions to train with: data/drills.json.

Games of the best policy and of people-like ones give positions. A drill is a position at which a
people-like policy errs and one action is clearly best at 99 %. Drills are balanced over verdicts
and over how much the usual error costs. The first positions of all are kept as they come, clear or
not: on these the test of skill states a cost per decision. A stopped run resumes by game.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import lama_odds
from lama_odds.analysis.advice.rollouts import moments_of
from lama_odds.analysis.coach.drills import DRILLS, Drill, drill_from, drill_of, is_right, level_of
from lama_odds.core.files import write_whole
from lama_odds.core.plain import plain
from lama_odds.core.reading import data_json, read_json
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import query_of, recorded_of
from lama_odds.statistics.intervals import FEWEST
from tools.publishing.target import ANSWERS, Making, Target
from tools.publishing.target import POLICIES as DATA
from tools.study.reasons import TABLES, positions

RANDOM = 1 << 63
MOST_TRIED = 60  # positions for each drill that is wanted
# Games, and standard errors by which the best policy's action has to be ahead in them.
LOOKS = (FEWEST, 1.5), (4 * FEWEST, 2.5)


def people_like(game: AnyGame) -> list[str]:
    """Return the policies whose errors people make."""
    strong = {game.best_policy(game.rules(TABLES[game.name][0]), 2).name, "random"}
    return [name for name in dict.fromkeys((game.casual, *game.league)) if name not in strong]


def as_text(game: AnyGame, every: Iterator[Any]) -> Iterator[Any]:
    """Yield rule sets and positions as they are written, without the past of the round."""
    for rules, decision in every:
        yield rules, game.position(rules, decision.position.format())


def objective_of(game: AnyGame) -> str:
    """Return what drills count: winning the game, or the round where only that has a value."""
    return "round" if "round" in game.objectives else "win"


def decided(game: AnyGame, rules: Any, position: Any) -> tuple[str, ...]:
    """Return what the best policy does, then what people-like ones do otherwise."""
    best = game.best_policy(rules, position.players)
    policies = [best, *map(game.policy, people_like(game))]
    situation = Situation(0, position)
    query = query_of(game)
    players = [query.player(rules, policy, position.players) for policy in policies]
    return tuple(dict.fromkeys(player.decides(situation, RANDOM) for player in players))


def promising(
    game: AnyGame, rules: Any, position: Any, objective: str, actions: tuple[str, ...]
) -> bool:
    """Return whether a few games leave hope that people-like policies err.

    actions: of `decided`. Where games are quick this is not looked at: all of them are played.
    """
    if recorded_of(game).fewer == 1:
        return True
    counts = game.objectives[objective]
    policies = [game.best_policy(rules, position.players)] * position.players
    for games, errors in LOOKS:
        effort = Effort(games, only=actions)
        job = game.rollouts(rules, position, policies, counts.whole_game, objective, effort)
        moments = moments_of(job, counts, games, 1, 0)
        at = {name: number for number, name in enumerate(job.actions)}
        first, *others = (at[name] for name in actions)
        behind = [
            moments.difference(first, other) if counts.higher else moments.difference(other, first)
            for other in others
        ]
        if not any(gap.value > max(counts.zone, errors * gap.stderr) for gap in behind):
            return False
    return True


def errors_at(game: AnyGame, rules: Any, position: Any, drill: Drill) -> list[float]:
    """Return what the answers of people-like policies cost where they are wrong."""
    costs = []
    for name in people_like(game):
        player = query_of(game).player(rules, game.policy(name), position.players)
        action = player.decides(Situation(0, position), RANDOM)
        choice = drill.choice(action)
        if not is_right(choice, game.objectives[drill.objective]):
            costs.append(choice.cost)
    return costs


class Part:
    """What a stopped run has left of a game: its usual decisions and drills.

    after: positions that were looked at.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        nothing: dict[str, Any] = {"usual": [], "found": [], "after": 0}
        left = read_json(path) if path.exists() else nothing
        self.usual = [drill_from(drill) for drill in left["usual"]]
        self.found = [drill_from(drill) for drill in left["found"]]
        self.after: int = left["after"]

    def write(self, usual: Sequence[Drill], drills: Sequence[Drill], after: int) -> None:
        """Keep this."""
        left = {"usual": plain(usual), "found": plain(drills), "after": after}
        write_whole(self.path, json.dumps(left))


def drills_of(name: str, making: Making) -> dict[str, list[dict[str, Any]]]:
    """Return the drills and the usual decisions of a game, as plain values."""
    game = game_of(TABLES[name][0])
    part, objective = Part(making.work / f"drills-{name}.json"), objective_of(game)
    every = enumerate(as_text(game, positions(game, making["seed"])))
    usual = part.usual or list(usual_of(game, every, making["usual"]))
    making.tell(f"{name}: {len(usual)} usual decisions")
    drills, wanted = part.found, making["drills"]
    verdicts = Counter(drill.best.split()[0] for drill in drills)
    seen = {drill.id for drill in drills}
    for number, (rules, position) in islice(every, part.after, None):
        if len(drills) >= wanted or number >= MOST_TRIED * wanted:
            break
        actions = decided(game, rules, position)
        if len(actions) < 2 or not promising(game, rules, position, objective, actions):
            continue
        drill = drill_of(game, rules, position, objective, why=False, seen=False)
        if drill is None or drill.id in seen:
            continue
        kind = drill.best.split()[0]
        # No kind of verdict gets more than half as much again as its even share of what is there.
        # Kinds beyond the fourth are rare and do not count.
        if len(drills) >= 20 and verdicts[kind] > 1.5 * len(drills) / min(4, len(verdicts)):
            continue
        lost = errors_at(game, rules, position, drill)
        if not lost:
            continue
        whole = drill_of(game, rules, position, objective)
        if whole is None:
            continue
        seen.add(drill.id)
        verdicts[kind] += 1
        level = level_of(lost, game.objectives[objective])
        drills.append(Drill(**{**whole.__dict__, "level": level}))
        part.write(usual, drills, number + 1)
        if len(drills) % 20 == 0:
            making.tell(f"{name}: {len(drills)} drills of {number + 1} positions")
    order = {"easy": 0, "medium": 1, "hard": 2}
    drills.sort(key=lambda d: (order[d.level], -d.choices[1].cost))
    making.tell(f"{name}: {len(drills)} drills, {dict(verdicts)}")
    return {"drills": plain(drills), "usual": plain(usual)}


def usual_of(game: AnyGame, every: Iterator[Any], wanted: int) -> Iterator[Drill]:
    """Yield decisions as they come in games, clear or not."""
    count = 0
    for _, (rules, position) in every:
        objective = objective_of(game)
        drill = drill_of(game, rules, position, objective, why=False, only_clear=False)
        if drill is not None:
            yield drill
            count += 1
        if count >= wanted:
            return


def make(making: Making) -> None:
    """Make the drills of all games, or what a stopped run has left, and write the file."""
    part = making.work / DRILLS
    done: dict[str, Any] = read_json(part) if part.exists() else {}
    for name in TABLES:
        if making["only"] and name != making["only"]:
            shipped = data_json(DRILLS)
            done[name] = {kind: shipped[kind].get(name, []) for kind in ("drills", "usual")}
        elif name not in done:
            done[name] = drills_of(name, making)
            write_whole(part, json.dumps(done))
    manifest = {
        "what": "positions to train with, easy ones first, and usual decisions as games bring "
        "them; costs in the unit of the objective with 95 % intervals",
        "command": making.command,
        "seed": making["seed"],
        "version": lama_odds.__version__,
    }
    content = {
        "manifest": manifest,
        "drills": {name: done[name]["drills"] for name in TABLES},
        "usual": {name: done[name]["usual"] for name in TABLES},
    }
    making.write(f"data/{DRILLS}", lines_of(content))


def lines_of(content: dict[str, Any]) -> str:
    """Return the JSON with a line for each drill."""
    parts = [f'"manifest": {json.dumps(content["manifest"])}']
    for kind in ("drills", "usual"):
        games = [
            f'"{name}": [\n' + ",\n".join(json.dumps(drill) for drill in drills) + "\n]"
            for name, drills in content[kind].items()
        ]
        parts.append(f'"{kind}": {{\n' + ",\n".join(games) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


TARGET = Target(
    name="drills",
    what="positions to train with, and usual decisions for the test of skill",
    make=make,
    writes=(f"data/{DRILLS}",),
    reads=(*DATA, *ANSWERS, "data/best_play/manifest.json"),
    options={"drills": 160, "usual": 60, "seed": 11, "only": ""},
    quick={"drills": 4, "usual": 4},
)
