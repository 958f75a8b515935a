"""Find why a position of Lama Dice cannot occur: all its defects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lama_odds.core.errors import Defect
from lama_odds.core.language import say
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.odds import can_cost, penalty_of, takes_left
from lama_odds.games.dice.rules.position import (
    Counts,
    Position,
    card_text,
    counts_mask,
    mask_counts,
    read_position,
    roll_case,
)
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.interface.capabilities import (
    POINTS,
    Guessed,
    around,
    fewest_held,
    guessed_from,
    hands_in_words,
    named,
)
from lama_odds.games.interface.defects import (
    check_decision,
    defects_of_players,
    too_many_in_sight,
)


def parse_position(rules: DiceRules, text: str) -> Position:
    """Read a position with a decision.

    Raises ReadError (with the place), ImpossibleError (with all defects) or NothingToDecideError.
    """
    position = read_position(text)
    defects = find_defects(rules, position)
    if defects:  # an ending is one of them
        check_decision(defects, find_endings(rules, position))
    return position


def find_defects(rules: DiceRules, position: Position) -> list[str]:
    """Return every reason why a position with your decision cannot occur; empty if it can."""
    return [
        *defects_of_players(rules, position),
        *_defects_of_cards(rules, position),
        *_defects_of_end(rules, position),
        *_defects_of_roll(rules, position),
    ]


def find_endings(rules: DiceRules, position: Position) -> list[str]:
    """Return how play has ended at a position, with what happens then."""
    return [*_endings_of_round(rules, position), *_endings_of_roll(rules, position)]


def _defects_of_cards(rules: DiceRules, position: Position) -> list[str]:
    hands = [(0, position.hand)]
    hands += [(i, other.cards) for i, other in enumerate(position.opponents, 1) if other.cards]
    taken = FULL_ROW & ~position.row
    defects: list[str] = []
    for kind in range(KINDS):
        held = [cards[kind] for _, cards in hands]
        kinds = _said_of_kind(rules, kind, held, bool(taken >> kind & 1))
        defects += [Defect(sentence, "row") for sentence in kinds]
    for seat, cards in hands:
        if _dealt_at_least(cards, taken) > rules.dealt:
            sentence = _said_of_hand(seat, sum(cards), rules.dealt)
            defects.append(Defect(sentence, "opp" if seat else "hand", seat))
    if not defects and not takes_left(rules, [cards for _, cards in hands], taken):
        defects.append(
            say(
                "more than {dealt} cards in several hands, but too few taken from the row",
                dealt=rules.dealt,
            )
        )
    return defects


def _said_of_hand(seat: int, cards: int, dealt: int) -> str:
    if seat:
        return say(
            "opponent {seat} has {cards} cards: at most {dealt} were dealt, and only kinds that "
            "are missing from the row can have been taken",
            seat=seat,
            cards=cards,
            dealt=dealt,
        )
    return say(
        "your hand has {cards} cards: at most {dealt} were dealt, and only kinds that are missing "
        "from the row can have been taken",
        cards=cards,
        dealt=dealt,
    )


def _said_of_kind(rules: DiceRules, kind: int, held: list[int], taken: bool) -> list[str]:
    """Return whether there are too many cards of a kind, in all or among those dealt.

    A player who takes a card from the row holds no other of its kind. So that card is still held
    only if someone holds exactly one of the kind.
    """
    name, dealt = NAMES[kind], rules.dealt_from[kind]
    seen = sum(held) + (not taken)
    if seen > rules.in_play[kind]:
        return [too_many_in_sight(seen, name, rules.in_play[kind])]
    if sum(held) > dealt and 1 not in held:
        return [
            say(
                "{cards} cards {card} are in hands, but {dealt} can be dealt, and none was taken "
                "(you can take one only if you hold no other)",
                cards=sum(held),
                card=name,
                dealt=dealt,
            )
        ]
    return []


def _dealt_at_least(cards: Counts, taken: int) -> int:
    """Return how many cards of a hand must have been dealt; taken: kinds missing from the row."""
    return sum(cards) - sum(1 for k in range(KINDS) if cards[k] == 1 and taken >> k & 1)


def _defects_of_end(rules: DiceRules, position: Position) -> list[str]:
    defects: list[str] = [
        Defect(
            say(
                "opponent {seat} has quit without a card: a player without cards has gone out",
                seat=i,
            ),
            "opp",
            i,
        )
        for i, opponent in enumerate(position.opponents, 1)
        if opponent.quit and opponent.cards is not None and not any(opponent.cards)
    ]
    defects += _defects_of_quitters(rules, position)
    return defects + _endings_of_round(rules, position)


def _endings_of_round(rules: DiceRules, position: Position) -> list[str]:
    endings: list[str] = []
    penalty = penalty_of(rules, position.hand)
    if not any(position.hand):
        ending = say("the round is over: you have no card left and return a token if you hold one")
        endings.append(Defect(ending, "hand"))
    endings += [
        Defect(
            say(
                "the round is over: opponent {seat} has no card left; your penalty is {penalty}",
                seat=i,
                penalty=penalty,
            ),
            "opp",
            i,
        )
        for i, opponent in enumerate(position.opponents, 1)
        if not opponent.quit and opponent.cards is not None and not any(opponent.cards)
    ]
    if not position.row and rules.empty_row_ends:
        ending = say(
            "the round is over: the llama row is empty; your penalty is {penalty}", penalty=penalty
        )
        endings.append(Defect(ending, "row"))
    return endings


def _defects_of_quitters(rules: DiceRules, position: Position) -> list[str]:
    """Return penalties that the hidden cards cannot give, one by one and then together."""
    quitters = {i: o.penalty for i, o in enumerate(position.opponents, 1) if o.penalty is not None}
    if not quitters:
        return []
    shown = [position.hand, *(o.cards for o in position.opponents if o.cards)]
    left = _not_shown(rules, shown, position.row)
    defects: list[str] = [
        Defect(
            say(
                "opponent {seat} cannot have quit with a penalty of {penalty}",
                seat=i,
                penalty=penalty,
            ),
            "opp",
            i,
        )
        for i, penalty in quitters.items()
        if not can_cost(rules, shown, position.row, left, [penalty])
    ]
    penalties = list(quitters.values())
    together = len(penalties) > 1
    if together and not defects and not can_cost(rules, shown, position.row, left, penalties):
        names, costs = (", ".join(map(str, numbers)) for numbers in (quitters, penalties))
        sentence = say(
            "opponents {seats} cannot all have quit with penalties of {penalties}: only the cards "
            "{cards} are left for them together",
            seats=names,
            penalties=costs,
            cards=card_text(left),
        )
        defects.append(Defect(sentence, "opp", min(quitters)))
    return defects


def _not_shown(rules: DiceRules, shown: Sequence[Counts], row: int) -> Counts:
    """Return the cards of each kind that can be in hidden hands."""
    return tuple(
        max(0, dealt + (not row >> kind & 1) - sum(cards[kind] for cards in shown))
        for kind, dealt in enumerate(rules.dealt_from)
    )


def _defects_of_roll(rules: DiceRules, position: Position) -> list[str]:
    if position.rolled is None:
        return []
    if position.rolled not in rules.sorted_rolls:
        return [Defect(rules.cannot_show(position.rolled), "rolled")]
    return _endings_of_roll(rules, position)


def _endings_of_roll(rules: DiceRules, position: Position) -> list[str]:
    if position.rolled is None or position.rolled not in rules.sorted_rolls:
        return []
    shown = "".join(NAMES[k] for k in position.rolled)
    case = roll_case(rules, position, position.rolled)
    if case == transition.LLAMAS:
        if position.others_in:
            ending = say(
                "the turn is over: after {dice} you return a token if you hold one; then the next "
                "player's turn comes",
                dice=shown,
            )
        else:
            ending = say(
                "the turn is over: after {dice} you return a token if you hold one; then you may "
                "roll again",
                dice=shown,
            )
        return [Defect(ending, "rolled")]
    if case == transition.BLOWN:
        kinds = transition.blown_kinds(counts_mask(position.hand), position.row)
        penalty = int(rules.penalties[kinds])
        ending = say(
            "the round is over: {dice} is blown; with the llama row your penalty is {penalty}",
            dice=shown,
            penalty=penalty,
        )
        return [Defect(ending, "rolled")]
    return []


# What of a position of Lama Dice is a guess, and the same position with other guesses.

FEWER_IN_ROW = (-4, -2, 2)  # cards in other rows, against the one that is a guess


def other_guesses(rules: DiceRules, position: Position) -> tuple[Guessed, ...]:
    """Return what is a guess, each with the position for other values of it."""
    guesses = [_hands(rules, position), *_penalties(rules, position), _row(rules, position)]
    return tuple(one for one in guesses if one is not None)


def _hands(rules: DiceRules, position: Position) -> Guessed | None:
    """Return the hands of players still in: the fewest cards in one of them."""
    sizes = {
        seat: sum(other.cards)
        for seat, other in enumerate(position.opponents, 1)
        if other.guess and not other.quit and other.cards
    }
    if not sizes:
        return None

    def resized(wanted: Mapping[int, int]) -> Position:
        opponents = tuple(
            replace(other, cards=_of_size(other.cards, wanted[seat]))
            if seat in wanted and other.cards
            else other
            for seat, other in enumerate(position.opponents, 1)
        )
        return replace(position, opponents=opponents)

    tried = fewest_held(sizes, resized, position)
    words = hands_in_words([*sizes], len(sizes) == position.others_in)
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words, whole=True)


def _of_size(cards: Counts, size: int) -> Counts:
    """Return a hand of another size: without cards held most often, or with kinds not held."""
    counts = list(cards)
    while sum(counts) > size:
        counts[max(range(KINDS), key=lambda kind: (counts[kind], kind))] -= 1
    while sum(counts) < size:
        counts[min(range(KINDS), key=lambda kind: (counts[kind], kind))] += 1
    return tuple(counts)


def _penalties(rules: DiceRules, position: Position) -> list[Guessed | None]:
    """Return the penalties of players who have quit, each on its own."""
    guesses: list[Guessed | None] = []
    for seat, other in enumerate(position.opponents, 1):
        if not other.quit or not other.guess:
            continue
        penalty = other.penalty or 0
        if other.cards is not None:
            penalty = penalty_of(rules, other.cards)
        low, high = around(penalty, 1, rules.most_points)
        tried = {penalty: position}
        for values in (range(low, penalty), range(high, penalty, -1)):
            fits = (_quit_with(position, seat, value) for value in values)
            nearest = next((one for one in fits if _occurs(rules, one)), None)
            if nearest is not None:
                tried[nearest.opponents[seat - 1].penalty or 0] = nearest
        who = named([seat])
        words = (
            say("the penalty of {who} is a guess", who=who),
            say("{who} quit with {amount}", who=who, amount="{}"),
        )
        guesses.append(guessed_from(tried, position, lambda _: True, words, unit=POINTS))
    return guesses


def _quit_with(position: Position, seat: int, penalty: int) -> Position:
    opponents = list(position.opponents)
    opponents[seat - 1] = replace(opponents[seat - 1], cards=None, penalty=penalty)
    return replace(position, opponents=tuple(opponents))


def _row(rules: DiceRules, position: Position) -> Guessed | None:
    """Return the llama row: other numbers of cards, the lowest ones being taken first."""
    if not position.row_guess:
        return None
    there = mask_counts(position.row)
    tried = {sum(there): position}
    for more in FEWER_IN_ROW:
        kinds = [kind for kind in range(KINDS) if bool(there[kind]) == (more < 0)]
        chosen = kinds[: abs(more)] if more < 0 else kinds[::-1][:more]
        changed = tuple(there[kind] ^ (kind in chosen) for kind in range(KINDS))
        if len(chosen) == abs(more) and any(changed):
            tried[sum(changed)] = replace(position, row=counts_mask(changed))
    words = (
        say("the llama row is a guess"),
        say("the llama row has {amount}", amount="{}"),
    )
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words)


def _occurs(rules: DiceRules, position: Position) -> bool:
    return not find_defects(rules, position)
