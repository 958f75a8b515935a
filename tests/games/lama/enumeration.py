"""A position played to all its ends in fractions, by the twin's rules: what rollouts sample."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations

from lama_odds.analysis.advice.rollouts import Limits, roll_out
from lama_odds.games.lama.game import GAME
from tests.games.cases import product_rules
from tests.games.lama.cases import id_of, twin_rules
from tests.reference import lama as twin


def sample(job, games, seed):
    """Play so many games of a job of the product."""
    limits = Limits(games=games, threads=1)
    return roll_out(job, GAME.objectives, "points", limits, seed, None)


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
            score = state.scores[seat] - twin.returned_for(rules, state.scores[seat], action)
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
        rules = self.table.rules
        penalties = tuple(
            twin.penalty(rules, list(hand)) + rules.quit_cost * (seat not in state.waiting)
            for seat, hand in enumerate(state.hands)
        )
        scores = tuple(a + b for a, b in zip(state.scores, penalties, strict=True))
        return scores, penalties, went_out

    def chance_to_quit(self, seat, hand):
        """Say how often a policy quits with a hand on a card from the whole deck."""
        deck, policy = twin.full_deck(self.table.rules), self.table.policies[seat]
        held = sum(set(hand))
        quits = [policy.choose(self.table, list(hand), held, top, True, 0) for top in deck]
        return Fraction(quits.count(twin.QUIT), len(deck))

    def fits(self, seat, hands):
        """Say how likely each hand of one who has quit makes it quit; if none does, the cheapest.

        These are a twentieth of all hands, dealt in so many ways, and those that cost the same.
        """
        chances = {hand: self.chance_to_quit(seat, hand) for hand in hands}
        if any(chances.values()):
            return chances
        costs, ways = defaultdict(int), 0
        for hand, count in hands.items():
            costs[twin.penalty(self.table.rules, list(hand))] += count
        for limit in sorted(costs):
            ways += costs[limit]
            if 20 * ways >= sum(costs.values()):
                break
        return {h: Fraction(twin.penalty(self.table.rules, list(h)) <= limit) for h in hands}

    def roots(self, position):
        """Give the states that agree with a position: all deals in which all who quit would."""
        seats = range(1, position.players)
        unseen = tuple(cards_in(position.unseen(self.rules)))
        ways = [(Fraction(1), {0: tuple(cards_in(position.hand))}, unseen)]
        for seat in seats:
            opponent = position.opponents[seat - 1]
            every = Counter(combinations(unseen, opponent.cards))
            chances = self.fits(seat, every) if opponent.quit else dict.fromkeys(every, 1)
            ways = [
                (chance * count * chances[hand], hands | {seat: hand}, without(left, hand))
                for chance, hands, left in ways
                for hand, count in Counter(combinations(left, opponent.cards)).items()
                if chances[hand]
            ]
        total = sum(chance for chance, _, _ in ways)
        ways = [(chance / total, hands, left) for chance, hands, left in ways]
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
            if action == twin.DRAW:
                for told in self.next_cards(state):
                    found[told] += weight / len(state.unseen)
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

    def next_cards(self, state):
        """List what can be said of each card that seat 0 could draw."""
        rules, hand, top = self.table.rules, list(state.hands[0]), state.top
        values = {twin.NAME_OF[card][0].replace("P", "L") for card in hand}
        for card in state.unseen:
            value = twin.NAME_OF[card][0].replace("P", "L")
            told = {
                "playable": card & self.table.follows[top],
                "new kind": value not in values,
                "llama": value == "L",
                "raises": twin.penalty(rules, [*hand, card]) > twin.penalty(rules, hand),
            }
            yield from (name for name, holds in told.items() if holds)

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
    met = {name for name, chance in chances.items() if chance.value}
    return wrong + [f"{name} cannot be" for name in met - expected.keys()]
