"""`meanfield` and `equilibrium` decide as their tables say; scores count at the end."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement, pairwise

import pytest

import lama_odds as lo
from lama_odds.analysis.advice.guesses import best_for
from lama_odds.core.errors import ReadError
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.lama.engine.policy_kernels import (
    DECIDING,
    HANDS,
    PARAMETER,
    PASSED_ON,
    context_of,
)
from lama_odds.games.lama.engine.round_loop import A_CARD, all_leeway
from lama_odds.games.lama.engine.trained import (
    HANDS as ALL_HANDS,
)
from lama_odds.games.lama.engine.trained import (
    MOST_CARDS,
    MOST_OTHER,
    fewer_cards,
    hand_rank,
)
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.equilibrium import MANIFEST, rank_table
from lama_odds.games.lama.records.live import Player
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.position import can_play
from lama_odds.games.lama.rules.ruleset import NAMES
from lama_odds.games.lama.solvers.hidden_hands import root_table
from tests.games.cases import product_rules
from tests.games.lama.table import ORDER, cost, purse

RULES = GAME.rules("lama/egmont")
COSTLY = GAME.rules("lama/egmont+quit_cost=4")


def leeway_at(policy, text, rules=RULES):
    """Give the points by which `meanfield` values drawing more at a position."""
    position = GAME.position(rules, text)
    table = root_table(rules, position)
    table[PARAMETER] = GAME.policy(policy).parameter
    hand = rules.pack(position.hand)
    return all_leeway(rules.columns, rules.penalties, table, position.players, 0, hand)


@pytest.mark.parametrize(
    ("scores", "expected", "costly"),
    [
        ((10, 20, 40 - 5 * A_CARD - 1), 0, 0),
        ((10, 20, 40 - 5 * A_CARD), 7, 7),  # five cards bring the last one to 40
        ((20 + 2 * A_CARD - 3, 20, 30), 7, -9),  # shared with the one who holds two
        ((20 + 2 * A_CARD - 2, 20, 30), -9, -9),
        ((37, 30, 20), -9, -9),  # ends the game itself
        ((36, 33, 20), 0, -9),
        ((33, 33, 20), 0, -9),  # by what quitting costs besides the cards
        ((32, 33, 20), 0, 0),
    ],
)
def test_the_end_of_the_game_by_the_number_of_cards(scores, expected, costly):
    text = f"hand=12 top=4 opp=2,q5 scores={','.join(map(str, scores))} first=0"
    assert leeway_at("meanfield:win=7,lose=9", text) == expected
    assert leeway_at("meanfield:win=7,lose=9", text, COSTLY) == costly


@pytest.mark.parametrize(("cards", "expected"), [(13, 0), (14, 7), (40, 7)])
def test_many_hidden_cards_keep_their_number(cards, expected):
    assert leeway_at("meanfield:win=7", f"hand=12 top=4 opp={cards}") == expected


@pytest.mark.parametrize(
    ("hand", "ahead", "plain"),
    [("16", "play 1", "play 1"), ("36", "quit", "draw")],  # to play 1 is no risk
)
def test_who_is_ahead_shuns_drawing_but_plays(hand, ahead, plain):
    situation = Situation(0, GAME.position(RULES, f"hand={hand} top=1 opp=6 scores=0,30 first=0"))
    for policy, decision in (("meanfield:ahead=99", ahead), ("meanfield", plain)):
        assert Player(RULES, GAME.policy(policy), 2).decides(situation, 1) == decision


# --- Its decisions, read from its table in plain Python --------------------------------------


def index_of(rules, cards):
    """Number a hand as the table does: more than two of a kind count as two."""
    plain = Counter(card[0] for card in cards if card != "P")
    known = sum(min(plain[v], 2) * 3 ** rules.places[ORDER.index(v)] for v in ORDER)
    return known + HANDS * ("P" in cards)


def decided(rules, values, position, out):
    """Give the cost of each action as the table says, the dearest card first."""
    hand = [name for name, count in zip(NAMES, position.hand, strict=True) for _ in range(count)]
    sizes = [other.cards for other in position.opponents if not other.quit]
    score, running = position.scores[0], position.running
    tokens = purse(rules, score) or [0]
    block = {rules.black: 1, rules.pink: 2}.get(tokens[0] if tokens[0] >= rules.black else 0, 0)
    table = values[0, block][:, context_of(len(sizes), min(sizes))]
    taken = sum(position.pot or ()) if running else 0
    found = {"quit": cost(rules, hand) + rules.quit_cost + taken}
    place = rules.places[ORDER.index(NAMES[position.top][0].replace("P", "L"))]
    for card in sorted(set(hand), key=NAMES.index):
        if not can_play(NAMES.index(card), position.top):
            continue
        rest = list(hand)
        rest.remove(card)
        then = rules.places[ORDER.index(card.replace("P", "L")[0])]
        plane = DECIDING if card.endswith("+") else PASSED_ON
        if rest:
            value = table[plane, then, index_of(rules, rest)]
        else:
            value = -out - (tokens[0] if rules.out_token == "always" else 0)
        if rules.drama:
            value += -tokens[-1] if rules.pays(NAMES.index(card)) else taken
        found[f"play {card}"] = value
    unseen = dict(zip(NAMES, position.unseen(rules), strict=True))
    drawn = sum(
        count * table[PASSED_ON, place, index_of(rules, [*hand, card])]
        for card, count in unseen.items()
        if count
    )
    found["draw"] = drawn / sum(unseen.values()) + taken
    return found


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "rules_id",
    [
        "lama/egmont+llama_each+out_token=never+quit_cost=1",
        "lama/party+drama+drama_tokens=2",
    ],
)
def test_it_decides_as_its_table_says(rules_id):
    rules, out = product_rules(rules_id), 3
    player, seen = Player(rules, GAME.policy(f"meanfield:out={out}"), 3), Counter()
    deck = [name for name, count in zip(NAMES, rules.deck, strict=True) for _ in range(count)]
    for number in range(80):
        luck = random.Random(number)
        top, *hand = luck.sample(deck, luck.randint(2, 7))
        text = f"hand={''.join(hand)} top={top} opp={luck.randint(1, 6)},{luck.randint(1, 6)}"
        text += f" scores={luck.choice((0, 9, 10, 19, 20, 39))},3,5"
        if rules.drama:
            text += " pot=1,10!" if rules.pays(NAMES.index(top)) else " pot=1"
        position = GAME.position(rules, text)
        costs = decided(rules, player.tables.values, position, out)
        first, second = sorted(costs.values())[:2]
        if second - first > 1e-4:
            best = min(costs, key=costs.__getitem__)
            assert player.decides(Situation(0, position), 0) == best, (text, costs)
            seen[best.split()[0]] += 1
    assert min(seen["quit"], seen["draw"], seen["play"]) > 0


# --- `equilibrium`: a table of the shipped bytes ---------------------------------------------


SOLVED = "lama/egmont"
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
    assert len(hands) == ALL_HANDS
    ranks = rank_table()
    assert [int(hand_rank(packed(counts), ranks)) for counts in hands] == list(range(ALL_HANDS))


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
        at = at * ALL_HANDS + self.ranks[tuple(counts)]
        move = self.bytes[1600 + at // 4] >> 2 * (at % 4) & 3
        above = VALUES[(place + 1) % 7]
        plays = [value for value in (top, above) if value in hand]
        if move == 2:
            return "draw"
        if move == 3 or not plays:
            return "quit"
        return f"play {plays[min(move, len(plays) - 1)]}"


@pytest.mark.parametrize("rules", [SOLVED, "lama/amigo"])
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
    rules = GAME.rules(SOLVED)
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
        GAME.simulation(GAME.rules(SOLVED), [policy] * 3, False)
    with pytest.raises(ReadError, match=r"trained for .*; found lama/party"):
        GAME.simulation(GAME.rules("lama/party"), [policy] * 2, False)
    with pytest.raises(ReadError, match="points, or nothing"):
        GAME.policy("equilibrium:win")


@pytest.mark.parametrize(("players", "trained"), [(2, "equilibrium"), (3, "learned")])
def test_advice_assumes_the_trained_policy_with_and_without_a_past(players, trained):
    rules = GAME.rules(SOLVED)
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
    assumed = [lo.advise(SOLVED, bare, opponents=name, games=1000) for name in (None, trained)]
    assert assumed[0].to_json()["actions"] == assumed[1].to_json()["actions"]
    assert "equity" in " ".join(assumed[0].to_json()["assumptions"])
