"""`learned` and `lead` against plain Python: values, turns, luck; and seats that look further."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from lab.best_response import best_response
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.core.errors import LimitError
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.pikomino.engine import kernels
from lama_odds.games.pikomino.engine.adjusted import luck_share, set_values
from lama_odds.games.pikomino.engine.kernels import scratch_of
from lama_odds.games.pikomino.engine.learned import (
    FEATURES,
    set_learned_payoffs,
)
from lama_odds.games.pikomino.engine.look_ahead import chance_ahead, payoffs_ahead, set_paid
from lama_odds.games.pikomino.engine.policy_kernels import set_lead_payoffs
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.jobs import rollouts
from lama_odds.games.pikomino.policies import joined, learned, policy_rows, split, tables_of
from lama_odds.games.pikomino.rules import board as tiles
from lama_odds.games.pikomino.rules.position import NONE, Position
from lama_odds.games.pikomino.solvers.exact import board_of, solve
from lama_odds.games.pikomino.solvers.solve import ahead, measured_errors, solve_win
from lama_odds.jit import compiled
from tests.games.cases import product_rules
from tests.games.pikomino.cases import FLIPS, SHORT, id_of
from tests.reference import pikomino_turn as twin
from tests.reference.pikomino import BUST, STEAL, STOP

EGMONT = product_rules("pikomino/egmont")
LEARNED = GAME.policy("learned")
TABLES = tables_of(EGMONT, [LEARNED])
TOTALS = EGMONT.tables.number.shape[1]


@compiled
def values_of(rules, play, board, seats, mover, values):
    set_values(rules, play, board, seats, mover, scratch_of(play.turn), values)


@compiled
def learned_payoffs_of(rules, play, board, seats, seat, stop, steals):
    scratch = scratch_of(play.turn)
    bust = set_learned_payoffs(board, rules, play.worms, seats, seat, play.learned, scratch)
    stop[:] = scratch.stop
    steals[:] = scratch.steals
    return bust


@compiled
def plan_paid_of(rules, play, board, seats, seat, steals, stop):
    """Pay a plan that steals at some totals, also where `learned` would not."""
    plan = scratch_of(play.turn)
    plan.stop[:] = stop
    plan.steals[:] = steals
    return set_paid(rules, play, board, seats, seat, plan, scratch_of(play.turn), stop)


@compiled
def lead_payoffs_of(rules, worms, policies, board, seat, stop, steals):
    return set_lead_payoffs(board, rules, worms, policies, seat, stop, steals)


@compiled
def chances_of(rules, play, board, seats, mover, chances):
    """Set everybody's chance to win once a turn has been played."""
    mass = np.zeros(play.turn.mask.size)
    results = np.zeros(play.turn.number.shape[1] + 1)
    for seat in range(seats):
        chances[seat] = chance_ahead(
            rules, play, board, seats, seat, mover, scratch_of(play.turn), mass, results
        )


