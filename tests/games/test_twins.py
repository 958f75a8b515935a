"""The product writes, turn for turn, the records of its plain twins with the same numbers."""

import pytest

from lama_odds.games.registry import game_of
from tests.games.cases import LARGEST_SEED, LAST_GAME, games_at, product_record, seats_of
from tests.games.dice import cases as dice_cases
from tests.games.lama import cases as lama_cases
from tests.games.noprob import cases as noprob_cases
from tests.games.pikomino import cases as pikomino_cases
from tests.reference import dice, lama, noprob, pikomino

EDITED = {"dice": (dice_cases, dice), "lama": (lama_cases, lama)}
CASES_OF = {
    "dice": dice_cases, "lama": lama_cases, "noprob": noprob_cases, "pikomino": pikomino_cases,
}  # fmt: skip
NAMED = [
    (name, case if name in EDITED else (case,))
    for name, cases in CASES_OF.items()
    for case in cases.CASES
]
ALL = pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(name, case, id=CASES_OF[name].id_of(*case)) for name, case in NAMED],
)


def expected_record(name, case, policies, seed, game, rounds=False):
    """Let the twin write the record of a game, or of its first round."""
    rules_id = CASES_OF[name].id_of(*case)
    rules = CASES_OF[name].twin_rules(*case)
    if name == "noprob":
        return noprob.record(rules, rules_id, policies, seed, game, not rounds)
    twin = EDITED[name][1] if name in EDITED else pikomino
    return (twin.round_record if rounds else twin.game_record)(
        rules, rules_id, policies, seed, game
    )


def players_of(name, case):
    """Give the numbers of players that the cards suffice for."""
    if name in EDITED:
        return range(2, CASES_OF[name].most_players(*case) + 1)
    return pikomino_cases.SEATS if name == "pikomino" else noprob_cases.players_of(*case)


def played(name, players):
    """Give the games compared at a table: policies, seed, game, whether only a round of it."""
    if name == "noprob":
        for game in range(3):
            yield ("random",) * players, 10 * players, game, game > 0
    elif name == "pikomino":
        for number, mix in enumerate(pikomino_cases.MIXES):
            yield seats_of(mix, players), 10 * players + number, 7 * number, False
    else:
        for rounds in (False, True):
            for table in games_at(CASES_OF[name].MIXES, players, int(rounds)):
                yield *table, rounds


@pytest.mark.one_in(8)
@ALL
def test_games_and_first_rounds_are_those_of_the_twin(name, case):
    rules_id = CASES_OF[name].id_of(*case)
    wrong = [
        table
        for players in players_of(name, case)
        for table in played(name, players)
        if product_record(rules_id, *table) != expected_record(name, case, *table)
    ]
    assert wrong == []


@ALL
def test_the_twin_has_the_same_rule_set(name, case):
    rules_id = CASES_OF[name].id_of(*case)
    rules = game_of(rules_id).rules(rules_id)
    assert rules.values == vars(CASES_OF[name].twin_rules(*case))
    assert game_of(rules_id).rules(rules.id) == rules
    assert rules.id == rules_id
    if name != "noprob":  # its cards are counted in a test of its own
        assert rules.players == players_of(name, case)


@pytest.mark.parametrize(
    ("name", "case", "policies"),
    [
        ("dice", ("egmont", {}), ("random", "threshold:4", "random")),
        ("lama", ("party", {"drama": True}), ("random", "threshold:4", "matching:6")),
        ("noprob", (noprob_cases.TINY,), ("random",) * 2),
        ("pikomino", ({},), ("random", "first-tile", "random")),
    ],
    ids=str,
)
def test_any_seed_and_game_can_be_looked_up(name, case, policies):
    rules_id = CASES_OF[name].id_of(*case)
    for luck in ((0, 0), (1, 2**32 + 5), (2**32, 1), (LARGEST_SEED, LAST_GAME)):
        found = product_record(rules_id, policies, *luck)
        assert found == expected_record(name, case, policies, *luck)


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("dice", ("egmont", {"target": 1000})),
        ("lama", ("egmont", {"drama": True, "target": 1000})),
    ],
)
def test_a_game_longer_than_the_first_log(name, case):
    luck = ("threshold:3",) * 6, 3, 0
    expected = expected_record(name, case, *luck)
    assert len(expected.splitlines()) > 4096
    assert product_record(CASES_OF[name].id_of(*case), *luck) == expected
