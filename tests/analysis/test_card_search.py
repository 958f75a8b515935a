"""Cards found by racing: they win, the answer is about fresh games, a better neighbour is taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

import lama_odds.analysis.tune.card_neighbours as neighbours_module
import lama_odds.analysis.tune.card_search as search_module
from lama_odds.analysis.tune.card_neighbours import (
    Company,
    Neighbour,
    is_plainer,
    neighbours_of,
    settled,
)
from lama_odds.analysis.tune.card_search import (
    CardSearch,
    conditions_of,
    numbers_near,
    with_limit,
)
from lama_odds.analysis.tune.games import Field
from lama_odds.analysis.tune.racing import Search
from lama_odds.analysis.tune.tune import tune
from lama_odds.core.estimate import Estimate
from lama_odds.games.registry import game_of
from lama_odds.games.shared.rule_cards import NEVER_LIMIT, Condition, Line, RuleCard, language_of

DICE = game_of("dice")
AMIGO = DICE.rules("dice/amigo")
FAMILY = DICE.policy("card:1").family
LANGUAGE = language_of(FAMILY)
assert LANGUAGE is not None
CARD = RuleCard((Line(NEVER_LIMIT, (Condition(0, 2, 4), Condition(1, 0, 1))), Line(30)), (0,))


def searching(games: int = 1_000) -> CardSearch:
    field = Field(DICE, AMIGO, 2, "win", DICE.policy("threshold:12"))
    return CardSearch(Search(field, games, 3), FAMILY, LANGUAGE)


def test_each_number_is_tried_a_little_lower_and_higher() -> None:
    never, low, high, most, last = numbers_near(LANGUAGE, CARD)
    assert [card.lines[0].limit for card in never] == list(LANGUAGE.tried)
    assert [card.lines[0].conditions[0].low for card in low] == [1, 3, 4]
    assert [card.lines[0].conditions[0].high for card in high] == [2, 3, 5, 6, 8]
    assert [card.lines[0].conditions[1].high for card in most] == [0, 2, 3]
    assert [card.lines[1].limit for card in last] == [NEVER_LIMIT, 26, 28, 29, 31]
    assert {card.habits for nearby in (never, low, last) for card in nearby} == {(0,)}


def test_neighbours_have_another_limit_in_one_line() -> None:
    found = neighbours_of(LANGUAGE, CARD)
    assert [(at, card.lines[at].limit) for at, card in found] == [
        *((0, limit) for limit in LANGUAGE.tried),
        *((1, limit) for limit in (NEVER_LIMIT, 28, 29, 31)),
        (0, 30),
    ]
    assert found[-1][1] == RuleCard((Line(30),), (0,))
    assert [at for at, (line, card) in enumerate(found) if is_plainer(CARD, line, card)] == [6, 10]


def test_a_search_finds_a_card_and_measures_it_on_fresh_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = [next(each for each in conditions_of(LANGUAGE) if each.feature == 1)]
    monkeypatch.setattr(search_module, "conditions_of", lambda language: few)
    against = DICE.policy("threshold:12")
    found = tune(DICE, AMIGO, FAMILY, 2, against=against, games=1_000, seed=3, threads=1)
    assert DICE.policy(found.policy).name == found.policy
    assert found.value.low > 0.5
    assert [tried.numbers["lines"] for tried in found.tried] == [*range(1, len(found.tried) + 1)]
    again = searching().search.measure(DICE.policy(found.policy))
    assert again == found.value


def test_who_sits_among_the_card_itself_differs_from_a_fair_share() -> None:
    cards = searching(2_000)
    policies = [cards.policy(with_limit(RuleCard((Line(9),)), 0, limit)) for limit in (9, 2)]
    (_, same), (value, less) = cards.search.compared(policies, policies[0])
    assert (same.value, same.stderr) == (0, 0)
    assert less.value == pytest.approx(value.value - 0.5)
    assert less.high < 0


def compared_as(beats: int, worse: bool) -> object:
    """A stand-in for games: one limit beats all others among the others."""

    def found(cards: CardSearch, card: RuleCard, part: int = 0) -> list[Neighbour]:
        del part
        near = []
        for line, other in neighbours_of(cards.language, card):
            gain = 0.02 * (
                abs(card.lines[line].limit - beats) - abs(other.lines[line].limit - beats)
            )
            seen = Estimate.from_half(gain, 0.005, 0.01, 100)
            itself = Estimate.from_half(-0.02 if worse else 0.0, 0.005, 0.01, 100)
            near.append(Neighbour(other, line, Company(seen, seen), Company(itself, itself)))
        return near

    return found


@pytest.mark.parametrize(("worse", "limit", "moves"), [(False, 15, 2), (True, 12, 0)])
def test_a_better_neighbour_takes_the_place_of_a_card(
    worse: bool, limit: int, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours_module, "compared", compared_as(15, worse))
    card, near, moved = settled(searching(), RuleCard((Line(12),)))
    assert (card.lines[0].limit, moved) == (limit, moves)
    assert any(each.beats for each in near) is worse


def test_a_plainer_card_takes_the_place_of_one_that_is_no_better() -> None:
    nothing, wide = (Estimate.from_half(0.0, half / 2, half, 100) for half in (0.002, 0.01))
    never = with_limit(RuleCard((Line(2),)), 0, NEVER_LIMIT)
    same = Company(nothing, nothing)
    assert Neighbour(never, 0, same, same, plainer=True).better
    assert not Neighbour(never, 0, same, replace(same, difference=wide), plainer=True).better
    assert not Neighbour(never, 0, same, same).better
