"""The product writes the records of its plain twin, turn for turn, and counts what they make."""

from collections import Counter
from itertools import pairwise

import pytest

from lama_odds.games.interface.tally_layout import FIRST, FORKS
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.records.record import read_record
from tests.games.cases import product_record, seats_of, sums_of, tally_of
from tests.games.pikomino.cases import (
    CASES,
    FLIPS,
    MIXES,
    SEATS,
    SHORT,
    id_of,
    twin_rules,
)
from tests.games.pikomino.golden_update import GAMES, GOLDEN, SEED, record
from tests.reference import pikomino as twin

NAMED = [pytest.param(options, id=id_of(options)[9:]) for options in CASES]
# The lowest tile takes all dice, worms and fives: hardly anybody wins it, nothing else happens.
ENDLESS = {"dice": 5, "low": 25}


def games_at(players):
    """Give the games compared at a table, policies, seed and game of each."""
    for number, mix in enumerate(MIXES):
        yield seats_of(mix, players), 10 * players + number, 7 * number


@pytest.mark.one_in(2)
@pytest.mark.parametrize("policies", [("random",) * 3, ("first-tile",) * 4])
def test_many_games_are_those_of_the_twin(policies):
    rules = twin_rules({})
    for game in range(40):
        expected = twin.game_record(rules, "pikomino/egmont", policies, 2, game)
        assert product_record("pikomino/egmont", policies, 2, game) == expected


@pytest.mark.one_in(2)
@pytest.mark.parametrize("policies", [("random", "random"), ("first-tile", "random") * 3])
def test_a_game_without_an_end_is_given_up(policies):
    expected = twin.game_record(twin_rules(ENDLESS), id_of(ENDLESS), policies, seed=3, game=0)
    lines = expected.splitlines()
    assert len(lines) == 5 + twin.MOST_TURNS
    assert not lines[-1].startswith("final")
    assert product_record(id_of(ENDLESS), policies, 3, 0) == expected


def ending_of(line):
    """Split the end of a turn off its line: (total kept, worm kept, last face kept, words)."""
    words = line.split()[1:]
    total, kept, face = 0, set(), None
    while words[0] == "roll":
        shown, face, words = words[1], None, words[2:]
        if words[0] == "keep":
            face, words = words[1], words[2:]
            total += shown.count(face) * (5 if face == "W" else int(face))
            kept.add(face)
    return total, "W" in kept, face, words


def test_the_games_compared_show_every_event():
    seen = Counter()
    for players in SEATS:
        for options in ({}, FLIPS, SHORT):
            for policies, seed, game in games_at(players):
                record = twin.game_record(twin_rules(options), "", policies, seed, game)
                for line in record.splitlines()[5:-1]:
                    total, worm, face, words = ending_of(line)
                    names = " ".join(word for word in words if not word.isdigit())
                    seen[names] += 1
                    seen[f"{names} with {face}"] += 1
                    if words[0] == "stop":
                        seen["stop lower" if int(words[1]) < total else "stop exact"] += 1
                    elif words[0] == "bust" and face:
                        seen["bust without a worm"] += not worm
                        seen["bust too low"] += worm
                    if len(words) == 5:
                        seen["returned and flipped"] += words[2] == words[4]
    events = ["stop", "steal", "bust", "bust flips", "bust returns", "bust returns flips"]
    events += ["stop lower", "stop exact", "bust without a worm", "bust too low"]
    events += ["returned and flipped", "bust with None"]
    events += [f"{end} with {face}" for end in ("stop", "steal", "bust") for face in twin.FACES]
    assert [event for event in events if seen[event] < 3] == []


PAIR = ("first-tile", "random")
FOUR = ("random", "first-tile", "first-tile", "random")
TALLIED = (
    ({}, PAIR),
    ({}, ("first-tile",) * 4),
    ({}, ("first-tile", "random", "first-tile") * 2 + ("random",)),
    (FLIPS, FOUR),
    (SHORT, FOUR),
    (FLIPS | SHORT, PAIR),
    ({"dice": 6, "low": 13, "tiles": 8}, FOUR),
    ({"low": 18, "worm_value": 6, "worms": (1, 2, 3)}, ("first-tile",) * 3),
)
# Nobody wins a tile in many games, and all share the win.
EMPTY = ({"dice": 5} | FLIPS, ("first-tile", "random", "random"))
WITHOUT_END = ({"dice": 5, "low": 25}, ("first-tile", "random"))


def measures_of(worms, shares, outright, turns, busts, steals):
    """Give what a game adds to the measures; a win is 420 shares."""
    found = {("turns", None): turns, ("busts", None): busts, ("steals", None): steals}
    found["unfinished", None] = int(not any(shares))
    for seat, won in enumerate(worms):
        found["win", seat] = shares[seat]
        found["outright", seat] = outright[seat]
        found["worms", seat] = won
    return found


