"""What the tests of all games name and play alike: rule sets by id, seats, records, tallies."""

from collections import Counter, defaultdict
from functools import cache

import numpy as np

from lama_odds.games.interface.tally_layout import CERTAIN
from lama_odds.games.registry import game_of
from lama_odds.simulation.run import run
from tests.reference import luck

LARGEST_SEED = 2**63 - 1
LAST_GAME = 2**40 - 1
# Every option of a game, each with another value than its rule set.
OTHER_VALUES = {
    "dice/amigo": (
        *("black=7", "copies=8", "dealt=5", "empty_row_ends=off", "faces=123456LL.123LLL"),
        *("llama_points=15", "llama_safe_alone=off", "llamas=9", "out_token=llama"),
        *("pink=50+twenty", "points=2.4.6.8.10.12", "quit_cost=2", "target=30", "twenty"),
    ),
    "lama/egmont": (
        *("black=7", "copies=6", "dealt=5", "drama", "drama+drama_tokens=2", "llama_each"),
        *("llama_points=15", "llamas=9", "out_token=never", "pink=50+twenty", "pink_llamas=2"),
        *("pink_llamas=2+pink_points=3", "pink_adds+pink_llamas=2", "plus=2"),
        *("drama+pink_drama=off+pink_llamas=2", "points=2.4.6.8.10.12", "quit_cost=2"),
        *("starter=last_actor", "target=30", "twenty"),
    ),
    "noprob/starnberger": (
        *("any_tie", "copies=12", "dramas=9", "four_rounds", "four_rounds+rounds=2", "jokers=9"),
        *("karmas=12", "low=2", "negative_copies=10.10.9", "negatives=1.2.9", "peeks=3"),
        *("refill=off", "special=9", "target=1", "target_many=1", "triple_joker=off"),
    ),
    "pikomino/egmont": (
        *("dice=7", "flip_without_tile", "low=20", "no_steal", "short", "tiles=12"),
        *("worm_value=3", "worms=4.3.2.1"),
    ),
}


def written(value):
    """Write the value of an option as a rule-set id has it."""
    if isinstance(value, tuple):
        return ".".join(map(str, value))
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def with_options(edition, options):
    """Write an id, switches as bare names where they are on; edition: ``game/edition``."""
    words = [
        f"+{name}" if value is True else f"+{name}={written(value)}"
        for name, value in sorted(options.items())
    ]
    return edition + "".join(words)


def seats_of(mix, players):
    """Repeat a mix of policies for so many seats."""
    return tuple(mix[seat % len(mix)] for seat in range(players))


def games_at(mixes, players, parity):
    """Give the games compared at a table, policies, seed and game of each: every other mix."""
    for number, mix in enumerate(mixes):
        if (players + number) % 2 == parity:
            yield seats_of(mix, players), 10 * players + number, 7 * number


@cache
def product_rules(rules_id):
    """Give the product's rule set, whose tables are then worked out once."""
    return game_of(rules_id).rules(rules_id)


def product_record(rules_id, policies, seed, game, rounds=False):
    """Let the product write a record of a game, or of its first round."""
    face = game_of(rules_id)
    chosen = [face.policy(name) for name in policies]
    return face.record(product_rules(rules_id), chosen, seed, game, rounds)


def rounds_of(record):
    """Split a record into its rounds, each a list of lines split into words."""
    rounds = []
    for line in record.splitlines():
        words = line.split()
        if words[0] == "round":
            rounds.append([])
        if rounds:
            rounds[-1].append(words)
    return rounds


def tally_of(rules_id, policies, rounds, seed, first, games, threads=1):
    """Simulate; give [sum, sum of squares] by measure and seat."""
    face = game_of(rules_id)
    chosen = [face.policy(name) for name in policies]
    job = face.simulation(product_rules(rules_id), chosen, rounds)
    played = run(job, seed, games, first=first, threads=threads)
    assert played.games == games
    names = [(measure.name, measure.seat) for measure in job.measures]
    return dict(zip(names, played.tally.tolist(), strict=True))


def sums_of(measured):
    """Add up measures of games, each a mapping: by name the sum, and the sum of squares."""
    sums, squares = Counter(), Counter()
    for values in measured:
        for name, value in values.items():
            sums[name] += value
            squares[name] += value * value
    return {name: [sums[name], squares[name]] for name in sums}


def measures_of(final, rounds):
    """Give what a game adds to the measures; a win is 420 shares."""
    winners = [seat for seat, score in enumerate(final) if score == min(final)]
    found = {("rounds", None): rounds, ("unfinished", None): 0}
    for seat, score in enumerate(final):
        found["win", seat] = 420 // len(winners) if seat in winners else 0
        found["outright", seat] = int(winners == [seat])
        found["score", seat] = score
    return found, len(winners)


# Forks counted by hand: decisions of rounds that were played both ways.


STUDY = 15  # the lane that says which decisions are taken


def is_taken(stream, game, number, chance):
    """Say whether decision number so-and-so of a first round, counted from 1, is studied."""
    word = luck.word_at(stream, luck.address_of(game, 0, STUDY, number))
    return luck.below(word, CERTAIN) < chance


def payoffs_of(seat, changes):
    """Points of a seat, and how much more than each of the others it got, in sum."""
    return changes[seat], len(changes) * changes[seat] - sum(changes)


def counted(games):
    """Sum up games, each a list of (keys, payoffs of the first action, of the second).

    Give by keys a row: decisions, sum of n², and for each objective the sums of f, f², f n, d,
    d², d n, s², where n, f, s and d are the decisions of a game, the sums of their payoffs, and
    s − f.
    """
    rows = defaultdict(lambda: np.zeros(16, dtype=np.int64))
    for forks in games:
        number, sums = Counter(), defaultdict(lambda: np.zeros((2, 2), dtype=np.int64))
        for keys, first, second in forks:
            for key in keys:
                number[key] += 1
                sums[key] += [first, second]
        for key, n in number.items():
            line = [n, n * n]
            for f, s in sums[key].T:
                line += [f, f * f, f * n, s - f, (s - f) ** 2, (s - f) * n, s * s]
            rows[key] += line
    return {key: row.tolist() for key, row in rows.items()}


def product_rows(job, seed, games, threads=1):
    """Give the rows of a product's fork job that are not empty, by keys."""
    tally = run(job.job, seed, games, threads=threads).tally
    keys = [tuple(key.values()) for key in job.keys]
    assert len(set(keys)) == len(keys) == len(tally)
    return {key: row.tolist() for key, row in zip(keys, tally, strict=True) if row.any()}
