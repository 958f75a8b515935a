"""What is limited, and given back: questions, streams, bodies, time; and who waits for whom."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
import weakref
from collections.abc import Awaitable, Callable
from functools import wraps
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from lama_odds.core.errors import LimitError, ReadError
from lama_odds.core.progress import may_stop
from lama_odds.web import guard, replies
from lama_odds.web.guard import RefusedError
from lama_odds.web.questions import Question, question_of
from lama_odds.web.replies import Stream, answered, body_of, client_of
from lama_odds.web.work import BRIEF, LONG, TABLE, Answerer, CancelledError, Work, make_room
from tests.web.served import Reply

CARDS = {"rules": "lama/amigo", "position": "hand=3356L top=4 opp=4,q2,6"}
TURN = {"rules": "pikomino/egmont", "position": "kept=444W rolled=1245 own=24 tops=27"}
LAST = {"rules": "dice/amigo", "position": "hand=25L row=1346L opp=q13,q6LL"}
NOT_LAST = {"rules": "dice/amigo", "position": "hand=25L row=1346L opp=q13,6LL"}


PATIENT = 60.0  # seconds, if nothing stops it


class Held:
    """A question that is answered when it is let go; what began, in order."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.go = threading.Event()

    def named(self, name: str) -> Callable[[int, Any], str]:
        def asked(threads: int, tell: Any) -> str:
            self.begun.append(name)
            assert self.go.wait(PATIENT)
            return name

        return asked


@pytest.fixture
def held() -> Held:
    return Held()


@pytest.fixture
def work() -> Work:
    return Work()


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """The test in an event loop; all of its work has ended then."""

    async def tested(**given: Any) -> None:
        try:
            async with asyncio.timeout(PATIENT):
                await test(**given)
        finally:
            given["work"].close()

    return wraps(test)(lambda **given: asyncio.run(tested(**given)))


def endless(threads: int, tell: Any) -> None:
    tell("begun")
    until = time.monotonic() + PATIENT
    while time.monotonic() < until:
        may_stop()


class Place:
    """A place that a client has."""

    def __init__(self) -> None:
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


@pytest.mark.parametrize(
    ("held_by", "most", "most_each", "room", "dropped"),
    [
        *(({}, 9, 3, True, ""), ({"me": 2}, 9, 3, True, ""), ({"me": 3}, 9, 3, False, "")),
        *(({"a": 3}, 4, 9, True, ""), ({"a": 4}, 4, 9, True, "a")),
        *(({"a": 3, "me": 1}, 4, 9, True, "a"), ({"a": 2, "me": 1}, 3, 9, False, "")),
        *(({"a": 2, "me": 2}, 4, 9, False, ""), ({"me": 4}, 4, 9, False, "")),
        *(({"a": 1, "b": 4, "c": 3}, 8, 9, True, "b"), ({"a": 1, "b": 1}, 2, 9, False, "")),
        ({"a": 4, "me": 2}, 6, 2, False, ""),
    ],
)
def test_who_has_most_gives_its_newest_place_up(
    held_by: dict[str, int], most: int, most_each: int, room: bool, dropped: str
) -> None:
    places = {client: [Place() for _ in range(n)] for client, n in held_by.items()}
    assert make_room(places, "me", most, most_each) == room
    lost = {(client, n) for client, own in places.items() for n, p in enumerate(own) if p.dropped}
    assert lost == ({(dropped, held_by[dropped] - 1)} if dropped else set())


@pytest.mark.parametrize(
    ("command", "asked", "lane"),
    [
        ("advise", TURN, BRIEF),
        ("advise", {**TURN, "games": guard.BRIEF_GAMES}, BRIEF),
        ("advise", {**TURN, "games": guard.BRIEF_GAMES + 1}, LONG),
        ("advise", {**TURN, "seconds": 20}, LONG),
        ("advise", {**TURN, "precision": 0.1, "seconds": 0.5}, LONG),
        ("advise", {**TURN, "seed": None, "sensitivity": None}, BRIEF),
        ("advise", {**TURN, "sensitivity": True}, LONG),
        ("advise", {**TURN, "objective": "win"}, LONG),
        ("advise", {**LAST, "objective": "points"}, BRIEF),
        ("advise", {**LAST, "objective": "win"}, LONG),
        ("advise", {**NOT_LAST, "objective": "points"}, LONG),
        ("advise", CARDS, LONG),
        ("odds", LAST, BRIEF),
        ("thresholds", {"rules": "dice/amigo"}, LONG),
    ],
)
def test_only_what_takes_moments_is_in_the_short_lane(
    command: str, asked: dict[str, Any], lane: str
) -> None:
    assert question_of(command, asked).lane == lane


