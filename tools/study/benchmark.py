"""Measure speed, as ratios within one run: machines are shared and noisy.

    .venv/bin/python -m tools.study.benchmark [PART …]

Parts: simulation cards pikomino noprob pig solvers engines commands; all if none is named.

It compares simulation with the plain-Python twin of the tests, and measures threads, random
numbers, the exact solvers, and the costs of --run and --engine dask. Whole commands are timed with
kernels cached and not. LAMA_ODDS_ROUNDS: rounds of `engines` (20 million; it takes a while).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.position import Counts
from lama_odds.games.dice.rules.transition import FULL_ROW
from lama_odds.games.dice.solvers.last_player import tokens_of
from lama_odds.games.dice.solvers.outcome_flow import flow, new_mass
from lama_odds.games.dice.solvers.two_players import PairSolution, solve_pair
from lama_odds.games.lama.game import GAME as CARDS
from lama_odds.games.noprob.game import GAME as HALF_KNOWN
from lama_odds.games.noprob.rules.transition import score
from lama_odds.games.pikomino.game import GAME as WORMS
from lama_odds.games.pikomino.solvers.endgame import solve_endgame
from lama_odds.games.pikomino.solvers.exact import solve_position
from lama_odds.games.registry import game_of, names
from lama_odds.jit import compiled
from lama_odds.jit.job import Job
from lama_odds.luck.stream import below, lane_start, mix, stream_of
from lama_odds.simulation.dask_engine import cluster
from lama_odds.simulation.run import run, using
from lama_odds.simulation.run_folder import open_folder
from tests.reference import dice as twin
from tests.reference import lama as card_twin
from tests.reference import noprob as noprob_twin
from tests.reference import pikomino as worm_twin

ROOT = Path(__file__).resolve().parent.parent.parent
ROUNDS = 2_000_000
TWIN_ROUNDS = 20_000
GAMES = 300_000
TWIN_GAMES = 1_500
REPEATS = 5

ADVISE = {
    "mid-game, two players": ["dice/amigo", "hand=125L row=1346L opp=346L"],
    "mid-game, two players, full row": ["dice/amigo", "hand=1234 opp=456L"],
    "opening, two players": ["dice/amigo", "hand=123456 opp=23456L"],
    "opening, two players, most situations": ["dice/amigo", "hand=112233 opp=445566"],
    "opening, two players, scores 39 and 39, margin": [
        "dice/amigo", "hand=123456 opp=23456L scores=39,39", "--objective", "margin",
    ],
    "opening, four players": ["dice/amigo", "hand=123456 opp=23456L,112345,334455"],
    "cards, four players": ["lama/egmont", "hand=3356L top=4 opp=4,q2,6"],
    "cards, party, opening": ["lama/party", "hand=33+5LP4 top=4 opp=6,6,6"],
    "cards, to win": ["lama/egmont", "hand=146 top=4 opp=4,2,6 scores=12,31,5,20 first=1"],
    "pikomino, a turn": ["pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"],
    "last player": ["dice/amigo", "hand=25L row=1346L opp=q6LL"],
}  # fmt: skip


@compiled
def draw_only(rolls: Any, seed: int, first: int, count: int) -> int:
    """As many random words as `count` rolls need, looked up and added."""
    key, gamma = stream_of(seed)
    total = 0
    for game in range(first, first + count // 16):
        word = lane_start(key, gamma, game, 0, 1)
        for _ in range(16):
            total += rolls[below(mix(word), rolls.size)] & 15
            word += gamma
    return total


def best_of(action: Callable[[], object], repeats: int = REPEATS) -> float:
    """Least seconds of several runs."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return min(times)


