"""Options of the rule sets of all games: read, kept, bounded, refused; house rules of dice."""

from __future__ import annotations

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.strategy_report.by_game import own
from lama_odds.analysis.strategy_report.document import Ask, Budget
from lama_odds.core.errors import ReadError
from lama_odds.games.dice.jobs import UNPLANNED
from lama_odds.games.dice.policies import meanfield_values
from lama_odds.games.registry import game_of
from tests.games.cases import OTHER_VALUES


def refused(text: str) -> ReadError:
    """The error that refuses an id."""
    with pytest.raises(ReadError) as caught:
        game_of(text).rules(text)
    assert (caught.value.exit_code, caught.value.text) == (2, text)
    return caught.value


@pytest.mark.parametrize("rules_id", OTHER_VALUES)
def test_an_option_is_read_kept_and_written_in_alphabetical_order(rules_id: str) -> None:
    game = game_of(rules_id)
    usual, changed = game.rules(rules_id), set()
    for text in OTHER_VALUES[rules_id]:
        rules = game.rules(f"{rules_id}+{text}")
        assert rules.id == f"{rules_id}+{text}"
        assert game.rules("+".join([rules_id, *reversed(text.split("+"))])) == rules
        other = {name for name, value in rules.values.items() if value != usual.values[name]}
        assert other == {word.partition("=")[0] for word in text.split("+")}
        changed |= other
    assert changed == set(game.options)


@pytest.mark.parametrize("rules_id", OTHER_VALUES)
def test_defaults_are_left_out_and_numbers_have_bounds(rules_id: str) -> None:
    game = game_of(rules_id)
    for edition in game.editions:
        rules = game.rules(f"{game.name}/{edition}")
        for name, option in game.options.items():
            told = option.format(name, rules.values[name])
            if name not in ("pink_drama", "rounds"):  # they need another option beside them
                assert game.rules(rules.id + told) == rules
            if option.kind == "number":
                for value in (option.low - 1, option.high + 1, -option.high, 10**30):
                    error = refused(f"{rules.id}+{name}={value}")
                    assert name in str(error)
                    assert error.at == len(f"{rules.id}+{name}=")


NOT_READ: list[tuple[str, str, int]] = [
    ("dice", "which edition", 4),
    ("dice/", "unknown edition", 5),
    ("lama/egmnt", "egmont", 5),
    ("lama/egmont+drana", "drama", 12),
    ("lama/egmont+lama_each", "llama_each", 12),
    ("dice/amigo+drama", "unknown option 'drama'", 11),
    ("dice/amigo+twenty+Twenty", "unknown option 'Twenty'", 18),
    ("dice/amigo+", "unknown option ''", 11),
    ("dice/amigo+twenty=1", "on or off", 18),
    ("dice/amigo+target", "target=value", 17),
    ("dice/amigo+target=4O", "whole number", 18),
    ("dice/amigo+twenty+twenty=off", "given twice", 18),
    ("dice/amigo+points=1.2.3.4.5", "six numbers", 18),
    ("dice/amigo+points=0.2.3.4.5.6", "1 to 40", 18),
    ("dice/amigo+points=1.2.x.4.5.6", "whole number", 22),
    ("dice/amigo+faces=1234LL.3456LL.", "2 to 12 faces", 31),
    ("dice/amigo+faces=1234LL.3407LL", "faces 1-6 or L", 26),
    ("dice/amigo+faces=LL.LL.LL", "at least one number", 17),
    ("dice/amigo+faces=12.12.12.12.12.12", "at most 5 dice", 17),
    ("dice/amigo+faces=" + ".".join(["123456LL"] * 5), "8192 outcomes", 17),
    ("lama/egmont+starter=last", "rotate or last_actor", 20),
    ("lama/egmont+out_token=sometimes", "always, llama or never", 22),
    ("pikomino/egmont+worms=1.21", "from 1 to 20", 22),
]
# The option that makes no sense, the reason.
NO_SENSE: list[tuple[str, str, str]] = [
    ("dice/egmont+pink=30", "pink", "+twenty"),
    ("dice/egmont+twenty+pink=10", "pink", "worth more"),
    ("dice/egmont+black=20+twenty", "black", "worth more"),
    ("dice/amigo+copies=2+llamas=2", "copies", "7 cards do not suffice"),
    ("dice/amigo+dealt=8+copies=2", "dealt", "12 cards do not suffice"),
    ("lama/party+llama_each", "llama_each", "not defined"),
    ("lama/egmont+pink_adds", "pink_adds", "no pink llama"),
    ("lama/party+pink_llamas=0+pink_points=30", "pink_points", "no pink llama"),
    ("lama/egmont+drama+pink_drama", "pink_drama", "no pink llama"),
    ("lama/party+pink_drama=off", "pink_drama", "+drama"),
    ("lama/amigo+drama_tokens=3", "drama_tokens", "+drama"),
    ("lama/party+pink=9", "pink", "worth more"),
    ("lama/egmont+black=25+twenty", "black", "worth more"),
    ("lama/party+copies=1+llamas=0+pink_llamas=0", "copies", "12 cards do not suffice"),
    ("pikomino/egmont+dice=4", "dice", "4 dice make 20 at most"),
]


def test_an_id_that_cannot_be_read() -> None:
    wrong = []
    for text, told, at in NOT_READ:
        error = refused(text)
        if told not in "\n".join([str(error), *error.hints]) or error.at != at:
            wrong.append((text, error.at, str(error), error.hints))
    assert wrong == []


def test_an_option_that_makes_no_sense_is_refused_with_the_reason() -> None:
    wrong = []
    for text, option, reason in NO_SENSE:
        error = refused(text)
        told = f"option {option} makes no sense here" in str(error) and reason in str(error)
        if not told or not text[error.at :].startswith(option):
            wrong.append((text, error.at, str(error)))
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("option", ["quit_cost=3", "out_token=llama"])
def test_dice_say_that_they_are_sampled(option: str) -> None:
    game, limits = game_of("dice"), Limits(games=1_000)
    text = "hand=2 row=1346L opp=q13,q6LL scores=12,3,5"
    rules, usual = game.rules(f"dice/amigo+{option}"), game.rules("dice/amigo")
    found = advise(game, rules, game.position(rules, text), objective="points", limits=limits)
    assert found.method == "simulation"
    said = f"sampled, not solved: the solvers do not know {option.partition('=')[0]}"
    assert said in found.assumptions
    unplanned = UNPLANNED.format(policy="meanfield")
    assert (unplanned in found.assumptions) == (option == "out_token=llama")
    position = game.position(usual, text)
    assert advise(game, usual, position, objective="points", limits=limits).method == "exact"


def test_dice_leave_exact_tables_and_sections_out() -> None:
    game = game_of("dice")
    for options, there in (("", True), ("+quit_cost=1", False)):
        rules = game.rules(f"dice/amigo{options}")
        assert bool(game.exact_tables(rules, 2)) == there
        ask = Ask(game, rules, 2, Budget(0.25))
        assert bool(own.of_the_game(ask)) == bool(own.of_pairings(ask)) == there


@pytest.mark.long
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
