"""Nothing that a player cannot see has a part in advice or in what a policy decides."""

import random
import re
from collections import defaultdict
from dataclasses import replace
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.lama.engine import policy_kernels, round_loop
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.catalogue import policy_rows, tables_of
from lama_odds.games.lama.records.record import read_record
from lama_odds.games.lama.rules.ruleset import NAMES
from lama_odds.games.lama.rules.transition import DRAW, QUIT
from lama_odds.games.lama.solvers import beliefs, hidden_hands
from lama_odds.games.lama.solvers.hidden_hands import root_table
from lama_odds.report.terminal import printed
from lama_odds.report.text.advice import advice_text
from tests.games.cases import product_record, product_rules
from tests.games.lama.cases import id_of, twin_rules
from tests.games.lama.enumeration import Tree, far_off, sample
from tests.games.lama.table import cards_of
from tests.reference import lama as twin
from tests.reference import lama_beliefs as reference

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
    """Deal again what the seat to decide cannot see: cards held by others, and the pack."""
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
    for lines in cut_records(rules_id, 4, 2):
        other = shuffled(lines, seed=len(lines))
        changed += other != lines
        asked = GAME.position_after(rules, "\n".join(lines))
        assert GAME.position_after(rules, "\n".join(other)) == asked
    assert changed > 30


def first_decision(rules, policy, lines, seed):
    """Let a policy decide in the compiled loop, the round as in a record."""
    round_ = read_record("\n".join(lines)).rounds[-1]
    position = GAME.position_after(rules, "\n".join(lines))
    job = GAME.rollouts(rules, position, [policy] * position.players, play_out=True).job
    table = job.tables.root.copy()
    seats = range(position.players)
    for seat in seats:
        hand = round_.hands[(round_.seat + seat) % len(seats)]
        table[policy_kernels.HAND + seat] = rules.pack(hand)
        if table[policy_kernels.PENALTY + seat] >= 0:
            table[policy_kernels.PENALTY + seat] = rules.penalty(hand)
        rows = policy_rows([policy])[0]
        table[
            [
                policy_kernels.FAMILY + seat,
                policy_kernels.PARAMETER + seat,
                policy_kernels.BLOCK + seat,
            ]
        ] = rows
        # The coins are those of the seat; what it would draw is not to be seen.
        table[policy_kernels.COINS_AT + seat] = 1_000 + 7 * len(lines)
        table[policy_kernels.DRAWS_AT + seat] = seed
    pack = rules.pack_words(tuple(round_.pack))
    table[policy_kernels.PLACE + policy_kernels.LEFT] = table[
        policy_kernels.PLACE + policy_kernels.PILE
    ] = sum(round_.pack)
    table[
        [
            policy_kernels.PLACE + policy_kernels.PLAIN_PACK,
            policy_kernels.PLACE + policy_kernels.SPECIAL_PACK,
        ]
    ] = pack
    log, result = np.zeros(2, dtype=np.int64), np.zeros(round_loop.RESULT_SIZE, dtype=np.int64)
    round_loop.play_round(
        rules.columns, job.tables.play._replace(log=log), np.uint64(3), table, position.players,
        position.others_in, 0, round_loop.AS_POLICY, False, result,
    )  # fmt: skip
    assert log[0] >= 1
    return log[1] & 0xFFF


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules_id", "name"),
    [
        *((RULE_SETS[0], name) for name in FAMILIES),
        *((RULE_SETS[1], name) for name in FAMILIES[2:]),
    ],
)
def test_no_policy_reads_hidden_cards(rules_id, name):
    rules, policy = product_rules(rules_id), GAME.policy(name)
    decisions = set()
    for lines in list(cut_records(rules_id, 4, 1))[::2]:
        found = {first_decision(rules, policy, lines, seed=1)}
        for seed in range(2):
            found.add(first_decision(rules, policy, shuffled(lines, seed), seed))
        assert len(found) == 1, (lines, found)
        decisions |= found
    assert len(decisions) > 3


