"""Which compiled functions a process has loaded, and a game played along that should load none.

Run as a script: ``python -m tests.analysis.loaded RULES PLAYERS against|table MOVES``. What it
prints is what was compiled or loaded after `get_ready`, by name; in a process of its own, since
others may have loaded it before.
"""

from __future__ import annotations

import subprocess
import sys

from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.choices import get_ready
from lama_odds.analysis.coach.session import Session
from lama_odds.games.registry import game_of
from lama_odds.games.shared.record import first_record
from lama_odds.jit.deferred import Deferred

SMALL = Limits(games=1_000)


def loaded() -> set[tuple[str, str]]:
    """Every compiled function with the types that it is there for."""
    return {
        (f"{module}.{name}", str(types))
        for module, found in list(sys.modules.items())
        if module.startswith("lama_odds")
        for name, value in list(vars(found).items())
        if isinstance(value, Deferred) and value.is_made and hasattr(value.made(), "overloads")
        for types in value.overloads
    }


def play_on(session: Session, moves: int) -> None:
    """Be advised and play the advised action, or at a table what `simulate` plays."""
    for _ in range(moves):
        session.advance()
        if session.over:
            return
        session.enter(session.advice(None, SMALL).best)


def advise_along(rules: str, players: int, moves: int) -> None:
    """The advice of every decision in a simulated game, some of them at its end."""
    game = game_of(rules)
    rule_set = game.rules(rules)
    said = subprocess.run(  # another process: what plays whole games is not loaded in this one
        [sys.executable, "-m", "lama_odds", "simulate", rules, "--players", str(players),
         "--policy", "random", "--games", "1", "--show", "1"],
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    lines = [line for line in first_record(said.stdout).splitlines() if line]
    turns = [at for at, line in enumerate(lines) if line[0].isdigit()]
    for at in turns[:: max(1, len(turns) // moves)] + turns[-3:]:
        names = "policies " + " ".join(["me"] + ["player"] * (players - 1))
        text = "\n".join([*lines[:3], names, *lines[4:at]]) + "\n"
        session = Session(game, rule_set, text)
        if session.seat() is not None:
            session.advice(None, SMALL)


def main(rules: str, players: int, how: str, moves: int) -> None:
    """Get ready, play, and print what was loaded in between."""
    game = game_of(rules)
    rule_set = game.rules(rules)
    others = [game.best_policy(rule_set, players)] * (players - 1) if how == "against" else None
    session = Session.begin(game, rule_set, players, 0, others, 3)
    get_ready(session, None, None)
    before = loaded()
    if how == "against":
        play_on(session, moves)
    else:
        advise_along(rules, players, moves)
    for name, types in sorted(loaded() - before):
        print(name, types)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
