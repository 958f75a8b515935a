"""Positions: text and back, places of errors, and no false defect in what really occurs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core.errors import ReadError
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.rules.feasibility import parse_position
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.position import Grid, Position, read_position
from lama_odds.games.noprob.rules.transition import DRAMA, KINDS, UNKNOWN
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
    short,
)

RULES = product_rules(STARNBERGER)
PLANNER = "planner:chase=40,lead=0,deny=20,haste=20"
repeatable = settings(derandomize=True, deadline=None, max_examples=40)
OPP = "opp=?,?,?/?,?,9/?,?,?:DK"
TEXT = f"grid=3,?,5/?,(7),?/J,?,? top=4 {OPP}"


# Text and back


cards = st.one_of(st.none(), st.integers(0, KINDS - 1))
specials = st.lists(st.integers(DRAMA, KINDS - 1), max_size=5).map(
    lambda kinds: tuple(sorted(kinds))
)
numbers = st.integers(-9, 99)


@st.composite
def grids(draw: st.DrawFn, mine: bool) -> Grid:
    """Any grid; face down are cards not known, and of mine some that are."""
    kinds = draw(st.lists(st.integers(0, UNKNOWN), min_size=9, max_size=9))
    down = draw(st.lists(st.booleans(), min_size=9, max_size=9))
    up = [kind != UNKNOWN and not (mine and hid) for kind, hid in zip(kinds, down, strict=True)]
    return Grid(tuple(kinds), tuple(up), draw(specials))


@st.composite
def any_position(draw: st.DrawFn) -> Position:
    """Whatever can be written, though most of it cannot occur."""
    others = draw(st.lists(grids(mine=False), min_size=1, max_size=6))
    values = st.none() | st.lists(numbers, min_size=1, max_size=6).map(tuple)
    seen = draw(st.lists(st.integers(0, KINDS - 1), max_size=6))
    words = {name: draw(st.none() | numbers) for name in ("pile", "last", "target", "round")}
    return Position(
        names=RULES.names,
        grids=(draw(grids(mine=True)), *others),
        top=draw(cards),
        seen=tuple(seen),
        drawn=draw(cards),
        llamas=draw(values),
        totals=draw(values),
        first=draw(st.none() | numbers),
        **words,
    )


@repeatable
@given(any_position(), st.randoms(use_true_random=False))
def test_what_is_written_reads_back(position: Position, luck: random.Random) -> None:
    words = position.format().split()
    luck.shuffle(words)
    assert read_position(RULES, "\t ".join(words)) == position


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
    hidden = "?,?,?/?,?,?/?,?,?"
    text = f"grid=3,?,5/?,(7),?/J,?,? mine=D top=4 pile=60 opp=?,?,?/?,?,9/?,?,?:DK;{hidden}:-"
    position = parse_position(RULES, f"{text} drawn=9")
    assert position.grids[0] == Grid(
        (0, UNKNOWN, 2, UNKNOWN, 4, UNKNOWN, 11, UNKNOWN, UNKNOWN),
        (True, False, True, False, False, False, True, False, False),
        (DRAMA,),
    )
    assert position.grids[1].beside == (DRAMA, DRAMA + 1)
    assert position.grids[2] == Grid((UNKNOWN,) * 9, (False,) * 9)
    assert (position.players, position.top, position.pile, position.drawn) == (3, 1, 60, 6)
    assert legal_actions(RULES, position)[-1] == "discard"
    # Cards in sight: 3, 5, 7, J, D, 4, 9, D, K and the 9 drawn; 22 lie hidden in grids.
    assert sum(position.pool(RULES)) == 156 - 10
    assert (position.unknown_cells(), position.unknown_discards(RULES)) == (22, 64)
    assert parse_position(RULES, f"{text} drawn=D").drawn == DRAMA


@pytest.mark.parametrize(
    ("more", "actions"),
    [
        ("", ["draw", "take"]),
        ("drawn=9", [*(f"replace {r},{c}" for r in "123" for c in "123"), "discard"]),
        ("drawn=D", ["give D to 1"]),
        ("pile=0", ["draw", "take"]),
        ("pile=0 seen=3", ["draw", "take"]),
    ],
)
def test_legal_actions(more: str, actions: list[str]) -> None:
    assert legal_actions(RULES, parse_position(RULES, f"{TEXT} {more}")) == actions


def test_legal_actions_at_the_end() -> None:
    up = "3,3,4/4,5,5/6,6,7"
    rules = product_rules(id_of(TINY))
    hidden = "?,?,?/?,?,?/?,?,?"
    assert legal_actions(RULES, parse_position(RULES, f"grid={hidden} top=4 opp={up} last=1")) == [
        *("draw", "take", "pass"),
    ]
    # 25 cards: nine and nine, none or one on the discards; the others lie beside the grids.
    text = f"grid={hidden} pile=0 opp={hidden}"
    known = "seen=7,8,8,9,9,10"
    position = parse_position(rules, f"{text} top=7 {known}")
    assert legal_actions(rules, position) == ["draw", "take"]
    rules = product_rules(id_of(STUCK))
    beside = parse_position(rules, f"{text.replace('pile=0', 'pile=0 mine=KKK')}:KKK top=-")
    assert legal_actions(rules, beside) == ["pass"]


# What cannot be read


# The place is marked with ^.
@pytest.mark.parametrize(
    ("marked", "told"),
    [
        ("^", "grid="),
        (f"top=4 {OPP}^", "your cards row by row"),
        ("grid=3,?,5/?,7,?/J,?,? opp=?^", "top="),
        ("grid=3,?,5/?,7,?/J,?,? top=4^", "opp="),
        (TEXT.replace("3,?,5", "^3,?"), "three cards in a row (here 2)"),
        (TEXT.replace("3,?,5", "^3,?,5,6"), "three cards in a row (here 4)"),
        (TEXT.replace("grid=3,?,5/", "grid=^"), "three rows between slashes (here 2)"),
        (TEXT.replace("3,?,5/", "^3,?,5/6,6,6/"), "three rows between slashes (here 4)"),
        (TEXT.replace("3,?", "^2,?"), "a card: 3, 4, 5"),
        (TEXT.replace("(7)", "^(8"), "found '(8'"),
        (TEXT.replace("(7)", "(^?)"), "a card"),
        (TEXT.replace("(7)", "(^)"), "a card"),
        (TEXT.replace("J,", "^q,"), "found 'q'"),
        (TEXT.replace("J,", "^-3,"), "found '-3'"),
        (TEXT.replace("J,?,?", "J,^,?"), "a card"),
        (TEXT.replace("top=4", "top=^?"), "in top"),
        (TEXT.replace("top=4", "top=^4,5"), "in top"),
        (TEXT.replace("?,9", "?,^(9)"), "a card"),
        (TEXT.replace(":DK", ":D^J"), "D or K"),
        (TEXT.replace(":DK", ":D:^K"), "one colon"),
        (f"{TEXT};^", "three rows"),
        (f"{TEXT};^?,?", "three rows"),
        (f"mine=D^X {TEXT}", "D or K, or - for none"),
        (f"mine=^ {TEXT}", "in mine"),
        (f"{TEXT} seen=3,^,4", "in seen"),
        (f"{TEXT} seen=3^-", "in seen"),
        (f"{TEXT} drawn=^-", "in drawn"),
        (f"{TEXT} drawn=^?", "in drawn"),
        (f"{TEXT} pile=^x", "a whole number"),
        (f"{TEXT} last=^1.5", "a whole number"),
        (f"{TEXT} llamas=2,^,1", "a whole number"),
        (f"{TEXT} scores=^2;1", "a whole number"),
        (f"{TEXT} target=^" + "3" * 30, "18 digits"),
        (f"{TEXT} ^gird=3", "did you mean grid"),
        (f"{TEXT} ^top=4", "given twice"),
        (f"^4 {TEXT}", "name=value"),
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


def less_known(rng: random.Random, position: Position) -> Iterator[Position]:
    """The position, and what is left of it if some of it is not given or not remembered."""
    yield position
    some = position.seen[: rng.randint(0, len(position.seen))]
    yield replace(position, seen=some)
    yield replace(position, seen=())
    # Without a pile given the rest is taken to lie there.
    if position.last is None:
        yield replace(position, pile=None)
    yield replace(position, llamas=None, target=None, totals=None, round=None, first=None)
    mine = position.grids[0]
    kinds = [k if up else UNKNOWN for k, up in zip(mine.cards, mine.up, strict=True)]
    yield replace(position, grids=(replace(mine, cards=tuple(kinds)), *position.grids[1:]))


@pytest.mark.long
@pytest.mark.parametrize("policy", ["random", PLANNER])
@pytest.mark.parametrize(
    "options",
    [{}, TIES | {"any_tie": True}, FOUR, SMALL | END, SMALL | {"peeks": 9}, TINY, STUCK],
    ids=short,
)
def test_positions_that_occur_are_never_refused(options: dict, policy: str) -> None:
    rules, rng, seen = product_rules(id_of(options)), random.Random(4), Counter[str]()
    for players in players_of(options):
        for position in asked(options, players, policy, players):
            for known in less_known(rng, position):
                assert parse_position(rules, known.format()) == known
                seen[" ".join(legal_actions(rules, known))] += 1
    assert seen["draw take"] > 30


@pytest.mark.long
def test_games_reach_the_corners() -> None:
    found = [
        position
        for options in ({}, TIES, TINY, STUCK, FOUR | SMALL)
        for game in range(3)
        for position in asked(options, 2, "random", game)
    ]
    assert any(p.last for p in found)
    assert any(p.top is None and p.pile for p in found)
    assert any(p.top is None and not p.pile for p in found)
    assert any(p.target == 3 for p in found)
    assert any(p.round == 4 for p in found)
    assert any(p.grids[0].hidden == 0 and p.grids[0].down for p in found)
    assert any(len(p.grids[1].beside) > 2 for p in found)
