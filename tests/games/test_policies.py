"""Policies of all games: handled everywhere, asked again, best for each rule set, as cards."""

from __future__ import annotations

from dataclasses import astuple
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.compare import common_games
from lama_odds.analysis.variants import given as variants_module
from lama_odds.analysis.variants.given import RETUNED, read_policies
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.notation import Part
from lama_odds.core.policies import Family, Policy
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
from lama_odds.simulation.run import Play
from lama_odds.simulation.span_files import hash_of

GAMES_ASKED = ("dice/amigo", "lama/egmont", "noprob/starnberger", "pikomino/egmont")
EACH = [(rules, family) for rules in GAMES_ASKED for family in game_of(rules).families]
PLAYERS = 3
TRAINED = ("copy", "equilibrium", "learned")  # families with tables of some rule sets
FOR_TWO = ("copy", "equilibrium")  # families that only two can play
ASKED = 12  # situations of a record, so that every kind of decision is among them
# Positions at which somebody has quit, whose cards are dealt by what its policy would have done.
QUIT = {"lama/egmont": {3: "hand=3356L top=4 opp=4,q2", 2: "hand=3356L top=4 opp=q2"}}
STRANGE = 99


def usual(family: Family) -> str:
    """A policy of a family, by name."""
    needs = family.parameter and family.default is None
    return f"{family.name}:{family.low}" if needs else family.name


def room_of(rules: str, module: str) -> Any:
    return import_module(f"lama_odds.games.{game_of(rules).name}.{module}")


def players_of(policy: Policy) -> int:
    return 2 if policy.family.name in FOR_TWO else PLAYERS


def play(rules: str, policy: Policy) -> None:
    """A game or round of a policy with itself."""
    game = game_of(rules)
    rounds = game.name != "pikomino"
    game.simulation(game.rules(rules), [policy] * players_of(policy), rounds).play(0, 0, 1)


def ask(rules: str, policy: Policy) -> int:
    """Ask a policy what it would do in situations of a record; how many kinds of actions it did."""
    game, query = game_of(rules), room_of(rules, "records.live")
    rule_set = game.rules(rules)
    players = players_of(policy)
    player = query.Player(rule_set, policy, players)
    chosen = []
    for situation in situations(rules, players):
        chosen.append(player.decides(situation, 0))
        assert chosen[-1] in query.legal_actions(rule_set, situation.position)
    return len({action.partition(" ")[0] for action in chosen})


def situations(rules: str, players: int = PLAYERS, number: int = 0, most: int = ASKED) -> list[Any]:
    game, query = game_of(rules), room_of(rules, "records.live")
    others = [game.policy(usual(game.families[1]))] * players
    reader = query.Reader(lambda at: at < most)
    reader.read(game.record(game.rules(rules), others, 5, number, False))
    found: list[Any] = reader.found
    return found


def infer(rules: str, policy: Policy) -> None:
    """Find the hands with which somebody of this policy would have quit."""
    game = game_of(rules)
    rule_set = game.rules(rules)
    players = players_of(policy)
    position = game.position(rule_set, QUIT[rules][players])
    job = game.rollouts(rule_set, position, [policy] * players, False).job
    job.play(0, 0, 1)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("rules", "family"), EACH, ids=lambda x: getattr(x, "name", x))
def test_a_family_is_handled_everywhere(rules: str, family: Family) -> None:
    policy = game_of(rules).policy(usual(family))
    play(rules, policy)
    assert ask(rules, policy) > 1
    if rules in QUIT:
        infer(rules, policy)


