"""Nothing that a player cannot see has a part in advice; what others did tells what they hold."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.lama.engine.policy_kernels import SCORE
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.catalogue import tables_of
from lama_odds.games.lama.rules.transition import DRAW, QUIT
from lama_odds.games.lama.solvers import beliefs, hidden_hands
from lama_odds.games.lama.solvers.beliefs import trail_of
from lama_odds.games.lama.solvers.hidden_hands import root_table
from lama_odds.games.shared.drivers import MARGIN
from tests.games.cases import product_record, product_rules
from tests.games.lama.cases import id_of, twin_rules
from tests.games.lama.enumeration import Tree, cards_in, far_off, sample
from tests.reference import lama as twin
from tests.reference import lama_beliefs as reference

POLICIES = ("threshold:7", "random", "matching:4", "threshold:3")


def cut_records(rules_id, players, games):
    """Give first rounds cut at every decision, as lists of lines."""
    for game in range(games):
        record = product_record(rules_id, POLICIES[:players], 8, game, rounds=True)
        lines = [line for line in record.splitlines() if not line.startswith("policies")]
        begin = next(i for i, line in enumerate(lines) if line.startswith("top")) + 1
        end = next(i for i, line in enumerate(lines) if line.startswith("end"))
        for at in range(begin, end):
            yield lines[:at]


def seen_by(seat, lines):
    """Hide from a record what one seat does not see."""
    for line in lines:
        verb, *words = line.split()
        if verb == "deal":
            words = [word if at == seat else "?" for at, word in enumerate(words)]
        elif verb.isdigit() and words[0] == "draw" and int(verb) != seat:
            words = ["draw", "?"]
        yield " ".join([verb, *words])


@pytest.mark.parametrize("rules_id", ["lama/egmont", "lama/party+drama+drama_tokens=2"])
def test_hidden_cards_of_a_record_are_not_asked_for(rules_id):
    rules, hidden = product_rules(rules_id), 0
    for lines in cut_records(rules_id, 4, 2):
        asked = GAME.position_after(rules, "\n".join(lines))
        told = list(seen_by(asked.past.seat, lines))
        assert GAME.position_after(rules, "\n".join(told)) == asked
        assert GAME.position_after(rules, "\n".join(told)).past == asked.past
        hidden += told != lines
    assert hidden > 30


def test_each_player_is_followed_with_the_scores_as_it_saw_them():
    """Seat 0 of a followed table is the player who acts; the others come in turn order."""
    record = product_record("lama/egmont", ("threshold:7", "random", "matching:4"), 8, 0)
    lines = [line for line in record.splitlines() if not line.startswith("policies")]
    begin = next(i for i, line in enumerate(lines) if line.startswith("round 2"))
    end = next(i for i, line in enumerate(lines) if i > begin and line.startswith("end"))
    rules = product_rules("lama/egmont")
    position = GAME.position_after(rules, "\n".join(lines[: end - 1]))
    past = position.past
    assert len(set(past.turns[0].scores)) == 3
    for seat in (1, 2):
        turns = [turn for turn in past.turns if (turn.seat - past.seat) % 3 == seat]
        trail, _ = trail_of(rules, position, past, seat, turns)
        assert len(trail.tables) == len(turns) > 0
        for table, turn in zip(trail.tables, turns, strict=True):
            assert table[SCORE : SCORE + 3].tolist() == [
                turn.scores[(turn.seat + step) % 3] for step in range(3)
            ]


SMALL = {"copies": 2, "dealt": 2, "llamas": 2}
TINY = {"copies": 1, "dealt": 2, "llamas": 1}
WILD = TINY | {"drama": True, "drama_tokens": 1}
POSITIONS = [
    ("egmont", TINY, 9, "hand=35 top=1 opp=2,q2 pile=0"),
    ("egmont", SMALL, 5, "hand=36L top=2 opp=q2,q2 pile=1 seen=1"),
    # What the first holds leaves more or less to the second, so that not all pairs are alike.
    ("egmont", SMALL, 3, "hand=56L top=4 opp=q2,q2,1 pile=1 seen=3"),
    ("egmont", SMALL, 3, "hand=5 top=4 opp=q1,q1,q3 pile=0"),
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


def test_a_quitter_that_no_hand_explains_holds_a_cheap_one():
    tree = Tree("egmont", SMALL, ("threshold:0",) * 3)
    position = GAME.position(tree.rules, "hand=35 top=1 opp=q2,2 pile=2")
    played = tree.rollouts(position, 8_000)
    assert far_off(tree.expected(position, "quit"), *played.of("quit")) == []
    assert any(
        "1 of 1 players who have quit: threshold:0 would quit with no possible hand" in note
        for note in played.notes
    )


HANGS = "hand=234 top=6 opp=q3,4 scores=18,34,31"  # on what the quitter's cards cost


@pytest.mark.parametrize(
    ("text", "opponents", "verdict", "cautious", "tried"),
    [
        (HANGS, "threshold:0", "too close to call", True, True),
        (HANGS, "threshold:12", None, False, False),
        ("hand=35 top=1 opp=q2,2", "threshold:0", "draw", False, True),
    ],
)
def test_a_verdict_that_hangs_on_guessed_hands_is_not_told_as_sure(
    text, opponents, verdict, cautious, tried
):
    rules, policy = product_rules("lama/egmont"), GAME.policy(opponents)
    position = GAME.position(rules, text)
    answer = advise(GAME, rules, position, opponents=policy, limits=Limits(games=4_000))
    assert verdict in (None, answer.verdict)
    assert bool(answer.caution) == ("caution" in answer.to_json()) == cautious
    assert any("are a guess" in note for note in answer.assumptions) == tried


def test_other_guesses_are_told_apart_by_who_would_quit():
    """No hand costs less than 11 points, so the limit of 10 is the same guess."""
    rules = product_rules("lama/egmont+llama_points=15+points=11.12.13.14.15.16")
    position = GAME.position(rules, "hand=35 top=1 opp=q1,2")
    job = GAME.rollouts(rules, position, [GAME.policy("threshold:0")] * 3, play_out=False)
    (_, at_random), (named, at_twenty) = job.guesses()
    assert "threshold:20" in named
    assert (bool(job.caution), at_random.caution, at_twenty.caution) == (True, "", "")
    assert at_random.beside["draw"]["llama"].value == pytest.approx(7 / 52)


def quitters_of(rules, position, named, quit_by=None):
    policies = [GAME.policy(named)] * position.players
    tables, root = tables_of(rules, policies, tokens=False), root_table(rules, position)
    return hidden_hands.find_quitters(rules, position, quit_by or policies, tables, root)


def left_of_any(rules, position, gone):
    """Count the cards of each kind that are left on average if any cards are gone."""
    unseen = position.unseen(rules)
    return pytest.approx([cards * (1 - gone / sum(unseen)) for cards in unseen])


def test_hands_dealt_at_random_are_as_likely_as_they_are_dealt():
    rules = product_rules("lama/egmont")
    position = GAME.position(rules, "hand=35 top=1 opp=q3,2")
    found = quitters_of(rules, position, "random", [None] * 3)
    assert (found.left, found.strangers) == (left_of_any(rules, position, 3), 0)


def test_hands_that_quitters_cannot_all_hold_are_any_hands():
    """Each would quit with the 1 only, of which there is one; so would the cheapest hands be."""
    rules = product_rules("lama/egmont+copies=1+dealt=1+llamas=1")
    position = GAME.position(rules, "hand=5 top=4 opp=q1,q1,1")
    found = quitters_of(rules, position, "threshold:1")
    assert (found.left, found.strangers) == (left_of_any(rules, position, 2), 2)


def test_too_many_hands_are_stood_for_by_some(monkeypatch):
    rules = product_rules("lama/egmont")
    position = GAME.position(rules, "hand=34 top=6 opp=q6,q6,1")
    found = []
    for most in (1_000_000, 400_000):
        monkeypatch.setattr(hidden_hands, "MOST_PAIRS", most)
        found.append(quitters_of(rules, position, "random"))
    assert [each.spread for each in found] == [False, True]
    assert found[1].left == pytest.approx(found[0].left, rel=0.02)
    job = GAME.rollouts(rules, position, [GAME.policy("random")] * 4, play_out=False)
    told = "there are too many possible hands: a selection stands for all"
    assert told in sample(job, 1_000, 1).notes


# --- What the others' play tells of their cards ----------------------------------------------


@pytest.fixture(autouse=True)
def _nothing_kept():
    beliefs._beliefs.cache_clear()
    yield
    beliefs._beliefs.cache_clear()


def found_by_product(position, policy, rules):
    """Give the chance of each combination of hands, as the twin's cards."""
    held = beliefs.beliefs_of(rules, position, [policy] * position.players)
    deals, weights = held.deals()
    total = defaultdict(float)
    deals, which = np.unique(deals, axis=0, return_inverse=True)
    weights = np.bincount(which.ravel(), weights)
    for deal, weight in zip(deals, weights, strict=True):
        hands = [tuple(sorted(cards_in(rules.unpack(int(packed))))) for packed in deal]
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
    mine, events = cards_in(position.hand), []
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
    opening = twin.CARDS[twin.NAMES.index(name)]
    return reference.beliefs(
        table, [mixture] * (players - 1), mine, opening, events, beliefs.EPSILON
    )


