"""Positions: text and back, places of errors, every defect, and no false one in what occurs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lama_odds.core.errors import ImpossibleError, NothingToDecideError, ReadError
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.rules.feasibility import other_guesses, parse_position
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.position import Grid, Position
from lama_odds.games.noprob.rules.transition import DRAMA, UNKNOWN
from tests.games.cases import product_record, product_rules
from tests.games.noprob.cases import (
    END,
    FOUR,
    SMALL,
    STARNBERGER,
    STUCK,
    TIES,
    TINY,
    id_of,
    players_of,
)

RULES = product_rules(STARNBERGER)
PLANNER = "planner:chase=40,lead=0,deny=20,haste=20"
HIDDEN = "?,?,?/?,?,?/?,?,?"
UP = "3,3,4/4,5,5/6,6,7"
MINE = f"grid={HIDDEN} top=4"
TWO = f"{MINE} opp={HIDDEN}"
FIVE = f"{MINE} opp={';'.join([HIDDEN] * 4)}"
FOUR_ROUNDS = id_of(FOUR)
ANY_TIE = id_of({"any_tie": True})
OPP = "opp=?,?,?/?,?,9/?,?,?:DK"
TEXT = f"grid=3,?,5/?,(7),?/J,?,? top=4 {OPP}"


def with_grid(cells: str, more: str = f"top=4 opp={HIDDEN}") -> str:
    return f"grid={cells} {more}"


# Text and back


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (
            "opp=?,?,?/?,?,9/?,?,?:KD top=4 grid=3,?,5/?,(7),?/J,?,? mine=-",
            f"grid=3,?,5/?,(7),?/J,?,? top=4 {OPP}",
        ),
        (
            "opp=?:DK; ? pile=60? top=4 grid=3,?,5/?,(7),?/J,?,?",
            "grid=3,?,5/?,(7),?/J,?,? top=4 pile=~60 opp=?:DK;?",
        ),
        (f"{TEXT.removesuffix(':DK')}:- seen=-", TEXT.removesuffix(":DK")),
        (
            f"first=1 target=3 drawn=-2 llamas=02,1 seen=3,J,-1 pile=060 mine=KD {TEXT}",
            f"grid=3,?,5/?,(7),?/J,?,? mine=DK top=4 pile=60 seen=3,J,-1 {OPP} drawn=-2"
            " llamas=2,1 target=3 first=1",
        ),
    ],
)
def test_the_canonical_form(text: str, canonical: str) -> None:
    assert parse_position(RULES, text).format() == canonical
    assert parse_position(RULES, canonical).format() == canonical


def test_the_example_of_the_agreement() -> None:
    text = f"grid=3,?,5/?,(7),?/J,?,? mine=D top=4 pile=60 {OPP};{HIDDEN}:- drawn=9"
    position = parse_position(RULES, text)
    assert position.grids == (
        Grid(
            (0, UNKNOWN, 2, UNKNOWN, 4, UNKNOWN, 11, UNKNOWN, UNKNOWN),
            (True, False, True, False, False, False, True, False, False),
            (DRAMA,),
        ),
        Grid(
            (*(UNKNOWN,) * 5, 6, *(UNKNOWN,) * 3),
            tuple(cell == 5 for cell in range(9)),
            (DRAMA, DRAMA + 1),
        ),
        Grid((UNKNOWN,) * 9, (False,) * 9),
    )
    assert (position.players, position.top, position.pile, position.drawn) == (3, 1, 60, 6)
    # Cards in sight: 3, 5, 7, J, D, 4, 9, D, K and the 9 drawn; 22 lie hidden in grids.
    assert sum(position.pool(RULES)) == 156 - 10
    assert (position.unknown_cells(), position.unknown_discards(RULES)) == (22, 64)


def test_legal_actions() -> None:
    # 25 cards: nine and nine, none or one on the discards; the others lie beside the grids.
    small = f"grid={HIDDEN} pile=0 opp={HIDDEN}"
    for options, text, actions in (
        ({}, TEXT, ["draw", "take"]),
        ({}, f"{TEXT} drawn=9", [*(f"replace {r},{c}" for r in "123" for c in "123"), "discard"]),
        ({}, f"{TEXT} drawn=D", ["give D to 1"]),
        ({}, with_grid(HIDDEN, f"top=4 opp={UP} last=1"), ["draw", "take", "pass"]),
        (TINY, f"{small} top=7 seen=7,8,8,9,9,10", ["draw", "take"]),
        (STUCK, f"{small}:KKK mine=KKK top=-", ["pass"]),
    ):
        rules = product_rules(id_of(options))
        assert legal_actions(rules, parse_position(rules, text)) == actions


def test_grids_that_were_not_entered_are_tried_with_cards_that_people_keep() -> None:
    position = parse_position(RULES, f"{MINE} opp=?;{HIDDEN} pile=~60")
    grids, pile = other_guesses(RULES, position)
    assert grids.values == (0, 3, 6)
    for up, tried in zip(grids.values, grids.positions, strict=True):
        assert [RULES.names[kind] for kind in tried.grids[1].cards[:up]] == [*"546378"][:up]
        assert tried.grids[1].up == tuple(cell < up for cell in range(9))
        assert (tried.grids[0], tried.grids[2]) == (position.grids[0], position.grids[2])
    assert [tried.pile for tried in pile.positions] == [*pile.values]
    assert pile.values[pile.at] == 60


# What cannot be read


# The place is marked with ^.
@pytest.mark.parametrize(
    ("marked", "told"),
    [
        ("^", "grid="),
        (f"top=4 {OPP}^", "your cards row by row"),
        (TEXT.replace("3,?,5", "^3,?"), "three cards in a row (here 2)"),
        (TEXT.replace("grid=3,?,5/", "grid=^"), "three rows between slashes (here 2)"),
        (TEXT.replace("3,?", "^2,?"), "a card: 3, 4, 5"),
        (TEXT.replace("(7)", "^(8"), "found '(8'"),
        (TEXT.replace("(7)", "(^?)"), "a card"),
        (TEXT.replace("top=4", "top=^?"), "in top"),
        (TEXT.replace("?,9", "?,^(9)"), "a card"),
        (TEXT.replace(":DK", ":D^J"), "D or K"),
        (TEXT.replace(":DK", ":D:^K"), "one colon"),
        (f"{TEXT};^?,?", "three rows"),
        (f"mine=D^X {TEXT}", "D or K, or - for none"),
        (f"{TEXT} seen=3,^,4", "in seen"),
        (f"{TEXT} ^gird=3", "did you mean grid"),
    ],
)
def test_what_cannot_be_read_names_the_place(marked: str, told: str) -> None:
    text = marked.replace("^", "")
    with pytest.raises(ReadError, match="cannot read") as caught:
        parse_position(RULES, text)
    assert told in str(caught.value)
    assert (caught.value.exit_code, caught.value.text) == (2, text)
    assert caught.value.at == marked.index("^")


# Positions that really occur


def asked(options: dict, players: int, policy: str, game: int) -> Iterator[Position]:
    """Positions before a turn of a game, from its record: of its beginning all, some later on."""
    rules_id = id_of(options)
    lines = product_record(rules_id, (policy,) * players, 17, game).splitlines()
    turns = [cut for cut, line in enumerate(lines) if line[0].isdigit()]
    more = random.Random(game).sample(turns[15:], k=min(12, len(turns[15:])))
    for cut in turns[:15] + more:
        yield GAME.position_after(product_rules(rules_id), "\n".join(lines[:cut]))


def less_known(position: Position) -> Iterator[Position]:
    """The position, and what is left of it if some of it is not given or not remembered."""
    yield position
    yield replace(position, seen=position.seen[: len(position.seen) // 2])
    # Without a pile given the rest is taken to lie there.
    if position.last is None:
        yield replace(position, pile=None)
    yield replace(position, llamas=None, target=None, totals=None, round=None, first=None)
    mine = position.grids[0]
    kinds = [k if up else UNKNOWN for k, up in zip(mine.cards, mine.up, strict=True)]
    yield replace(position, grids=(replace(mine, cards=tuple(kinds)), *position.grids[1:]))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("options", "policy"),
    [
        ({}, PLANNER),
        (TIES | {"any_tie": True}, PLANNER),
        (FOUR, "random"),
        (SMALL | END | {"peeks": 9}, PLANNER),
        (TINY, "random"),
        (STUCK, "random"),
    ],
    ids=str,
)
def test_positions_that_occur_read_back_and_are_never_refused(options: dict, policy: str) -> None:
    rules, turns = product_rules(id_of(options)), 0
    for players in {2, players_of(options)[-1]}:
        for position in asked(options, players, policy, players):
            for known in less_known(position):
                assert parse_position(rules, known.format()) == known
                turns += legal_actions(rules, known) == ["draw", "take"]
    assert turns > 30


def defects(rules_id: str, text: str) -> tuple[str, ...]:
    with pytest.raises(ImpossibleError) as caught:
        parse_position(product_rules(rules_id), text)
    assert caught.value.exit_code == 3
    return caught.value.defects


ALONE = [
    (with_grid("J,J,J/J,J,?/?,?,?", f"top=J opp={HIDDEN}"), "6 cards J, but the game has 5"),
    (
        with_grid("J,J,J/J,?,?/?,?,?", f"top=4 opp=J,J,?/{HIDDEN[6:]}"),
        "6 cards J, but the game has 5",
    ),
    (f"{TWO}:KKKKKKK mine=KK", "9 cards K, but the game has 8"),
    (f"{TWO}:DDDDDD drawn=D", "7 cards D, but the game has 6"),
    (
        with_grid("(D),?,?/?,?,?/?,?,?", f"top=D opp={HIDDEN}:DDDDD"),
        "7 cards D, but the game has 6",
    ),
    (with_grid("D,?,?/?,?,?/?,?,?"), "D face up in your grid: specials are beside it"),
    (
        with_grid(HIDDEN, f"top=4 opp={HIDDEN};?,K,?/?,?,?/?,?,?"),
        "K face up in the grid of opponent 2",
    ),
    (with_grid("(3),(4),(5)/?,?,?/?,?,?"), "you know 3 cards face down, but 2 were looked at"),
    (f"{TWO} pile=-1", "pile=-1"),
    (f"{TWO} seen=3,3,3 pile=135", "pile=135, but at most 134 cards are left for it"),
    (f"{TWO.replace('top=4', 'top=-')} pile=137", "without a discard all 138 cards are in it"),
    (f"{TWO.replace('top=4', 'top=-')} seen=3", "discards below the top, but no top discard"),
    (f"{MINE} opp={';'.join([HIDDEN] * 6)}", "7 players; noprob/starnberger is for 2 to 6"),
    (with_grid(UP), "your turn is over: all your cards are face up"),
    (with_grid(UP, f"top=4 opp={HIDDEN} last=0"), "the round is over: no last turn is left"),
    (f"{MINE} opp={HIDDEN};{UP}", "all cards are face up (those of opponent 2): last=…"),
    (f"{TWO} last=2", "last=2, but with 2 players 1 to 1 turns are left"),
    (f"{TWO};{HIDDEN} last=2", "last=2, but opponent 2 has cards face down and did not end it"),
    (f"{MINE} opp={UP};{UP} last=2", "still to move are face up (those of opponent 1 are)"),
    (with_grid(UP, f"top=4 opp={UP} last=1"), "still to move are face up (yours are)"),
    (f"{TWO} first=2", "first=2, but the seats are 0 to 1"),
    (f"{TWO} llamas=3,0", "3 llamas: the game ends at 3"),
    (f"{FIVE} llamas=2,0,0,0,1", "2 llamas: the game ends at 2"),
    (f"{TWO} llamas=-1,0", "a negative number of llamas"),
    (f"{TWO} llamas=1,0,0", "llamas of 3 players, but there are 2"),
    (f"{TWO} target=3", "target=… without llamas=…"),
    (f"{TWO} llamas=0,0 target=2", "target=2, but it is 3 at first"),
    (f"{TWO} llamas=3,2 target=4", "target=4, but no tie of 3 llamas has raised it"),
    (f"{TWO} scores=3,4", "scores=… is for four_rounds: llamas=… gives the standing"),
]


@pytest.mark.parametrize(("text", "told"), ALONE)
def test_a_defect_is_named_alone(text: str, told: str) -> None:
    (defect,) = defects(STARNBERGER, text)
    assert told in defect


@pytest.mark.parametrize(
    ("rules_id", "text", "told"),
    [
        (FOUR_ROUNDS, f"{TWO} llamas=1,0", "llamas=… with four_rounds: scores=… and round=…"),
        (FOUR_ROUNDS, f"{TWO} round=2", "scores=… and round=… belong together"),
        (FOUR_ROUNDS, f"{TWO} round=2 scores=3", "1 scores for 2 players"),
        (FOUR_ROUNDS, f"{TWO} round=0 scores=3,4", "round=0, but a game has 4"),
        (FOUR_ROUNDS, f"{TWO} round=1 scores=3,4", "sums before the first round"),
        (FOUR_ROUNDS, f"{TWO} round=2 scores=3,999999", "a sum that nobody can have"),
        (ANY_TIE, f"{TWO} llamas=2,2 target=4", "target=4, but no tie of 3 llamas"),
        (id_of(END), f"{TWO} pile=0", "the round is over: the pile is empty and not refilled"),
        (id_of(TINY), f"{TWO};{HIDDEN}", "3 cards too few: 25 are not enough for this position"),
    ],
)
def test_defects_follow_the_options(rules_id: str, text: str, told: str) -> None:
    assert any(told in defect for defect in defects(rules_id, text))


@pytest.mark.parametrize(
    ("rules_id", "text", "ends"),
    [
        (STARNBERGER, with_grid(UP), True),
        (STARNBERGER, with_grid(UP, f"top=4 opp={HIDDEN} last=0"), True),
        (id_of(END), f"{TWO} pile=0", True),
        (STARNBERGER, with_grid(UP, f"top=4 opp={UP}"), False),
    ],
)
def test_what_has_ended_leaves_nothing_to_decide(rules_id: str, text: str, ends: bool) -> None:
    with pytest.raises(ImpossibleError) as caught:
        parse_position(product_rules(rules_id), text)
    assert isinstance(caught.value, NothingToDecideError) == ends


def test_all_defects_are_listed_at_once() -> None:
    found = defects(
        STARNBERGER,
        f"grid=J,J,J/J,J,D/(3),(4),(5) top=J opp={UP};{HIDDEN} pile=200 last=2 first=3 llamas=4,0"
        " scores=1,2,3 round=2 target=1",
    )
    for told in (
        *("first=3", "6 cards J", "D face up in your grid", "you know 3 cards face down"),
        *("pile=200", "last=2, but opponent 2", "those of opponent 1 are", "scores=…", "round=…"),
        *("llamas of 2 players", "target=1, but it is 3", "4 llamas: the game ends at 1"),
    ):
        assert sum(told in defect for defect in found) == 1, told
    assert len(found) == 12


@pytest.mark.parametrize(
    ("rules_id", "text"),
    [
        (STARNBERGER, with_grid("J,J,J/J,J,?/(D),(K),?")),
        (STARNBERGER, f"{TWO}:DDDDDDKKKKKKKK"),
        (STARNBERGER, f"{TWO.replace('top=4', 'top=-')} pile=138"),
        (STARNBERGER, with_grid(HIDDEN, f"top=4 opp={UP};{HIDDEN} last=1")),
        # The second has turned up all its cards in its last turn.
        (STARNBERGER, with_grid(HIDDEN, f"top=4 opp={UP};{UP} last=1")),
        (STARNBERGER, f"{TWO} llamas=3,3 target=4"),
        (STARNBERGER, f"{FIVE} llamas=2,2,0,0,0 target=3"),
        (ANY_TIE, f"{TWO} llamas=3,1 target=4"),
        (id_of(END), f"{TWO} pile=0 drawn=9"),
        (id_of({"peeks": 9}), with_grid("(3),(4),(5)/(D),(D),(D)/(J),(J),(J)")),
    ],
)
def test_what_is_near_a_defect_but_can_occur(rules_id: str, text: str) -> None:
    rules = product_rules(rules_id)
    position = parse_position(rules, text)
    assert parse_position(rules, position.format()) == position
