"""What the users of a load test ask: for locust, started by `tools.study.serve_load`.

POSITIONS in the environment is a JSON file: a list of [rules, position] for each kind of question.
"""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path
from typing import Any

from locust import FastHttpUser, constant, task

POOLS: dict[str, list[list[str]]] = json.loads(
    Path(os.environ["POSITIONS"]).read_text(encoding="utf-8")
)
GAMES = 20_000


class Asker(FastHttpUser):  # type: ignore[misc]
    """Asks what to do, one question after the other. kind: of question."""

    abstract = True
    kind = ""
    games: int | None = GAMES

    def on_start(self) -> None:
        """Begin at a moment of one's own."""
        time.sleep(random.random())

    @task  # type: ignore[untyped-decorator]
    def ask(self) -> None:
        """Ask about a position of the kind."""
        rules, position = random.choice(POOLS[self.kind])
        question: dict[str, Any] = {"rules": rules, "position": position, "games": self.games}
        self.client.post("/api/advise", json=question, name=self.kind)


def users(name: str) -> int:
    """How many users of a class there are."""
    return int(os.environ.get(f"USERS_{name}", "0"))


def now_and_then(user: Any) -> float:
    """Seconds to wait: once a second on average, at moments that do not depend on each other."""
    del user
    return random.expovariate(1.0)


class Turn(Asker):
    """A turn of Pikomino, once a second."""

    fixed_count = users("Turn")
    kind = "pikomino turn"
    games = None
    wait_time = now_and_then


class Last(Asker):
    """The last player in a round of cards or dice, once a second."""

    fixed_count = users("Last")
    kind = "last player"
    games = None
    wait_time = now_and_then


class Cards(Asker):
    """Cards, again and again."""

    fixed_count = users("Cards")
    kind = "cards"
    wait_time = constant(0)


class Dice(Asker):
    """Dice of three or more, again and again."""

    fixed_count = users("Dice")
    kind = "dice"
    wait_time = constant(0)


class HalfKnown(Asker):
    """No Prob-Lama, in fewer games."""

    fixed_count = users("HalfKnown")
    kind = "noprob"
    games = 2_000
    wait_time = constant(0)


class Pair(Asker):
    """Openings of two players of dice, each a deal of its own to solve."""

    fixed_count = users("Pair")
    kind = "two-player dice"
    wait_time = constant(0)
