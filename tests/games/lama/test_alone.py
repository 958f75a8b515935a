"""The last player, and what else leaves nothing to luck: against a search of every order."""

import random
from functools import cache

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.lama.game import GAME
from tests.games.cases import product_rules
from tests.games.lama.cases import id_of, twin_rules
from tests.games.lama.enumeration import cards_in, without
from tests.reference import lama as twin

RULE_SETS = (
    ("egmont", {}),
    ("egmont", {"llama_each": True, "llama_points": 4}),
    ("egmont", {"drama": True, "drama_tokens": 2, "points": (6, 5, 4, 3, 2, 1)}),
    ("egmont", {"points": (3, 3, 3, 3, 3, 3), "llama_points": 3, "twenty": True}),
    ("party", {}),
    ("party", {"drama": True, "plus": 3, "pink_llamas": 4}),
    ("party", {"drama": True, "drama_tokens": 1, "pink_drama": False, "pink_llamas": 3}),
    ("party", {"pink_adds": True, "pink_points": 1, "pink_llamas": 2, "llamas": 3}),
    ("amigo", {"out_token": "llama", "llamas": 3}),
    ("party", {"out_token": "llama", "pink_llamas": 3, "plus": 2, "quit_cost": 3}),
    ("egmont", {"out_token": "never", "quit_cost": 5}),
    ("party", {"pink_points": 2, "black": 6, "pink": 9, "plus": 2, "points": (1, 1, 2, 40, 7, 1)}),
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
        return self.best(rest, card, score) if rest else score - self.returned(score, card)

    def quitting(self, hand):
        return twin.penalty(self.rules, list(hand)) + self.rules.quit_cost

    def returned(self, score, last):
        return twin.returned_for(self.rules, score, last)


def random_position(rng, rules, options, quit_):
    """Write a random position; cards of few kinds, so that there is something to play."""
    deck = [n for n, count in zip(twin.NAMES, rules.deck, strict=True) for _ in range(count)]
    rng.shuffle(deck)
    if rng.random() < 0.5:
        few = set(rng.sample("123456LP", 4)) | {"P"}
        deck.sort(key=lambda name: name[0] not in few)
    top, *hand = deck[: rng.randint(2, 9)]
    mark = "q" if quit_ else ""
    text = f"hand={''.join(hand)} top={top} opp=q3,{mark}{rng.randint(1, 4)}"
    scores = [str(rng.choice((0, 1, 7, 10, 19, 20, 29, 31, 39))) for _ in range(3)]
    if rng.random() < 0.8:
        text += f" scores={','.join(scores)}"
    if options.get("drama") and rng.random() < 0.8:
        tokens = rng.choices(("1", str(rules.black)), k=rng.randint(1, 7))
        runs = len(tokens) >= rules.drama_tokens and rules.pays(twin.NAMES.index(top))
        text += f" pot={','.join(tokens)}{'!' * (runs and (not quit_ or rng.random() < 0.7))}"
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


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("edition", "options"), RULE_SETS)
def test_no_order_of_plays_is_better(edition, options):
    rules, rng = product_rules(id_of(edition, options)), random.Random(11)
    gains = set()
    for _ in range(50):
        position = random_position(rng, rules, options, quit_=True)
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
            went_out = action.chances["out"].value
            left = [n for n in action.chances if n.startswith("penalty")]
            assert len(left) == 1
            if went_out:
                assert left == ["penalty 0"]
    assert len(gains) > 5


def test_alone_points_are_exact_and_the_rest_is_sampled():
    rules = product_rules("lama/party")
    position = GAME.position(rules, "hand=34+5P6 top=3 opp=q2,q4 scores=21,3,3")
    limits = Limits(games=1_000)
    for opponents in (None, GAME.policy("threshold:5")):
        answer = advise(
            GAME, rules, position, objective="points", limits=limits, opponents=opponents
        )
        assert (answer.method, answer.games, answer.best) == ("exact", 1_000, "play 3")
        assert answer.verdict == "play 3"
        values = {action.action: action.value.value for action in answer.actions}
        # 3, 4+, 5, 6 and the pink llama go one after the other: a token of 20 is returned.
        assert values == {"play 3": -20, "play 4+": 3, "play P": 18, "quit": 38}
        for action in answer.actions:
            assert action.value.method == action.regret.method == "exact"
            assert action.objectives["margin"].method == "simulation"
            assert action.regret.value == action.value.value - values["play 3"]


def known_by_rules(edition, options, position):
    """Give the points that are certain while others are in: quitting, going out in this turn."""
    table = twin.Table(twin_rules(edition, options), (), seed=0)
    pot = sum(position.pot or ()) if position.running else 0
    hand = tuple(cards_in(position.hand))
    found = {"quit": twin.penalty(table.rules, list(hand)) + table.rules.quit_cost + pot}
    score = position.scores[0] if position.scores else 0

    def tokens(hand, top):
        """List the tokens that going out in this turn can return."""
        return [
            token for card in set(hand) if card & table.follows[top] for token in ends(hand, card)
        ]

    def ends(hand, card):
        rest = without(hand, [card])
        if not rest:
            return [twin.returned_for(table.rules, score, card)]
        return tokens(rest, card) if card & twin.PLUS else []

    for card in set(hand):
        playable = card & table.follows[twin.CARDS[position.top]]
        if playable and ends(hand, card) and not table.rules.drama:
            found[f"play {twin.NAME_OF[card]}"] = -max(ends(hand, card))
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("edition", "options"), RULE_SETS)
def test_what_is_certain_while_others_are_in(edition, options):
    rules, rng = product_rules(id_of(edition, options)), random.Random(12)
    # What is certain hangs on no policy; the tables of `meanfield` are solved for two rule sets.
    policies = [GAME.policy("matching:5" if options else "meanfield")] * 3
    certain = 0
    for number in range(24):
        position = random_position(rng, rules, options, quit_=False)
        expected = known_by_rules(edition, options, position)
        known = GAME.known(rules, position)
        assert {name: e["points"].value for name, e in known.items()} == expected
        assert {e["points"].method for e in known.values()} == {"exact"}
        certain += len(expected) - 1
        if len(expected) == 1 and number % 4:
            continue
        # Rollouts, with a policy to go on with, agree in every game.
        job = GAME.rollouts(rules, position, policies, play_out=False)
        tally = job.job.play(5, 0, 20)
        sums = job.sums(tally, "points")
        for name, points in expected.items():
            at = job.actions.index(name)
            assert sums[at, 0] == 20 * points, (position.format(), name)
            assert sums[at, 1 + at] == 20 * points**2
    assert certain > 1 or options.get("drama")


def test_sampled_answers_show_what_is_certain_as_exact():
    rules = product_rules("lama/party")
    text = "hand=3+4+5 top=3 opp=3,4 scores=12,0,25"
    answer = advise(
        GAME, rules, GAME.position(rules, text), objective="points", limits=Limits(games=1_000)
    )
    assert answer.method == "simulation"
    by_name = {action.action: action for action in answer.actions}
    assert (by_name["quit"].value.value, by_name["quit"].value.method) == (12, "exact")
    assert (by_name["play 3+"].value.value, by_name["play 3+"].value.method) == (-10, "exact")
    assert by_name["draw"].value.method == "simulation"
    assert by_name["quit"].objectives["margin"].method == "simulation"
    assert by_name["quit"].regret.value == 22
