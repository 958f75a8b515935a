"""Cards put here and there, and turns tried both ways: what is counted must come out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from lama_odds.games.interface.tally_layout import CERTAIN, ForkCell, decisions_of
from lama_odds.games.noprob.engine import studies
from lama_odds.games.noprob.engine.planner import line_kinds, turns_to_come
from lama_odds.games.noprob.engine.studies import (
    BREAKS,
    COMPLETES,
    FACE_DOWN,
    GIFTS,
    KNOWN_DOWN,
    RECIPIENTS,
    REPLACED,
    VISIBLE,
)
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.jobs import gift_keys, replacement_keys, tables_beside
from lama_odds.games.noprob.policies import policy_rows, tables_of
from lama_odds.games.noprob.records.live import _table
from lama_odds.games.noprob.records.record import read_record
from lama_odds.games.noprob.rules.transition import LAST, TABLE_SIZE
from lama_odds.simulation.run import run

RULES = GAME.rules("noprob/starnberger")
STRONG = "planner:chase=40,lead=6,deny=18,haste=6"


def job_of(policy, players, chance=CERTAIN, rules=RULES):
    """Give the job of the study, so many of CERTAIN cards drawn being studied."""
    job = tables_beside(rules, [GAME.policy(policy)] * players).job
    return job.with_tables(chances=np.array([chance, chance], dtype=np.int64))


def tally_of(job, first, games, threads=1):
    return run(job, 3, games, first=first, threads=threads, chunk=16).tally


def gift_cells(kind, what):
    """Rows of the gifts of a Drama (0) or a Karma (1) against nobody (0) or the policy's (1)."""
    first = GIFTS + kind * 2 * RECIPIENTS + what
    return range(first, first + 2 * RECIPIENTS, 2)


def drawn_in(policy, players, game):
    """Count what is drawn in a round, by its record: what is put or given before a last turn."""
    names = [GAME.policy(policy)] * players
    lines = GAME.record(RULES, names, 3, game, True).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("top")) + 1
    up = [set() for _ in range(players)]
    found = Counter()
    for line in lines[start:-2]:
        seat, source, *rest = line.split()
        ended = any(len(cells) == 9 for cells in up)
        if source == "draw" and (rest[0] in "DK" or not ended):
            found[rest[0]] += 1
        if "replace" in rest:
            up[int(seat)].add(rest[2])
    return found


@pytest.mark.parametrize(("policy", "players"), [("greedy", 2), (STRONG, 3)])
def test_every_card_drawn_is_studied_and_the_round_goes_on_as_it_was(policy, players):
    job = job_of(policy, players)
    for game in range(12):
        tally = tally_of(job, game, 1)
        expected = drawn_in(policy, players, game)
        for kind, name in enumerate(RULES.names[:12]):
            cells = tally[kind * REPLACED : (kind + 1) * REPLACED]
            assert decisions_of(cells).sum() == expected[name]
        for kind, name in enumerate("DK"):
            for what in (0, 1):  # by total and by turn, each of the others
                forks = sum(ForkCell(tally[cell]).decisions for cell in gift_cells(kind, what))
                assert forks == 2 * (players - 1) * expected[name]


def test_a_special_that_counts_nothing_changes_nothing():
    tally = tally_of(job_of(STRONG, 4, rules=GAME.rules("noprob/starnberger+special=0")), 0, 60)
    gifts = tally[GIFTS:]
    assert decisions_of(gifts).sum() > 1_000
    for cell in map(ForkCell, gifts):
        for objective in (0, 1):
            assert cell.difference(objective)[:2] == (0, 0)


def test_two_greedy_players_do_not_mind_a_special_so_it_costs_what_it_counts():
    tally = tally_of(job_of("greedy", 2), 0, 100)
    for kind, points in ((0, -3), (1, 3)):  # my margin
        for cell in gift_cells(kind, 0):
            found = ForkCell(tally[cell])
            assert found.difference(0).total == points * found.decisions
        assert sum(decisions_of(tally[cell]) for cell in gift_cells(kind, 0)) > 100
        for cell in gift_cells(kind, 1):  # there is but one to give it to
            assert ForkCell(tally[cell]).difference(0).total == 0


# What a card replaces

DOWN = "?"


def replaced(text, up, cell, card):
    """Give what is replaced; up: the cells face up."""
    kinds = [14 if word == DOWN else RULES.names.index(word) for word in text.split()]
    grid = sum(kind << 4 * at for at, kind in enumerate(kinds))
    mask = sum(1 << at for at in up)
    card = RULES.names.index(card)
    return studies.replaced_at(RULES.tables.lines, grid, mask, cell, card)


