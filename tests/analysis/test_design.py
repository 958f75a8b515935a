"""Measures of what makes a game good: in compare and sweep, and on the page for designers."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.compare import decisions, design
from lama_odds.analysis.compare.answer import Compared, shows_after, value_of
from lama_odds.analysis.compare.compare import Amount, Comparison, compare
from lama_odds.analysis.compare.decisions import Side
from lama_odds.analysis.simulate import simulate
from lama_odds.analysis.strategy_report.design import plan
from lama_odds.analysis.strategy_report.document import from_plain, to_plain
from lama_odds.analysis.sweep.answer import grid_of, read_axes
from lama_odds.analysis.sweep.sweep import Sweep, sweep
from lama_odds.cli.report import command_of, plans_of, read_design
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.interface.game import Game
from lama_odds.games.registry import GAMES, game_of
from lama_odds.games.shared.decisions import decisions as told_decisions
from lama_odds.report.text.compare import compared_text
from lama_odds.report.text.sweep import sweep_text
from lama_odds.simulation.run import Play, add_samples
from lama_odds.statistics.equivalence import UNDECIDED
from lama_odds.statistics.intervals import share_of

USUAL = 12  # measures of cards for four


@pytest.fixture(autouse=True)
def short_pilots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fewer games say how long one usually is."""
    monkeypatch.setattr(Game, "pilot", 501)


def compared(*ids: str, players: int = 3, games: int = 400, **more: Any) -> Comparison:
    game = game_of(ids[0])
    variants = [game.rules(text) for text in ids]
    policies = [game.policy("threshold:6")] * len(ids)
    return compare(
        game, variants, policies, players, amount=Amount(games=games), play=Play(2), **more
    )


def swept(vary: str, **more: Any) -> Sweep:
    game = game_of("lama/amigo")
    rules = game.rules("lama/amigo")
    grid = grid_of(game, rules, read_axes(game, [vary]), 3)
    policies = [game.policy("threshold:6")] * len(grid.cells)
    return sweep(grid, policies, 3, games=400, play=Play(2), **more)


@pytest.mark.long
def test_skill_and_boldness_are_the_wins_at_mixed_tables() -> None:
    game = game_of("lama/amigo")
    rules, players, games = game.rules("lama/amigo"), 3, 24
    best, casual = game.best_policy(rules, players), game.policy(game.casual)
    bold, cautious = (game.policy(game.models[style]) for style in ("bold", "cautious"))
    jobs = design.jobs_of(game, rules, casual, best, players, ["skill", "bold wins"])
    for measure in design.compared_by(jobs):
        total = sum(
            weight * job.play(2, 0, games)[at, 0]
            for name, job in jobs.items()
            for at, weight in enumerate(measure.row(name, job))
        )
        one, other = (best, casual) if measure.key == "skill" else (bold, cautious)
        counted = [{0}, {1}, {2}] if measure.key == "skill" else [{0, 2}, {1}]
        expected = 0.0
        for seats in counted:
            table = [one if seat in seats else other for seat in range(players)]
            played = simulate(game, rules, table, games, rounds=False, play=Play(2))
            expected += sum(played.seats[seat]["win"].value for seat in seats)
        assert total * measure.scale / games == pytest.approx(expected / len(counted))


def test_after_how_many_games_skill_shows() -> None:
    # One of four wins by luck alone: 1.645² × 0.25 × 0.75 / 0.25² = 8.1.
    found = shows_after(share_of(5_000, 10_000), 4)
    assert found.games == 9
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 9 <= found.high
    assert shows_after(share_of(2_000, 10_000), 4).games is None
    assert shows_after(share_of(26, 100), 4).high is None


