"""Nothing that a player cannot see has a part in advice or in what a policy decides."""

from collections import defaultdict
from dataclasses import replace
from random import Random

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.records.record import read_record
from lama_odds.games.noprob.rules.position import Grid, grid_text
from tests.games.cases import product_record, product_rules
from tests.games.noprob.cases import END, FOUR, SMALL, TIES, id_of

OPTIONS = ({}, FOUR | {"peeks": 4}, SMALL | END)
POLICIES = ("random", "greedy", "random")
PLAYED = ("greedy", "planner:chase=40,lead=0,deny=20,haste=20", "learned")


def cut_records(options, games):
    """Give first rounds cut before every turn, as lists of lines."""
    for game in range(games):
        record = product_record(id_of(options), POLICIES, 8, game, rounds=True)
        lines = [line for line in record.splitlines() if not line.startswith("policies")]
        for at, line in enumerate(lines):
            if line[0].isdigit():
                yield lines[:at]


def shuffled(lines, options, seed):
    """Deal what the seat to decide cannot see anew: cards face down, and the pile."""
    rules = product_rules(id_of(options))
    state = read_record("\n".join(lines)).rounds[-1]
    down = [
        (seat, cell)
        for seat, up in enumerate(state.up)
        for cell in range(9)
        if not up[cell] and not (seat == state.seat and cell < rules.peeks)
    ]
    at = next(i for i, line in enumerate(lines) if line.startswith("deal"))
    grids = [[rules.names.index(card) for card in row.replace("/", ",").split(",")]
             for row in lines[at].split()[1:]]  # fmt: skip
    pool = [grids[seat][cell] for seat, cell in down]
    pool += [kind for kind, count in enumerate(state.pile) for _ in range(count)]
    Random(seed).shuffle(pool)
    for (seat, cell), kind in zip(down, pool, strict=False):
        grids[seat][cell] = kind
    dealt = [grid_text(rules.names, Grid(tuple(grid), (True,) * 9)) for grid in grids]
    return [*lines[:at], f"deal {' '.join(dealt)}", *lines[at + 1 :]]


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_records_that_look_alike_to_me_ask_the_same(options):
    rules, changed = product_rules(id_of(options)), 0
    for lines in cut_records(options, 2):
        other = shuffled(lines, options, seed=len(lines))
        changed += other != lines
        asked = GAME.position_after(rules, "\n".join(lines))
        assert GAME.position_after(rules, "\n".join(other)) == asked
    assert changed > 30


@pytest.mark.long
@pytest.mark.parametrize(
    ("objective", "turns"), [("points", 40), ("margin", 30), ("round", 50), ("win", 45)]
)
def test_records_that_look_alike_to_me_are_answered_alike(objective, turns):
    rules = product_rules(id_of({}))
    limits = Limits(games=1_000, threads=1)
    lines = list(cut_records({}, 1))[turns]
    other = shuffled(lines, {}, seed=3)
    assert other != lines
    answers = []
    for text in (lines, other):
        position = GAME.position_after(rules, "\n".join(text))
        answer = advise(GAME, rules, position, objective=objective, limits=limits, seed=4)
        answers.append(replace(answer, seconds=0.0))
    assert answers[0] == answers[1]


def decisions(record, peeks):
    """The first decisions of two seats: what each knew, then what it did, the card drawn told."""
    lines = record.splitlines()
    deal = next(line for line in lines if line.startswith("deal")).split()[1:]
    top = next(line for line in lines if line.startswith("top"))
    first, second = [line for line in lines if line[0].isdigit()][:2]
    shown = (tuple(grid.replace("/", ",").split(",")[:peeks]) for grid in deal)
    for own, before, line in zip(shown, ("", first), (first, second), strict=False):
        words = line.split(" turns")[0].split()
        knew = own, top, before
        yield knew, words[1]
        if words[1] in ("draw", "take"):
            yield (knew, *words[1:3]), " ".join(words[3:])


@pytest.mark.parametrize("policy", PLAYED)
@pytest.mark.parametrize("peeks", [0, 1])
def test_what_a_player_cannot_see_has_no_part_in_its_decisions(policy, peeks):
    """Of cards of few kinds; seats that know the same must do the same."""
    options = TIES | {"peeks": peeks, "dramas": 2, "karmas": 2}
    done, times = defaultdict(set), 0
    for game in range(400):
        record = product_record(id_of(options), (policy,) * 2, 3, game, rounds=True)
        for knew, did in decisions(record, peeks):
            times += 1
            done[knew].add(did)
    assert {knew: found for knew, found in done.items() if len(found) > 1} == {}
    assert len(done) < times / 2


def test_who_decides_by_coins_is_found_out():
    done = defaultdict(set)
    for game in range(100):
        record = product_record(id_of(TIES | {"peeks": 0}), ("random",) * 2, 3, game, rounds=True)
        for knew, did in decisions(record, 0):
            done[knew].add(did)
    assert max(len(found) for found in done.values()) > 1
