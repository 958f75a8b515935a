"""How much the unknown pairing of the dice changes the answers: all 15, beside a rule set's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lama_odds.analysis.simulate import simulate
from lama_odds.analysis.strategy_report import document as doc
from lama_odds.core.errors import ImpossibleError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.core.wording import with_minus
from lama_odds.games.dice.rules.position import mask_counts
from lama_odds.games.dice.rules.ruleset import DiceRules, pairings
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.dice.solvers.choices import WORSE_BY
from lama_odds.games.dice.solvers.last_player import alone_space, solve_alone, tokens_of
from lama_odds.games.interface.game import AnyGame
from lama_odds.simulation.run import Play, default_threads


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
    compared = []
    everything = pairings()
    for at, faces in enumerate(everything):
        if progress:
            progress(at, len(everything))
        other = replace(rules, faces=faces)
        worth, quits = _last_player(other)
        compared.append(
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
    return compared


def _last_player(rules: DiceRules) -> tuple[np.ndarray, np.ndarray]:
    """Of all 127 hands, alone beside a full row: points of best play, and whether to quit."""
    space = alone_space((1,) * KINDS, FULL_ROW)
    worth = solve_alone(rules, space, tokens_of(rules, None), with_ends=False).worth[:, 0]
    hands = range(1, FULL_ROW + 1)
    best = worth[[space.place(mask_counts(mask), FULL_ROW) for mask in hands]]
    return best, best >= rules.penalties[1:] - WORSE_BY


def _margins(game: AnyGame, rules: DiceRules, text: str, threads: int | None) -> dict[str, float]:
    position = game.position(rules, text)
    solution = game.solve(rules, position, "margin", threads or default_threads())
    assert solution is not None
    return {valued.action: valued.values["margin"].value for valued in solution.actions}


def _played(game: AnyGame, rules: DiceRules, policy: Policy, rounds: Rounds) -> Played:
    simulated = simulate(
        game,
        rules,
        [policy] * rounds.players,
        rounds.games,
        rounds=True,
        play=Play(rounds.seed, rounds.threads),
    )
    penalties = [seat["penalty"] for seat in simulated.seats]
    return Played(Estimate.mean(penalties), simulated.table["blown"])


# A section of Lama Dice: what the unknown pairing of the dice changes.

POSITION = "hand=25L row=1346L opp=13LL"
SIMPLE = "threshold:5"


def pairings_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section | None:
    """All 15 pairings against the rule set's. None if its dice are not among them, or if the
    position that is looked at cannot occur.
    """
    if ask.rules.faces not in pairings():
        return None
    try:
        ask.game.position(ask.rules, POSITION)
    except ImpossibleError:  # fewer cards are dealt
        return None
    policies = [ask.game.policy(SIMPLE)]
    if ask.budget.precision < doc.QUICK_PRECISION:  # solving it for each pairing takes longer
        policies.append(ask.game.best_policy(ask.rules, ask.players, "points"))
    compared = compare_pairings(
        ask.game,
        ask.rules,
        {POSITION: POSITION},
        policies,
        Rounds(ask.players, ask.games, ask.seed, ask.threads),
        progress,
    )
    names = [policy.name for policy in policies]
    return doc.Section(
        "pairings",
        "What the dice pairing changes",
        f"{doc.EXACT} and {doc.SAMPLED}",
        "Two things are exact: the last player with one card each of some kinds and a full row, "
        f"and the two-player position {POSITION}. First rounds of {ask.players} players who all "
        f"play {' or '.join(names)}: {ask.games:,} for each pairing.",
        findings=(_said(compared, names),),
        text=(
            "The rule books do not show the dice. Each die has two llamas and four different "
            "numbers, and each number is on two of the three dice. That leaves 15 pairings; this "
            f"page uses {ask.rules.faces}.",
        ),
        figures=(_figure(compared, names, ask.rules.faces),),
        tables=(_table(compared, names),),
        games=ask.games * len(compared) * len(names),
    )


def _label(pairing: Pairing, usual: str) -> str:
    """The numbers of the three dice."""
    return pairing.faces.replace("LL", "").replace(".", "  ") + (
        "  ◂" if pairing.faces == usual else ""
    )


def _figure(pairings: Sequence[Pairing], names: Sequence[str], usual: str) -> doc.Beside:
    """The value of rolling, and what a round costs, pairing by pairing."""
    rolls = tuple(doc.Dot(_label(p, usual), *(p.values[POSITION]["roll"],) * 3) for p in pairings)
    rounds = tuple(doc.dot_of(_label(p, usual), p.played[names[-1]].penalty) for p in pairings)
    low, high = (f(d.value for d in rolls) for f in (min, max))
    return doc.Beside(
        "pairings",
        f"A round costs {min(d.value for d in rounds):.2f} to {max(d.value for d in rounds):.2f} "
        f"points with any of the {len(pairings)} pairings (◂: on this page).",
        f"Values of rolling from {with_minus(low, 2)} to {with_minus(high, 2)} points vs. others, "
        f"and the cost of a round from {min(d.value for d in rounds):.2f} to "
        f"{max(d.value for d in rounds):.2f}.",
        (
            doc.Dots(
                "roll", "Value of rolling, two players (exact)", "", "points vs. others", rolls
            ),
            doc.Dots("round", "What a round costs", "", "points per player", rounds),
        ),
    )


def _said(pairings: Sequence[Pairing], names: Sequence[str]) -> str:
    """How little it changes."""
    costs = [p.played[names[-1]].penalty for p in pairings]
    half = max(e.high - e.low for e in costs) / 2
    return (
        "Which numbers share a die hardly matters. At most "
        f"{max(p.changed for p in pairings)} of the last player's 127 decisions changes. A round "
        f"costs {min(e.value for e in costs):.2f} to {max(e.value for e in costs):.2f} points with "
        f"any of the 15 pairings, ± {half:.2f} each."
    )


def _table(pairings: Sequence[Pairing], names: Sequence[str]) -> doc.Table:
    columns = (
        doc.Column("faces", "text"),
        doc.Column("changed decisions of 127"),
        doc.Column("largest change, last player"),
        *(doc.Column(f"{action}, vs. others") for action in pairings[0].values[POSITION]),
        *(
            c
            for name in names
            for c in (doc.Column(f"{name}: points"), doc.Column("blown", "share"))
        ),
    )
    rows: list[tuple[doc.Cell, ...]] = []
    for pairing in pairings:
        played = [pairing.played[name] for name in names]
        rows.append(
            (
                pairing.faces,
                pairing.changed,
                exact(pairing.largest),
                *(exact(value) for value in pairing.values[POSITION].values()),
                *(e for one in played for e in (one.penalty, one.blown)),
            )
        )
    return doc.Table("pairings", "Pairing by pairing", columns, tuple(rows), long=True)
