"""Questions take turns: fair between clients, bounded, and cancelled ones take no place."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from lama_odds.core.errors import LimitError
from lama_odds.core.progress import may_stop
from lama_odds.web import limits
from lama_odds.web.errors import RefusedError
from lama_odds.web.work import BRIEF, LONG, Work


def test_cancelled_questions_take_no_place_and_clients_alternate() -> None:
    begun: list[str] = []
    go_on = threading.Event()

    def question(name: str) -> Any:
        def asked(threads: int, tell: Any) -> str:
            begun.append(name)
            assert go_on.wait(20)
            return name

        return asked

    async def scene() -> None:
        work = Work()
        first = [work.ask(question(f"a{n}"), "a", LONG) for n in range(limits.RUNNING)]
        waiting = [work.ask(question("x"), "a", LONG) for _ in range(limits.WAITING_EACH)]
        with pytest.raises(RefusedError, match="too many questions"):
            work.ask(question("x"), "a", LONG)
        for task in waiting:
            task.cancel()
        more = [work.ask(question(f"more{n}"), "a", LONG) for n in range(3)]
        other = work.ask(question("b"), "b", LONG)
        brief = work.ask(lambda threads, tell: "at once", "a", BRIEF)
        assert await brief.answer == "at once"
        go_on.set()
        tasks = [*first, *more, other]
        assert await asyncio.gather(*(task.answer for task in tasks)) == [
            *(f"a{n}" for n in range(limits.RUNNING)),
            *("more0", "more1", "more2", "b"),
        ]
        work.close()

    asyncio.run(scene())
    assert "x" not in begun
    assert begun.index("b") < begun.index("more2")  # though it was asked after that


def test_an_answer_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_SECONDS", 0.05)

    def endless(threads: int, tell: Any) -> None:
        while True:
            may_stop()

    async def scene() -> None:
        work = Work()
        with pytest.raises(LimitError, match="no answer within"):
            await work.ask(endless, "a", LONG).answer
        work.close()

    asyncio.run(scene())