def apart(one, other):
    """Give the total variation of two distributions."""
    return sum(abs(one.get(k, 0) - other.get(k, 0)) for k in {*one, *other}) / 2


def told_of_each(rules, position, policy):
    """Each other player: number of cards, whether it has quit, and what it holds."""
    held = GAME.held_by_others(rules, position, [policy] * position.players).players
    for one in held:
        chances = {name: found.value for name, found in one.holds.items()}
        yield one.opponent, one.cards, one.quit, chances, one.can_play and one.can_play.value


def expected_of_each(table, position, expected):
    """Give the same by the chances of all deals."""

    def any_of(seat, fits):
        deals = expected.items()
        found = sum(chance for hands, chance in deals if any(map(fits, hands[seat - 1])))
        return pytest.approx(found, abs=1e-9)

    for seat, other in enumerate(position.opponents, 1):
        kinds = dict.fromkeys(table.deck)
        holds = {twin.NAME_OF[kind]: any_of(seat, lambda card, k=kind: card == k) for kind in kinds}
        follows = table.follows[twin.CARDS[position.top]]
        plays = None if other.quit else any_of(seat, lambda card, on=follows: card & on)
        yield seat, other.cards, other.quit, holds, plays


LISTED = [
    ("egmont", SMALL, 2, 6),
    ("egmont", TINY, 3, 5),
    ("party", TINY | {"drama": True}, 2, 6),
]


