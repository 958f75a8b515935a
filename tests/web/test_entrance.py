"""Who is let in: hosts, origins, tokens, methods; and connections, which are limited."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from lama_odds.core.errors import LimitError
from lama_odds.web import guard, server
from lama_odds.web.app import app_of
from lama_odds.web.connections import Connection
from lama_odds.web.guard import HEADERS, Door, Guard
from lama_odds.web.work import Work

TOKEN = "a-token-of-others"
OWN = "localhost:8000"
AWAY = "192.0.2.7"
DOOR = Door(8000, ["Laptop.local"], TOKEN)
CLOSED = Door(8000)


def asked(
    door: Door,
    *headers: tuple[str, str],
    method: str = "GET",
    path: str = "/api/health",
    query: str = "",
    client: str | None = "127.0.0.1",
) -> tuple[int, dict[str, str]]:
    """The status and the headers of a reply; 200 is that of the application."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        own = [(b"x-app", b"1"), (b"content-security-policy", b"its own")]
        await send({"type": "http.response.start", "status": 200, "headers": own})

    async def send(message: Any) -> None:
        sent.append(message)

    named = headers if any(name == "host" for name, _ in headers) else (("host", OWN), *headers)
    scope = {
        **{"type": "http", "method": method, "path": path, "query_string": query.encode()},
        "headers": [(name.encode(), text.encode("latin-1")) for name, text in named],
        "client": None if client is None else (client, 5),
    }
    asyncio.run(Guard(app, door)(scope, asyncio.Event().wait, send))
    told = {name.decode(): text.decode() for name, text in sent[0]["headers"]}
    assert len(told) == len(sent[0]["headers"])  # each once
    expected = {name.lower(): text for name, text in HEADERS.items()}
    if sent[0]["status"] == 200:  # a page of the application may have a policy of its own
        expected["content-security-policy"] = "its own"
    assert expected.items() <= told.items()
    assert sent[0]["status"] == 200 or "x-app" not in told
    return sent[0]["status"], told


Asking = tuple[dict[str, Any], int]  # what is asked, and its status


def hosts() -> Iterator[Asking]:
    """A request names the server; only the usual port may be left out."""
    own = (OWN, "LocalHost:8000", "127.0.0.1:8000", "[::1]:8000", "laptop.local:8000")
    others = ("", "localhost", "localhost:80", "localhost:80001", "localhost:8000.evil.com")
    more = ("evil.com:8000", "evil.localhost:8000", "127.0.0.1:8000@evil.com")
    yield from (({"host": name}, 200) for name in own)
    yield from (({"host": name}, 400) for name in (*others, *more))
    usual = replace(DOOR, port=80)
    yield from (({"host": name, "door": usual}, 200) for name in ("localhost", "localhost:80"))
    yield from (({"host": name, "door": usual}, 400) for name in ("evil.com", OWN))


def origins() -> Iterator[Asking]:
    """Pages of other origins are refused."""
    for method in ("GET", "POST"):
        for text in (f"http://{OWN}", "HTTP://LOCALHOST:8000"):
            yield {"origin": text, "method": method}, 200
        for name in (f"{OWN}.evil.com", f"{OWN}1", "localhost", "evil.com", f"x@{OWN}"):
            yield {"origin": f"http://{name}", "method": method}, 400
        for text in (f"https://{OWN}", "http://127.0.0.1:8000", "null", "", OWN):
            yield {"origin": text, "method": method}, 400


def sites() -> Iterator[Asking]:
    """Browsers say where a request comes from."""
    for site in ("none", "same-origin"):
        yield {"sec-fetch-site": site, "method": "POST", "path": "/api/games"}, 200
    for site in ("cross-site", "same-site", ""):
        yield {"sec-fetch-site": site, "method": "POST", "path": "/"}, 400
        yield {"sec-fetch-site": site}, 400
    yield {"sec-fetch-site": "cross-site", "path": "/"}, 200  # a link somewhere