CARDS_DOWN = "7 7 ? 3 -1 K ? J 10"
KEPT, UP_THERE = "7 7 7 3 -1 4 5 5 J", range(9)


@pytest.mark.parametrize(
    ("grid", "up", "cell", "card", "expected"),
    [
        *(
            (CARDS_DOWN, (0, 1, 3, 4, 7, 8), *told)
            for told in (
                (2, "8", FACE_DOWN),
                (6, "7", FACE_DOWN),
                (3, "8", VISIBLE + RULES.names.index("3")),
                (7, "8", VISIBLE + RULES.names.index("J")),
                (5, "8", KNOWN_DOWN + RULES.names.index("K")),
                (4, "J", COMPLETES),  # 7 J J down
                (2, "J", COMPLETES),
                (6, "10", COMPLETES),
                (6, "-1", FACE_DOWN),
            )
        ),
        (KEPT, UP_THERE, 1, "-1", BREAKS),
        (KEPT, UP_THERE, 1, "J", VISIBLE + RULES.names.index("7")),
        (KEPT, UP_THERE, 8, "5", VISIBLE + RULES.names.index("J")),
        (KEPT, UP_THERE, 8, "4", BREAKS),
    ],
)
def test_what_a_card_replaces(grid, up, cell, card, expected):
    assert replaced(grid, up, cell, card) == expected


def test_a_card_goes_to_the_best_cell_of_a_kind_and_to_its_best_other_use():
    """By what greedy minds in each place, without the cell that would end the round."""
    policies = [GAME.policy("greedy")] * 2
    tables, rows, costs = tables_of(RULES, policies), policy_rows(policies), np.zeros(10)
    lines, kinds = GAME.record(RULES, policies, 3, 1, True).splitlines(), set()
    for at in [at for at, line in enumerate(lines) if line[0].isdigit()][::5]:
        record = read_record("\n".join(lines[:at]))
        state = record.rounds[-1]
        up = [cell for cell in range(9) if state.up[state.seat][cell]]
        hand = enumerate(state.hands[state.seat])
        seen = [RULES.names[card] if cell in (0, 1, *up) else DOWN for cell, card in hand]
        cells = [cell for cell in range(9) if len(up) < 8 or cell in up]
        for card, name in enumerate(RULES.names[:12]):
            there = {cell: replaced(" ".join(seen), up, cell, name) for cell in cells}
            for word in (0, 1 << 63):
                what, chosen, elsewhere = studies.pick_place(
                    tables, rows, _table(record), 0, 2, card, np.uint64(word), costs
                )
                mine = [cell for cell in cells if there[cell] == what]
                others = [cell for cell in (*cells, 9) if there.get(cell) != what]
                assert chosen in mine
                assert elsewhere in others
                assert (costs[chosen], costs[elsewhere]) == (min(costs[mine]), min(costs[others]))
                kinds.add(what)
    assert len(kinds) > 5


def test_keys_name_every_row():
    keys = replacement_keys(RULES)
    assert len(keys) == GIFTS
    assert keys[2 * REPLACED + FACE_DOWN] == {"card": "5", "replaces": "face down"}
    assert keys[11 * REPLACED + VISIBLE + 7] == {"card": "J", "replaces": "10"}
    assert keys[KNOWN_DOWN + 13] == {"card": "3", "replaces": "(K)"}
    assert keys[BREAKS] == {"card": "3", "replaces": "breaks a line"}
    for players in range(2, 7):
        told = gift_keys(RULES, players)
        assert len(told) == 4 * RECIPIENTS
        names = [key["to"] for key in told[: 2 * RECIPIENTS : 2] if key]
        assert len(names) == len(set(names)) == (1 if players == 2 else 2 * (players - 1))
        assert ("highest total" in names) == (players > 2)


def test_a_line_is_known_by_its_cards_in_any_order():
    kinds = line_kinds()
    assert kinds[0x321] == kinds[0x123] == kinds[0x213] != kinds[0x322]
    assert len(set(kinds.tolist())) == 680  # three of fifteen, with repetition


@pytest.mark.parametrize(("left", "seats", "to_come"), [(-1, 4, 3), (3, 4, 2), (1, 4, 0)])
def test_who_has_a_turn_after_this_one(left: int, seats: int, to_come: int) -> None:
    """left: turns of the last lap with this one; -1 before it, when all others have one."""
    table = np.zeros(TABLE_SIZE, np.int64)
    table[LAST] = left
    assert turns_to_come(table, seats) == to_come
