"""Playing along: policies play by the rules, luck has its place, nothing impossible gets in."""

from __future__ import annotations

import pytest

from lama_odds.analysis.play import Session, check_possible
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.games.decisions import read_record
from lama_odds.games.registry import game_of

CASES = [
    ("dice/amigo", 3, ["threshold:5", "meanfield"]),
    ("dice/egmont+twenty", 2, ["random"]),
    ("lama/egmont", 3, ["matching:5", "random"]),
    ("lama/party+drama", 2, ["meanfield"]),
    ("pikomino/egmont", 2, ["lead:50"]),
    ("pikomino/egmont", 3, ["random", "first-tile"]),
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


@pytest.mark.parametrize(("rules", "players", "against"), CASES)
def test_a_game_is_played_by_the_rules_and_goes_on_from_anywhere(
    rules: str, players: int, against: list[str]
) -> None:
    session = begun(rules, players, against, me=players - 1)
    told = play_on(session, 12)
    record = read_record(session.game, session.text)
    assert record.policies[players - 1] == "me"
    assert list(record.policies[: players - 1]) == against
    # Killed at any prompt, and gone on with: the same game.
    for text in told[:: max(1, len(told) // 4)]:
        again = Session(session.game, session.rules, text)
        assert again.advance() == []
        play_on(again, len(told) - told.index(text))
        assert again.text == session.text


@pytest.mark.parametrize(("rules", "players", "against"), CASES[::2])
def test_other_seed_other_luck(rules: str, players: int, against: list[str]) -> None:
    one, two = (begun(rules, players, against, seed=seed) for seed in (1, 2))
    play_on(one, 4)
    play_on(two, 4)
    assert one.text.splitlines()[5:] != two.text.splitlines()[5:]


@pytest.mark.parametrize(("rules", "players", "against"), CASES)
def test_undo_goes_back_to_each_prompt(rules: str, players: int, against: list[str]) -> None:
    session = begun(rules, players, against)
    told = play_on(session, 8)
    for text in reversed(told):
        session.undo()
        assert session.text == text
    with pytest.raises(ReadError, match="nothing can be taken back"):
        session.undo()


@pytest.mark.parametrize(
    "entry", ["fly", "keep W W", "stop 21", "roll 11", "steal 22", "0", "keep 7"]
)
def test_impossible_actions_are_refused_and_nothing_is_lost(entry: str) -> None:
    session = begun("pikomino/egmont", 2, ["first-tile"])
    session.advance()
    before = session.text
    with pytest.raises(ReadError) as error:
        session.enter(entry)
    assert "possible: roll" in str(error.value)
    assert session.text == before
    session.enter("roll")
    with pytest.raises(ReadError):
        session.enter(entry)
    assert session.text.startswith(before)


def test_my_roll_is_not_mine_to_choose() -> None:
    session = begun("dice/amigo", 2, ["random"])
    session.advance()
    with pytest.raises(ReadError):
        session.enter("roll LLL")


def test_told_from_a_table() -> None:
    session = begun("dice/amigo", 2, None)
    session.advance()
    assert session.awaits_deal
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
    assert session.awaits_deal


def test_a_bust_at_a_table_is_told_by_the_dice() -> None:
    session = begun("pikomino/egmont", 2, None)
    for entry in ("roll 11111111", "keep 1"):
        session.enter(entry)
        session.advance()
    assert session.text.splitlines()[-1] == "0 roll 11111111 keep 1 bust"
    assert session.seat() == 1


def test_a_theft_by_either_name() -> None:
    head = begun("pikomino/egmont", 2, None, me=1).text
    for entry in ("steal 25", "steal 25 from 1"):
        session = Session(game_of("pikomino"), game_of("pikomino").rules("pikomino/egmont"), head)
        session.enter("0 roll 334WWWWW keep W stop 25")
        session.enter("roll 334WWWWW keep W")
        assert session.actions() == ["steal 25 from 1", "stop 24", "roll"]
        session.enter(entry)
        assert session.text.splitlines()[-1] == "1 roll 334WWWWW keep W steal 25"


def test_games_that_cannot_be_played_along_with() -> None:
    with pytest.raises(LimitError, match="advise"):
        check_possible(game_of("lama"), at_table=True)
    for at_table in (True, False):
        with pytest.raises(LimitError, match="advise"):
            check_possible(game_of("noprob"), at_table)
    check_possible(game_of("lama"), at_table=False)


def test_a_record_without_me_is_refused() -> None:
    text = begun("dice/amigo", 2, ["random"]).text.replace("policies me", "policies random")
    with pytest.raises(ReadError, match="me"):
        Session(game_of("dice"), game_of("dice").rules("dice/amigo"), text)
