"""Dice and cards: the product writes, turn for turn, the records of its twin on the same luck."""

import pytest

from lama_odds.games.registry import game_of
from tests.games.cases import games_at, product_record
from tests.games.dice import cases as dice_cases
from tests.games.lama import cases as lama_cases
from tests.reference import dice, lama

GAMES = ((dice_cases, dice), (lama_cases, lama))
NAMED = [
    pytest.param(cases, twin, edition, options, id=cases.id_of(edition, options))
    for cases, twin in GAMES
    for edition, options in cases.CASES
]


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("cases", "twin", "edition", "options"), NAMED)
def test_games_and_first_rounds_are_those_of_the_twin(cases, twin, edition, options):
    rules_id, rules = cases.id_of(edition, options), cases.twin_rules(edition, options)
    wrong = []
    for players in range(2, cases.most_players(edition, options) + 1):
        for rounds, written in ((False, twin.game_record), (True, twin.round_record)):
            for policies, seed, game in games_at(cases.MIXES, players, int(rounds)):
                expected = written(rules, rules_id, policies, seed, game)
                if product_record(rules_id, policies, seed, game, rounds) != expected:
                    wrong.append((policies, seed, game, rounds))
    assert wrong == []


@pytest.mark.parametrize(("cases", "twin", "edition", "options"), NAMED)
def test_the_twin_has_the_same_rule_set(cases, twin, edition, options):
    rules_id = cases.id_of(edition, options)
    rules = game_of(rules_id).rules(rules_id)
    assert rules.values == vars(cases.twin_rules(edition, options))
    assert game_of(rules_id).rules(rules.id) == rules
    assert rules.players == range(2, cases.most_players(edition, options) + 1)
