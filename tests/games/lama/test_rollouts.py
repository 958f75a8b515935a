"""Rollouts against rounds of the twin, against every end in fractions, and against self-play."""

import random
from collections import defaultdict
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.simulate import simulate
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.rules.position import pile_left
from lama_odds.simulation.run import Play, run
from tests.games.cases import product_rules, seats_of
from tests.games.lama.cases import id_of, twin_rules
from tests.games.lama.enumeration import Tree, cards_in, far_off, sample, without
from tests.reference import lama as twin

TINY = {"copies": 1, "dealt": 1, "llamas": 1}
SMALL = {"copies": 2, "dealt": 2, "llamas": 2}


# Every card known: one game is all there is.


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("edition", "options", "text"),
    [
        ("egmont", SMALL, "hand=36L top=2 opp=4 pile=0 seen=112455"),
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
def test_where_nothing_is_hidden_every_game_is_the_same(edition, options, text):
    players = text.partition("opp=")[2].split()[0].count(",") + 2
    tree = Tree(edition, options, seats_of(("threshold:0", "matching:9"), players))
    position = GAME.position(tree.rules, text)
    played = tree.rollouts(position, 1_000)
    for name in played.actions:
        values, chances = played.of(name)
        expected = tree.expected(position, name)
        assert {expected[n] for n in expected if n not in ("points", "margin")} <= {0, 1}
        assert far_off(expected, values, chances, slack=1e-9) == []
        assert {estimate.stderr for estimate in values.values()} == {0.0}


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
    games, found = 1_000, defaultdict(list)
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
    rounds = simulate(GAME, rules, chosen, 20_000, rounds=True, play=Play(77))
    whole = simulate(GAME, rules, chosen, 20_000, play=Play(78))
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


# Who started, and the pile.

THREE = [GAME.policy("threshold:3")] * 3
LATE = "hand=36L top=4 opp=4,5 scores=12,11,9"


def played_from(rules, text, games=90):
    """Play a position out; give the tally of each game, and what is assumed."""
    job = GAME.rollouts(rules, GAME.position(rules, text), THREE, play_out=True)
    notes = job.notes(np.ones(job.counters, dtype=np.int64), 1)
    assumed = "first not given: averaged over all players who may have started this round" in notes
    return [job.job.play(6, game, 1).tolist() for game in range(games)], assumed


def test_who_started_is_averaged_if_not_given():
    rules = product_rules("lama/party+target=20")  # with plus cards anybody can have started
    by_starter = [played_from(rules, f"{LATE} first={first}") for first in range(3)]
    unknown, assumed = played_from(rules, LATE)
    assert unknown == [by_starter[game % 3][0][game] for game in range(90)]
    assert len({str(games) for games, _ in by_starter}) == 3
    assert (assumed, {told for _, told in by_starter}) == (True, {False})


def test_who_started_does_not_matter_where_the_last_actor_starts():
    rules = product_rules("lama/amigo+plus=1+target=20")
    found = [played_from(rules, LATE + more) for more in ("", " first=0", " first=2")]
    assert found[0] == found[1] == found[2]
    assert not found[0][1]


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
        ({0: 4, 1: 6}, "after draw half of the rounds drew one card or none, 0.0 % the whole pile"),
        ({0: 3, 2: 6, 34: 1}, "half of the rounds drew 2 cards or fewer, 10.0 % the whole pile"),
    ],
)
def test_the_note_on_the_pile_counts_the_action_that_draws_most(drawn, told):
    rules = product_rules("lama/egmont")
    position = GAME.position(rules, "hand=122 top=6 opp=4,4")
    job = GAME.rollouts(rules, position, THREE, play_out=False)
    counted = np.zeros((len(job.actions), sum(rules.deck) + 1), dtype=np.int64)
    counted[:, 0] = 10
    counted[job.actions.index("draw")] = [drawn.get(n, 0) for n in range(counted.shape[1])]
    (note,) = (note for note in job.notes(counted.ravel(), 10) if "draw pile" in note)
    assert note.startswith("draw pile not given: assuming 34 cards, the maximum; ")
    assert note.endswith(told)


