"""`learned` of Lama Dice decides as its plain twin does, and wins among `meanfield`."""

from __future__ import annotations

import random

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.core.errors import ReadError
from lama_odds.core.reading import data_json
from lama_odds.games.dice.engine.tables import BLOCK, HAND, PENALTY, SCORE, SCRATCH, TABLE_SIZE
from lama_odds.games.dice.engine.trained import (
    FIRST,
    GROUP,
    MANIFEST,
    MOST_ROWS,
    NOTHING,
    ROWS,
    SECOND,
    SHAPES,
    Net,
    laid_out,
    learned,
    write_rows,
)
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.records.live import Player
from lama_odds.games.dice.rules.position import pack_hand
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.shared.shipped_weights import PLAYERS, joined, split
from lama_odds.jit import compiled
from tests.reference import dice_learned as twin

RULES = "dice/amigo"
NEAR = 1e-4  # results that differ by less are not compared
TEACHER = "meanfield:out=5"


@compiled
def rows_at(points, hand, row, others, table, seat):
    return write_rows(points, hand, row, others, table, seat)


def any_nets(number: int) -> tuple[Net, Net]:
    """Weights at random, so that every row matters."""
    luck = np.random.default_rng(number)
    parts = [luck.normal(0, 0.4, shape).astype(np.float32) for shape in SHAPES]
    return Net(*parts[:4]), Net(*parts[4:])


def listed(nets: tuple[Net, Net]) -> list[list]:
    return [[part.tolist() for part in net] for net in nets]


def drawn(luck: random.Random, players: int) -> tuple[str, str, int, list[twin.Other]]:
    """Any cards, a row, a score and other players, at least one of them still in."""
    pack = list(twin.KINDS * 5)
    luck.shuffle(pack)
    others = []
    for number in range(players - 1):
        cards = "".join(sorted(pack.pop() for _ in range(luck.randint(1, 6))))
        has_quit = number > 0 and luck.random() < 0.4
        penalty = twin.points(cards) if has_quit else None
        others.append(twin.Other(cards, luck.randrange(40), penalty))
    luck.shuffle(others)
    cards = "".join(sorted(pack.pop() for _ in range(luck.randint(1, 5))))
    row = "".join(sorted(luck.sample(twin.KINDS, luck.randint(1, 7))))
    return cards, row, luck.randrange(40), others


def decided(player: Player, situation: tuple, shown: str = "") -> str:
    cards, row, score, others = situation
    opponents = ",".join(
        other.cards if other.penalty is None else f"q{other.cards}" for other in others
    )
    scores = ",".join(str(number) for number in (score, *(other.score for other in others)))
    text = f"hand={cards} row={row} opp={opponents} scores={scores}"
    if shown:
        text += f" rolled={shown}"
    return player.decides(Situation(0, GAME.position(GAME.rules(RULES), text)), 0)


def packed(cards: str) -> int:
    return pack_hand(tuple(cards.count(kind) for kind in twin.KINDS))


