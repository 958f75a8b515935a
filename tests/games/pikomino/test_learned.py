"""`learned` against plain Python: values, turns, luck, lessons; and seats that look further."""

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
    HIDDEN,
    MOST_ON,
    Scratch,
    set_learned_payoffs,
    share_of_win,
)
from lama_odds.games.pikomino.engine.look_ahead import (
    chance_ahead,
    payoffs_ahead,
    set_paid,
)
from lama_odds.games.pikomino.engine.policy_kernels import SEEN, set_lead_payoffs
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.jobs import rollouts
from lama_odds.games.pikomino.policies import joined, learned, policy_rows, split, tables_of
from lama_odds.games.pikomino.rules import board as tiles
from lama_odds.games.pikomino.rules.position import NONE, Position
from lama_odds.games.pikomino.solvers.endgame import after_bust, after_steal, after_stop
from lama_odds.games.pikomino.solvers.exact import board_of, solve
from lama_odds.games.pikomino.solvers.solve import ahead, measured_errors, solve_win
from lama_odds.games.shared.decisions import decisions
from lama_odds.jit import compiled
from tests.games.cases import product_rules
from tests.games.pikomino.cases import id_of
from tests.reference import pikomino_turn as twin

EGMONT = product_rules("pikomino/egmont")
LEARNED = GAME.policy("learned")
OPTIONS = ({}, {"tiles": 20}, {"tiles": 8, "short": True}, {"worms": (1, 2, 3, 4, 5, 6, 7, 8)})


@compiled
def values_of(rules, play, board, seats, mover, values):
    set_values(rules, play, board, seats, mover, scratch_of(play.turn), values)


@compiled
def payoffs_of(rules, play, board, seats, seat, stop, steals):
    scratch = scratch_of(play.turn)
    bust = set_learned_payoffs(board, rules, play.worms, seats, seat, play.learned, scratch)
    stop[:] = scratch.stop
    steals[:] = scratch.steals
    return bust


@compiled
def chances_of(rules, play, board, seats, mover, chances):
    """Set everybody's chance to win once a turn has been played."""
    mass = np.zeros(play.turn.mask.size)
    results = np.zeros(play.turn.number.shape[1] + 1)
    for seat in range(seats):
        chances[seat] = chance_ahead(
            rules, play, board, seats, seat, mover, scratch_of(play.turn), mass, results
        )


def positions(rules, players, seed, game=0):
    """Every tenth position of a game of `first-tile`."""
    text = GAME.record(rules, [GAME.policy("first-tile")] * players, seed, game, False)
    return [found.position for found in decisions(GAME, rules, text)[::10]]


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


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_values_are_those_of_the_twin(options):
    rules = product_rules(id_of(options))
    tables = tables_of(rules, [LEARNED])
    seen = 0
    for players in range(2, 8):
        for position in positions(rules, players, players):
            mover = seen % players
            values = np.zeros(players)
            board = board_of(rules, position)
            values_of(rules.columns, tables, board, players, mover, values)
            for seat in range(players):
                expected = twin.chance(
                    rules, position.centre, position.stacks, seat, mover, *network(players)
                )
                assert values[seat] == pytest.approx(expected, abs=1e-5)
            seen += 1
    assert seen > 20


def test_the_payoffs_of_a_turn_are_the_boards_that_follow():
    tables = tables_of(EGMONT, [LEARNED])
    robbed = 0
    for position in positions(EGMONT, 2, 3):
        board = board_of(EGMONT, position)
        before = board.copy()
        stop = np.zeros(EGMONT.tables.number.shape[1])
        steals = np.zeros(stop.size, dtype=np.bool_)
        bust = payoffs_of(EGMONT.columns, tables, board, 2, 0, stop, steals)
        assert same(board, before)
        here = (tuple(position.centre), *position.stacks)

        def worth(after):
            centre, mover, other = after
            return twin.chance(EGMONT, centre, [other, mover], 0, 1, *network(2))

        assert bust == pytest.approx(worth(after_bust(EGMONT, here)), abs=1e-5)
        for total in range(21, stop.size):
            options = [after_stop(here, tile) for tile in sorted(here[0]) if tile <= total][-1:]
            if here[2] and here[2][-1] == total:
                options.insert(0, after_steal(here))
                robbed += steals[total]
            worths = [worth(after) for after in options]
            assert stop[total] == pytest.approx(max(worths, default=-np.inf), abs=1e-5)
            assert not steals[total] or stop[total] == pytest.approx(worths[0], abs=1e-5)
    assert robbed