SMALL = {"copies": 2, "dealt": 2, "llamas": 2}
TINY = {"copies": 1, "dealt": 2, "llamas": 1}
WILD = TINY | {"drama": True, "drama_tokens": 1}
POSITIONS = [
    ("egmont", TINY, 9, "hand=35 top=1 opp=2,q2 pile=0"),
    ("egmont", SMALL, 3, "hand=35 top=1 opp=q2,2 pile=2"),
    ("egmont", SMALL, 7, "hand=35 top=1 opp=2,q3 pile=1 scores=11,0,9"),
    ("egmont", SMALL, 5, "hand=36L top=2 opp=q2,q2 pile=1 seen=1"),
    # What the first holds leaves more or less to the second, so that not all pairs are alike.
    ("egmont", SMALL, 3, "hand=56L top=4 opp=q2,q2,1 pile=1 seen=3"),
    ("egmont", TINY | {"dealt": 1}, 3, "hand=5 top=4 opp=q1,q2 pile=1"),
    ("egmont", SMALL, 3, "hand=5 top=4 opp=q1,q1,q3 pile=0"),
    ("egmont", SMALL, 2, "hand=44 top=6 opp=q1,q3,2 pile=0 seen=55"),
    ("party", WILD, 6, "hand=3+5P top=2 opp=q2,2 pile=1 scores=12,21,3 pot=-"),
    ("party", WILD, 11, "hand=16+ top=L opp=2,q2 pile=1 scores=0,21,30 pot=1,10!"),
    ("party", {**TINY, "pink_adds": True}, 4, "hand=4L top=3+ opp=2,q2 pile=1"),
]


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("edition", "options", "limit", "text"), POSITIONS)
def test_redrawn_hands_have_their_chances(edition, options, limit, text):
    players = text.partition("opp=")[2].split()[0].count(",") + 2
    tree = Tree(edition, options, (f"threshold:{limit}",) * players)
    position = GAME.position(tree.rules, text)
    played = tree.rollouts(position, 6_000)
    wrong = {
        name: far_off(tree.expected(position, name), *played.of(name)) for name in played.actions
    }
    assert not any(wrong.values()), wrong
    # What follows once I have quit does not depend on my policy.
    opponents = GAME.policy(f"threshold:{limit}")
    limits = Limits(games=6_000)
    answer = advise(
        GAME, tree.rules, position, objective="margin", opponents=opponents, limits=limits, seed=1
    )
    quitting = next(action for action in answer.actions if action.action == "quit")
    expected = tree.expected(position, "quit")
    assert far_off(expected, quitting.objectives, quitting.chances) == []
    assert quitting.value == quitting.objectives["margin"]


def test_a_quitter_that_no_hand_explains_holds_a_cheap_one():
    tree = Tree("egmont", SMALL, ("threshold:0",) * 3)
    position = GAME.position(tree.rules, "hand=35 top=1 opp=q2,2 pile=2")
    played = tree.rollouts(position, 8_000)
    assert far_off(tree.expected(position, "quit"), *played.of("quit")) == []
    assert any(
        "1 of 1 players who have quit: threshold:0 would quit with no possible hand" in note
        for note in played.notes
    )


def asked(position_text, rules_id="lama/egmont", games=2_000, **more):
    rules = product_rules(rules_id)
    if "opponents" in more:
        more["opponents"] = GAME.policy(more["opponents"])
    position = GAME.position(rules, position_text)
    return advise(GAME, rules, position, limits=Limits(games=games), **more)


GUESS = "the cards of 1 of 1 players who have quit are a guess (threshold:0 would not quit there)"
HANGS = "hand=234 top=6 opp=q3,4 scores=18,34,31"  # on what the quitter's cards cost


