"""What the others' play tells of their cards: exact where all can be listed, blind to the rest."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.rules.ruleset import NAMES
from lama_odds.games.lama.rules.transition import DRAW, QUIT
from lama_odds.games.lama.solvers import beliefs
from tests.games.cases import product_record, product_rules
from tests.games.lama.cases import id_of, twin_rules
from tests.games.lama.enumeration import sample
from tests.games.lama.test_hidden_cards import cut_records
from tests.reference import lama as twin
from tests.reference import lama_beliefs as reference

SMALL = {"copies": 2, "dealt": 2, "llamas": 2}
TINY = {"copies": 1, "dealt": 2, "llamas": 1}


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


CASES = [
    ("egmont", SMALL, 2, 6),
    ("egmont", SMALL, 3, 1),
    ("egmont", TINY, 3, 5),
    ("party", TINY | {"drama": True}, 2, 6),
]


@pytest.mark.parametrize(("edition", "options", "players", "games"), CASES)
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