def methods() -> Iterator[Asking]:
    """GET without a body, and POST."""
    yield from (({"method": name}, 405) for name in ("HEAD", "PUT", "DELETE", "OPTIONS", "get"))
    for body in ({"content-length": "7"}, {"transfer-encoding": "chunked"}):
        yield {"method": "POST", **body}, 200
        yield {"method": "GET", **body}, 400
    yield {"method": "GET", "content-length": "0"}, 200


def machines() -> Iterator[Asking]:
    """Only this machine needs no token."""
    for path, door in ((path, door) for path in ("/", "/api/health") for door in (DOOR, CLOSED)):
        for client in ("127.0.0.1", "127.8.9.1", "::1"):
            yield {"client": client, "path": path, "door": door}, 200
        for other in (AWAY, "0.0.0.0", "2001:db8::1", "", None, "localhost", "127.0.0.1.evil.com"):
            yield {"client": other, "path": path, "door": door}, 401


def tokens() -> Iterator[Asking]:
    """The token lets other machines in; a server that has none lets nobody in."""
    for text in (f"Bearer {TOKEN}", f"bEARER  {TOKEN} "):
        yield {"authorization": text, "client": AWAY}, 200
        yield {"authorization": text, "client": AWAY, "door": CLOSED}, 401
    for text in ("", TOKEN, "Bearer ", f"Basic {TOKEN}", "Bearer é", f"Bearer {TOKEN}x"):
        for door in (DOOR, CLOSED):
            yield {"authorization": text, "client": AWAY, "door": door}, 401
    for text in (f"a=b; lama-odds={TOKEN};c", f"lama-odds=x; lama-odds={TOKEN}"):
        yield {"cookie": text, "client": AWAY}, 200
    for text in (f"lama={TOKEN}", "lama-odds", "lama-odds=", TOKEN, f"lama-odds={TOKEN[:-1]}"):
        for door in (DOOR, CLOSED):
            yield {"cookie": text, "client": AWAY, "door": door}, 401


def entrances() -> Iterator[Asking]:
    """The address with the token lets a machine in, if the request names the server."""
    for query in (f"token={TOKEN}", f"token=x&token={TOKEN}"):
        asking = {"path": "/", "query": query, "client": AWAY}
        yield asking, 303
        yield {**asking, "door": CLOSED}, 401
        yield {**asking, "host": "evil.com:8000"}, 400
        yield {**asking, "path": "/api/health"}, 401
        yield {**asking, "method": "POST"}, 401
    for query in ("token=", f"token={TOKEN}x", f"name={TOKEN}"):
        for door in (DOOR, CLOSED):
            yield {"path": "/", "query": query, "client": AWAY, "door": door}, 401


@pytest.mark.parametrize("cases", [hosts, origins, sites, methods, machines, tokens, entrances])
def test_only_who_may_ask_is_answered(cases: Callable[[], Iterator[Asking]]) -> None:
    how = ("door", "method", "path", "query", "client")
    for given, status in cases():
        headers = [(name, text) for name, text in given.items() if name not in how]
        options = {name: value for name, value in given.items() if name in how}
        found, _ = asked(options.pop("door", DOOR), *headers, **options)
        assert found == status, given


def test_what_decides_is_given_once_and_headers_have_a_greatest_length() -> None:
    for name in ("host", "origin", "content-type", "authorization"):
        text = {"host": OWN, "origin": f"http://{OWN}"}.get(name, "x")
        assert asked(DOOR, (name, text))[0] == 200
        assert asked(DOOR, (name, text), (name, text))[0] == 400
    rest = guard.MOST_HEADERS - len("host" + OWN + "x")
    assert asked(DOOR, ("x", "y" * rest))[0] == 200
    assert asked(DOOR, ("x", "y" * (rest + 1)))[0] == 400


def test_the_entrance_leads_to_the_page_and_hides_the_token() -> None:
    _, told = asked(DOOR, path="/", query=f"rules=a%26b&token={TOKEN}&x=", client=AWAY)
    assert told["location"] == "/?rules=a%26b"
    assert asked(DOOR, path="/", query=f"token={TOKEN}", client=AWAY)[1]["location"] == "/"
    cookie, *how = told["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"} <= set(how)
    assert asked(DOOR, ("cookie", cookie), client=AWAY)[0] == 200
    assert TOKEN not in repr(DOOR)


