"""Records with turns of which only the result is known: the same states, advice and grades."""

from __future__ import annotations

from typing import Any

import pytest

from lama_odds.analysis.coach.review import review
from lama_odds.analysis.coach.session import Session, step_back
from lama_odds.core.errors import NothingToDecideError, ReadError
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import by_result, decisions, is_turn, recorded_of
from lama_odds.report.pages.review_page import review_page
from lama_odds.report.text.review import closing_text, sentences
from lama_odds.report.text.review_figures import account_rows

PIKOMINO = "lama-odds record 1\nrules pikomino/egmont\nplayers 3\n"
DICE = (
    "lama-odds record 1\nrules dice/egmont\nplayers 3\nround 0 first 0\nscores 11 0 0\n"
    "deal 11234L 225LLL 345566\n"
)


def read(text: str) -> Any:
    game = game_of(text.split()[4])
    return recorded_of(game).reader().read(text)


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


def test_tiles_are_taken_stolen_and_returned() -> None:
    record = read(
        PIKOMINO + "0 stop 25\n1 steal 25\n2 stop 36\n0 bust\n1 bust returns 25 flips 35\n"
    )
    assert record.state.stacks == [[], [], [36]]
    assert record.state.turned == [35]
    assert 25 in record.state.centre
    assert record.state.seat == 2
    read(PIKOMINO + "0 stop 24\n1 stop 25\n2 roll 1112345W keep W roll 1112345 keep 5\n")


def test_a_llama_dice_round_of_results() -> None:
    text = DICE + "0 take 6\n1 discard 22\n2 roll LLL\n0 discard 116\n1 discard 5L\n2 quit\n"
    state = read(text).rounds[-1]
    assert state.hands[0] == (0, 1, 1, 1, 0, 0, 1)
    assert state.hands[1] == (0, 0, 0, 0, 0, 0, 2)
    assert state.row == 0b1011111
    assert state.quit_seats == {2}
    blown = read(DICE + "0 quit\n1 quit\n2 blown\nend blown\n").rounds[-1]
    assert blown.hands[2] == (1, 1, 2, 2, 3, 3, 1)
    out = read(DICE + "0 discard 11\n1 quit\n2 quit\n0 discard 234\n0 discard L\nend out\n").rounds[
        -1
    ]
    assert out.scores[0] == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PIKOMINO + "0 stop 20", "no roll makes seat 0 stop 20 here: only 21-36"),
        (PIKOMINO + "0 stop 25\n1 stop 25", "no roll makes seat 1 stop 25 here: only 21-24,26-36"),
        (PIKOMINO + "0 stop 25\n1 steal 24", "no roll makes seat 1 steal 24 here: only 25"),
        (PIKOMINO + "0 steal 25", "no roll makes seat 0 steal 25 here: there is no tile"),
        (PIKOMINO + "0 stop 25 roll 1", "nothing after the tile"),
        (PIKOMINO + "0 stop", "stop TILE"),
        (PIKOMINO + "0 bust returns 25", "no tile"),
        (PIKOMINO.replace("egmont", "egmont+no_steal") + "0 stop 25\n1 steal 25", "no tile"),
        (PIKOMINO + "0 roll 11123445 keep 5 stop 25", "none can be taken"),
        (PIKOMINO + "0 roll 11123445 keep 5 bust", "this turn is not bust"),
        (DICE + "0 discard 22", "no roll makes seat 0 discard 22 here: its cards are 11234L"),
        (DICE + "0 discard 1123", "and there are 3 dice"),
        (DICE + "0 take 1", "no roll makes seat 0 take 1 here"),
        (DICE + "0 take 6\n1 take 6", "the row is 12345L"),
        (DICE + "0 blown", "no roll makes seat 0 blown here"),
        (DICE + "0 discard", "discard CARDS, take CARD or blown"),
        (DICE + "0 blown 1", "discard CARDS, take CARD or blown"),
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
@pytest.mark.parametrize("me", [0, 2])
def test_my_decisions_are_the_same_without_the_rolls_of_others(
    rules_id: str, names: tuple[str, ...], me: int
) -> None:
    game = game_of(rules_id)
    rules, policies = game.rules(rules_id), [game.policy(name) for name in names]
    results = tuple(recorded_of(game).results)
    for seed in range(3):
        text = game.record(rules, policies, seed, 0, game.has_rounds)
        short = without_rolls(text, me, results)
        assert any(by_result(recorded_of(game), line) for line in short.splitlines())
        before = [d for d in decisions(game, rules, text) if d.seat == me]
        after = [d for d in decisions(game, rules, short) if d.seat == me]
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
    lines = game.record(rules, policies, 1, 0, rules_id.startswith("dice")).splitlines()
    text = "\n".join(lines[:22]).replace(f"policies {names[0]}", "policies me") + "\n"
    results = tuple(recorded_of(game).results)
    short = without_rolls(text, 0, results)
    full, found = (review(game, rules, each, seat=0, games=1000) for each in (text, short))
    told = {**full.to_json(), "seconds": 0}
    assert {**found.to_json(), "seconds": 0} == told
    every = review(game, rules, short, games=1000)
    assert [seat.seat for seat in every.seats] == [0]
    assert every.unseen == (1, 2)
    assert every.to_json()["decisions"] == told["decisions"]
    assert closing_text(every) == (
        "The rolls of player 2 and player 3 are not known, so these decisions and this luck are "
        "not graded."
    )


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
    assert closing_text(found) == (
        "Some of your turns are known only by their result, so they are not graded and luck is not "
        "separated."
    )
    told = " ".join(said for each in sentences(found) for said in each)
    assert "luck" not in told.lower()
    assert account_rows(found, found.seats[0], found.course.accounts[0]) == []
    assert "luck is not separated" in review_page(found)


def begun(rules: str, players: int, me: int) -> Session:
    game = game_of(rules)
    session = Session.begin(game, game.rules(rules), players, me, None, 0)
    session.advance()
    return session


def test_results_are_typed_in_short_and_taken_back() -> None:
    session = begun("pikomino/egmont", 3, 1)
    told = []
    for entry in ("25", "take 26", "26", "#1 steal 26", "bust", "take 24", "Stop 23"):
        told.append(session.text)
        session.enter(entry)
        session.advance()
    assert session.text.splitlines()[5:] == [
        *("0 stop 25", "1 stop 26", "2 steal 26", "0 steal 26"),
        *("1 bust", "2 stop 24", "0 stop 23"),
    ]
    for before in reversed(told):
        step_back(session)
        assert session.text == before
    with pytest.raises(ReadError, match="nothing can be taken back"):
        step_back(session)


def test_results_of_lama_dice_are_typed_and_taken_back() -> None:
    session = begun("dice/amigo", 2, 1)
    told = []
    for entry in ("11366L 12236L", "d 63", "r136", "d1", "t2", "#2 rLLL", "q", "blown"):
        told.append(session.text)
        session.enter(entry)
        session.advance()
    assert (
        "0 discard 63\n1 roll 136 discard 1\n0 take 2\n1 roll LLL\n0 quit\n1 blown" in session.text
    )
    for before in reversed(told):
        step_back(session)
        assert session.text == before