def expected_of(options, policies, seed, first, games):
    """Sum the measures and their squares over the twin's games."""
    played = twin.games(twin_rules(options), policies, seed, first, games)
    return sums_of(measures_of(*each) for each in played)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("options", "policies"), [*TALLIED, EMPTY])
def test_measures_of_games_are_those_of_the_twin(options, policies):
    expected = expected_of(options, policies, 13, 40, 120)
    for threads in (1, 2):
        assert tally_of(id_of(options), policies, False, 13, 40, 120, threads) == expected


def test_a_game_given_up_is_nobodys_win():
    options, policies = WITHOUT_END
    found = tally_of(id_of(options), policies, False, 3, 0, 4)
    assert found == expected_of(options, policies, 3, 0, 4)
    assert found["unfinished", None][0] > 0
    assert found["turns", None][0] > twin.MOST_TURNS


def test_a_card_that_stops_at_once_plays_as_first_tile():
    cards, first_tiles = ((name, "random", name) for name in ("card:0", "first-tile"))
    played = [
        tally_of("pikomino/egmont", names, False, 3, 0, 500) for names in (cards, first_tiles)
    ]
    assert played[0] == played[1]


TALLIED_GAMES, TALLIED_SEED = 20, 11
EGMONT = GAME.rules("pikomino/egmont")


@pytest.mark.parametrize("policies", [("first-tile",) * 2, ("lead:50", "first-tile", "random")])
def test_turns_and_wins_by_standing_are_those_of_the_records(policies):
    """A row for the tiles of the centre and the worms ahead of the best other, before each turn."""
    seats = [GAME.policy(name) for name in policies]
    found = GAME.standings(EGMONT, seats)
    tally = found.job.play(TALLIED_SEED, 0, TALLIED_GAMES)
    turns, wins = Counter(), Counter()
    for number in range(TALLIED_GAMES):
        _, lines = head_and_turns(GAME.record(EGMONT, seats, TALLIED_SEED, number, False))
        moved = Moved(twin_rules({}), len(seats))
        standings = []
        for at, line in enumerate(lines):
            worms = [sum(map(EGMONT.worms_on, stack)) for stack in moved.stacks]
            lead = worms.pop(at % len(seats)) - max(worms)
            standings.append((at % len(seats), len(moved.centre), max(-10, min(10, lead))))
            moved.turn(line)
        ranks = [
            (sum(map(EGMONT.worms_on, stack)), max(stack, default=0)) for stack in moved.stacks
        ]
        for seat, left, lead in standings:
            turns[left, lead] += 1
            wins[left, lead] += ranks[seat] == max(ranks)
    for row, key in enumerate(found.keys):
        low, *high = map(int, key["tiles left"].split(" to "))
        places = [(left, key["worms ahead"]) for left in range(low, (high or [low])[0] + 1)]
        assert tally[row, FORKS] == sum(turns[place] for place in places)
        assert tally[row, FIRST] * found.unit == pytest.approx(sum(wins[place] for place in places))
    assert tally[-1, FORKS] == 0  # all games end
    assert len(turns) > 50


class Moved:
    """The tiles as the ends of the turns of a record move them, nothing else looked at."""

    def __init__(self, rules, players):
        self.centre = set(range(rules.low, rules.low + rules.tiles))
        self.stacks = [[] for _ in range(players)]

    def turn(self, line):
        words = line.split()
        seat, named = self.stacks[int(words[0])], dict(pairwise(words))
        if "stop" in named:
            self.centre.remove(int(named["stop"]))
            seat.append(int(named["stop"]))
        elif "steal" in named:
            stolen = int(named["steal"])
            seat.append(next(s for s in self.stacks if s is not seat and s[-1:] == [stolen]).pop())
        if "returns" in named:
            assert seat.pop() == int(named["returns"])
            self.centre.add(int(named["returns"]))
        if "flips" in named:
            self.centre.remove(int(named["flips"]))


def head_and_turns(text):
    """Split a record into its head and the lines of its turns."""
    lines = text.splitlines()
    turns = [line for line in lines if line[0].isdigit()]
    return lines[: lines.index(turns[0])], turns


HEAD = 5


golden = GOLDEN.read


def final_of(text):
    return [int(word) for word in text.splitlines()[-1].split()[1:]]


@pytest.mark.parametrize("name", GAMES)
def test_product_and_twin_write_the_golden_record_and_it_is_read(name):
    options, policies, game = GAMES[name]
    names, text = tuple(policies.split()), golden(name)
    assert product_record(id_of(options), names, SEED, game) == record(name) == text
    found = read_record(text)
    assert found.rules.id == id_of(options)
    assert found.players == len(names)
    assert found.policies == names
    assert found.luck == (SEED, game)
    assert found.final == tuple(final_of(text))
    _, expected = twin.played(twin_rules(options), names, SEED, game)
    assert [list(stack) for stack in found.state.stacks] == expected.stacks
    assert list(found.state.centre) == []
    assert sorted(found.state.turned) == sorted(expected.turned)
