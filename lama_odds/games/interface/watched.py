"""What is counted along whole games, beside their results: waiting, the lead, when it is decided.

The kernels of all games share it: each plays its games and reports the standing after every
*stretch*, a round or, in games without rounds, a turn. The measures, in the order of the tally:

- lead changes: how often another player is alone in the lead. Browne (2008, "Automatic generation
  and evaluation of recombination games") and Ludii count them by the expected winner.
- comeback: the shares of the win of those who were last after half of the stretches; of an odd
  number of stretches, half of one fewer. Nobody is last, and nobody comes back, if all are level
  then; these games count.
- long: whether the game has more actions than `WatchTables.longer`
- decided: the part of the game after which the winner's chance to win stays above DECIDED
- drama: by how much the leader's chance to win is above that of the later winner, mean over the
  points of the game that are looked at. Browne's drama takes square roots of it and leaves out
  points at which the winner leads.
- sat out: the part of all actions that a player watches after quitting
- wait: the most actions of others between two of a player's own, mean over players

`decided` and `drama` need chances to win. They are counted of one game in ONE_IN. `drama` takes the
first FEWEST games played on alone: when to stop depends on the others, which would distort a mean.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lama_odds.games.interface.match_equity import Equities
from lama_odds.games.interface.tally_layout import EQUITY, WIN, count
from lama_odds.jit import allocating, inlined
from lama_odds.jit.job import Measure

SEATS = 8
MOST_STRETCHES = 4096
PART = 1 << 16  # parts of a game are counted in units of 1 / PART
DECIDED = 80  # per cent
ONE_IN = 8  # games have their chances looked at
# Chances are looked at by playing on: this many times at least, and more if it is not clear whether
# somebody's chance is above DECIDED.
FEWEST, MOST = 32, 256
CLEAR = 2.5  # standard errors
LEAD_CHANGES, COMEBACK, LONG, DECIDED_AT, DRAMA, SAT_OUT, WAIT = range(7)


class WatchTables(NamedTuple):
    """Tables for games that are watched.

    play: of the game, with no log. logged: the same with one. longer: games with more actions are
    long. equities: of these players by their scores; without a table, chances are played out.
    looks: whether chances are looked at; if not, `decided` and `drama` count nothing.
    story: float64[stretches + 1, 1 + 2 SEATS] for the last game, see `tell_story`;
    empty: not wanted.
    """

    play: Any
    logged: Any
    longer: int
    equities: Equities
    looks: bool
    story: np.ndarray


NO_STORY = np.zeros((0, 1 + 2 * SEATS))


class Watch(NamedTuple):
    """Arrays that a game fills.

    standing: int64[stretches + 1, SEATS], after each stretch; the lowest is the best.
    chances: float64[stretches + 1, SEATS], at the points that were looked at; early: the same after
    FEWEST games. looked: int64[1 + stretches], how many and which stretches. waits: int64[3,
    SEATS]: actions of others since the own last one, the most so far, whether the player has quit.
    sums: stretches, actions watched.
    """

    standing: np.ndarray
    chances: np.ndarray
    early: np.ndarray
    looked: np.ndarray
    waits: np.ndarray
    sums: np.ndarray


SINCE, LONGEST, HAS_QUIT = range(3)
STRETCHES, WATCHED = range(2)


def measures_of(seats: int, rounds: bool) -> tuple[Measure, ...]:
    """Return the measures of the tally; rounds: whether players can quit a round."""
    measures = (
        Measure("lead changes"),
        Measure("comebacks", unit=1 / WIN, share=True),
        Measure("long games", share=True),
        Measure("decided", unit=100 * ONE_IN / PART),
        Measure("drama", unit=100 * ONE_IN / PART),
    )
    if not rounds:
        return measures
    return (*measures, Measure("sat out", unit=100 / PART), Measure("longest wait", unit=1 / seats))


@allocating
def new_watch():
    """Return empty arrays."""
    return Watch(
        np.zeros((MOST_STRETCHES + 1, SEATS), np.int64),
        np.zeros((MOST_STRETCHES + 1, SEATS)),
        np.zeros((MOST_STRETCHES + 1, SEATS)),
        np.zeros(MOST_STRETCHES + 2, np.int64),
        np.zeros((3, SEATS), np.int64),
        np.zeros(2, np.int64),
    )


@inlined
def looks_at(tables, game):
    """Return whether the chances along a game are looked at."""
    return tables.looks and game % ONE_IN == 0


@inlined
def begin_watch(watch):
    """Begin a game."""
    watch.standing[0, :] = 0
    watch.looked[0] = 0
    watch.waits[:] = 0
    watch.sums[:] = 0


@inlined
def watch_log(watch, log, seats, mask, quits):
    """Count the actions of a round from its log; an entry & mask == quits is a player quitting."""
    for seat in range(seats):
        watch.waits[HAS_QUIT, seat] = 0
    gone = 0
    for at in range(1, min(log[0], log.size - 1) + 1):
        entry = log[at]
        seat = entry & 7
        watch.sums[WATCHED] += gone
        watch.waits[LONGEST, seat] = max(watch.waits[LONGEST, seat], watch.waits[SINCE, seat])
        for other in range(seats):
            watch.waits[SINCE, other] += 1
        watch.waits[SINCE, seat] = 0
        if entry & mask == quits:
            watch.waits[HAS_QUIT, seat] = 1
            gone += 1


@inlined
def note_standing(watch, table, at, seats, sign):
    """Note the standing after a stretch: table[at: at + seats], times sign."""
    if watch.sums[STRETCHES] < MOST_STRETCHES:
        watch.sums[STRETCHES] += 1
    for seat in range(seats):
        watch.standing[watch.sums[STRETCHES], seat] = sign * table[at + seat]


@inlined
def is_clear(wins, played, seats):
    """Return whether it is clear if somebody's chance is above DECIDED.

    wins: int64[seats], in units of 1 / WIN.
    """
    most = 0
    for seat in range(seats):
        most = max(most, wins[seat])
    apart = most / (WIN * played) - DECIDED / 100
    return apart * apart * played > CLEAR * CLEAR * (DECIDED / 100) * (1 - DECIDED / 100)


@inlined
def looks_on(wins, played, seats):
    """Return whether to play on from a point of a game yet again."""
    if played < FEWEST:
        return True
    return played < MOST and not (played % FEWEST == 0 and is_clear(wins, played, seats))


@inlined
def note_played(watch, wins, looks, seats):
    """Note the wins in games played on after the last stretch, if there are FEWEST of them."""
    if looks == FEWEST:
        for seat in range(seats):
            watch.early[watch.looked[0] + 1, seat] = wins[seat] / (WIN * FEWEST)


@inlined
def note_chances(watch, wins, whole, seats):
    """Note chances to win after the last stretch: wins[seat] / whole."""
    watch.looked[0] += 1
    at = watch.looked[0]
    watch.looked[at] = watch.sums[STRETCHES]
    for seat in range(seats):
        watch.chances[at, seat] = wins[seat] / whole
        if whole == EQUITY:
            watch.early[at, seat] = watch.chances[at, seat]


@inlined
def alone_in_lead(watch, stretch, seats):
    """Return the seat that is alone in the lead after a stretch; −1 if nobody is."""
    best = watch.standing[stretch, 0]
    for seat in range(1, seats):
        best = min(best, watch.standing[stretch, seat])
    leader = -1
    for seat in range(seats):
        if watch.standing[stretch, seat] == best:
            if leader >= 0:
                return -1
            leader = seat
    return leader


@inlined
def lead_changes(watch, seats):
    """Return how often another player than before is alone in the lead."""
    changes = 0
    before = -1
    for stretch in range(1, watch.sums[STRETCHES] + 1):
        leader = alone_in_lead(watch, stretch, seats)
        if leader >= 0:
            changes += before >= 0 and leader != before
            before = leader
    return changes


@inlined
def part_of(some, whole):
    """Return a part of a whole in units of 1 / PART, rounded to the nearest."""
    return (2 * some * PART + whole) // (2 * whole)


@inlined
def comeback(watch, wins, seats):
    """Return the shares of the win of those who were last at half time, in units of 1 / WIN."""
    half = watch.sums[STRETCHES] // 2
    worst = watch.standing[half, 0]
    best = worst
    for seat in range(1, seats):
        worst = max(worst, watch.standing[half, seat])
        best = min(best, watch.standing[half, seat])
    share = 0
    for seat in range(seats):
        if worst > best and watch.standing[half, seat] == worst:
            share += wins[seat]
    return share


@inlined
def decided_at(watch, wins, seats):
    """Return the part of the game after which its winner stays above DECIDED; PART: at the end."""
    winner = -1
    for seat in range(seats):
        if wins[seat] == WIN:
            winner = seat
    last = watch.sums[STRETCHES]
    if winner < 0 or last == 0:
        return PART
    since = last
    for at in range(watch.looked[0], 0, -1):
        if watch.chances[at, winner] * 100 <= DECIDED:
            break
        since = watch.looked[at]
    return part_of(since, last)


@inlined
def drama(watch, wins, seats):
    """Return the mean over all points looked at, leaders and winners in equal parts."""
    total = 0.0
    for at in range(1, watch.looked[0] + 1):
        stretch = watch.looked[at]
        best = watch.standing[stretch, 0]
        for seat in range(1, seats):
            best = min(best, watch.standing[stretch, seat])
        leading = 0.0
        leaders = 0
        winning = 0.0
        for seat in range(seats):
            if watch.standing[stretch, seat] == best:
                leading += watch.early[at, seat]
                leaders += 1
            winning += watch.early[at, seat] * wins[seat] / WIN
        total += leading / leaders - winning
    if watch.looked[0] == 0:
        return 0
    return np.int64(np.rint(total / watch.looked[0] * PART))


@inlined
def tell_story(story, watch, seats):
    """Write a game as rows: which stretch, the standing after it, chances to win (−1: not looked).

    Row 0 has the number of rows after it.
    """
    story[0, 0] = min(watch.sums[STRETCHES], story.shape[0] - 1)
    for stretch in range(1, np.int64(story[0, 0]) + 1):
        story[stretch, 0] = stretch
        for seat in range(seats):
            story[stretch, 1 + seat] = watch.standing[stretch, seat]
            story[stretch, 1 + SEATS + seat] = -1
    for at in range(1, watch.looked[0] + 1):
        stretch = watch.looked[at]
        if stretch < story.shape[0]:
            for seat in range(seats):
                story[stretch, 1 + SEATS + seat] = watch.chances[at, seat]


@inlined
def count_watched(tally, watch, wins, actions, tables, seats, looked, quits):
    """Count a game that has ended.

    wins: int64[seats], the win in units of 1 / WIN. looked: whether its chances were looked at.
    quits: whether players can quit a round.
    """
    if tables.story.shape[0]:
        tell_story(tables.story, watch, seats)
    count(tally, LEAD_CHANGES, lead_changes(watch, seats))
    count(tally, COMEBACK, comeback(watch, wins, seats))
    count(tally, LONG, np.int64(actions > tables.longer))
    if looked:
        count(tally, DECIDED_AT, decided_at(watch, wins, seats))
        count(tally, DRAMA, drama(watch, wins, seats))
    if quits:
        most = 0
        for seat in range(seats):
            most += watch.waits[LONGEST, seat]
        count(tally, SAT_OUT, part_of(watch.sums[WATCHED], max(1, seats * actions)))
        count(tally, WAIT, most)
