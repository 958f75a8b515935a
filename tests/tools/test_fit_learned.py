"""What teaches `learned`: sums, curves, and steps that can be stopped and give the same bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lama_odds.games.noprob.engine.foretelling import STAGES, line_kinds
from lama_odds.games.noprob.engine.learning import CODES, COLUMNS, STAGE, add_up
from lama_odds.games.noprob.game import GAME
from tools.fit import fit_learned
from tools.fit.learned_tables import RULES, seatings
from tools.fit.learned_trials import sharpened
from tools.fit.learned_weights import HELD, chances_of, logistic, start_of, traits, weights_of
from tools.publishing.target import Making


def test_weights_foretell_totals_that_lines_make():
    """Totals are sums over lines plus noise: what is fitted foretells others of the same kind."""
    random = np.random.default_rng(3)
    kinds, traits_ = line_kinds(), traits()
    truth = traits_ @ random.normal(size=traits_.shape[1]) + random.normal(size=len(traits_)) / 4
    known = np.flatnonzero(((np.arange(4096)[:, None] >> (0, 4, 8) & 15) < 15).all(axis=1))
    rows = np.zeros((60_000, COLUMNS), dtype=np.int16)
    rows[:, STAGE] = 33
    rows[:, CODES:] = random.choice(known, size=(len(rows), 6))
    share = random.normal(size=len(rows))
    totals = truth[kinds[rows[:, CODES:]]].sum(axis=1) + 0.7 * share + 5
    seen = totals + random.normal(size=len(rows))
    features = len(traits_) + 2
    gram = np.zeros((2, STAGES, features, features))
    right = np.zeros((2, STAGES, features))
    numbers = np.stack([share, seen], axis=1).astype(np.float32)
    add_up(rows, numbers, np.arange(50_000), kinds, gram, right)
    rules = GAME.rules("noprob/starnberger")
    start = start_of(rules, rules.mean_card, traits_)
    weights, shares = weights_of(gram[0], right[0], traits_, start)
    found = weights[33][kinds[rows[50_000:, CODES:]]].sum(axis=1) + shares[33] * share[50_000:]
    assert np.sqrt(np.mean((found - totals[50_000:]) ** 2)) < 0.2
    assert np.array_equal(weights[34], weights[33])  # a stage that never came


def test_a_curve_is_found():
    random = np.random.default_rng(4)
    lead = random.normal(scale=10, size=40_000)
    won = random.random(len(lead)) < 1 / (1 + np.exp(-(0.2 * lead - 0.5)))
    rows = np.stack([np.full(len(lead), 33), lead, won], axis=1)
    slope, height = logistic(rows, np.array([0.12, 0.0]))
    assert slope == pytest.approx(0.2, abs=0.01)
    assert height == pytest.approx(-0.5, abs=0.05)
    assert np.abs(logistic(rows[:0], HELD) - HELD).max() < 1e-9  # nothing seen: as it starts
    assert chances_of(rows.astype(np.float32))[33] == pytest.approx([slope, height], abs=0.01)


@pytest.mark.long
def test_a_stopped_run_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit_learned, "SEATS", (3,))
    options = {"rounds": 45, "steps": 2, "trials": 300, "lessons": 2, "seed": 5}
    making = Making("learned", tmp_path / "one", options, tmp_path / "work", "")
    fit_learned.make(making)
    parts = replace(making, out=tmp_path / "two", work=tmp_path / "other")
    rules = GAME.rules(RULES)
    fit_learned.fitted(replace(parts, options=options | {"steps": 1}), rules, 3)
    known = fit_learned.fitted(parts, rules, 3)
    sharper = sharpened(replace(parts, options=options | {"lessons": 1}), rules, 3, known)
    assert not np.array_equal(sharper.own, known.own)
    fit_learned.make(parts)
    one, two = (tmp_path / name / "data/learned/noprob-3.npy" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_learned_sits_in_all_seats_or_in_all_but_one() -> None:
    found = seatings(3)
    assert [list(plays) for plays, _ in found] == [
        [True, True, True],
        [True, True, False],
        [True, False, True],
        [False, True, True],
    ]
    assert sum(share for _, share in found) == pytest.approx(1.0)
