"""`equilibrium` decides as its table says, for two players only, and beats the best `meanfield`."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations_with_replacement, pairwise

import pytest

import lama_odds as lo
from lama_odds.analysis.advice.other_objectives import best_for
from lama_odds.analysis.compare.variants import SAME, read_policies
from lama_odds.core.data import data_bytes, data_json
from lama_odds.core.errors import ReadError
from lama_odds.games.interface.records import Situation
from lama_odds.games.lama.engine.equilibrium import (
    HANDS,
    MOST_CARDS,
    MOST_OTHER,
    fewer_cards,
    hand_rank,
)
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.equilibrium import MANIFEST, rank_table
from lama_odds.games.lama.records.policy_query import Player
from lama_odds.games.lama.rules.odds import legal_actions
from tests.cli.calls import process

RULES = "lama/egmont"
VALUES = "123456L"  # in the order of what they cost


def counts_of(hand: str) -> list[int]:
    return [hand.count(value) for value in VALUES]


def packed(counts: list[int]) -> int:
    return sum(count << 8 * place + 4 for place, count in enumerate(counts))


def all_hands() -> list[list[int]]:
    """Hands in the order of the table: by cards in all, then by those of all values but one, …"""
    upto = combinations_with_replacement(range(MOST_CARDS + 1), 7)
    return [[c[0], *(b - a for a, b in pairwise(c))] for c in sorted(upto, key=lambda c: c[::-1])]


def test_hands_have_numbers_of_their_own():
    hands = all_hands()
    assert len(hands) == HANDS
    ranks = rank_table()
    assert [int(hand_rank(packed(counts), ranks)) for counts in hands] == list(range(HANDS))


def test_large_hands_keep_their_values():
    luck = random.Random(1)
    for _ in range(200):
        counts = [luck.randint(0, 8) for _ in range(7)]
        left = [int(fewer_cards(packed(counts))) >> 8 * place + 4 & 15 for place in range(7)]
        assert sum(left) == min(sum(counts), MOST_CARDS)
        assert [count > 0 for count in left] == [count > 0 for count in counts]
        if sum(counts) > MOST_CARDS:  # the most frequent went first
            gone = [count for count, kept in zip(counts, left, strict=True) if kept < count]
            assert min(gone) >= max(left)


class Twin:
    """The shipped bytes, read in plain Python."""

    def __init__(self, rules: str) -> None:
        entry = data_json(MANIFEST)["rules"][rules]
        content = data_bytes(f"equilibrium/{entry['file']}", entry["sha256"])
        self.bytes = content[content.index(b"\n") + 1 :]
        self.ranks = {tuple(counts): number for number, counts in enumerate(all_hands())}

    def decides(self, hand: str, top: str, other: int, scores: tuple[int, int]) -> str:
        counts = counts_of(hand)
        while sum(counts) > MOST_CARDS:
            counts[counts.index(max(counts))] -= 1
        class_ = self.bytes[40 * min(scores[0], 39) + min(scores[1], 39)]
        place = VALUES.index(top)
        at = (class_ * 7 + place) * MOST_OTHER + min(other, MOST_OTHER) - 1
        at = at * HANDS + self.ranks[tuple(counts)]
        move = self.bytes[1600 + at // 4] >> 2 * (at % 4) & 3
        above = VALUES[(place + 1) % 7]
        plays = [value for value in (top, above) if value in hand]
        if move == 2:
            return "draw"
        if move == 3 or not plays:
            return "quit"
        return f"play {plays[min(move, len(plays) - 1)]}"


@pytest.mark.parametrize("rules", [RULES, "lama/amigo"])
def test_it_decides_as_the_shipped_table_says(rules: str) -> None:
    rule_set, twin = GAME.rules(rules), Twin(rules)
    player = Player(rule_set, GAME.policy("equilibrium"), 2)
    luck = random.Random(2)
    kinds = set()
    for _ in range(300):
        deck = list(VALUES * 7)
        luck.shuffle(deck)
        hand = "".join(sorted(deck.pop() for _ in range(luck.randint(1, 11))))
        top, other = deck.pop(), luck.randint(1, 10)
        scores = luck.randrange(40), luck.randrange(40)
        text = f"hand={hand} top={top} opp={other} scores={scores[0]},{scores[1]}"
        position = GAME.position(rule_set, text)
        action = player.decides(Situation(0, position), 0)
        assert action == twin.decides(hand, top, other, scores), text
        assert action in legal_actions(rule_set, position)
        kinds.add(action.partition(" ")[0])
    assert kinds == {"play", "draw", "quit"}


def test_once_alone_it_plays_on_and_for_points_scores_do_not_count():
    rules = GAME.rules(RULES)
    alone = GAME.position(rules, "hand=3356L top=3 opp=q4 scores=0,0")
    assert Player(rules, GAME.policy("equilibrium"), 2).decides(Situation(0, alone), 0) == "play 3"
    points = Player(rules, GAME.policy("equilibrium:points"), 2)
    for scores in ("", " scores=39,0", " scores=0,39"):
        position = GAME.position(rules, f"hand=1 top=1 opp=4{scores}")
        assert points.decides(Situation(0, position), 0) == "play 1"
    basis = Player(rules, GAME.policy("equilibrium"), 2).basis
    assert len(basis) == len(points.basis)


def test_others_are_refused():
    policy = GAME.policy("equilibrium")
    with pytest.raises(ReadError, match="for two players, found 3"):
        GAME.simulation(GAME.rules(RULES), [policy] * 3, False)
    with pytest.raises(ReadError, match=r"trained for .*; found lama/party"):
        GAME.simulation(GAME.rules("lama/party"), [policy] * 2, False)
    with pytest.raises(ReadError, match="points, or nothing"):
        GAME.policy("equilibrium:win")
    told = process("simulate", RULES, "--players", "3", "--policy", "equilibrium", "--games", "9")
    assert told.code == 2
    assert "two players" in told.err


def test_options_and_other_numbers_of_players_have_a_policy_that_plays_there():
    plain, amigo, more = (GAME.rules(t) for t in (RULES, "lama/amigo", "lama/egmont+target=50"))
    for players, rules in ((2, more), (3, plain)):
        best = GAME.best_policy(rules, players)
        GAME.simulation(rules, [best] * players, False).play(0, 0, 1)
    for players in (2, 4):
        for variants in ([plain, more], [plain, amigo]):
            best = GAME.best_for_all(variants, players)
            for rules in variants:
                GAME.simulation(rules, [best] * players, False).play(0, 0, 1)
    one, other = read_policies(GAME, [plain, more], 2, None, SAME)
    assert one == other == GAME.best_for_all([plain, more], 2)


@pytest.mark.parametrize(("players", "trained"), [(2, "equilibrium"), (3, "learned")])
def test_advice_assumes_the_trained_policy_with_and_without_a_past(players, trained):
    rules = GAME.rules(RULES)
    record = GAME.record(rules, [GAME.policy("matching:6")] * players, 3, 0, True)
    lines = record.splitlines()
    cut = next(at for at, line in enumerate(lines) if line.startswith("1 ")) + 1
    known = GAME.position_after(rules, "\n".join(lines[:cut]))
    assert known.past is not None
    assert best_for(GAME, rules, known, "win").name == trained
    assert best_for(GAME, rules, replace(known, past=None), "win").name == trained
    assert best_for(GAME, rules, replace(known, past=None), "points").name == "meanfield"
    others, scores = ",4" * (players - 2), ",3" * (players - 1)
    bare = f"hand=3356L top=4 opp=4{others} scores=12{scores}"
    assumed = [lo.advise(RULES, bare, opponents=name, games=1000) for name in (None, trained)]
    assert assumed[0].to_json()["actions"] == assumed[1].to_json()["actions"]
    assert "equity" in " ".join(assumed[0].to_json()["assumptions"])
