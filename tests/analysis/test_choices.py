"""What can be tapped at a table: nothing offered is refused, and nothing legal is missing."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from lama_odds.analysis.coach.choices import _Probe, choices
from lama_odds.analysis.coach.session import Session, step_back
from lama_odds.core.errors import ReadError
from lama_odds.games.registry import game_of
from tests.tapping import entry_of, every_entry

# Rules, players, my seat, moves.
CASES = [
    ("lama/party+drama", 3, 1, 250),
    ("dice/amigo", 2, 0, 40),
    ("pikomino/egmont", 2, 1, 40),
    ("noprob/starnberger+four_rounds", 2, 1, 60),
    ("lama/egmont", 6, 5, 250),
    ("dice/egmont+twenty", 4, 2, 250),
    ("dice/amigo+faces=12L.3456", 3, 0, 250),
    ("noprob/starnberger+peeks=0", 3, 1, 60),
]


def begun(rules: str, players: int, me: int) -> Session:
    game = game_of(rules)
    session = Session.begin(game, game.rules(rules), players, me, None, 0)
    session.advance()
    return session


def offered(session: Session) -> list[dict[str, Any]]:
    return [choice.as_json() for choice in choices(session)]


def check_offered(session: Session, found: Sequence[Mapping[str, Any]], rng: random.Random) -> None:
    """Carry out each option once; look for each legal action of mine among them."""
    text = session.text
    for choice in found:
        for entry in every_entry(choice, rng):
            session.enter(entry)
            assert session.text != text, entry
            session.text = text
    if session.seat() != session.me:
        return
    verbs = {choice["verb"]: choice["takes"] for choice in found}
    options = {(c["verb"], option) for c in found for option in c.get("options", [])}
    assert session.actions()
    for action in session.actions():
        verb, *words = session.live.entries.record_words(session.state, action.split())
        assert verb in verbs, action
        if words and verbs[verb] is not None:
            word = f"#{int(words[0]) + 1}" if verb == "give" else words[0]
            assert (verb, word) in options, action


def tapped(rules: str, players: int, me: int, moves: int, seed: int, every: int) -> Session:
    """Play at random what can be tapped; look at all that is offered after `every` moves."""
    session = begun(rules, players, me)
    rng = random.Random(seed)
    for move in range(moves):
        found = offered(session)
        if session.over:
            assert found == []
            break
        assert found, session.text
        if move % every == 0:
            check_offered(session, found, rng)
        session.enter(entry_of(rng.choice(found), rng))
        session.advance()
    return session


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("rules", "players", "me", "moves"), CASES)
def test_games_are_played_by_tapping(rules: str, players: int, me: int, moves: int) -> None:
    session = tapped(rules, players, me, moves, seed=1, every=50)
    assert session.over or moves < 100
    again = Session(session.game, session.rules, session.text)
    assert again.advance() == []
    assert offered(again) == offered(session)


@pytest.mark.parametrize(("rules", "players", "me", "moves"), CASES[:4])
def test_reading_on_from_a_copy_finds_what_reading_all_finds(
    rules: str, players: int, me: int, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = tapped(rules, players, me, 20, seed=2, every=moves)
    found = offered(session)
    again = Session(session.game, session.rules, session.text)
    monkeypatch.setattr(_Probe, "_extended", Session._extended)
    assert offered(again) == found


def test_steps_of_a_turn_one_by_one() -> None:
    session = begun("noprob/starnberger", 2, 0)
    (deal,) = offered(session)
    assert (deal["verb"], deal["takes"], deal["count"]) == ("deal", "places", 2)
    assert deal["copies"]["J"] == session.rules.deck[session.rules.names.index("J")]
    session.enter("deal 11=3 12=7")
    (top,) = offered(session)
    assert (top["verb"], top["takes"]) == ("top", "card")
    session.enter("top 9")
    draw, take = offered(session)
    assert (draw["verb"], draw["takes"], take) == ("draw", "card", {"verb": "take", "takes": None})
    session.enter("take")
    known, hidden = offered(session)
    assert known == {"verb": "replace", "takes": "place", "options": ["1,1", "1,2"]}
    assert len(hidden["options"]) == 7
    assert hidden["then"]["takes"] == "card"
    session.enter("replace 3,3 8")
    session.enter("draw D")
    (give,) = offered(session)
    assert give == {"verb": "give", "takes": "player", "options": ["#1"]}


def test_points_have_the_bounds_that_the_cards_leave() -> None:
    session = begun("lama/egmont", 2, 1)
    for entry in ("deal 11366L", "top 5", "q", "q"):
        session.enter(entry)
        session.advance()
    (points,) = offered(session)
    assert (points["verb"], points["takes"], points["count"]) == ("penalties", "numbers", 2)
    (least, most), mine = points["bounds"]
    assert mine == (20, 20)
    assert 0 < least < most
    with pytest.raises(ReadError, match="cannot have"):
        session.enter(f"penalties {most + 1} 20")
    session.enter(f"penalties {most} 20")


def test_against_policies_and_where_a_game_lists_nothing_there_are_no_choices() -> None:
    session = begun("pikomino/egmont", 2, 0)
    assert offered(session)
    session.live = replace(session.live, tapped=None)
    assert offered(session) == []
    game = session.game
    against = Session.begin(game, session.rules, 2, 0, [game.policy("random")], 0)
    assert offered(against) == []


@pytest.mark.parametrize("rules", ["noprob/starnberger", "lama/amigo"])
def test_steps_are_taken_back_one_by_one(rules: str) -> None:
    session = begun(rules, 2, 0)
    rng = random.Random(5)
    told = [session.text]
    while len(told) < 25 and not session.over:
        session.enter(entry_of(rng.choice(offered(session)), rng))
        session.advance()
        told.append(session.text)
    for before in reversed(told[:-1]):
        step_back(session)
        assert session.text == before
    with pytest.raises(ReadError, match="nothing can be taken back"):
        step_back(session)


def test_a_step_that_follows_by_itself_is_taken_back_with_the_one_before() -> None:
    session = begun("noprob/starnberger", 2, 0)
    for entry in ("deal 11=3 12=7", "top 9"):
        session.enter(entry)
    before = session.text
    session.enter("draw D")  # there is one other player
    session.advance()
    assert session.text.endswith("0 draw D give 1\n")
    step_back(session)
    assert session.text == before