def test_a_pile_that_is_not_given_may_have_to_be_empty():
    rules = product_rules("lama/egmont+llamas=0")
    position = GAME.position(rules, f"hand=111111112 top=6 opp=7,{38 - 7}")
    job = GAME.rollouts(rules, position, THREE, play_out=False)
    assert "draw pile not given: it must be empty" in job.notes(np.ones(job.counters, int), 10)


# --- The last player, and what else is certain -----------------------------------------------


# Rules that touch the last player: costs, tokens, the drama, plus and pink cards.
RULE_SETS = (
    ("egmont", {}),
    ("egmont", {"llama_each": True, "llama_points": 4, "twenty": True}),
    ("egmont", {"drama": True, "drama_tokens": 2, "points": (6, 5, 4, 3, 2, 1)}),
    ("party", {}),
    ("party", {"drama": True, "drama_tokens": 1, "pink_drama": False, "pink_llamas": 3, "plus": 3}),
    ("party", {"llamas": 3, "pink_adds": True, "pink_llamas": 2, "pink_points": 1}),
    ("party", {"out_token": "llama", "pink_llamas": 3, "plus": 2, "quit_cost": 3}),
    ("amigo", {"llamas": 3, "out_token": "llama"}),
    ("egmont", {"out_token": "never", "quit_cost": 5}),
    ("party", {"black": 6, "pink": 9, "plus": 2, "points": (1, 1, 2, 40, 7, 1)}),
)


class Alone:
    """Every order of plays of the last player, who may stop at any time."""

    def __init__(self, edition, options):
        self.table = twin.Table(twin_rules(edition, options), (), seed=0)
        self.rules = self.table.rules
        self.best = cache(self.best)

    def best(self, hand, top, score):
        """Give the lowest score that can be had in the end."""
        found = score + self.quitting(hand)
        for card in set(hand):
            if card & self.table.follows[top]:
                found = min(found, self.after(hand, card, score))
        return found

    def after(self, hand, card, score):
        """Give the same once this card is played."""
        if card & self.table.payers:
            score -= twin.least_valuable(self.rules, score)
        rest = without(hand, [card])
        if rest:
            return self.best(rest, card, score)
        return score - twin.returned_for(self.rules, score, card)

    def quitting(self, hand):
        return twin.penalty(self.rules, list(hand)) + self.rules.quit_cost


def random_position(rng, rules, options):
    """Write a random position of the last player, often with cards of few kinds."""
    deck = [n for n, count in zip(twin.NAMES, rules.deck, strict=True) for _ in range(count)]
    rng.shuffle(deck)
    if rng.random() < 0.5:
        few = set(rng.sample("123456LP", 4)) | {"P"}
        deck.sort(key=lambda name: name[0] not in few)
    top, *hand = deck[: rng.randint(2, 9)]
    text = f"hand={''.join(hand)} top={top} opp=q3,q{rng.randint(1, 4)}"
    scores = [str(rng.choice((0, 1, 7, 10, 19, 20, 29, 31, 39))) for _ in range(3)]
    if rng.random() < 0.8:
        text += f" scores={','.join(scores)}"
    if options.get("drama") and rng.random() < 0.8:
        tokens = rng.choices(("1", str(rules.black)), k=rng.randint(1, 7))
        runs = len(tokens) >= rules.drama_tokens and rules.pays(twin.NAMES.index(top))
        text += f" pot={','.join(tokens)}{'!' * (runs and rng.random() < 0.7)}"
    return GAME.position(rules, text)


