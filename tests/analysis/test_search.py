"""`search:GAMES`: whole games with players who think at each decision."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.analysis.coach.searching import turns_of_round
from lama_odds.analysis.coach.session import Session
from lama_odds.analysis.search.choice import PATIENCE, thinks_no_more
from lama_odds.analysis.search.games import games_of, thinker_of
from lama_odds.analysis.simulate import simulate
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.games.registry import game_of
from lama_odds.games.shared.stepper import line_of

RULES = "lama/egmont+target=12"  # short games
NAMES = ("search:16", "meanfield")


def job(names=NAMES, rules=RULES, rounds=False):
    game = game_of(rules)
    return games_of(game, game.rules(rules), [game.policy(name) for name in names], rounds)


@pytest.mark.long
def test_games_do_not_depend_on_how_they_are_split():
    played = job()
    whole = played.play(3, 0, 4)
    parts = played.play(3, 0, 1)
    played.play(3, 1, 3, parts)
    assert (whole == parts).all()
    assert whole[0, 0] + whole[1, 0] == 4 * 420  # the shares of both seats
    assert not whole[-1].any()  # every game has ended


@pytest.mark.long
def test_all_seats_can_think_and_other_games_can_be_searched():
    assert job(("search:16", "search:32")).play(0, 0, 1)[:2, 0].sum() == 420
    assert job(("threshold:5", "search:16"), "dice/amigo+target=12").play(0, 0, 1).any()
    found = job(("search:16", "learned", "greedy"), "noprob/starnberger+target=1").play(0, 0, 1)
    assert found[:3, 0].sum() == 420
    assert found[9:12, 0].sum() >= 1  # llamas


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (RULES, ("matching:4", "threshold:8")),
        ("noprob/starnberger", ("greedy", "low-cards:4")),
        ("noprob/starnberger+four_rounds", ("greedy", "greedy", "low-cards:4")),
    ],
)
def test_a_line_that_stops_at_all_seats_is_the_game_of_simulate(text, names):
    game = game_of(text)
    rules = game.rules(text)
    policies = [game.policy(name) for name in names]
    for number in range(3):
        line = line_of(game, rules, policies, 6, number, 0, True, range(1, len(names)))
        seats = set()
        while not line.over:
            seats.add(line.seat)
            line.act(line.usual)
        assert seats == set(range(len(names)))
        expected = game.simulation(rules, policies, False).play(6, number, 1)
        counted = np.zeros_like(expected)
        line.count(counted)
        assert counted.tolist() == expected.tolist()
        for seat in range(len(names)):
            line.me = seat
            assert line.result() == expected[seat, 0]


def test_without_search_the_job_is_that_of_the_game():
    assert job(("meanfield", "threshold:5")).measures == job(NAMES).measures


def test_what_it_cannot_do_is_refused_with_the_reason():
    with pytest.raises(LimitError, match="leave out rounds"):
        job(rounds=True)
    with pytest.raises(LimitError, match=r"cannot play .*; it plays L.A.M.A., .*, No Prob-Lama"):
        job(("search:16", "first-tile"), "pikomino/egmont")
    game = game_of(RULES)
    with pytest.raises(LimitError, match="thinks at each decision"):
        game.simulation(game.rules(RULES), [game.policy("search:64")] * 2, True)
    with pytest.raises(ReadError, match="16 to 4096"):
        game.policy("search:5")
    with pytest.raises(ReadError, match="needs its parameter: search:GAMES"):
        game.policy("search")


@pytest.mark.long
@pytest.mark.parametrize("text", [RULES, "noprob/starnberger+target=1"])
def test_it_plays_along_and_its_game_can_be_resumed_and_repeated(text):
    game = game_of(text)
    rules = game.rules(text)
    texts = []
    for _ in range(2):
        session = Session.begin(game, rules, 2, 0, [game.policy("search:16")], 5)
        while not session.over:
            session.advance()
            session = Session(game, rules, session.text)
            if not session.over:
                session.enter(session.actions()[0])
        texts.append(session.text)
    assert texts[0] == texts[1]
    assert "policies me search:16" in texts[0]


def test_a_round_that_lasts_is_ended_by_the_usual_actions():
    assert not thinks_no_more(PATIENCE * 3, 3)
    assert thinks_no_more(PATIENCE * 3 + 1, 3)
    record = "round 0 first 0\n0 draw 5 discard\nround 1 first 1\n1 draw 3 discard\n0 draw"
    assert turns_of_round(record) == 2


@pytest.mark.long
def test_it_infers_from_the_round_and_keeps_the_usual_action_unless_another_is_better():
    game = game_of("lama/egmont")
    rules = game.rules("lama/egmont")
    thinker = thinker_of(game, rules, 2, game.policy("search:256"), 0)
    assert thinker.recalls
    blunder = game.position(rules, "hand=6 top=6 opp=5 scores=10,10")
    assert thinker.pick(blunder, "quit", 0).action == "play 6"
    assert not thinker.pick(blunder, "play 6", 0).better


def test_simulate_counts_it():
    game = game_of(RULES)
    rules = game.rules(RULES)
    found = simulate(game, rules, [game.policy(name) for name in NAMES], 2, seed=1, threads=1)
    assert found.games == 2
    assert found.policies == NAMES
