"""The test of skill: simulated players are recovered, and every number has its interval."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lama_odds.analysis.coach import skill
from lama_odds.core.errors import LimitError
from lama_odds.games.registry import game_of

DRAWS = 4_000
LOOKED_AT = 60
USUAL = (3.0, 0.0, 0.5, 0.5)  # a player that several tests ask about


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next question is chosen by fewer players: it takes most of the time."""
    monkeypatch.setattr(skill, "LOOKED_AT", LOOKED_AT)


def taken(*player: float, seed: int = 1) -> skill.SkillTest:
    """A test answered by a simulated player of Lama Dice: precision, caution, what it ignores."""
    made = skill.SkillTest(game_of("dice"), draws=DRAWS)
    return skill.simulated(made, player, seed)


@cache
def usual() -> skill.SkillTest:
    """The test of the usual player."""
    return taken(*USUAL)


def test_chances_add_up_and_the_best_is_likely() -> None:
    made = skill.SkillTest(game_of("dice"), draws=DRAWS)
    for drill in made.pool[:5]:
        chances = made.chances(drill)
        assert chances.shape == (DRAWS, len(drill.choices))
        assert np.allclose(chances.sum(axis=1), 1)
        assert chances.min() > 0
        assert chances.mean(axis=0)[0] == chances.mean(axis=0).max()


def test_a_test_has_20_to_30_questions_and_asks_none_twice() -> None:
    asked = [drill.id for drill, _ in usual().asked]
    assert skill.LEAST <= len(asked) <= skill.MOST
    assert len(set(asked)) == len(asked)


def test_a_careful_and_a_bold_player_are_told_apart() -> None:
    careful = taken(1.0, 6.0, 0.0, 0.0).result().traits[0]
    bold = taken(1.0, -6.0, 0.0, 0.0).result().traits[0]
    assert careful.id == bold.id == "caution"
    assert (careful.shown, bold.shown) == (1, -1)


def test_a_strong_player_costs_less_than_a_weak_one() -> None:
    strong, weak = taken(40.0, 0.0, 0.0, 0.0).cost(), taken(0.5, 0.0, 0.5, 0.5).cost()
    assert strong.high < weak.low


def test_the_same_answers_give_the_same_result() -> None:
    assert taken(*USUAL).result() == usual().result()


def test_intervals_hold_the_truth_of_most_players() -> None:
    random = np.random.default_rng(5)
    inside, number = 0, 6
    for seed in range(number):
        player = [3.0 * np.exp(random.standard_normal()), 1.5 * random.standard_normal()]
        player += list(random.random(2))
        traits = taken(*player, seed=seed).result().traits
        inside += traits[1].value.low <= player[2] <= traits[1].value.high
    assert inside >= number - 2


def test_no_number_without_its_interval() -> None:
    result = usual().result()
    for value in (result.cost, *(trait.value for trait in result.traits)):
        assert value.low < value.value < value.high
    assert result.unit


def test_a_rule_set_without_positions_has_no_test() -> None:
    with pytest.raises(LimitError, match="too few positions"):
        skill.SkillTest(game_of("dice"), "dice/amigo+dealt=3")
