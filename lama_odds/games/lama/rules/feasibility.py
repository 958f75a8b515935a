"""Which positions of the card games can occur: all defects of one that cannot."""

from __future__ import annotations

from lama_odds.games.lama.rules.draw_bounds import is_ordered, possible_draws
from lama_odds.games.lama.rules.position import Position, read_position
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules
from lama_odds.games.shared.table import check_decision, defects_of_players


def parse_position(rules: LamaRules, text: str) -> Position:
    """Read a position with a decision.

    Raises ReadError (with the place), ImpossibleError (with all defects) or NothingToDecideError.
    """
    position = read_position(text)
    check_decision(find_defects(rules, position), find_endings(rules, position))
    return position


def find_defects(rules: LamaRules, position: Position) -> list[str]:
    """Everything that keeps a position from occurring with me to decide; empty if it can."""
    found = [
        *defects_of_players(rules, position, endless_scores=rules.drama),
        *_defects_of_hands(position),
        *find_endings(rules, position),
        *_defects_of_cards(rules, position),
        *_defects_of_pile(rules, position),
        *_defects_of_pot(rules, position),
    ]
    return found or _defects_of_turns(rules, position)


def find_endings(rules: LamaRules, position: Position) -> list[str]:
    """What play can lead to that leaves nothing to decide, and what happens then."""
    found = []
    if not any(position.hand):
        found.append("the round is over: I have no card left, and a token goes back, if I hold one")
    return found + [
        f"the round is over: opponent {i} has no card left; my penalty is "
        f"{rules.penalty(position.hand)}"
        for i, opponent in enumerate(position.opponents, 1)
        if opponent.cards == 0 and not opponent.quit
    ]


def _defects_of_hands(position: Position) -> list[str]:
    found = []
    for i, opponent in enumerate(position.opponents, 1):
        if opponent.cards < 0:
            found.append(f"opponent {i} has {opponent.cards} cards")
        elif opponent.cards == 0 and opponent.quit:
            found.append(f"opponent {i} has quit without a card: who has none has gone out")
    return found


def _defects_of_cards(rules: LamaRules, position: Position) -> list[str]:
    """Too many cards of a kind in sight."""
    found = []
    for kind, left in enumerate(position.unseen(rules)):
        there = rules.deck[kind]
        in_sight = there - left
        if left < 0 and there == 0:
            found.append(f"a card {NAMES[kind]} in sight: {rules.id} has none")
        elif left < 0:
            found.append(f"{in_sight} cards {NAMES[kind]} in sight, there are {there}")
    return found


def _defects_of_pile(rules: LamaRules, position: Position) -> list[str]:
    """More cards than there are, or hands that so few draws and plays cannot explain."""
    deck, pile = sum(rules.deck), position.pile
    if any(o.cards < 0 for o in position.opponents) or position.players not in rules.players:
        return []
    if pile is not None and pile < 0:
        return [f"{pile} cards in the draw pile"]
    known = position.held + 1 + sum(position.seen) + (pile or 0)
    if known > deck:
        return [f"{known} cards in hands, discards and draw pile, there are {deck}"]
    most = position.most_in_pile(rules)
    if most < 0:
        return [f"too many cards in hands: the draw pile lacks {-most} for so many draws"]
    if pile is not None and pile > most:
        return [
            f"{pile} cards in the draw pile: with these hands and discards at most {most} are left"
        ]
    return []


def _defects_of_turns(rules: LamaRules, position: Position) -> list[str]:
    """Hands that no order of turns explains, if the position says who started or what is left.

    One that says neither may be a case made up, to ask what it is worth: see `rollouts`.
    """
    if (position.pile is None and position.first is None) or is_ordered(rules, position):
        return []
    told = (
        "who is still in has acted as often as I, or once more if the turn comes before mine "
        "in the lap, and has played or drawn a card each time"
    )
    piles = _possible_piles(rules, position)
    if position.pile is not None and piles:
        near = min(piles, key=lambda pile: (abs(pile - (position.pile or 0)), -pile))
        return [
            f"{position.pile} cards in the draw pile: no order of turns leads there (it could be "
            f"{near}): {told}"
        ]
    begun = "" if position.first is None else f" with first={position.first}"
    return [f"no order of turns leads to hands of so many cards{begun}: {told}"]


def _possible_piles(rules: LamaRules, position: Position) -> set[int]:
    """How many cards the draw pile could hold instead."""
    there = sum(rules.deck) - position.players * rules.dealt - 1
    return {
        there - drawn
        for fewest, most in possible_draws(rules, position)
        for drawn in range(fewest, most + 1)
    }


def _defects_of_pot(rules: LamaRules, position: Position) -> list[str]:
    if position.pot is None:
        return []
    if not rules.drama:
        return ["a drama pot: the drama is in play with +drama only"]
    worth = {1, rules.black} | ({rules.pink} if rules.twenty else set())
    found = [
        f"a token of {token} on the pot: tokens are worth {', '.join(map(str, sorted(worth)))}"
        for token in sorted(set(position.pot))
        if token not in worth
    ]
    llama = NAMES[position.top]
    if position.running:
        if len(position.pot) < rules.drama_tokens:
            found.append(
                f"the drama runs with {len(position.pot)} tokens on the pot: "
                f"it takes {rules.drama_tokens}"
            )
        if not rules.pays(position.top):
            found.append(f"the drama runs after a {llama}: it does right after a llama only")
        if _nothing_played(rules, position):
            found.append("the drama runs, but no card has been played in this round")
    elif _must_run(rules, position):
        found.append(
            f"{len(position.pot)} tokens on the pot after a {llama} played: the drama runs "
            "(write ! after the pot)"
        )
    return found


def _nothing_played(rules: LamaRules, position: Position) -> bool:
    """Whether all cards that have left the pack are still held: only known with the pile."""
    if position.pile is None:
        return False
    return position.held + 1 + position.pile == sum(rules.deck)


def _must_run(rules: LamaRules, position: Position) -> bool:
    """Whether the llama on top has surely been played, and the pot suffices."""
    if not position.others_in or position.pot is None or not rules.pays(position.top):
        return False
    played = any(position.seen) or position.held < position.players * rules.dealt
    return played and len(position.pot) >= rules.drama_tokens
