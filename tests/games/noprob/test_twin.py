"""The product writes the records of its plain twin, turn for turn, and counts what they make."""

from unittest import mock

import pytest

from lama_odds.games.noprob.engine.planner import PATIENCE
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies import learned
from lama_odds.games.noprob.records.record import read_record
from lama_odds.simulation.run import run
from tests.games.cases import product_record, product_rules, seats_of, sums_of
from tests.games.noprob.cases import (
    CASES,
    FOUR,
    GAMES,
    GOLDEN,
    SEED,
    STUCK,
    TIES,
    TINY,
    followed,
    id_of,
    players_of,
    record,
    turns_of,
    twin_record,
    twin_rules,
)
from tests.reference import noprob as twin
from tests.reference.noprob_players import Deck, Learned

every_case = pytest.mark.parametrize("options", CASES, ids=id_of)
THUMBS = (
    ("low-cards:4", "random", "low-cards:-1", "low-cards:99"),
    ("card:up/pairs/down=..1:4/fewest=2..+total=5..20:never/12", "random", "card:pairs/3"),
)
THREE = ("planner:chase=40,lead=0,deny=20,haste=20", "random", "greedy")


@pytest.mark.one_in(5)
@every_case
def test_rules_of_thumb_play_as_their_twins(options):
    for mix in THUMBS:
        for players in {2, players_of(options)[-1]}:
            told = seats_of(mix, players), 7 + players, players % 2, True
            assert product_record(id_of(options), *told) == twin_record(options, *told)


@pytest.mark.one_in(5)
@every_case
def test_the_twin_can_follow_any_policy(options):
    """Its decisions are not the policy's: the cards, the turns and the points that come of them."""
    policies = seats_of(THREE, min(3, players_of(options)[-1]))
    record = product_record(id_of(options), policies, 6, 3)
    assert followed(options, record, 6, 3) == record


@every_case
def test_the_twin_has_the_same_cards(options):
    rules, deck = product_rules(id_of(options)), Deck(twin_rules(options))
    assert (rules.names, rules.points) == (tuple(deck.texts), tuple(deck.values))
    assert rules.deck == tuple(deck.pack.count(kind) for kind in range(14))
    assert rules.players == range(2, min(6, (len(deck.pack) - 2) // 9) + 1)


def test_a_round_that_does_not_end_is_given_up():
    found = [twin_record(STUCK, ("random", "random"), 0, game) for game in range(30)]
    stuck = [game for game, record in enumerate(found) if "final" not in record]
    assert 0 < len(stuck) < 30
    for game in stuck[:3]:
        assert product_record(id_of(STUCK), ("random", "random"), 0, game) == found[game]
        turns = turns_of(found[game])
        assert sum(number == max(turns)[0] for number, _ in turns) == twin.MOST_TURNS


def measures_of_round(table, game):
    """Give what a first round of the twin adds to the measures."""
    state = twin.Round(table, game, 0)
    state.play()
    found = {("penalty", seat): points for seat, points in enumerate(state.penalties())}
    lost = int(state.turns == twin.MOST_TURNS)
    return found | {("turns", None): state.turns, ("unfinished", None): lost}


def measures_of_game(table, game):
    """Give what a game adds to the measures; a win is 420 shares, no end no rounds."""
    told = list(twin.rounds_of(table, game))
    standing = told[-1][0]
    shares, lost = standing.shares(), not standing.winners
    by_seat = {
        "win": shares,
        "outright": [int(share == twin.WIN) for share in shares],
        "score": standing.totals,
        "llamas": standing.llamas,
    }
    found = {(name, s): value for name, values in by_seat.items() for s, value in enumerate(values)}
    found["unfinished", None] = int(lost)
    found["rounds", None] = 0 if lost else standing.rounds
    found["length", None] = sum(played.turns for _, played in told)
    found["spread", None] = max(standing.totals) - min(standing.totals)
    return found


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("options", "players", "games"),
    [
        ({}, 5, 30),
        # Totals are often equal, also before somebody has enough llamas.
        (TIES | {"any_tie": True}, 3, 60),
        # Equal sums share the win, and a game that is given up is nobody's.
        (TINY | FOUR | {"rounds": 1, "special": 0}, 2, 300),
        (STUCK, 2, 40),
    ],
    ids=str,
)
def test_measures_are_those_of_the_twin(options, players, games):
    policies = ("random",) * players
    chosen = [GAME.policy(name) for name in policies]
    table = twin.Table(twin_rules(options), policies, 13)
    for measures, rounds in ((measures_of_round, True), (measures_of_game, False)):
        job = GAME.simulation(product_rules(id_of(options)), chosen, rounds=rounds)
        plain = run(job, 13, games, first=40, threads=2, chunk=16).tally
        if not rounds:
            job = job.detailed()
        tally = run(job, 13, games, first=40, threads=1).tally
        assert (plain == tally[: len(plain)]).all()
        names = [(measure.name, measure.seat) for measure in job.measures]
        found = dict(zip(names, tally.tolist(), strict=True))
        assert found == sums_of(measures(table, game) for game in range(40, 40 + games))


@pytest.mark.parametrize("name", GAMES)
def test_product_and_twin_write_the_golden_record_and_it_is_read(name):
    options, players, game = GAMES[name]
    text = GOLDEN.read(name)
    assert product_record(id_of(options), ("random",) * players, SEED, game) == record(name) == text
    found = read_record(text)
    assert (found.rules.id, found.players, found.luck) == (id_of(options), players, (SEED, game))
    assert f"final {' '.join(map(str, found.final))}" == text.splitlines()[-1]


@pytest.mark.long
@pytest.mark.parametrize(("players", "rounds"), [(2, range(3)), (3, range(2)), (6, [5630])])
def test_the_learned_policy_plays_as_its_twin_with_the_same_weights(players, rounds):
    policies = ("learned",) * players
    known = learned(product_rules(id_of({})), players)
    plain = (part.tolist() for part in known[:4])
    net = known.net.tolist()
    weights = [*plain, net]
    with mock.patch.object(twin, "policy_of", side_effect=lambda _: Learned(*weights)):
        for game in rounds:
            found = product_record(id_of({}), policies, 5, game, rounds=True)
            assert found == twin_record({}, policies, 5, game, rounds=True)
    # In a round as long as that of six, players hurry.
    assert players < 6 or len(found.splitlines()) > 6 * (PATIENCE + 20)
