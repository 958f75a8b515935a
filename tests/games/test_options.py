"""Options of the rule sets of dice and cards: read, kept, bounded, refused; house rules."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.strategy_report.by_game import own
from lama_odds.analysis.strategy_report.document import Ask, Budget
from lama_odds.core.errors import ReadError
from lama_odds.games.dice.jobs import UNPLANNED
from lama_odds.games.dice.policies import meanfield_values
from lama_odds.games.dice.rules import ruleset as dice
from lama_odds.games.lama.rules import ruleset as lama
from lama_odds.games.registry import game_of

repeatable = settings(derandomize=True, deadline=None, max_examples=500)


@dataclass(frozen=True)
class Kind:
    """What is tried with the options of a game.

    other: for each option that goes with all editions another value than theirs, as written and
    as a value. elsewhere: options that tests of the game try. bounds: of the numbers; company: what
    they need beside them to make sense in an edition. needs: an option's default may be asked for
    only where another option is on.
    """

    ruleset: ModuleType
    other: dict[str, tuple[str, Any]]
    switches: tuple[str, ...]
    elsewhere: frozenset[str]
    bounds: dict[str, tuple[int, int]]
    edition: str
    company: dict[str, str]
    needs: dict[str, str] = field(default_factory=dict)


DICE = Kind(
    dice,
    other={
        "black": ("7", 7),
        "copies": ("8", 8),
        "dealt": ("5", 5),
        "faces": ("123456LL.123LLL", "123456LL.123LLL"),
        "llama_points": ("15", 15),
        "llamas": ("9", 9),
        "out_token": ("llama", "llama"),
        "points": ("2.4.6.8.10.12", (2, 4, 6, 8, 10, 12)),
        "quit_cost": ("2", 2),
        "target": ("50", 50),
    },
    switches=("empty_row_ends", "llama_safe_alone", "twenty"),
    elsewhere=frozenset({"pink"}),
    bounds={
        "black": (2, 1000),
        "copies": (1, 12),
        "dealt": (1, 12),
        "llama_points": (1, 40),
        "llamas": (1, 12),
        "pink": (2, 1000),
        "quit_cost": (0, 40),
        "target": (1, 1000),
    },
    edition="dice/amigo",
    company={
        "black": "+twenty=off",
        "copies": "+dealt=1",
        "dealt": "+copies=12",
        "llamas": "+dealt=1",
        "pink": "+twenty+black=2",
    },
)
LAMA = Kind(
    lama,
    other={
        "black": ("7", 7),
        "copies": ("6", 6),
        "dealt": ("5", 5),
        "llama_points": ("15", 15),
        "llamas": ("9", 9),
        "out_token": ("never", "never"),
        "plus": ("2", 2),
        "points": ("2.4.6.8.10.12", (2, 4, 6, 8, 10, 12)),
        "quit_cost": ("2", 2),
        "target": ("50", 50),
    },
    switches=("drama", "twenty"),
    elsewhere=frozenset(
        {
            *("drama_tokens", "llama_each", "pink", "pink_adds", "pink_drama", "pink_llamas"),
            *("pink_points", "starter"),
        }
    ),
    bounds={
        "black": (2, 1000),
        "copies": (1, 12),
        "dealt": (1, 12),
        "drama_tokens": (1, 20),
        "llama_points": (1, 40),
        "llamas": (0, 12),
        "pink": (2, 1000),
        "pink_llamas": (0, 4),
        "pink_points": (1, 80),
        "plus": (0, 4),
        "quit_cost": (0, 40),
        "target": (1, 1000),
    },
    edition="lama/party",
    company={"black": "+twenty=off", "drama_tokens": "+drama", "pink": "+black=2"},
    needs={"pink_drama": "pink_llamas"},
)
KINDS = {"dice": DICE, "lama": LAMA}
EDITIONS = {
    f"{game}/{name}": (kind, defaults)
    for game, kind in KINDS.items()
    for name, defaults in kind.ruleset.EDITIONS.items()
}


def parse_rules(text: str) -> Any:
    """A rule set, read by the module of its game."""
    return game_of(text).rules(text)


def refused(text: str) -> ReadError:
    """The error that refuses an id."""
    with pytest.raises(ReadError) as caught:
        parse_rules(text)
    assert caught.value.exit_code == 2
    return caught.value


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_option_is_tested(kind: Kind) -> None:
    options = kind.ruleset.OPTIONS
    assert {*kind.other, *kind.switches, *kind.elsewhere} == set(options)
    assert set(kind.bounds) == {name for name in options if options[name].kind == "number"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_option_is_read_kept_and_written(edition: str) -> None:
    kind, defaults = EDITIONS[edition]
    for name, (written, value) in kind.other.items():
        rules = parse_rules(f"{edition}+{name}={written}")
        assert rules.id == f"{edition}+{name}={written}"
        assert getattr(rules, name) == rules.values[name] == value
        assert replace(rules, **{name: defaults[name]}) == parse_rules(edition)
    for name in kind.switches:
        for written, on in (("", True), ("=on", True), ("=off", False)):
            rules = parse_rules(f"{edition}+{name}{written}")
            assert getattr(rules, name) is on
            shown = f"+{name}" if on else f"+{name}=off"
            assert rules.id == edition + ("" if on == defaults[name] else shown)


@pytest.mark.long
@repeatable
@given(st.sampled_from(sorted(EDITIONS)), st.data())
def test_the_canonical_form_is_alphabetical_and_reads_back(
    edition: str, data: st.DataObject
) -> None:
    kind, defaults = EDITIONS[edition]
    names = data.draw(st.sets(st.sampled_from(sorted([*kind.other, *kind.switches]))))
    rng: random.Random = data.draw(st.randoms(use_true_random=False))
    words = [f"{n}={kind.other[n][0]}" if n in kind.other else n for n in sorted(names)]
    changed = [word for word in words if defaults.get(word) is not True]
    rng.shuffle(words)
    rules = parse_rules("+".join([edition, *words]))
    assert rules.id == "+".join([edition, *changed])
    assert parse_rules(rules.id) == rules


@pytest.mark.parametrize("edition", EDITIONS)
def test_defaults_are_left_out(edition: str) -> None:
    kind, defaults = EDITIONS[edition]
    words = []
    for name, option in kind.ruleset.OPTIONS.items():
        value = defaults[name]
        shown = "on" if value is True else "off" if value is False else option.write(value)
        if name not in kind.needs or defaults[kind.needs[name]]:
            words.append(f"{name}={shown}")
    assert parse_rules("+".join([edition, *words])).id == edition


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_numbers_have_bounds(kind: Kind) -> None:
    for name, (low, high) in kind.bounds.items():
        for value in (low - 1, high + 1, -low - 1, 10**30):
            error = refused(f"{kind.edition}+{name}={value}")
            assert name in str(error)
            assert error.at == len(f"{kind.edition}+{name}=")
        # At the bounds only the company of other options can be wrong.
        for value in (low + 1, high) if name == "pink" else (low, high):
            rules = parse_rules(f"{kind.edition}+{name}={value}{kind.company.get(name, '')}")
            assert getattr(rules, name) == value


NOT_READ: list[tuple[str, str, int]] = [
    ("dice", "which edition", 4),
    ("dice/", "unknown edition", 5),
    ("dice/polish", "unknown edition 'polish'", 5),
    ("dice/amigo+drama", "unknown option 'drama'", 11),
    ("dice/amigo+twenty+Twenty", "unknown option 'Twenty'", 18),
    ("dice/amigo+", "unknown option ''", 11),
    ("dice/amigo+twenty=1", "on or off", 18),
    ("dice/amigo+twenty=", "on or off", 18),
    ("dice/amigo+target", "target=value", 17),
    ("dice/amigo+target=4O", "whole number", 18),
    ("dice/amigo+target=50+target=50", "given twice", 21),
    ("dice/amigo+twenty+twenty=off", "given twice", 18),
    ("dice/amigo+points=1.2.3.4.5", "six numbers", 18),
    ("dice/amigo+points=1.2.3.4.5.41", "1 to 40", 18),
    ("dice/amigo+points=0.2.3.4.5.6", "1 to 40", 18),
    ("dice/amigo+points=1.2.x.4.5.6", "whole number", 22),
    ("dice/amigo+faces=", "2 to 12 faces", 17),
    ("dice/amigo+faces=1234LL.3456LL.", "2 to 12 faces", 31),
    ("dice/amigo+faces=1234LL.3", "2 to 12 faces", 24),
    ("dice/amigo+faces=1234LL.3407LL", "faces 1-6 or L", 26),
    ("dice/amigo+faces=1234561234561", "2 to 12 faces", 17),
    ("dice/amigo+faces=LL.LL.LL", "at least one number", 17),
    ("dice/amigo+faces=12.12.12.12.12.12", "at most 5 dice", 17),
    ("dice/amigo+faces=" + ".".join(["123456LL"] * 5), "8192 outcomes", 17),
    ("lama", "which edition", 4),
    ("lama/polish", "unknown edition 'polish'", 5),
    ("lama/egmnt", "egmont", 5),
    ("lama/egmont+drana", "drama", 12),
    ("lama/egmont+faces=1LL", "unknown option 'faces'", 12),
    ("lama/egmont+lama_each", "llama_each", 12),
    ("lama/egmont+drama+Drama", "unknown option 'Drama'", 18),
    ("lama/egmont+", "unknown option ''", 12),
    ("lama/egmont+twenty=1", "on or off", 19),
    ("lama/egmont+target", "target=value", 18),
    ("lama/egmont+target=4O", "whole number", 19),
    ("lama/egmont+drama+drama=off", "given twice", 18),
    ("lama/egmont+points=1.2.3.4.5", "six numbers", 19),
    ("lama/egmont+points=1.2.3.4.5.41", "six numbers", 19),
    ("lama/egmont+points=1.2.x.4.5.6", "whole number", 23),
    ("lama/egmont+starter=last", "rotate or last_actor", 20),
    ("lama/egmont+starter", "starter=value", 19),
    ("lama/egmont+out_token=sometimes", "always, llama or never", 22),
    ("dice/amigo+out_token", "out_token=value", 20),
]


def test_an_id_that_cannot_be_read() -> None:
    wrong = []
    for text, told, at in NOT_READ:
        error = refused(text)
        said = "\n".join([str(error), *error.hints])
        if told not in said or (error.text, error.at) != (text, at):
            wrong.append((text, error.at, str(error), error.hints))
    assert wrong == []


NO_SENSE: list[tuple[str, str, str]] = [
    ("dice/egmont+pink=30", "pink", "+twenty"),
    ("dice/egmont+twenty+pink=10", "pink", "worth more"),
    ("dice/egmont+twenty+pink=9", "pink", "worth more"),
    ("dice/egmont+black=20+twenty", "black", "worth more"),
    ("dice/egmont+black=25+twenty+pink=25", "pink", "worth more"),
    ("dice/amigo+copies=1", "copies", "6 cards do not suffice"),
    ("dice/amigo+copies=2+llamas=2", "copies", "7 cards do not suffice"),
    ("dice/amigo+dealt=8+copies=2", "dealt", "12 cards do not suffice"),
    ("lama/party+llama_each", "llama_each", "not defined"),
    ("lama/egmont+llama_each+pink_llamas=1", "llama_each", "not defined"),
    ("lama/egmont+pink_adds", "pink_adds", "no pink llama"),
    ("lama/egmont+pink_points=30", "pink_points", "no pink llama"),
    ("lama/party+pink_llamas=0+pink_points=30", "pink_points", "no pink llama"),
    ("lama/egmont+drama+pink_drama", "pink_drama", "no pink llama"),
    ("lama/egmont+pink_drama=off+pink_llamas=1", "pink_drama", "+drama"),
    ("lama/party+pink_drama=off", "pink_drama", "+drama"),
    ("lama/amigo+drama_tokens=3", "drama_tokens", "+drama"),
    ("lama/egmont+pink=30", "pink", "+twenty"),
    ("lama/party+pink=30+twenty=off", "pink", "+twenty"),
    ("lama/egmont+twenty+pink=10", "pink", "worth more"),
    ("lama/party+pink=9", "pink", "worth more"),
    ("lama/party+black=20", "black", "worth more"),
    ("lama/egmont+black=25+twenty", "black", "worth more"),
    ("lama/amigo+copies=1+llamas=6", "copies", "12 cards do not suffice"),
    ("lama/egmont+dealt=12+copies=2+llamas=12", "dealt", "24 cards do not suffice"),
    ("lama/party+copies=1+llamas=0+pink_llamas=0", "copies", "12 cards do not suffice"),
]


def test_an_option_that_makes_no_sense_is_refused_with_the_reason() -> None:
    wrong = []
    for text, option, reason in NO_SENSE:
        error = refused(text)
        told = f"option {option} makes no sense here" in str(error) and reason in str(error)
        if not told or not text[error.at :].startswith(option):
            wrong.append((text, error.at, str(error)))
    assert wrong == []


SAMPLED = Limits(games=1_000)
TWO_LEFT = "hand=25L row=1346L opp=6LL"
ALONE = "hand=2 row=1346L opp=q13,q6LL scores=12,3,5"


@pytest.mark.long
@pytest.mark.parametrize(
    ("option", "text", "objective"),
    [
        ("quit_cost=3", TWO_LEFT, "margin"),
        ("out_token=never", TWO_LEFT, "margin"),
        ("out_token=llama", ALONE, "points"),
    ],
)
def test_dice_say_that_they_are_sampled(option: str, text: str, objective: str) -> None:
    game = game_of("dice")
    rules = game.rules(f"dice/amigo+{option}")
    found = advise(game, rules, game.position(rules, text), objective=objective, limits=SAMPLED)
    assert found.method == "simulation"
    said = f"sampled, not solved: the solvers do not know {option.partition('=')[0]}"
    assert said in found.assumptions
    unplanned = UNPLANNED.format(policy="meanfield")
    assert (unplanned in found.assumptions) == (option == "out_token=llama")
    usual = game.rules("dice/amigo")
    position = game.position(usual, text)
    assert advise(game, usual, position, objective=objective, limits=SAMPLED).method == "exact"


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
        found = advise(game, rules, position, objective="points", limits=SAMPLED)
        value = next(a.value for a in found.actions if a.action == "quit")
        assert (value.value, value.method) == (known.value, "exact")
        values.append(known.value)
    assert values[1] - values[0] == 7


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
