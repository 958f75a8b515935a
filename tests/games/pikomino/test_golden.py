"""The records kept in ``golden`` are what the product writes and reads, to the letter."""

import re
from itertools import chain, pairwise

import pytest

from lama_odds.games.pikomino.records.record import read_record
from tests.games.cases import product_record
from tests.games.pikomino.cases import id_of, twin_rules
from tests.games.pikomino.golden_update import GAMES, GOLDEN, SEED, record
from tests.reference import pikomino as twin

HEAD = 5


golden = GOLDEN.read


def final_of(text):
    return [int(word) for word in text.splitlines()[-1].split()[1:]]


class Moved:
    """The tiles as the ends of the turns of a record move them, nothing else looked at."""

    def __init__(self, rules, players):
        self.centre = set(range(rules.low, rules.low + rules.tiles))
        self.stacks = [[] for _ in range(players)]
        self.turned = []

    def turn(self, line):
        seat, words = self.stacks[int(line.split()[0])], line.split()
        named = dict(pairwise(words))
        if "stop" in named:
            self.centre.remove(int(named["stop"]))
            seat.append(int(named["stop"]))
        elif "steal" in named:
            (victim,) = [at for at in self.stacks if at[-1:] == [int(named["steal"])]]
            assert victim is not seat
            seat.append(victim.pop())
        if "returns" in named:
            assert seat.pop() == int(named["returns"])
            self.centre.add(int(named["returns"]))
        if "flips" in named:
            self.centre.remove(int(named["flips"]))
            self.turned.append(int(named["flips"]))


def test_every_golden_game_has_its_file():
    assert GOLDEN.files() == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_the_product_writes_the_golden_record(name):
    options, policies, game = GAMES[name]
    assert product_record(id_of(options), policies.split(), SEED, game) == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_twin_writes_the_golden_record(name):
    assert record(name) == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_reading_replays_to_the_same_tiles(name):
    options, policies, game = GAMES[name]
    names = tuple(policies.split())
    found = read_record(golden(name))
    assert found.rules.id == id_of(options)
    assert found.players == len(names)
    assert found.policies == names
    assert found.luck == (SEED, game)
    assert found.final == tuple(final_of(golden(name)))
    _, expected = twin.played(twin_rules(options), names, SEED, game)
    assert [list(stack) for stack in found.state.stacks] == expected.stacks
    assert list(found.state.centre) == []
    assert sorted(found.state.turned) == sorted(expected.turned)


@pytest.mark.parametrize("name", GAMES)
def test_a_record_may_stop_after_any_turn(name):
    options, policies, _ = GAMES[name]
    lines = golden(name).splitlines()
    moved = Moved(twin_rules(options), len(policies.split()))
    for end in range(HEAD, len(lines) - 1):
        if end > HEAD:
            moved.turn(lines[end - 1])
        found = read_record("\n".join([*lines[:end], ""]))
        assert found.final is None
        assert [list(stack) for stack in found.state.stacks] == moved.stacks
        assert list(found.state.centre) == sorted(moved.centre)
        assert sorted(found.state.turned) == sorted(moved.turned)


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name][0]])
def test_the_options_change_the_golden_game(name):
    assert record(name, options={}) != golden(name)


SHOWN = {
    "egmont": (r" returns (\d+) flips (?!\1)", r" keep . bust", r" roll \S+ bust$", r" steal \d+$"),
    "egmont_highest_returned": (r" bust returns \d+$",),
    "egmont_seven_seats": (r"^[0-5] .* steal \d+$", r"^6 .* stop \d+$"),
    "egmont_short": (r" bust returns (\d+) flips \1$",),
    # The highest tile goes before anybody holds one; a bust without a tile ends the game.
    "egmont_flips_without_tile": (r" bust flips 36$", r" bust flips \d+\nfinal"),
    "egmont_nobody": (r"^final 0 0$",),
    "egmont_six_dice": (r"^0 roll [1-5W]{6} ", r" bust returns \d+ flips 17$", r" steal 15$"),
    "egmont_low": (r" stop 18$",),
    "egmont_four_tiles": (r" bust returns \d+ flips 22$", r" steal \d+$"),
    # A tile is turned over, later a lower one goes back, is the highest, and is turned over too.
    "egmont_designer": (r" bust flips 30$(.*\n)+.* bust returns (\d+) flips \2$",),
}


@pytest.mark.parametrize("name", SHOWN)
def test_the_golden_game_shows_what_it_is_for(name):
    found = [re.search(pattern, golden(name), re.MULTILINE) for pattern in SHOWN[name]]
    assert all(found), SHOWN[name]


def test_the_highest_tile_of_the_tied_decides_the_golden_tie():
    options, policies, game = GAMES["egmont_tie"]
    final = final_of(golden("egmont_tie"))
    _, state = twin.played(twin_rules(options), policies.split(), SEED, game)
    tied = [seat for seat, worms in enumerate(final) if worms == max(final)]
    highest = [max(stack) for stack in state.stacks]
    assert len(tied) == 2
    assert max(highest) not in [highest[seat] for seat in tied]
    winner = max(tied, key=lambda seat: highest[seat])
    assert state.shares() == [twin.WIN * (seat == winner) for seat in range(3)]


def kept_total(line):
    """Add up the dice that a turn kept, worms counting five."""
    words, total = line.split()[1:], 0
    while words[0] == "roll" and words[2] == "keep":
        total += words[1].count(words[3]) * (5 if words[3] == "W" else int(words[3]))
        words = words[4:]
    return total


def test_the_centre_may_be_taken_from_where_a_steal_fits():
    lines = golden("egmont_centre_for_steal").splitlines()[HEAD:-1]
    moved, refused = Moved(twin_rules({}), 2), 0
    for line in lines:
        other = moved.stacks[1 - int(line[0])]
        refused += " stop " in line and other[-1:] == [kept_total(line)]
        moved.turn(line)
    assert refused


def test_worms_of_the_options_count_at_the_end():
    for name in ("egmont_worms", "egmont_designer"):
        options, policies, game = GAMES[name]
        _, state = twin.played(twin_rules(options), policies.split(), SEED, game)
        rules = twin_rules(options)
        # Three groups of tiles with one, two and three worms.
        held = chain(*state.stacks)
        groups = [(tile - rules.low) * 3 // rules.tiles + 1 for tile in held]
        assert sum(groups) == sum(final_of(golden(name)))
        assert len(set(groups)) > 1
