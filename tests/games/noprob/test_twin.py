"""The product writes the records of its plain twin, turn for turn, and counts what they make."""

from collections import Counter
from itertools import product
from unittest import mock

import pytest

from lama_odds.games.noprob.engine.planner import PATIENCE
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies import learned
from lama_odds.games.noprob.records.record import read_record
from lama_odds.simulation.run import run
from tests.games.cases import (
    product_record,
    product_rules,
    seats_of,
    sums_of,
)
from tests.games.noprob.cases import (
    CASES,
    END,
    FOUR,
    SMALL,
    STUCK,
    TIES,
    TINY,
    followed,
    id_of,
    players_of,
    short,
    turns_of,
    twin_record,
    twin_rules,
)
from tests.games.noprob.golden_update import GAMES, GOLDEN, SEED, record
from tests.reference import noprob as twin
from tests.reference.noprob_players import Learned

NAMED = [pytest.param(options, id=short(options)) for options in CASES]
FIVE = ("planner:chase=40,lead=0,deny=20,haste=20", "random", "greedy")


def compare(options, policies, seed, game, rounds=False):
    expected = twin_record(options, policies, seed, game, rounds)
    assert product_record(id_of(options), policies, seed, game, rounds) == expected
    return expected


@pytest.mark.parametrize("players", range(2, 7))
def test_many_rounds_are_those_of_the_twin(players):
    for game in range(40):
        compare({}, ("random",) * players, 2, game, rounds=True)


@pytest.mark.one_in(20)
@pytest.mark.parametrize("options", NAMED)
@pytest.mark.parametrize(
    "mix",
    [
        ("low-cards:4", "random", "low-cards:-1", "low-cards:99"),
        ("card:up/pairs/down=..1:4/fewest=2..+total=5..20:never/12", "random", "card:pairs/3"),
    ],
)
def test_rules_of_thumb_play_as_their_twins(options, mix):
    for players in players_of(options):
        policies = seats_of(mix, players)
        compare(options, policies, 7 + players, players % 2, rounds=True)


@pytest.mark.long
def test_targets_rise_as_those_of_the_twin():
    seen = Counter()
    for any_tie, players in product((False, True), (2, 3, 4)):
        options = TIES | ({"any_tie": True} if any_tie else {})
        for game in range(60):
            record = compare(options, ("random",) * players, 3, game)
            targets = {line for line in record.splitlines() if line.startswith("target")}
            seen.update((any_tie, target) for target in targets)
    assert seen[True, "target 3"] > seen[False, "target 3"] > 2
    assert seen[True, "target 4"] > 0