def everybody(board, players, mover):
    """Everybody's chance to win once a turn has been played; the board stays the same."""
    chances, before = np.zeros(players), board.copy()
    chances_of(EGMONT.columns, tables_of(EGMONT, [LEARNED]), board, players, mover, chances)
    assert same(board, before)
    return chances


@pytest.mark.long
@pytest.mark.parametrize("players", range(3, 8))
def test_chances_of_everybody_add_up_to_1(players):
    seen = 0
    for game in range(3):
        for position in positions(EGMONT, players, 10 + players, game):
            chances = everybody(board_of(EGMONT, position), players, seen % players)
            assert abs(chances.sum() - 1) < 1e-9
            assert chances.min() >= 0
            seen += 1
    assert seen > 10
    position = GAME.position(EGMONT, "stacks=24.22/27.30/" + "/".join("-" * (players - 2)))
    after = GAME.position(EGMONT, "stacks=24.22.31/27.30/" + "/".join("-" * (players - 2)))
    chances = everybody(board_of(EGMONT, after), players, 1)
    assert ahead(EGMONT, position).takes[31] == chances[0]


def test_chances_of_two_are_not_divided():
    """To the last bit: what the other's turn is worth, taken from 1."""
    tables = tables_of(EGMONT, [LEARNED])
    for position in positions(EGMONT, 2, 12):
        board = board_of(EGMONT, position)
        stop = np.zeros(EGMONT.tables.number.shape[1])
        steals = np.zeros(stop.size, dtype=np.bool_)
        bust = payoffs_of(EGMONT.columns, tables, board, 2, 1, stop, steals)
        assert everybody(board, 2, 1)[0] == 1 - solve(EGMONT, stop, steals, bust).worth[-1]


def test_a_chance_is_a_share_of_what_the_seats_are_read_off_for():
    """The twin: three players, the second has all turns that it can have, with their chances."""
    after = GAME.position(EGMONT, "centre=23,26,28 stacks=24.22/27.30/21.25")
    board = board_of(EGMONT, after)
    stop = np.zeros(EGMONT.tables.number.shape[1])
    steals = np.zeros(stop.size, dtype=np.bool_)
    tables = tables_of(EGMONT, [LEARNED])
    bust = payoffs_of(EGMONT.columns, tables, board, 3, 1, stop, steals)
    turn = solve(EGMONT, stop, steals, bust)
    expected = np.zeros(3)
    for total, chance in enumerate(turn.results((0,) * 6, roll=False)):
        centre, stacks = [23, 26, 28], [[24, 22], [27, 30], [21, 25]]
        if chance == 0:
            continue
        if total == stop.size:  # a bust: tile 30 is back, and stays open as the highest
            centre.append(stacks[1].pop())
        elif steals[total]:
            victim = next(stack for stack in (stacks[0], stacks[2]) if stack[-1] == total)
            stacks[1].append(victim.pop())
        else:
            tile = max(tile for tile in centre if tile <= total)
            centre.remove(tile)
            stacks[1].append(tile)
        seats = [twin.chance(EGMONT, centre, stacks, seat, 2, *network(3)) for seat in range(3)]
        expected += chance * np.array(seats) / sum(seats)
    assert everybody(board, 3, 1) == pytest.approx(expected, abs=1e-5)


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


@pytest.mark.long
def test_worms_at_the_end_of_the_game():
    position = GAME.position(EGMONT, "kept=2255WW centre=23 stacks=24.22/27.30/21.36")
    answer = advise(GAME, EGMONT, position, objective="worms", limits=Limits(games=1000))
    worms = {action.action: action.value.value for action in answer.actions}
    assert worms["stop 23"] == 3  # the last tile
    assert 1 < worms["roll"] < 3


# Who has what of a board


@pytest.mark.parametrize(
    ("stacks", "shares"),
    [
        (((21, 26), (24, 25)), [1, 0]),
        (((24, 25), (21, 26)), [0, 1]),
        (((), ()), [0.5, 0.5]),
        (((21, 22), (27,), ()), [0, 1, 0]),
        (((33,), (21, 22, 23, 24), ()), [1, 0, 0]),
        (((), (36,), (29, 24)), [0, 1, 0]),
        (((25, 26), (21,), (33,)), [0, 0, 1]),
        (((), (), ()), [1 / 3] * 3),
    ],
)
def test_of_equal_worms_the_highest_tile_wins(stacks, shares):
    board = board_of(EGMONT, Position(NONE, None, (), stacks))
    found = [
        share_of_win(board, EGMONT.worm_table, len(stacks), seat) for seat in range(len(stacks))
    ]
    assert found == pytest.approx(shares)


