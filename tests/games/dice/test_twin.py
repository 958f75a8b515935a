"""Lama Dice against its twin on the same random numbers: golden games, tallies and forks.

Records of all options and numbers of players are compared in `tests/games/test_twins.py`.
"""

import numpy as np
import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.records.live import Player
from lama_odds.games.dice.records.record import read_record
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.interface.tally_layout import CERTAIN
from lama_odds.games.shared.decisions import decisions
from tests.games.cases import (
    counted,
    is_taken,
    measures_of,
    payoffs_of,
    product_record,
    product_rows,
    product_rules,
    rounds_of,
    sums_of,
    tally_of,
)
from tests.games.dice.cases import GAMES, GOLDEN, MIXES, SEED, id_of, record, twin_rules
from tests.reference import dice as twin

# --- Golden games: kept so that product and twin do not change together ----------------------

SHOWN = {
    "amigo": "end out",
    "amigo_empty_row": "end row",
    "amigo_last_llamas_blown": "roll LLL blown",
    "amigo_four_dice": "end blown",
    "egmont_twenty": "roll LLL\n",
}


@pytest.mark.parametrize("name", GAMES)
def test_product_and_twin_write_the_golden_record_and_it_is_read(name):
    edition, options, policies, game = GAMES[name]
    text = GOLDEN.read(name)
    assert product_record(id_of(edition, options), policies.split(), SEED, game) == text
    assert record(name) == text
    assert not options or record(name, options={}) != text
    assert SHOWN.get(name, "end") in text
    assert GOLDEN.files() == set(GAMES)
    found = read_record(text)
    for state, lines in zip(found.rounds, rounds_of(text), strict=True):
        words = {line[0]: line for line in lines}
        assert state.first == int(words["round"][3])
        assert state.ended == words["end"][1]
        assert state.penalties == [int(word) for word in words["penalties"][1:]]
    assert list(found.final) == [int(word) for word in text.splitlines()[-1].split()[1:]]


# --- Tallies ---------------------------------------------------------------------------------

TABLES = (
    ("egmont", {"twenty": True}, ("random", "threshold:3", "threshold:9", "threshold:16")),
    ("amigo", {"dealt": 5, "llama_safe_alone": False}, ("threshold:6", "random")),
)
# Few points, so that many games are shared by two, three or all.
TIES = ("amigo", {"llama_points": 1, "points": (1,) * 6, "target": 6}, ("random",) * 4)


@pytest.mark.parametrize(("edition", "options", "policies"), TABLES)
def test_sums_and_squares_over_first_rounds(edition, options, policies):
    measured = []
    for game in range(500, 800):
        turns, ended, _, penalties, _ = twin.play_round(
            twin_rules(edition, options), policies, 11, game, 0, 0, [0] * len(policies)
        )
        values = {("penalty", seat): penalty for seat, penalty in enumerate(penalties)}
        values |= {("actions", None): len(turns), ("went_out", None): ended == "out"}
        measured.append({**values, ("blown", None): ended == "blown"})
    for threads in (1, 2):
        found = tally_of(id_of(edition, options), policies, True, 11, 500, 300, threads)
        assert found == sums_of(measured)
    assert min(found["went_out", None][0], found["blown", None][0]) > 0


@pytest.mark.parametrize(("edition", "options", "policies"), [*TABLES, TIES])
def test_measures_of_games_are_those_of_the_records(edition, options, policies):
    table = twin_rules(edition, options)
    texts = [twin.game_record(table, "", policies, 13, game) for game in range(40, 160)]
    finals = [[int(word) for word in text.splitlines()[-1].split()[1:]] for text in texts]
    rounds = [len(rounds_of(text)) for text in texts]
    played = [measures_of(*each) for each in zip(finals, rounds, strict=True)]
    found = tally_of(id_of(edition, options), policies, False, 13, 40, 120)
    assert found == sums_of(measures for measures, _ in played)
    if (edition, options, policies) == TIES:
        assert {winners for _, winners in played} == {1, 2, 3, 4}


# --- Decisions played both ways: the twin's policies are forced to quit or to roll -----------