@pytest.mark.parametrize("players", PLAYERS)
def test_rows_are_those_of_the_twin(players):
    rules, luck = GAME.rules(RULES), random.Random(players)
    assert (ROWS, FIRST, SECOND) == (twin.ROWS, twin.FIRST, twin.SECOND)
    for _ in range(60):
        cards, row, score, others = drawn(luck, players)
        seat, table = luck.randrange(players), np.zeros(TABLE_SIZE, np.int64)
        table[SCORE + seat], table[BLOCK + seat] = score, players
        table[HAND + seat], table[PENALTY + seat] = packed(cards), -1
        for step, other in enumerate(others, 1):
            there = (seat + step) % players
            table[HAND + there], table[SCORE + there] = packed(other.cards), other.score
            table[PENALTY + there] = -1 if other.penalty is None else other.penalty
        in_ = sum(other.penalty is None for other in others)
        hand = table[HAND + seat]
        number = rows_at(rules.penalties, hand, twin.set_of(row), in_, table, seat)
        found = table[SCRATCH : SCRATCH + number].tolist()
        assert number <= MOST_ROWS
        assert number % GROUP == 0
        assert sorted(r for r in found if r != NOTHING) == twin.rows(cards, row, score, others)


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 6])
def test_with_any_weights_it_decides_as_its_twin_does(players):
    rules, luck, nets = GAME.rules(RULES), random.Random(players), any_nets(players)
    player, reference = Player(rules, GAME.policy("learned"), players), listed(nets)
    player.tables = player.tables._replace(learned=laid_out(nets))
    said = {"roll": 0, "quit": 0, "discard": 0, "take": 0}
    for _ in range(60):
        situation = drawn(luck, players)
        gain = twin.rolls(reference, *situation)
        if abs(gain) > NEAR:
            expected = "roll" if gain > 0 else "quit"
            assert decided(player, situation) == expected, situation
            said[expected] += 1
        cards, row, *_ = situation
        shown = luck.choice("1234LL") + luck.choice("3456LL") + "2"
        matches, left = "", cards
        for card in shown:
            if card in left:
                left = left.replace(card, "", 1)
                matches += card
        takeable = "" if matches else "".join(sorted(set(shown) & set(row)))
        if matches and len(matches) < len(cards):
            verb, worth = "discard", twin.discards(reference, matches, *situation)
        elif takeable:
            verb, worth = "take", twin.takes(reference, takeable, *situation)
        else:
            continue
        ranked = sorted(worth, key=worth.__getitem__, reverse=True)
        if len(ranked) > 1 and worth[ranked[0]] - worth[ranked[1]] > NEAR:
            assert decided(player, situation, shown) == f"{verb} {ranked[0]}", (situation, shown)
            said[verb] += 1
    assert min(said.values()) > 2, said


def test_the_last_player_asks_the_network_with_any_cards():
    player, said = Player(GAME.rules(RULES), GAME.policy("learned"), 3), set()
    for number in range(6):
        nets, luck = any_nets(number), random.Random(number)
        player.tables, reference = player.tables._replace(learned=laid_out(nets)), listed(nets)
        for _ in range(20):
            cards, row, score, others = drawn(luck, 3)
            others = [other._replace(penalty=twin.points(other.cards)) for other in others]
            gain = twin.rolls(reference, cards, row, score, others)
            if abs(gain) > NEAR and twin.points(cards) >= twin.CLEAR:
                expected = "roll" if gain > 0 else "quit"
                assert decided(player, (cards, row, score, others)) == expected
                said.add(expected)
    assert said == {"roll", "quit"}


# --- What is shipped, and for what -----------------------------------------------------------


def test_what_is_shipped_is_what_was_fitted():
    assert data_json(MANIFEST)["tables"].keys() == {str(players) for players in PLAYERS}
    for players in PLAYERS:
        nets = learned(RULES, players)
        assert nets.dtype == np.float32
        assert np.isfinite(nets).all()
    nets = any_nets(1)
    again = split(joined(part for net in nets for part in net), SHAPES)
    assert np.allclose(laid_out((Net(*again[:4]), Net(*again[4:]))), laid_out(nets), atol=2e-3)


@pytest.mark.parametrize(
    ("rules", "players", "told"),
    [
        ("dice/amigo", 2, "three to six players, found 2"),
        ("dice/egmont+twenty", 4, "dice/amigo, dice/gigamic, dice/egmont; found"),
        ("dice/amigo+target=30", 3, "learned is trained for"),
    ],
)
def test_others_are_refused(rules, players, told):
    with pytest.raises(ReadError, match=told):
        lo.simulate(rules, players, "learned", 100)


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads():
    one, two = (
        lo.simulate(RULES, 4, ["learned", "meanfield"] * 2, 2_000, seed=4, threads=threads)
        .to_json()["seats"]
        for threads in (1, 2)
    )  # fmt: skip
    assert one == two


@pytest.mark.long
@pytest.mark.parametrize("rules", ["dice/amigo", "dice/egmont"])
def test_it_wins_more_than_its_share_among_a_tuned_meanfield(rules):
    games, players, won = 3_000, 4, 0.0
    for seat in range(players):
        policies = [TEACHER] * players
        policies[seat] = "learned"
        won += lo.simulate(rules, players, policies, games, seed=seat).seats[seat]["win"].value
    error = (0.25 * 0.75 / (games * players)) ** 0.5
    assert won / players > 0.25 + 3 * error
