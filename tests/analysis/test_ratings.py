"""Ratings: whose errors are most like those of a seat, and no more than its decisions tell."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lama_odds.analysis.coach.ratings import Rated, measured, rating, references
from lama_odds.analysis.coach.review import review
from lama_odds.games.registry import game_of
from lama_odds.report.text.review import NOT_MEASURED, rating_lines
from tests.analysis.test_review import BLUNDER, look, pikomino, played

DATA = Path(__file__).resolve().parents[2] / "data" / "ratings.json"
STRONG = Rated("strong", 0.1, 0.01, 400, 40)
WEAK = Rated("weak", 0.5, 0.02, 400, 40)


def test_the_nearest_and_all_that_fit() -> None:
    few, many = rating(0.2, 4, (STRONG, WEAK)), rating(0.2, 4_000, (STRONG, WEAK))
    assert few is not None
    assert many is not None
    assert (few.nearest, many.nearest) == (STRONG, STRONG)
    # Four decisions of the strong one have a standard error of 0.1, of the weak one of 0.2.
    assert few.fits == (STRONG, WEAK)
    assert many.fits == ()
    assert rating(0.51, 100, (STRONG, WEAK)).fits == (WEAK,)  # type: ignore[union-attr]
    assert rating(0.0, 0, (STRONG,)) is None
    assert rating(0.1, 5, ()) is None


def test_who_never_errs_is_like_nobody_else() -> None:
    perfect = Rated("perfect", 0.0, 0.0, 400, 40)
    assert perfect.fits(0.0, 10)
    assert not perfect.fits(0.01, 10)


def test_means_by_games_and_their_error() -> None:
    found = measured("p", [[1.0, 0.0], [], [0.0, 0.0], [2.0, 1.0]])
    assert (found.mean, found.decisions, found.games) == (pytest.approx(4 / 6), 6, 3)
    apart = (1 - 4 / 3) ** 2 + (4 / 3) ** 2 + (3 - 4 / 3) ** 2
    assert found.stderr == pytest.approx(math.sqrt(apart * 3 / 2) / 6)
    # Decisions that do not hang together: the usual error of a mean.
    luck = np.random.default_rng(1)
    errors = [list(luck.exponential(1.0, 5)) for _ in range(2_000)]
    assert measured("p", errors).stderr == pytest.approx(1 / math.sqrt(10_000), rel=0.1)


def test_what_is_shipped_ranks_policies_as_they_are() -> None:
    shipped = json.loads(DATA.read_text(encoding="utf-8"))
    assert {"command", "games", "seed", "version", "what"} <= set(shipped["manifest"])
    for rules, by_players in shipped["ratings"].items():
        face = game_of(rules)
        assert face.rules(rules).id == rules
        for players, by_objective in by_players.items():
            for objective in by_objective:
                found = references(rules, int(players), objective)
                by_name = {rated.policy: rated for rated in found}
                best, worst = by_name.get("optimal-turn", by_name["best"]), by_name["random"]
                noise = 2 * math.hypot(best.stderr, worst.stderr)
                assert best.mean < worst.mean + noise, (rules, players)
                if not rules.startswith("lama"):
                    assert found[-1] == worst
                    assert best.mean + noise < worst.mean
    assert references("pikomino/egmont+short", 2, "points") == ()
    assert references("pikomino/egmont", 7, "points") == ()


@pytest.mark.long
def test_policies_are_found_again_by_their_errors() -> None:
    found = pikomino("optimal-turn", 0).seats[0].rating
    assert found is not None
    assert found.nearest.policy == "optimal-turn"
    worst = pikomino("random", 0).seats[1].rating
    assert worst is not None
    assert worst.nearest.policy == "random"
    assert "optimal-turn" not in [rated.policy for rated in worst.fits]


def test_no_rating_where_nothing_was_measured() -> None:
    for text in (
        BLUNDER.replace("egmont", "egmont+short"),
        BLUNDER.replace("players 2", "players 3"),
    ):
        assert [seat.rating for seat in look(text).seats] == [None] * len(look(text).seats)
    # Other opponents or other numbers of games than were measured.
    text = "\n".join(played("dice/amigo", ["random"] * 2).splitlines()[:14]) + "\n"
    face = game_of("dice/amigo")
    found = review(face, face.rules("dice/amigo"), text, games=1_000)
    assert all(seat.rating is None for seat in found.seats)
    assert rating_lines(found) == [f"no rating: {NOT_MEASURED}"]
    # Measured by another objective: that is said.
    other = replace(found, rules="noprob/starnberger", objective="win")
    assert rating_lines(other) == [
        "no rating for win: policies were measured with --objective points"
    ]