def simulation() -> None:
    """Four-seat rounds with threshold:5 against the twin, on one and two threads."""
    rules = GAME.rules("dice/amigo")
    job = GAME.simulation(rules, [GAME.policy("threshold:5")] * 4, rounds=True)
    actions = run(job, 0, 100_000).tally[4, 0] / 100_000
    plain, one, two = [], [], []
    amigo, policies = twin.edition("amigo"), ["threshold:5"] * 4
    for _ in range(REPEATS):
        plain.append(best_of(lambda: twin.rounds(amigo, policies, 0, 0, TWIN_ROUNDS), 1))
        one.append(run(job, 0, ROUNDS, threads=1).seconds)
        two.append(run(job, 0, ROUNDS, threads=2).seconds)
    twin_rate = TWIN_ROUNDS / min(plain)
    rate_1, rate_2 = ROUNDS / min(one), ROUNDS / min(two)
    draw_only(rules.rolls, 0, 0, 16)
    per_draw = best_of(lambda: draw_only(rules.rolls, 0, 0, 10_000_000)) / 10_000_000
    per_round = 1 / rate_1
    print(f"twin                        {twin_rate:12,.0f} rounds/s")
    print(
        f"one thread                  {rate_1:12,.0f} rounds/s, {rate_1 / twin_rate:.0f} x the twin"
    )
    print(
        f"two threads                 {rate_2:12,.0f} rounds/s, {rate_2 / rate_1:.2f} x one thread"
    )
    share = per_draw * (actions + 8) / per_round
    print(f"an action ({actions:.1f} a round)    {1e9 * per_round / actions:12.1f} ns")
    print(
        f"a roll's random number      {1e9 * per_draw:12.1f} ns, {100 * share:.0f} % of the round"
    )
    games = GAME.simulation(rules, [GAME.policy("threshold:5")] * 4, rounds=False)
    seconds = min(run(games, 0, 300_000, threads=1).seconds for _ in range(3))
    print(f"whole games, one thread     {300_000 / seconds:12,.0f} games/s")
    strong = GAME.simulation(rules, [GAME.policy("meanfield")] * 4, rounds=True)
    seconds = min(run(strong, 0, 300_000, threads=1).seconds for _ in range(3))
    print(f"rounds of meanfield         {300_000 / seconds:12,.0f} rounds/s")


def cards() -> None:
    """Whole four-seat games of cards with threshold:5 against the twin, and on two threads."""
    for edition in ("egmont", "party"):
        rules = CARDS.rules(f"lama/{edition}")
        job = CARDS.simulation(rules, [CARDS.policy("threshold:5")] * 4, rounds=False)
        plain, one, two = [], [], []
        own, policies = card_twin.edition(edition), ["threshold:5"] * 4
        for _ in range(REPEATS):
            plain.append(best_of(partial(card_twin.games, own, policies, 0, 0, TWIN_GAMES), 1))
            one.append(run(job, 0, GAMES, threads=1).seconds)
            two.append(run(job, 0, GAMES, threads=2).seconds)
        twin_rate, rate_1 = TWIN_GAMES / min(plain), GAMES / min(one)
        print(
            f"lama/{edition:7} games: twin {twin_rate:,.0f}/s; one thread {rate_1:,.0f}/s, "
            f"{rate_1 / twin_rate:.0f} x; two threads {min(one) / min(two):.2f} x one"
        )
        for name, seats in (("threshold:5", 4), ("meanfield", 4)):
            rounds = CARDS.simulation(rules, [CARDS.policy(name)] * seats, rounds=True)
            seconds = min(run(rounds, 0, GAMES, threads=1).seconds for _ in range(3))
            print(f"  rounds of {name:12} {GAMES / seconds:12,.0f}/s")


def pikomino() -> None:
    """Games of first-tile against the twin, games of the exact turn, a turn, endgames."""
    rules = WORMS.rules("pikomino/egmont")
    own = worm_twin.edition("egmont")
    job = WORMS.simulation(rules, [WORMS.policy("first-tile")] * 4, rounds=False)
    policies = ["first-tile"] * 4
    plain = best_of(lambda: worm_twin.games(own, policies, 0, 0, TWIN_GAMES), 3)
    one = min(run(job, 0, 100_000, threads=1).seconds for _ in range(REPEATS))
    rate = 100_000 / one
    print(
        f"pikomino first-tile, four seats: twin {TWIN_GAMES / plain:,.0f} games/s; one thread "
        f"{rate:,.0f}, {rate * plain / TWIN_GAMES:.0f} x"
    )
    for name in ("optimal-turn", "lead:50"):
        two = WORMS.simulation(rules, [WORMS.policy(name)] * 2, rounds=False)
        seconds = min(run(two, 0, 1_000, threads=1).seconds for _ in range(3))
        print(f"  {name} twice: {1_000 / seconds:,.0f} games/s")
    position = WORMS.position(rules, "")
    solve_position(rules, position)
    print(f"  an exact turn: {1e3 * best_of(lambda: solve_position(rules, position)):.2f} ms")
    for tiles in ((21, 24, 27, 30, 33), (21, 24, 26, 28, 31, 33)):
        began = time.perf_counter()
        boards = len(solve_endgame(rules, [(tiles, (), ())], 2).boards)
        print(f"  {len(tiles)} tiles: {boards:,} boards in {time.perf_counter() - began:.1f} s")


