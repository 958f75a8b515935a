"""Lama Dice solved in exact fractions, by recursion over the rules of the plain twin.

A hand and a row are strings of cards, sorted, for example "25L". A score is what a player holds in
tokens; values count the tokens returned from now on, not those returned before. All values are of
somebody who wants them low.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

from .dice import all_rolls, full_pack, judge, penalty_of, points_of_kinds, score_after_return

LLAMAS, DISCARD, TAKE, BLOWN = "llamas", "discard", "take", "blown"
CASES = {LLAMAS: "three llamas", DISCARD: "match", TAKE: "miss", BLOWN: "blown"}


def choices_of(rules, hand, row, roll, alone):
    """Judge a roll ({kind: dice}); list what can be done: (action, hand after, row after)."""
    case, allowed = judge(rules, roll, Counter(hand), set(row), alone)
    if case == DISCARD:
        numbers = product(*[range(most + 1) for _, most in allowed])
        chosen = [_cards(allowed, number) for number in numbers if any(number)]
        return case, tuple((f"discard {cards}", without(hand, cards), row) for cards in chosen)
    if case == TAKE:
        return case, tuple(
            (f"take {kind}", "".join(sorted(hand + kind)), without(row, kind)) for kind in allowed
        )
    if case == BLOWN:
        return case, (("blown", "".join(sorted(hand + row)), ""),)
    return case, (("three llamas", hand, row),)


def _cards(allowed, numbers):
    return "".join(kind * number for (kind, _), number in zip(allowed, numbers, strict=True))


def without(cards, removed):
    """Take single cards out of a string of cards."""
    for card in removed:
        cards = cards.replace(card, "", 1)
    return cards


def roll_of(shown):
    """Read dice written as cards, for example "13L"."""
    return dict(Counter(sorted(shown)))


# --- Chances ---------------------------------------------------------------------------------


def next_chances(rules, hand, row, alone, shown=None):
    """Add up the outcomes of the next roll, or of the dice shown, by everything they allow."""
    rolls = all_rolls(rules.faces) if shown is None else [roll_of(shown)]
    ways = Counter({name: 0 for name in (*CASES.values(), "out")})
    for roll in rolls:
        case, choices = choices_of(rules, hand, row, roll, alone)
        ways[CASES[case]] += 1
        if case in (DISCARD, TAKE):
            ways.update(action for action, _, _ in choices)
            ways["out"] += any(not left for _, left, _ in choices)
        if case == DISCARD:
            ways.update(f"match {kind}" for kind in roll if kind in hand)
    return {name: Fraction(count, len(rolls)) for name, count in ways.items()}


def deal_chances(rules):
    """Give each hand (a string of cards) its chance to be dealt, one card after another."""
    chances = {"": Fraction(1)}
    for _ in range(rules.dealt):
        longer = Counter()
        for hand, chance in chances.items():
            left = Counter(full_pack(rules)) - Counter(hand)
            for card, number in left.items():
                longer["".join(sorted(hand + card))] += chance * number / left.total()
        chances = longer
    return chances


# --- Values ----------------------------------------------------------------------------------


class Solver:
    """The best play of one rule set: the last player alone, and two players in a two-player round.

    Three llamas without a token change nothing: alone the same decision comes again, and of two
    players without tokens each situation leads to the other's. Everything else reduces cards or
    tokens, so the rest is a recursion.
    """

    def __init__(self, rules):
        self.rules = rules
        self.points = points_of_kinds(rules)
        self.rolls = all_rolls(rules.faces)
        self.outcomes = cache(self._outcomes)
        self.alone = cache(self._alone)
        self.pair = cache(self._pair)
        self._pair_without_llamas = cache(self._sum_pair_without_llamas)

    def penalty(self, hand):
        """Add up the points of a hand."""
        return penalty_of(self.points, set(hand))

    def token(self, score):
        """Value of the token returned at a score; 0 if there is none."""
        return score - score_after_return(self.rules, score)

    def _outcomes(self, hand, row, alone):
        """List (chance, case, choices) of a roll, outcomes that allow the same together."""
        found = Counter(choices_of(self.rules, hand, row, roll, alone) for roll in self.rolls)
        return [(Fraction(ways, len(self.rolls)), *key) for key, ways in found.items()]

    def llamas(self, hand, row, alone):
        """Chance of three llamas that are not blown."""
        return sum(chance for chance, case, _ in self.outcomes(hand, row, alone) if case == LLAMAS)

    # The last player alone: the points from now to the end of the round.

    def _alone(self, hand, row, score):
        """Value of the decision between quitting and rolling."""
        quitting, rolling = self.penalty(hand), self._alone_without_llamas(hand, row, score)
        llamas, token = self.llamas(hand, row, True), self.token(score)
        if token:
            again = self.alone(hand, row, score - token) - token
            return min(quitting, rolling + llamas * again)
        # A player who rolls now rolls again after three llamas.
        return min(quitting, rolling / (1 - llamas))

    def _alone_without_llamas(self, hand, row, score):
        """What all rolls but three llamas add to the value of rolling."""
        total = Fraction(0)
        for chance, case, choices in self.outcomes(hand, row, True):
            if case != LLAMAS:
                total += chance * min(self.alone_after(case, *choice, score) for choice in choices)
        return total

    def alone_after(self, case, action, hand, row, score):
        """Value to the last player after a choice."""
        if case == BLOWN:
            return self.penalty(hand)
        return self.alone(hand, row, score) if hand else -self.token(score)

    def alone_actions(self, hand, row, score, shown=None):
        """Value of every action of the last player, by its name."""
        if shown is not None:
            case, choices = choices_of(self.rules, hand, row, roll_of(shown), True)
            return {choice[0]: self.alone_after(case, *choice, score) for choice in choices}
        token = self.token(score)
        again = self.alone(hand, row, score - token) - token
        rolling = self._alone_without_llamas(hand, row, score)
        return {
            "quit": self.penalty(hand),
            "roll": rolling + self.llamas(hand, row, True) * again,
        }

    # Two players: the first one's points minus the other's. The first one named decides.

    def _pair(self, mine, other, row, score, other_score):
        """Value of the decision between quitting and rolling."""
        token = self.token(score)
        if not token and not self.token(other_score):
            return self._pair_without_tokens(mine, other, row)
        actions = self.pair_actions(mine, other, row, score, other_score)
        return min(actions.values())

    def _pair_without_tokens(self, mine, other, row):
        """Value to the first player if nobody has a token: try all four ways the two can decide.

        Each pair of decisions gives two equations; it is the solution if nobody wants to change.
        """
        llamas = self.llamas(mine, row, False)
        a_quits, b_quits = self.quitting(mine, other, row, 0), self.quitting(other, mine, row, 0)
        a_rest = self._pair_without_llamas(mine, other, row, 0, 0)
        b_rest = self._pair_without_llamas(other, mine, row, 0, 0)
        both_roll = (a_rest - llamas * b_rest) / (1 - llamas**2)
        solutions = set()
        for a, b in (
            (a_quits, b_quits),
            (a_quits, b_rest - llamas * a_quits),
            (a_rest - llamas * b_quits, b_quits),
            (both_roll, b_rest - llamas * both_roll),
        ):
            if a == min(a_quits, a_rest - llamas * b) and b == min(b_quits, b_rest - llamas * a):
                solutions.add((a, b))
        ((value, _),) = solutions
        return value

    def quitting(self, mine, other, row, other_score):
        """Value of quitting: the other plays on alone."""
        return self.penalty(mine) - self.alone(other, row, other_score)

    def _sum_pair_without_llamas(self, mine, other, row, score, other_score):
        """What all rolls but three llamas add to the value of rolling."""
        total = Fraction(0)
        for chance, case, choices in self.outcomes(mine, row, False):
            if case != LLAMAS:
                total += chance * min(
                    self.pair_after(case, *choice, other, score, other_score) for choice in choices
                )
        return total

    def pair_after(self, case, action, mine, row, other, score, other_score):
        """Value to the player who has just chosen."""
        if not mine:
            return -self.token(score) - self.penalty(other)
        if case == BLOWN or (case == TAKE and not row and self.rules.empty_row_ends):
            return self.penalty(mine) - self.penalty(other)
        return -self.pair(other, mine, row, other_score, score)

    def pair_actions(self, mine, other, row, score, other_score, shown=None):
        """Value of every action of the player to decide, by its name."""
        if shown is not None:
            case, choices = choices_of(self.rules, mine, row, roll_of(shown), False)
            return {
                choice[0]: self.pair_after(case, *choice, other, score, other_score)
                for choice in choices
            }
        token = self.token(score)
        rolling = self._pair_without_llamas(mine, other, row, score, other_score)
        after_llamas = -token - self.pair(other, mine, row, other_score, score - token)
        return {
            "quit": self.quitting(mine, other, row, other_score),
            "roll": rolling + self.llamas(mine, row, False) * after_llamas,
        }
