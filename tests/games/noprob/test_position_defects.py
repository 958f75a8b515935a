"""Every defect of a position, alone and all at once, and what is near a defect but can occur."""

from __future__ import annotations

import pytest

from lama_odds.core.errors import ImpossibleError, NothingToDecideError
from lama_odds.games.noprob.rules.feasibility import parse_position
from tests.games.cases import product_rules
from tests.games.noprob.cases import END, FOUR, STARNBERGER, TINY, id_of

HIDDEN = "?,?,?/?,?,?/?,?,?"
UP = "3,3,4/4,5,5/6,6,7"
ONE = "3,3,4/4,5,5/6,6,?"
MINE = f"grid={HIDDEN} top=4"
TWO = f"{MINE} opp={HIDDEN}"
THREE = f"{TWO};{HIDDEN}"
FIVE = f"{MINE} opp={';'.join([HIDDEN] * 4)}"
FOUR_ROUNDS = id_of(FOUR)
ANY_TIE = id_of({"any_tie": True})


def defects(rules_id: str, text: str) -> tuple[str, ...]:
    with pytest.raises(ImpossibleError) as caught:
        parse_position(product_rules(rules_id), text)
    assert caught.value.exit_code == 3
    return caught.value.defects


def grid(cells: str, more: str = f"top=4 opp={HIDDEN}") -> str:
    return f"grid={cells} {more}"


ALONE = [
    (grid("J,J,J/J,J,J/?,?,?"), "6 cards J, but the game has 5"),
    (grid("J,J,J/J,J,?/?,?,?", f"top=J opp={HIDDEN}"), "6 cards J, but the game has 5"),
    (grid("J,J,J/J,?,?/?,?,?", f"top=4 opp=J,J,?/{HIDDEN[6:]}"), "6 cards J, but the game has 5"),
    (
        grid("-5,-5,-5/?,?,?/?,?,?", f"top=-5 opp={HIDDEN} seen=-5,-5"),
        "6 cards -5, but the game has 5",
    ),
    (f"{TWO}:DDDDDDD", "7 cards D, but the game has 6"),
    (f"{TWO}:KKKKKKK mine=KK", "9 cards K, but the game has 8"),
    (f"{TWO}:DDDDDD drawn=D", "7 cards D, but the game has 6"),
    (grid("(D),?,?/?,?,?/?,?,?", f"top=D opp={HIDDEN}:DDDDD"), "7 cards D, but the game has 6"),
    (grid("D,?,?/?,?,?/?,?,?"), "D face up in your grid: specials are beside it"),
    (grid(HIDDEN, f"top=4 opp={HIDDEN};?,K,?/?,?,?/?,?,?"), "K face up in the grid of opponent 2"),
    (grid("(3),(4),(5)/?,?,?/?,?,?"), "you know 3 cards face down, but 2 were looked at"),
    (f"{TWO} pile=-1", "pile=-1"),
    (f"{TWO} pile=138", "pile=138, but at most 137 cards are left for it"),
    (f"{TWO}:DK mine=D pile=135", "pile=135, but at most 134 cards are left for it"),
    (f"{TWO} seen=3,3,3 pile=135", "pile=135, but at most 134 cards are left for it"),
    (f"{TWO} drawn=9 pile=137", "pile=137, but at most 136 cards are left for it"),
    (f"{TWO.replace('top=4', 'top=-')} pile=137", "without a discard all 138 cards are in it"),
    (f"{TWO.replace('top=4', 'top=-')} seen=3", "discards below the top, but no top discard"),
    (f"{MINE} opp={';'.join([HIDDEN] * 6)}", "7 players; noprob/starnberger is for 2 to 6"),
    (grid(UP), "your turn is over: all your cards are face up"),
    (grid(UP, f"top=4 opp={HIDDEN} last=0"), "the round is over: no last turn is left"),
    (f"{MINE} opp={HIDDEN};{UP}", "all cards are face up (those of opponent 2): last=…"),
    (f"{TWO} last=0", "last=0, but with 2 players 1 to 1 turns are left"),
    (f"{TWO} last=2", "last=2, but with 2 players 1 to 1 turns are left"),
    (f"{THREE} last=-1", "last=-1, but with 3 players 1 to 2"),
    (f"{THREE} last=2", "last=2, but opponent 2 has cards face down and did not end it"),
    (f"{MINE} opp={HIDDEN};{UP} last=1", "last=1, but opponent 1 has cards face down"),
    (f"{MINE} opp={UP};{UP} last=2", "still to move are face up (those of opponent 1 are)"),
    (grid(UP, f"top=4 opp={UP} last=1"), "still to move are face up (yours are)"),
    (f"{TWO} first=2", "first=2, but the seats are 0 to 1"),
    (f"{TWO} first=-1", "first=-1, but the seats are 0 to 1"),
    (f"{TWO} llamas=3,0", "3 llamas: the game ends at 3"),
    (f"{FIVE} llamas=2,0,0,0,1", "2 llamas: the game ends at 2"),
    (f"{TWO} llamas=-1,0", "a negative number of llamas"),
    (f"{TWO} llamas=1", "llamas of 1 players, but there are 2"),
    (f"{TWO} llamas=1,0,0", "llamas of 3 players, but there are 2"),
    (f"{TWO} target=3", "target=… without llamas=…"),
    (f"{TWO} llamas=0,0 target=2", "target=2, but it is 3 at first"),
    (f"{TWO} llamas=3,2 target=4", "target=4, but no tie of 3 llamas has raised it"),
    (f"{TWO} llamas=3,3 target=5", "target=5, but no tie of 4 llamas has raised it"),
    (f"{TWO} scores=3,4", "scores=… is for four_rounds: llamas=… gives the standing"),
    (f"{TWO} round=2", "round=… is for four_rounds"),
]


