"""The kernels that `simulation` runs, see `games.shared.drivers`, made for Lama Dice."""

from __future__ import annotations

from lama_odds.games.dice.engine import round_loop, steps
from lama_odds.games.shared import drivers
from lama_odds.jit import compiled, stamped
from lama_odds.luck.stream import stream_of

play_first_rounds = stamped(drivers.play_first_rounds, __name__, loop=round_loop, steps=steps)
play_games = stamped(drivers.play_games, __name__, loop=round_loop, steps=steps)
play_from_scores = stamped(drivers.play_from_scores, __name__, loop=round_loop, steps=steps)
roll_out = stamped(drivers.roll_out, __name__, loop=round_loop, steps=steps)
roll_out_games = stamped(drivers.roll_out_games, __name__, loop=round_loop, steps=steps)
fork_rounds = stamped(drivers.fork_rounds, __name__, loop=round_loop, steps=steps)
fork_games = stamped(drivers.fork_games, __name__, loop=round_loop, steps=steps)
watch_games = stamped(drivers.watch_games, __name__, loop=round_loop, steps=steps)


@compiled
def deal_round(rules, rolls, table, seats, seed, game, round_):
    """Deal a round as hands on the table."""
    key, gamma = stream_of(seed)
    start = round_loop.sit_down(rules, rolls, table, seats, key, gamma, game, round_)
    round_loop.deal(rules, table, seats, start, gamma)
