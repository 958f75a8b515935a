"""Cards put here and there, and turns tried both ways: what is counted must come out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from lab.learned_noprob.learning import COLUMNS as SEEN
from lab.learned_noprob.learning import collect
from lab.learned_noprob.trials import (
    PLAYED,
    STAGE,
    Trials,
    lead_of,
    rows_of,
    seatings,
    tables_with,
    try_rounds,
)
from lab.learned_noprob.trials import RULES as RULES_ID
from lama_odds.games.interface.tally_layout import CERTAIN, ForkCell, decisions_of
from lama_odds.games.noprob.engine import studies
from lama_odds.games.noprob.engine.learned import OFFER
from lama_odds.games.noprob.engine.planner import STAGES, apart, by_card, line_kinds
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
from lama_odds.games.noprob.policies import Weights, joined, learned, split
from lama_odds.simulation.run import run

RULES = GAME.rules("noprob/starnberger")
STRONG = "planner:chase=40,lead=6,deny=18,haste=6"


def job_of(policy, players, chance=CERTAIN, rules=RULES):
    """Give the job of the study, so many of CERTAIN cards drawn being studied."""
    job = tables_beside(rules, [GAME.policy(policy)] * players).job
    return job.with_tables(chances=np.array([chance, chance], dtype=np.int64))


def tally_of(job, first, games, threads=1):
    return run(job, 3, games, first=first, threads=threads, chunk=16).tally


def gift_cells(kind, what, step=1):
    """Rows of the gifts of a Drama (0) or a Karma (1) against nobody (0) or the policy's (1)."""
    first = GIFTS + kind * 2 * RECIPIENTS + what
    return range(first, first + 2 * RECIPIENTS, 2 * step)


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


@pytest.mark.parametrize(("policy", "players"), [("greedy", 2), (STRONG, 3), (STRONG, 5)])
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


