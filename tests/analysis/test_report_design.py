"""The page that designers can send around: its sections, and what it takes from measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from lama_odds.analysis.strategy_report.design import plan, sample_game
from lama_odds.analysis.strategy_report.document import from_plain, to_plain
from lama_odds.cli.report import command_of, plans_of, read_design
from lama_odds.core.errors import ReadError

VARIANT = 'name = "quick"\nbase = "lama/amigo"\n[options]\ntarget = 20\n'


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a variant, in which pages play few games."""
    from lama_odds.analysis.compare import decision_costs

    monkeypatch.setattr(plan, "QUICK_GAMES", 320)
    monkeypatch.setattr(decision_costs, "MOST_GAMES", 2)
    monkeypatch.setattr(decision_costs, "TRIED", 2)
    (tmp_path / "quick.toml").write_text(VARIANT, encoding="utf-8")
    return tmp_path


@pytest.mark.long
def test_a_page_has_rules_measures_a_sweep_and_games(small: Path) -> None:
    rules = ["lama/amigo", f"@{small / 'quick.toml'}", "+quit_cost=3"]
    ((ask, slug),) = read_design(rules, 3, "threshold:6", ["target=20,40"], True)
    assert slug == "design-lama-amigo-3"
    assert isinstance(ask, plan.DesignAsk)
    plans = plans_of(ask)
    names = ["rules", "measures", "swept", "game_0", "game_1", "game_2"]
    assert [planned.name for planned in plans] == names
    sections = [planned.make(None) for planned in plans]
    parts = [part.name for s in sections if s for part in (*s.figures, *s.tables)]
    assert len(parts) == len(set(parts)) + 3  # a game's figure and table share a name
    for section in sections:
        assert section is not None
        assert from_plain(to_plain(section)) == section
    changed, measures = sections[0], sections[1]
    assert changed is not None
    assert measures is not None
    assert [row[:4] for row in changed.tables[0].rows] == [
        ("quick", "target", "40", "20"),
        ("+quit_cost=3", "quit_cost", "0", "3"),
    ]
    assert measures.headlines[0].startswith("quick changes ")
    assert "rounds" in measures.headlines[0]
    figures = {figure.name for figure in measures.figures}
    assert {"m_rounds", "m_decided", "m_drama", "m_skill", "m_wins"} <= figures
    words = command_of(ask, "html")
    assert words.startswith("lama-odds report --design lama/amigo lama/amigo+target=20 ")
    assert words.endswith("--vary target=20,40 --players 3 --quick --out DIR")


@pytest.mark.long
@pytest.mark.parametrize("rules_id", ["dice/amigo", "pikomino/egmont", "noprob/starnberger"])
def test_a_sample_game_ends_as_its_record_does(small: Path, rules_id: str) -> None:
    policy = {"d": "threshold:9", "p": "first-tile", "n": "greedy"}[rules_id[0]]
    ((ask, _),) = read_design([rules_id], 2, policy, [], True, seed=4)
    assert isinstance(ask, plan.DesignAsk)
    stretches = sample_game.story_of(ask, ask.rules)
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
    section = sample_game.game_section(ask, 0)
    assert "the game ends" in str(section.tables[0].rows[-1][1])


def test_a_page_needs_a_rule_set_and_options_of_its_own() -> None:
    with pytest.raises(ReadError, match="name a rule set"):
        read_design([], None, None, [], True)
    with pytest.raises(ReadError, match="twice"):
        read_design(["lama/amigo", "lama/amigo"], None, None, [], True)
    with pytest.raises(ReadError, match="unknown option"):
        read_design(["lama/amigo", "+target=30"], None, None, ["tarket=1,2"], True)
