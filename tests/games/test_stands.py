"""``stands POSITION`` in a record: from there on the state is that of the position."""

from __future__ import annotations

import pytest

from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.mending import entries_of, mend
from lama_odds.analysis.coach.review import review
from lama_odds.analysis.coach.session import Session, step_back
from lama_odds.core.errors import ReadError
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import points_by_turn, recorded_of

# Rules, entries before, the position, its canonical form, an entry of mine after it.
CASES = [
    (
        "lama/amigo",
        ("11366L", "4", "5", "6", "d"),
        "hand=166L top=6 opp=4,q2 seen=4556",
        "hand=166L top=6 opp=4,q2 pile=35 seen=4556 scores=0,0,0 first=2",
        "6",
    ),
    (
        "lama/egmont+drama",
        ("11366L", "4", "5"),
        "hand=13 top=4 opp=2,3 pot=1,1 scores=3,4,5 first=2",
        "hand=13 top=4 opp=2,3 pile=35 pot=1,1 scores=3,4,5 first=2",
        "q",
    ),
    (
        "dice/amigo",
        ("11366L 12236L 124455", "q"),
        "hand=12L row=12345L opp=4,q13L scores=3,5,0",
        "hand=12L row=12345L opp=4,q13L scores=3,5,0 first=2",
        "roll 124; d12",
    ),
    (
        "pikomino/egmont",
        ("25",),
        "centre=21-24,30-33 stacks=27.25/-/34",
        "centre=21-24,30-33 stacks=27.25/-/34",
        "roll 11111111",
    ),
    (
        "noprob/starnberger",
        ("11=3 12=7", "4", "draw 5 replace 1,1 turns 9"),
        "grid=3,(7),?/?,?,?/J,?,? top=8 pile=80 seen=9,4 opp=5,?,?/?,?,?/?,?,9:D;?",
        "grid=3,(7),?/?,?,?/J,?,? top=8 pile=80 seen=9,4 opp=5,?,?/?,?,?/?,?,9:D;?,?,?/?,?,?/?,?,? "
        "llamas=0,0,0 target=3 first=2",
        "take replace 2,2 turns 10",
    ),
]


def begun(rules: str, *entries: str) -> Session:
    game = game_of(rules)
    session = Session.begin(game, game.rules(rules), 3, 1, None, 0)
    session.advance()
    for entry in entries:
        session.enter(entry)
        session.advance()
    return session


@pytest.mark.parametrize(("rules", "before", "position", "known", "after"), CASES)
def test_a_position_replaces_the_state(
    rules: str, before: tuple[str, ...], position: str, known: str, after: str
) -> None:
    session = begun(rules, *before)
    told = session.text
    session.enter(f"stands {position}")
    session.advance()
    assert session.seat() == session.me
    assert session.position().format() == known
    fresh = session.game.position(session.rules, known)
    assert session.position() == fresh
    assert getattr(session.position(), "past", None) is None
    assert session.actions() == session.query.legal_actions(session.rules, fresh)
    stood = session.text
    session.enter(after)
    session.advance()
    places = [each.entry.split()[0] for each in entries_of(session)]
    again = session.text
    assert mend(session, places.index("stands"), f"stands {position}") == ([], "")
    assert session.text == again
    if after != "roll 11111111":  # it follows by itself that this is bust
        session.text = stood
    else:
        step_back(session)
    step_back(session)
    assert session.text == told


def test_advice_is_that_for_the_position() -> None:
    session = begun("lama/amigo", "11366L", "4", "5", "6", "d", f"stands {CASES[0][2]}")
    limits = Limits(games=1000)
    found = session.advice(None, limits)
    asked = session.game.position(session.rules, CASES[0][3])
    session.position = lambda: asked  # type: ignore[method-assign]
    assert session.advice(None, limits).to_json()["actions"] == found.to_json()["actions"]


def test_what_a_turn_brought_is_not_what_was_put_right_after_it() -> None:
    session = begun("pikomino/egmont", "25", "roll 11111111", "26", f"36; stands {CASES[3][2]}")
    assert points_by_turn(recorded_of(session.game), session.text) == [
        ([0, 0, 0], [2, 0, 0]),
        ([2, 0, 0], [2, 0, 0]),
        ([2, 0, 0], [2, 0, 2]),
        ([2, 0, 2], [6, 0, 2]),
    ]
    found = review(session.game, session.rules, session.text, games=1000)
    assert [seat.seat for seat in found.seats] == [1]


@pytest.mark.parametrize(
    ("rules", "entries", "reason"),
    [
        ("lama/amigo", ("11366L", "4", "stands hand=166L top=6 opp=4"), "is of 2 players"),
        ("lama/amigo", ("11366L", "4", "stands hand=166L"), "top is missing"),
        ("lama/amigo", ("11366L", "4", "stands"), "stands POSITION"),
        ("lama/amigo", ("11366L", "4", "stands hand=111111111 top=6 opp=4,4"), "the game has 8"),
        ("lama/amigo", ("11366L", "stands hand=166L top=6 opp=4,4"), "top"),
        ("dice/amigo", ("11366L 12236L 124455", "r136", "stands hand=1 opp=2,3"), "before a roll"),
        ("dice/amigo", ("11366L 12236L 124455", "stands hand=1 opp=q=2,3"), "cards of all"),
        ("pikomino/egmont", ("stands own=21 tops=-,-",), "centre and stacks"),
        ("pikomino/egmont", ("stands kept=W stacks=21/-/-",), "before a roll"),
        (
            "noprob/starnberger",
            ("11=3 12=7", "4", "stands grid=?,?,?/?,?,?/?,?,? top=4 opp=?"),
            "of 2 players",
        ),
        (
            "noprob/starnberger",
            ("11=3 12=7", "4", "stands grid=?,?,?/?,?,?/?,?,? top=4 opp=?;? drawn=5"),
            "drawn",
        ),
        (
            "noprob/starnberger",
            ("11=3 12=7", "4", "stands grid=?,?,?/?,?,?/?,?,? top=4 opp=?;? llamas=1,0,0"),
            "by the rounds before it is 0,0,0",
        ),
    ],
)
def test_positions_that_cannot_be(rules: str, entries: tuple[str, ...], reason: str) -> None:
    session = begun(rules, *entries[:-1])
    before = session.text
    with pytest.raises(ReadError, match=reason):
        session.enter(entries[-1])
    assert session.text == before