def test_without_lan_only_this_machine_can_connect() -> None:
    found = server.listen(0, lan=False)
    with found.sock:
        host, port = found.sock.getsockname()
        assert (host, found.own, found.others) == ("127.0.0.1", f"http://127.0.0.1:{port}/", "")
        assert found.door == Door(port)
        with pytest.raises(LimitError, match=f"port {port} cannot be used"):
            server.listen(port, lan=False)


def test_with_lan_each_start_has_a_token_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_address_in_lan", lambda: AWAY)
    found = [server.listen(0, lan=True) for _ in range(2)]
    for each in found:
        host, port = each.sock.getsockname()
        token = each.door.token
        assert (host, each.door.port) == ("0.0.0.0", port)
        assert each.others == f"http://{AWAY}:{port}/?token={token}"
        assert token not in each.own
        named = {AWAY, socket.gethostname(), f"{socket.gethostname()}.local"}
        assert each.door.names == named
        assert len(token) >= 22  # 128 bits
        each.sock.close()
    assert found[0].door.token != found[1].door.token


def test_a_token_that_is_kept_is_the_same_at_the_next_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(server, "_address_in_lan", lambda: AWAY)
    file = tmp_path / "data" / "token.txt"
    monkeypatch.setattr(server, "token_file", lambda: file)
    doors = []
    for _ in range(2):
        found = server.listen(0, lan=True, keep=True)
        found.sock.close()
        doors.append(found.door)
        assert file.stat().st_mode & 0o777 == 0o600
        file.chmod(0o644)
    assert doors[0].token == doors[1].token
    assert len(doors[0].token) >= 22
    assert doors[0].stays
    _, told = asked(replace(DOOR, stays=True), path="/", query=f"token={TOKEN}", client=AWAY)
    assert "Max-Age=31536000" in told["set-cookie"]
    file.write_text("none\n")
    with pytest.raises(LimitError, match="holds no token"):
        server.listen(0, lan=True, keep=True)


# Connections


class Wire:
    """A transport: what was written to it, and how it was ended. Its other end may read nothing."""

    def __init__(self, host: str = "192.0.2.7") -> None:
        self.host, self.ended, self.closed, self.size = host, False, False, 0
        self.written = b""
        self.halves: list[str] = []  # what was ended of it

    def get_extra_info(self, name: str) -> Any:
        return (self.host, 1) if name == "peername" else None

    def get_write_buffer_size(self) -> int:
        return self.size

    def write(self, data: bytes) -> None:
        self.written += data
        self.size += len(data)

    def is_closing(self) -> bool:
        return self.ended

    def abort(self) -> None:
        self.ended = True

    def close(self) -> None:
        """It waits for what was written."""
        self.closed = True

    def pause_reading(self) -> None:
        self.halves.append("read")

    def write_eof(self) -> None:
        self.halves.append("write")


async def settled() -> None:
    """Let all that needs no thread be done."""
    for _ in range(1_000):
        await asyncio.sleep(0)


def connected(
    changes: Callable[[list[Connection]], Awaitable[None]], hosts: Sequence[str]
) -> list[Wire]:
    """The ends of connections after changes to them; each has an address of `hosts`."""

    async def scene() -> list[Wire]:
        config = uvicorn.Config(app_of(Door(80), Work()), log_config=None, lifespan="off")
        state = ServerState()
        made = []
        for host in hosts:
            made.append(Connection(config, state, {}))
            made[-1].connection_made(Wire(host))
        await changes(made)
        wires = [each.transport for each in made]
        for each in made:
            each.connection_lost(None)
        return wires

    return asyncio.run(scene())


def sent_raw(*parts: str) -> tuple[int, Wire]:
    """The status of what comes back, and the end of its connection."""

    async def ask(made: list[Connection]) -> None:
        for part in filter(None, parts):
            made[0].data_received(part.encode("latin-1"))
        await settled()

    (wire,) = connected(ask, ["127.0.0.1"])
    return int(wire.written.split(b" ")[1]), wire


