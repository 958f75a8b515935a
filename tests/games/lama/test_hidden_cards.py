"""Nothing that a player cannot see has a part in advice or in what a policy decides."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest

from lama_odds.analysis.advise import advise
from lama_odds.analysis.rollouts import Limits
from lama_odds.games.lama import play
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.named_policies import policy_rows
from lama_odds.games.lama.record import read_record
from lama_odds.games.lama.ruleset import NAMES
from tests.games.lama.cases import product_record, product_rules
from tests.games.lama.enumeration import Tree, far_off
from tests.games.lama.table import cards_of, counts

POLICIES = ("threshold:7", "random", "matching:4", "threshold:3")
FAMILIES = ("random", "threshold:6", "matching:5", "meanfield")
RULE_SETS = ("lama/egmont", "lama/party+drama+drama_tokens=2", "lama/amigo+llama_each")


def cut_records(rules_id, players, games):
    """Give first rounds cut at every decision, as lists of lines."""
    for game in range(games):
        record = product_record(rules_id, POLICIES[:players], 8, game, rounds=True)
        lines = [line for line in record.splitlines() if not line.startswith("policies")]
        begin = next(i for i, line in enumerate(lines) if line.startswith("top")) + 1
        end = next(i for i, line in enumerate(lines) if line.startswith("end"))
        for at in range(begin, end):
            yield lines[:at]


def shuffled(lines, seed):
    """Deal what the seat to decide cannot see anew: cards held by others, and the pack."""
    round_ = read_record("\n".join(lines)).rounds[-1]
    me, slots = round_.seat, []
    deal = next(i for i, line in enumerate(lines) if line.startswith("deal"))
    held = [[[deal, card] for card in cards_of(hand)] for hand in lines[deal].split()[1:]]
    for at, line in enumerate(lines[deal + 1 :], deal + 1):
        seat, action, card = [*line.split(), ""][:3]
        if action == "draw":
            held[int(seat)].append([at, card])
        elif action == "play":  # of equal cards it does not matter which
            slot = next(slot for slot in held[int(seat)] if slot[1] == card and len(slot) == 2)
            slot.append("played")
    for seat, cards in enumerate(held):
        slots += [slot for slot in cards if seat != me and len(slot) == 2]
    pool = [slot[1] for slot in slots]
    pool += [name for kind, name in enumerate(NAMES) for _ in range(round_.pack[kind])]
    random.Random(seed).shuffle(pool)
    for slot, card in zip(slots, pool, strict=False):
        slot[1] = card
    made = list(lines)
    dealt = [[slot[1] for slot in cards if slot[0] == deal] for cards in held]
    made[deal] = "deal " + " ".join("".join(hand) for hand in dealt)
    for at, card in (slot[:2] for cards in held for slot in cards if slot[0] != deal):
        made[at] = re.sub(r"draw \S+", f"draw {card}", made[at])
    return made


@pytest.mark.parametrize("rules_id", RULE_SETS)
def test_records_that_look_alike_to_me_ask_the_same(rules_id):
    rules, changed = product_rules(rules_id), 0
    for lines in cut_records(rules_id, 4, 8):
        other = shuffled(lines, seed=len(lines))
        changed += other != lines
        asked = GAME.position_after(rules, "\n".join(lines))
        assert GAME.position_after(rules, "\n".join(other)) == asked
    assert changed > 100


@pytest.mark.parametrize("objective", ["points", "margin", "win"])
def test_records_that_look_alike_to_me_are_answered_alike(objective):
    rules = product_rules(RULE_SETS[1])
    limits = Limits(games=1_000, threads=1)
    for lines in list(cut_records(RULE_SETS[1], 3, 6))[::9]:
        answers = []
        for text in (lines, shuffled(lines, seed=3)):
            position = GAME.position_after(rules, "\n".join(text))
            answer = advise(GAME, rules, position, objective=objective, limits=limits, seed=4)
            answers.append(replace(answer, seconds=0.0))
        assert answers[0] == answers[1]


def first_decision(rules, policy, lines, seed):
    """Let a policy decide in the compiled loop, the round as in a record."""
    round_ = read_record("\n".join(lines)).rounds[-1]
    position = GAME.position_after(rules, "\n".join(lines))
    job = GAME.rollouts(rules, position, [policy] * position.players, play_out=True).job
    table = job.tables[6].copy()
    seats = range(position.players)
    for seat in seats:
        hand = round_.hands[(round_.seat + seat) % len(seats)]
        table[play.HAND + seat] = rules.pack(hand)
        if table[play.PENALTY + seat] >= 0:
            table[play.PENALTY + seat] = rules.penalty(hand)
        rows = policy_rows([policy])[0]
        table[[play.FAMILY + seat, play.PARAMETER + seat, play.BLOCK + seat]] = rows
        # The coins are those of the seat; what it would draw is not to be seen.
        table[play.COINS_AT + seat] = 1_000 + 7 * len(lines)
        table[play.DRAWS_AT + seat] = seed
    pack = rules.pack_words(tuple(round_.pack))
    table[play.PLACE + play.LEFT] = table[play.PLACE + play.PILE] = sum(round_.pack)
    table[[play.PLACE + play.PLAIN_PACK, play.PLACE + play.SPECIAL_PACK]] = pack
    log, result = np.zeros(2, dtype=np.int64), np.zeros(play.RESULT_SIZE, dtype=np.int64)
    play.play_round(
        rules.columns, (*job.tables[:5], log), np.uint64(3), table, position.players,
        position.others_in, 0, play.AS_POLICY, False, log, result,
    )  # fmt: skip
    assert log[0] >= 1
    return log[1] & 0xFFF


@pytest.mark.parametrize("rules_id", RULE_SETS)
@pytest.mark.parametrize("name", FAMILIES)
def test_no_policy_reads_hidden_cards(rules_id, name):
    rules, policy = product_rules(rules_id), GAME.policy(name)
    decisions = set()
    for lines in cut_records(rules_id, 4, 3):
        found = {first_decision(rules, policy, lines, seed=1)}
        for seed in range(2):
            found.add(first_decision(rules, policy, shuffled(lines, seed), seed))
        assert len(found) == 1, (lines, found)
        decisions |= found
    assert len(decisions) > 5


SMALL = {"copies": 2, "dealt": 2, "llamas": 2}
TINY = {"copies": 1, "dealt": 2, "llamas": 1}
WILD = TINY | {"drama": True, "drama_tokens": 1}
POSITIONS = [
    ("egmont", TINY, 9, "hand=35 top=1 opp=q2,2 pile=0"),
    ("egmont", SMALL, 3, "hand=35 top=1 opp=q2,2 pile=2"),
    ("egmont", SMALL, 7, "hand=35 top=1 opp=2,q3 pile=1 scores=11,0,9"),
    ("egmont", SMALL, 5, "hand=36L top=2 opp=q2,q2 pile=1 seen=1"),
    ("egmont", SMALL, 2, "hand=44 top=6 opp=q1,q3,2 pile=0 seen=55"),
    ("party", WILD, 6, "hand=3+5P top=2 opp=q2,2 pile=1 scores=12,21,3 pot=-"),
    ("party", WILD, 11, "hand=16+ top=L opp=2,q2 pile=1 scores=0,21,30 pot=1,10!"),
    ("party", {**TINY, "pink_adds": True}, 4, "hand=4L top=3+ opp=2,q2 pile=1"),
]


@pytest.mark.parametrize(("edition", "options", "limit", "text"), POSITIONS)
def test_redrawn_hands_have_their_chances(edition, options, limit, text):
    players = text.partition("opp=")[2].split()[0].count(",") + 2
    tree = Tree(edition, options, (f"threshold:{limit}",) * players)
    position = GAME.position(tree.rules, text)
    played = tree.rollouts(position, 40_000)
    wrong = {
        name: far_off(tree.expected(position, name), *played.of(name)) for name in played.actions
    }
    assert not any(wrong.values()), wrong
    # What follows once I have quit does not depend on my policy.
    opponents = GAME.policy(f"threshold:{limit}")
    limits = Limits(games=40_000)
    answer = advise(
        GAME, tree.rules, position, objective="margin", opponents=opponents, limits=limits, seed=1
    )
    quitting = next(action for action in answer.actions if action.action == "quit")
    expected = tree.expected(position, "quit")
    assert far_off(expected, quitting.objectives, quitting.chances) == []
    assert quitting.value == quitting.objectives["margin"]


def test_a_quitter_that_no_hand_explains_holds_any_hand():
    tree = Tree("egmont", SMALL, ("threshold:0",) * 3)
    position = GAME.position(tree.rules, "hand=35 top=1 opp=q2,2 pile=2")
    played = tree.rollouts(position, 20_000)
    assert far_off(tree.expected(position, "quit"), *played.of("quit")) == []
    assert any("no such hand was found for" in note for note in played.notes)


def test_all_quitters_without_a_hand_are_100_percent():
    tree = Tree("egmont", SMALL, ("threshold:0",) * 3)
    position = GAME.position(tree.rules, "hand=35 top=1 opp=q2,2 pile=2")
    notes = tree.rollouts(position, 1_000).notes
    assert any("no such hand was found for 100.00 % of them" in note for note in notes)


def test_cards_that_are_shuffled_stay_the_same_cards():
    lines = next(lines for lines in cut_records("lama/party", 3, 1) if len(lines) == 12)
    rounds = [read_record("\n".join(text)).rounds[-1] for text in (lines, shuffled(lines, 1))]
    held = [[sum(hand[k] for hand in r.hands) + r.pack[k] for k in range(14)] for r in rounds]
    assert held[0] == held[1]
    assert rounds[0].hands != rounds[1].hands
    assert counts("33+") == rounds[0].rules.unpack(rounds[0].rules.pack(counts("33+")))