@pytest.mark.parametrize(
    ("command", "asked", "name", "most"),
    [
        ("advise", CARDS, "games", guard.MOST_GAMES),
        ("advise", CARDS, "seconds", guard.MOST_SAMPLING),
        ("thresholds", {"rules": "dice/amigo"}, "games", guard.MOST_ROUNDS),
    ],
)
def test_a_question_may_ask_for_that_much(
    command: str, asked: dict[str, Any], name: str, most: float
) -> None:
    question_of(command, {**asked, name: most})
    with pytest.raises(LimitError, match="at most"):
        question_of(command, {**asked, name: most + 1})


def test_texts_and_precision_have_their_bounds() -> None:
    for name, most in (("position", guard.MOST_TEXT), ("rules", guard.MOST_NAME)):
        with pytest.raises(ReadError):
            question_of("advise", {**CARDS, name: "x" * most})
        with pytest.raises(LimitError, match=f"at most {most:,} are read"):
            question_of("advise", {**CARDS, name: "x" * (most + 1)})
    for more, seconds in (({}, guard.MOST_SAMPLING), ({"seconds": 0.5}, 0.5)):
        asked: Any = question_of("advise", {**CARDS, "precision": 1e-9, **more}).asked
        assert asked.args[0].limits.seconds == seconds


@in_loop
async def test_cancelled_questions_take_no_place_and_clients_alternate(
    work: Work, held: Held
) -> None:
    first = [work.ask(held.named(f"a{n}"), "a", LONG) for n in range(guard.RUNNING)]
    waiting = [work.ask(held.named("x"), "a", LONG) for _ in range(guard.WAITING_EACH)]
    with pytest.raises(RefusedError, match="too many questions"):
        work.ask(held.named("x"), "a", LONG)
    for task in waiting:
        task.cancel()
    more = [work.ask(held.named(f"more{n}"), "a", LONG) for n in range(3)]
    other = work.ask(held.named("b"), "b", LONG)
    for lane in (BRIEF, TABLE):  # these have lanes of their own
        assert await work.ask(lambda threads, tell: "at once", "a", lane).answer == "at once"
    held.go.set()
    done = await asyncio.gather(*(task.answer for task in [*first, *more, other]))
    assert done == [*(f"a{n}" for n in range(guard.RUNNING)), "more0", "more1", "more2", "b"]
    assert "x" not in held.begun
    assert held.begun.index("b") < held.begun.index("more2")  # though it was asked after that


@in_loop
async def test_a_place_is_free_again_after_a_fault_an_answer_and_a_question_that_nobody_wants(
    work: Work,
) -> None:
    def fault(threads: int, tell: Any) -> None:
        raise ValueError("a fault")

    for _ in range(2 * guard.RUNNING):
        with pytest.raises(ValueError, match="a fault"):
            await work.ask(fault, "a", LONG).answer
        begun = asyncio.Event()
        task = work.ask(endless, "a", LONG, lambda early, begun=begun: begun.set())
        await begun.wait()
        task.cancel()
    assert await work.ask(lambda threads, tell: 5, "a", LONG).answer == 5


@in_loop
async def test_nothing_of_a_question_is_kept_once_it_is_answered(work: Work) -> None:
    held = Held()
    held.go.set()
    gone = weakref.ref(held)
    assert await work.ask(held.named("x"), "a", LONG).answer == "x"
    del held
    for _ in range(2):  # the pool holds its last
        await work.ask(lambda threads, tell: None, "a", LONG).answer
    gc.collect()
    assert gone() is None