def noprob() -> None:
    """Rounds of random against the twin, rounds of better policies, scoring a grid."""
    rules = HALF_KNOWN.rules("noprob/starnberger")
    names = ["random"] * 4
    own = noprob_twin.edition("starnberger")

    def plain_rounds() -> None:
        for game in range(200):
            noprob_twin.play_first_round(own, names, 0, game)

    plain = best_of(plain_rounds, 3) / 200
    for name, rounds in (("random", 200_000), ("greedy", 10_000), ("best", 10_000)):
        policy = HALF_KNOWN.best_policy(rules, 4)
        policy = policy if name == "best" else HALF_KNOWN.policy(name)
        job = HALF_KNOWN.simulation(rules, [policy] * 4, rounds=True)
        one = min(run(job, 0, rounds, threads=1).seconds for _ in range(REPEATS)) / rounds
        ratio = f", {plain / one:.0f} x the twin ({1 / plain:,.0f})" if name == "random" else ""
        print(f"noprob {policy.name}, four seats: {1 / one:,.0f} rounds/s{ratio}")
    rng = np.random.default_rng(0)
    grids = np.zeros(100_000, dtype=np.int64)
    for what, jokers in (("dealt at random", 5 / 156), ("one card in four a joker", 0.25)):
        cards = rng.integers(0, 11, size=(grids.size, 9))
        cards[rng.random(cards.shape) < jokers] = 11
        grids[:] = (cards << 4 * np.arange(9)).sum(axis=1)
        score_all(rules.tables, grids)
        seconds = best_of(lambda: score_all(rules.tables, grids), 3)
        print(f"  scoring a grid, {what}: {1e9 * seconds / grids.size:.0f} ns")


@compiled
def bare_pig(seed: int, games: int, hold: int) -> int:
    """Games of Pig between two who hold at some points, with nothing else: how fast it can be."""
    key, gamma = stream_of(seed)
    won = 0
    for game in range(games):
        word = lane_start(key, gamma, game, 0, 1)
        mine, other = 0, 0
        turns = 0
        while other < 100:
            turn = 0
            while turn < hold and mine + turn < 100:
                face = 1 + below(mix(word), 6)
                word += gamma
                if face == 1:
                    turn = 0
                    break
                turn += face
            mine, other = other, mine + turn
            turns += 1
        won += turns & 1
    return won


def pig() -> None:
    """Games of Pig, a game of another package, compared to a loop made for it alone."""
    if "pig" not in names():
        print("pig: not installed (pip install --no-deps -e examples/pig)")
        return
    game = game_of("pig/classic")
    rules = game.rules("pig/classic")
    bare_pig(0, 10, 20)
    bare = best_of(lambda: bare_pig(0, GAMES, 20)) / GAMES
    print(f"pig, two seats: a bare loop, hold at 20: {1 / bare:,.0f} games/s")
    for name in ("random", "hold:20", "optimal"):
        job = game.simulation(rules, [game.policy(name)] * 2, rounds=False)
        one = min(run(job, 0, GAMES, threads=1).seconds for _ in range(REPEATS))
        two = min(run(job, 0, GAMES, threads=2).seconds for _ in range(REPEATS))
        print(
            f"  {name:8} one thread {GAMES / one:,.0f} games/s, {GAMES * bare / one:.2f} of the "
            f"bare loop; two threads {one / two:.2f} x one"
        )


@compiled
def score_all(tables: Any, grids: Any) -> int:
    """Sum of the points of many grids."""
    total = 0
    for grid in grids:
        total += score(tables, grid)
    return total


def solve_opening(mine: Counts, other: Counts) -> None:
    """Measure one opening."""
    rules = GAME.rules("dice/amigo")
    tokens = (tokens_of(rules, None), tokens_of(rules, None))

    def solve(threads: int) -> PairSolution:
        return solve_pair(rules, mine, other, FULL_ROW, tokens, threads)

    solution = solve(2)
    one, two = best_of(lambda: solve(1), 3), best_of(lambda: solve(2), 3)
    chances = best_of(lambda: flow(rules, solution, new_mass(solution), True), 3)
    print(
        f"opening of {solution.space.places:,} situations: solved in {one:.2f} s on one thread, "
        f"{two:.2f} s on two ({one / two:.2f} x); chances {chances:.2f} s"
    )