def test_a_verdict_that_hangs_on_guessed_hands_is_not_told_as_sure():
    answer = asked(HANGS, opponents="threshold:0", games=4_000)
    assert (answer.objective, answer.verdict, answer.best) == ("win", "too close to call", "draw")
    caution = f"{GUESS}: with hands dealt at random, quit is better"
    assert answer.caution == answer.to_json()["caution"] == caution
    assert "Perhaps draw: quit costs about " in printed(advice_text(answer))
    (tried,) = (note for note in answer.assumptions if note.startswith(GUESS))
    assert tried.endswith("(1,333 games each)")
    assert "threshold:20" in tried
    again = asked(HANGS, opponents="threshold:0", games=answer.games)
    assert replace(again, seconds=0.0) == replace(answer, seconds=0.0)
    sure = asked(HANGS, opponents="threshold:12", games=4_000)
    assert (sure.caution, "caution" in sure.to_json()) == ("", False)
    quick = asked(HANGS, opponents="threshold:0", games=4_000, thorough=False)
    assert (quick.verdict, quick.caution) == ("draw", "")


@pytest.mark.long
def test_a_verdict_that_hangs_on_no_guess_is_told_plainly():
    answer = asked("hand=35 top=1 opp=q2,2", opponents="threshold:0", games=4_000)
    assert (answer.verdict, answer.caution, "caution" in answer.to_json()) == ("draw", "", False)
    assert "Perhaps" not in printed(advice_text(answer))
    told = (
        "the verdict is the same with hands dealt at random, with hands that threshold:10 would "
        "quit with and with hands that threshold:20 would quit with"
    )
    assert f"{GUESS}; {told} (1,333 games each)" in answer.assumptions
    # Of two, one can hold the eight 1s that threshold:1 quits with.
    both = asked("hand=35 top=1 opp=q2,q9,2", opponents="threshold:1")
    assert any("the cards of 1 of 2 players who have quit" in note for note in both.assumptions)


def test_hands_dealt_at_random_are_as_likely_as_they_are_dealt():
    rules = product_rules("lama/egmont")
    position = GAME.position(rules, "hand=35 top=1 opp=q3,2")
    tables, root = tables_of(rules, [GAME.policy("random")] * 3, tokens=False), None
    root = root_table(rules, position)
    found = hidden_hands.find_quitters(rules, position, [None] * 3, tables, root)
    unseen = position.unseen(rules)
    share = 1 - 3 / sum(unseen)
    assert found.left == pytest.approx([share * cards for cards in unseen])
    assert found.strangers == 0


def test_hands_that_quitters_cannot_all_hold_are_any_hands():
    """Each would quit with the 1 only, of which there is one; so would the cheapest hands be."""
    rules, policies = (
        product_rules("lama/egmont+copies=1+dealt=1+llamas=1"),
        [GAME.policy("threshold:1")] * 4,
    )
    position = GAME.position(rules, "hand=5 top=4 opp=q1,q1,1")
    tables, root = tables_of(rules, policies, tokens=False), root_table(rules, position)
    found = hidden_hands.find_quitters(rules, position, policies, tables, root)
    assert found.strangers == 2
    unseen = position.unseen(rules)
    share = 1 - 2 / sum(unseen)
    assert found.left == pytest.approx([share * cards for cards in unseen])


# A quitter's hand may be rare: 1 in 400 of all that are dealt, or less.


def mean_penalty(unseen, deck, cards, limit):
    """What one who quits at a limit has quit with, of cards counted by value, the llamas last."""
    costs = (1, 2, 3, 4, 5, 6, 10)
    total, weights = 0, 0
    for hand in combinations_with_replacement(range(7), cards):
        held = set(hand)
        cost = sum(costs[value] for value in held)
        if cost > limit:
            continue
        ways = prod(comb(unseen[value], hand.count(value)) for value in held)
        ways *= sum(deck[top] for top in range(7) if not held & {top, (top + 1) % 7})
        total, weights = total + cost * ways, weights + ways
    return total / weights


