"""How fast the page's server answers under load: locust asks, percentiles are printed.

    .venv/bin/python -m tools.study.serve_load [--seconds 60] [--locust PROGRAM]

It starts a server of its own. locust comes with the extra load; since it shares the processors with
the server, the figures include what it takes from them.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions

USERS = Path(__file__).with_name("load_users.py")
WANTED = 60  # positions of each kind
IDLE = 50  # connections
IDLE_SECONDS = 10.0
SEED = 20

# Its name, and the users of each class.
SCENARIOS: Sequence[tuple[str, dict[str, int]]] = (
    ("50 brief questions a second", {"Turn": 25, "Last": 25}),
    ("8 askers of 20,000 games", {"Cards": 4, "Dice": 4}),
    ("both at once", {"Turn": 25, "Last": 25, "Cards": 4, "Dice": 4}),
    ("2 askers of No Prob-Lama, 2,000 games", {"HalfKnown": 2}),
    ("1 asker of two-player openings", {"Pair": 1}),
)


def found_in_games(
    rules: str, players: int, policy: str, keep: Callable[[Any], bool]
) -> list[list[str]]:
    """Positions of games that policies play; keep: which ones."""
    game = game_of(rules)
    rule_set = game.rules(rules)
    policies = [game.policy(policy)] * players
    positions: list[list[str]] = []
    number = 0
    while len(positions) < WANTED:
        record = game.record(rule_set, policies, SEED, number, game.has_rounds)
        kept = [d for d in decisions(game, rule_set, record) if keep(d.position)]
        positions += [[rules, without_standing(d.position.format())] for d in kept[:3]]
        number += 1
    return positions


def without_standing(position: str) -> str:
    """A position without the standing of the game: so the round is what counts."""
    words = position.split()
    return " ".join(word for word in words if not word.startswith(("scores=", "first=")))


def pools() -> dict[str, list[list[str]]]:
    """Positions of each kind of question."""

    def in_play(position: Any) -> bool:
        return bool(position.others_in > 1)

    def alone(position: Any) -> bool:
        return bool(position.others_in == 0)

    return {
        "pikomino turn": found_in_games("pikomino/egmont", 3, "first-tile", lambda _: True),
        "last player": [
            *found_in_games("lama/egmont", 3, "random", alone),
            *found_in_games("dice/amigo", 3, "random", alone),
        ],
        "cards": found_in_games("lama/amigo", 4, "random", in_play),
        "dice": found_in_games("dice/amigo", 4, "random", in_play),
        "noprob": found_in_games("noprob/starnberger", 3, "random", in_play),
        "two-player dice": found_in_games(
            "dice/amigo", 2, "random", lambda position: "row=123456L" in position.format()
        ),
    }


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """A server of its own: its port and its process id."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "lama_odds", "serve", "--port", "0"]
        env = {**os.environ, "XDG_DATA_HOME": data}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
        assert process.stdout is not None
        try:
            port = int(process.stdout.readline().rpartition(":")[2].strip().strip("/"))
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(30)


def scenario(locust: str, port: int, users: dict[str, int], seconds: int) -> Any:
    """What locust measures with these users."""
    command = [locust, "-f", str(USERS), "--headless", "--json", "--only-summary"]
    command += ["-u", str(sum(users.values())), "-r", "50", "-t", f"{seconds}s"]
    command += ["--host", f"http://127.0.0.1:{port}"]
    counts = {f"USERS_{name}": str(count) for name, count in users.items()}
    env = {**os.environ, **counts}
    done = subprocess.run([*command, *users], capture_output=True, text=True, check=False, env=env)
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"locust does not say what it measured:\n{done.stderr}")


def percentile(times: dict[str, int], share: float) -> float:
    """A percentile of response times in ms, from how often each occurred."""
    ordered = sorted((float(time_), count) for time_, count in times.items())
    left = share * sum(count for _, count in ordered)
    for value, count in ordered:
        left -= count
        if left <= 0:
            return value
    return float("nan")


def processor_seconds(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def idle(port: int, pid: int) -> float:
    """The share of a processor that open connections without a request take."""
    open_ones = []
    for _ in range(IDLE):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.connect()
        open_ones.append(connection)
    before = processor_seconds(pid)
    time.sleep(IDLE_SECONDS)
    used = processor_seconds(pid) - before
    for connection in open_ones:
        connection.close()
    return used / IDLE_SECONDS


def main() -> None:
    """Run all scenarios and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="of each scenario")
    parser.add_argument("--locust", default=shutil.which("locust") or "locust")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, served() as (port, pid):
        folder = Path(made)
        (folder / "positions.json").write_text(json.dumps(pools()), encoding="utf-8")
        os.environ["POSITIONS"] = str(folder / "positions.json")
        time.sleep(5)  # the server gets its kernels ready
        print("| | question | answers | a second | median ms | 95 % ms | failed |")
        print("|---|---|--:|--:|--:|--:|--:|")
        for name, users in SCENARIOS:
            for row in scenario(given.locust, port, users, given.seconds):
                times, n = row["response_times"], row["num_requests"]
                print(
                    f"| {name} | {row['name']} | {n} | {n / given.seconds:.1f} "
                    f"| {percentile(times, 0.5):.0f} | {percentile(times, 0.95):.0f} "
                    f"| {row['num_failures']} |",
                    flush=True,
                )
        print(f"\n{IDLE} idle connections take {100 * idle(port, pid):.1f} % of a processor.")


if __name__ == "__main__":
    main()