def solvers() -> None:
    """The two-player solver and the flow of its chances, in a warm process."""
    solve_opening((1, 1, 1, 1, 1, 1, 0), (0, 1, 1, 1, 1, 1, 1))
    solve_opening((2, 2, 2, 0, 0, 0, 0), (0, 0, 0, 2, 2, 2, 0))


def engines() -> None:
    """A run folder and worker processes against one thread, in turns so that noise is shared."""
    rules = GAME.rules("dice/amigo")
    job = GAME.simulation(rules, [GAME.policy("threshold:5")] * 4, rounds=True)
    rounds = int(float(os.environ.get("LAMA_ODDS_ROUNDS", "2e7")))
    times: dict[str, list[float]] = {"thread": [], "threads": [], "run": [], "one": [], "two": []}
    with cluster(None, 1, print) as one, cluster(None, 2, print) as two:
        for engine in (one, two):
            with using(engine):
                run(job, 0, 100_000)  # starts it
        for _ in range(3):
            plain = timed_run(times["thread"], job, rounds)
            tallies = [timed_run(times["threads"], job, rounds, threads=2)]
            with (
                tempfile.TemporaryDirectory() as path,
                open_folder(Path(path), {"rounds": rounds}, False, print) as folder,
            ):
                tallies.append(timed_run(times["run"], job, rounds, folder))
            for name, engine in (("one", one), ("two", two)):
                with using(engine):
                    tallies.append(timed_run(times[name], job, rounds))
            assert all((tally == plain).all() for tally in tallies)
    least = {name: min(seconds) for name, seconds in times.items()}
    print(f"engines, {rounds:,} rounds: one thread {rounds / least['thread']:,.0f} rounds/s")
    for name, what in (("run", "one thread, --run"), ("one", "dask, one worker process")):
        share = 100 * (least[name] / least["thread"] - 1)
        print(f"  {what:26} {share:+.1f} % against one thread")
    print(f"  dask, two worker processes {least['one'] / least['two']:.2f} x one")
    print(f"  two threads                {least['thread'] / least['threads']:.2f} x one")


def timed_run(
    times: list[float], job: Job, rounds: int, folder: Any = None, threads: int = 1
) -> np.ndarray:
    """The tally of a run; its seconds are added to times."""
    began = time.perf_counter()
    tally = run(job, 0, rounds, threads=threads, folder=folder).tally
    times.append(time.perf_counter() - began)
    return tally


def commands() -> None:
    """Whole processes, kernels cached; then the first use, with an empty cache."""
    print(f"{'advise, whole process':48}{'least':>8}{'median':>8}{'MiB':>7}")
    for what, arguments in ADVISE.items():
        times, peak = timed(arguments, 5)
        print(f"{what:48}{min(times):8.2f}{float(np.median(times)):8.2f}{peak:7.0f}")
    with tempfile.TemporaryDirectory() as cache:
        for what in ("opening, two players", "opening, four players"):
            env = {"XDG_CACHE_HOME": str(Path(cache) / what)}
            times, peak = timed(ADVISE[what], 1, env)
            print(f"{'empty cache: ' + what:48}{times[0]:8.2f}{'':8}{peak:7.0f}")


def timed(
    arguments: list[str], runs: int, env: dict[str, str] | None = None
) -> tuple[list[float], float]:
    """Seconds of each run of a command, and the most memory it took in MiB."""
    call = [sys.executable, "-m", "lama_odds", "advise", *arguments, "--json"]
    times, peaks = [], []
    for run_number in range(runs + (env is None)):
        began = time.perf_counter()
        child = subprocess.Popen(
            call, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | (env or {}),
        )  # fmt: skip
        _, status, used = os.wait4(child.pid, 0)
        if status:
            raise SystemExit(f"{call} ended with {os.waitstatus_to_exitcode(status)}")
        if run_number or env is not None:  # the first run only warms up
            times.append(time.perf_counter() - began)
            peaks.append(used.ru_maxrss / 1024)
    return times, max(peaks)


if __name__ == "__main__":
    for part in (simulation, cards, pikomino, noprob, pig, solvers, engines, commands):
        if len(sys.argv) == 1 or part.__name__ in sys.argv[1:]:
            part()