HOST = "Host: localhost\r\n"
JSON = f"{HOST}Content-Type: application/json\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        f"GET / HTTP/1.1\r\n{HOST}{HOST}\r\n",
        f"GET / HTTP/1.1\r\n{HOST}Origin: http://evil\r\nOrigin: http://localhost\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\x16\x03\x01 hello\r\n\r\n",
    ],
    ids=["two hosts", "two origins", "version", "no HTTP"],
)
def test_what_is_no_request_is_refused_like_all_else(sent: str) -> None:
    status, wire = sent_raw(sent)
    head, _, body = wire.written.partition(b"\r\n\r\n")
    assert status == 400
    assert b"content-security-policy: default-src 'none'" in head.lower()
    assert json.loads(body)["error"]["kind"] == "refused"


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        (f"POST /api/advise HTTP/1.1\r\n{JSON}Content-Length: 90000\r\n\r\n", "{", 413),
        (f"POST /api/health HTTP/1.1\r\n{JSON}Content-Length: 50\r\n\r\n", "{", 405),
        (f"GET /api/health HTTP/1.1\r\n{HOST}Content-Length: 50\r\n\r\n", "{", 400),
        (f"GET /api/health HTTP/1.1\r\n{HOST}{CHUNKED}", "1\r\n{\r\n", 400),
        (f"PUT / HTTP/1.1\r\n{HOST}{CHUNKED}", "", 405),
    ],
)
def test_the_rest_of_a_request_that_is_answered_is_not_read(
    head: str, body: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends the connection some time later, though the client never ends its request."""
    found, wire = sent_raw(head, body)
    assert (found, wire.halves, wire.ended) == (status, ["read", "write"], False)
    monkeypatch.setattr(guard, "CLOSE_SECONDS", 0.0)
    assert sent_raw(head, body)[1].ended


def test_a_broken_body_writes_nothing_to_the_terminal(caplog: pytest.LogCaptureFixture) -> None:
    for body in ("zz\r\n", "2\r\n{}\r\nzz\r\n", "1\r\n{}}\r\n"):
        status, wire = sent_raw(f"POST /api/advise HTTP/1.1\r\n{JSON}{CHUNKED}", body)
        assert status == 400
        assert wire.ended or wire.closed or wire.halves
    assert "Traceback" not in caplog.text


def test_an_answer_that_nobody_reads_does_not_keep_its_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "UNREAD_SECONDS", 0.0)

    async def look(made: list[Connection]) -> None:
        made[0].data_received(b"no HTTP\r\n\r\n")  # answered with 400
        for each in made:
            each.transport.size += 1
            each.look()
            each.transport.size = 0 if each is made[1] else 1
            each.look()

    assert [wire.ended for wire in connected(look, ["192.0.2.7"] * 2)] == [True, False]


@pytest.mark.parametrize(
    ("sent", "looks"),
    [("", 1), ("GET / HTTP/1.1\r\nX: ", 1), (f"GET /api/health HTTP/1.1\r\n{HOST}\r\n", 2)],
)
def test_a_connection_without_a_request_is_closed_at_a_look(sent: str, looks: int) -> None:
    """One that has asked since the last look stays."""

    async def look(made: list[Connection]) -> None:
        if sent:
            made[0].data_received(sent.encode())
        await settled()
        made[0].transport.size = 0  # all was read
        for _ in range(looks):
            assert not made[0].transport.closed
            made[0].look()

    (wire,) = connected(look, ["127.0.0.1"])
    assert wire.closed


def test_the_address_with_most_connections_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "CONNECTIONS", 6)
    monkeypatch.setattr(guard, "CONNECTIONS_EACH", 4)

    async def nothing(made: list[Connection]) -> None:
        del made

    wires = connected(nothing, [*"aaaaa", *"bb", "c", "a"])
    assert "".join("-" if wire.ended else wire.host for wire in wires) == "aaa--bbc-"