@pytest.mark.parametrize("rules", GAMES_ASKED)
def test_kernels_refuse_a_family_that_they_do_not_know(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, asked = game_of(rules).policy("random"), situations(rules)
    lama = rules.startswith("lama")
    catalogue = room_of(rules, "policies.catalogue" if lama else "policies")
    monkeypatch.setattr(catalogue, "code_of", lambda policy, families: STRANGE)
    with pytest.raises(ValueError, match="not handled"):
        play(rules, policy)
    player = room_of(rules, "records.live").Player(game_of(rules).rules(rules), policy, PLAYERS)
    for situation in asked:
        with pytest.raises(ValueError, match="not handled"):
            player.decides(situation, 0)
    if rules in QUIT:
        with pytest.raises(ValueError, match="not handled"):
            infer(rules, policy)


@pytest.mark.parametrize("rules", GAMES_ASKED)
def test_policies_of_another_game_are_refused(rules: str) -> None:
    other = game_of(GAMES_ASKED[GAMES_ASKED.index(rules) - 1])
    with pytest.raises(LimitError, match="is not a policy of this game: random, "):
        play(rules, other.policy("random"))


AGAIN = [
    ("dice/amigo", 4, "threshold:5"),
    ("dice/egmont", 3, "meanfield:out=11"),
    ("lama/egmont", 4, "meanfield:out=6"),
    ("lama/egmont+llama_each", 2, "matching:3"),
    ("lama/amigo", 3, "threshold:3"),
    ("lama/party+drama", 4, "meanfield"),
    ("noprob/starnberger", 2, "planner:chase=40,lead=6,deny=18,haste=6"),
    ("noprob/starnberger+refill=off", 4, "greedy"),
    ("pikomino/egmont", 3, "first-tile"),
    ("pikomino/egmont", 2, "optimal-turn"),
    ("pikomino/egmont+short", 3, "lead:50"),
    ("pikomino/egmont", 3, "card:net/stop/worm/steal=1..:21/short=..1+behind=1..:never/24"),
    ("noprob/starnberger", 3, "card:up/pairs/total=5..+down=..3:40/10"),
]


def every_one(number: int) -> bool:
    return True


@pytest.mark.long
@pytest.mark.parametrize(("rules", "players", "policy"), AGAIN)
def test_asked_again_a_policy_decides_as_it_did(rules: str, players: int, policy: str) -> None:
    game = game_of(rules)
    rule_set, chosen = game.rules(rules), game.policy(policy)
    query = query_of(game)
    player = query.player(rule_set, chosen, players)
    text = game.record(rule_set, [chosen] * players, 5, 2, False)
    told = decisions(game, rule_set, text)
    reader = query.reader(every_one)
    reader.read(text)
    assert len(reader.found) == len(told) > 20
    for decision, situation in zip(told, reader.found, strict=True):
        legal = query.legal_actions(rule_set, situation.position)
        assert player.decides(situation, 0) == decision.chosen
        assert decision.chosen in legal


@pytest.mark.parametrize(
    "rules", ["dice/amigo", "lama/party", "noprob/starnberger", "pikomino/egmont"]
)
def test_who_plays_by_chance_does_something_legal_and_the_same_with_the_same_word(
    rules: str,
) -> None:
    game = game_of(rules)
    rule_set, chance = game.rules(rules), game.policy("random")
    query = query_of(game)
    player = query.player(rule_set, chance, 3)
    text = game.record(rule_set, [chance] * 3, 1, 0, False)
    reader = query.reader(every_one)
    reader.read(text)
    words = words_of(1, 0, len(reader.found))[1].tolist()
    done = [player.decides(s, word) for s, word in zip(reader.found, words, strict=True)]
    for situation, action in zip(reader.found, done, strict=True):
        assert action in query.legal_actions(rule_set, situation.position)
    assert done == [player.decides(s, w) for s, w in zip(reader.found, words, strict=True)]
    assert done != [
        player.decides(s, w ^ 1 << 63) for s, w in zip(reader.found, words, strict=True)
    ]


def test_only_what_is_wanted_is_kept() -> None:
    game = game_of("dice/amigo")
    rules, policy = game.rules("dice/amigo"), game.policy("threshold:5")
    query = query_of(game_of("dice"))
    text = game.record(rules, [policy] * 3, 1, 0, False)
    every, third = query.reader(every_one), query.reader(lambda number: number % 3 == 0)
    every.read(text)
    third.read(text)
    assert third.found == every.found[::3]
    assert [situation.number for situation in third.found] == list(range(0, every.number, 3))


def test_words_of_a_game_are_its_own() -> None:
    first, again, other = words_of(1, 0, 50), words_of(1, 0, 50), words_of(1, 1, 50)
    assert (first == again).all()
    assert len(np.unique(np.concatenate([first, other]))) == 200


# Every option of a game, each with another value than its rule set.
OPTIONS = {
    "dice/amigo": (
        *("black=7", "copies=8", "dealt=5", "empty_row_ends=off", "faces=123456LL.123LLL"),
        *("llama_points=15", "llama_safe_alone=off", "llamas=9", "out_token=llama"),
        *("twenty+pink=50", "points=2.4.6.8.10.12", "quit_cost=2", "target=30", "twenty"),
    ),
    "lama/egmont": (
        *("black=7", "copies=6", "dealt=5", "drama", "drama+drama_tokens=2", "llama_each"),
        *("llama_points=15", "llamas=9", "out_token=never", "twenty+pink=50", "pink_llamas=2"),
        *("pink_llamas=2+pink_points=3", "pink_llamas=2+pink_adds", "plus=2"),
        *("drama+pink_llamas=2+pink_drama=off", "points=2.4.6.8.10.12", "quit_cost=2"),
        *("starter=last_actor", "target=30", "twenty"),
    ),
    "noprob/starnberger": (
        *("any_tie", "copies=12", "dramas=9", "four_rounds", "four_rounds+rounds=2", "jokers=9"),
        *("karmas=12", "low=2", "negative_copies=10.10.9", "negatives=1.2.9", "peeks=3"),
        *("refill=off", "special=9", "target=1", "target_many=1", "triple_joker=off"),
    ),
    "pikomino/egmont": (
        *("dice=7", "flip_without_tile", "low=20", "no_steal", "short", "tiles=12"),
        *("worm_value=3", "worms=4.3.2.1"),
    ),
}


def test_every_option_has_another_value() -> None:
    for rules, values in OPTIONS.items():
        named = {part.partition("=")[0] for value in values for part in value.split("+")}
        assert named == set(game_of(rules).options), rules


@pytest.mark.long
@pytest.mark.parametrize(("rules", "family"), EACH, ids=lambda x: getattr(x, "name", x))
def test_who_decides_otherwise_says_by_what(rules: str, family: Family) -> None:
    """If an option changes a decision, then also the basis; else `compare` would call it equal."""
    game, query = game_of(rules), query_of(game_of(rules))
    policy = game.policy(usual(family))
    # `meanfield` is solved for each rule set, and longer for more players.
    players = 2 if family.name == "meanfield" else players_of(policy)
    asked = [
        situation
        for number in range(2)
        for situation in situations(rules, players, number, most=25)
    ]
    words = words_of(1, 0, len(asked))[1].tolist()

    def decided(player: Any) -> list[str]:
        return [player.decides(each, word) for each, word in zip(asked, words, strict=True)]

    player = query.player(game.rules(rules), policy, players)
    before = decided(player)
    for option in OPTIONS[rules]:
        try:
            other = query.player(game.rules(f"{rules}+{option}"), policy, players)
        except ReadError:  # trained for some rule sets alone
            assert family.name in TRAINED
            continue
        if same_basis(player, other):
            assert decided(other) == before, option


SAME = [
    ("dice/amigo", "dice/gigamic", "meanfield"),
    ("dice/amigo", "dice/egmont", "threshold:5"),
    ("dice/amigo", "dice/amigo+llama_points=1", "random"),
    ("lama/egmont", "lama/egmont+starter=last_actor", "meanfield"),
    ("lama/egmont", "lama/egmont+drama", "matching:3"),
    ("noprob/starnberger", "noprob/starnberger+any_tie", "greedy"),
    ("pikomino/egmont", "pikomino/egmont+short", "optimal-turn"),
    ("pikomino/egmont", "pikomino/egmont+short", "card:21"),
    ("dice/amigo", "dice/amigo+target=30", "meanfield"),
    ("lama/egmont", "lama/egmont+target=30", "meanfield:behind=3"),
]
OTHER = [
    # Whoever plays for the game knows, alone in a round, whether quitting ends it.
    ("dice/amigo", "dice/amigo+target=30", "meanfield:behind=3"),
    ("dice/amigo", "dice/amigo+target=30", "meanfield:win=3"),
    ("lama/egmont", "lama/egmont+target=30", "meanfield:lose=3"),
    ("dice/amigo", "dice/egmont", "meanfield"),
    ("dice/amigo", "dice/amigo+llama_points=5", "threshold:5"),
    ("lama/egmont", "lama/egmont+llama_each", "matching:3"),
    ("lama/egmont", "lama/egmont+drama", "meanfield"),
    ("noprob/starnberger", "noprob/starnberger+special=9", "greedy"),
    ("pikomino/egmont", "pikomino/egmont+short", "lead:50"),
    ("pikomino/egmont", "pikomino/egmont+worms=4.3.2.1", "card:21"),
    ("noprob/starnberger", "noprob/starnberger+special=9", "card:10"),
]


@pytest.mark.long
@pytest.mark.parametrize(("a", "b", "policy"), SAME + OTHER)
def test_what_players_decide_by(a: str, b: str, policy: str) -> None:
    game = game_of(a)
    query = query_of(game)
    chosen = game.policy(policy)
    first, second = (query.player(game.rules(text), chosen, 3) for text in (a, b))
    assert same_basis(first, second) == ((a, b, policy) in SAME)
    assert same_basis(first, first)


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("dice/amigo", "dice/amigo+dealt=5", "other hands"),
        ("dice/amigo", "dice/amigo+faces=1234LL.1256LL", "3 dice, 2"),
        ("dice/amigo+llamas=8", "dice/amigo", "8 cards L"),
        ("lama/egmont", "lama/party", "cards 1+"),
        ("lama/party", "lama/egmont", "cards 1+"),
        ("lama/egmont+drama", "lama/egmont", "pot"),
        ("lama/amigo", "lama/egmont", "8 cards L in play, 7"),
        ("lama/egmont+dealt=5", "lama/egmont", "other hands"),
        ("noprob/starnberger", "noprob/starnberger+low=4", "kinds"),
        ("noprob/starnberger", "noprob/starnberger+peeks=0", "2 own cards"),
        ("pikomino/egmont", "pikomino/egmont+dice=7", "8 dice, 7"),
        ("pikomino/egmont", "pikomino/egmont+tiles=15", "other tiles"),
    ],
)
def test_situations_that_cannot_be_put_to_others(a: str, b: str, said: str) -> None:
    game = game_of(a)
    query = query_of(game)
    assert said in query.unlike(game.rules(a), game.rules(b))
    assert query.unlike(game.rules(a), game.rules(a)) == ""


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("dice/amigo", "dice/egmont"),
        ("lama/egmont", "lama/amigo"),
        ("lama/egmont", "lama/egmont+drama"),
    ],
)
def test_situations_that_can(a: str, b: str) -> None:
    game = game_of(a)
    assert query_of(game).unlike(game.rules(a), game.rules(b)) == ""


