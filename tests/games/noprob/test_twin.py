"""The product writes, turn for turn, the records of its plain twin on the same luck."""

from collections import Counter
from itertools import product

import pytest

from lama_odds.games.noprob.game import GAME
from tests.games.cases import LARGEST_SEED, LAST_GAME, product_record, seats_of
from tests.games.noprob.cases import (
    CASES,
    END,
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
from tests.reference import noprob as twin

TABLES = [
    pytest.param(options, players, id=f"{short(options)}-{players}")
    for options in CASES
    for players in players_of(options)
]
NAMED = [pytest.param(options, id=short(options)) for options in CASES]
FIVE = ("planner:chase=40,lead=0,deny=20,haste=20", "random", "greedy")


def compare(options, policies, seed, game, rounds=False):
    expected = twin_record(options, policies, seed, game, rounds)
    assert product_record(id_of(options), policies, seed, game, rounds) == expected
    return expected


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_games_are_those_of_the_twin(options, players):
    policies = ("random",) * players
    for game in range(3):
        compare(options, policies, 10 * players, game, rounds=game > 0)


@pytest.mark.parametrize("players", range(2, 7))
def test_many_rounds_are_those_of_the_twin(players):
    for game in range(40):
        compare({}, ("random",) * players, 2, game, rounds=True)


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
        for game in range(2):
            compare(options, policies, 7 + players, game, rounds=True)


@pytest.mark.long
@pytest.mark.parametrize("policy", ["low-cards:4", "card:up/pairs/12", "card:never"])
def test_rounds_of_rules_of_thumb_alone_are_those_of_the_twin(policy):
    for players in (2, 3, 4, 6):
        for game in range(25):
            compare({}, (policy,) * players, 5, game, rounds=True)


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


@pytest.mark.parametrize("seed", [0, 1, 2**32, LARGEST_SEED])
@pytest.mark.parametrize("game", [0, 1, 2**32 + 5, LAST_GAME])
def test_any_seed_and_game_can_be_looked_up(seed, game):
    compare(TINY, ("random", "random"), seed, game)


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


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_the_twin_can_follow_any_policy(options, players):
    policies = seats_of(FIVE, players)
    for game, rounds in ((3, False), (4, True)):
        record = product_record(id_of(options), policies, 6, game, rounds)
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
