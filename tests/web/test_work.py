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
from lama_odds.web.questions import Question
from lama_odds.web.streams import Stream
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


def test_who_asks_most_gives_up_a_question_for_who_asks_little() -> None:
    """Three greedy clients do not starve a fourth."""
    go_on = threading.Event()

    def asked(threads: int, tell: Any) -> str:
        assert go_on.wait(20)
        return "answered"

    async def scene() -> list[str]:
        work = Work()
        for n in range(limits.RUNNING):
            work.ask(asked, f"running {n}", LONG)
        greedy = [work.ask(asked, f"{n % 3}", LONG) for n in range(limits.WAITING)]
        with pytest.raises(RefusedError, match="too many questions"):
            work.ask(asked, "1", LONG)
        mine = work.ask(asked, "mine", LONG)
        go_on.set()
        done = await asyncio.gather(*(t.answer for t in [mine, *greedy]), return_exceptions=True)
        work.close()
        return [getattr(each, "message", each) for each in done]

    mine, *others = asyncio.run(scene())
    assert mine == "answered"
    dropped = [at for at, each in enumerate(others) if each != "answered"]
    assert dropped == [limits.WAITING - 1]  # the newest of who has most
    assert others[-1] == "too many questions are waiting"


def test_who_has_most_streams_gives_up_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAMS", 3)

    async def scene() -> tuple[Any, Any]:
        work = Work()
        question = Question(lambda threads, tell: None, BRIEF)
        streams = [Stream(work, question, client) for client in "aaab"]
        assert [len(work.streams[client]) for client in "ab"] == [2, 1]
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        await streams[2]({}, asyncio.Event().wait, send)
        work.close()
        return sent[0]["status"], sent[-1]

    status, last = asyncio.run(scene())
    assert status == 200
    assert b"event: failed" in last["body"]
    assert b"refused" in last["body"]
