"""Players of Lama Dice who play to win: the last one, two, and one against a fixed player.

Written from the rule book, by plain recursion in exact fractions: the last player to act starts the
next round. Three llamas return the most valuable token, and so does going out.
"""

from fractions import Fraction
from functools import cache

from .dice_solver import BLOWN, LLAMAS, TAKE, Solver, choices_of, roll_of


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


# --- Two players who play to win -------------------------------------------------------------


class PairWins:
    """Best play of both; a value is the chance to win of the player named first.

    worth: (own score, other's score) -> Fraction, the chance to win of a player who has acted last
    in a round that leaves these scores.
    """

    def __init__(self, rules, worth):
        self.rules = rules
        self.worth = worth
        self.solver = Solver(rules)
        self.alone = cache(self._alone)
        self.deciding = cache(self._deciding)
        self.rest = cache(self._rest)

    def _alone(self, against):
        """The play of a player left alone by one whose score is final."""
        return LastWins(self.rules, lambda own: self.worth(own, against))

    def quitting(self, mine, other, row, score, others):
        """The other plays on alone, and acts last whatever follows."""
        against = score + self.solver.penalty(mine)
        return 1 - self.alone(against).value(other, row, others)

    def _deciding(self, mine, other, row, score, others):
        """The better of quitting and rolling."""
        if not self.solver.token(score) and not self.solver.token(others):
            return self._without_tokens(mine, other, row, score, others)
        return max(self.actions(mine, other, row, score, others).values())

    def _without_tokens(self, mine, other, row, score, others):
        """Nothing changes by three llamas: find the decisions that neither would change."""
        llamas = self.solver.llamas(mine, row, False)
        quits = self.quitting(mine, other, row, score, others)
        they_quit = self.quitting(other, mine, row, others, score)
        rest = self.rest(mine, other, row, score, others)
        their_rest = self.rest(other, mine, row, others, score)
        # I roll: rest + llamas · (1 − their value), and the other way round.
        rolling = (rest + llamas * (1 - their_rest - llamas)) / (1 - llamas**2)
        found = set()
        for value, theirs in (
            (quits, they_quit),
            (quits, their_rest + llamas * (1 - quits)),
            (rest + llamas * (1 - they_quit), they_quit),
            (rolling, their_rest + llamas * (1 - rolling)),
        ):
            mine_best = max(quits, rest + llamas * (1 - theirs))
            theirs_best = max(they_quit, their_rest + llamas * (1 - value))
            if (value, theirs) == (mine_best, theirs_best):
                found.add(value)
        (value,) = found
        return value

    def _rest(self, mine, other, row, score, others):
        """What all rolls but three llamas add to the value of rolling."""
        total = Fraction(0)
        for chance, case, choices in self.solver.outcomes(mine, row, False):
            if case != LLAMAS:
                total += chance * max(
                    self.after(case, *choice, other, score, others) for choice in choices
                )
        return total

    def after(self, case, action, mine, row, other, score, others):
        """A choice made: the round ends by it, or it is the other's turn."""
        against = others + self.solver.penalty(other)
        if not mine:
            return self.worth(score - self.solver.token(score), against)
        if case == BLOWN or (case == TAKE and not row and self.rules.empty_row_ends):
            return self.worth(score + self.solver.penalty(mine), against)
        return 1 - self.deciding(other, mine, row, others, score)

    def actions(self, mine, other, row, score, others, shown=None):
        """Every legal action with its value."""
        if shown is not None:
            case, choices = choices_of(self.rules, mine, row, roll_of(shown), False)
            return {
                choice[0]: self.after(case, *choice, other, score, others) for choice in choices
            }
        left = score - self.solver.token(score)
        again = 1 - self.deciding(other, mine, row, others, left)
        llamas = self.solver.llamas(mine, row, False)
        return {
            "quit": self.quitting(mine, other, row, score, others),
            "roll": self.rest(mine, other, row, score, others) + llamas * again,
        }
