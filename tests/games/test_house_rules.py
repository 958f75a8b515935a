"""House rules of cards and dice: exact where an answer claims it, said where it is sampled."""

from __future__ import annotations

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.simulate import simulate
from lama_odds.analysis.strategy_report.by_game import own
from lama_odds.analysis.strategy_report.report import Ask, Budget
from lama_odds.games.dice.jobs.rollouts import UNPLANNED
from lama_odds.games.dice.policies.catalogue import meanfield_values
from lama_odds.games.registry import game_of

GAMES = Limits(games=1_000)
TWO = "hand=25L row=1346L opp=6LL"
ALONE = "hand=2 row=1346L opp=q13,q6LL scores=12,3,5"


@pytest.mark.long
@pytest.mark.parametrize("option", ["quit_cost=3", "out_token=never", "out_token=llama"])
@pytest.mark.parametrize(("text", "objective"), [(TWO, "margin"), (ALONE, "points")])
def test_dice_say_that_they_are_sampled(option: str, text: str, objective: str) -> None:
    game = game_of("dice")
    rules = game.rules(f"dice/amigo+{option}")
    found = advise(game, rules, game.position(rules, text), objective=objective, limits=GAMES)
    assert found.method == "simulation"
    said = f"sampled, not solved: the solvers do not know {option.partition('=')[0]}"
    assert said in found.assumptions
    assert (UNPLANNED in found.assumptions) == (option == "out_token=llama")
    usual = game.rules("dice/amigo")
    position = game.position(usual, text)
    assert advise(game, usual, position, objective=objective, limits=GAMES).method == "exact"


def test_dice_leave_exact_tables_and_sections_out() -> None:
    game = game_of("dice")
    for options, there in (("", True), ("+quit_cost=1", False)):
        rules = game.rules(f"dice/amigo{options}")
        assert bool(game.exact_tables(rules, 2)) == there
        ask = Ask(game, rules, 2, Budget(0.25))
        assert bool(own.of_the_game(ask)) == bool(own.of_pairings(ask)) == there


@pytest.mark.long
@pytest.mark.parametrize("rules_id", ["lama/amigo", "dice/amigo"])
def test_quitting_costs_what_the_rules_say(rules_id: str) -> None:
    game = game_of(rules_id)
    text = "hand=3356L top=4 opp=4,q2,6" if rules_id.startswith("lama") else "hand=25L opp=13,6LL"
    values = []
    for options in ("", "+quit_cost=7"):
        rules = game.rules(rules_id + options)
        position = game.position(rules, text)
        known = game.known(rules, position)["quit"]["points"]
        found = advise(game, rules, position, objective="points", limits=GAMES)
        value = next(a.value for a in found.actions if a.action == "quit")
        assert (value.value, value.method) == (known.value, "exact")
        values.append(known.value)
    assert values[1] - values[0] == 7


@pytest.mark.long
@pytest.mark.parametrize("rules_id", ["lama/egmont", "dice/egmont"])
def test_the_best_policy_plans_with_the_rules(rules_id: str) -> None:
    """Quitting that costs more is rarer, so more rounds end by a player going out or blowing it."""
    game = game_of(rules_id)
    ended = []
    for options in ("", "+quit_cost=3", "+quit_cost=40"):
        rules = game.rules(rules_id + options)
        policies = [game.policy("meanfield")] * 3
        played = simulate(game, rules, policies, 1_000, rounds=True, seed=1)
        ended.append(played.table["went_out"].value + played.table["blown"].value)
    assert ended[0] < ended[1] < ended[2]


def test_a_table_without_a_token_for_going_out_keeps_that_of_three_llamas() -> None:
    game = game_of("dice")
    always, never = (game.rules(f"dice/amigo{o}") for o in ("", "+out_token=never"))
    for token in (0, 10):
        usual, other = (meanfield_values(rules, 2, 0, token) for rules in (always, never))
        assert usual[0, 1, 0] == -token
        assert other[0, 1, 0] == 0
        assert (other >= usual - 1e-4).all()
    without, held = (meanfield_values(never, 2, 0, token) for token in (0, 10))
    assert (held < without - 1e-3).any()
