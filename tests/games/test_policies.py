"""Policies of all games: handled everywhere, asked again, best for each rule set, as cards."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.analysis.variants import given as variants_module
from lama_odds.analysis.variants.given import RETUNED, read_policies
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.notation import Part
from lama_odds.core.policies import Family
from lama_odds.games.registry import GAMES, game_of
from lama_odds.games.shared.decisions import decisions, query_of, same_basis, words_of
from lama_odds.games.shared.rule_cards import (
    MOST_LINES,
    NEVER_LIMIT,
    CardLanguage,
    Condition,
    Line,
    RuleCard,
    language_of,
    limit_of,
    rows_of,
)
from lama_odds.jit import compiled
from tests.games.cases import OTHER_VALUES

PLAYERS = 3
TRAINED = ("copy", "equilibrium", "learned")  # families with tables of some rule sets
LONG = pytest.mark.long
FOR_TWO = ("copy", "equilibrium")  # families that only two can play


def usual(family: Family) -> str:
    """A policy of a family, by name."""
    needs = family.parameter and family.default is None
    return f"{family.name}:{family.low}" if needs else family.name


EACH = [
    (rules, usual(family), 2 if family.name in FOR_TWO else PLAYERS)
    for rules in OTHER_VALUES
    for family in game_of(rules).families
]
OTHERS = [
    ("lama/egmont+llama_each", "matching:3", 2),
    ("lama/party+drama", "meanfield", 4),
    ("noprob/starnberger+refill=off", "greedy", 4),
    ("pikomino/egmont+short", "lead:50", 3),
    ("pikomino/egmont", "card:net/stop/worm/steal=1..:21/short=..1+behind=1..:never/24", 3),
    ("noprob/starnberger", "card:up/pairs/total=5..+down=..3:40/10", 3),
]
MOST_ASKED = 80  # situations of a record
# Positions at which somebody has quit, whose cards are dealt by what its policy would have done.
QUIT = {3: "hand=3356L top=4 opp=4,q2", 2: "hand=3356L top=4 opp=q2"}


def situations(rules: str, policy: str, players: int, number: int = 2) -> tuple[str, list[Any]]:
    """A record of a policy, and its first situations."""
    game = game_of(rules)
    text = game.record(game.rules(rules), [game.policy(policy)] * players, 5, number, False)
    reader = query_of(game).reader(lambda at: at < MOST_ASKED)
    reader.read(text)
    return text, reader.found


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("rules", "policy", "players"), [*EACH, *OTHERS])
def test_asked_again_a_policy_decides_as_it_did(rules: str, policy: str, players: int) -> None:
    """Played and asked, every family is handled, and its decisions are legal and the same."""
    game = game_of(rules)
    rule_set, query = game.rules(rules), query_of(game)
    player = query.player(rule_set, game.policy(policy), players)
    text, found = situations(rules, policy, players)
    told = decisions(game, rule_set, text)
    assert len(told) >= len(found) > 10
    for situation, decision in zip(found, told, strict=False):
        chosen = player.decides(situation, 0)
        assert chosen in query.legal_actions(rule_set, situation.position)
        assert chosen == decision.chosen or policy == "random"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("policy", "players"), [case[1:] for case in EACH if "lama/" in case[0]])
def test_hands_are_dealt_with_which_a_policy_would_have_quit(policy: str, players: int) -> None:
    game = game_of("lama/egmont")
    rules = game.rules("lama/egmont")
    position = game.position(rules, QUIT[players])
    game.rollouts(rules, position, [game.policy(policy)] * players, False).job.play(0, 0, 1)


@pytest.mark.parametrize("rules", OTHER_VALUES)
def test_kernels_refuse_a_family_that_they_do_not_know(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, (_, asked) = game_of(rules), situations(rules, "random", PLAYERS)
    rule_set, policy = game.rules(rules), game.policy("random")
    module = "policies.catalogue" if game.name == "lama" else "policies"
    catalogue = import_module(f"lama_odds.games.{game.name}.{module}")
    monkeypatch.setattr(catalogue, "code_of", lambda policy, families: 99)
    with pytest.raises(ValueError, match="not handled"):
        game.simulation(rule_set, [policy] * PLAYERS, False).play(0, 0, 1)
    player = query_of(game).player(rule_set, policy, PLAYERS)
    for situation in asked[:12]:
        with pytest.raises(ValueError, match="not handled"):
            player.decides(situation, 0)


@pytest.mark.parametrize("rules", OTHER_VALUES)
def test_policies_of_another_game_are_refused(rules: str) -> None:
    game, other = game_of(rules), game_of("dice" if "lama" in rules else "lama")
    with pytest.raises(LimitError, match="is not a policy of this game: random, "):
        game.simulation(game.rules(rules), [other.policy("random")] * PLAYERS, False)


@pytest.mark.parametrize("rules", OTHER_VALUES)
def test_who_plays_by_chance_does_the_same_with_the_same_word(rules: str) -> None:
    game = game_of(rules)
    player = query_of(game).player(game.rules(rules), game.policy("random"), 3)
    _, asked = situations(rules, "random", 3)
    words = words_of(1, 0, len(asked))[1].tolist()
    assert len({*words, *words_of(1, 1, len(asked))[1].tolist()}) == 2 * len(words)
    done, again, other = (
        [player.decides(each, word ^ flipped) for each, word in zip(asked, words, strict=True)]
        for flipped in (0, 0, 1 << 63)
    )
    assert done == again != other


def test_only_what_is_wanted_is_kept() -> None:
    text, every = situations("dice/amigo", "threshold:5", 3)
    third = query_of(game_of("dice")).reader(lambda number: number % 3 == 0)
    third.read(text)
    assert third.found[: len(every[::3])] == every[::3]
    assert [situation.number for situation in third.found] == [*range(0, third.number, 3)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "name", "players"),
    # `meanfield` is solved for each rule set, and what is solved is its basis.
    [case for case in EACH if case[1] != "meanfield"],
)
def test_who_decides_otherwise_says_by_what(rules: str, name: str, players: int) -> None:
    """If an option changes a decision, then also the basis; else `compare` would call it equal."""
    game, query = game_of(rules), query_of(game_of(rules))
    policy = game.policy(name)
    others = usual(game.families[1])
    asked = [each for n in range(2) for each in situations(rules, others, players, n)[1][:25]]
    words = words_of(1, 0, len(asked))[1].tolist()

    def decided(player: Any) -> list[str]:
        return [player.decides(each, word) for each, word in zip(asked, words, strict=True)]

    player = query.player(game.rules(rules), policy, players)
    before = decided(player)
    for option in OTHER_VALUES[rules]:
        try:
            other = query.player(game.rules(f"{rules}+{option}"), policy, players)
        except ReadError:  # trained for some rule sets alone
            assert policy.family.name in TRAINED
            continue
        if same_basis(player, other):
            assert decided(other) == before, option


# What may be changed in the tables of a game, so that decisions change but nothing else breaks.
VALUED = {
    "dice": ("points", "values", "copied", "learned"),
    "lama": ("penalties", "values", "equilibrium", "learned"),
}


def with_turned(table: Any) -> list[Any]:
    """Copies of a table, each with one array read from its end.

    Arrays of numbers by which others are found stay as they are: they would lead outside.
    """
    if isinstance(table, np.ndarray):
        return [np.ascontiguousarray(np.flip(table))] if table.size else []
    if table is None:
        return []
    return [
        table._replace(**{name: other})
        for name, part in zip(table._fields, table, strict=True)
        if part.dtype in (np.float32, np.uint8)
        for other in with_turned(part)
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "name", "players"),
    [case for case in EACH if case[0].partition("/")[0] in VALUED],
)
def test_tables_by_which_a_policy_decides_are_its_basis(
    rules: str, name: str, players: int
) -> None:
    """If another table changes a decision, then also the basis."""
    game, query = game_of(rules), query_of(game_of(rules))
    others = usual(game.families[1])
    asked = [each for n in range(2) for each in situations(rules, others, players, n)[1][:25]]
    words = words_of(1, 0, len(asked))[1].tolist()
    player, other = (query.player(game.rules(rules), game.policy(name), players) for _ in range(2))
    before = [player.decides(each, word) for each, word in zip(asked, words, strict=True)]
    changed = []
    for field in VALUED[game.name]:
        for turned in with_turned(getattr(player.tables, field)):
            other.tables = player.tables._replace(**{field: turned})
            if [other.decides(e, word) for e, word in zip(asked, words, strict=True)] != before:
                changed.append(field)
                assert not same_basis(player, other), field
    assert changed or name not in (*TRAINED, "meanfield")


@pytest.mark.parametrize(
    ("a", "b", "policy", "same"),
    [
        ("dice/amigo", "dice/egmont", "threshold:5", True),
        ("dice/amigo", "dice/amigo+points=2.4.6.8.10.12", "threshold:5", False),
        ("dice/amigo", "dice/amigo+points=2.4.6.8.10.12", "random", True),
        ("lama/egmont", "lama/egmont+llama_points=15", "matching:5", False),
        ("lama/egmont", "lama/egmont+drama", "threshold:5", True),
        ("lama/egmont", "lama/egmont+copies=7", "card:3", False),
        pytest.param("dice/amigo", "dice/amigo+target=30", "meanfield", True, marks=LONG),
        ("lama/egmont", "lama/egmont+starter=last_actor", "meanfield", True),
        ("noprob/starnberger", "noprob/starnberger+any_tie", "greedy", True),
        ("pikomino/egmont", "pikomino/egmont+short", "optimal-turn", True),
        # Whoever plays for the game knows, alone in a round, whether quitting ends it.
        pytest.param("dice/amigo", "dice/amigo+target=30", "meanfield:behind=3", False, marks=LONG),
        pytest.param("dice/amigo", "dice/amigo+target=30", "meanfield:win=3", False, marks=LONG),
        ("lama/egmont", "lama/egmont+target=30", "meanfield:behind=3", True),
        ("lama/egmont", "lama/egmont+target=30", "meanfield:lose=3", False),
        ("pikomino/egmont", "pikomino/egmont+short", "lead:50", False),
    ],
)
def test_what_players_decide_by(a: str, b: str, policy: str, same: bool) -> None:
    game = game_of(a)
    first, second = (
        query_of(game).player(game.rules(text), game.policy(policy), 3) for text in (a, b)
    )
    assert same_basis(first, second) == same


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("dice/amigo", "dice/amigo+dealt=5", "other hands"),
        ("dice/amigo", "dice/amigo+faces=1234LL.1256LL", "3 dice, 2"),
        ("dice/amigo+llamas=8", "dice/amigo", "8 cards L"),
        ("dice/amigo", "dice/egmont", ""),
        ("lama/egmont", "lama/party", "cards 1+"),
        ("lama/party", "lama/egmont", "cards 1+"),
        ("lama/egmont+drama", "lama/egmont", "pot"),
        ("lama/egmont", "lama/egmont+drama", ""),
        ("lama/egmont+dealt=5", "lama/egmont", "other hands"),
        ("noprob/starnberger", "noprob/starnberger+low=4", "kinds"),
        ("noprob/starnberger", "noprob/starnberger+peeks=0", "2 own cards"),
        ("pikomino/egmont", "pikomino/egmont+dice=7", "8 dice, 7"),
        ("pikomino/egmont", "pikomino/egmont+tiles=15", "other tiles"),
    ],
)
def test_situations_that_cannot_be_put_to_others(a: str, b: str, said: str) -> None:
    game = game_of(a)
    found = query_of(game).unlike(game.rules(a), game.rules(b))
    assert said in found
    assert bool(said) == bool(found)


@pytest.mark.parametrize(
    ("baseline", "other", "players", "trained"),
    [
        ("lama/amigo", "lama/egmont", 3, True),
        ("dice/amigo", "dice/egmont", 2, True),
        ("pikomino/egmont", "pikomino/egmont", 5, True),
        ("lama/egmont", "lama/egmont+dealt=5", 4, False),
        ("dice/amigo", "dice/amigo+target=30", 2, False),
        ("noprob/starnberger", "noprob/starnberger+peeks=0", 4, False),
        ("pikomino/egmont", "pikomino/egmont+worms=1.1.1.1", 2, False),
    ],
)
def test_a_trained_policy_plays_nowhere_unless_everywhere(
    baseline: str, other: str, players: int, trained: bool
) -> None:
    game = game_of(baseline)
    variants = [game.rules(baseline), game.rules(other)]
    plain, changed = read_policies(game, variants, players, None, RETUNED)
    assert [plain == game.best_policy(variants[0], players), changed] == [
        trained,
        game.best_policy(variants[1], players),
    ]
    assert plain.family == changed.family
    turned = read_policies(game, variants[::-1], players, None, RETUNED)
    assert turned == [changed, plain]
    if not trained:
        same = read_policies(game, variants, players, None, variants_module.SAME)
        assert same == [plain] * 2


LANGUAGES = [
    language
    for name in GAMES
    for language in map(language_of, game_of(name).families)
    if language is not None
]
EXCLUDING = ("first", "last")
DICE = next(filter(None, map(language_of, game_of("dice/amigo").families)))
SMALL = CardLanguage(DICE.features, 31, {"first": "F.", "last": "L.", "other": "O."}, (EXCLUDING,))


@st.composite
def conditions(draw: st.DrawFn, language: CardLanguage) -> tuple[Condition, ...]:
    numbers = st.integers(0, len(language.features) - 1)
    found = []
    for at in sorted(draw(st.sets(numbers, min_size=1, max_size=2))):
        feature = language.features[at]
        low = draw(st.integers(feature.low, feature.high))
        high = draw(st.integers(low, feature.high))
        if (low, high) == (feature.low, feature.high):
            low += 1
        found.append(Condition(at, low, high))
    return tuple(found)


@st.composite
def cards(draw: st.DrawFn, language: CardLanguage) -> RuleCard:
    limits = st.integers(NEVER_LIMIT, language.most)
    lines = [
        Line(draw(limits), draw(conditions(language)))
        for _ in range(draw(st.integers(0, MOST_LINES - 1)))
    ]
    names = list(language.habits)
    habits = draw(st.sets(st.integers(0, len(names) - 1))) if names else set()
    for group in language.groups:
        habits -= set(sorted(habits & {names.index(name) for name in group})[1:])
    return RuleCard((*lines, Line(draw(limits))), tuple(sorted(habits)))


def read_card(language: CardLanguage, text: str) -> int:
    return language.read(Part(text, text, 0))


@pytest.mark.parametrize("language", [SMALL, *LANGUAGES])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_card_is_what_is_written(language: CardLanguage, data: st.DataObject) -> None:
    card = data.draw(cards(language))
    number = language.pack(card)
    assert language.unpack(number) == card
    assert read_card(language, language.write(number)) == number
    sentences = language.in_words(card)
    assert len(sentences) == len(card.lines) + len(card.habits)
    assert all(text[0].isupper() and text.endswith(".") and "{" not in text for text in sentences)


@compiled
def limits_seen(blocks, seen, found):
    for at in range(found.size):
        found[at] = limit_of(blocks, at, seen, 2)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_first_line_that_holds_counts(data: st.DataObject) -> None:
    several = [data.draw(cards(SMALL)) for _ in range(3)]
    seen = [data.draw(st.integers(each.low, each.high)) for each in SMALL.features]
    found = np.zeros(3, dtype=np.int64)
    limits_seen(np.stack([rows_of(card) for card in several]), np.array([7, 7, *seen]), found)
    for card, limit in zip(several, found.tolist(), strict=True):
        assert limit == next(
            line.limit
            for line in card.lines
            if all(each.low <= seen[each.feature] <= each.high for each in line.conditions)
        )


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("first", 5, "a limit from 0 to 31, or never"),
        ("first/first/3", 6, "each habit once"),
        ("last/first/3", 5, "none that excludes another"),
        ("1/2", 0, "NAME=LOW..HIGH:"),
        ("others=1:2", 0, "a limit without conditions as the last line"),
        ("others=1:32/3", 9, "a limit from 0 to 31, or never"),
        ("other=1:2/3", 0, "did you mean others"),
        ("others=6:2/3", 7, "0 to 5"),
        ("others=3..2:2/3", 7, "the lower number first"),
        ("others=..:2/3", 7, "bounds that exclude something"),
        ("others=1+others=2:2/3", 0, "each name once in a line"),
        ("others=1+cards=2+kinds=2:2/3", 17, "2 conditions at most"),
        ("others=1:1/" * 5 + "1", 55, "at most 5 lines"),
    ],
)
def test_a_fault_is_shown_at_its_place(text: str, at: int, said: str) -> None:
    with pytest.raises(ReadError) as refused:
        read_card(SMALL, text)
    assert said in "\n".join([str(refused.value), *refused.value.hints])
    assert refused.value.at == at


@pytest.mark.parametrize(
    ("policy", "rules_id", "players", "told"),
    [
        ("equilibrium", "lama/egmont", 3, "for two players, found 3"),
        ("equilibrium", "lama/party", 2, "trained for .*; found lama/party"),
        ("learned", "lama/egmont", 2, "three to six players, found 2"),
        ("learned", "lama/egmont+target=50", 4, "trained for .*; found lama/egmont.target=50"),
        ("learned", "dice/amigo", 2, "three to six players, found 2"),
        ("learned", "dice/egmont+twenty", 4, "dice/amigo, dice/gigamic, dice/egmont; found"),
        ("learned", "dice/amigo+target=30", 3, "learned is trained for"),
        ("copy", "dice/amigo", 3, "two players"),
        ("copy", "dice/egmont+twenty", 2, "dice/amigo, dice/egmont, dice/gigamic"),
        ("copy", "dice/amigo+target=30", 2, "copy is trained for"),
    ],
)
def test_trained_policies_refuse_other_tables(
    policy: str, rules_id: str, players: int, told: str
) -> None:
    game = game_of(rules_id)
    rules, chosen = game.rules(rules_id), game.policy(policy)
    with pytest.raises(ReadError, match=told):
        game.simulation(rules, [chosen] * players, False)
    with pytest.raises(ReadError, match=told):
        query_of(game).player(rules, chosen, players)
