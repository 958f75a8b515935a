"""Measure what happens between two turns of a seat when everybody plays `meanfield` (cards).

Starts from a guess, plays, measures, solves `meanfield` again with what was measured, and so on.
"""

from __future__ import annotations

import numpy as np

from lab.meanfield.fit_dice import write_fitted
from lama_odds.games.lama.engine import kernels, policy_kernels, round_loop
from lama_odds.games.lama.engine.average_table import ENDED
from lama_odds.games.lama.engine.policy_kernels import CONTEXTS, MOST_OTHERS, context_of
from lama_odds.games.lama.policies.catalogue import (
    ALONE,
    MEANFIELD,
    PARAMETERS,
    tables_of,
    values_table,
)
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.ruleset import EDITIONS, VALUES, LamaRules, parse_rules
from tools.publishing.target import Making, Target

ROUNDS = 10

Passing = tuple[np.ndarray, np.ndarray]


def guess() -> Passing:
    """A first table: one round in ten ends between two turns, the top moves by one or two."""
    contexts = np.zeros((CONTEXTS, CONTEXTS + 2))
    for context in range(CONTEXTS):
        contexts[context, [context, ALONE, ENDED]] = 0.8, 0.1, 0.1
    tops = np.zeros((MOST_OTHERS, VALUES, VALUES))
    for value in range(VALUES):
        for step in range(3):
            tops[:, value, (value + step) % VALUES] = 1 / 3
    return contexts, tops


class Counts:
    """How often each context and top followed each, over the rounds added."""

    def __init__(self, rules: LamaRules, players: int) -> None:
        self.rules = rules
        self.players = players
        self.value_of = {shift: kind // 2 for kind, shift in enumerate(rules.shifts)}
        self.contexts = np.zeros((CONTEXTS, CONTEXTS + 2))
        self.tops = np.zeros((MOST_OTHERS, VALUES, VALUES))

    def add(self, log: list[int], top: int) -> None:
        """Add a round: its log and the value of its opening card."""
        cards = [self.rules.dealt] * self.players
        seats = set(range(self.players))
        waiting: dict[int, tuple[int, int]] = {}
        for at, entry in enumerate(log):
            seat, move = entry & 15, (entry >> 4 & 0xFF) + round_loop.AS_POLICY
            if seat in waiting:
                self._count(waiting.pop(seat), seats - {seat}, cards, top)
            if move == transition.QUIT:
                seats.discard(seat)
                continue
            if move >= 0:
                cards[seat] -= 1
                top = self.value_of[move]
            else:
                cards[seat] += 1
            goes_on = at + 1 < len(log) and log[at + 1] & 15 == seat
            if len(seats) > 1 and not goes_on:
                waiting[seat] = self._context(seats - {seat}, cards), top
        if log[-1] & 15 in waiting:
            del waiting[log[-1] & 15]
        for context, _ in waiting.values():
            self.contexts[context, ENDED] += 1

    def _count(self, before: tuple[int, int], others: set[int], cards: list[int], top: int) -> None:
        context, top_before = before
        after = self._context(others, cards) if others else ALONE
        self.contexts[context, after] += 1
        self.tops[context // (CONTEXTS // MOST_OTHERS), top_before, top] += 1

    def _context(self, others: set[int], cards: list[int]) -> int:
        return int(context_of(len(others), min(cards[seat] for seat in others)))

    def shares(self) -> Passing:
        """Each row as shares; a row never seen stays as it is (or the round ends there)."""
        contexts, tops = self.contexts.copy(), self.tops.copy()
        for context in range(CONTEXTS):
            if contexts[context].sum() == 0:
                contexts[context, ENDED] = 1.0
        for others in range(MOST_OTHERS):
            for value in range(VALUES):
                if tops[others, value].sum() == 0:
                    tops[others, value, value] = 1.0
        return (
            contexts / contexts.sum(axis=1, keepdims=True),
            tops / tops.sum(axis=2, keepdims=True),
        )


def measure(rules: LamaRules, players: int, passing: Passing, seed: int, games: int) -> Passing:
    """Play first rounds with everybody on `meanfield` and count what lies between turns."""
    log = np.zeros(4096, dtype=np.int64)
    values = values_table(rules, *passing, 0.0)[np.newaxis, np.newaxis]
    tables = tables_of(rules, (), True, log, players)._replace(values=values)
    policies = np.array([[MEANFIELD.code, 0, 0]] * players)
    tally = np.zeros((players + 3, 2), dtype=np.int64)
    table = np.zeros(policy_kernels.TABLE_SIZE, dtype=np.int64)
    counts = Counts(rules, players)
    for game in range(games):
        log[0] = 0
        kernels.play_first_rounds(rules.columns, policies, tables, seed, game, 1, tally)
        kernels.deal_round(rules.columns, table, players, seed, game, 0)
        top = int(rules.places.index(table[policy_kernels.PLACE + policy_kernels.TOP]))
        counts.add(log[1 : log[0] + 1].tolist(), top)
    return counts.shares()


def fit(rules: LamaRules, players: int, seed: int, games: int) -> dict[str, object]:
    """The tables that self-play reproduces, averaged over the last rounds of fitting."""
    passing = guess()
    kept = []
    for number in range(ROUNDS):
        seen = measure(rules, players, passing, seed + number, games)
        passing = ((passing[0] + seen[0]) / 2, (passing[1] + seen[1]) / 2)
        if number >= ROUNDS // 2:
            kept.append(seen)
    names = ("contexts", "tops")
    return {
        name: np.round(np.mean([seen[i] for seen in kept], axis=0), 4).tolist()
        for i, name in enumerate(names)
    }


def make(making: Making) -> None:
    """Fit all editions and write the file."""
    fitted: dict[str, dict[str, object]] = {}
    for edition in EDITIONS:
        rules = parse_rules(f"lama/{edition}")
        for players in rules.players:
            tables = fit(rules, players, making["seed"], making["games"])
            fitted.setdefault(edition, {})[str(players)] = tables
            making.tell(f"{edition}, {players} players")
    write_fitted(
        making,
        PARAMETERS,
        fitted,
        "contexts: for each context after a turn (row), how often each context (columns) is "
        "there at the seat's next turn. The last columns: all others have quit, the round has "
        "ended. tops: the same for the value on top, by others still in",
    )


TARGET = Target(
    name="meanfield-lama",
    what="what happens between two turns of a seat: tables of meanfield of cards",
    make=make,
    writes=(f"data/{PARAMETERS}",),
    options={"games": 10_000, "seed": 1},
    quick={"games": 20},
    deep=True,
)
