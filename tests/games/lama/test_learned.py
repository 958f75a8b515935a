"""`learned` decides as its plain twin does, by what its seat can see and what was shown."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core.errors import ReadError
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.lama.engine import policy_kernels
from lama_odds.games.lama.engine.policy_kernels import COLUMNS, HAND, PENALTY, SCORE, SCRATCH, SHOWN
from lama_odds.games.lama.engine.trained import (
    FIRST,
    GROUP,
    LAYER_AT,
    MOST_ROWS,
    MOVES,
    ROWS,
    SCRATCH_END,
    SECOND,
    Learned,
    shown_after_draw,
    shown_after_play,
    shown_of,
    write_rows,
)
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.learned import SHAPES, learned
from lama_odds.games.lama.records.live import GameLine, Player, Reader
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.position import card_text
from lama_odds.games.lama.rules.ruleset import NAMES
from lama_odds.games.shared.shipped_weights import joined, split
from tests.games.cases import product_record, product_rules, rounds_of, seats_of
from tests.reference import lama
from tests.reference import lama_learned as twin

RULES = ("lama/egmont", "lama/amigo")
POLICY = GAME.policy("learned")
ALONE, MIXED = ("learned",), ("learned", "threshold:8")
TABLES = [(RULES[0], ALONE, 3), (RULES[1], ALONE, 4), (RULES[0], ALONE, 6), (RULES[1], MIXED, 3)]
SAME_EACH_TIME = settings(derandomize=True, deadline=None, max_examples=100, database=None)


def twin_rules(rules_id: str) -> lama.Rules:
    return lama.edition(rules_id.removeprefix("lama/"))


def shipped(rules_id: str, players: int) -> twin.Learned:
    return twin.Learned(*learned(rules_id, players))


def any_net(number: int) -> Learned:
    """Weights at random, so that every row matters."""
    luck = np.random.default_rng(number)
    sizes = (0.5, 0.3, 0.5, 0.5)
    parts = [luck.normal(0, s, shape) for s, shape in zip(sizes, SHAPES, strict=True)]
    return Learned(*(part.astype(np.float32) for part in parts))


def player_of(rules_id: str, net: Learned) -> Player:
    """A player of the product with other weights."""
    player = Player(product_rules(rules_id), POLICY, 3)
    player.tables = player.tables._replace(learned=net)
    return player


def decisions_in(rules_id: str, record: str) -> Iterator[tuple[int, twin.Round, int, str]]:
    """Each turn of a record: its number, the round before it, the seat and the action."""
    number = 0
    for lines in rounds_of(record):
        said = {words[0]: words[1:] for words in lines if not words[0].isdigit()}
        scores = [int(score) for score in said["scores"]]
        state = twin.Round(twin_rules(rules_id), scores, said["deal"], *said["top"])
        for seat, *action in (words for words in lines if words[0].isdigit()):
            yield number, state, int(seat), action[0] if action[0] == "draw" else " ".join(action)
            state.turn(int(seat), *action)
            number += 1


def situations_of(record: str, wanted: Sequence[int] | None = None) -> list[Situation]:
    """Read the situations of a record; wanted: their numbers."""
    reader = Reader(lambda number: wanted is None or number in wanted)
    reader.read(record)
    return reader.found


# --- Whole games, single situations, games step by step --------------------------------------


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("rules_id", "mix", "players"), TABLES)
def test_it_plays_games_as_its_twin_does(rules_id, mix, players):
    reference, policies = shipped(rules_id, players), seats_of(mix, players)
    compared = 0
    for game in range(3):
        record = product_record(rules_id, policies, 7, game)
        for number, state, seat, action in decisions_in(rules_id, record):
            if policies[seat] == "learned":
                choices = reference.choices(state.view(seat))
                assert action in choices, (game, number, state.view(seat))
                compared += 1
    assert compared > 50


@pytest.mark.one_in(3)
@pytest.mark.parametrize("players", [3, 4, 6])
def test_with_any_weights_its_twin_decides_alike(players):
    rules_id = RULES[players % 2]
    net = any_net(players)
    player, reference = player_of(rules_id, net), twin.Learned(*net)
    seen: Counter[str] = Counter()
    for game in range(4):
        record = product_record(rules_id, seats_of(("random", "threshold:2"), players), 9, game)
        situations = situations_of(record)
        lines = record.splitlines()
        turns = [at for at, line in enumerate(lines) if line[0].isdigit()]
        for number, state, seat, _ in decisions_in(rules_id, record):
            choices = reference.choices(state.view(seat))
            action = player.decides(situations[number], 0)
            assert action in choices, state.view(seat)
            if number % 20 == 0:  # the position after a record has its history too
                begun = "\n".join(lines[: turns[number]])
                position = GAME.position_after(player.rules, begun)
                assert player.decides(Situation(0, position), 0) == action
            seen[action.split()[0]] += len(choices) == 1
    assert min(seen["play"], seen["draw"], seen["quit"]) > 5


def test_without_a_past_nobody_has_shown_anything():
    rules_id = RULES[0]
    rules, net = product_rules(rules_id), any_net(1)
    player, reference = player_of(rules_id, net), twin.Learned(*net)
    record = product_record(rules_id, ("threshold:3",) * 4, 10, 0)
    situations, changed = situations_of(record), 0
    for number, state, seat, _ in decisions_in(rules_id, record):
        known = situations[number]
        bare = GAME.position(rules, known.position.format())
        assert bare.past is None
        action = player.decides(Situation(0, bare), 0)
        assert action == player.decides(Situation(0, replace(known.position, past=None)), 0)
        assert action in reference.choices(state.view(seat, remembers=False)), bare
        changed += action != player.decides(known, 0)
    assert changed > 5


def round_of(line: GameLine) -> twin.Round:
    """The round that a game stepped through is in, as it was dealt."""
    state = line.state
    assert not state.turns
    hands = map(card_text, state.hands)
    return twin.Round(twin_rules(line.rules.id), state.scores, [*hands], NAMES[state.top])


def walk(line: GameLine, luck: random.Random) -> Iterator[tuple[twin.Round, int]]:
    """Step through a game with many actions at random; yield the round, and the seat to decide."""
    state, number = round_of(line), line.number
    while not line.over:
        if line.number != number:
            state, number = round_of(line), line.number
        seat, held = line.seat, line.state.hands
        yield state, seat
        options = [a for a in legal_actions(line.rules, line.position()) if a != "quit"]
        action = luck.choice([*options, line.usual])
        before, turns = Counter(card_text(held[seat])), line.state
        line.act(action)
        verb, _, card = action.partition(" ")
        if verb == "draw":
            (card,) = Counter(card_text(turns.hands[seat])) - before
        state.turn(seat, verb, card)


# --- What it does not see --------------------------------------------------------------------


def seen_by(seat: int, record: str) -> str:
    """Hide from a record what one seat does not see."""
    lines = []
    for line in record.splitlines():
        verb, *words = line.split()
        if verb == "deal":
            words = [word if at == seat else "?" for at, word in enumerate(words)]
        elif verb.isdigit() and words[0] == "draw" and int(verb) != seat:
            words = ["draw", "?"]
        lines.append(" ".join([verb, *words]))
    return "\n".join(lines) + "\n"


def test_hidden_cards_need_not_be_known():
    players = 4
    rules_id = RULES[0]
    player = player_of(rules_id, any_net(3))
    record = product_record(rules_id, ("threshold:5",) * players, 13, 0)
    acting = [seat for _, _, seat, _ in decisions_in(rules_id, record)]
    for seat in range(players):
        numbers = [number for number, acts in enumerate(acting) if acts == seat]
        every, some = (situations_of(r, numbers) for r in (record, seen_by(seat, record)))
        for whole, part in zip(every, some, strict=True):
            assert whole.number == part.number
            assert player.decides(whole, 0) == player.decides(part, 0)


def deal_again(state, seat: int, luck: random.Random) -> None:
    """Swap all cards that a seat does not see, in hands and in the pack."""
    others = [other for other in range(len(state.hands)) if other != seat]
    hidden = zip(state.pack, *(state.hands[other] for other in others), strict=True)
    cards = [kind for kind, counts in enumerate(hidden) for _ in range(sum(counts))]
    luck.shuffle(cards)
    for other in others:
        hand = [cards.pop() for _ in range(sum(state.hands[other]))]
        state.hands[other] = tuple(hand.count(kind) for kind in range(len(NAMES)))
    state.pack = [cards.count(kind) for kind in range(len(NAMES))]


@pytest.mark.parametrize("players", [3, 6])
def test_stepping_through_a_game_keeps_the_history_and_hidden_hands_change_nothing(players):
    rules_id, luck = RULES[players % 2], random.Random(players)
    rules, reference = product_rules(rules_id), shipped(rules_id, players)
    player = Player(rules, POLICY, players)
    line = GameLine(rules, [POLICY] * players, 12, 0, 0, True, range(players))
    line.recalls = True
    for state, seat in walk(line, luck):
        choices = reference.choices(state.view(seat))
        assert line.usual in choices
        assert player.decides(Situation(0, line.position()), 0) in choices
        hands, pack = list(line.state.hands), list(line.state.pack)
        deal_again(line.state, seat, luck)
        assert line.name_of(line.entries()[0]) == line.usual
        line.state.hands, line.state.pack = hands, pack


# --- Rows ------------------------------------------------------------------------------------


def packed(cards: Counter[str] | dict[str, int], shift: int = 4) -> int:
    return sum(count << 8 * twin.VALUES.index(value) + shift for value, count in cards.items())


OTHERS = st.fixed_dictionaries(
    {
        "hand": st.lists(st.sampled_from(twin.VALUES), min_size=1, max_size=14),
        "score": st.integers(0, 100),
        "shown": st.fixed_dictionaries({value: st.integers(0, 20) for value in twin.VALUES}),
        "penalty": st.just(-1) | st.integers(0, 31),  # -1: still in
    }
)
STILL_IN = st.lists(OTHERS, min_size=2, max_size=5).filter(
    lambda others: any(other["penalty"] < 0 for other in others)
)
HELD = st.lists(st.integers(0, 4), min_size=7, max_size=7).filter(any)


@st.composite
def tables(draw):
    """A table in the product, and what its seat sees: any cards, scores and histories."""
    rules_id = draw(st.sampled_from(RULES))
    others = draw(STILL_IN)
    seat, players = draw(st.integers(0, len(others))), len(others) + 1
    hand = Counter(dict(zip(twin.VALUES, draw(HELD), strict=True)))
    unseen = Counter(twin.deck_of(twin_rules(rules_id)))
    unseen.subtract(hand)
    played = {value: draw(st.integers(0, there)) for value, there in unseen.items()}
    unseen.subtract(played)
    score = draw(st.integers(0, 100))
    table = np.zeros(policy_kernels.TABLE_SIZE, np.int64)
    table[HAND + seat], table[SCORE + seat], table[PENALTY + seat] = packed(hand), score, -1
    table[SHOWN + seat] = draw(st.integers(0, (1 << 56) - 1))
    for step, other in enumerate(others, 1):
        there = (seat + step) % players
        table[HAND + there], table[SCORE + there] = packed(Counter(other["hand"])), other["score"]
        table[SHOWN + there], table[PENALTY + there] = packed(other["shown"], 0), other["penalty"]
    seen = [twin.Other(len(o["hand"]), o["score"], o["shown"], o["penalty"] >= 0) for o in others]
    top = draw(st.sampled_from(twin.VALUES))
    view = twin.View(twin_rules(rules_id), [*hand.elements()], top, unseen, score, seen)
    return product_rules(rules_id), table, seat, packed(played), view


@pytest.mark.long
@SAME_EACH_TIME
@given(tables())
def test_rows_are_those_of_the_twin(situation):
    rules, table, seat, played, view = situation
    before, players, top = table.copy(), len(view.others) + 1, twin.VALUES.index(view.top)
    number = write_rows(
        rules.columns, rules.penalties, table, players, seat, table[HAND + seat], top,
        len(view.still_in), played, table,
    )  # fmt: skip
    rows = table[SCRATCH : SCRATCH + number].tolist()
    assert sorted(rows) == sorted(twin.rows(view))
    assert number <= MOST_ROWS
    assert number % GROUP == 0
    assert all(row in range(ROWS) for row in rows)
    assert np.array_equal(table[:SCRATCH], before[:SCRATCH])
    assert not table[SCRATCH + number :].any()


# --- What is shown ---------------------------------------------------------------------------


def by_value(packed_shown: int) -> list[int]:
    return [int(packed_shown) >> 8 * place & 255 for place in range(7)]


TURNS = st.lists(st.tuples(st.sampled_from(("draw", "play")), st.sampled_from(twin.VALUES)))


@SAME_EACH_TIME
@given(st.integers(1, 12), TURNS)
def test_what_is_shown_is_what_the_twin_counts(received, past):
    found = shown_of(received)
    for verb, card in past:
        after = shown_after_draw if verb == "draw" else shown_after_play
        found = after(found, twin.VALUES.index(card))
    assert by_value(found) == list(twin.shown(received, past).values())


# --- What is shipped, and for what -----------------------------------------------------------


def test_others_are_refused():
    for rules_id, players, message in (
        (RULES[0], 2, "three to six players, found 2"),
        ("lama/party", 4, "trained for .*lama/egmont.*; found lama/party"),
        ("lama/egmont+target=50", 4, "trained for .*lama/egmont.*; found lama/egmont.target=50"),
    ):
        with pytest.raises(ReadError, match=message):
            GAME.simulation(GAME.rules(rules_id), [POLICY] * players, False)
        with pytest.raises(ReadError, match=message):
            Player(GAME.rules(rules_id), POLICY, players)


def test_tables_have_the_sizes_that_are_shipped():
    assert sum(size for _, size in twin.GROUPS) == ROWS
    assert twin.ROWS_AT_ONCE == GROUP
    assert SCRATCH >= SHOWN + COLUMNS
    assert 2 * (SCRATCH + MOST_ROWS) <= LAYER_AT
    assert SCRATCH_END <= policy_kernels.TABLE_SIZE
    size = ROWS * FIRST + FIRST * SECOND + MOVES * SECOND + SECOND + MOVES
    weights = np.random.default_rng(1).normal(size=size).astype(np.float16)
    assert np.array_equal(joined(split(weights, SHAPES)), weights)
    for players in (3, 4, 6):
        net = learned(RULES[0], players)
        assert [part.shape for part in net] == list(SHAPES)
        assert all(np.isfinite(part).all() for part in net)
