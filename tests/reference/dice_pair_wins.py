"""Two players of Lama Dice who play to win the game, in exact fractions.

Written from the rule book: the last player to act starts the next round. Three llamas return the
most valuable token, and so does going out.
"""

from fractions import Fraction
from functools import cache

from .dice_last import LastWins
from .dice_solver import BLOWN, LLAMAS, TAKE, Solver, choices_of, roll_of


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
