"""Find why a position of the card games cannot occur: all its defects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lama_odds.core.errors import Defect
from lama_odds.core.language import say
from lama_odds.games.interface.capabilities import (
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
from lama_odds.games.lama.rules.position import (
    Position,
    is_ordered,
    pile_left,
    possible_draws,
    read_position,
)
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules


def parse_position(rules: LamaRules, text: str) -> Position:
    """Read a position with a decision.

    A pile that is roughly known becomes the nearest one that is possible.

    Raises ReadError (with the place), ImpossibleError (with all defects) or NothingToDecideError.
    """
    position = read_position(text)
    if position.rough:
        position = _with_possible_pile(rules, position)
    check_decision(find_defects(rules, position), find_endings(rules, position))
    return position


def _with_possible_pile(rules: LamaRules, position: Position) -> Position:
    """Return the position with the possible pile that is nearest to the one roughly known.

    It stays as it is if none is near.
    """
    pile, most = position.pile or 0, position.most_in_pile(rules)
    ordered = [size for size in _possible_piles(rules, position) if 0 <= size <= most]
    low, high = around(pile, 0, most)
    near = [size for size in ordered or range(most + 1) if low <= size <= high]
    if not near:
        return position
    return replace(position, pile=min(near, key=lambda size: (abs(size - pile), -size)))


def find_defects(rules: LamaRules, position: Position) -> list[str]:
    """Return every reason why a position with your decision cannot occur; empty if it can."""
    defects: list[str] = [
        *defects_of_players(rules, position, endless_scores=rules.drama),
        *_defects_of_hands(position),
        *find_endings(rules, position),
        *_defects_of_cards(rules, position),
        *_defects_of_pile(rules, position),
        *_defects_of_pot(rules, position),
    ]
    return defects or _defects_of_turns(rules, position)


def find_endings(rules: LamaRules, position: Position) -> list[str]:
    """Return how play has ended at a position, with what happens then."""
    endings: list[str] = []
    if not any(position.hand):
        ending = say("the round is over: you have no card left and return a token if you hold one")
        endings.append(Defect(ending, "hand"))
    return endings + [
        Defect(
            say(
                "the round is over: opponent {seat} has no card left; your penalty is {penalty}",
                seat=i,
                penalty=rules.penalty(position.hand),
            ),
            *("opp", i),
        )
        for i, opponent in enumerate(position.opponents, 1)
        if opponent.cards == 0 and not opponent.quit
    ]


def _defects_of_hands(position: Position) -> list[str]:
    defects: list[str] = []
    for i, opponent in enumerate(position.opponents, 1):
        if opponent.cards < 0:
            sentence = say("opponent {seat} has {cards} cards", seat=i, cards=opponent.cards)
            defects.append(Defect(sentence, "opp", i))
        elif opponent.cards == 0 and opponent.quit:
            sentence = say(
                "opponent {seat} has quit without a card: a player without cards has gone out",
                seat=i,
            )
            defects.append(Defect(sentence, "opp", i))
    return defects


def _defects_of_cards(rules: LamaRules, position: Position) -> list[str]:
    """Return kinds of which there are too many visible cards."""
    defects: list[str] = []
    for kind, left in enumerate(position.unseen(rules)):
        there = rules.deck[kind]
        in_sight = there - left
        if left < 0 and there == 0:
            sentence = say(
                "a card {card} in sight, but {rules} has none", card=NAMES[kind], rules=rules.id
            )
            defects.append(sentence)
        elif left < 0:
            defects.append(too_many_in_sight(in_sight, NAMES[kind], there))
    return defects


def _defects_of_pile(rules: LamaRules, position: Position) -> list[str]:
    """Return too many cards altogether, and hands that the possible draws and plays cannot
    explain.
    """
    deck, pile = sum(rules.deck), position.pile
    if any(o.cards < 0 for o in position.opponents) or position.players not in rules.players:
        return []
    if pile is not None and pile < 0:
        return [Defect(say("{cards} cards in the draw pile", cards=pile), "pile")]
    known = position.held + 1 + sum(position.seen) + (pile or 0)
    if known > deck:
        return [
            say(
                "{cards} cards in hands, discards and draw pile, but the game has {there}",
                cards=known,
                there=deck,
            )
        ]
    most = position.most_in_pile(rules)
    if most < 0:
        return [
            say(
                "too many cards in hands: the draw pile lacks {cards} for that many draws",
                cards=-most,
            )
        ]
    if pile is not None and pile > most:
        sentence = say(
            "{cards} cards in the draw pile: with these hands and discards at most {most} are left",
            cards=pile,
            most=most,
        )
        return [Defect(sentence, "pile")]
    return []


def _defects_of_turns(rules: LamaRules, position: Position) -> list[str]:
    """Return hands that no order of turns explains, if the starter or the pile is given.

    A position without both may be invented, to see what it is worth: see `rollouts`. So may one in
    which the pile or a hand size is a guess.
    """
    guess = position.rough or any(opponent.guess for opponent in position.opponents)
    given = position.pile is not None or position.first is not None
    if guess or not given or is_ordered(rules, position):
        return []
    reason = say(
        "a player still in has had as many turns as you (one more if it comes before you in the "
        "lap), and has played or drawn in each"
    )
    piles = _possible_piles(rules, position)
    if position.pile is not None and piles:
        near = min(piles, key=lambda pile: (abs(pile - (position.pile or 0)), -pile))
        sentence = say(
            "{cards} cards in the draw pile: no order of turns leads there (it could be {near}; "
            "write ~{cards} if you know it roughly): {why}",
            cards=position.pile,
            near=near,
            why=reason,
        )
        return [Defect(sentence, "pile")]
    fits = _what_fits(rules, position)
    if position.first is None:
        sentence = say("these hand sizes can't occur in play{fits}: {why}", fits=fits, why=reason)
    else:
        sentence = say(
            "these hand sizes can't occur in play with first={first}{fits}: {why}",
            first=position.first,
            fits=fits,
            why=reason,
        )
    return [Defect(sentence, "opp", 1)]


def _what_fits(rules: LamaRules, position: Position) -> str:
    """Return what would fit with one value changed, in brackets; empty if nothing would."""
    starters = [
        str(seat)
        for seat in range(position.players)
        if position.first is not None and is_ordered(rules, replace(position, first=seat))
    ]
    if starters:
        return " " + say("(first could be {seats})", seats=say(" or ").join(starters))
    for seat, opponent in enumerate(position.opponents):
        for cards in (opponent.cards + 1, opponent.cards - 1):
            others = [*position.opponents]
            others[seat] = replace(opponent, cards=cards)
            if cards and is_ordered(rules, replace(position, opponents=tuple(others))):
                return " " + say(
                    "(opponent {seat} could hold {cards}; write {given}? for a guess)",
                    seat=seat + 1,
                    cards=cards,
                    given=opponent.cards,
                )
    return ""


def _possible_piles(rules: LamaRules, position: Position) -> set[int]:
    """Return how many cards the draw pile could have instead."""
    there = sum(rules.deck) - position.players * rules.dealt - 1
    return {
        there - drawn
        for fewest, most in possible_draws(rules, position)
        for drawn in range(fewest, most + 1)
    }


def _defects_of_pot(rules: LamaRules, position: Position) -> list[str]:
    return [Defect(sentence, "pot") for sentence in _said_of_pot(rules, position)]


def _said_of_pot(rules: LamaRules, position: Position) -> list[str]:
    if position.pot is None:
        return []
    if not rules.drama:
        return [say("a drama pot: the drama is in play with +drama only")]
    worth = {1, rules.black} | ({rules.pink} if rules.twenty else set())
    sentences: list[str] = [
        say(
            "a token of {token} on the pot: tokens are worth {worth}",
            token=token,
            worth=", ".join(map(str, sorted(worth))),
        )
        for token in sorted(set(position.pot))
        if token not in worth
    ]
    llama = NAMES[position.top]
    if position.running:
        if len(position.pot) < rules.drama_tokens:
            sentences.append(
                say(
                    "the drama runs with {tokens} tokens on the pot: it takes {needed}",
                    tokens=len(position.pot),
                    needed=rules.drama_tokens,
                )
            )
        if not rules.pays(position.top):
            sentences.append(
                say("the drama runs after a {card}: it does right after a llama only", card=llama)
            )
        if _nothing_played(rules, position):
            sentences.append(say("the drama runs, but no card has been played in this round"))
    elif _must_run(rules, position):
        sentences.append(
            say(
                "{tokens} tokens on the pot after a {card} played: the drama runs (write ! after "
                "the pot)",
                tokens=len(position.pot),
                card=llama,
            )
        )
    return sentences


def _nothing_played(rules: LamaRules, position: Position) -> bool:
    """Return whether all cards that have left the pack are still held; the pile must be known."""
    if position.pile is None:
        return False
    return position.held + 1 + position.pile == sum(rules.deck)


def _must_run(rules: LamaRules, position: Position) -> bool:
    """Return whether the llama on top has surely been played, and the pot is large enough."""
    if not position.others_in or position.pot is None or not rules.pays(position.top):
        return False
    played = any(position.seen) or position.held < position.players * rules.dealt
    return played and len(position.pot) >= rules.drama_tokens


# What of a position of the card games is a guess, and the same position with other guesses.


def other_guesses(rules: LamaRules, position: Position) -> tuple[Guessed, ...]:
    """Return the numbers that are a guess, each with the position for other values of it."""
    guesses = (_hands(rules, position), _laid_down(rules, position), _pile(rules, position))
    return tuple(one for one in guesses if one is not None)


def _hands(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the hands of players still in: the fewest cards in one of them."""
    sizes = _guessed_sizes(position, quit_=False)
    if not sizes:
        return None
    tried = fewest_held(sizes, lambda other: _resized(position, other), position)
    words = hands_in_words([*sizes], len(sizes) == position.others_in)
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words, whole=True)