@in_loop
async def test_an_answer_has_its_time_and_a_review_is_not_broken_off(
    work: Work,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("lama_odds.web.work.time", clock)

    def asked(threads: int, tell: Any) -> str:
        now[0] += guard.MOST_SECONDS + 1
        may_stop()
        return "done"

    with pytest.raises(LimitError, match="no answer within"):
        await work.ask(asked, "a", LONG).answer
    assert await work.ask(asked, "a", LONG, seconds=guard.MOST_REVIEW).answer == "done"


@in_loop
async def test_who_asks_most_gives_up_a_question_for_who_asks_little(
    work: Work, held: Held
) -> None:
    """Three greedy clients do not starve a fourth."""

    for n in range(guard.RUNNING):
        work.ask(held.named("x"), f"running {n}", LONG)
    greedy = [work.ask(held.named("x"), f"{n % 3}", LONG) for n in range(guard.WAITING)]
    with pytest.raises(RefusedError, match="too many questions") as refused:
        work.ask(held.named("x"), "1", LONG)
    assert (refused.value.status, refused.value.headers) == (429, {"Retry-After": "2"})
    mine = work.ask(held.named("mine"), "mine", LONG)
    held.go.set()
    done = await asyncio.gather(*(t.answer for t in [mine, *greedy]), return_exceptions=True)
    mine, *others = [getattr(each, "message", each) for each in done]
    assert mine == "mine"
    dropped = [at for at, each in enumerate(others) if each != "x"]
    assert dropped == [guard.WAITING - 1]  # the newest of who has most
    assert others[-1] == "too many questions are waiting"
    assert held.begun.count("x") == guard.RUNNING + guard.WAITING - 1  # no work is done for it


@in_loop
async def test_who_asks_alone_has_all_threads_and_beside_others_one(
    work: Work, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lama_odds.web.work.default_threads", lambda: 7)
    assert await work.ask(lambda threads, tell: threads, "a", LONG).answer == 7
    other = work.ask(held.named("x"), "b", LONG)
    assert await work.ask(lambda threads, tell: threads, "a", LONG).answer == 1
    held.go.set()
    await other.answer


@in_loop
async def test_who_is_asked_while_others_wait_has_one_thread(
    work: Work, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lama_odds.web.work.default_threads", lambda: 7)
    work._lanes[LONG]._free = 1
    first = work.ask(held.named("x"), "a", LONG)
    then = [work.ask(lambda threads, tell: threads, who, LONG).answer for who in ("b", "c")]
    held.go.set()
    await first.answer
    assert await asyncio.gather(*then) == [1, 7]


def events(sent: list[Any]) -> list[Any]:
    """The events that were sent."""
    return Reply(200, {}, b"".join(each.get("body", b"") for each in sent).decode()).events


async def heard(stream: Stream, on_body: Callable[[bytes, asyncio.Event], None]) -> list[Any]:
    """What a stream sends until it ends; `on_body` may let the client go after each part."""
    sent: list[Any] = []
    gone = asyncio.Event()

    async def receive() -> Any:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        on_body(message.get("body", b""), gone)

    await stream({}, receive, send)
    return sent


def only_listen(body: bytes, gone: asyncio.Event) -> None:
    pass


@in_loop
async def test_a_stream_sends_what_it_knows_and_that_it_is_alive_then_the_answer(
    work: Work, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replies, "ALIVE", 0.01)
    bodies: list[bytes] = []

    def asked(threads: int, tell: Any) -> str:
        tell({"so far": 1})
        return held.named("done")(threads, tell)

    def on_body(body: bytes, gone: asyncio.Event) -> None:
        bodies.append(body)
        if body.startswith(b": ") and any(b"so far" in each for each in bodies):
            held.go.set()

    sent = await heard(Stream(work, Question(asked, LONG), "a", "early"), on_body)
    assert sent[0]["status"] == 200
    assert [each["more_body"] for each in sent[1:]] == [*[True] * (len(sent) - 2), False]
    assert events(sent) == [("early", {"so far": 1}), ("answer", "done")]
    held.go.set()
    stream = Stream(work, Question(asked, LONG), "a")
    await stream._task.answer
    assert events(await heard(stream, only_listen)) == [
        ("answer", "done")
    ]  # what was so far is old


@in_loop
async def test_an_answer_that_comes_as_a_while_without_news_ends_is_sent(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Stream(work, Question(lambda threads, tell: "done", LONG), "a")
    await stream._task.answer
    late, wait_for = [TimeoutError], asyncio.wait_for

    async def waited(news: Any, seconds: float) -> Any:
        if late:
            news.close()
            raise late.pop()
        return await wait_for(news, seconds)

    monkeypatch.setattr(replies.asyncio, "wait_for", waited)
    assert events(await heard(stream, only_listen)) == [("answer", "done")]


@in_loop
async def test_a_stream_ends_with_its_fault(work: Work) -> None:
    for fault, kind in (
        (LimitError("too long"), "limits"),
        (ValueError("secret"), "limits"),
        (ReadError("no hand", "x", 0), "cannot read"),
        (RefusedError(429, "too many"), "refused"),
    ):

        def asked(threads: int, tell: Any, fault: Exception = fault) -> None:
            raise fault

        ((name, told),) = events(await heard(Stream(work, Question(asked, LONG), "a"), only_listen))
        assert (name, told["error"]["kind"]) == ("failed", kind)
        assert "secret" not in str(told)


@in_loop
async def test_a_stream_counts_until_it_ends_however_that_is(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "STREAMS_EACH", 1)

    def leave(body: bytes, gone: asyncio.Event) -> None:
        if body:
            gone.set()

    def fail(body: bytes, gone: asyncio.Event) -> None:
        raise OSError("the connection is lost")

    with monkeypatch.context() as full:
        full.setattr(guard, "WAITING_EACH", 0)
        with pytest.raises(RefusedError, match="too many questions"):
            Stream(work, Question(endless, LONG), "a")
        assert not work.streams  # one that is refused does not count
    stream = Stream(work, Question(lambda threads, tell: 5, LONG), "a")
    with pytest.raises(RefusedError, match="too many streams are open"):
        Stream(work, Question(endless, LONG), "a")
    await heard(stream, only_listen)
    assert not work.streams
    stream = Stream(work, Question(endless, LONG), "a")
    assert list(work.streams) == ["a"]
    await heard(stream, leave)
    assert not work.streams
    assert stream._task.cancelled  # its question has ended, too
    with pytest.raises(OSError, match="lost"):
        await heard(Stream(work, Question(endless, LONG), "a"), fail)
    assert not work.streams
    dropped = Stream(work, Question(endless, LONG), "a")
    dropped.drop()
    assert not work.streams
    assert events(await heard(dropped, only_listen))[-1][0] == "failed"
    assert not work.streams


def request_of(
    work: Work, parts: list[bytes], headers: dict[str, str] | None = None, ends: bool = True
) -> Request:
    """A request of JSON in parts. ends: whether the client then goes; otherwise it waits."""
    named = {"content-type": "application/json", **(headers or {})}
    left = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    left[-1]["more_body"] = not ends

    async def receive() -> Any:
        if left:
            return left.pop(0)
        if not ends:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    app = type("App", (), {"state": type("State", (), {"work": work})})
    scope = {
        **{"type": "http", "method": "POST", "client": ("192.0.2.7", 5), "app": app},
        "headers": [(name.encode(), text.encode()) for name, text in named.items()],
    }
    return Request(scope, receive)


LONGEST = b'"' + b"x" * (guard.MOST_BODY - 2) + b'"'


@pytest.mark.parametrize(
    ("parts", "headers", "status"),
    [
        ([b"[1,", b"2]"], {"content-type": "Application/JSON; charset=utf-8"}, 200),
        ([LONGEST], {"content-length": str(guard.MOST_BODY)}, 200),
        ([b"{}"], {"content-length": str(guard.MOST_BODY + 1)}, 413),
        ([LONGEST, b" "], {}, 413),
        *(([b"{}"], {"content-type": kind}, 400) for kind in ("", "text/plain", "x/json")),
        *(([text], {}, 400) for text in (b"", b"{", b"\xff", b"NaN", b'{"a": 1, "a": 2}')),
    ],
)
@in_loop
async def test_bodies_are_json_of_a_greatest_length(
    work: Work, parts: list[bytes], headers: dict[str, str], status: int
) -> None:
    request = request_of(work, parts, headers)
    assert client_of(request) == "192.0.2.7"
    if status == 200:
        assert await body_of(request) == json.loads(b"".join(parts))
        return
    with pytest.raises(RefusedError) as refused:
        await body_of(request)
    assert refused.value.status == status


@in_loop
async def test_a_body_has_its_time(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.01)

    with pytest.raises(RefusedError, match="took too long"):
        await body_of(request_of(work, [b"{"], ends=False))


@in_loop
async def test_a_question_ends_when_the_client_goes(work: Work) -> None:
    ended = threading.Event()

    def asked(threads: int, tell: Any) -> None:
        try:
            endless(threads, tell)
        except CancelledError:
            ended.set()
            raise

    with pytest.raises(ClientDisconnect):
        await answered(request_of(work, [b"{}"]), Question(asked, LONG))
    await asyncio.to_thread(ended.wait, 60)
    assert ended.is_set()


@in_loop
async def test_an_answer_that_fails_is_a_documented_error(work: Work) -> None:
    def no_memory(threads: int, tell: Any) -> None:
        raise MemoryError

    def ask(asked: Answerer) -> Awaitable[Any]:
        return answered(request_of(work, [b"{}"], ends=False), Question(asked, LONG))

    assert await ask(lambda threads, tell: 5) == 5
    with pytest.raises(LimitError, match="more memory than there is"):
        await ask(no_memory)
    begun = asyncio.ensure_future(ask(endless))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    work.close()
    with pytest.raises(RefusedError, match="the server is ending") as ending:
        await begun
    assert ending.value.status == 503
