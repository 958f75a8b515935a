"""`learned` decides as its plain twin does, by what its seat can see and what was shown."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.lama.engine.trained import Learned
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.learned import SHAPES, learned
from lama_odds.games.lama.records.live import GameLine, Player, Reader
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.position import card_text
from lama_odds.games.lama.rules.ruleset import NAMES
from tests.games.cases import product_record, product_rules, rounds_of, seats_of
from tests.reference import lama
from tests.reference import lama_learned as twin

RULES = ("lama/egmont", "lama/amigo")
POLICY = GAME.policy("learned")


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


def situations_of(record: str) -> list[Situation]:
    reader = Reader(lambda _: True)
    reader.read(record)
    return reader.found


# --- Whole games, single situations, games step by step --------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("rules_id", "mix", "players"),
    [(RULES[1], ("learned", "threshold:8"), 3), (RULES[0], ("learned",), 6)],
)
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
        record = product_record(rules_id, seats_of(("random", "threshold:0"), players), 9, game)
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


def test_stepping_through_a_game_keeps_the_history():
    rules_id, players, luck = RULES[1], 3, random.Random(3)
    rules, reference = product_rules(rules_id), shipped(rules_id, players)
    player = Player(rules, POLICY, players)
    line = GameLine(rules, [POLICY] * players, 12, 0, 0, True, range(players))
    line.recalls = True
    for state, seat in walk(line, luck):
        choices = reference.choices(state.view(seat))
        assert line.usual in choices
        others = [line.state.hands[(seat + step) % players] for step in range(1, players)]
        assert line.hidden() == tuple(map(rules.pack, others))
        assert player.decides(Situation(0, line.position()), 0) in choices