@pytest.mark.parametrize(("text", "told"), ALONE)
def test_a_defect_is_named_alone(text: str, told: str) -> None:
    (defect,) = defects(STARNBERGER, text)
    assert told in defect


@pytest.mark.parametrize(
    ("rules_id", "text", "told"),
    [
        (FOUR_ROUNDS, f"{TWO} llamas=1,0", "llamas=… with four_rounds: scores=… and round=…"),
        (FOUR_ROUNDS, f"{TWO} target=3", "target=… with four_rounds"),
        (FOUR_ROUNDS, f"{TWO} scores=3,4", "scores=… and round=… belong together"),
        (FOUR_ROUNDS, f"{TWO} round=2", "scores=… and round=… belong together"),
        (FOUR_ROUNDS, f"{TWO} round=2 scores=3", "1 scores for 2 players"),
        (FOUR_ROUNDS, f"{TWO} round=5 scores=3,4", "round=5, but a game has 4"),
        (FOUR_ROUNDS, f"{TWO} round=0 scores=3,4", "round=0, but a game has 4"),
        (FOUR_ROUNDS, f"{TWO} round=1 scores=3,4", "sums before the first round"),
        (FOUR_ROUNDS, f"{TWO} round=2 scores=3,999999", "a sum that nobody can have"),
        (id_of(FOUR | {"rounds": 2}), f"{TWO} round=3 scores=3,4", "round=3, but a game has 2"),
        (ANY_TIE, f"{TWO} llamas=2,2 target=4", "target=4, but no tie of 3 llamas"),
        (id_of(END), f"{TWO} pile=0", "the round is over: the pile is empty and not refilled"),
        (id_of({"peeks": 0}), grid("(3),?,?/?,?,?/?,?,?"), "you know 1 cards face down, but 0"),
        (id_of({"jokers": 0}), grid("J,?,?/?,?,?/?,?,?"), "1 cards J, but the game has 0"),
        (id_of(TINY), THREE, "3 cards too few: 25 are not enough for this position"),
        (id_of(TINY), f"{TWO} pile=7", "pile=7, but at most 6 cards are left for it"),
    ],
)
def test_defects_follow_the_options(rules_id: str, text: str, told: str) -> None:
    assert any(told in defect for defect in defects(rules_id, text))


@pytest.mark.parametrize(
    ("rules_id", "text", "ends"),
    [
        (STARNBERGER, grid(UP), True),
        (STARNBERGER, grid(UP, f"top=4 opp={HIDDEN} last=0"), True),
        (id_of(END), f"{TWO} pile=0", True),
        (STARNBERGER, f"{TWO} last=0", False),
        (STARNBERGER, grid(UP, f"top=4 opp={UP}"), False),
        (STARNBERGER, grid(UP, f"top=4 opp={HIDDEN} llamas=3,0"), False),
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
    mixed = defects(FOUR_ROUNDS, f"{TWO} llamas=1,0 target=3 round=9 scores=1,2,3")
    assert len(mixed) == 4


@pytest.mark.parametrize(
    ("rules_id", "text"),
    [
        (STARNBERGER, grid("J,J,J/J,J,?/(D),(K),?")),
        (STARNBERGER, f"{TWO}:DDDDDDKKKKKKKK"),
        (STARNBERGER, f"{TWO} pile=137"),
        (STARNBERGER, f"{TWO} pile=0"),
        (STARNBERGER, f"{TWO.replace('top=4', 'top=-')} pile=138"),
        (STARNBERGER, f"{TWO.replace('top=4', 'top=-')}"),
        (STARNBERGER, grid(HIDDEN, f"top=4 opp={UP} last=1")),
        (STARNBERGER, grid(HIDDEN, f"top=4 opp={HIDDEN};{UP} last=2")),
        (STARNBERGER, grid(HIDDEN, f"top=4 opp={UP};{HIDDEN} last=1")),
        # The second has turned up all its cards in its last turn.
        (STARNBERGER, grid(HIDDEN, f"top=4 opp={UP};{UP} last=1")),
        (STARNBERGER, grid(ONE, f"top=D opp={ONE}")),
        (STARNBERGER, f"{TWO} llamas=3,3 target=4"),
        (STARNBERGER, f"{TWO} llamas=2,2 target=3"),
        (STARNBERGER, f"{FIVE} llamas=1,1,1,1,1"),
        (STARNBERGER, f"{FIVE} llamas=2,2,0,0,0 target=3"),
        (ANY_TIE, f"{TWO} llamas=3,1 target=4"),
        (FOUR_ROUNDS, f"{TWO} round=4 scores=-30,120"),
        (FOUR_ROUNDS, f"{TWO} round=1 scores=0,0"),
        (id_of(END), f"{TWO} pile=0 drawn=9"),
        (id_of({"peeks": 9}), grid("(3),(4),(5)/(D),(D),(D)/(J),(J),(J)")),
        (id_of(TINY), f"{TWO} pile=6"),
    ],
)
def test_what_is_near_a_defect_but_can_occur(rules_id: str, text: str) -> None:
    rules = product_rules(rules_id)
    position = parse_position(rules, text)
    assert parse_position(rules, position.format()) == position
