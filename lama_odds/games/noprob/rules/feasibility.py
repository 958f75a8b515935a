"""Find why a position of No Prob-Lama cannot occur: all its defects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle

from lama_odds.core.errors import Defect
from lama_odds.core.language import say
from lama_odds.games.interface.capabilities import Guessed, around, guessed_from, named
from lama_odds.games.interface.defects import check_decision, defects_of_players
from lama_odds.games.noprob.rules.position import Grid, Position, read_position
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import UNKNOWN

MOST_SUM = 100_000


def parse_position(rules: NoprobRules, text: str) -> Position:
    """Read a position with a decision.

    Raises ReadError (with the place), ImpossibleError (with all defects) or NothingToDecideError.
    """
    position = read_position(rules, text)
    check_decision(find_defects(rules, position), find_endings(rules, position))
    return position


def find_defects(rules: NoprobRules, position: Position) -> list[str]:
    """Return every reason why a position with your decision cannot occur; empty if it can."""
    return [
        *defects_of_players(rules, position),
        *_defects_of_cards(rules, position),
        *_defects_of_turns(rules, position),
        *_defects_of_standing(rules, position),
    ]


def find_endings(rules: NoprobRules, position: Position) -> list[str]:
    """Return how play has ended at a position, with what happens then."""
    mine = position.grids[0].down == 0
    if mine and position.last == 0:
        text = say("the round is over: no last turn is left, and all cards are turned up")
        return [Defect(text, "last")]
    if mine and position.last is None:
        text = say(
            "your turn is over: all your cards are face up, so each other player has one last turn "
            "and you have none"
        )
        return [Defect(text, "grid")]
    if not rules.refill and position.pile == 0 and position.drawn is None:
        return [Defect(say("the round is over: the pile is empty and not refilled"), "pile")]
    return []


def _defects_of_cards(rules: NoprobRules, position: Position) -> list[str]:
    defects: list[str] = []
    known = position.known_cards()
    for kind, there in enumerate(rules.deck):
        if known.count(kind) > there:
            defects.append(
                say(
                    "{cards} cards {card}, but the game has {there}",
                    cards=known.count(kind),
                    card=rules.names[kind],
                    there=there,
                )
            )
    for seat, grid in enumerate(position.grids):
        raised = [k for k, up in zip(grid.cards, grid.up, strict=True) if up and k >= 12]
        if raised:
            card = rules.names[raised[0]]
            if seat:
                text = say(
                    "{card} face up in the grid of opponent {seat}: specials are beside it",
                    card=card,
                    seat=seat,
                )
            else:
                text = say("{card} face up in your grid: specials are beside it", card=card)
            defects.append(Defect(text, "grid", seat))
    peeked = sum(not up and kind < 14 for kind, up in _cells(position))
    if peeked > rules.peeks:
        text = say(
            "you know {cards} cards face down, but {peeks} were looked at",
            cards=peeked,
            peeks=rules.peeks,
        )
        defects.append(Defect(text, "grid"))
    defects += [Defect(text, "pile") for text in _said_of_pile(rules, position)]
    if position.seen and position.top is None:
        defects.append(Defect(say("discards below the top, but no top discard"), "top"))
    return defects


def _said_of_pile(rules: NoprobRules, position: Position) -> list[str]:
    left = sum(position.pool(rules)) - position.unknown_cells()
    pile = position.pile
    if pile is not None and pile < 0:
        return [f"pile={pile}"]
    if left < 0:
        return [
            say(
                "{lacking} cards too few: {cards} are not enough for this position",
                lacking=-left,
                cards=rules.cards,
            )
        ]
    if pile is not None and pile > left:
        return [say("pile={pile}, but at most {left} cards are left for it", pile=pile, left=left)]
    if pile is not None and position.top is None and pile < left:
        return [
            say(
                "pile={pile}, but without a discard all {left} cards are in it",
                pile=pile,
                left=left,
            )
        ]
    return []


def _cells(position: Position) -> list[tuple[int, bool]]:
    mine = position.grids[0]
    return list(zip(mine.cards, mine.up, strict=True))


def _defects_of_turns(rules: NoprobRules, position: Position) -> list[str]:
    defects: list[str] = []
    players = position.players
    closed = [seat for seat, grid in enumerate(position.grids) if grid.down == 0]
    last = position.last
    if last is None:
        for seat in closed:
            if seat:
                text = say(
                    "all cards are face up (those of opponent {seat}): last=… gives the last turns "
                    "left",
                    seat=seat,
                )
                defects.append(Defect(text, "grid", seat))
    elif last == 0 and 0 in closed:
        pass  # the round has ended
    elif not 1 <= last < players:
        text = say(
            "last={last}, but with {players} players 1 to {most} turns are left",
            last=last,
            players=players,
            most=players - 1,
        )
        defects.append(Defect(text, "last"))
    else:
        if last not in closed:
            text = say(
                "last={last}, but opponent {last} has cards face down and did not end it", last=last
            )
            defects.append(Defect(text, "last"))
        for seat in closed:
            if seat < last:
                if seat:
                    text = say(
                        "all cards of a player still to move are face up (those of opponent {seat} "
                        "are)",
                        seat=seat,
                    )
                else:
                    text = say("all cards of a player still to move are face up (yours are)")
                defects.append(Defect(text, "grid", seat))
    return defects + find_endings(rules, position)


def _defects_of_standing(rules: NoprobRules, position: Position) -> list[str]:
    if rules.four_rounds:
        return _defects_of_sums(rules, position)
    defects: list[str] = []
    for name, value in (("scores", position.totals), ("round", position.round)):
        if value is not None:
            text = say("{name}=… is for four_rounds: llamas=… gives the standing", name=name)
            defects.append(Defect(text, name))
    if position.target is not None and position.llamas is None:
        defects.append(Defect(say("target=… without llamas=…"), "target"))
    if position.llamas is not None:
        defects += _defects_of_llamas(rules, position, position.llamas)
    return defects


def _defects_of_sums(rules: NoprobRules, position: Position) -> list[str]:
    defects: list[str] = []
    for name, value in (("llamas", position.llamas), ("target", position.target)):
        if value is not None:
            text = say(
                "{name}=… with four_rounds: scores=… and round=… give the standing", name=name
            )
            defects.append(Defect(text, name))
    if (position.totals is None) != (position.round is None):
        defects.append(Defect(say("scores=… and round=… belong together"), "scores"))
    if position.totals is not None:
        if len(position.totals) != position.players:
            text = say(
                "{scores} scores for {players} players",
                scores=len(position.totals),
                players=position.players,
            )
            defects.append(Defect(text, "scores"))
        if any(abs(total) > MOST_SUM for total in position.totals):
            defects.append(Defect(say("a sum that nobody can have"), "scores"))
    if position.round is not None and not 1 <= position.round <= rules.rounds:
        text = say(
            "round={round}, but a game has {rounds}", round=position.round, rounds=rules.rounds
        )
        defects.append(Defect(text, "round"))
    if position.round == 1 and any(position.totals or ()):
        defects.append(Defect(say("sums before the first round"), "scores"))
    return defects


def _defects_of_llamas(
    rules: NoprobRules, position: Position, llamas: tuple[int, ...]
) -> list[str]:
    defects: list[str] = []
    least = rules.target_of(position.players)
    target = least if position.target is None else position.target
    if len(llamas) != position.players:
        text = say(
            "llamas of {counted} players, but there are {players}",
            counted=len(llamas),
            players=position.players,
        )
        defects.append(Defect(text, "llamas"))
    if any(n < 0 for n in llamas):
        defects.append(Defect(say("a negative number of llamas"), "llamas"))
    if target < least:
        text = say("target={target}, but it is {least} at first", target=target, least=least)
        defects.append(Defect(text, "target"))
    if max(llamas) >= target:
        text = say("{llamas} llamas: the game ends at {target}", llamas=max(llamas), target=target)
        defects.append(Defect(text, "llamas"))
    if target > least and sum(n >= target - 1 for n in llamas) < (1 if rules.any_tie else 2):
        text = say(
            "target={target}, but no tie of {llamas} llamas has raised it",
            target=target,
            llamas=target - 1,
        )
        defects.append(Defect(text, "target"))
    return defects


# What of a position of No Prob-Lama is a guess, and the same position with other guesses.
#
# A round takes long to play out, so games are too few to show that all guesses agree. Only one that
# is sure to change the verdict counts.

FACE_UP = (3, 6)  # cards of the others, instead of none
KEPT = ("5", "4", "6", "3", "7", "8")  # cards such as people keep


def other_guesses(rules: NoprobRules, position: Position) -> tuple[Guessed, ...]:
    """Return what is a guess, each with the position for other values of it."""
    guesses = (_grids(rules, position), _pile(rules, position))
    return tuple(one for one in guesses if one is not None)


def _grids(rules: NoprobRules, position: Position) -> Guessed | None:
    """Return the grids that were not entered: how many cards of each lie face up."""
    seats = [seat for seat, grid in enumerate(position.grids) if grid.guess]
    if not seats:
        return None
    tried = {0: position} | {up: _faced_up(rules, position, up) for up in FACE_UP}
    who = named(seats)
    if len(seats) == 1:
        up_there = say("{who} has {amount} face up", who=who, amount="{}")
    else:
        up_there = say("{who} have {amount} face up", who=who, amount="{}")
    words = say("the cards of {who} are a guess", who=who), up_there
    return guessed_from(
        tried, position, lambda one: not find_defects(rules, one), words, assumed=True
    )


def _faced_up(rules: NoprobRules, position: Position, up: int) -> Position:
    """Return the position with some cards face up in the grids that were not entered."""
    left = list(position.pool(rules))
    kinds = _kept(rules, left)
    grids = []
    for grid in position.grids:
        if grid.guess:
            shown = tuple(next(kinds) for _ in range(up)) + (UNKNOWN,) * (CELLS - up)
            grids.append(Grid(shown, (True,) * up + (False,) * (CELLS - up), grid.beside))
        else:
            grids.append(grid)
    return replace(position, grids=tuple(grids))


def _kept(rules: NoprobRules, left: list[int]) -> Iterator[int]:
    """Yield kinds of which cards are left, one by one."""
    for name in cycle(KEPT):
        kind = rules.names.index(name)
        if left[kind]:
            left[kind] -= 1
            yield kind


def _pile(rules: NoprobRules, position: Position) -> Guessed | None:
    """Return the pile, where it is roughly known."""
    if position.pile is None or not position.rough:
        return None
    tried = {size: replace(position, pile=size) for size in around(position.pile, 0, 999)}
    words = (
        say("the size of the pile is a guess"),
        say("the pile has {amount}", amount="{}"),
    )
    return guessed_from(
        tried | {position.pile: position},
        position,
        lambda one: not find_defects(rules, one),
        words,
        assumed=True,
    )
