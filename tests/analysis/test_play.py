"""Playing along: by the rules, resumed and undone anywhere, advised ahead, ready at once."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest

from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.choices import MOST, Ahead, limits_of
from lama_odds.analysis.coach.session import AT_TABLE, Session
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import is_turn, read_record
from tests.cli.calls import PATIENCE, environment

CASES = [
    ("dice/amigo", ["threshold:5", "meanfield"]),
    ("lama/party+drama", ["meanfield"]),
    ("pikomino/egmont", ["random", "first-tile"]),
    ("noprob/starnberger", ["greedy", "random"]),
]


def begun(
    rules: str, players: int, against: list[str] | None, me: int = 0, seed: int = 3
) -> Session:
    game = game_of(rules)
    others = None if against is None else [game.policy(name) for name in against]
    return Session.begin(game, game.rules(rules), players, me, others, seed)


def play_on(session: Session, moves: int) -> list[str]:
    """Play the first legal action so often; the record before each of them."""
    told = []
    for _ in range(moves):
        session.advance()
        if session.over:
            break
        told.append(session.text)
        session.enter(session.actions()[-1])
    session.advance()
    return told


@pytest.mark.long
@pytest.mark.parametrize(("rules", "against"), CASES)
def test_a_game_is_played_by_the_rules_and_goes_on_from_anywhere(
    rules: str, against: list[str]
) -> None:
    me = len(against)
    session = begun(rules, me + 1, against, me)
    told = play_on(session, 8)
    assert read_record(session.game, session.text).policies == (*against, "me")
    # Killed at any prompt, and gone on with: the same game.
    whole = session.text
    for text in told[:: max(1, len(told) // 3)]:
        again = Session(session.game, session.rules, text)
        assert again.advance() == []
        play_on(again, len(told) - told.index(text))
        assert again.text == whole
    for text in reversed(told):
        session.undo()
        assert session.text == text
    with pytest.raises(ReadError, match="nothing can be taken back"):
        session.undo()


def test_what_is_refused_changes_nothing() -> None:
    session = begun("pikomino/egmont", 2, ["first-tile"])
    session.advance()
    for _ in range(2):
        before = session.text
        for entry in ("fly", "keep W W", "stop 21", "roll 11", "steal 22", "0", "keep 7"):
            with pytest.raises(ReadError, match="possible: "):
                session.enter(entry)
            assert session.text == before
        session.enter(session.actions()[0])
    table = begun("pikomino/egmont", 2, None)
    table.advance()
    before = table.text
    with pytest.raises(ReadError):  # the first of both is not carried out either
        table.enter("r11234W55 k5; fly")
    assert table.text == before
    dice = begun("dice/amigo", 2, ["random"])
    dice.advance()
    with pytest.raises(ReadError):
        dice.enter("roll LLL")  # not mine to choose


def test_no_advice_plays_games_with_the_luck_of_the_game_itself() -> None:
    """Else it would know the next card: games that are played out have numbers below."""
    for rules, players in (("lama/egmont", 3), ("pikomino/egmont", 2)):
        session = begun(rules, players, ["random"] * (players - 1))
        session.advance()
        assert session._step() >= AT_TABLE


def test_what_leaves_no_choice_is_played_and_undone_with_the_choice_before() -> None:
    session = begun("pikomino/egmont", 2, ["first-tile"], me=1)
    (*_, rolled) = session.advance()
    assert rolled.startswith("1 roll ")  # nothing else can be done at first
    assert len(session.actions()) > 1
    first = session.text
    session.enter(session.actions()[0])
    session.advance()
    assert session.text != first
    session.undo()
    assert session.text == first
    with pytest.raises(ReadError, match="nothing can be taken back"):
        session.undo()


def test_told_from_a_table() -> None:
    session = begun("dice/amigo", 2, None)
    session.advance()
    assert session.awaited == "deal"
    assert session.seat() is None
    with pytest.raises(ReadError, match="deal"):
        session.enter("roll 234")
    session.enter("deal 11366L 12236L")
    session.enter("roll 234")  # mine, in pieces
    session.enter("discard 3")
    session.enter("1 roll 4LL discard L")  # whole, with the seat
    before = session.text
    for wrong in ("1 quit", "roll 999", "roll", "roll 226 take 6", "dance"):
        with pytest.raises(ReadError):
            session.enter(wrong)
        assert session.text == before
    session.enter("quit")
    session.undo()
    assert session.text == before
    session.enter("quit")
    session.enter("1 roll 1LL discard 1")
    session.enter("roll 14L")  # what follows by itself is added
    session.advance()
    assert session.text.splitlines()[-5:] == [
        *("1 roll 14L blown", "end blown", "penalties 17 31"),
        *("round 1 first 1", "scores 17 31"),
    ]
    assert session.awaited == "deal"


# By rule set: seats, my seat, entries, of which those marked ! are refused with these words.
TOLD = {
    "lama/egmont": (3, 1, """
        deal 11366L
        top 5
        ! 1 5 -> seat 0 is to act
        5
        ! d -> name the card too
        d2
        ! d4 -> seat 1 does not see what seat 2 draws
        d; 0 play 6
        L
        ! 6 -> 6 cannot be played on L
        1
        q
        d4
        2
        q; 2 quit
        ! 3 20 10 -> seat 1 has 16 points, not 20
        ! 0 16 10 -> seat 0 cannot have 0 points: 1 to
        ! 3 16 7 x -> 3 numbers
        3 16 7
        """, """
        deal ? 11366L ?
        top 5
        0 play 5
        1 draw 2
        2 draw ?
        0 play 6
        1 play L
        2 play 1
        0 quit
        1 draw 4
        2 play 2
        1 quit
        2 quit
        end quit
        penalties 3 16 7
        round 1 first 1
        scores 3 16 7
        """),
    "noprob/starnberger": (2, 1, """
        ! 11=3 12=7 #2:11,12 -> expected another of 2 players
        ! 11=3 12=7 #1:11,44 -> found '44', expected a cell
        ! 11=3 12=7 #1:11,12,13 -> at most 2 cards looked at
        ! 11=3 12=7 #1:11 #1:12 -> there twice
        11=3 12=7 #1:11,22
        9
        d5 12 7
        d4
        ! r -> found 'replace', expected
        ! 33 -> name the card that is turned up too
        33 8
        t 13 8
        ! t 11 8 -> found '8', expected 3: row 1, column 1 holds 3
        ! x -> found 'discard', expected draw CARD
        t11
        dD g1
        1 draw D give 0
        d5 x
        ! d3 g1 -> only specials are given
        ! p -> only a last turn may be passed
        d K
        """, """
        deal *,?,?/?,*,?/?,?,? (3),(7),?/?,?,?/?,?,?
        top 9
        0 draw 5 replace 1,2 turns 7
        1 draw 4 replace 3,3 turns 8
        0 take 8 replace 1,3 turns 8
        1 take 8 replace 1,1
        0 draw D give 1
        1 draw D give 0
        0 draw 5 discard
        1 draw K give 0
        """),
}  # fmt: skip


def tell(session: Session, entries: str) -> None:
    for entry in filter(None, map(str.strip, entries.splitlines())):
        session.advance()
        before = session.text
        if not entry.startswith("! "):
            session.enter(entry)
            continue
        typed, reason = entry.removeprefix("! ").split(" -> ")
        with pytest.raises(ReadError) as error:
            session.enter(typed)
        assert reason in str(error.value)
        assert session.text == before
    session.advance()


@pytest.mark.parametrize("rules", TOLD)
def test_a_table_of_hidden_cards_is_told_from_my_seat(rules: str) -> None:
    players, me, entries, lines = TOLD[rules]
    session = begun(rules, players, None, me)
    tell(session, entries)
    expected = [line.strip() for line in lines.strip().splitlines()]
    assert session.text.splitlines()[-len(expected) :] == expected

    # Undone to the start, told line by line again: the same record.
    told = [line for line in expected if is_turn(line) or line.split()[0] in ("deal", "top")]
    told += [line for line in expected if line.startswith("penalties")]
    while True:
        try:
            session.undo()
        except ReadError:
            break
        session.advance()
    assert session.awaited == "deal"
    tell(session, "\n".join(told))
    assert session.text.splitlines()[-len(expected) :] == expected


def test_at_a_table_only_what_i_see_has_actions() -> None:
    session = begun("noprob/starnberger", 2, None, 0)
    tell(session, "11=3 12=7\ntop 9")
    assert set(session.actions()) == {"draw", "take"}
    session.enter("t")
    assert session.position().format().count("taken=9") == 1
    assert "discard" not in session.actions()
    tell(session, "33 4")
    assert (session.actions(), session.seen) == ([], False)


def test_no_more_cards_than_there_are() -> None:
    session = begun("lama/egmont", 2, None, 0)
    tell(session, "11166L\ntop 1\nd2; 1; d2; 1; d2; 1; d2; 1; d3")
    with pytest.raises(ReadError, match="all 8 cards 1 have been seen"):
        session.enter("1")
    session = begun("noprob/starnberger", 2, None, 0)
    tell(session, "11=J 12=J\ntop J\ndJ x\ndJ x")
    with pytest.raises(ReadError, match="all 5 cards J are in sight"):
        session.enter("dJ x")


def test_a_record_without_me_is_refused() -> None:
    text = begun("dice/amigo", 2, ["random"]).text.replace("policies me", "policies random")
    with pytest.raises(ReadError, match="me"):
        Session(game_of("dice"), game_of("dice").rules("dice/amigo"), text)


def three_players() -> Session:
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    session = Session.begin(game, rules, 3, 0, [game.policy("threshold:5")] * 2, 3)
    session.advance()
    return session


def test_it_is_what_advise_says_and_comes_once() -> None:
    session, told = three_players(), list[Advice]()
    limits = Limits(games=2_000)
    ahead = Ahead(session, "points", limits, told.append)
    found = ahead.wait()
    assert told == [found]
    assert found.actions == session.advice("points", limits).actions
    assert ahead.seconds > 0


def test_a_dropped_one_ends_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    told, asked, dropped = list[Advice](), threading.Event(), threading.Event()
    advice = Session.advice

    def slowly(self: Session, objective: Any, limits: Limits, progress: Any) -> Advice:
        asked.set()
        dropped.wait(60)
        return advice(self, objective, limits, progress)

    monkeypatch.setattr(Session, "advice", slowly)
    ahead = Ahead(three_players(), "points", Limits(games=1 << 40), told.append)
    asked.wait(60)
    ahead.drop()
    dropped.set()
    ahead._thread.join(60)
    assert not ahead._thread.is_alive()  # of 2^40 games it has played a chunk
    assert told == []


def test_an_error_comes_where_it_is_waited_for() -> None:
    told: list[Advice] = []
    ahead = Ahead(three_players(), "points", Limits(games=10), told.append)
    with pytest.raises(LimitError):
        ahead.wait()
    assert told == []


def test_where_nobody_waits_nothing_depends_on_the_clock() -> None:
    assert limits_of(None, waits=False) == Limits(clear=True, most=MOST)
    assert limits_of(5_000, waits=True) == limits_of(5_000, waits=False) == Limits(games=5_000)


@pytest.mark.long
@pytest.mark.parametrize(
    "asked", [("lama/party+drama", "3", "against", "2"), ("pikomino/egmont", "2", "table", "4")]
)
def test_nothing_is_compiled_or_loaded_after_the_first_prompt(asked: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.analysis.loaded", *asked],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == ""