TRAINED_FOR_ALL = {
    "lama/amigo": ("lama/egmont", 3),
    "dice/amigo": ("dice/egmont", 2),
    "noprob/starnberger": ("noprob/starnberger+peeks=3", 4),
    "pikomino/egmont": ("pikomino/egmont", 5),
}
NOT_TRAINED = {
    "lama/egmont": ("lama/egmont+dealt=5", 4),
    "dice/amigo": ("dice/amigo+target=30", 2),
    "noprob/starnberger": ("noprob/starnberger+peeks=0", 4),
    "pikomino/egmont": ("pikomino/egmont+worms=1.1.1.1", 2),
}


def chosen_for(baseline, other, players):
    game = game_of(baseline)
    variants = [game.rules(baseline), game.rules(other)]
    return game, variants, read_policies(game, variants, players, None, RETUNED)


@pytest.mark.parametrize(("baseline", "case"), TRAINED_FOR_ALL.items())
def test_where_all_are_trained_for_each_has_its_best(baseline, case):
    game, variants, found = chosen_for(baseline, *case)
    assert found == [game.best_policy(rules, case[1]) for rules in variants]


@pytest.mark.parametrize(("baseline", "case"), NOT_TRAINED.items())
def test_a_trained_policy_plays_nowhere_unless_everywhere(baseline, case):
    other, players = case
    game, variants, found = chosen_for(baseline, other, players)
    plain, changed = variants
    assert found[1] == game.best_policy(changed, players)
    assert found[0] != game.best_policy(plain, players)
    assert found[0].family == found[1].family
    same = read_policies(game, variants, players, None, variants_module.SAME)
    assert same == [found[0]] * 2