def test_a_rare_hand_has_its_exact_penalty():
    mean = mean_penalty((8, 8, 7, 8, 7, 8, 7), (8, 8, 8, 8, 8, 8, 7), 5, 5)
    assert mean == pytest.approx(4.1118, abs=5e-5)
    answer = asked("hand=5 top=3 opp=q5", opponents="threshold:5", games=8_000)
    (quitting,) = answer.actions
    margin = quitting.objectives["margin"]
    assert margin.value == pytest.approx(5 - mean, abs=4.5 * margin.stderr)
    assert quitting.chances["last"].value == 1
    assert answer.caution == ""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "most"), [("MOST_PAIRS", 400_000), ("MOST_HANDS", 700)])
def test_too_many_hands_are_stood_for_by_some(monkeypatch, name, most):
    rules, policies = product_rules("lama/egmont"), [GAME.policy("random")] * 4
    position = GAME.position(rules, "hand=34 top=6 opp=q6,q6,1")

    def hands_of_quitters():
        tables, root = tables_of(rules, policies, tokens=False), root_table(rules, position)
        return hidden_hands.find_quitters(rules, position, policies, tables, root)

    monkeypatch.setattr(hidden_hands, "MOST_PAIRS", 1_000_000)
    every = hands_of_quitters()
    monkeypatch.setattr(hidden_hands, name, most)
    some = hands_of_quitters()
    assert (every.spread, some.spread) == (False, True)
    assert some.left == pytest.approx(every.left, rel=0.02)
    job = GAME.rollouts(rules, position, policies, play_out=False)
    told = "there are too many possible hands: a selection stands for all"
    assert told in sample(job, 1_000, 1).notes


# --- What the others' play tells of their cards ----------------------------------------------


@pytest.fixture(autouse=True)
def _nothing_kept():
    beliefs._beliefs.cache_clear()
    yield
    beliefs._beliefs.cache_clear()


def others_acted(past):
    """Tell whether anybody but the seat to decide has acted."""
    return any(turn.seat != past.seat for turn in past.turns)


def found_by_product(position, policy, rules):
    """Give the chance of each combination of hands, as the twin's cards."""
    held = beliefs.beliefs_of(rules, position, [policy] * position.players)
    deals, weights = held.deals()
    total = defaultdict(float)
    deals, which = np.unique(deals, axis=0, return_inverse=True)
    weights = np.bincount(which.ravel(), weights)
    for deal, weight in zip(deals, weights, strict=True):
        hands = []
        for packed in deal:
            counts = rules.unpack(int(packed))
            cards = [c for c, n in zip(twin.CARDS, counts, strict=True) for _ in range(n)]
            hands.append(tuple(sorted(cards)))
        total[tuple(hands)] += weight
    return total


def found_by_reference(lines, position, policy, edition, options):
    """Give the same by going through all deals and draws."""
    past, players = position.past, position.players
    table = twin.Table(twin_rules(edition, options), ("random",) * players, seed=0)
    models = beliefs.models_of(policy)
    shares = beliefs.shares_of(models)
    named = [None if m.name == "random" else twin.policy_of(m.name) for m in models]
    mixture = list(zip(shares, named, strict=True))
    mine = [c for c, n in zip(twin.CARDS, position.hand, strict=True) for _ in range(n)]
    events = []
    for turn in past.turns:
        action = {DRAW: twin.DRAW, QUIT: twin.QUIT}.get(turn.move)
        action = twin.CARDS[turn.move] if action is None else action
        if turn.seat == past.seat:
            if turn.move >= 0:
                mine.append(action)
            continue
        may_draw = turn.pile > 0 and len(turn.quitters) < players - 1
        who = (turn.seat - past.seat) % players - 1
        events.append((who, action, twin.CARDS[turn.top], may_draw))
    name = next(line for line in lines if line.startswith("top")).split()[1]
    opening = twin.CARDS[NAMES.index(name)]
    return reference.beliefs(
        table, [mixture] * (players - 1), mine, opening, events, beliefs.EPSILON
    )


