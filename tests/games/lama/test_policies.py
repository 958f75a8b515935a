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
from lama_odds.games.lama.engine.trained import HANDS as ALL_HANDS
from lama_odds.games.lama.engine.trained import MOST_CARDS, MOST_OTHER
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.equilibrium import MANIFEST
from lama_odds.games.lama.records.live import Player
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.ruleset import NAMES
from lama_odds.games.lama.solvers.hidden_hands import root_table
from lama_odds.games.shared.decisions import decisions
from tests.games.cases import product_rules
from tests.games.lama.cases import MIXES, id_of, twin_rules
from tests.reference import lama as twin

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


def test_many_hidden_cards_keep_their_number():
    found = [leeway_at("meanfield:win=7", f"hand=12 top=4 opp={cards}") for cards in (13, 14, 40)]
    assert found == [0, 7, 7]


@pytest.mark.parametrize(
    ("hand", "ahead", "plain"),
    [("16", "play 1", "play 1"), ("36", "quit", "draw")],  # to play 1 is no risk
)
def test_who_is_ahead_shuns_drawing_but_plays(hand, ahead, plain):
    situation = Situation(0, GAME.position(RULES, f"hand={hand} top=1 opp=6 scores=0,30 first=0"))
    for policy, decision in (("meanfield:ahead=99", ahead), ("meanfield", plain)):
        assert Player(RULES, GAME.policy(policy), 2).decides(situation, 1) == decision


# --- Its decisions, read from its table in plain Python --------------------------------------


def index_of(rules, hand):
    """Number a hand as the table does: more than two of a kind count as two."""
    plain = Counter(twin.VALUE_OF[card] for card in hand if card != twin.PINK)
    known = sum(min(plain[value], 2) * 3 ** rules.places[value] for value in range(7))
    return known + HANDS * (twin.PINK in hand)


def decided(rules, book, values, position, out):
    """Give the cost of each action as the table says; book: the twin's rules, at a table."""
    hand = [card for card, n in zip(twin.CARDS, position.hand, strict=True) for _ in range(n)]
    sizes = [other.cards for other in position.opponents if not other.quit]
    top, score = twin.CARDS[position.top], position.scores[0]
    token, least = twin.most_valuable(book.rules, score), twin.least_valuable(book.rules, score)
    block = {rules.black: 1, rules.pink: 2}.get(token, 0)
    table = values[0, block][:, context_of(len(sizes), min(sizes))]
    taken = sum(position.pot or ()) if position.running else 0
    found = {"quit": twin.penalty(book.rules, hand) + rules.quit_cost + taken}
    for card in set(hand):
        if not card & book.follows[top]:
            continue
        rest = list(hand)
        rest.remove(card)
        plane = DECIDING if card & twin.PLUS else PASSED_ON
        if rest:
            value = table[plane, rules.places[twin.VALUE_OF[card]], index_of(rules, rest)]
        else:
            value = -out - twin.returned_for(book.rules, score, card)
        found[f"play {twin.NAME_OF[card]}"] = value + (-least if card & book.payers else taken)
    place, unseen = rules.places[twin.VALUE_OF[top]], position.unseen(rules)
    drawn = sum(
        count * table[PASSED_ON, place, index_of(rules, [*hand, card])]
        for card, count in zip(twin.CARDS, unseen, strict=True)
        if count
    )
    return found | {"draw": drawn / sum(unseen) + taken}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("edition", "options"),
    [
        ("egmont", {"llama_each": True, "out_token": "never", "quit_cost": 1}),
        ("party", {"drama": True, "drama_tokens": 2}),
    ],
)
def test_it_decides_as_its_table_says(edition, options):
    rules, out = product_rules(id_of(edition, options)), 3
    book = twin.Table(twin_rules(edition, options), (), 0)
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
        costs = decided(rules, book, player.tables.values, position, out)
        first, second = sorted(costs.values())[:2]
        if second - first > 1e-4:
            best = min(costs, key=costs.__getitem__)
            assert player.decides(Situation(0, position), 0) == best, (text, costs)
            seen[best.split()[0]] += 1
    assert min(seen["quit"], seen["draw"], seen["play"]) > 0


