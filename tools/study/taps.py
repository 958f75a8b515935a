"""How many taps a game at a table takes: recorded games, entered on the real page.

Games of three players are simulated; you sit in the middle. Each entry is tapped on the page in
Chromium, as on a phone. Run it as ``python -m tools.study.taps``; it prints a table.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from lama_odds.games.registry import game_of
from tests.web.phone import opened
from tests.web.served import served
from tests.web.taps import Tapper, steps_of

RULES = ("lama/amigo", "dice/amigo", "pikomino/egmont", "noprob/starnberger")
PLAYERS, ME = 3, 1
KINDS = {
    "others": "a turn of others",
    "mine": "a turn of yours",
    "deal": "a deal",
    "scores": "scores",
}


def records(rules: str, games: int, seed: int) -> Iterator[str]:
    """Yield records of simulated games: you play best, the others casually."""
    game = game_of(rules.split("/", maxsplit=1)[0])
    rule_set = game.rules(rules)
    casual, best = game.policy(game.casual), game.best_policy(rule_set, PLAYERS)
    policies = [best if seat == ME else casual for seat in range(PLAYERS)]
    for number in range(games):
        yield game.record(rule_set, policies, seed, number, rounds=False)


def row(rules: str, all_taps: Sequence[int], counts: dict[str, list[int]]) -> str:
    """A line of the table: the median, and the most in brackets."""
    cells = [
        f"{median(counts[kind]):.0f} ({max(counts[kind])})" if counts.get(kind) else "–"
        for kind in KINDS
    ]
    return f"| {rules} | {sum(all_taps) / len(all_taps):.0f} | {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> None:
    """Play, count and print."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="games of each rule set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", nargs="+", default=RULES)
    given = parser.parse_args(arguments)
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("there is no chromium here (Debian: apt install chromium)")
    print(f"| game | taps a game | {' | '.join(KINDS.values())} |")
    print("|---|--:|" + "--:|" * len(KINDS))
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for rules in given.rules:
            taps: list[int] = []
            counts: dict[str, list[int]] = {}
            for record in records(rules, given.games, given.seed):
                with opened(browser, server) as phone:
                    tapper = Tapper.begin(phone, server, rules, PLAYERS, ME)
                    for step in steps_of(record, ME):
                        tapper.enter(step)
                    if not server.get(f"/api/games/{tapper.game}").json["over"]:
                        sys.exit(f"a game of {rules} is not over after its last entry")
                taps.append(tapper.taps)
                for kind, numbers in tapper.counts.items():
                    counts.setdefault(kind, []).extend(numbers)
            print(row(rules, taps, counts), flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
