"""Policies that are searched for: by tuning, by cards that race, by thinking at each decision."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lama_odds.analysis.tune.card_search as search_module
from lama_odds.analysis.coach.session import Session, turns_of_round
from lama_odds.analysis.policy_files import named_policy, policy_file
from lama_odds.analysis.search import PATIENCE, games_of, thinker_of, thinks_no_more
from lama_odds.analysis.tune.card_search import (
    CardSearch,
    Company,
    Neighbour,
    conditions_of,
    neighbours_of,
    settled,
    with_limit,
)
from lama_odds.analysis.tune.racing import (
    BLOCK,
    FIRST_BLOCKS,
    FRESH,
    LOOKS,
    OWN,
    Field,
    Search,
    first_of,
)
from lama_odds.analysis.tune.tune import Tuned, _values, measure, tune
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.registry import game_of
from lama_odds.games.shared.rule_cards import NEVER_LIMIT, Line, RuleCard, language_of
from lama_odds.games.shared.stepper import line_of
from lama_odds.jit.job import Job
from lama_odds.simulation.run import Play
from lama_odds.statistics.intervals import Z

LAMA = game_of("lama/egmont")
EGMONT = LAMA.rules("lama/egmont")
THRESHOLD = next(family for family in LAMA.families if family.name == "threshold")


def tuned(threads: int | None = None, **changes: object) -> Tuned:
    options = {"against": LAMA.policy("threshold:8"), "games": 6000, "play": Play(3, threads)}
    return tune(LAMA, EGMONT, THRESHOLD, 3, **(options | changes))


@cache
def winner() -> Tuned:
    return tuned()


def alone(threshold: int, objective: str = "win", against: int = 8) -> Estimate:
    """A threshold measured without a search, on fresh games."""
    policies = (LAMA.policy(f"threshold:{each}") for each in (against, threshold))
    return measure(LAMA, EGMONT, 3, objective, *policies, 6000, 3)


def test_the_winner_is_the_best_of_all_values():
    found = winner()
    assert found.policy == f"threshold:{found.numbers['T']}"
    own = alone(found.numbers["T"])
    best = max((own, *map(alone, (4, 8, 12))), key=lambda estimate: estimate.value)
    assert own.value == found.value.value > best.value - 3 * best.stderr
    assert found.value.low > found.fair
    behind = [tried for tried in found.tried if not tried.stayed]
    assert {tried.state for tried in behind} == {"behind"}
    assert not any(tried in found.plateau for tried in behind)


def test_points_are_the_less_the_better():
    found = tuned(objective="points", against=LAMA.policy("threshold:3"))
    assert found.value.high < alone(0, "points", 3).low
    assert (found.fair, winner().fair) == (None, pytest.approx(1 / 3))


def test_values_are_tried_in_even_steps_and_then_around_the_best() -> None:
    for value, fine, values in (
        (13, False, sorted({*range(0, 31, 2), 13})),
        (13, True, range(9, 18)),
        (2, True, range(7)),
        (29, True, range(25, 31)),
    ):
        assert _values(THRESHOLD, {"T": value}, "T", fine) == list(values)


def test_the_luck_of_a_search_has_its_error():
    """The search saw 33.3 ± 3 % for its winner, fresh games saw 32.6 ± 4 %."""
    saw, value = (
        Estimate(at, half / 2, at - half, at + half, 1_000, "simulation")
        for at, half in ((0.333, 0.03), (0.326, 0.04))
    )
    luck = replace(winner(), searched=saw, value=value).luck
    assert luck.value == pytest.approx(0.007)
    assert (luck.low, luck.high) == pytest.approx((0.007 - 0.05, 0.007 + 0.05))
    assert luck.stderr == pytest.approx(0.025)


def test_a_family_without_numbers_is_refused():
    random = next(family for family in LAMA.families if family.name == "random")
    with pytest.raises(ReadError, match="no parameter"):
        tune(LAMA, EGMONT, random, 3)


def test_every_race_has_games_of_its_own_and_who_is_alike_leaves(monkeypatch: pytest.MonkeyPatch):
    """Three that play alike; the leader stays, and the next race begins far from this one."""
    fields = [Field(LAMA, EGMONT, 3, aim, LAMA.policy("threshold:8")) for aim in ("win", "points")]
    tiles = game_of("pikomino")
    others = (tiles.rules("pikomino/egmont"), 2, "points", tiles.policy("random"))
    assert [field.higher for field in (*fields, Field(tiles, *others))] == [True, False, True]
    looks: list[tuple[int, int]] = []

    def look(search: Search, job: Job, done: int, blocks: int, *_: object) -> SimpleNamespace:
        looks.append((job.tables[0], len(job.tables[1])))
        return SimpleNamespace(tally=np.arange(blocks - done)[None] + np.zeros((3, 1), np.int64))

    monkeypatch.setattr(Search, "_look", look)
    search = Search(fields[0], 2_000, Play(3), zone=0.01)
    policies = [LAMA.policy(f"threshold:{limit}") for limit in (5, 6, 7)]
    for _ in range(2):
        found, best = search.race(policies, "limits")
        assert ([state for _, state in found], best) == (["stayed", "alike", "alike"], 0)
    assert looks == [(0, 3), (OWN, 3)]


def test_of_those_that_stay_the_one_that_counts_best_leads(monkeypatch: pytest.MonkeyPatch):
    policies = [LAMA.policy(f"threshold:{limit}") for limit in (5, 6, 7)]
    noise = np.random.default_rng(1).integers(-900, 900, (3, 4_000))
    sums = dict(
        zip(
            [policy.name for policy in policies],
            noise + np.array([[520], [500], [510]]),
            strict=True,
        )
    )

    def look(_: Search, __: Job, done: int, blocks: int, names: list[str], *___: object) -> Any:
        return SimpleNamespace(tally=np.array([sums[name][done:blocks] for name in names]))

    monkeypatch.setattr(Search, "_look", look)
    for aim, leads in (("win", np.argmax), ("points", np.argmin)):
        field = Field(LAMA, EGMONT, 3, aim, LAMA.policy("threshold:8"))
        found, best = Search(field, 2_000, Play(3)).race(policies, "limits")
        left = [at for at, (_, state) in enumerate(found) if state == "stayed"]
        assert len(left) > 1
        assert best == left[leads([found[at][0].value for at in left])]


def test_races_are_as_far_apart_as_any_can_be_long():
    assert BLOCK * (FIRST_BLOCKS << (LOOKS - 1)) <= OWN
    assert first_of(0) == 0
    assert first_of(FRESH // OWN - 1) + OWN == FRESH
    most = max(3 * len(family.searchable) for family in game_of("dice/amigo").families)
    assert most < FRESH // OWN
    with pytest.raises(ValueError, match="set apart"):
        first_of(FRESH // OWN)


def test_a_file_reads_back_as_its_policy(tmp_path: Path):
    path = tmp_path / "tuned.json"
    path.write_text(policy_file(winner()))
    assert named_policy(LAMA, EGMONT, f"@{path}", 3) == LAMA.policy(winner().policy)


GOOD = {"kind": "lama-odds policy 1", "rules": "lama/egmont", "policy": "threshold:5"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "policy file"),
        ("no JSON", "cannot be read as JSON"),
        ("[]", "not a policy file"),
        (GOOD | {"kind": "another"}, "not a policy file"),
        (GOOD | {"polcy": "x"}, "unknown key 'polcy'"),
        (GOOD | {"rules": "lama/egmont+target=30"}, "not for lama/egmont"),
        (GOOD | {"players": True}, "players is not of type int"),
        ({"kind": GOOD["kind"], "rules": GOOD["rules"]}, "policy is missing"),
        (GOOD | {"policy": "treshold:5"}, "unknown policy 'treshold'"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: object, said: str):
    path = tmp_path / "policy.json"
    if content is not None:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(ReadError) as refused:
        named_policy(LAMA, EGMONT, f"@{path}", 4)
    assert said in str(refused.value)


def test_best_is_known_for_every_number_of_players():
    for name in ("lama/party", "dice/gigamic", "pikomino/egmont", "noprob/starnberger"):
        game = game_of(name)
        rules = game.rules(name)
        for players in rules.players:
            best = game.best_policy(rules, players)
            assert game.policy(best.name) == best == named_policy(game, rules, "best", players)
            assert best.name != "random"


DICE = game_of("dice")
AMIGO = DICE.rules("dice/amigo")
FAMILY = DICE.policy("card:1").family
LANGUAGE = language_of(FAMILY)
assert LANGUAGE is not None


def searching(games: int = 1_000) -> CardSearch:
    field = Field(DICE, AMIGO, 2, "win", DICE.policy("threshold:12"))
    return CardSearch(Search(field, games, Play(3)), FAMILY, LANGUAGE)


@pytest.mark.long
def test_a_search_finds_a_card_and_measures_it_on_fresh_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = [next(each for each in conditions_of(LANGUAGE) if each.feature == 1)]
    monkeypatch.setattr(search_module, "conditions_of", lambda language: few)
    against = DICE.policy("threshold:12")
    found = tune(DICE, AMIGO, FAMILY, 2, against=against, games=1_000, play=Play(3, 1))
    assert DICE.policy(found.policy).name == found.policy
    assert found.value.low > 0.5
    assert [tried.numbers["lines"] for tried in found.tried] == [*range(1, len(found.tried) + 1)]
    again = searching().search.measure(DICE.policy(found.policy))
    assert again == found.value


def test_who_sits_among_the_card_itself_differs_from_a_fair_share() -> None:
    cards = searching(2_000)
    policies = [cards.policy(with_limit(RuleCard((Line(9),)), 0, limit)) for limit in (9, 2)]
    (_, same), (value, less) = cards.search.compared(policies, policies[0])
    assert (same.value, same.stderr) == (0, 0)
    assert less.value == pytest.approx(value.value - 0.5)
    assert less.high < 0


def test_cards_are_compared_on_the_fresh_games_of_the_report_and_then_on_others() -> None:
    search = searching().search
    policies = [DICE.policy("threshold:9"), DICE.policy("threshold:5")]
    values = [search.compared(policies, part=part)[1][0].value for part in range(3)]
    assert values[0] == search.measure(policies[1]).value
    assert len(set(values)) == 3


def compared_as(beats: int, worse: bool) -> object:
    """A stand-in for games: one limit beats all others among the others."""

    def found(cards: CardSearch, card: RuleCard, part: int = 0) -> list[Neighbour]:
        del part
        near = []
        for line, other in neighbours_of(cards.language, card):
            gain = 0.02 * (
                abs(card.lines[line].limit - beats) - abs(other.lines[line].limit - beats)
            )
            seen = Estimate.from_half(gain, 0.005, 0.01, 100)
            itself = Estimate.from_half(-0.02 if worse else 0.0, 0.005, 0.01, 100)
            near.append(Neighbour(other, line, Company(seen, seen), Company(itself, itself)))
        return near

    return found


@pytest.mark.parametrize(("worse", "limit", "moves"), [(False, 15, 2), (True, 12, 0)])
def test_a_better_neighbour_takes_the_place_of_a_card(
    worse: bool, limit: int, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "compared", compared_as(15, worse))
    card, near, moved = settled(searching(), RuleCard((Line(12),)))
    assert (card.lines[0].limit, moved) == (limit, moves)
    assert any(each.beats for each in near) is worse


def test_a_plainer_card_takes_the_place_of_one_that_is_no_better() -> None:
    nothing, wide = (Estimate.from_half(0.0, half / 2, half, 100) for half in (0.002, 0.01))
    never = with_limit(RuleCard((Line(2),)), 0, NEVER_LIMIT)
    same = Company(nothing, nothing)
    assert Neighbour(never, 0, same, same, plainer=True).better
    assert not Neighbour(never, 0, same, replace(same, difference=wide), plainer=True).better
    assert not Neighbour(never, 0, same, same).better


SHORT = "lama/egmont+target=12"  # short games
NAMES = ("search:16", "meanfield")


def job(names=NAMES, rules=SHORT, rounds=False):
    game = game_of(rules)
    return games_of(game, game.rules(rules), [game.policy(name) for name in names], rounds)


@pytest.mark.long
def test_games_do_not_depend_on_how_they_are_split():
    played = job()
    whole = played.play(3, 0, 2)
    parts = played.play(3, 0, 1)
    played.play(3, 1, 1, parts)
    assert (whole == parts).all()
    assert whole[0, 0] + whole[1, 0] == 2 * WIN  # the shares of both seats
    assert not whole[-1].any()  # every game has ended


def test_what_it_cannot_do_is_refused():
    with pytest.raises(LimitError, match="leave out rounds"):
        job(rounds=True)
    with pytest.raises(LimitError, match="cannot play"):
        job(("search:16", "first-tile"), "pikomino/egmont")
    game = game_of(SHORT)
    with pytest.raises(LimitError, match="thinks at each decision"):
        game.simulation(game.rules(SHORT), [game.policy("search:64")] * 2, True)
    for name in ("search:5", "search"):
        with pytest.raises(ReadError):
            game.policy(name)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (SHORT, ("matching:4", "threshold:8")),
        ("noprob/starnberger+four_rounds", ("greedy",) * 3),
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


@pytest.mark.long
def test_it_plays_along_and_its_game_can_be_resumed_and_repeated():
    game = game_of(SHORT)
    rules = game.rules(SHORT)
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


def test_differences_of_several_policies_hold_together() -> None:
    """The same two policies differ less surely beside three others; values do not."""
    field = Field(LAMA, EGMONT, 3, "win", LAMA.policy("threshold:8"))
    policies = [LAMA.policy(f"threshold:{limit}") for limit in (5, 9, 12, 15, 20)]
    two = Search(field, 3_000, Play(3)).compared(policies[:2])
    five = Search(field, 3_000, Play(3)).compared(policies)
    assert two[1][0] == five[1][0]
    apart, together = two[1][1], five[1][1]
    assert (together.value, together.stderr) == (apart.value, apart.stderr)
    wider = (together.high - together.low) / (apart.high - apart.low)
    assert wider == pytest.approx(NormalDist().inv_cdf(1 - 0.05 / 8) / Z, rel=0.05)


def test_same_seed_same_answer_on_any_number_of_threads():
    one, two = tuned(threads=1).to_json(), tuned(threads=2).to_json()
    for answer in (one, two):
        del answer["threads"], answer["seconds"]
    assert one == two