@pytest.mark.parametrize(("edition", "options", "players", "games"), LISTED)
def test_hands_have_the_chances_that_all_deals_give_them(edition, options, players, games):
    rules, policy = product_rules(id_of(edition, options)), GAME.policy("matching:6")
    table, compared = twin.Table(twin_rules(edition, options), (), 0), 0
    for lines in cut_records(id_of(edition, options), players, games):
        position = GAME.position_after(rules, "\n".join(lines))
        if all(turn.seat == position.past.seat for turn in position.past.turns):
            continue
        expected, shares = found_by_reference(lines, position, policy, edition, options)
        found = found_by_product(position, policy, rules)
        assert apart(found, expected) < 1e-9, lines
        told = beliefs.beliefs_of(rules, position, [policy] * players)
        assert np.allclose(told.shares, shares, atol=1e-9), lines
        assert told.estimate(0.5).method == "exact"
        unlike = {seat for seat, each in enumerate(shares, 1) if max(each) > each[0]}
        assert {seat for seat, _, _ in told.unlike} == unlike
        each = zip(
            told_of_each(rules, position, policy),
            expected_of_each(table, position, expected),
            strict=True,
        )
        assert all(one == other for one, other in each), lines
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


def test_the_same_record_gives_the_same_answer_on_any_number_of_threads():
    rules = product_rules("lama/egmont")
    lines = list(cut_records("lama/egmont", 3, 1))[9]
    position = GAME.position_after(rules, "\n".join(lines))

    def answer(position, threads):
        beliefs._beliefs.cache_clear()
        limits = Limits(games=2_000, threads=threads)
        return advise(GAME, rules, position, objective="points", limits=limits, seed=3).actions

    assert answer(position, 1) == answer(position, 2)
    bare = GAME.position(rules, position.format())
    assert (bare, bare.past) == (position, None)
    assert answer(bare, 2) != answer(position, 2)