def boards(rules, seats, seed, number=30):
    """Some tiles in the centre and in stacks, the others turned over."""
    luck = Random(seed)
    for _ in range(number):
        left = list(rules.numbers)
        luck.shuffle(left)
        heights = [min(luck.randrange(4), len(left) // seats) for _ in range(seats)]
        stacks = [[left.pop() for _ in range(min(height, len(left) - 1))] for height in heights]
        yield sorted(left[: luck.randrange(1, 1 + len(left))]), stacks


def in_array(rules, centre, stacks):
    """A board as the kernels have it."""
    return board_of(rules, Position(NONE, None, tuple(centre), tuple(map(tuple, stacks)), True))


def same(board, other):
    """Whether two boards are the same: above the tiles of a stack there may be anything."""
    lower = slice(0, tiles.STACK), slice(tiles.OWNER, None)
    return all(np.array_equal(board[part], other[part]) for part in lower) and all(
        np.array_equal(board[at : at + height], other[at : at + height])
        for at, height in zip(
            range(tiles.STACK, tiles.OWNER, tiles.MAX_TILES), board[tiles.HEIGHT :], strict=False
        )
    )


def network(players):
    """Weights and output layer of a number of players."""
    return learned().weights[players - 2], learned().out[players - 2]


def chance(rules, centre, stacks, seat, mover):
    """The twin's chance of a seat."""
    return twin.chance(rules, centre, stacks, seat, mover, *network(len(stacks)))


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [{}, {"tiles": 20}, {"tiles": 8} | SHORT, {"worms": (1, 2, 3, 4, 5, 6, 7, 8)}],
    ids=str,
)
def test_values_are_those_of_the_twin(options):
    rules = product_rules(id_of(options))
    tables = tables_of(rules, [LEARNED])
    for players in range(2, 8):
        for number, (centre, stacks) in enumerate(boards(rules, players, players, 7)):
            mover, values = number % players, np.zeros(players)
            board = in_array(rules, centre, stacks)
            values_of(rules.columns, tables, board, players, mover, values)
            expected = [chance(rules, centre, stacks, seat, mover) for seat in range(players)]
            assert values == pytest.approx(expected, abs=1e-5)


# The payoffs of a turn


def payoffs_of(rules, policy, board, seats, seat):
    """By total what stopping is worth and whether it steals; and what a bust is worth."""
    size = rules.tables.number.shape[1]
    stop, steals = np.zeros(size), np.zeros(size, np.bool_)
    if policy == "learned":
        play = tables_of(rules, [LEARNED])
        bust = learned_payoffs_of(rules.columns, play, board, seats, seat, stop, steals)
    else:
        rows = policy_rows([GAME.policy(policy)] * seats)
        bust = lead_payoffs_of(rules.columns, rules.worm_table, rows, board, seat, stop, steals)
    return stop, steals, bust


def standing(rules, centre, stacks, seat, steepness=0.5):
    """The chance that `lead:50` gives a seat at the end of its turn."""
    worms = [sum(map(rules.worms_on, stack)) for stack in stacks]
    lead = worms.pop(seat) - max(worms)
    left = sum(map(rules.worms_on, centre))
    if not left:
        return (1 + (lead > 0) - (lead < 0)) / 2
    return 1 / (1 + np.exp(-steepness * lead / left**0.5))


@pytest.mark.parametrize(
    ("policy", "options", "seats"),
    [
        ("learned", {}, 2),
        ("learned", {}, 3),
        ("learned", SHORT, 4),
        ("lead:50", {}, 3),
        ("lead:50", SHORT, 3),
        ("lead:50", FLIPS, 2),
    ],
)
def test_payoffs_of_a_turn_are_the_own_chances_on_the_boards_after_it(policy, options, seats):
    rules, robbed = product_rules(id_of(options)), 0
    for number, (centre, stacks) in enumerate(boards(rules, seats, 7)):
        seat = number % seats
        board = in_array(rules, centre, stacks)
        before = board.copy()
        stop, steals, bust = payoffs_of(rules, policy, board, seats, seat)
        assert same(board, before)

        def worth(action, tile=None, centre=centre, stacks=stacks, seat=seat):
            after = twin.moved(rules, centre, stacks, seat, action, tile)
            if policy == "learned":
                return chance(rules, *after, seat, (seat + 1) % seats)
            return standing(rules, *after, seat)

        assert bust == pytest.approx(worth(BUST), abs=1e-5)
        plan, paid, expected = np.zeros(stop.size, np.bool_), stop.copy(), stop.copy()
        tops = [stack[-1] for at, stack in enumerate(stacks) if stack and at != seat]
        for total in range(stop.size):
            worths = {
                how: worth(STOP if how == "take" else STEAL, tile)
                for how, tile in twin.tiles_at(rules, centre, tops, total)
            }
            assert stop[total] == pytest.approx(max(worths.values(), default=-np.inf), abs=1e-5)
            if worths:
                assert steals[total] == (max(worths, key=worths.get) == "steal")
            plan[total] = "steal" in worths
            expected[total] = worths.get("steal", stop[total])
        robbed += steals.sum()
        if policy == "learned":
            play = tables_of(rules, [LEARNED])
            lost = plan_paid_of(rules.columns, play, board, seats, seat, plan, paid)
            assert lost == bust
            assert paid == pytest.approx(expected, abs=1e-5)
            assert same(board, before)
    assert robbed > 5


# A turn further ahead


def everybody(board, players, mover):
    """Everybody's chance to win once a turn has been played; the board stays the same."""
    chances, before = np.zeros(players), board.copy()
    chances_of(EGMONT.columns, TABLES, board, players, mover, chances)
    assert same(board, before)
    return chances


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_chance_is_a_share_of_what_the_seats_are_read_off_for(players):
    """One seat has all turns that it can have, with their chances."""
    for number, (centre, stacks) in enumerate(boards(EGMONT, players, players, 4)):
        mover, board = number % players, in_array(EGMONT, centre, stacks)
        stop, steals, bust = payoffs_of(EGMONT, "learned", board, players, mover)
        turn = solve(EGMONT, stop, steals, bust)
        expected = np.zeros(players)
        for total, share in enumerate(turn.results((0,) * 6, roll=False)):
            if share == 0:
                continue
            action, tile = STOP, max((tile for tile in centre if tile <= total), default=None)
            if total == stop.size:
                action = BUST
            elif steals[total]:
                action, tile = STEAL, total
            after = twin.moved(EGMONT, centre, stacks, mover, action, tile)
            seats = np.array(
                [chance(EGMONT, *after, seat, (mover + 1) % players) for seat in range(players)]
            )
            expected += share * seats / seats.sum()
        found = everybody(board, players, mover)
        # Of two, only who has just played is asked.
        asked = [seat for seat in range(players) if players > 2 or seat != mover]
        assert found[asked] == pytest.approx(expected[asked], abs=1e-5)
        assert players == 2 or abs(found.sum() - 1) < 1e-9


@pytest.mark.parametrize("stacks", ["24.22/27.30", "24.22/27.30/31.23"])
def test_a_turn_further_a_tile_is_worth_the_board_after_the_next_players_turn(stacks):
    position = GAME.position(EGMONT, f"stacks={stacks}")
    found, players = ahead(EGMONT, position), position.players
    for worth, action, tile in ((found.robs[30], STEAL, 30), (found.takes[29], STOP, 29)):
        after = twin.moved(EGMONT, position.centre, position.stacks, 0, action, tile)
        assert worth == pytest.approx(everybody(in_array(EGMONT, *after), players, 1)[0])
    assert found.robs[30] > found.takes[29] + 0.05


@pytest.mark.long
def test_every_seat_sees_what_it_would_see_as_the_first() -> None:
    stacks, seen = [[24, 22], [27, 30], [31]], []
    for seat in range(3):
        found = np.zeros(TOTALS), np.zeros(TOTALS, np.bool_), np.zeros(TOTALS), np.zeros(TOTALS)
        turned = stacks[-seat:] + stacks[:-seat]
        centre = set(EGMONT.numbers) - {tile for stack in stacks for tile in stack}
        board = in_array(EGMONT, sorted(centre), turned)
        bust = payoffs_ahead(EGMONT.columns, TABLES, board, 3, seat, *found)
        seen.append([bust, *found[0], *found[1]])
    assert seen[1] == pytest.approx(seen[0], abs=1e-6)
    assert seen[2] == pytest.approx(seen[0], abs=1e-6)


@pytest.mark.long
def test_games_are_those_of_learned_but_for_the_seat_that_looks_ahead() -> None:
    games = 6
    jobs = [GAME.thinking(EGMONT, [LEARNED] * 2, seat) for seat in range(2)]
    tallies = [one.job.play(4, 0, games) for one in jobs]
    for one, tally in zip(jobs, tallies, strict=True):
        assert tally[one.unfinished, 0] == 0
        assert 0 < tally[one.departed, 0] < tally[one.decisions, 0]
        # No plan is worth less than that of `learned`, by what the seat looks at.
        assert tally[one.promised, 0] > 0
        assert np.array_equal(one.job.play(4, 3, 3, one.job.play(4, 0, 3)), tally)
    both = sum(tally[one.usual, 0] for one, tally in zip(jobs, tallies, strict=True))
    assert both == pytest.approx(EQUITY * games, abs=games)
    # What a seat gains is counted game by game.
    found = best_response(GAME, EGMONT, 2, "win", threads=2, games=games, seed=4, policy=LEARNED)
    gains = [
        (tally[one.thought, 0] - tally[one.usual, 0]) / EQUITY / games
        for one, tally in zip(jobs, tallies, strict=True)
    ]
    assert [seat.value for seat in found.by_seat] == pytest.approx(gains)
    assert found.gain.value == pytest.approx(np.mean(gains))
    assert found.base.value == pytest.approx(0.5, abs=1e-4)


def test_only_a_player_of_learned_looks_a_turn_further() -> None:
    with pytest.raises(LimitError, match="only a player of learned"):
        GAME.thinking(EGMONT, [GAME.policy("lead:50")] * 2, 0)
    # Under an option `best` is not `learned`.
    with pytest.raises(LimitError, match="only a player of learned"):
        best_response(GAME, product_rules("pikomino/egmont+short"), 2, "win", games=2)


# What is shipped, luck, and advice


def test_what_is_shipped_is_read_back():
    weights = np.random.default_rng(1).normal(size=(2, FEATURES, learned().out.shape[1] - 1))
    out = np.ones((2, weights.shape[2] + 1))
    again, layer = split(joined(weights, out))
    assert np.abs(again - weights).max() < 0.003
    assert np.array_equal(layer, out)


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "text"),
    [(2, "kept=33W stacks=24.22.33/27.30"), (4, "kept=55W rolled=11342 stacks=25/30/-/31.22")],
)
def test_adjusting_for_luck_changes_no_mean(players, text):
    position = GAME.position(EGMONT, text)
    games = 48
    job = rollouts(EGMONT, position, [LEARNED] * players)
    adjusted = job.job.play(5, 0, games)
    assert np.array_equal(job.job.play(5, 0, 13) + job.job.play(5, 13, games - 13), adjusted)
    plain = replace(job.job, kernel=kernels.roll_out).play(5, 0, games)
    for at in range(len(job.actions)):
        one, other = job.sums(adjusted, "win")[at], job.sums(plain, "win")[at]
        mean, usual = one[0] / 100_800 / games, other[0] / 420 / games
        spread = one[at + 1] / 100_800**2 / games - mean**2
        usual_spread = other[at + 1] / 420**2 / games - usual**2
        assert spread < usual_spread / 2
        assert abs(mean - usual) < 4 * (usual_spread / games) ** 0.5
        assert job.sums(adjusted, "worms")[at, 0] == job.sums(plain, "worms")[at, 0]