def test_decisions_with_a_choice_are_counted_and_some_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The share that matters is of those tried, however few: where all matter, it is 1."""
    game = game_of("lama/amigo")
    side = Side(game.rules("lama/amigo"), game.policy("threshold:6"))
    legal = decisions.query_of(game).legal_actions
    text = game.record(side.rules, [side.policy] * 2, 1, 0, False)
    asked = [legal(side.rules, each.position) for each in told_decisions(game, side.rules, text)]
    with_a_choice = sum(len(actions) > 1 for actions in asked)
    assert with_a_choice > 2
    monkeypatch.setattr(decisions, "second_best", lambda *_: 2 * decisions.MATTERS)
    for most in (2, 10_000):
        monkeypatch.setattr(decisions, "TRIED", most)
        tally, games = decisions.studied(game, [side], 2, 1, 1)
        assert games == 1
        assert tally[:, 0, 0].tolist() == [with_a_choice, decisions.PART]


def test_a_decision_matters_by_what_the_second_best_action_costs_in_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    costs = [0.0, 1.5, 3.0]

    def advised(*where: Any, **how: Any) -> Any:
        asked.append((where, how))
        return SimpleNamespace(actions=[SimpleNamespace(regret=exact(cost)) for cost in costs])

    monkeypatch.setattr(decisions, "advise", advised)
    game: Any = "game"
    assert decisions.second_best(game, Side("rules", game), "position", 3) == 1.5
    del costs[1:]
    assert decisions.second_best(game, Side("rules", game), "position", 3) == math.inf
    how = {"objective": "points", "seed": 3, "limits": Limits(games=1_000, threads=1)}
    assert asked[0] == (("game", "rules", "position"), {**how, "opponents": game})


@pytest.mark.parametrize("name", GAMES)
def test_casual_and_styles_are_policies_of_the_game(name: str) -> None:
    game = game_of(name)
    for key in design.MIXED:
        names = design.seated(game, key)
        assert names is not None
        for policy in names:
            assert policy == "best" or game.policy(policy)


def test_equal_games_do_not_make_a_bounded_mean_certain() -> None:
    decided = Compared("decided", "decided", "%", "", 1.0, False, False, (), most=100.0)

    def found(measure: Compared, games: list[int]) -> Estimate:
        tally = np.zeros((1, 1, 4), dtype=np.int64)
        add_samples(tally, np.array(games)[None, None, :])
        return value_of(measure, tally[0], 0, 50, 50)

    equal = found(decided, [100] * 50)
    # None of 50 games was otherwise: 3.84 / (50 + 3.84) of them may be.
    assert (equal.value, equal.high) == (100, 100)
    assert equal.low == pytest.approx(100 - 100 * 3.8415 / 53.8415, abs=0.01)
    # Neither does one whose games differ leave its bounds.
    one = found(decided, [0] + [100] * 49)
    assert (one.value, one.high) == (98, 100)
    assert one.low < 95
    assert found(replace(decided, most=0.0), [100] * 50).low == 100


VARIANT = 'name = "quick"\nbase = "lama/amigo"\n[options]\ntarget = 20\n'


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a variant, in which pages play few games."""
    monkeypatch.setattr(plan, "QUICK_GAMES", 320)
    monkeypatch.setattr(decisions, "MOST_GAMES", 2)
    monkeypatch.setattr(decisions, "TRIED", 2)
    (tmp_path / "quick.toml").write_text(VARIANT, encoding="utf-8")
    return tmp_path


@pytest.mark.long
def test_a_page_has_rules_measures_a_sweep_and_games(small: Path) -> None:
    rules = ["lama/amigo", f"@{small / 'quick.toml'}"]
    ((ask, slug),) = read_design(rules, 3, "threshold:6", ["target=20,40"], True)
    assert slug == "design-lama-amigo-3"
    assert isinstance(ask, plan.DesignAsk)
    plans = plans_of(ask)
    names = ["rules", "measures", "swept", "game_0", "game_1"]
    assert [planned.name for planned in plans] == names
    sections = [planned.make(None) for planned in plans]
    parts = [part.name for s in sections if s for part in (*s.figures, *s.tables)]
    assert len(parts) == len(set(parts)) + 2  # a game's figure and table share a name
    for section in sections:
        assert section is not None
        assert from_plain(to_plain(section)) == section
    changed, measures = sections[0], sections[1]
    assert changed is not None
    assert measures is not None
    assert [row[:4] for row in changed.tables[0].rows] == [("quick", "target", "40", "20")]
    assert measures.headlines[0].startswith("quick changes ")
    assert "rounds" in measures.headlines[0]
    figures = {figure.name for figure in measures.figures}
    assert {"m_rounds", "m_decided", "m_drama", "m_skill", "m_wins"} <= figures
    words = command_of(ask, "html")
    assert words.startswith("lama-odds report --design lama/amigo lama/amigo+target=20 ")
    assert words.endswith("--vary target=20,40 --players 3 --quick --out DIR")