def test_before_anybody_acts_cards_are_drawn_at_random():
    rules, policies = product_rules("lama/egmont"), [GAME.policy("meanfield")] * 4
    position = GAME.position_after(rules, "\n".join(next(cut_records("lama/egmont", 4, 1))))
    assert beliefs.beliefs_of(rules, position, policies) is None
    assert not GAME.rollouts(rules, position, policies, play_out=False).inferred


def of_each_cost(rules, deals, weights):
    """Give the chances of what all hands together cost."""
    hands, at = np.unique(deals, return_inverse=True)
    costs = np.array([rules.penalty(rules.unpack(int(hand))) for hand in hands])
    return np.bincount(costs[at.reshape(deals.shape)].sum(axis=1), weights, minlength=70)


def test_hands_that_are_dealt_together_have_the_chances_of_the_whole_list(monkeypatch):
    """Also when each game proposes other ones, whatever all fits are multiplied by."""
    rules, policy = product_rules(id_of("egmont", SMALL)), GAME.policy("matching:6")
    redealt = 0
    for lines in cut_records(rules.id, 3, 4):
        position = GAME.position_after(rules, "\n".join(lines))
        if position.others_in and position.pile > 3:  # hands hardly take cards from each other
            continue
        each = []
        for most in (1_000_000, 0):
            monkeypatch.setattr(beliefs, "MOST_PAIRS", most)
            beliefs._beliefs.cache_clear()
            each.append(beliefs.beliefs_of(rules, position, [policy] * 3))
        whole, sampled = each
        deals, weights = whole.deals()
        costs = of_each_cost(rules, deals, weights)
        assert np.abs(costs - of_each_cost(rules, *sampled.deals())).sum() < 0.12, lines
        assert np.allclose(sampled.shares, whole.shares, atol=0.03), lines
        assert np.allclose(sampled.dealt.left, whole.dealt.left, atol=0.05), lines
        if position.others_in or not position.pile:
            continue
        begun = beliefs.known_hands(rules, position, deals[weights.argmin()].tolist())
        held, margins = sampled.dealt.held, []
        for times in (1, 2**-5):
            quitters = replace(begun, held=held._replace(fits=held.fits * times))
            job, _ = hidden_hands.job_of(
                rules, position, [policy] * 3, False, ["quit"], quitters=quitters
            )
            played = [job.play(1, game, 1)[: job.tables.layout.events_at] for game in range(1_500)]
            mine = 2 * rules.penalty(position.hand)
            margins.append([int(mine - sums[MARGIN * 2]) for sums in played])
        assert margins[0] == margins[1]
        found = np.bincount(margins[0], minlength=70) / len(margins[0])
        assert np.abs(costs - found).sum() < 0.2, lines
        redealt += 1
    assert redealt > 2