@pytest.mark.long
def test_one_of_both_ways_is_what_greedy_does():
    """But for the cell that would end the round, which is neither."""
    job = job_of("greedy", 3, CERTAIN // 30)
    names = [GAME.policy("greedy")] * 3
    alone = same = 0
    for game in range(400):
        tally = tally_of(job, game, 1)
        met = decisions_of(tally)
        if met[:GIFTS].sum() == 1 and met[GIFTS:].sum() == 0:
            cell = ForkCell(tally[np.flatnonzero(met[:GIFTS])[0]])
            last = GAME.record(RULES, names, 3, game, True).splitlines()[-1]
            alone += 1
            ways = {cell.first(0).total, cell.second(0).total}
            same += bool(ways & {int(n) for n in last.split()[1:]})
    assert alone >= 25
    assert same >= 0.9 * alone


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


def test_the_same_tally_on_any_number_of_threads():
    job = job_of(STRONG, 3, CERTAIN // 4)
    one = tally_of(job, 0, 64)
    assert (tally_of(job, 0, 64, threads=2) == one).all()
    assert decisions_of(one[:GIFTS]).sum() > 100


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


@pytest.mark.parametrize(
    ("cell", "card", "expected"),
    [
        (2, "8", FACE_DOWN),
        (6, "7", FACE_DOWN),
        (3, "8", VISIBLE + RULES.names.index("3")),
        (7, "8", VISIBLE + RULES.names.index("J")),
        (5, "8", KNOWN_DOWN + RULES.names.index("K")),
        (4, "J", COMPLETES),  # 7 J J down
        (4, "7", COMPLETES),
        (2, "7", COMPLETES),
        (2, "J", COMPLETES),
        (6, "10", COMPLETES),
        (6, "-1", FACE_DOWN),
    ],
)
def test_what_a_card_replaces(cell, card, expected):
    assert replaced(CARDS_DOWN, (0, 1, 3, 4, 7, 8), cell, card) == expected


def test_a_line_broken_or_kept():
    grid = "7 7 7 3 -1 4 5 5 J"
    up = range(9)
    assert replaced(grid, up, 1, "-1") == BREAKS
    assert replaced(grid, up, 1, "J") == VISIBLE + RULES.names.index("7")
    assert replaced(grid, up, 8, "5") == VISIBLE + RULES.names.index("J")
    assert replaced(grid, up, 8, "4") == BREAKS


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


SEED = 6
ROUNDS = 300


def weights_of(seats):
    known = learned(GAME.rules(RULES_ID), seats)
    kinds, where = np.unique(line_kinds(), return_index=True)
    assert len(kinds) == kinds[-1] + 1
    return Weights(known.own[:, where], known.theirs[:, where], known.share, known.chance)


def tried(seats, every, seating=0, rounds=ROUNDS, room=40_000):
    rules = GAME.rules(RULES_ID)
    plays, _ = seatings(seats)[seating]
    found = Trials.room(room)
    who = np.empty(room, np.int8)
    count, played = try_rounds(
        rules.columns, rows_of(plays), tables_with(rules, seats, weights_of(seats)), SEED, rounds,
        plays, every, *found, who,
    )  # fmt: skip
    return found.first(count), who[:count], played


def leads_of(trials, seats, way):
    weights, kinds = weights_of(seats), line_kinds()
    return np.array([
        lead_of(weights, kinds, view, numbers)
        for view, numbers in zip(trials.views[:, way], trials.numbers[:, way], strict=True)
    ])  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("seats", "seating"), [(2, 0), (3, 2)])
def test_what_is_played_is_what_is_learned_from_in_the_same_rounds(seats, seating):
    rules, rounds = GAME.rules(RULES_ID), 20
    plays, _ = seatings(seats)[seating]
    tables = tables_with(rules, seats, weights_of(seats))
    room = 400_000
    found = np.empty((room, SEEN), np.int16)
    leads = np.empty((room // 4, 3), np.float32)
    _, led, played = collect(
        rules.columns, rows_of(plays), tables, tables, SEED, 0, rounds, plays, found,
        np.empty((room, 2), np.float32), leads,
    )  # fmt: skip
    trials, who, same = tried(seats, 1, seating, rounds)
    assert same == played == rounds
    assert len(who) == led > 20 * rounds
    assert set(who) == set(np.flatnonzero(plays))
    assert np.array_equal(trials.views[:, PLAYED, STAGE], leads[:led, 0])
    assert np.array_equal(trials.won[:, PLAYED], leads[:led, 2])
    offered = leads[:led, 1] - leads_of(trials, seats, PLAYED)
    assert offered.min() > -1e-3
    # A card saves the next player at most a row and a column, and its own points.
    most = 2 * np.ptp(tables.learned.worth) + np.ptp(tables.points)
    assert offered.max() < most * OFFER
    assert np.mean(offered < 1e-3) > 0.2


def test_trials_are_the_same_again_and_stop_when_there_is_no_room():
    trials, who, rounds = tried(2, 12, rounds=60)
    again, same, _ = tried(2, 12, rounds=60)
    assert rounds == 60
    assert all(np.array_equal(*parts) for parts in zip(trials, again, strict=True))
    assert np.array_equal(who, same)
    few, _, stopped = tried(2, 12, rounds=60, room=1_020)
    assert stopped < 60
    assert np.array_equal(few.won, trials.won[: len(few.won)])


def test_weights_read_back_as_they_are_shipped():
    kinds = line_kinds().max() + 1
    rows = np.random.default_rng(1).normal(size=(STAGES, 2 * kinds + 4)).astype(np.float32)
    assert np.array_equal(joined(split(rows)), rows)


def test_a_line_is_known_by_its_cards_in_any_order():
    kinds = line_kinds()
    assert kinds[0x321] == kinds[0x123] == kinds[0x213] != kinds[0x322]
    assert len(set(kinds.tolist())) == 680  # three of fifteen, with repetition


def test_what_each_card_adds_to_a_line_stands_side_by_side():
    lines = np.arange(16**3)
    orders = by_card(np.stack([lines, lines + 5000]))
    assert orders.shape == (3, 2, 16**3)
    for line in (0x321, 0xF0A, 0x07E):
        for at in range(3):
            index = apart(line, at)
            assert index & 15 == line >> 4 * at & 15
            others = line & ~(15 << 4 * at)
            for card in range(16):
                there = orders[at, :, (index & ~15) + card]
                assert there.tolist() == [others | card << 4 * at, 5000 + (others | card << 4 * at)]
