"""What is taken where nothing is said: players, and the baseline's name in compare."""

from __future__ import annotations

import pytest

from lama_odds.analysis.compare.variants import read_variants, with_options
from lama_odds.core.checks import default_players
from lama_odds.core.errors import ReadError
from lama_odds.games.registry import game_of
from lama_odds.report.text.kept.runs import is_share
from tests.cli.calls import inside


def rules(text):
    return game_of(text).rules(text)


def test_players_where_nobody_says() -> None:
    assert default_players(rules("dice/amigo")) == 4
    few = rules("lama/egmont+copies=2")
    assert default_players(few) == min(4, few.players[-1]) < 4
    assert default_players(rules("dice/amigo"), rules("dice/egmont")) == 4
    assert default_players(rules("lama/egmont"), few) == few.players[-1]


@pytest.mark.parametrize(
    ("args", "players"),
    [
        (("simulate", "lama/egmont+copies=2", "--policy", "random"), 3),
        (("simulate", "dice/amigo", "--policy", "random"), 4),
        (("simulate", "dice/amigo", "--policy", "random", "--policy", "threshold:5"), 2),
        (("tournament", "dice/amigo", "--policies", "random,threshold:5"), 4),
    ],
)
def test_the_default_is_shown(args: tuple[str, ...], players: int) -> None:
    said = inside(*args, "--games", "1000")
    assert said.code == 0, said.err
    assert f"{players} players" in said.out.splitlines()[0]


def test_an_option_alone_is_the_baseline_with_it() -> None:
    assert with_options("lama/egmont", "+target=30") == "lama/egmont+target=30"
    assert with_options("lama/egmont+target=30+twenty", "+target=50") == (
        "lama/egmont+twenty+target=50"
    )
    assert with_options("lama/egmont+twenty", "lama/amigo") == "lama/amigo"
    asked = ("lama/egmont+twenty", "+target=30", "+twenty=off", "lama/party")
    found = read_variants(asked, 3)
    assert [each.rules.id for each in found] == [
        rules(text).id
        for text in ("lama/egmont+twenty", "lama/egmont+twenty+target=30", "lama/egmont", asked[3])
    ]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("+target=30", "lama/egmont"), "expected game/edition"),
        (("lama/egmont", "+nothing"), "unknown option 'nothing'"),
        (("lama/egmont", "+"), "unknown option ''"),
        (("lama/egmont", "+target=30+target=40"), "given twice"),
        (("lama/egmont", "+target=40"), "the same rule set twice"),
    ],
)
def test_options_alone_that_cannot_be_read(asked: tuple[str, ...], message: str) -> None:
    with pytest.raises(ReadError, match=message.replace("+", r"\+")) as refused:
        read_variants(asked, 3)
    assert refused.value.text is not None


def test_figures_of_runs_that_are_shares() -> None:
    simulated = {"command": "simulate"}
    shares = ("win seat 0", "outright seat 3", "went_out", "blown", "unfinished")
    assert all(is_share(simulated, name) for name in shares)
    means = ("penalty seat 0", "rounds", "actions", "worms seat 1")
    assert not any(is_share(simulated, name) for name in means)
    assert is_share({"command": "compare"}, "win seat 0: dice/egmont − dice/amigo")
    assert not is_share({"command": "compare"}, "rounds: dice/egmont − dice/amigo")
    assert is_share({"command": "tournament"}, "win threshold:5")
    assert not is_share({"command": "simulate"}, "win threshold:5")
    assert is_share({"command": "tune", "objective": "win"}, "threshold:5")
    assert not is_share({"command": "tune", "objective": "points"}, "threshold:5")
