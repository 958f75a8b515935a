"""The best response to a fixed player in a two-player round of Lama Dice, in exact fractions.

Written from the rule book, by plain recursion. What the fixed player does is
looked up, one situation after another.
"""

from fractions import Fraction
from functools import cache

from .dice import cards_text
from .dice_last import LastWins
from .dice_solver import BLOWN, LLAMAS, TAKE, Solver, choices_of


class Response:
    """Best play against a fixed player; a value is the chance to win of the player who responds.

    worths: of the player who responds and of the fixed one: (own score, other's score) -> Fraction.
    It is that player's chance to win after acting last in a round that leaves these scores.
    decide: what the fixed player does: (hand, other's hand or None, row, own score, other's score,
    dice shown or None) -> action. Without a hand the other has quit, and the score is final.
    """

    def __init__(self, rules, worths, decide):
        self.rules = rules
        self.worths = worths
        self.decide = decide
        self.solver = Solver(rules)
        self.alone = cache(self._alone)
        self.left_alone = cache(self._left_alone)
        self.deciding = cache(self._deciding)
        self.waiting = cache(self._waiting)

    def _alone(self, against):
        """The play of the player who responds, left alone."""
        return LastWins(self.rules, lambda own: self.worths[0](own, against))

    def _left_alone(self, hand, row, score, against):
        """The chance to win of the fixed player, left alone by one whose score is final."""
        if self.decide(hand, None, row, score, against, None) == "quit":
            return self.worths[1](score + self.solver.penalty(hand), against)
        total, llamas, token = Fraction(0), Fraction(0), self.solver.token(score)
        for chance, shown, case, choices in self.rolls(hand, row, True):
            if case == LLAMAS:
                if token:
                    total += chance * self.left_alone(hand, row, score - token, against)
                else:
                    llamas += chance
                continue
            asked = hand, None, row, score, against, shown
            _, after, row_after = self.chosen(choices, asked)
            if case == BLOWN:
                total += chance * self.worths[1](score + self.solver.penalty(after), against)
            elif not after:
                total += chance * self.worths[1](score - token, against)
            else:
                total += chance * self.left_alone(after, row_after, score, against)
        return total / (1 - llamas)

    def rolls(self, hand, row, alone):
        """List every roll: its chance, the dice shown, the case, the choices."""
        rolls = self.solver.rolls
        return [
            (
                Fraction(1, len(rolls)),
                cards_text(roll.items()),
                *choices_of(self.rules, hand, row, roll, alone),
            )
            for roll in rolls
        ]

    def chosen(self, choices, asked):
        """The choice of the fixed player."""
        if len(choices) == 1:
            return choices[0]
        action = self.decide(*asked)
        (found,) = [choice for choice in choices if choice[0] == action]
        return found

    def quits(self, mine, other, row, score, others):
        """The player who responds quits, and the fixed one continues alone."""
        against = score + self.solver.penalty(mine)
        return 1 - self.left_alone(other, row, others, against)

    def other_quits(self, mine, other, row, score, others):
        """The fixed player quits, and the one who responds continues alone."""
        return self.alone(others + self.solver.penalty(other)).value(mine, row, score)

    def _deciding(self, mine, other, row, score, others):
        """The player who responds decides."""
        quits = self.quits(mine, other, row, score, others)
        token, llamas = self.solver.token(score), self.solver.llamas(mine, row, False)
        rest = self.rest(mine, other, row, score, others)
        if token or self.solver.token(others):
            after = self.waiting(mine, other, row, score - token, others)
            return max(quits, rest + llamas * after)
        fixed = mine, other, row, score, others
        if self.decide(other, mine, row, others, score, None) == "quit":
            return max(quits, rest + llamas * self.other_quits(*fixed))
        their_rest = self.their_rest(*fixed)
        # Three llamas pass the turn on, and nothing has changed.
        return max(quits, (rest + llamas * their_rest) / (1 - llamas**2))

    def _waiting(self, mine, other, row, score, others):
        """The fixed player decides."""
        if self.decide(other, mine, row, others, score, None) == "quit":
            return self.other_quits(mine, other, row, score, others)
        token, llamas = self.solver.token(others), self.solver.llamas(other, row, False)
        after = self.deciding(mine, other, row, score, others - token)
        return self.their_rest(mine, other, row, score, others) + llamas * after

    def rest(self, mine, other, row, score, others):
        """What all rolls but three llamas of the player who responds add."""
        total = Fraction(0)
        for chance, case, choices in self.solver.outcomes(mine, row, False):
            if case != LLAMAS:
                total += chance * max(
                    self.after(case, *choice, other, score, others) for choice in choices
                )
        return total

    def after(self, case, action, mine, row, other, score, others):
        """A choice of the player who responds."""
        against = others + self.solver.penalty(other)
        if not mine:
            return self.worths[0](score - self.solver.token(score), against)
        if case == BLOWN or (case == TAKE and not row and self.rules.empty_row_ends):
            return self.worths[0](score + self.solver.penalty(mine), against)
        return self.waiting(mine, other, row, score, others)

    def their_rest(self, mine, other, row, score, others):
        """What all rolls but three llamas of the fixed player add."""
        total = Fraction(0)
        for chance, shown, case, choices in self.rolls(other, row, False):
            if case == LLAMAS:
                continue
            choice = self.chosen(choices, (other, mine, row, others, score, shown))
            total += chance * self.after_theirs(case, *choice, mine, score, others)
        return total

    def after_theirs(self, case, action, other, row, mine, score, others):
        """A choice of the fixed player."""
        against = score + self.solver.penalty(mine)
        if not other:
            return 1 - self.worths[1](others - self.solver.token(others), against)
        if case == BLOWN or (case == TAKE and not row and self.rules.empty_row_ends):
            return 1 - self.worths[1](others + self.solver.penalty(other), against)
        return self.deciding(mine, other, row, score, others)