@pytest.mark.parametrize("options", NAMED)
def test_the_twin_has_the_same_rule_set(options):
    rules = GAME.rules(id_of(options))
    assert rules.values == vars(twin_rules(options))
    assert rules.id == id_of(options)
    deck = twin.Deck(twin_rules(options))
    assert rules.names == tuple(deck.texts)
    assert rules.points == tuple(deck.values)
    assert rules.deck == tuple(deck.pack.count(kind) for kind in range(14))
    assert rules.players == range(2, min(6, (len(deck.pack) - 2) // 9) + 1)


# The decisions of other policies are not the twin's, but the cards, the order of play and the
# points that come of them are.


@pytest.mark.one_in(4)
@pytest.mark.parametrize("options", NAMED)
def test_the_twin_can_follow_any_policy(options):
    for players, (game, rounds) in product(players_of(options), ((3, False), (4, True))):
        record = product_record(id_of(options), seats_of(FIVE, players), 6, game, rounds)
        assert followed(options, record, 6, game, rounds) == record


def test_a_round_that_does_not_end_is_given_up():
    found = [twin_record(STUCK, ("random", "random"), 0, game) for game in range(30)]
    stuck = [game for game, record in enumerate(found) if "final" not in record]
    assert 0 < len(stuck) < 30
    for game in stuck[:3]:
        record = compare(STUCK, ("random", "random"), 0, game)
        turns = turns_of(record)
        assert sum(number == max(turns)[0] for number, _ in turns) == twin.MOST_TURNS
        assert record.splitlines()[-1].endswith("pass")


def events_of(record, peeks=2):
    """Count what happens in a record: words of turns, ends, and what shows beside them."""
    seen, grids = Counter(), []
    for line in record.splitlines():
        words = line.split()
        if words[0] == "deal":
            grids = [row.replace("/", ",").split(",") for row in words[1:]]
            up = [set() for _ in grids]
        if words[0] in ("end", "target"):
            seen[line] += 1
        if words[0] == "penalties":
            totals = [int(word) for word in words[1:]]
            seen["tie"] += totals.count(min(totals)) > 1
            hidden = [
                card
                for grid, cells in zip(grids, up, strict=True)
                for cell, card in enumerate(grid)
                if cell not in cells
            ]
            seen["special hidden at the end"] += "D" in hidden or "K" in hidden
        if not words[0].isdigit():
            continue
        seat = int(words[0])
        use = words[3] if len(words) > 3 else ""
        card = words[2] if words[1:2] != ["pass"] and words[2] in "JDK" else "number"
        seen[f"{words[1]} {card} {use}".rstrip()] += 1
        if use == "replace":
            row, column = words[4].split(",")
            cell = 3 * int(row) + int(column) - 4
            seen["turns a special up"] += words[6] in "DK"
            seen["replaces a card face up"] += cell in up[seat]
            seen["replaces a card looked at"] += cell not in up[seat] and cell < peeks
            grids[seat][cell] = words[2]
            up[seat].add(cell)
    return seen


def test_the_games_compared_show_every_event():
    seen = Counter()
    for options in ({}, TIES, TINY, TINY | END, SMALL, STUCK):
        for players in players_of(options):
            for game in range(6 if options is TIES else 2):
                seen += events_of(twin_record(options, ("random",) * players, 10 * players, game))
    events = ["end done", "end empty", "tie", "special hidden at the end", "turns a special up"]
    events += ["replaces a card face up", "replaces a card looked at", "target 2", "target 3"]
    events += [f"draw {card} {use}" for card in ("number", "J") for use in ("replace", "discard")]
    events += ["take number replace", "take J replace", "take K give", "take D give"]
    events += ["draw D give", "draw K give"]
    assert [event for event in events if seen[event] < 3] == []
    assert not seen["take number discard"] + seen["pass"]


TALLIED = (
    ({}, 2, 60),
    ({}, 5, 40),
    (FOUR, 3, 40),
    (SMALL | {"any_tie": True, "target": 1}, 3, 100),
    (SMALL | END | {"low": 2, "special": 6, "triple_joker": False}, 4, 60),
    (TINY | FOUR | {"rounds": 2}, 2, 100),
    (STUCK, 2, 40),
)


def tally_of(options, players, seed, first, games, rounds, threads=1):
    """Simulate; give [sum, sum of squares] by measure and seat."""
    chosen = [GAME.policy("random")] * players
    job = GAME.simulation(product_rules(id_of(options)), chosen, rounds=rounds)
    played = run(job, seed, games, first=first, threads=threads, chunk=16)
    assert played.games == games
    names = [(measure.name, measure.seat) for measure in job.measures]
    return dict(zip(names, played.tally[: len(names)].tolist(), strict=True))


def measures_of_round(rules, policies, seed, game):
    """Give what a first round of the twin adds to the measures."""
    penalties, turns = twin.play_first_round(rules, policies, seed, game)
    found = {("penalty", seat): points for seat, points in enumerate(penalties)}
    return found | {("turns", None): turns, ("unfinished", None): int(turns == twin.MOST_TURNS)}


def measures_of_game(rules, policies, seed, game):
    """Give what a game adds to the measures; a win is 420 shares, no end no rounds."""
    played = twin.play_game(rules, policies, seed, game)
    found = {("unfinished", None): played["unfinished"]}
    found["rounds", None] = 0 if played["unfinished"] else played["rounds"]
    for name in ("win", "outright", "score", "llamas"):
        found |= {(name, seat): value for seat, value in enumerate(played[name])}
    return found


def expected_of(measures, options, players, seed, first, games):
    """Sum the measures and their squares over the twin's games."""
    policies = ("random",) * players
    return sums_of(
        measures(twin_rules(options), policies, seed, game) for game in range(first, first + games)
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("options", "players", "games"),
    TALLIED,
    ids=str,
)
def test_measures_are_those_of_the_twin(options, players, games):
    for measures, rounds in ((measures_of_round, True), (measures_of_game, False)):
        expected = expected_of(measures, options, players, 13, 40, games)
        for threads in (1, 2):
            assert tally_of(options, players, 13, 40, games, rounds, threads) == expected


@pytest.mark.parametrize(("options", "players"), [({}, 3), (FOUR, 2), (STUCK, 2)], ids=str)
def test_games_in_detail_have_their_length_in_turns_and_the_spread_of_scores(options, players):
    chosen = [GAME.policy("random")] * players
    job = GAME.simulation(product_rules(id_of(options)), chosen, rounds=False)
    plain, detailed = run(job, 13, 30).tally, run(job.detailed(), 13, 30).tally
    assert (detailed[: len(job.measures)] == plain).all()
    expected = Counter()
    for game in range(30):
        table = twin.Table(twin_rules(options), ["random"] * players, 13)
        told = list(twin.rounds_of(table, game))
        turns = sum(played.turns for _, played in told)
        standing = told[-1][0]
        spread = max(standing.totals) - min(standing.totals)
        expected += Counter(length=turns, length_squared=turns**2)
        expected += Counter(spread=spread, spread_squared=spread**2)
    names = [measure.name for measure in job.detailed().measures]
    for name in ("length", "spread"):
        found = detailed[names.index(name)].tolist()
        assert found == [expected[name], expected[f"{name}_squared"]]


def test_a_game_given_up_is_nobodys_win():
    found = tally_of(STUCK, 2, 13, 40, 40, rounds=False)
    lost = found["unfinished", None][0]
    assert 0 < lost < 40
    assert sum(found["win", seat][0] for seat in range(2)) == twin.WIN * (40 - lost)
    assert sum(found["outright", seat][0] for seat in range(2)) == 40 - lost


def test_equal_sums_share_the_win_of_four_rounds():
    options = TINY | FOUR | {"rounds": 1, "special": 0}
    shared = Counter()
    for game in range(300):
        played = twin.play_game(twin_rules(options), ("random",) * 2, 13, game)
        shared[tuple(played["win"])] += 1
        if played["win"][0] == twin.WIN // 2:
            found = tally_of(options, 2, 13, game, 1, rounds=False)
            assert [found["win", seat][0] for seat in range(2)] == played["win"]
            assert [found["outright", seat][0] for seat in range(2)] == [0, 0]
    assert set(shared) == {(420, 0), (0, 420), (210, 210)}


golden = GOLDEN.read


def lines_of(name, word):
    """Give the rest of the lines of a golden record that begin with a word."""
    lines = [line.split() for line in golden(name).splitlines()]
    return [words[1:] for words in lines if words[0] == word]


def ends_of(name):
    """Give the grids of each round at its end, with the specials beside them."""
    grids, beside = [], []
    for line in golden(name).splitlines():
        words = line.split()
        if words[0] == "deal":
            grids = [row.replace("/", ",").split(",") for row in words[1:]]
            beside = [[] for _ in grids]
        elif words[0] == "penalties":
            yield grids, beside, [int(word) for word in words[1:]]
        elif words[3:4] == ["give"]:
            beside[int(words[4])].append(words[2])
        elif words[3:4] == ["replace"]:
            row, column = words[4].split(",")
            grids[int(words[0])][3 * int(row) + int(column) - 4] = words[2]


@pytest.mark.parametrize("name", GAMES)
def test_product_and_twin_write_the_golden_record_and_it_is_read(name):
    options, players, game = GAMES[name]
    text = golden(name)
    assert product_record(id_of(options), ("random",) * players, SEED, game) == record(name) == text
    found = read_record(text)
    assert (found.rules.id, found.players) == (id_of(options), players)
    assert found.policies == ("random",) * players
    assert found.luck == (SEED, game)
    assert [str(number) for number in found.final] == lines_of(name, "final")[0]
    ends = list(ends_of(name))
    assert len(found.rounds) == len(ends)
    for round_, (grids, beside, penalties) in zip(found.rounds, ends, strict=True):
        names = found.rules.names
        assert [[names[kind] for kind in hand] for hand in round_.hands] == grids
        assert [[names[kind] for kind in cards] for cards in round_.beside] == beside
        assert round_.penalties == penalties


def plain(players):
    """The twin's player with the product's weights for a number of players."""
    known = learned(GAME.rules(id_of({})), players)
    fitted = (known.own, known.theirs, known.share, known.chance)
    return Learned(*(part.tolist() for part in fitted))


def plain_round(players, game):
    with mock.patch.object(twin, "policy_of", side_effect=lambda _: plain(players)):
        return twin_record({}, ("learned",) * players, 5, game, rounds=True)


@pytest.mark.long
@pytest.mark.parametrize(("players", "rounds"), [(2, 6), (3, 3), (4, 2), (6, 1)])
def test_rounds_are_those_of_the_twin(players, rounds):
    policies = ("learned",) * players
    for game in range(rounds):
        assert product_record(id_of({}), policies, 5, game, rounds=True) == plain_round(
            players, game
        )


@pytest.mark.long
def test_the_twin_hurries_as_much_in_a_long_round():
    policies, game = ("learned",) * 6, 42
    found = product_record(id_of({}), policies, 5, game, rounds=True)
    assert len(found.splitlines()) > 6 * (PATIENCE + 20)
    assert found == plain_round(6, game)
