"""What makes the shipped tables: values are those of solvers, a stopped run changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lab.best_play import solve as best_play_solve
from lab.best_play.pairs import Kept, dealt, scores_of, solved_rounds, starters_chance, tuned
from lab.best_play.solve import smoothed
from lab.equilibrium import fit as equilibrium_fit
from lab.equilibrium.fit import clustered, score_classes, worth_of
from lab.equilibrium.self_play import Trained, alone_table, nothing_yet, rounds_of, train_part
from lab.learned_cards.fit import RULES as LAMA_RULES
from lab.learned_cards.fit import Table
from lab.learned_cards.net import UNIT, Decisions, teach
from lab.learned_noprob.fit import HELD, chances_of, logistic, start_of, traits, weights_of
from lab.learned_noprob.learning import CODES, COLUMNS, STAGE, add_up
from lab.learned_noprob.trials import seatings
from lab.learned_pikomino import fit as learned_pikomino_fit
from lab.learned_pikomino.learning import ROW, learn
from lab.nets import Report, begun, taught
from lama_odds.core.reading import data_json
from lama_odds.games.dice.game import GAME as DICE
from lama_odds.games.interface.match_equity import BEST_PLAY, MatchEquity, best_play, shipped
from lama_odds.games.lama.engine.trained import HANDS, MOST_OTHER, MOVES, Learned, hand_rank
from lama_odds.games.lama.game import GAME as LAMA
from lama_odds.games.lama.policies.equilibrium import joined, rank_table, unpacked
from lama_odds.games.lama.policies.learned import SHAPES
from lama_odds.games.noprob.engine.planner import STAGES, line_kinds
from lama_odds.games.noprob.game import GAME as NOPROB
from lama_odds.games.pikomino.engine.learned import FEATURES
from tests.lab.slopes import check_slopes
from tests.reference.lama_two import Tiny, moves_of
from tools.publishing.target import Making

# The table of best play


SMALL = "dice/amigo+dealt=2"


def base_of(rules_id: str) -> MatchEquity:
    best = tuned(DICE.rules(rules_id))
    found = shipped(rules_id, [best, best])
    assert found is not None
    return found


@pytest.fixture(scope="module")
def rounds():
    rules = DICE.rules(SMALL)
    base = base_of("dice/amigo")
    return [solved_rounds(rules, number, (base, base), 1, 1_000, 2) for number in range(6)]


def test_scores_cover_the_square_with_more_late_ones():
    scores = np.array([scores_of(number, 40) for number in range(400)])
    cells = np.zeros((4, 4), dtype=int)
    np.add.at(cells, tuple(scores.T // 10), 1)
    assert cells.min() >= 5
    assert 1.5 < cells[3, 3] / 25 < 2.2
    assert np.abs(cells - cells.T).max() <= 5


def test_hands_are_dealt_from_the_pack_without_the_row():
    rules = DICE.rules("dice/amigo")
    deals = np.array([dealt(rules, 1, number) for number in range(4_000)])
    assert (deals.sum(axis=2) == rules.dealt).all()
    pack = np.array(rules.dealt_from)
    assert (deals.sum(axis=1) <= pack).all()
    share = deals.mean(axis=(0, 1)) / rules.dealt
    assert share == pytest.approx(pack / pack.sum(), abs=0.006)


@pytest.mark.long
def test_what_play_leaves_is_worth_what_was_solved(rounds):
    rules, base = DICE.rules(SMALL), base_of("dice/amigo")
    for of_deal in rounds:
        for round_ in of_deal:
            ends = starters_chance(rules, round_.finals, base.values)
            mean = round_.weights @ ends
            error = (round_.weights @ (ends - mean) ** 2 / 2_000) ** 0.5
            assert abs(mean - round_.win) <= 4 * error + 1e-12
            assert round_.worth(rules, base.values) == (round_.win, 0)


@pytest.mark.long
def test_the_second_round_is_that_of_the_other_player(rounds):
    for first, second in rounds:
        assert second.scores == first.scores[::-1]
        if first.scores[0] == first.scores[1]:
            assert first.win == second.win


@pytest.mark.long
def test_another_table_moves_a_round_as_solving_it_again_does(rounds):
    rules, base = DICE.rules(SMALL), base_of("dice/amigo")
    mine, other = np.indices(base.values.shape)
    table = replace(base, values=base.values + 0.0005 * np.sin(mine / 5) * np.cos(other / 7))
    for number, of_deal in enumerate(rounds[:3]):
        again = solved_rounds(rules, number, (base, table), 1, 10, 2)
        for before, after in zip(of_deal, again, strict=True):
            moved, far = before.worth(rules, table.values)
            assert far > 0
            assert abs(moved - after.win) < 0.1 * far + 2e-5


@pytest.mark.long
def test_rounds_are_kept(rounds, tmp_path: Path):
    kept, table = Kept(tmp_path), base_of("dice/amigo").values
    assert kept.read(3, table) is None
    kept.write(3, rounds[3])
    for before, after in zip(rounds[3], kept.read(3, table) or (), strict=True):
        assert before.scores == after.scores
        assert (before.win, before.control) == (after.win, after.control)
        assert np.array_equal(before.finals, after.finals)
        assert np.array_equal(before.weights, after.weights)


@pytest.mark.long
def test_the_table_agrees_with_its_rounds(rounds):
    rules, base = DICE.rules(SMALL), base_of("dice/amigo").values
    added, table = smoothed(rules, rounds, len(rounds), base)
    assert np.allclose(table, base + added.values)
    assert np.array_equal(added.ahead.values, -added.ahead.values.T)
    assert np.array_equal(added.starting.values, added.starting.values.T)
    assert not added.ahead.errors.diagonal().any()
    seen = [round_ for of_deal in rounds for round_ in of_deal]
    worth = np.array([round_.worth(rules, table)[0] for round_ in seen])
    at = tuple(np.array([round_.scores for round_ in seen]).T)
    noise = sum(part.parameters[4] for part in (added.ahead, added.starting))
    assert np.abs(worth - table[at]).max() < 4 * (noise + added.errors.max())


@pytest.mark.long
def test_a_stopped_run_goes_on(monkeypatch, tmp_path: Path):
    """A run that is stopped gives the same table when it is begun again."""
    monkeypatch.setattr(best_play_solve, "RULES", SMALL)
    monkeypatch.setattr(best_play_solve, "BESIDE", "dice/egmont+dealt=2")
    monkeypatch.setattr(best_play_solve, "shipped", lambda *_: base_of("dice/amigo"))
    monkeypatch.setattr(best_play_solve, "ALIKE", {})
    options = {"rounds": 1, "batches": 2, "beside": 1, "walks": 20, "seed": 1}

    def making(name: str) -> Making:
        return Making("best-play", tmp_path / name, options, tmp_path / f"{name}-work", "x", 1)

    best_play_solve.make(making("whole"))
    calls = []
    solve = best_play_solve.solved_rounds

    def stops(*args):
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return solve(*args)

    monkeypatch.setattr(best_play_solve, "solved_rounds", stops)
    with pytest.raises(KeyboardInterrupt):
        best_play_solve.make(making("parts"))
    best_play_solve.make(making("parts"))
    assert len(calls) == 6  # one, the one that was stopped, the two left, two for the other
    folder = best_play_solve.FOLDER
    first, second = (tmp_path / name / folder / "manifest.json" for name in ("whole", "parts"))
    assert first.read_bytes() == second.read_bytes()
    assert json.loads(first.read_bytes())["tables"][SMALL]["solved"] == 6


@pytest.mark.parametrize("rules_id", sorted(data_json(BEST_PLAY)["tables"]))
def test_shipped_tables_are_close_to_those_of_best(rules_id):
    table, base = best_play(rules_id), base_of(rules_id)
    assert table is not None
    assert table.solved
    assert ((table.values > 0) & (table.values < 1)).all()
    assert np.abs(table.values - base.values).max() < 0.1
    start = np.diag(table.values)
    assert ((start > 0.5) & (start < 0.6)).all()


def test_the_editions_differ_by_what_the_same_deals_show():
    amigo, egmont = best_play("dice/amigo"), best_play("dice/egmont")
    assert 1e-5 < np.abs(amigo.values - egmont.values).max() < 0.001
    assert (egmont.stderr >= amigo.stderr).all()


def test_other_rules_have_none():
    assert best_play("lama/egmont") is None
    assert best_play("dice/amigo+target=30") is None


# `equilibrium` of L.A.M.A.


SLOTS = {"draw": 2, "quit": 3}


def trained(dealt: int, parts: int) -> tuple[Trained, object]:
    """What is trained on a deck of one card of each value, and its rule set."""
    rules = LAMA.rules(f"lama/egmont+copies=1+dealt={dealt}+llamas=1")
    worth = equilibrium_fit.worth_of_points(80)
    rounds = rounds_of(rules, worth, np.zeros((1, 2), dtype=np.int64), np.ones(1))
    found = nothing_yet(1)
    for part in range(parts):
        found = train_part(rounds, found, 1, 7, part, 20_000)
    return found, rules


def strategy_of(found: Trained, rules):
    """The average strategy, as a function for `Tiny`."""

    def strategy(seat, hand, top, other, can_draw):
        packed = sum(1 << 8 * rules.places[value - 1] + 4 for value in hand)
        row = rules.places[top - 1] * MOST_OTHER + min(other, MOST_OTHER) - 1
        row = row * HANDS + int(hand_rank(packed, rank_table()))
        moves = moves_of(hand, top, can_draw)
        weights = [float(found.totals[row, SLOTS.get(move, int(move != top))]) for move in moves]
        total = sum(weights)
        return {
            move: weight / total if total else 1 / len(moves)
            for move, weight in zip(moves, weights, strict=True)
        }

    return strategy


@pytest.mark.long
@pytest.mark.parametrize(("dealt", "parts", "most"), [(1, 10, 0.001), (2, 20, 0.01)])
def test_nobody_gains_much_against_the_average_strategy_of_a_tiny_deck(dealt, parts, most):
    """Points per round, by exact best responses that know everything the player has seen."""
    tiny = Tiny(dealt)
    strategy = strategy_of(*trained(dealt, parts))
    gains = -sum(tiny.best_response(strategy, seat) for seat in (0, 1)) / 2
    assert 0 <= gains < most
    untrained = strategy_of(nothing_yet(1), LAMA.rules("lama/egmont"))
    assert -sum(tiny.best_response(untrained, seat) for seat in (0, 1)) / 2 > 1


def test_a_player_alone_plays_as_long_as_possible():
    table = alone_table(LAMA.rules("lama/egmont"))
    for top, held in ((0, 0b0000110), (0, 0b0000111), (6, 0b1000011)):
        assert table[top, held] == 0  # one value follows the other
    assert table[0, 0b0101000] == 4 + 6  # neither 1 nor 2
    assert table[5, 0b1000100] == 3  # a 6 on top: the llama goes, the 3 stays


@pytest.mark.long
def test_a_stopped_run_and_other_threads_give_the_same_bytes(tmp_path: Path) -> None:
    options = {
        "games": 50, "first_games": 50, "parts": 2, "equity_rounds": 2, "unequal": 2, "equal": 1,
        "seed": 5,
    }  # fmt: skip
    making = Making("equilibrium", tmp_path / "one", options, tmp_path / "work", "", 1)
    equilibrium_fit.make(making)
    kept = sorted((tmp_path / "work" / "lama-egmont").glob("*.np?"))
    assert len(kept) == 5  # all scores together, points, two classes and one
    for path in kept[1:3]:
        path.unlink()
    equilibrium_fit.make(replace(making, out=tmp_path / "two"))
    equilibrium_fit.make(replace(making, out=tmp_path / "three", work=tmp_path / "w", threads=2))
    one, two, three = (
        (tmp_path / name / "data/equilibrium/lama-egmont.npy").read_bytes()
        for name in ("one", "two", "three")
    )
    assert one == two == three


def test_moves_are_packed_and_unpacked():
    moves = np.random.default_rng(1).integers(0, 4, (2, 7, MOST_OTHER, HANDS)).astype(np.uint8)
    classes = np.arange(1600, dtype=np.int64).reshape(40, 40) % 7
    content = joined(moves, classes)
    assert content.dtype == np.uint8
    assert np.array_equal(content[:1600].reshape(40, 40), classes)
    assert np.array_equal(unpacked(content[1600:]), moves)


def test_points_close_together_are_one_class():
    points = np.array([[0.0, 0], [0.1, 0], [5, 5], [5, 5.1], [9, 0]])
    found = clustered(points, np.array([1.0, 1, 1, 1, 0.5]), 3)
    assert found[0] == found[1]
    assert found[2] == found[3]
    assert len(set(found.tolist())) == 3


def test_every_two_scores_have_a_class_and_equal_ones_have_their_own():
    rules = LAMA.rules("lama/egmont+target=9")
    equities = 0.5 + 0.05 * (np.arange(9) - np.arange(9)[:, None])
    worth = worth_of(equities, 9 + rules.most_points + 1)
    results = np.ones((9, 9), dtype=np.int64)
    found = score_classes(rules, worth, np.ones((9, 9)), results, 3, 2)
    pairs = np.concatenate([class_.pairs for class_ in found]).tolist()
    assert sorted(pairs) == [[mine, other] for mine in range(9) for other in range(mine + 1)]
    for class_ in found:
        equal = class_.pairs[:, 0] == class_.pairs[:, 1]
        assert equal.all() if class_.sides == 1 else not equal.any()


# `learned` of L.A.M.A.


LAMA_OPTIONS = {
    **{"scores": 300, "rounds": 2, "first": 3_000, "decisions": 2_000},
    **{"steps": 3, "seed": 5},
}


def making_in(folder: Path) -> Making:
    return Making("learned-lama", folder / "one", LAMA_OPTIONS, folder / "work", "", threads=1)


def some_decisions(folder: Path, net: Learned | None = None) -> Decisions:
    return Table(making_in(folder), LAMA.rules(LAMA_RULES), 3).lesson(net, 7, 400)


@pytest.mark.long
def test_decisions_have_worths_for_what_is_possible(tmp_path: Path) -> None:
    seen = some_decisions(tmp_path)
    again = some_decisions(tmp_path)
    assert all(np.array_equal(a, b) for a, b in zip(seen, again, strict=True))
    possible = (seen.possible[:, None] >> np.arange(MOVES) & 1).astype(bool)
    assert (possible.sum(axis=1) >= 2).all()
    assert (seen.worths[~possible] == 0).all()
    assert seen.worths.min() >= 0
    assert seen.worths.max() <= UNIT
    # Quitting, the last move, is always possible, and worth less than the best on average.
    assert possible[:, -1].all()
    assert seen.worths.max(axis=1).mean() > seen.worths[:, -1].mean()


@pytest.mark.long
def test_slopes_are_those_of_the_error(tmp_path: Path) -> None:
    """Of any decision: the error changes with a weight as the slope says."""
    check_slopes(Learned(*begun(np.random.default_rng(1), SHAPES)), some_decisions(tmp_path), teach)


@pytest.mark.long
def test_it_learns_what_it_is_shown(tmp_path: Path) -> None:
    seen = some_decisions(tmp_path)
    many = Decisions(*(np.concatenate([part[:397]] * 30) for part in seen))
    told: list[Report] = []
    net = Learned(*begun(np.random.default_rng(1), SHAPES))
    taught(net, many, teach, 100, 5e-3, np.random.default_rng(2), told.append)
    assert told[-1].explained > 0.8
    assert told[-1].gain > told[0].gain


# `learned` of No Prob-Lama


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
    rules = NOPROB.rules("noprob/starnberger")
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


def test_learned_sits_in_all_seats_or_in_all_but_one() -> None:
    found = seatings(3)
    assert [list(plays) for plays, _ in found] == [
        [True, True, True],
        [True, True, False],
        [True, False, True],
        [False, True, True],
    ]
    assert sum(share for _, share in found) == pytest.approx(1.0)


# `learned` of Pikomino


def test_steps_go_towards_what_teaches() -> None:
    """Two boards, told apart by one switch, are worth 0.2 and 0.9."""
    rows = np.zeros((2, ROW), np.int16)
    rows[:, 0], rows[:, 1], rows[0, 2], rows[1, 2] = 2, 7, 3, 4
    targets = np.array([0.2, 0.9], np.float32)
    network = learned_pikomino_fit.begin(1)
    assert network.weights.shape[0] == FEATURES
    order = np.arange(2)
    first = learn(rows, targets, order, *network, 0.1)
    for _ in range(500):
        last = learn(rows, targets, order, *network, 0.1)
    assert last < 1e-6 < first
