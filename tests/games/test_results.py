"""Records with less than every roll: turns known by their result, and positions put right."""

from __future__ import annotations

from typing import Any

import pytest

from lama_odds.analysis.coach.mending import entries_of, mend
from lama_odds.analysis.coach.review import review
from lama_odds.analysis.coach.session import Session, step_back
from lama_odds.core.errors import NothingToDecideError, ReadError
from lama_odds.games.noprob.rules.transition import DRAMA
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import (
    by_result,
    decisions,
    is_turn,
    points_by_turn,
    recorded_of,
)
from lama_odds.report.pages.review_page import review_page
from lama_odds.report.text.review import closing_text, sentences
from lama_odds.report.text.review_figures import account_rows

PIKOMINO = "lama-odds record 1\nrules pikomino/egmont\nplayers 3\n"
NO_STEAL = PIKOMINO.replace("egmont", "egmont+no_steal")
DICE = (
    "lama-odds record 1\nrules dice/egmont\nplayers 3\nround 0 first 0\nscores 11 0 0\n"
    "deal 11234L 225LLL 345566\n"
)


def read(text: str) -> Any:
    return recorded_of(game_of(text.split()[4])).reader().read(text)


def without_rolls(text: str, me: int, results: tuple[str, ...]) -> str:
    """The record with the turns of all others but `me` as their results."""
    lines = []
    for line in text.splitlines():
        seat, *words = line.split()
        ends = [at for at, word in enumerate(words) if word in results]
        if is_turn(line) and int(seat) != me and ends:
            line = " ".join([seat, *words[ends[0] :]])
        lines.append(line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PIKOMINO + "0 stop 20", "no roll makes seat 0 stop 20 here: only 21-36"),
        (PIKOMINO + "0 stop 25\n1 steal 24", "no roll makes seat 1 steal 24 here: only 25"),
        (PIKOMINO + "0 steal 25", "no roll makes seat 0 steal 25 here: there is no tile"),
        (PIKOMINO + "0 stop 25 roll 1", "nothing after the tile"),
        (PIKOMINO + "0 stop", "stop TILE"),
        (PIKOMINO + "0 bust returns 25", "no tile"),
        (NO_STEAL + "0 stop 25\n1 steal 25", "no tile"),
        (PIKOMINO + "0 roll 11123445 keep 5 stop 25", "none can be taken"),
        (PIKOMINO + "0 roll 11123445 keep 5 bust", "this turn is not bust"),
        (DICE + "0 discard 22", "no roll makes seat 0 discard 22 here: its cards are 11234L"),
        (DICE + "0 discard 1123", "and there are 3 dice"),
        (DICE + "0 take 6\n1 take 6", "the row is 12345L"),
        (DICE + "0 blown", "no roll makes seat 0 blown here"),
        (DICE + "0 discard", "discard CARDS, take CARD or blown"),
        (DICE + "0 quit\n1 quit\n2 take 1", "no roll makes seat 2 take 1"),
    ],
)
def test_what_follows_from_no_roll_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ReadError, match="line ") as error:
        read(text + "\n")
    assert reason in str(error.value)


CASES = [
    ("pikomino/egmont", ("lead:50", "first-tile", "random")),
    ("dice/amigo", ("threshold:5",) * 3),
]