def worths_of_steals(text, players):
    """What is set for a steal of 30 by seat 0, and what is left of the board by its rules."""
    position = GAME.position(EGMONT, text)
    board = board_of(EGMONT, position)
    stop = np.zeros(EGMONT.tables.number.shape[1])
    steals = np.zeros(stop.size, dtype=np.bool_)
    payoffs_of(EGMONT.columns, tables_of(EGMONT, [LEARNED]), board, players, 0, stop, steals)
    return stop[30], steals[30], position


@pytest.mark.parametrize(
    "text",
    [
        "centre=21-23 stacks=24/27.30",
        "centre=21,23 stacks=24/27.30/22",
        "centre=22-23 stacks=-/21.25/29.30/26",
    ],
)
def test_a_steal_is_worth_the_own_chance_on_the_board_without_the_tile_of_the_victim(text):
    players = text.count("/") + 1
    worth, steals, position = worths_of_steals(text, players)
    stacks = [list(stack) for stack in position.stacks]
    stacks[0].append(next(stack for stack in stacks[1:] if stack[-1:] == [30]).pop())
    assert steals
    expected = [
        twin.chance(EGMONT, position.centre, stacks, seat, 1, *network(players))
        for seat in range(players)
    ]
    assert worth == pytest.approx(expected[0], abs=1e-5)
    assert min(abs(worth - other) for other in expected[1:]) > 0.05


@pytest.mark.parametrize("more", ["", "/31.23"])
def test_a_turn_further_a_steal_is_the_board_after_the_next_players_turn(more):
    """For two the next player's best turn is what is lost; for three it is shared out."""
    position = GAME.position(EGMONT, f"stacks=24.22/27.30{more}")
    found, players = ahead(EGMONT, position), position.players
    tables = tables_of(EGMONT, [LEARNED])
    for worth, (centre, stolen, mine) in (
        (found.robs[30], after_steal((tuple(position.centre), *position.stacks[:2]))),
        (found.takes[29], after_stop((tuple(position.centre), *position.stacks[:2]), 29)),
    ):
        after = board_of(
            EGMONT, Position(NONE, None, centre, (mine, stolen, *position.stacks[2:]), whole=True)
        )
        expected = everybody(after, players, 1)[0]
        if players == 2:
            stop = np.zeros(EGMONT.tables.number.shape[1])
            steals = np.zeros(stop.size, dtype=np.bool_)
            bust = payoffs_of(EGMONT.columns, tables, after, 2, 1, stop, steals)
            expected = 1 - solve(EGMONT, stop, steals, bust).worth[-1]
        assert worth == pytest.approx(expected)
    assert found.robs[30] > found.takes[29] + 0.05


# `lead`: its payoffs in plain Python, and what `learned` makes of its plans


@compiled
def lead_payoffs_of(rules, worms, policies, board, seat, stop, steals):
    return set_lead_payoffs(board, rules, worms, policies, seat, stop, steals)


def standing(rules, centre, stacks, seat, steepness):
    """The chance that `lead` gives a seat at the end of its turn."""
    worms = [sum(map(rules.worms_on, stack)) for stack in stacks]
    lead = worms.pop(seat) - max(worms)
    left = sum(map(rules.worms_on, centre))
    if not left:
        return (1 + (lead > 0) - (lead < 0)) / 2
    return 1 / (1 + np.exp(-steepness * lead / left**0.5))


def moved(rules, board, seat, what, tile):
    """The tiles after a turn: those of the centre, and the stacks."""
    centre, stacks = set(board[0]), [list(stack) for stack in board[1]]
    if what == "take":
        centre.remove(tile)
        stacks[seat].append(tile)
    elif what == "steal":
        stacks[seat].append(next(s for at, s in enumerate(stacks) if s[-1:] == [tile]).pop())
    else:
        back = [stacks[seat].pop()] if stacks[seat] else []
        centre.update(back)
        if (back or rules.flip_without_tile) and (max(centre) not in back or rules.short):
            centre.remove(max(centre))
    return sorted(centre), stacks