def test_luck_of_a_turn_is_that_of_who_plays_it_and_the_others_lose_it_by_their_chances():
    chances = np.array([0.5, 0.2, 0.3])
    for mover in range(3):
        shares = [luck_share(chances, 3, mover, who) for who in range(3)]
        assert shares[mover] == 1
        assert sum(shares) == pytest.approx(0)
        others = [who for who in range(3) if who != mover]
        expected = chances[others] / chances[others].sum()
        assert [-shares[who] for who in others] == pytest.approx(expected, abs=1e-5)


def test_advice_of_any_board_has_the_measured_error():
    position = GAME.position(EGMONT, "kept=2255WW stacks=24.22/27.30/-")
    answer = advise(GAME, EGMONT, position, objective="win")
    errors = measured_errors(3)
    assert (answer.method, answer.games) == ("simulation", 0)
    for action in answer.actions:
        half = (action.value.high - action.value.low) / 2
        assert half == pytest.approx(errors.each_side * errors.value)
        assert action.value.n == errors.boards
    other = answer.actions[1].regret
    assert other.high - other.value == pytest.approx(errors.each_side * errors.apart)
    assert (answer.verdict == answer.best) == (other.low > 0)
    assert solve_win(product_rules("pikomino/egmont+short"), position, 1) is None
    # A chance has no interval beyond 0 and 1.
    far = GAME.position(EGMONT, "centre=21-25 stacks=-/36.35.34.33/32.31")
    (roll,) = solve_win(EGMONT, far, 1).actions
    assert (roll.values["win"].low, roll.values["win"].high < 0.1) == (0, True)


@pytest.mark.long
def test_worms_at_the_end_of_the_game():
    position = GAME.position(EGMONT, "kept=2255WW centre=23 stacks=24.22/27.30/21.36")
    answer = advise(GAME, EGMONT, position, objective="worms", limits=Limits(games=1000))
    worms = {action.action: action.value.value for action in answer.actions}
    assert worms["stop 23"] == 3  # the last tile
    assert 1 < worms["roll"] < 3


@pytest.mark.parametrize(
    ("stacks", "shares"),
    [
        (((21, 26), (24, 25)), [1, 0]),
        (((), ()), [0.5, 0.5]),
        (((21, 22), (27,), ()), [0, 1, 0]),
        (((33,), (21, 22, 23, 24), ()), [1, 0, 0]),
        (((), (36,), (29, 24)), [0, 1, 0]),
        (((25, 26), (21,), (33,)), [0, 0, 1]),
        (((), (), ()), [1 / 3] * 3),
    ],
)
def test_of_equal_worms_the_highest_tile_wins(stacks, shares):
    board, seats = in_array(EGMONT, (), stacks), len(stacks)
    found = [tiles.share_of_win(board, EGMONT.worm_table, seats, seat) for seat in range(seats)]
    assert found == pytest.approx(shares)
