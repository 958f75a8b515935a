"""How much the unknown pairing of the dice changes the answers: all 15, beside a rule set's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lama_odds.analysis.simulate import simulate
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.games.dice.rules.position import mask_counts
from lama_odds.games.dice.rules.ruleset import DiceRules, pairings
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.dice.solvers.last_player import alone_space, solve_alone
from lama_odds.games.dice.solvers.last_player_table import WORSE_BY
from lama_odds.games.dice.solvers.tokens import tokens_of
from lama_odds.games.interface.game import AnyGame
from lama_odds.simulation.run import default_threads


@dataclass(frozen=True)
class Rounds:
    """First rounds to play of each policy in each pairing: how many, of how many players."""

    players: int
    games: int
    seed: int
    threads: int | None = None


@dataclass(frozen=True)
class Played:
    """First rounds of one policy: the mean penalty of a seat, and the part that is blown."""

    penalty: Estimate
    blown: Estimate


@dataclass(frozen=True)
class Pairing:
    """A pairing of the dice. faces: as the option; changed: decisions of the last player, of all
    127 hands of one card each beside a full row, that differ from those of the rule set.

    largest: by how many points the best play of one of them differs. values: of the positions by
    name, margin of each action, exact. played: by policy.
    """

    faces: str
    changed: int
    largest: float
    values: Mapping[str, Mapping[str, float]]
    played: Mapping[str, Played]


def compare_pairings(
    game: AnyGame,
    rules: DiceRules,
    positions: Mapping[str, str],
    policies: Sequence[Policy],
    rounds: Rounds,
    progress: Progress | None = None,
) -> list[Pairing]:
    """All 15 pairings; positions: of two players, by name; rounds: of each policy.

    Raises ImpossibleError if one of the positions cannot occur.
    """
    usual = _last_player(rules)
    found = []
    everything = pairings()
    for at, faces in enumerate(everything):
        if progress:
            progress(at, len(everything))
        other = replace(rules, faces=faces)
        worth, quits = _last_player(other)
        found.append(
            Pairing(
                faces,
                int((quits != usual[1]).sum()),
                float(np.abs(worth - usual[0]).max()),
                {
                    name: _margins(game, other, text, rounds.threads)
                    for name, text in positions.items()
                },
                {policy.name: _played(game, other, policy, rounds) for policy in policies},
            )
        )
    return found


def _last_player(rules: DiceRules) -> tuple[np.ndarray, np.ndarray]:
    """Of all 127 hands, alone beside a full row: points of best play, and whether to quit."""
    space = alone_space((1,) * KINDS, FULL_ROW)
    worth = solve_alone(rules, space, tokens_of(rules, None), with_ends=False).worth[:, 0]
    hands = range(1, FULL_ROW + 1)
    best = worth[[space.place(mask_counts(mask), FULL_ROW) for mask in hands]]
    return best, best >= rules.penalties[1:] - WORSE_BY


def _margins(game: AnyGame, rules: DiceRules, text: str, threads: int | None) -> dict[str, float]:
    """Margins of the actions of a position of two players."""
    position = game.position(rules, text)
    solution = game.solve(rules, position, "margin", threads or default_threads())
    assert solution is not None
    return {valued.action: valued.values["margin"].value for valued in solution.actions}


def _played(game: AnyGame, rules: DiceRules, policy: Policy, rounds: Rounds) -> Played:
    found = simulate(
        game,
        rules,
        [policy] * rounds.players,
        rounds.games,
        rounds=True,
        seed=rounds.seed,
        threads=rounds.threads,
    )
    penalties = [seat["penalty"] for seat in found.seats]
    return Played(Estimate.mean(penalties), found.table["blown"])