@pytest.mark.parametrize(("baseline", "case"), NOT_TRAINED.items())
def test_the_order_of_the_rule_sets_does_not_matter(baseline, case):
    other, players = case
    found = chosen_for(baseline, other, players)[2]
    assert chosen_for(other, baseline, players)[2] == found[::-1]


@pytest.mark.long
def test_skill_is_that_of_one_kind_of_policy_too():
    game, variants, best = chosen_for("lama/egmont", "lama/egmont+dealt=5", 4)
    common = common_games(game, variants, best, 4, Play(1, 1), ["skill"])
    for rules, policy, hashes in zip(variants, best, common.hashes, strict=True):
        jobs = design.jobs_of(game, rules, policy, policy, 4, ["skill"])
        assert len(jobs) == 4
        assert {
            name: hash_of([job, [astuple(m) for m in job.measures]]) for name, job in jobs.items()
        }.items() <= dict(hashes).items()


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
    features = SMALL.features
    seen = [data.draw(st.integers(each.low, each.high)) for each in features]
    found = np.zeros(3, dtype=np.int64)
    blocks = np.stack([rows_of(card) for card in several])
    limits_seen(blocks, np.array([7, 7, *seen]), found)
    for card, limit in zip(several, found.tolist(), strict=True):
        assert limit == next(
            line.limit
            for line in card.lines
            if all(each.low <= seen[each.feature] <= each.high for each in line.conditions)
        )


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("", 0, "a limit from 0 to 31, or never"),
        ("first", 5, "a limit from 0 to 31, or never"),
        ("first/first/3", 6, "each habit once"),
        ("last/first/3", 5, "none that excludes another"),
        ("1/2", 0, "NAME=LOW..HIGH:"),
        ("others=1:2", 0, "a limit without conditions as the last line"),
        ("others=1:32/3", 9, "a limit from 0 to 31, or never"),
        ("others=1:nver/3", 9, "a limit from 0 to 31, or never"),
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


def test_a_line_reads_as_a_sentence() -> None:
    language = language_of(game_of("dice").policy("card:1").family)
    assert language is not None
    text = "llama5/fewest=..2+leads=3..:9/others=0:never/row=..1+cards=1:31/4"
    assert language.in_words(language.unpack(read_card(language, text))) == [
        "If another player holds one or two cards and with all cards counted you lead by 3 points "
        "or more, quit with up to 9 points.",
        "If all others have quit, never quit.",
        "If you hold 1 card and the row has 1 card or fewer, quit.",
        "Otherwise, quit with up to 4 points.",
        "Take a llama before a 5 or 6.",
    ]
    assert language.in_words(language.unpack(read_card(language, "1"))) == [
        "Quit with up to 1 point."
    ]