@pytest.mark.parametrize(("rules_id", "names"), CASES)
def test_my_decisions_are_the_same_without_the_rolls_of_others(
    rules_id: str, names: tuple[str, ...]
) -> None:
    game = game_of(rules_id)
    rules, policies = game.rules(rules_id), [game.policy(name) for name in names]
    for me in (0, 2):
        text = game.record(rules, policies, me, 0, game.has_rounds)
        short = without_rolls(text, me, tuple(recorded_of(game).results))
        assert any(by_result(recorded_of(game), line) for line in short.splitlines())
        before, after = (
            [d for d in decisions(game, rules, each) if d.seat == me] for each in (text, short)
        )
        assert after == before
        assert read(short).outcome == read(text).outcome
        one, other = before[len(before) // 2].before, after[len(after) // 2].before
        assert one != other
        assert game.position_after(rules, other) == game.position_after(rules, one)


@pytest.mark.long
@pytest.mark.parametrize(("rules_id", "names"), CASES)
def test_my_grades_are_the_same_and_others_are_not_graded(
    rules_id: str, names: tuple[str, ...]
) -> None:
    game = game_of(rules_id)
    rules, policies = game.rules(rules_id), [game.policy(name) for name in names]
    lines = game.record(rules, policies, 1, 0, game.has_rounds).splitlines()
    text = "\n".join(lines[:22]).replace(f"policies {names[0]}", "policies me") + "\n"
    short = without_rolls(text, 0, tuple(recorded_of(game).results))
    full, found = (review(game, rules, each, seat=0, games=1000) for each in (text, short))
    assert {**found.to_json(), "seconds": 0} == {**full.to_json(), "seconds": 0}
    every = review(game, rules, short, games=1000)
    assert ([seat.seat for seat in every.seats], every.unseen) == ([0], (1, 2))
    assert every.to_json()["decisions"] == full.to_json()["decisions"]


def test_results_alone_are_nothing_to_review() -> None:
    game, text = game_of("pikomino/egmont"), PIKOMINO + "0 stop 25\n1 stop 26\n"
    with pytest.raises(NothingToDecideError, match="no decisions, only results of turns"):
        review(game, game.rules("pikomino/egmont"), text)


def test_luck_is_not_separated_where_a_turn_of_mine_is_a_result() -> None:
    game = game_of("pikomino/egmont")
    turns = "0 stop 25\n1 stop 26\n0 roll 12345WWW keep W roll 12355 keep 5 stop 24\n"
    text = PIKOMINO.replace("players 3", "players 2\npolicies me player") + turns
    found = review(game, game.rules("pikomino/egmont"), text, seat=0)
    assert found.unseen == (0,)
    assert {each.decision.turn for each in found.decisions} == {2}
    assert "luck is not separated" in closing_text(found)
    told = " ".join(said for each in sentences(found) for said in each)
    assert "luck" not in told.lower()
    assert account_rows(found, found.seats[0], found.course.accounts[0]) == []
    assert "luck is not separated" in review_page(found)


def begun(rules: str, players: int, *entries: str) -> Session:
    """A game played along by player 2, and some entries."""
    game = game_of(rules)
    session = Session.begin(game, game.rules(rules), players, 1, None, 0)
    session.advance()
    for entry in entries:
        session.enter(entry)
        session.advance()
    return session


@pytest.mark.parametrize(
    ("rules", "players", "entries", "told"),
    [
        ("pikomino/egmont", 3, ("25", "take 26", "26", "#1 steal 26", "bust", "take 24", "Stop 23"),
         "0 stop 25\n1 stop 26\n2 steal 26\n0 steal 26\n1 bust\n2 stop 24\n0 stop 23"),
        ("dice/amigo", 2, ("11366L 12236L", "d 63", "r136", "d1", "t2", "#2 rLLL", "q", "blown"),
         "0 discard 63\n1 roll 136 discard 1\n0 take 2\n1 roll LLL\n0 quit\n1 blown"),
    ],
)  # fmt: skip
def test_results_are_typed_in_short_and_taken_back(
    rules: str, players: int, entries: tuple[str, ...], told: str
) -> None:
    session, before = begun(rules, players), []
    for entry in entries:
        before.append(session.text)
        session.enter(entry)
        session.advance()
    assert told in session.text
    for text in reversed(before):
        step_back(session)
        assert session.text == text
    with pytest.raises(ReadError, match="nothing can be taken back"):
        step_back(session)


# Positions put right: from `stands POSITION` on the state is that of the position.

PUT_RIGHT = "centre=21-24,30-33 stacks=27.25/-/34"
# Rules, entries before, the position, what its canonical form has more, an entry of mine after it.
STANDS = [
    ("lama/amigo", ("11366L", "4", "5", "6", "d"), "hand=166L top=6 opp=4,q2 seen=4556",
     "hand=166L top=6 opp=4,q2 pile=35 seen=4556 scores=0,0,0 first=2", "6"),
    ("lama/egmont+drama", ("11366L", "4", "5"),
     "hand=13 top=4 opp=2,3 pot=1,1 scores=3,4,5 first=2",
     "hand=13 top=4 opp=2,3 pile=35 pot=1,1 scores=3,4,5 first=2", "q"),
    ("dice/amigo", ("11366L 12236L 124455", "q"),
     "hand=12L row=12345L opp=4,q13L scores=3,5,0 first=1",
     "hand=12L row=12345L opp=4,q13L scores=3,5,0 first=1", "roll 124; d12"),
    ("pikomino/egmont", ("25",), PUT_RIGHT, PUT_RIGHT, "roll 11111111"),
    ("noprob/starnberger", ("11=3 12=7", "4", "draw 5 replace 1,1 turns 9"),
     "grid=3,(7),?/?,?,?/J,?,? top=8 pile=80 seen=9,4 opp=5,?,?/?,?,?/?,?,9:D;?",
     "grid=3,(7),?/?,?,?/J,?,? top=8 pile=80 seen=9,4 opp=5,?,?/?,?,?/?,?,9:D;?,?,?/?,?,?/?,?,? "
     "llamas=0,0,0 target=3 first=2", "take replace 2,2 turns 10"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "before", "position", "known", "after"), STANDS)
def test_a_position_replaces_the_state(
    rules: str, before: tuple[str, ...], position: str, known: str, after: str
) -> None:
    session = begun(rules, 3, *before)
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


def test_what_a_turn_brought_is_not_what_was_put_right_after_it() -> None:
    session = begun("pikomino/egmont", 3, "25", "roll 11111111", "26", f"36; stands {PUT_RIGHT}")
    assert points_by_turn(recorded_of(session.game), session.text) == [
        ([0, 0, 0], [2, 0, 0]),
        ([2, 0, 0], [2, 0, 0]),
        ([2, 0, 0], [2, 0, 2]),
        ([2, 0, 2], [6, 0, 2]),
    ]
    begun_turn = f"{PIKOMINO}0 stop 25\n1 roll 11112345 keep 1\n"
    assert points_by_turn(recorded_of(session.game), begun_turn) == [([0, 0, 0], [2, 0, 0])]
    found = review(session.game, session.rules, session.text, games=1000)
    assert [seat.seat for seat in found.seats] == [1]


CARDS = ("11366L", "4")
GRIDS = ("11=3 12=7", "4")
ALL_DICE = ("11366L 12236L 124455",)
EMPTY = "stands grid=?,?,?/?,?,?/?,?,? top=4"


@pytest.mark.parametrize(
    ("rules", "entries", "reason"),
    [
        ("lama/amigo", (*CARDS, "stands hand=166L top=6 opp=4"), "is of 2 players"),
        ("lama/amigo", (*CARDS, "stands hand=166L"), "top is missing"),
        ("lama/amigo", (*CARDS, "stands"), "stands POSITION"),
        ("lama/amigo", (*CARDS, "stands hand=111111111 top=6 opp=4,4"), "the game has 8"),
        ("lama/amigo", ("11366L", "stands hand=166L top=6 opp=4,4"), "top"),
        ("dice/amigo", (*ALL_DICE, "r136", "stands hand=1 opp=2,3"), "before a roll"),
        ("dice/amigo", (*ALL_DICE, "stands hand=1 opp=q=2,3"), "cards of all"),
        ("pikomino/egmont", ("stands own=21 tops=-,-",), "centre and stacks"),
        ("pikomino/egmont", ("stands kept=W stacks=21/-/-",), "before a roll"),
        ("noprob/starnberger", (*GRIDS, f"{EMPTY} opp=?"), "of 2 players"),
        ("noprob/starnberger", (*GRIDS, f"{EMPTY} opp=?;? drawn=5"), "drawn"),
        ("noprob/starnberger", (*GRIDS, f"{EMPTY} opp=?;? llamas=1,0,0"), "is 0,0,0"),
    ],
)
def test_positions_that_cannot_be(rules: str, entries: tuple[str, ...], reason: str) -> None:
    session = begun(rules, 3, *entries[:-1])
    before = session.text
    with pytest.raises(ReadError, match=reason):
        session.enter(entries[-1])
    assert session.text == before


def test_a_position_says_who_started_the_round() -> None:
    session = begun("noprob/starnberger", 3, "11=3 12=7", "4", "draw 5 replace 1,1 turns 9")
    grids = "grid=3,(7),?/?,?,?/J,?,? top=8 pile=80 seen=9,4 opp=5,?,?/?,?,?/?,?,9:D;?"
    session.enter(f"stands {grids} first=1")
    assert session.position().format().endswith(" first=1")


def test_a_special_beside_a_grid_is_in_what_it_can_count() -> None:
    session = begun("noprob/starnberger", 3, "11=3 12=7", "4")
    least, most = session.now.rounds[-1].possible(2)
    session.enter("draw D give #3")
    session.advance()
    points = session.rules.points[DRAMA]
    assert session.now.rounds[-1].possible(2) == (least + points, most + points)