def boards(rules, seats, seed):
    """Some tiles in the centre and in stacks, the others turned over."""
    luck = Random(seed)
    for _ in range(30):
        tiles_left = list(rules.numbers)
        luck.shuffle(tiles_left)
        stacks = [[tiles_left.pop() for _ in range(luck.randrange(4))] for _ in range(seats)]
        yield sorted(tiles_left[: luck.randrange(1, 1 + len(tiles_left))]), stacks


def expected_payoffs(rules, board, seat, worth):
    """By total the value of the best tile and whether it is stolen; and that of a bust."""
    found = {}
    for total in range(rules.low, 42):
        lower = [tile for tile in board[0] if tile <= total]
        values = {"take": worth(*moved(rules, board, seat, "take", max(lower)))} if lower else {}
        if total in [stack[-1] for at, stack in enumerate(board[1]) if stack and at != seat]:
            values["steal"] = worth(*moved(rules, board, seat, "steal", total))
        if values:
            found[total] = max(values.values()), max(values, key=values.get) == "steal"
    return found, worth(*moved(rules, board, seat, "bust", None))


@pytest.mark.parametrize("options", [{}, {"short": True}, {"flip_without_tile": True}], ids=str)
def test_lead_pays_by_the_worms_of_everybody_after_the_turn(options):
    rules, rows, robbed = (
        product_rules(id_of(options)),
        policy_rows([GAME.policy("lead:50")] * 3),
        0,
    )
    stop = np.zeros(rules.tables.number.shape[1])
    steals = np.zeros(stop.size, dtype=np.bool_)
    for number, (centre, stacks) in enumerate(boards(rules, 3, 7)):
        seat = number % 3
        board = board_of(rules, Position(NONE, None, tuple(centre), tuple(map(tuple, stacks))))
        bust = lead_payoffs_of(rules.columns, rules.worm_table, rows, board, seat, stop, steals)

        def worth(centre, stacks, seat=seat):
            return standing(rules, centre, stacks, seat, 0.5)

        expected, lost = expected_payoffs(rules, (centre, stacks), seat, worth)
        assert bust == pytest.approx(lost)
        assert set(np.flatnonzero(stop > -np.inf)) == {t for t in expected if t < stop.size}
        for total in np.flatnonzero(stop > -np.inf).tolist():
            assert (stop[total], steals[total]) == (
                pytest.approx(expected[total][0]), expected[total][1],
            )  # fmt: skip
        robbed += steals.sum()
    assert robbed > 10


def test_what_a_plan_is_paid_is_the_own_chance_on_the_board_after_it():
    """Also for a steal that `learned` would not choose; the board is the same at the end."""
    size, states = EGMONT.tables.number.shape[1], EGMONT.tables.mask.size
    tables, robbed = tables_of(EGMONT, [LEARNED]), 0
    plan, judge = (scratch_in_python(size, states) for _ in range(2))
    for number, (centre, stacks) in enumerate(boards(EGMONT, 3, 9)):
        seat, paid = number % 3, np.zeros(size)
        board = board_of(EGMONT, Position(NONE, None, tuple(centre), tuple(map(tuple, stacks))))
        before = board.copy()
        tops = {stack[-1] for at, stack in enumerate(stacks) if stack and at != seat}
        for total in range(size):
            plan.steals[total] = total in tops
            takes = total >= min(centre)
            plan.stop[total] = 0.0 if takes or total in tops else -np.inf
        bust = set_paid(EGMONT.columns, tables, board, 3, seat, plan, judge, paid)
        assert same(board, before)

        def chance(centre, stacks, seat=seat):
            return twin.chance(EGMONT, centre, stacks, seat, (seat + 1) % 3, *network(3))

        for total in range(21, size):
            lower = [tile for tile in centre if tile <= total]
            what, tile = ("steal", total) if total in tops else ("take", max(lower, default=None))
            if tile is None:
                assert paid[total] == -np.inf
                continue
            robbed += what == "steal"
            after = moved(EGMONT, (centre, stacks), seat, what, tile)
            assert paid[total] == pytest.approx(chance(*after), abs=1e-5)
        lost = moved(EGMONT, (centre, stacks), seat, "bust", None)
        assert bust == pytest.approx(chance(*lost), abs=1e-5)
    assert robbed > 10


