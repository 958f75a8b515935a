"""Tune the strongest policy of every game, edition and number of players.

If a policy is tuned against itself alone, a plain policy that it never faced can beat it. With two
players the best answer to a policy is often bad against a third. So a pool of policies is kept. In
every round, `tune` finds the best answer of each family to the policy in the pool that is hardest
to beat, and the answers join the pool.

The hardest policy to beat is the one whose worst result is best: against any other among its
players, and among players of any other of its family. The final choice is among those that are hard
to beat within `NEAR`. It is the one that wins most among players of the rule of thumb against which
it wins least, because people do not copy its policy.

Two values are reported: its win rate against the plain policy named in `PLAIN`, and that of the
best answer to it in the pool. Both come from games that no search and no choice has played.

A learned policy is the best only if it surely wins more than its share among players of the policy
in `INSTEAD`, for this number of players. Otherwise that one is.

Where a policy of cards or dice is trained, it is the best if no answer beats it. The best of the
tuned ones then plays under options.

Results for a number of players are kept at once, and a stopped run resumes after them. `--set
only=dice` tunes one game and leaves the others unchanged. `--set tune=0` keeps what was tuned
before, and only asks again whether the trained policies of cards and dice are the best.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lama_odds import __version__
from lama_odds.analysis.tune.tune import measure, tune
from lama_odds.core.estimate import Estimate
from lama_odds.core.files import write_whole
from lama_odds.core.policies import Policy
from lama_odds.core.reading import data_json, read_json
from lama_odds.games.dice.engine import trained as trained_dice
from lama_odds.games.interface.best import BEST, OTHERWISE, POINTS, WIN
from lama_odds.games.lama.policies import trained as trained_cards
from lama_odds.games.registry import GAMES, game_of
from lama_odds.games.shared.shipped_weights import LEARNED, suits
from lama_odds.simulation.run import Play
from tools.publishing.target import Making, Target

# By game: families that answer the hardest to beat, and the pool to begin with. For Pikomino and No
# Prob-Lama there is one policy for any number of players, found with `lama-odds tune` (for two and
# four): a search takes hours there. It is measured.
FAMILIES = {"lama": ("meanfield", "matching"), "dice": ("meanfield", "threshold")}
PLANNER = "planner:chase=40,lead=6,deny=18,haste=6"
FIRST = {
    "lama": (
        *("meanfield:out=5", "meanfield:out=1,ahead=8", "meanfield:out=1,ahead=10,lose=5"),
        *(f"matching:{most}" for most in (2, 5, 8)),
    ),
    "dice": (
        *("meanfield:out=5", "meanfield:even=2,ahead=4,behind=5"),
        "meanfield:even=2,ahead=4,behind=5,win=5,lose=10",
        *(f"threshold:{most}" for most in (2, 5, 8, 10)),
    ),
    "pikomino": ("learned", "lead:50"),
    "noprob": ("learned", PLANNER),
}
ROUNDS = {2: 6}  # by players
OTHER_ROUNDS = 2
INSTEAD = {"noprob": PLANNER, "pikomino": "lead:50"}  # for options that `learned` does not suit
FOR_POINTS = {"lama": "meanfield", "dice": "meanfield", "pikomino": "optimal-turn"}
PLAIN = {
    "lama": "matching:2",
    "dice": "threshold:2",
    "pikomino": "optimal-turn",
    "noprob": "greedy",
}
ALIKE = {"gigamic": "amigo"}  # editions that play alike (tested): tuned once
GAMES_FACTOR = {"pikomino": 0.3, "noprob": 0.2}  # slower games, fewer of them
NEAR = {2: 0.03}  # of the chance to win, by players: two exploit each other more than many do
OTHER_NEAR = 0.005
CHOICE = 1_000  # added to the seed for the games that choose within a pool
REPORT = 2_000  # and for those that are reported


class Pool:
    """Policies and what each is worth among players of every other, measured when asked."""

    def __init__(self, game: Any, rules: Any, players: int, games: int, seed: int) -> None:
        self.game, self.rules, self.players = game, rules, players
        self.games, self.seed = games, seed
        self.policies: list[Policy] = []
        self._shares: dict[tuple[str, str], float] = {}

    def add(self, policy: Policy) -> bool:
        """Add a policy; whether it is new."""
        if policy in self.policies:
            return False
        self.policies.append(policy)
        return True

    def measured(self, one: Policy, among: Policy, seed: int) -> Any:
        """What one is worth among players of another, as an estimate."""
        return measure(
            self.game, self.rules, self.players, WIN, among, one, self.games, self.seed + seed
        )

    def share(self, one: Policy, among: Policy) -> float:
        """The same for the choice, kept."""
        key = (one.name, among.name)
        if key not in self._shares:
            self._shares[key] = self.measured(one, among, CHOICE).value
        return self._shares[key]

    @property
    def candidates(self) -> list[Policy]:
        """Those of the main family; the others are rules of thumb."""
        return [p for p in self.policies if p.family == self.policies[0].family]

    def worst(self, policy: Policy) -> float:
        """The worst result of a candidate, against a fair share (see the top)."""
        fair = 1 / self.players
        gaps = [fair - self.share(other, policy) for other in self.policies if other != policy]
        gaps += [self.share(policy, other) - fair for other in self.candidates if other != policy]
        return min(gaps, default=0.0)

    def hardest(self) -> Policy:
        """The candidate whose worst result is best; of equals the first found."""
        return max(self.candidates, key=self.worst)

    def taken(self) -> Policy:
        """Of those nearly as hard to beat, the one that does most among rules of thumb."""
        if len(self.candidates) == 1:
            return self.candidates[0]
        rules = [policy for policy in self.policies if policy not in self.candidates]
        least = self.worst(self.hardest()) - NEAR.get(self.players, OTHER_NEAR)
        near = [policy for policy in self.candidates if self.worst(policy) >= least]
        return max(near, key=lambda p: min((self.share(p, rule) for rule in rules), default=0.0))


def best_of(
    game: Any, rules: Any, players: int, games: int, seed: int, first: Sequence[str], rounds: int
) -> dict[str, Any]:
    """The policy that is hardest to beat, and what it is worth.

    first: the pool to begin with. rounds: of finding answers.
    """
    pool = Pool(game, rules, players, games, seed)
    for name in first:
        pool.add(game.policy(name))
    families = [f for f in game.families if f.name in FAMILIES.get(game.name, ())]
    for number in range(rounds if families else 0):
        hardest = pool.hardest()
        answers = [
            game.policy(
                tune(
                    game,
                    rules,
                    family,
                    players,
                    against=hardest,
                    games=games,
                    play=Play(seed + number),
                    start=hardest if hardest.family == family else None,
                ).policy
            )
            for family in families
        ]
        if not any([pool.add(answer) for answer in answers]):
            break
    policy, former = pool.taken(), {}
    if game.name in INSTEAD:
        known = game.policy(INSTEAD[game.name])
        better = pool.measured(policy, known, REPORT)
        former = {"among": {"policy": known.name, "of": policy.name, **rounded(better)}}
        policy = policy if better.low > 1 / players else known
    plain = game.policy(PLAIN[game.name])
    value = pool.measured(policy, plain, REPORT)
    entry = {"policy": policy.name, "against": plain.name, **rounded(value), **former}
    others = [other for other in pool.policies if other != policy]
    if others:
        answer = others[0]
        if len(others) > 1:
            answer = max(others, key=lambda other: pool.share(other, policy))
        gain = pool.measured(answer, policy, REPORT)
        entry["best answer"] = {"policy": answer.name, **rounded(gain)}
    return entry


def rounded(estimate: Estimate) -> dict[str, float]:
    """A value and its standard error, as they are kept."""
    return {"value": round(estimate.value, 5), "stderr": round(estimate.stderr, 5)}


def tuned(making: Making, name: str, best: dict[str, Any], part: Path) -> None:
    """Tune a game, or what a stopped run has left of it, into `best`."""
    game = game_of(name)
    games = int(making["games"] * GAMES_FACTOR.get(name, 1))
    by_edition = best.setdefault(name, {})
    for edition in game.editions:
        rules = game.rules(f"{name}/{edition}")
        if edition in ALIKE:
            by_edition[edition] = by_edition[ALIKE[edition]]
            continue
        there = by_edition.setdefault(edition, {})
        for players in rules.players:
            if str(players) in there:
                continue
            best_here = partial(best_of, game, rules, players, games, making["seed"])
            if making["tune"]:
                strongest = best_here(FIRST[name], ROUNDS.get(players, OTHER_ROUNDS))
            else:
                strongest = tuned_before(name, edition, players)
            there[str(players)] = found_here(rules, players, strongest, best_here)
            write_whole(part, json.dumps(best))
            making.tell(f"{rules.id} {players}: {there[str(players)]}")


def tuned_before(name: str, edition: str, players: int) -> dict[str, Any]:
    """The strongest of the tuned policies in the file; where there are none to tune, of all."""
    before: dict[str, dict[str, Any]] = data_json(BEST)["best"][name][edition][str(players)]
    return before.get(OTHERWISE if name in FAMILIES else WIN, before[WIN])


def trained_for(name: str, rules_id: str, players: int) -> str | None:
    """The policy of cards or dice that games have taught, for a rule set and number of players."""
    if name == "lama":
        return trained_cards.trained_for(rules_id, players)
    learned = name == "dice" and suits(trained_dice.MANIFEST, rules_id, players)
    return LEARNED if learned else None


def found_here(
    rules: Any, players: int, strongest: dict[str, Any], best_here: Callable[..., dict[str, Any]]
) -> dict[str, Any]:
    """Entries of a rule set; strongest: of its tuned families. best_here: see `best_of`."""
    name = game_of(rules.id).name
    trained = trained_for(name, rules.id, players)
    if trained:
        # Its moves are fixed: the others answer it, and it is kept if none of them beats it.
        tuned_ones = strongest["policy"], strongest.get("best answer", strongest)["policy"]
        entry = best_here((trained, *dict.fromkeys((*FIRST[name], *tuned_ones))), 1)
        if entry["best answer"]["value"] < 1 / players:
            points = {"policy": FOR_POINTS[name]}
            return {WIN: entry, POINTS: points, OTHERWISE: strongest}
    entries: dict[str, Any] = {
        WIN: strongest,
        POINTS: {"policy": FOR_POINTS.get(name, strongest["policy"])},
    }
    if name in INSTEAD:
        entries[OTHERWISE] = {"policy": INSTEAD[name]}
    return entries


def make(making: Making) -> None:
    """Tune all and write the file."""
    part = making.work / "best.json"
    best = read_json(part) if part.exists() else {}
    for name in GAMES:
        if making["only"] in ("", name):
            tuned(making, name, best, part)
        else:
            best[name] = data_json(BEST)["best"][name]
    manifest = {
        "what": "the strongest policies known. value: win rate of one among players of `against`, "
        "every seat in turn. best answer: the policy of all tried that wins most as one "
        "among players of the policy. among: how `of`, a learned policy, does among those of the "
        "strongest other; it has to win more than its share. All come from games that no search "
        "and no choice has played",
        "command": making.command,
        "version": __version__,
        "games": making["games"],
        "seed": making["seed"],
    }
    making.write(f"data/{BEST}", json.dumps({"manifest": manifest, "best": best}, indent=1) + "\n")


TARGET = Target(
    name="policies",
    what="the strongest policies known, tuned",
    make=make,
    writes=(f"data/{BEST}",),
    reads=("data/dice/", "data/equilibrium/", "data/lama/", "data/learned/", "data/pikomino/"),
    options={"games": 20_000, "seed": 1, "tune": 1, "only": ""},
    quick={"games": 8, "only": "noprob"},
    deep=True,
)
