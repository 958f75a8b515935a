"""Who is let in: hosts, origins, tokens, methods; and what every reply says besides."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lama_odds.core.errors import LimitError
from lama_odds.web import guard, server
from lama_odds.web.guard import HEADERS, Door, Guard

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


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *((name, 200) for name in (OWN, "LocalHost:8000", "127.0.0.1:8000", "[::1]:8000")),
        *((name, 200) for name in ("laptop.local:8000", "Laptop.Local:8000")),
        *((name, 400) for name in ("", "localhost", "localhost:80", "localhost:80001")),
        *((name, 400) for name in ("localhost:8000.evil.com", "evil.com", "evil.com:8000")),
        *((name, 400) for name in ("evil.localhost:8000", "127.0.0.1:8000@evil.com", "::1:8000")),
    ],
)
def test_a_request_names_the_server(host: str, status: int) -> None:
    assert asked(DOOR, ("host", host))[0] == status


@pytest.mark.parametrize(
    ("host", "port", "status"),
    [("localhost", 80, 200), ("localhost:80", 80, 200), ("evil.com", 80, 400), (OWN, 80, 400)],
)
def test_only_the_usual_port_may_be_left_out(host: str, port: int, status: int) -> None:
    assert asked(Door(port), ("host", host))[0] == status


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        *((text, 200) for text in (f"http://{OWN}", "HTTP://LOCALHOST:8000")),
        *((f"http://{text}", 400) for text in (f"{OWN}.evil.com", f"{OWN}1", "localhost")),
        *((f"http://{text}", 400) for text in ("evil.com", f"evil.com?{OWN}", f"x@{OWN}", "")),
        *((text, 400) for text in (f"https://{OWN}", "http://127.0.0.1:8000", "null", "", OWN)),
    ],
)
def test_pages_of_other_origins_are_refused(method: str, origin: str, status: int) -> None:
    assert asked(DOOR, ("origin", origin), method=method)[0] == status


@pytest.mark.parametrize(
    ("site", "method", "path", "status"),
    [
        *((site, "POST", "/api/games", 200) for site in ("none", "same-origin")),
        *((site, "POST", "/", 400) for site in ("cross-site", "same-site", "")),
        *((site, "GET", "/api/health", 400) for site in ("cross-site", "same-site", "")),
        ("cross-site", "GET", "/", 200),  # a link somewhere
        ("cross-site", "GET", "/static/app.js", 200),
    ],
)
def test_browsers_say_where_a_request_comes_from(
    site: str, method: str, path: str, status: int
) -> None:
    assert asked(DOOR, ("sec-fetch-site", site), method=method, path=path)[0] == status


@pytest.mark.parametrize("name", ["host", "origin", "content-type", "authorization"])
def test_what_decides_is_given_once(name: str) -> None:
    text = {"host": OWN, "origin": f"http://{OWN}"}.get(name, "x")
    assert asked(DOOR, (name, text))[0] == 200
    assert asked(DOOR, (name, text), (name, text))[0] == 400


def test_headers_have_a_greatest_length() -> None:
    rest = guard.MOST_HEADERS - len("host" + OWN + "x")
    assert asked(DOOR, ("x", "y" * rest))[0] == 200
    assert asked(DOOR, ("x", "y" * (rest + 1)))[0] == 400


@pytest.mark.parametrize(
    ("method", "header", "status"),
    [
        *((method, ("x", "y"), 405) for method in ("HEAD", "PUT", "DELETE", "OPTIONS", "get")),
        *((method, ("content-length", "0"), 200) for method in ("GET", "POST")),
        ("POST", ("content-length", "7"), 200),
        ("GET", ("content-length", "7"), 400),
        ("POST", ("transfer-encoding", "chunked"), 200),
        ("GET", ("transfer-encoding", "chunked"), 400),
    ],
)
def test_methods_and_bodies(method: str, header: tuple[str, str], status: int) -> None:
    assert asked(DOOR, header, method=method)[0] == status


@pytest.mark.parametrize(
    ("client", "status"),
    [
        *((address, 200) for address in ("127.0.0.1", "127.8.9.1", "::1")),
        *((address, 401) for address in (AWAY, "10.0.0.1", "0.0.0.0", "2001:db8::1", "")),
        *((address, 401) for address in (None, "localhost", "127.0.0.1.evil.com")),
    ],
)
def test_only_this_machine_needs_no_token(client: str | None, status: int) -> None:
    for door in (DOOR, CLOSED):
        for path in ("/", "/api/health", "/static/app.js"):
            assert asked(door, client=client, path=path)[0] == status


def tokens() -> Iterator[Any]:
    """A header with a token, and whether it is let in."""
    for text in (f"Bearer {TOKEN}", f"bEARER  {TOKEN} "):
        yield ("authorization", text), 200
    for text in ("", TOKEN, "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer é"):
        yield ("authorization", text), 401
    for text in (
        f"lama-odds={TOKEN}",
        f"a=b; lama-odds={TOKEN};c",
        f"lama-odds=x; lama-odds={TOKEN}",
    ):
        yield ("cookie", text), 200
    for text in (f"lama={TOKEN}", "lama-odds", "lama-odds=", f"lama-odds={TOKEN[:-1]}", TOKEN):
        yield ("cookie", text), 401


@pytest.mark.parametrize(("header", "status"), list(tokens()))
def test_the_token_lets_other_machines_in(header: tuple[str, str], status: int) -> None:
    assert asked(DOOR, header, client=AWAY)[0] == status
    assert asked(CLOSED, header, client=AWAY)[0] == 401  # it has no token: nothing is the right one


@pytest.mark.parametrize(
    ("method", "path", "query", "status"),
    [
        ("GET", "/", f"token={TOKEN}", 303),
        ("GET", "/", f"token=x&token={TOKEN}", 303),
        ("GET", "/", "token=", 401),
        ("GET", "/", f"token={TOKEN}x", 401),
        ("GET", "/", f"name={TOKEN}", 401),
        ("GET", "/api/health", f"token={TOKEN}", 401),
        ("POST", "/", f"token={TOKEN}", 401),
    ],
)
def test_the_address_with_the_token_is_an_entrance(
    method: str, path: str, query: str, status: int
) -> None:
    assert asked(DOOR, method=method, path=path, query=query, client=AWAY)[0] == status
    assert asked(CLOSED, method=method, path=path, query=query, client=AWAY)[0] == 401
    foreign = ("host", "evil.com:8000")
    assert asked(DOOR, foreign, method=method, path=path, query=query, client=AWAY)[0] == 400


def test_the_entrance_leads_to_the_page_and_hides_the_token() -> None:
    _, told = asked(DOOR, path="/", query=f"rules=a%26b&token={TOKEN}&x=", client=AWAY)
    assert told["location"] == "/?rules=a%26b"
    assert asked(DOOR, path="/", query=f"token={TOKEN}", client=AWAY)[1]["location"] == "/"
    cookie, *how = told["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(how)
    assert asked(DOOR, ("cookie", cookie), client=AWAY)[0] == 200
    assert TOKEN not in repr(DOOR)


def test_nothing_but_http_is_answered() -> None:
    async def never(*arguments: Any) -> None:
        pytest.fail("something was sent")

    for kind in ("websocket", "lifespan"):
        asyncio.run(Guard(never, CLOSED)({"type": kind}, never, never))


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
    tokens = set()
    for _ in range(2):
        found = server.listen(0, lan=True)
        with found.sock:
            host, port = found.sock.getsockname()
            token = found.door.token
            assert (host, found.door.port) == ("0.0.0.0", port)
            assert found.others == f"http://{AWAY}:{port}/?token={token}"
            assert token not in found.own
            assert AWAY in found.door.names
            assert len(token) >= 22  # 128 bits
            tokens.add(token)
    assert len(tokens) == 2


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
