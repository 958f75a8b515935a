"""What the shared drivers need of the card games: forks, logs, actions of a position.

Names and arguments are those that `games.shared.drivers` asks for.
"""

from __future__ import annotations

from lama_odds.games.interface.from_scores import draw_scores
from lama_odds.games.interface.tally_layout import add_fork, event_of, result_of
from lama_odds.games.lama.engine.beliefs import deal_hidden
from lama_odds.games.lama.engine.policy_kernels import (
    HAND,
    MAX_SEATS,
    NEXT,
    PENALTY,
    PILE,
    PLACE,
    SCORE,
    fewest_cards,
)
from lama_odds.games.lama.engine.round_loop import (
    AS_POLICY,
    ENDED,
    ENDED_BY,
    LAST_ACTOR,
    MOVE,
    OTHERS_IN,
    PAUSED,
    WENT_OUT,
    begin_round,
    copy_table,
    lay_root,
    play_from,
    play_round,
    sit_down,
)
from lama_odds.games.lama.engine.tables import PlayTables
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.transition import DRAW, QUIT, count_cards, penalty_of
from lama_odds.games.shared.drivers import MARGIN, POINTS
from lama_odds.jit import allocating, inlined

TARGET = transition.TARGET


@inlined
def next_starter(rules, seats, starter, result):
    """Return the seat that starts the round after one that `starter` has started."""
    return (starter + 1) % seats if rules[transition.ROTATE] else result[LAST_ACTOR]


# Decisions to draw or to quit with nothing to play and a card to draw, played out both ways.

MOST_CARDS = 10  # own cards: this many or more
MOST_FEWEST = 6  # cards of the other with the fewest: this many or more
BY_OTHERS = 1 + MOST_CARDS + MOST_FEWEST + MOST_CARDS * MOST_FEWEST
OF_A_PENALTY = BY_OTHERS + MAX_SEATS - 1  # cells


@inlined
def begin_forks(rules, tables, table, seats, key, gamma, game, round_, starter, result):
    """Deal a round, which `play_to_fork` begins."""
    begin_round(rules, table, seats, key, gamma, game, round_)
    result[LAST_ACTOR] = starter
    result[OTHERS_IN] = seats - 1
    result[MOVE] = AS_POLICY


@inlined
def play_to_fork(rules, tables, gamma, table, seats, result):
    """Play a round on, as the policies decide; return whether another decision comes up."""
    seat, others, begin = result[LAST_ACTOR], result[OTHERS_IN], result[MOVE]
    play_round(rules, tables, gamma, table, seats, others, seat, begin, True, result)
    return result[ENDED] == PAUSED


@inlined
def cost_of(rules, tables, hand):
    """Return the penalty of a hand."""
    return penalty_of(rules, tables.penalties, hand)


@inlined
def play_fork(rules, tables, gamma, table, seats, action, result, branch, branch_result):
    """Play a copy of the round to its end, first quitting (action 0) or drawing."""
    seat, others, move = result[LAST_ACTOR], result[OTHERS_IN], DRAW if action else QUIT
    play_from(rules, tables, gamma, table, branch, seats, others, seat, move, branch_result)


@inlined
def add_forks(open_cells, touched, table, penalty, result, payoffs):
    """Add a fork to the cells of its penalty.

    They are: all together; by own cards; by fewest cards of another player still in; by both; by
    the number of others still in.
    """
    seat = result[LAST_ACTOR]
    own = min(count_cards(table[HAND + seat]), MOST_CARDS) - 1
    fewest = min(fewest_cards(table, HAND, NEXT, seat), MOST_FEWEST) - 1
    cell = OF_A_PENALTY * penalty
    both = cell + 1 + MOST_CARDS + MOST_FEWEST + own * MOST_FEWEST + fewest
    add_fork(open_cells, touched, cell, payoffs[0], payoffs[1])
    add_fork(open_cells, touched, cell + 1 + own, payoffs[0], payoffs[1])
    add_fork(open_cells, touched, cell + 1 + MOST_CARDS + fewest, payoffs[0], payoffs[1])
    add_fork(open_cells, touched, both, payoffs[0], payoffs[1])
    # Nobody draws alone, so there is at least one other.
    left = cell + BY_OTHERS + result[OTHERS_IN] - 1
    add_fork(open_cells, touched, left, payoffs[0], payoffs[1])