def _laid_down(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the hands of players who have quit: how many cards they have together."""
    sizes = _guessed_sizes(position, quit_=True)
    if not sizes:
        return None
    tried = {sum(sizes.values()): position}
    for end in (0, 1):
        other = {seat: around(size, 1, 2 * size + 3)[end] for seat, size in sizes.items()}
        tried.setdefault(sum(other.values()), _resized(position, other))
    who = named([*sizes])
    words = (
        say("how many cards {who} quit with is a guess", who=who),
        say("{who} quit with {amount}", who=who, amount="{}"),
    )
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words)


def _pile(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the draw pile, where it is roughly known or not given."""
    if not position.others_in or (position.pile is not None and not position.rough):
        return None
    pile, given = pile_left(rules, position), position.pile is not None
    sizes = around(pile, 0, position.most_in_pile(rules)) if given else (pile // 2,)
    tried = {size: replace(position, pile=size, rough=True) for size in sizes} | {pile: position}
    if given:
        what = say("the size of the draw pile is a guess")
    else:
        what = say("the size of the draw pile is not given")
    words = what, say("the draw pile has {amount}", amount="{}")
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words, assumed=not given)


def _guessed_sizes(position: Position, quit_: bool) -> dict[int, int]:
    """Return the numbers of cards that are a guess, by seat."""
    return {
        seat: other.cards
        for seat, other in enumerate(position.opponents, 1)
        if other.guess and other.quit == quit_
    }


def _resized(position: Position, sizes: Mapping[int, int]) -> Position:
    opponents = tuple(
        replace(opponent, cards=sizes.get(seat, opponent.cards))
        for seat, opponent in enumerate(position.opponents, 1)
    )
    return replace(position, opponents=opponents)


def _occurs(rules: LamaRules, position: Position) -> bool:
    return not find_defects(rules, position)