def apart(one, other):
    """Give the total variation of two distributions."""
    return sum(abs(one.get(k, 0) - other.get(k, 0)) for k in {*one, *other}) / 2


LISTED = [
    ("egmont", SMALL, 2, 6),
    ("egmont", SMALL, 3, 1),
    ("egmont", TINY, 3, 5),
    ("party", TINY | {"drama": True}, 2, 6),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("edition", "options", "players", "games"), LISTED)
def test_hands_have_the_chances_that_all_deals_give_them(edition, options, players, games):
    rules, policy = product_rules(id_of(edition, options)), GAME.policy("matching:6")
    compared = 0
    for lines in cut_records(id_of(edition, options), players, games):
        position = GAME.position_after(rules, "\n".join(lines))
        if not others_acted(position.past):
            continue
        expected, shares = found_by_reference(lines, position, policy, edition, options)
        found = found_by_product(position, policy, rules)
        assert apart(found, expected) < 1e-9, lines
        told = beliefs.beliefs_of(rules, position, [policy] * players)
        assert np.allclose(told.shares, shares, atol=1e-9), lines
        assert told.estimate(0.5).method == "exact"
        compared += len(expected) > 1
    assert compared > 3


def test_a_list_that_is_thinned_out_stands_for_all(monkeypatch):
    rules, policy = product_rules("lama/egmont"), GAME.policy("meanfield")
    lines = list(cut_records("lama/egmont", 2, 4))[-1]
    position = GAME.position_after(rules, "\n".join(lines))
    means = []
    for most in (100_000, 300):
        monkeypatch.setattr(beliefs, "MOST_HANDS", most)
        beliefs._beliefs.cache_clear()
        found = beliefs.beliefs_of(rules, position, [policy] * 2)
        means.append(np.array(found.dealt.left))
        assert sum(found.shares[0]) == pytest.approx(1)
        told = found.estimate(0.5)
        assert (told.method, told.n) == (("simulation", 4_096) if most == 300 else ("exact", 0))
    assert means[1] == pytest.approx(means[0], abs=0.15)
    assert not np.array_equal(*means)


@pytest.mark.long
def test_a_list_that_is_thinned_out_keeps_hands_with_the_last_card_of_a_kind(monkeypatch):
    """The card is played right after the list was thinned out: it still counts to the hand."""
    rules, policy = product_rules("lama/party"), GAME.policy("meanfield:out=1,ahead=8")
    lines = product_record(rules.id, (policy.name,) * 2, 5, 22, rounds=True).splitlines()[:38]
    assert lines[-2:] == ["1 play 3+", "1 play 3"]
    position = GAME.position_after(rules, "\n".join(lines))
    monkeypatch.setattr(beliefs, "MOST_HANDS", 10_000)
    found = beliefs.follow(rules, position, position.past, 1, beliefs.models_of(policy))
    assert found is not None
    assert found.thinned


ONE_QUITS = """lama-odds record 1
rules lama/egmont
players 3
round 0 first 1
scores 0 0 0
deal 112456 ? ?
top 3
1 quit
2 play 4
"""


def test_quitters_hold_what_the_model_quits_with():
    """With the model alone it is the treatment without a past, the top known."""
    rules, policy = product_rules("lama/egmont"), GAME.policy("threshold:9")
    text = ONE_QUITS.replace("deal 112456 ? ?", "deal 112456 111222 345666")
    position = GAME.position_after(rules, text)
    models = (policy, GAME.policy("random"))
    sure = np.array([1.0, 0.0])
    found = beliefs.follow(rules, position, position.past, 1, models, 0.0, sure)
    unseen = position.unseen(rules)
    assert found.hands.size > 1
    for packed in found.hands:
        hand = rules.unpack(int(packed))
        assert rules.penalty(hand) <= 9
        assert not any(hand[k] for k, name in enumerate(NAMES) if name in "34")
        assert all(held <= there for held, there in zip(hand, unseen, strict=True))
    # All such hands are there, as often as they are dealt.
    ways = beliefs.Pack(rules, unseen)
    every = ways.hands_of(6)
    costs = np.array([rules.penalty(rules.unpack(int(h))) for h in every.keys])
    stuck = np.array([not any(rules.unpack(int(h))[4:8]) for h in every.keys])
    fits = (costs <= 9) & stuck
    chances = (every.weights * ways.ways(every.keys))[fits]
    assert np.array_equal(found.hands, every.keys[fits])
    assert found.chances == pytest.approx(chances / chances.sum())


