"""Rollouts against rounds of the twin, against every end in fractions, and against self-play."""

from collections import defaultdict
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.simulate import simulate
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.rules.draw_bounds import pile_left
from lama_odds.simulation.run import run
from tests.games.cases import product_rules, seats_of
from tests.games.lama.cases import id_of, twin_rules
from tests.games.lama.enumeration import Tree, cards_in, far_off, sample
from tests.reference import lama as twin

TINY = {"copies": 1, "dealt": 1, "llamas": 1}
SMALL = {"copies": 2, "dealt": 2, "llamas": 2}


# Every card known: one game is all there is.


@pytest.mark.parametrize(
    ("edition", "options", "text"),
    [
        # All that I have not seen is a single hand.
        ("egmont", TINY | {"dealt": 2}, "hand=35 top=1 opp=2 pile=0 seen=2L"),
        ("egmont", SMALL, "hand=36L top=2 opp=4 pile=0 seen=112455"),
        ("egmont", SMALL, "hand=345 top=2 opp=q4 pile=0 seen=11246L"),
        ("egmont", SMALL | {"out_token": "llama", "quit_cost": 4},
         "hand=345 top=2 opp=q4 pile=0 seen=11246L scores=12,0"),
        ("amigo", SMALL | {"drama": True}, "hand=35L top=L opp=1 pile=0 seen=112345662 pot=-"),
        # Nothing but 4s: in two hands, and to draw.
        ("egmont", {"copies": 8, "llamas": 1}, "hand=335 top=3 opp=2,2 pile=3"
         " seen=11111111222222223333345555555" "66666666L scores=11,10,0"),
        ("party", {"copies": 1, "plus": 1, "dealt": 2, "llamas": 1, "drama": True},
         "hand=15P top=1+ opp=2 pile=0 seen=22+344+5+66+ scores=39,20 pot=1,1,10,10,20"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("policies", [("threshold:5",), ("threshold:0", "matching:9")])
def test_where_nothing_is_hidden_every_game_is_the_same(edition, options, text, policies):
    players = text.partition("opp=")[2].split()[0].count(",") + 2
    tree = Tree(edition, options, seats_of(policies, players))
    position = GAME.position(tree.rules, text)
    played = tree.rollouts(position, 1_000)
    for name in played.actions:
        values, chances = played.of(name)
        expected = tree.expected(position, name)
        assert {expected[n] for n in expected if n not in ("points", "margin")} <= {0, 1}
        assert far_off(expected, values, chances, slack=1e-9) == []
        assert {estimate.stderr for estimate in values.values()} == {0.0}


# First decisions of the twin: nothing tells what is hidden yet.


def first_decisions(edition, options, policies, rounds):
    """Group the twin's first rounds by what seat 0 sees; give [points, margin] of each."""
    table = twin.Table(twin_rules(edition, options), policies, seed=21)
    seen = defaultdict(list)
    for game in range(rounds):
        hands, top, _ = twin.deal(table, game, 0)
        scores = [0] * len(policies)
        turns, _, penalties = twin.play_turns(table, game, 0, 0, scores, [])
        action = turns[0][1]
        name = {twin.DRAW: "draw", twin.QUIT: "quit"}.get(action)
        mine, *others = (a + b for a, b in zip(scores, penalties, strict=True))
        key = tuple(sorted(hands[0])), top, name or f"play {twin.NAME_OF[action]}"
        seen[key].append((mine, mine - sum(others) / len(others)))
    return seen


@pytest.mark.long
@pytest.mark.parametrize(
    ("edition", "options", "policies", "rounds"),
    [
        ("egmont", TINY, ("threshold:3", "matching:5", "threshold:1"), 4_000),
        ("egmont", {"llama_each": True, "dealt": 2, "copies": 1}, ("threshold:8",) * 4, 4_000),
    ],
)
def test_first_decisions_are_worth_what_the_twin_gets(edition, options, policies, rounds):
    rules = product_rules(id_of(edition, options))
    chosen = [GAME.policy(name) for name in policies]
    opp = ",".join([str(rules.dealt)] * (len(policies) - 1))
    squares, compared = 0.0, 0
    for (hand, top, name), found in first_decisions(edition, options, policies, rounds).items():
        if len(found) < 50:
            continue
        cards = "".join(twin.NAME_OF[card] for card in hand)
        position = GAME.position(rules, f"hand={cards} top={twin.NAME_OF[top]} opp={opp}")
        job = GAME.rollouts(rules, position, chosen, play_out=False)
        values, _ = sample(job, 2_000, 3).of(name)
        for at, objective in enumerate(("points", "margin")):
            # The product plays more games here and knows better how payoffs vary.
            error = values[objective].stderr * (1 + 2_000 / len(found)) ** 0.5
            off = abs(np.mean(found, axis=0)[at] - values[objective].value)
            assert off < 5 * error + 0.01, (cards, name, objective)
            squares += (off / error) ** 2 if error else 1
            compared += 1
    assert compared > 30
    # Many small errors of the same kind would add up.
    assert squares < compared + 5 * (2 * compared) ** 0.5


# Openings of a deck so small that all of them can be asked, against self-play.


def openings(rules):
    """List every hand of one card and every card on top, all equally likely."""
    deck = cards_in(rules.deck)
    return [(a, b) for pair in combinations(deck, 2) for a, b in (pair, pair[::-1])]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("options", "policies"),
    [
        (TINY | {"drama": True, "drama_tokens": 2, "target": 20}, ("threshold:5", "threshold:3")),
        (TINY | {"target": 15, "llamas": 3}, ("threshold:3", "random", "matching:5")),
    ],
)
def test_openings_played_out_are_self_play(options, policies):
    rules = product_rules(id_of("egmont", options))
    table = twin.Table(twin_rules("egmont", options), policies, seed=0)
    chosen = [GAME.policy(name) for name in policies]
    others = ",".join("1" * (len(policies) - 1))
    zeros = ",".join("0" * len(policies))
    games, found = 500, defaultdict(list)
    cases = openings(rules)
    for number, (card, top) in enumerate(cases):
        text = f"hand={twin.NAME_OF[card]} top={twin.NAME_OF[top]} opp={others}"
        position = GAME.position(rules, f"{text} scores={zeros} first=0")
        job = GAME.rollouts(rules, position, chosen, play_out=True)
        action = table.policies[0].choose(table, [card], card, top, True, 0)
        name = {twin.DRAW: "draw", twin.QUIT: "quit"}.get(action, f"play {twin.NAME_OF[card]}")
        values, _ = sample(job, games, number).of(name)
        for objective, estimate in values.items():
            found[objective].append((estimate.value, estimate.stderr))
    rounds = simulate(GAME, rules, chosen, 20_000, rounds=True, seed=77)
    whole = simulate(GAME, rules, chosen, 20_000, seed=78)
    penalties = [seat["penalty"] for seat in rounds.seats]
    wins = [seat["win"] for seat in whole.seats]
    margin = penalties[0].value - sum(p.value for p in penalties[1:]) / len(penalties[1:])
    expected = {
        "points": (penalties[0].value, penalties[0].stderr),
        "margin": (margin, sum(p.stderr**2 for p in penalties) ** 0.5),
        "win": (wins[0].value, wins[0].stderr),
    }
    for objective, (value, stderr) in expected.items():
        means, errors = np.array(found[objective]).T
        error = np.hypot(stderr, np.sqrt((errors**2).sum()) / len(cases))
        assert abs(means.mean() - value) < 4.5 * error, objective


# Who started, threads, repeating.


def win_sums(rules, text, games=900):
    """Play a position out; give the wins of each action, summed."""
    policies = [GAME.policy("threshold:3")] * 3
    job = GAME.rollouts(rules, GAME.position(rules, text), policies, play_out=True)
    tally = run(job.job, 6, games, threads=1).tally
    return job.sums(tally, "win")[:, 0]


def test_who_started_is_averaged_if_not_given():
    rules = product_rules("lama/party+target=20")  # with plus cards anybody can have started
    text = "hand=36L top=4 opp=4,5 scores=12,11,9"
    policies = [GAME.policy("threshold:3")] * 3

    def game_by_game(position):
        job = GAME.rollouts(rules, GAME.position(rules, position), policies, play_out=True).job
        return [job.play(6, game, 1).tolist() for game in range(30)]

    by_starter = [game_by_game(f"{text} first={first}") for first in range(3)]
    unknown = game_by_game(text)
    assert unknown == [by_starter[game % 3][game] for game in range(30)]
    assert len({str(tallies) for tallies in by_starter}) == 3
    note = "first not given: averaged over all players who may have started this round"
    for asked, told in ((text, True), (f"{text} first=2", False)):
        answer = advise(GAME, rules, GAME.position(rules, asked), limits=Limits(games=1_000))
        assert answer.objective == "win"
        assert (note in answer.assumptions) == told


def test_who_started_does_not_matter_where_the_last_actor_starts():
    rules = product_rules("lama/amigo+plus=1+target=20")
    text = "hand=36L top=4 opp=4,5 scores=12,11,9"
    sums = [win_sums(rules, text + more).tolist() for more in ("", " first=0", " first=2")]
    assert sums[0] == sums[1] == sums[2]
    answer = advise(GAME, rules, GAME.position(rules, text), limits=Limits(games=1_000))
    assert not any("first not given" in told for told in answer.assumptions)


def test_same_bits_on_any_number_of_threads():
    rules = product_rules("lama/party+drama")
    text = "hand=3+5LP top=4 opp=4,q2,6 scores=12,3,39,20 pot=1,10"
    position = GAME.position(rules, text)

    def on(threads, games=1_000):
        limits = Limits(games=games, threads=threads)
        found = advise(GAME, rules, position, objective="win", limits=limits, seed=9)
        return replace(found, seconds=0.0)

    assert on(1) == on(2)
    assert on(1) != on(1, games=1_001)


def test_missing_pile_is_the_most_there_can_be():
    rules = product_rules("lama/egmont")
    text = "hand=3356L top=4 opp=4,q2,6"
    most = pile_left(rules, GAME.position(rules, text))
    policies = [GAME.policy("threshold:5")] * 4
    jobs = [
        GAME.rollouts(rules, GAME.position(rules, f"{text}{more}"), policies, play_out=False).job
        for more in ("", f" pile={most}", f" pile={most - 20}")
    ]
    tallies = [run(job, 2, 2_000).tally.tolist() for job in jobs]
    assert tallies[0] == tallies[1] != tallies[2]


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        ({0: 6, 1: 4}, "after draw half of the rounds drew no card, 0.0 % the whole pile"),
        ({0: 4, 1: 6}, "after draw half of the rounds drew one card or none, 0.0 % the whole pile"),
        ({0: 3, 2: 6, 34: 1}, "half of the rounds drew 2 cards or fewer, 10.0 % the whole pile"),
    ],
)
def test_the_note_on_the_pile_counts_the_action_that_draws_most(drawn, told):
    rules = product_rules("lama/egmont")
    position = GAME.position(rules, "hand=122 top=6 opp=4,4")
    job = GAME.rollouts(rules, position, [GAME.policy("threshold:5")] * 3, play_out=False)
    counted = np.zeros((len(job.actions), sum(rules.deck) + 1), dtype=np.int64)
    counted[:, 0] = 10
    counted[job.actions.index("draw")] = [drawn.get(n, 0) for n in range(counted.shape[1])]
    (note,) = (note for note in job.notes(counted.ravel(), 10) if "draw pile" in note)
    assert note.startswith("draw pile not given: assuming 34 cards, the maximum; ")
    assert note.endswith(told)


@pytest.mark.parametrize(
    ("cards", "told"),
    [("1" * 8, "assuming 1 card,"), ("1" * 8 + "2", "it must be empty")],
)
def test_a_pile_of_one_card_or_none(cards, told):
    rules = product_rules("lama/egmont+llamas=0")
    position = GAME.position(rules, f"hand={cards} top=6 opp=7,{38 - 7}")
    job = GAME.rollouts(rules, position, [GAME.policy("threshold:5")] * 3, play_out=False)
    notes = job.notes(np.ones(job.counters, dtype=np.int64), 10)
    assert any(told in note for note in notes), notes
