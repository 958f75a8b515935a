"""The last player of Lama Dice, who plays to win the game, in exact fractions."""

from fractions import Fraction
from functools import cache

from .dice_solver import BLOWN, LLAMAS, Solver, choices_of, roll_of


class LastWins:
    """Best play for a payoff: the chance to win by the own score after the round.

    worth: score -> Fraction, the higher the better.
    """

    def __init__(self, rules, worth):
        self.rules = rules
        self.worth = worth
        self.solver = Solver(rules)
        self.value = cache(self._value)

    def quitting(self, hand, score):
        """The cards count, and the round is over."""
        return self.worth(score + self.solver.penalty(hand))

    def _value(self, hand, row, score):
        """The value of deciding.

        After three llamas without a token the decision is the same again.
        """
        return max(self.quitting(hand, score), self.rolling(hand, row, score))

    def rolling(self, hand, row, score):
        """Roll, then do what is best."""
        total, llamas = Fraction(0), Fraction(0)
        token = self.solver.token(score)
        for chance, case, choices in self.solver.outcomes(hand, row, True):
            if case != LLAMAS:
                total += chance * max(self.after(case, *choice, score) for choice in choices)
            elif token:
                total += chance * self.value(hand, row, score - token)
            else:
                llamas += chance
        # Rolling again is no better than now, or it would be quit; so the same roll again.
        return max(total / (1 - llamas), total + llamas * self.quitting(hand, score))

    def after(self, case, action, hand, row, score):
        """A choice made: the round continues, or ends."""
        if case == BLOWN:
            return self.quitting(hand, score)
        if not hand:
            return self.worth(score - self.solver.token(score))
        return self.value(hand, row, score)

    def actions(self, hand, row, score, shown=None):
        """Every legal action with its value."""
        if shown is None:
            return {
                "quit": self.quitting(hand, score),
                "roll": self.rolling(hand, row, score),
            }
        case, choices = choices_of(self.rules, hand, row, roll_of(shown), True)
        return {choice[0]: self.after(case, *choice, score) for choice in choices}


def share(own, others):
    """Of a game that ends: the win, shared by all who are equally low."""
    lowest = min(own, *others)
    equal = sum(score == lowest for score in (own, *others))
    return Fraction(int(own == lowest), equal)