def scratch_in_python(totals, states):
    """The arrays that a turn overwrites."""
    return Scratch(
        np.zeros(totals), np.zeros(states), np.zeros(states), np.zeros(totals, np.bool_),
        np.zeros(states, np.bool_), np.zeros(MOST_ON, np.int64), np.zeros(HIDDEN, np.float32),
        np.zeros(tiles.MAX_SEATS), np.zeros(SEEN, np.int64),
    )  # fmt: skip


@pytest.mark.parametrize("mover", range(3))
def test_luck_of_a_turn_is_that_of_who_plays_it_and_the_others_lose_it_by_their_chances(mover):
    chances = np.array([0.5, 0.2, 0.3])
    shares = [luck_share(chances, 3, mover, who) for who in range(3)]
    assert shares[mover] == 1
    assert sum(shares) == pytest.approx(0)
    others = [who for who in range(3) if who != mover]
    expected = chances[others] / chances[others].sum()
    assert [-shares[who] for who in others] == pytest.approx(expected, abs=1e-5)


TABLES = tables_of(EGMONT, [LEARNED])


def room() -> list[np.ndarray]:
    """Arrays for the payoffs of a turn."""
    size = EGMONT.tables.number.shape[1]
    return [np.zeros(size), np.zeros(size, np.bool_), np.zeros(size), np.zeros(size)]


@pytest.mark.long
def test_every_seat_sees_what_it_would_see_as_the_first() -> None:
    stacks = ["24.22", "27.30", "31"]
    first = GAME.position(EGMONT, f"stacks={'/'.join(stacks)}")
    found = room()
    bust = payoffs_ahead(EGMONT.columns, TABLES, board_of(EGMONT, first), 3, 0, *found)
    for seat in (1, 2):
        turned = GAME.position(EGMONT, f"stacks={'/'.join(stacks[-seat:] + stacks[:-seat])}")
        other = room()
        board = board_of(EGMONT, turned)
        lost = payoffs_ahead(EGMONT.columns, TABLES, board, 3, seat, *other)
        assert lost == pytest.approx(bust, abs=1e-6)
        assert other[0] == pytest.approx(found[0], abs=1e-6)
        assert np.array_equal(other[1], found[1])


@pytest.mark.long
def test_games_are_those_of_learned_but_for_the_seat_that_looks_ahead() -> None:
    games, policies = 6, [LEARNED] * 2
    jobs = [GAME.thinking(EGMONT, policies, seat) for seat in range(2)]
    tallies = [one.job.play(4, 0, games) for one in jobs]
    for one, tally in zip(jobs, tallies, strict=True):
        assert tally[one.unfinished, 0] == 0
        assert 0 < tally[one.departed, 0] < tally[one.decisions, 0]
        # No plan is worth less than that of `learned`, by what the seat looks at.
        assert tally[one.promised, 0] > 0
        halves = one.job.play(4, 3, 3, one.job.play(4, 0, 3))
        assert np.array_equal(halves, tally)
    both = sum(tally[one.usual, 0] for one, tally in zip(jobs, tallies, strict=True))
    assert both == pytest.approx(EQUITY * games, abs=games)


@pytest.mark.long
def test_what_a_seat_gains_is_counted_game_by_game() -> None:
    asked = {"games": 3, "seed": 4, "policy": LEARNED}
    one = best_response(GAME, EGMONT, 2, "win", threads=1, **asked)
    assert one == best_response(GAME, EGMONT, 2, "win", threads=2, **asked)
    tallies = [GAME.thinking(EGMONT, [LEARNED] * 2, seat).job.play(4, 0, 3) for seat in range(2)]
    gains = [(tally[0, 0] - tally[1, 0]) / EQUITY / 3 for tally in tallies]
    assert [seat.value for seat in one.by_seat] == pytest.approx(gains)
    assert one.gain.value == pytest.approx(np.mean(gains))
    assert one.promised.value == pytest.approx(sum(t[2, 0] for t in tallies) / EQUITY / 6)
    assert one.base.value == pytest.approx(0.5, abs=1e-4)
    assert (one.most, one.played) == (0, 0)


def test_only_a_player_of_learned_looks_a_turn_further() -> None:
    with pytest.raises(LimitError, match="only a player of learned"):
        GAME.thinking(EGMONT, [GAME.policy("lead:50")] * 2, 0)
    # Under an option `best` is not `learned`.
    with pytest.raises(LimitError, match="only a player of learned"):
        best_response(GAME, product_rules("pikomino/egmont+short"), 2, "win", games=2)
