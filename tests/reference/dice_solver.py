"""Lama Dice solved in exact fractions, by recursion over the rules of the plain twin.

A hand and a row are strings of cards, sorted, for example "25L". A score is what a player holds in
tokens; values count the tokens returned from now on, not those returned before. All values are of
somebody who wants them low.
"""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import count, product

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


# --- Chances of every way a round can end, for players of fixed policies ---------------------


@dataclass(frozen=True)
class State:
    """A situation: all cards, the players still in (the one to decide first), the scores."""

    hands: tuple
    row: str
    waiting: tuple
    scores: tuple

    @property
    def seat(self):
        """The seat that decides."""
        return self.waiting[0]

    @property
    def hand(self):
        """The cards of the one to decide."""
        return self.hands[self.seat]

    @property
    def alone(self):
        """Whether all others have quit."""
        return len(self.waiting) == 1


@dataclass(frozen=True)
class End:
    """How a round ended ("out", "blown", "row", "quit"), by whom, and what it costs everybody."""

    how: str
    seat: int
    penalties: tuple
    scores: tuple


class Threshold:
    """Quit at this many points or fewer, discard all one can, take the lowest card."""

    def __init__(self, solver, limit):
        self.solver = solver
        self.limit = limit

    def quits(self, state):
        return self.solver.penalty(state.hand) <= self.limit

    def choose(self, state, case, choices):
        return min(choices, key=lambda choice: len(choice[1])) if case == DISCARD else choices[0]


class Best:
    """Play as the solver says, alone or against one other; of equal choices most cards go.

    Where the best is not settled by this, `tied` says so afterwards.
    """

    def __init__(self, solver):
        self.solver = solver
        self.tied = False

    def quits(self, state):
        if state.alone:
            score = state.scores[state.seat]
            values = self.solver.alone_actions(state.hand, state.row, score)
        else:
            values = self.solver.pair_actions(state.hand, *_facing(state))
        self.tied |= values["quit"] == values["roll"]
        return values["quit"] <= values["roll"]

    def choose(self, state, case, choices):
        ranked = sorted(
            (self._value(state, case, choice), len(choice[1]), number)
            for number, choice in enumerate(choices)
        )
        best = ranked[0]
        if len(ranked) > 1 and ranked[1][:2] == best[:2]:
            self.tied = True
        return choices[best[2]]

    def _value(self, state, case, choice):
        if state.alone:
            return self.solver.alone_after(case, *choice, state.scores[state.seat])
        other, _, *scores = _facing(state)
        return self.solver.pair_after(case, *choice, other, *scores)


def _facing(state):
    """What the one to decide faces: the other's cards, the row, both scores."""
    other = state.waiting[1]
    return state.hands[other], state.row, state.scores[state.seat], state.scores[other]