def cells_of(most_points: int) -> list[dict[str, int | None]]:
    """Return the meaning of each cell but those by scores: penalty, own cards, fewest cards, others
    still in (None: any).
    """
    keys: list[dict[str, int | None]] = []
    owns: list[int | None] = [None, *range(1, MOST_CARDS + 1)]
    for penalty in range(most_points + 1):
        pairs: list[tuple[int | None, int | None]] = [(own, None) for own in owns]
        pairs += [(None, fewest) for fewest in range(1, MOST_FEWEST + 1)]
        pairs += [(own, f) for own in owns[1:] for f in range(1, MOST_FEWEST + 1)]
        cells: list[tuple[int | None, ...]] = [(*pair, None) for pair in pairs]
        cells += [(None, None, others) for others in range(1, MAX_SEATS)]
        names = ("cards", "fewest", "others")
        keys += [{"penalty": penalty, **dict(zip(names, cell, strict=True))} for cell in cells]
    return keys


# What a watched game logs, see `round_loop.log_move`.

LOGGED_ACTION = 0xFF0
LOGGED_QUIT = QUIT - AS_POLICY << 4


@allocating
def with_log(tables, log):
    """Return tables with another log."""
    return PlayTables(
        tables.playable, tables.penalties, tables.order, tables.values, tables.ranks,
        tables.equilibrium, tables.learned, tables.cards, log,
    )  # fmt: skip


# Positions that are played out after each action.

# Events counted for each action.
I_GO_OUT = 0
I_AM_LAST = 1  # nobody's penalty of this round is higher than seat 0's
OTHER_GOES_OUT = 2
EVENTS = 3
EVENT_NAMES = ("out", "last", "other out")


@inlined
def change_of_scores(table, root, seats):
    """Return the round's change for seat 0, and the others' sum."""
    mine = 0
    rest = 0
    for seat in range(seats):
        change = table[PENALTY + seat] + table[SCORE + seat] - root[SCORE + seat]
        if seat == 0:
            mine = change
        else:
            rest += change
    return mine, rest


@inlined
def count_ways(table, seats, result, tally, layout, a):
    """Count how the round ended after root action a."""
    at = event_of(layout, a, 0)
    worst = 0
    for seat in range(1, seats):
        worst = max(worst, table[PENALTY + seat])
    out = result[ENDED] == WENT_OUT
    mine = result[ENDED_BY] == 0
    tally[at + I_GO_OUT] += out and mine
    tally[at + I_AM_LAST] += table[PENALTY] >= worst
    tally[at + OTHER_GOES_OUT] += out and not mine


@inlined
def starter_of(tables, game, seats):
    """Return who has started the round of a position; everybody in turn if that is not known."""
    return tables.starter if tables.starter >= 0 else game % seats


@inlined
def lay_position(rules, tables, key, gamma, game, seats, root):
    """Set the table up as at the position, and deal what is hidden there."""
    lay_root(root, tables.root)
    draw_scores(tables.starts, key, gamma, game, root, SCORE, seats)
    start = sit_down(root, seats, key, gamma, game, 0)
    deal_hidden(
        rules, tables.play, root, tables.counts, seats, tables.quitters, tables.held, start, gamma
    )


@inlined
def play_after(rules, tables, key, gamma, game, a, seats, dealt, table, payoff, result, tally):
    """Play the round after root action a; write what it costs, and count how it ended.

    The game's counters are [k, deck + 1] by the cards drawn in a round.
    """
    root, layout = tables.root, tables.layout
    # This repeats `play_from`: calling it makes a rollout slower.
    copy_table(dealt, table)
    play_round(
        rules, tables.play, gamma, table, seats, tables.others, 0, tables.actions[a], False, result
    )
    drawn = root[PLACE + PILE] - table[PLACE + PILE]
    tally[layout.counters_at + a * (rules[transition.DECK] + 1) + drawn] += 1
    mine, rest = change_of_scores(table, dealt, seats)
    payoff[POINTS, a] = mine
    payoff[MARGIN, a] = mine * (seats - 1) - rest
    count_ways(table, seats, result, tally, layout, a)
    tally[result_of(layout, a, table[PENALTY])] += 1
