"""A position played to all its ends in fractions, by the twin's rules: what rollouts sample."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations

from lama_odds.analysis.rollouts import Limits, roll_out
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.redraw import TRIES
from tests.games.lama.cases import id_of, product_rules, twin_rules
from tests.reference import lama as twin


def sample(job, games, seed):
    """Play so many games of a job of the product."""
    limits = Limits(games=games, threads=1)
    return roll_out(job, "points", lowest=True, limits=limits, seed=seed, progress=None)


@dataclass(frozen=True)
class State:
    """A round with all hands known; waiting: seats still in, the one to act first."""

    hands: tuple
    top: int
    pile: int
    unseen: tuple
    waiting: tuple
    scores: tuple
    pot: tuple = ()
    running: bool = False


def put(items, at, item):
    """Replace one item of a tuple."""
    return (*items[:at], item, *items[at + 1 :])


def cards_in(counts):
    """List cards counted by kind as the twin's cards."""
    return [card for card, count in zip(twin.CARDS, counts, strict=True) for _ in range(count)]


def without(cards, taken):
    """Take cards out of a tuple of cards."""
    return tuple(sorted((Counter(cards) - Counter(taken)).elements()))


class Tree:
    """A rule set and policies without coins; seat 0 is to decide."""

    def __init__(self, edition, options, policies):
        self.rules = product_rules(id_of(edition, options))
        self.named = policies
        self.table = twin.Table(twin_rules(edition, options), policies, seed=0)
        self.ends, self.roots = cache(self.ends), cache(self.roots)

    def action(self, state):
        """Ask the policy of the seat to act."""
        hand = state.hands[state.waiting[0]]
        may_draw = state.pile > 0 and len(state.waiting) > 1
        policy, held = self.table.policies[state.waiting[0]], sum(set(hand))
        return policy.choose(self.table, list(hand), held, state.top, may_draw, 0)

    def ends(self, state):
        """Give the chances of (scores after the round, penalties, who went out)."""
        return self.ends_after(state, self.action(state))

    def ends_after(self, state, action):
        """Give the same once the seat to act has done this."""
        rules, seat = self.table.rules, state.waiting[0]
        rest = state.waiting[1:]
        pays = action & self.table.payers
        if state.running:
            state = replace(state, running=False)
            if rest and not pays:
                scores = put(state.scores, seat, state.scores[seat] + sum(state.pot))
                state = replace(state, scores=scores, pot=())
        if action == twin.QUIT:
            state = replace(state, waiting=rest)
            return self.ends(state) if rest else {self.end(state, None): Fraction(1)}
        if action == twin.DRAW:
            return self.ends_of_draw(replace(state, waiting=(*rest, seat)), seat)
        hand = without(state.hands[seat], [action])
        state = replace(state, hands=put(state.hands, seat, hand), top=action)
        if pays:
            paid = twin.least_valuable(rules, state.scores[seat])
            scores = put(state.scores, seat, state.scores[seat] - paid)
            pot = (*state.pot, paid) if paid else state.pot
            state = replace(state, scores=scores, pot=pot, running=len(pot) >= rules.drama_tokens)
        if not hand:
            score = state.scores[seat] - twin.most_valuable(rules, state.scores[seat])
            state = replace(state, scores=put(state.scores, seat, score))
            return {self.end(state, seat): Fraction(1)}
        if not action & twin.PLUS:
            state = replace(state, waiting=(*rest, seat))
        return self.ends(state)

    def ends_of_draw(self, state, seat):
        """Mix the ends by the card drawn."""
        found = defaultdict(Fraction)
        for card, count in Counter(state.unseen).items():
            hands = put(state.hands, seat, tuple(sorted((*state.hands[seat], card))))
            unseen = without(state.unseen, [card])
            drawn = replace(state, hands=hands, unseen=unseen, pile=state.pile - 1)
            for end, chance in self.ends(drawn).items():
                found[end] += chance * Fraction(count, len(state.unseen))
        return found

    def end(self, state, went_out):
        """Settle a round that has ended."""
        penalties = tuple(twin.penalty(self.table.rules, list(hand)) for hand in state.hands)
        scores = tuple(a + b for a, b in zip(state.scores, penalties, strict=True))
        return scores, penalties, went_out

    def chance_to_quit(self, seat, hand):
        """Say how often a policy quits with a hand on a card from the whole deck."""
        deck, policy = twin.full_deck(self.table.rules), self.table.policies[seat]
        held = sum(set(hand))
        quits = [policy.choose(self.table, list(hand), held, top, True, 0) for top in deck]
        return Fraction(quits.count(twin.QUIT), len(deck))

    def weights(self, seat, opponent, counted):
        """Give the chances of a hand dealt in so many ways: again and again to who has quit."""
        total = sum(counted.values())
        if not opponent.quit:
            return {hand: Fraction(ways, total) for hand, ways in counted.items()}
        fits = {hand: self.chance_to_quit(seat, hand) for hand in counted}
        fit = sum(fits[hand] * ways for hand, ways in counted.items()) / total
        missed = Fraction(float((1 - fit) ** TRIES))
        return {
            hand: Fraction(ways, total)
            * (
                (fits[hand] and fits[hand] * (1 - missed) / fit)
                + (1 - fits[hand]) * missed / (1 - fit)
            )
            for hand, ways in counted.items()
        }

    def roots(self, position):
        """Give the states that agree with a position: those who quit dealt first, by weight."""
        seats = sorted(range(1, position.players), key=lambda s: not position.opponents[s - 1].quit)
        unseen = tuple(cards_in(position.unseen(self.rules)))
        ways = [(Fraction(1), {0: tuple(cards_in(position.hand))}, unseen)]
        for seat in seats:
            opponent = position.opponents[seat - 1]
            dealt = []
            for chance, hands, left in ways:
                weights = self.weights(seat, opponent, Counter(combinations(left, opponent.cards)))
                dealt += [
                    (chance * weight, hands | {seat: hand}, without(left, hand))
                    for hand, weight in weights.items()
                ]
            ways = dealt
        waiting = (0, *(s for s in sorted(seats) if not position.opponents[s - 1].quit))
        return [
            (
                chance,
                State(
                    hands=tuple(hands[seat] for seat in range(position.players)),
                    top=twin.CARDS[position.top],
                    pile=position.pile,
                    unseen=left,
                    waiting=waiting,
                    scores=position.scores or (0,) * position.players,
                    pot=position.pot or (),
                    running=position.running,
                ),
            )
            for chance, hands, left in ways
        ]

    def expected(self, position, name):
        """Give the exact values and chances of an action by its name."""
        verb, _, card = name.partition(" ")
        action = {"draw": twin.DRAW, "quit": twin.QUIT}.get(verb)
        action = twin.CARDS[twin.NAMES.index(card)] if action is None else action
        before = position.scores or (0,) * position.players
        found = defaultdict(Fraction)
        for weight, state in self.roots(position):
            for (scores, penalties, went_out), chance in self.ends_after(state, action).items():
                mine, *others = (a - b for a, b in zip(scores, before, strict=True))
                chance *= weight
                found["points"] += chance * mine
                found["margin"] += chance * (mine - Fraction(sum(others), len(others)))
                found["out"] += chance * (went_out == 0)
                found["other out"] += chance * (went_out not in (None, 0))
                found["last"] += chance * (penalties[0] >= max(penalties))
                found[f"penalty {penalties[0]}"] += chance
        return dict(found)

    def rollouts(self, position, games, seed=0):
        """Sample the same with the product."""
        policies = [GAME.policy(name) for name in self.named]
        job = GAME.rollouts(self.rules, position, policies, play_out=False)
        return sample(job, games, seed)


def far_off(expected, values, chances, errors=4.5, slack=2e-4):
    """List what differs by more than so many standard errors, or occurs where it cannot.

    slack: for what is too rare to be met at all.
    """
    sampled = {**values, **chances}
    wrong = [
        f"{name}: {float(value):.5f} expected, {sampled.get(name)}"
        for name, value in expected.items()
        if name in sampled or value > Fraction(1, 100)
        if name not in sampled
        or abs(sampled[name].value - float(value)) > errors * sampled[name].stderr + slack
    ]
    return wrong + [f"{name} cannot be" for name in chances.keys() - expected.keys()]