def exact_points(edition, options, position):
    """Give the points of every action alone, by search."""
    search = Alone(edition, options)
    hand, top = tuple(cards_in(position.hand)), twin.CARDS[position.top]
    score = position.scores[0] if position.scores else 0
    found = {"quit": search.quitting(hand)}
    for card in set(hand):
        if card & search.table.follows[top]:
            found[f"play {twin.NAME_OF[card]}"] = search.after(hand, card, score) - score
    return found


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("edition", "options"), RULE_SETS)
def test_no_order_of_plays_is_better(edition, options):
    rules, rng = product_rules(id_of(edition, options)), random.Random(11)
    gains = set()
    for _ in range(25):
        position = random_position(rng, rules, options)
        solution = GAME.solve(rules, position, "points", 1)
        expected = exact_points(edition, options, position)
        found = {a.action: a.values["points"].value for a in solution.actions}
        assert found == expected, position.format()
        # The same whatever is asked for: the rest of the game, the margin.
        known = GAME.known(rules, position)
        assert {name: values["points"].value for name, values in known.items()} == expected
        gains.add(expected["quit"] - min(expected.values()))
        for action in solution.actions:
            assert {e.method for e in action.values.values()} == {"exact"}
            left = [n for n in action.chances if n.startswith("penalty")]
            assert len(left) == 1
            assert left == ["penalty 0"] or not action.chances["out"].value
    assert len(gains) > 4


@pytest.mark.long
def test_alone_points_are_exact_and_the_rest_is_sampled():
    rules = product_rules("lama/party")
    position = GAME.position(rules, "hand=34+5P6 top=3 opp=q2,q4 scores=21,3,3")
    limits, opponents = Limits(games=1_000), GAME.policy("threshold:5")
    answer = advise(GAME, rules, position, objective="points", limits=limits, opponents=opponents)
    assert (answer.method, answer.games, answer.verdict) == ("exact", 1_000, "play 3")
    values = {action.action: action.value.value for action in answer.actions}
    # 3, 4+, 5, 6 and the pink llama go one after the other: a token of 20 is returned.
    assert values == {"play 3": -20, "play 4+": 3, "play P": 18, "quit": 38}
    assert {action.objectives["margin"].method for action in answer.actions} == {"simulation"}


@pytest.mark.parametrize(
    ("rules_id", "text", "known"),
    [
        ("lama/egmont", "hand=45 top=3 opp=3,4", {"quit": 9}),
        ("lama/egmont", "hand=4 top=3 opp=3,4 scores=7,0,0", {"quit": 4, "play 4": -1}),
        # Plus cards are followed by another card; the last one may be any of several.
        ("lama/party", "hand=3+4+5 top=3 opp=3,4 scores=12,0,25", {"quit": 12, "play 3+": -10}),
        (
            "lama/party+out_token=llama", "hand=6+P top=6 opp=3 scores=29,0",
            {"quit": 26, "play 6+": -20},
        ),
        ("lama/party+out_token=llama", "hand=6 top=6 opp=3 scores=29,0", {"quit": 6, "play 6": 0}),
        ("lama/egmont+out_token=never+quit_cost=5", "hand=4 top=3 opp=3 scores=17,0",
         {"quit": 9, "play 4": 0}),
        # A llama may still be paid for, and who quits takes the pot.
        ("lama/party+drama", "hand=L top=P opp=3 pot=1,1,1,1,10! scores=9,9", {"quit": 24}),
    ],
)  # fmt: skip
def test_what_is_certain_while_others_are_in(rules_id, text, known):
    rules = product_rules(rules_id)
    position = GAME.position(rules, text)
    found = GAME.known(rules, position)
    assert {name: values["points"].value for name, values in found.items()} == known
    assert {values["points"].method for values in found.values()} == {"exact"}
    # Rollouts, with a policy to go on with, agree in every game.
    job = GAME.rollouts(rules, position, [THREE[0]] * position.players, play_out=False)
    sums = job.sums(job.job.play(5, 0, 20), "points")
    for name, points in known.items():
        at = job.actions.index(name)
        assert (sums[at, 0], sums[at, 1 + at]) == (20 * points, 20 * points**2)