@pytest.mark.long
@pytest.mark.parametrize("rules_id", ["dice/amigo", "pikomino/egmont"])
def test_a_sample_game_ends_as_its_record_does(small: Path, rules_id: str) -> None:
    policy = {"d": "threshold:9", "p": "first-tile"}[rules_id[0]]
    ((ask, _),) = read_design([rules_id], 2, policy, [], True, seed=4)
    assert isinstance(ask, plan.DesignAsk)
    stretches = plan.story_of(ask, ask.rules)
    text = ask.game.record(ask.rules, [ask.plays] * 2, 4, 0, False)
    lines = [line.split() for line in text.splitlines()]
    if ask.game.has_rounds:
        assert len(stretches) == sum(line[0] == "round" for line in lines)
    else:
        assert len(stretches) == sum(line[0].isdigit() for line in lines)
    if rules_id.startswith("dice"):
        final = next(line for line in lines if line[0] == "final")
        assert list(stretches[-1].standing) == [int(n) for n in final[1:]]
    looked = [s.chances for s in stretches if s.chances is not None]
    assert looked
    assert all(sum(chances) == pytest.approx(1, abs=1e-5) for chances in looked)
    section = plan.game_section(ask, 0)
    assert "the game ends" in str(section.tables[0].rows[-1][1])


def test_a_page_needs_a_rule_set_and_options_of_its_own() -> None:
    with pytest.raises(ReadError, match="name a rule set"):
        read_design([], None, None, [], True)
    with pytest.raises(ReadError, match="twice"):
        read_design(["lama/amigo", "lama/amigo"], None, None, [], True)
    with pytest.raises(ReadError, match="unknown option"):
        read_design(["lama/amigo", "+target=30"], None, None, ["tarket=1,2"], True)


@pytest.mark.long
def test_a_group_has_its_measures_and_no_others() -> None:
    found = compared(
        "lama/amigo", "lama/amigo+target=30", games=393, measures=["tension", "long games"]
    )
    keys = [row.measure.key for row in found.rows]
    assert keys == ["long games", "lead changes", "comebacks", "decided", "drama"]
    for row in found.rows:
        assert row.baseline.low <= row.baseline.value <= row.baseline.high
        assert row.baseline.low >= 0
    assert found.games == 400
    assert not found.skill_shows
    assert "skill_shows" not in found.to_json()
    assert compared_text(found, verbose=True)


@pytest.mark.long
def test_the_usual_measures_stay_what_they_are_without_a_name() -> None:
    usual = compared("lama/amigo", "lama/amigo+target=30", players=4)
    assert len(usual.rows) == USUAL
    assert not {row.measure.key for row in usual.rows} & {*design.NEW, "choices", "matter"}
    more = compared("lama/amigo", "lama/amigo+target=30", players=4, measures=["length", "drama"])
    before = {row.measure.name: row for row in usual.rows}
    for row in more.rows:
        if row.measure.name in before:
            assert row.baseline == before[row.measure.name].baseline
            assert row.difference == before[row.measure.name].difference


@pytest.mark.long
def test_a_sweep_counts_what_is_asked_for_and_wished() -> None:
    found = swept("target=20,40", measures=["tension"], wishes=["long games<30%", "decided>50"])
    names = {measure.name for measure in found.measures}
    assert names == {*design.GROUPS["tension"], "long games"}
    assert len(found.wishes) == 2
    assert json.loads(json.dumps(found.to_json()))["variants"][0]["measures"].keys() == names
    assert sweep_text(found, verbose=True)
    assert "decided" not in {measure.name for measure in swept("target=20,40").measures}
    alone = swept("target=20,40", measures=["drama"])
    assert [measure.name for measure in alone.measures] == ["drama"]
    for one, among in zip(alone.variants, found.variants, strict=True):
        assert one.measures["drama"].value == among.measures["drama"].value


@pytest.mark.long
@pytest.mark.parametrize("name", ["choices", "matter"])
def test_more_games_are_not_missing_where_no_more_are_looked_at(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = np.random.default_rng(3).choice([0.0, 2 * decisions.MATTERS], 10_000).tolist()
    monkeypatch.setattr(decisions, "second_best", lambda *_: costs.pop())
    (row,) = compared("lama/amigo", "lama/amigo+target=43", measures=[name]).rows
    assert row.tested.missing(0.05) is not None
    assert (row.judged.verdict, row.judged.more) == (UNDECIDED, None)