def test_the_same_record_gives_the_same_answer_on_any_number_of_threads():
    rules = product_rules("lama/egmont")
    lines = list(cut_records("lama/egmont", 3, 1))[9]
    position = GAME.position_after(rules, "\n".join(lines))
    answers = []
    for threads in (1, 2):
        beliefs._beliefs.cache_clear()
        limits = Limits(games=2_000, threads=threads)
        answer = advise(GAME, rules, position, objective="points", limits=limits, seed=3)
        answers.append(replace(answer, seconds=0.0))
    assert answers[0] == answers[1]
    bare = GAME.position(rules, position.format())
    assert bare == position
    assert bare.past is None
    even = advise(GAME, rules, bare, objective="points", limits=limits, seed=3)
    assert even.actions != answers[0].actions


def test_a_player_unlike_the_model_is_found_out():
    """Somebody who quits with any hand, or draws with a card to play, is not taken for `best`."""
    rules, policy = product_rules("lama/egmont"), GAME.policy("meanfield")
    names = beliefs.models_of(policy)
    shares = []
    for game in range(6):
        record = product_record("lama/egmont", ("random", "meanfield"), 5, game, rounds=True)
        lines = record.splitlines()
        turns = [i for i, line in enumerate(lines) if line.startswith("1 ")]
        if len(turns) < 6:
            continue
        position = GAME.position_after(rules, "\n".join(lines[: turns[-1]]))
        found = beliefs.beliefs_of(rules, position, [policy] * 2)
        shares.append(found.shares[0])
    assert len(shares) > 1
    mean = dict(zip([name.name for name in names], np.mean(shares, axis=0), strict=True))
    assert mean["random"] > 0.5 > mean["meanfield"]


def test_before_anybody_acts_cards_are_drawn_at_random():
    rules = product_rules("lama/egmont")
    text = ONE_QUITS.split("1 quit")[0]
    position = GAME.position_after(rules, text.replace("first 1", "first 0"))
    assert beliefs.beliefs_of(rules, position, [GAME.policy("meanfield")] * 3) is None
    job = GAME.rollouts(rules, position, [GAME.policy("meanfield")] * 3, play_out=False)
    assert not job.inferred


@pytest.mark.long
def test_rollouts_deal_what_all_combinations_give(monkeypatch):
    """Deals that are sampled, and changed in each game, are worth what the whole list is worth."""
    rules = product_rules("lama/egmont")
    record = product_record("lama/egmont", ("meanfield",) * 3, 3, 2, rounds=True)
    lines = record.splitlines()
    turns = [i for i, line in enumerate(lines) if line[:2] in ("0 ", "1 ", "2 ")]
    compared = 0
    for at in turns[4::8]:
        position = GAME.position_after(rules, "\n".join(lines[:at]))
        if not position.others_in:
            break
        answers = []
        for most in (1_000_000, 0):
            monkeypatch.setattr(beliefs, "MOST_PAIRS", most)
            beliefs._beliefs.cache_clear()
            job = GAME.rollouts(rules, position, [GAME.policy("meanfield")] * 3, play_out=False)
            assert bool(job.job.tables.held.hands.size) == (most == 0)
            played = sample(job, 8_000, 1)
            answers.append([played.of(name)[0]["margin"] for name in job.actions])
        for one, other in zip(*answers, strict=True):
            assert abs(one.value - other.value) < 4 * (one.stderr + other.stderr) + 1e-9
            compared += one.stderr > 0
    assert compared > 2