class Chain:
    """The ends of a round of players who follow these policies, with their chances.

    Chance flows from situation to situation. Each move makes tokens, the row, the cards or the
    players waiting fewer; where three llamas make nothing fewer, they are followed round the table.
    """

    def __init__(self, solver, policies):
        self.solver = solver
        self.rules = solver.rules
        self.policies = policies

    def after(self, state, action, shown=None):
        """Chances of the ends after this action of the one to decide: {End: chance}."""
        if action == "quit":
            return self._flow({self.after_quitting(state): Fraction(1)})
        if action == "roll":
            return self._flow(self._one_roll(state))
        case, choices = choices_of(self.rules, state.hand, state.row, roll_of(shown), state.alone)
        (choice,) = [choice for choice in choices if choice[0] == action]
        return self._flow({self._after_choice(state, case, choice): Fraction(1)})

    def _flow(self, waiting):
        """Let the chances of situations flow, those of most tokens and cards first."""
        ends, number = Counter(), count()
        order = [(_urgency(state), next(number), state) for state in waiting]
        heapify(order)
        while order:
            *_, state = heappop(order)
            chance = waiting.pop(state)
            if isinstance(state, End):
                ends[state] += chance
                continue
            for after, part in self._decided(state).items():
                if after not in waiting:
                    waiting[after] = 0
                    heappush(order, (_urgency(after), next(number), after))
                waiting[after] += chance * part
        return ends

    def _decided(self, state):
        """Where a decision leads: {situation or end: chance}."""
        if self.policies[state.seat].quits(state):
            return {self.after_quitting(state): Fraction(1)}
        total, chance, now = Counter(), Fraction(1), state
        while True:
            self._add_moves(total, chance, now)
            chance *= self.solver.llamas(now.hand, now.row, now.alone)
            now = self._after_llamas(now)
            if now == state:
                return {after: part / (1 - chance) for after, part in total.items()}
            if not chance:
                return total
            if now.scores != state.scores or self.policies[now.seat].quits(now):
                total[now] += chance
                return total

    def _one_roll(self, state):
        """Where one roll leads, whatever the policy says to rolling."""
        total = Counter()
        self._add_moves(total, 1, state)
        llamas = self.solver.llamas(state.hand, state.row, state.alone)
        if llamas:
            total[self._after_llamas(state)] += llamas
        return total

    def _add_moves(self, total, chance, state):
        """Add what every roll but three llamas leads to."""
        for part, case, choices in self.solver.outcomes(state.hand, state.row, state.alone):
            if case != LLAMAS:
                total[self._chosen(state, case, choices)] += chance * part

    def after_roll(self, state, roll):
        """Where a roll ({kind: dice}) leads."""
        case, choices = choices_of(self.rules, state.hand, state.row, roll, state.alone)
        if case == LLAMAS:
            return self._after_llamas(state)
        return self._chosen(state, case, choices)

    def _chosen(self, state, case, choices):
        choice = choices[0]
        if len(choices) > 1:
            choice = self.policies[state.seat].choose(state, case, choices)
        return self._after_choice(state, case, choice)

    def after_quitting(self, state):
        """Where quitting leads."""
        if state.alone:
            return self._end("quit", state.seat, state.hands, state.scores)
        return replace(state, waiting=state.waiting[1:])

    def _after_llamas(self, state):
        scores = list(state.scores)
        scores[state.seat] -= self.solver.token(scores[state.seat])
        waiting = (*state.waiting[1:], state.seat)
        return replace(state, scores=tuple(scores), waiting=waiting)

    def _after_choice(self, state, case, choice):
        _, hand, row = choice
        seat, hands, scores = state.seat, list(state.hands), list(state.scores)
        hands[seat] = hand
        how = None
        if not hand:
            how = "out"
            scores[seat] -= self.solver.token(scores[seat])
        elif case == BLOWN:
            how = "blown"
        elif case == TAKE and not row and self.rules.empty_row_ends:
            how = "row"
        if how:
            return self._end(how, seat, hands, scores)
        return State(tuple(hands), row, (*state.waiting[1:], seat), tuple(scores))

    def _end(self, how, seat, hands, scores):
        penalties = tuple(self.solver.penalty(hand) for hand in hands)
        return End(how, seat, penalties, tuple(scores))


def _urgency(state):
    """Rank what lies on the table, most first; ends are last."""
    if isinstance(state, End):
        return (1,)
    cards = sum(len(hand) for hand in state.hands)
    return -sum(state.scores), -len(state.row), -cards, -len(state.waiting)


# --- What the ends come to -------------------------------------------------------------------


def share(ends, holds):
    """Chance of the ends of which something holds."""
    return sum((chance for end, chance in ends.items() if holds(end)), Fraction(0))


def points(ends, seat, before):
    """Expected change of a seat's score to the end of the round."""
    return sum(
        chance * (end.penalties[seat] + end.scores[seat] - before[seat])
        for end, chance in ends.items()
    )


def margin(ends, before):
    """Points of seat 0 minus the mean of the others'."""
    mine, *others = [points(ends, seat, before) for seat in range(len(before))]
    return mine - sum(others) / len(others)


def event_chances(ends):
    """Chances of what can happen to seat 0, by the names of the product."""
    found = {
        "out": share(ends, lambda end: (end.how, end.seat) == ("out", 0)),
        "blown": share(ends, lambda end: (end.how, end.seat) == ("blown", 0)),
        "last": share(ends, lambda end: end.penalties[0] == max(end.penalties)),
        "other out": share(ends, lambda end: end.how == "out" and end.seat != 0),
        "other blown": share(ends, lambda end: end.how == "blown" and end.seat != 0),
    }
    for end, chance in ends.items():
        name = f"penalty {end.penalties[0]}"
        found[name] = found.get(name, 0) + chance
    return found
