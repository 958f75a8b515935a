"""A round laid out by hand, for the tests that follow a rule book."""

from lama_odds.games.dice.records.record import Record, position_after
from lama_odds.games.dice.records.round import Round
from lama_odds.games.dice.rules.feasibility import parse_position
from lama_odds.games.dice.rules.odds import legal_actions
from lama_odds.games.dice.rules.ruleset import parse_rules

KINDS = "123456L"


def counts(cards):
    """Count cards written as 25L."""
    assert set(cards) <= set(KINDS)
    return tuple(cards.count(kind) for kind in KINDS)


def text(counted):
    """Write counted cards."""
    return "".join(kind * number for kind, number in zip(KINDS, counted, strict=True))


class Table:
    """A round under a rule set, spoken to in the letters of cards and dice."""

    def __init__(self, rules_id, *hands, scores=None, first=0, row=KINDS):
        self.rules = parse_rules(rules_id)
        start = list(scores) if scores else [0] * len(hands)
        self.round = Round(self.rules, [counts(hand) for hand in hands], start, first)
        self.round.row = sum(1 << KINDS.index(kind) for kind in row)

    def roll(self, dice):
        """Roll these dice; give what it means: llamas, match, miss or blown."""
        return self.round.roll(tuple(sorted(KINDS.index(kind) for kind in dice)))

    def choices(self):
        """List what the player to act may do, as the advice names it."""
        found = Record(self.rules, len(self.round.hands), rounds=[self.round])
        return legal_actions(self.rules, position_after(found))

    def discard(self, cards):
        """Discard cards by the roll that lies there."""
        self.round.discard(counts(cards))

    def take(self, kind):
        """Take a card of the row by the roll that lies there."""
        self.round.take(KINDS.index(kind))

    def quit(self, times=1):
        """Let one seat after another quit."""
        for _ in range(times):
            self.round.quit()

    @property
    def hands(self):
        """The cards of everybody."""
        return [text(hand) for hand in self.round.hands]

    @property
    def row(self):
        """The llama row."""
        return "".join(kind for at, kind in enumerate(KINDS) if self.round.row >> at & 1)

    @property
    def seat(self):
        """The seat to act."""
        return self.round.seat

    @property
    def scores(self):
        """The points in tokens, before the penalties of the round."""
        return self.round.scores

    @property
    def ended(self):
        """How the round ended, or None."""
        return self.round.ended

    @property
    def penalties(self):
        """What everybody's cards cost."""
        return self.round.penalties


def choices_at(rules_id, position):
    """List what may be done at a position in the notation of the product."""
    rules = parse_rules(rules_id)
    return legal_actions(rules, parse_position(rules, position))