# --- `equilibrium`: a table of the shipped bytes ---------------------------------------------


VALUES = "123456L"  # in the order of what they cost


def all_hands() -> list[tuple[int, ...]]:
    """Hands in the order of the table: by cards in all, then by those of all values but one, …"""
    upto = combinations_with_replacement(range(MOST_CARDS + 1), 7)
    return [(c[0], *(b - a for a, b in pairwise(c))) for c in sorted(upto, key=lambda c: c[::-1])]


class Shipped:
    """The shipped bytes, read in plain Python."""

    def __init__(self, rules: str) -> None:
        entry = data_json(MANIFEST)["rules"][rules]
        content = data_bytes(f"equilibrium/{entry['file']}", entry["sha256"])
        self.bytes = content[content.index(b"\n") + 1 :]
        self.ranks = {counts: number for number, counts in enumerate(all_hands())}

    def decides(self, hand: str, top: str, other: int, scores: tuple[int, int]) -> str:
        counts = [hand.count(value) for value in VALUES]
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


@pytest.mark.parametrize("rules", ["lama/egmont", "lama/amigo"])
def test_it_decides_as_the_shipped_table_says(rules: str) -> None:
    rule_set, shipped = GAME.rules(rules), Shipped(rules)
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
        assert action == shipped.decides(hand, top, other, scores), text
        assert action in legal_actions(rule_set, position)
        kinds.add(action.partition(" ")[0])
    assert kinds == {"play", "draw", "quit"}


def test_once_alone_it_plays_on_and_for_points_scores_do_not_count():
    alone = GAME.position(RULES, "hand=3356L top=3 opp=q4 scores=0,0")
    assert Player(RULES, GAME.policy("equilibrium"), 2).decides(Situation(0, alone), 0) == "play 3"
    points = Player(RULES, GAME.policy("equilibrium:points"), 2)
    for scores in ("", " scores=39,0", " scores=0,39"):
        position = GAME.position(RULES, f"hand=1 top=1 opp=4{scores}")
        assert points.decides(Situation(0, position), 0) == "play 1"
    with pytest.raises(ReadError, match="points, or nothing"):
        GAME.policy("equilibrium:win")


# --- All that decide by tables, and cards of rules -------------------------------------------


TRAINED = ("equilibrium", "equilibrium:points"), ("meanfield:out=6", "learned", "matching:3")


@pytest.mark.parametrize("mix", [*TRAINED, MIXES[-1]])
def test_asked_about_their_games_policies_decide_as_they_did(mix):
    """So they see nothing that a seat cannot see."""
    seats, seen = [GAME.policy(name) for name in mix], set()
    players = [Player(RULES, policy, len(seats)) for policy in seats]
    for game in range(6):
        for each in decisions(GAME, RULES, GAME.record(RULES, seats, 8, game, False)):
            assert players[each.seat].decides(Situation(0, each.position), 0) == each.chosen
            seen.add(each.chosen.split()[0])
    assert seen == {"quit", "draw", "play"}


@pytest.mark.parametrize(("players", "trained"), [(2, "equilibrium"), (3, "learned")])
def test_advice_assumes_the_trained_policy_with_and_without_a_past(players, trained):
    record = GAME.record(RULES, [GAME.policy("matching:6")] * players, 3, 0, True)
    lines = record.splitlines()
    cut = next(at for at, line in enumerate(lines) if line.startswith("1 ")) + 1
    known = GAME.position_after(RULES, "\n".join(lines[:cut]))
    assert known.past is not None
    assert best_for(GAME, RULES, known, "win").name == trained
    assert best_for(GAME, RULES, replace(known, past=None), "win").name == trained
    assert best_for(GAME, RULES, replace(known, past=None), "points").name == "meanfield"
    others, scores = ",4" * (players - 2), ",3" * (players - 1)
    bare = f"hand=3356L top=4 opp=4{others} scores=12{scores}"
    assumed = [lo.advise(RULES.id, bare, opponents=name, games=1000) for name in (None, trained)]
    assert assumed[0].to_json()["actions"] == assumed[1].to_json()["actions"]
    assert "equity" in " ".join(assumed[0].to_json()["assumptions"])