class Watched:
    """A policy that notes its decisions while others are in; one of them is given to it."""

    def __init__(self, seat, policy, round_):
        self.seat, self.policy, self.round = seat, policy, round_
        self.discard, self.take = policy.discard, policy.take

    def look(self, *table):
        self.policy.look(*table)

    def quits(self, points, hand, stream, coins):
        quits = self.policy.quits(points, hand, stream, coins)
        if self.round.others:
            self.round.met.append((self.seat, twin.penalty_of(points, hand), self.round.others))
            if len(self.round.met) == self.round.forced_at:
                quits = self.round.forced
        self.round.others -= quits
        return quits


class Watch:
    """A first round of the twin; decision number forced_at (from 1) is taken out of its hands."""

    def __init__(self, table, game, forced_at=0, forced=None):
        self.forced_at, self.forced, self.met = forced_at, forced, []
        plain = table.policies
        self.others = len(plain) - 1
        table.policies = [Watched(seat, policy, self) for seat, policy in enumerate(plain)]
        scores = [0] * len(plain)
        _, _, hands = twin.play_turns(table, game, 0, 0, scores)
        table.policies = plain
        penalties = [twin.penalty_of(table.points, hand) for hand in hands]
        self.changes = [a + b for a, b in zip(scores, penalties, strict=True)]


def twin_forks(edition, options, policies, seed, games, chances):
    """Play every decision of first rounds both ways; give the forks of each round."""
    table = twin.Table(twin_rules(edition, options), policies, seed)
    for game in range(games):
        forks = []
        for number, (seat, penalty, others) in enumerate(Watch(table, game).met, 1):
            if not is_taken(table.stream, game, number, chances[penalty]):
                continue
            ways = [Watch(table, game, number, quits) for quits in (True, False)]
            keys = [(penalty, None), (penalty, others)]
            forks.append((keys, *(payoffs_of(seat, way.changes) for way in ways)))
        yield forks


FORKED = [
    ("amigo", {}, ("threshold:5",) * 4),
    ("egmont", {"copies": 2, "dealt": 1, "llama_safe_alone": False}, ("threshold:0", "random")),
    ("amigo", {"faces": "11LL.2345LLL.6LLLLLLLL", "llamas": 3}, ("threshold:4",) * 5),
]


@pytest.mark.parametrize("thinned", [False, True])
@pytest.mark.parametrize(("edition", "options", "policies"), FORKED)
def test_forks_are_the_twins_rounds_played_both_ways(edition, options, policies, thinned):
    rules = product_rules(id_of(edition, options))
    chances = np.full(GAME.most_points(rules) + 1, CERTAIN, dtype=np.int64)
    if thinned:
        chances //= 1 + np.arange(chances.size) % 5
    job = GAME.forks(rules, [GAME.policy(name) for name in policies], chances)
    expected = counted(twin_forks(edition, options, policies, 4, 60, chances))
    assert len(expected) > 10
    assert product_rows(job, 4, 60, threads=1 + thinned) == expected
    assert (job.actions, job.margin_unit) == (("quit", "roll"), 1 / (len(policies) - 1))


# --- Cards of rules --------------------------------------------------------------------------

AMIGO = GAME.rules("dice/amigo")


def test_single_decisions_of_cards_are_those_of_their_games():
    seats = [GAME.policy(name) for name in MIXES[-1]]
    players = [Player(AMIGO, policy, len(seats)) for policy in seats]
    seen = set()
    for game in range(20):
        for each in decisions(GAME, AMIGO, GAME.record(AMIGO, seats, 8, game, False)):
            assert players[each.seat].decides(Situation(0, each.position), 0) == each.chosen
            seen.add(each.chosen.split()[0])
    assert seen == {"quit", "roll", "discard", "take"}
    assert len({str(player.basis) for player in players}) == len(players)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hand=6 opp=q=20 scores=20,20", ("quit", "quit")),  # 26 against 40: surely won
        ("hand=6 opp=q=12 scores=39,12", ("roll", "roll")),  # 45 against 24: surely lost
        ("hand=6 opp=q=14 scores=34,26", ("roll", "quit")),  # 40 all
        ("hand=6 opp=q=9 scores=20,30", ("roll", "quit")),  # the game goes on
    ],
)
def test_a_card_of_the_last_player_settles_the_game(text, expected):
    position = GAME.position(AMIGO, text)
    players = [Player(AMIGO, GAME.policy(f"card:settle/{last}"), 2) for last in ("never", "31")]
    assert tuple(each.decides(Situation(0, position), 0) for each in players) == expected
