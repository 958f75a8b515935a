"""Questions over HTTP: the answers of the command line, and every refusal that is documented."""

from __future__ import annotations

import asyncio
import http.client
import json
import select
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import uvicorn
from uvicorn.server import ServerState

import lama_odds
import lama_odds as lo
from lama_odds.analysis.variants import files
from lama_odds.core.errors import ReadError
from lama_odds.web import limits, questions
from lama_odds.web.app import app_of
from lama_odds.web.connections import Connection
from lama_odds.web.guard import Door
from lama_odds.web.tables import Tables
from lama_odds.web.work import Work
from tests.web.served import Server, served

CARDS = {"rules": "lama/amigo", "position": "hand=3356L top=4 opp=4,q2,6"}
TURN = {"rules": "pikomino/egmont", "position": "kept=444W rolled=1245 own=24 tops=27"}
LAST = {"rules": "dice/amigo", "position": "hand=25L row=1346L opp=q13,q6LL"}


def plain(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "seconds"}


@pytest.mark.parametrize(
    "asked",
    [
        {**CARDS, "games": 3_000},
        {**CARDS, "games": 1_500, "seed": 7, "objective": "win", "opponents": "threshold:6"},
        {**CARDS, "games": 1_000, "sensitivity": True},
        TURN,
        LAST,
    ],
    ids=["cards", "options", "sensitivity", "turn", "last"],
)
def test_an_answer_is_that_of_the_command(server: Server, asked: dict[str, Any]) -> None:
    found = server.post("/api/advise", asked)
    options = {key: value for key, value in asked.items() if key not in ("rules", "position")}
    expected = lo.advise(asked["rules"], asked["position"], **options).to_json()
    assert found.status == 200
    assert plain(found.json) == plain(json.loads(json.dumps(expected)))


@pytest.mark.parametrize("position", ["hand=25L row=1346L opp=13,6LL", "deal"])
def test_odds_are_those_of_the_command(server: Server, position: str) -> None:
    found = server.post("/api/odds", {"rules": "dice/amigo", "position": position})
    assert found.json == json.loads(json.dumps(lo.odds("dice/amigo", position).to_json()))


@pytest.mark.long
def test_thresholds_are_those_of_the_command(server: Server) -> None:
    found = server.post(
        "/api/thresholds", {"rules": "dice/amigo", "players": 3, "games": 4_000, "seed": 2}
    )
    expected = lo.thresholds("dice/amigo", 3, games=4_000, seed=2).to_json()
    left_out = ("seconds", "threads", "games_per_second")
    expected = json.loads(json.dumps(expected))
    assert {k: v for k, v in found.json.items() if k not in left_out} == {
        k: v for k, v in expected.items() if k not in left_out
    }


def test_a_stream_ends_with_the_same_answer(server: Server) -> None:
    address = "/api/advise/stream?rules=lama/amigo&position=hand%3D3356L+top%3D4+opp%3D4,q2,6"
    *early, last = server.events(f"{address}&games=8000")
    assert last[0] == "answer"
    assert plain(last[1]) == plain(server.post("/api/advise", {**CARDS, "games": 8_000}).json)
    assert {name for name, _ in early} <= {"interim"}
    games = [answer["games"] for _, answer in early]
    assert games == sorted(games)
    later = {"caution", "otherwise", "guesses"}
    assert all(answer.keys() == last[1].keys() - later for _, answer in early)


def test_a_stream_of_what_cannot_be_read_is_an_error(server: Server) -> None:
    found = server.get("/api/advise/stream?rules=lama/amigo&position=hand%3D9&games=1000")
    assert found.status == 422
    assert found.error["kind"] == "cannot read"
    found = server.get("/api/advise/stream?rules=lama/amigo&position=&games=many")
    assert found.error["message"].startswith("games 'many'")


@pytest.mark.parametrize(
    ("asked", "kind", "said"),
    [
        ({"rules": "lama/amigo"}, "cannot read", "position is missing"),
        ({**CARDS, "game": 5}, "cannot read", "unknown option 'game'\ndid you mean games?"),
        ({**CARDS, "games": 10**9}, "limits", "at most 200,000"),
        ({**CARDS, "seconds": 31}, "limits", "at most 30"),
        ({**CARDS, "games": "many"}, "cannot read", "games"),
        ({**CARDS, "games": True}, "cannot read", "games"),
        ({**CARDS, "position": "x" * 5_000}, "limits", "5,000 characters"),
        ({**CARDS, "position": 5}, "cannot read", "expected text"),
        ({**CARDS, "opponents": "@/etc/passwd"}, "cannot read", "files cannot be named here"),
        ({"rules": "@/etc/passwd", "position": ""}, "cannot read", "files cannot be named here"),
        ({"rules": "lama/polish", "position": ""}, "cannot read", "polish"),
        ({"rules": "../etc", "position": ""}, "cannot read", "unknown game"),
        ([1], "cannot read", "expected a JSON object"),
    ],
)
def test_what_is_not_answered_says_why(server: Server, asked: Any, kind: str, said: str) -> None:
    found = server.post("/api/advise", asked)
    assert found.status == 422
    assert found.error["kind"] == kind
    assert said in found.error["message"]


def test_no_request_reads_a_file_of_variants(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "quick.toml"
    path.write_text('name = "quick"\nbase = "dice/amigo"\n', encoding="utf-8")
    rules, said = f"@{path}", "files cannot be named here"
    position = "hand=25L row=1346L opp=13"
    asked = {"rules": rules, "position": position}
    begin = {"rules": rules, "players": 2, "me": 0}
    replies = [
        server.post("/api/advise", asked),
        server.post("/api/odds", asked),
        server.post("/api/thresholds", {"rules": rules}),
        server.post("/api/games", begin),
        server.get("/api/rules/" + quote(rules)),
        server.get("/api/advise/stream?" + urlencode(asked)),
    ]
    for reply in replies:
        assert reply.status == 422
        assert said in reply.error["message"]


def test_nothing_of_the_server_reads_files_of_variants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if a request got past the check of its names."""
    monkeypatch.setattr(files, "variants_in", lambda path: pytest.fail("a file was read"))
    with pytest.raises(ReadError, match="unknown game"):
        Tables(tmp_path).begin("@quick.toml", 2, 0)
    for command in ("advise", "odds", "thresholds"):
        with pytest.raises(ReadError, match="unknown game"):
            questions.READ[command]({"rules": "@quick.toml", "position": ""})


def test_errors_of_positions_have_their_place_and_all_defects(server: Server) -> None:
    found = server.post("/api/advise", {"rules": "lama/amigo", "position": "hand=3x top=4 opp=4"})
    assert (found.error["kind"], found.error["start"]) == ("cannot read", 6)
    odd = "hand=333333333444444444 top=4 opp=40"
    found = server.post("/api/advise", {"rules": "lama/amigo", "position": odd})
    assert found.error["kind"] == "cannot occur"
    assert len(found.error["defects"]) > 1
    over = {"rules": "dice/amigo", "position": "hand=25L row=1346L opp=q13,q6LL rolled=111"}
    found = server.post("/api/advise", over)
    assert found.status in (200, 422)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b'{"rules": NaN}', {}, 400),
        (b'{"rules": "a", "rules": "b"}', {}, 400),
        (b"[" * 5_000, {}, 400),
        (b" " * 70_000, {}, 413),
        (b"{}", {"Content-Type": "text/plain"}, 400),
        (b"{}", {"Origin": "http://example.org"}, 400),
        (b"{}", {"Origin": "null"}, 400),
        (b"{}", {"Host": "example.org"}, 400),
        (b"{}", {"Sec-Fetch-Site": "cross-site"}, 400),
        (b"{}", {"X-Long": "x" * 20_000}, 400),
    ],
)
def test_what_is_refused_has_its_status(
    server: Server, body: bytes, headers: dict[str, str], status: int
) -> None:
    found = server.post("/api/advise", body, headers=headers)
    assert found.status == status
    assert found.error["kind"] == "refused"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/advise", 405),
        ("POST", "/api/health", 405),
        ("DELETE", "/api/health", 405),
        ("HEAD", "/", 405),
        ("GET", "/api/nothing", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/static/", 404),
        ("GET", "/static", 404),
        ("GET", "/api/health/", 404),
    ],
)
def test_other_addresses_and_methods(server: Server, method: str, path: str, status: int) -> None:
    assert server.ask(method, path).status == status


def test_every_reply_has_the_headers_that_protect_the_page(server: Server) -> None:
    for path in ("/", "/static/style.css", "/api/health", "/api/nothing", "/api/advise"):
        headers = server.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert not any(name.startswith("access-control") for name in headers)
        assert "server" not in headers


def test_health_and_rules(server: Server) -> None:
    assert server.get("/api/health").json == {"version": lama_odds.__version__}
    games = {game["name"]: game for game in server.get("/api/rules").json["games"]}
    assert {"lama", "dice", "pikomino", "noprob"} <= games.keys()
    editions = {edition["id"]: edition for edition in games["dice"]["editions"]}
    assert editions["dice/amigo"]["players"] == [2, 6]
    assert server.get("/api/rules/dice/amigo%2Btwenty").json["values"]["twenty"] is True
    assert server.get("/api/rules/dice/polish").error["kind"] == "cannot read"


def busy(server: Server) -> float:
    """Seconds of processor time that the server has used."""
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / 100


def used_until_idle(server: Server) -> float:
    """Seconds of processor time until the server does nothing for a while."""
    first = last = busy(server)
    for _ in range(200):
        time.sleep(0.3)
        now = busy(server)
        if now - last < 0.02:
            return now - first
        last = now
    raise AssertionError("the server is still at work")


@pytest.mark.long
@pytest.mark.skipif(not __import__("sys").platform.startswith("linux"), reason="reads /proc")
def test_a_question_stops_when_nobody_waits(server: Server) -> None:
    """Hardly any processor time is used once nobody waits; to the end it would be 7 to 60 s."""
    server.post("/api/advise", {**CARDS, "games": 1_000})
    grid = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
    server.post("/api/advise", {"rules": "noprob/starnberger", "position": grid, "games": 1_000})
    used_until_idle(server)  # it gets its kernels ready
    cards = {**CARDS, "seconds": 30, "precision": 0.0001}
    search = {"rules": "noprob/starnberger", "position": grid, "games": 200_000}
    for path, question in [
        ("/api/advise", cards),
        ("/api/advise", search),
        ("/api/advise/stream", cards),
    ]:
        asked = json.dumps(question).encode()
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            head = f"Host: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
            if path == "/api/advise":
                head = f"POST {path} HTTP/1.1\r\n{head}Content-Length: {len(asked)}\r\n\r\n"
                connection.sendall(head.encode() + asked)
            else:
                query = "rules=lama/amigo&position=hand%3D3356L+top%3D4+opp%3D4&precision=0.0001"
                connection.sendall(f"GET {path}?{query} HTTP/1.1\r\n{head}\r\n".encode())
            time.sleep(1.0)
        assert used_until_idle(server) < 1.5


@pytest.mark.long
def test_too_many_questions_are_told_to_come_again(server: Server) -> None:
    statuses: list[int] = []
    retry: list[str] = []

    def ask() -> None:
        found = server.post("/api/advise", {**CARDS, "seconds": 0.5, "precision": 0.0001})
        statuses.append(found.status)
        retry.append(found.headers.get("retry-after", ""))

    threads = [threading.Thread(target=ask) for _ in range(36)]
    for thread in threads:
        thread.start()
    time.sleep(0.7)
    assert server.post("/api/advise", TURN).status == 200  # brief questions have their own lane
    for thread in threads:
        thread.join()
    assert set(statuses) == {200, 429}
    assert {text for text in retry if text} == {"2"}


def test_another_machine_needs_the_token(tmp_path) -> None:
    """Asked at the address in the network, the server does not see loopback."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        probe.connect(("192.0.2.1", 9))
    except OSError:
        pytest.skip("this machine is in no network")
    host = probe.getsockname()[0]
    probe.close()
    with served(tmp_path, "--lan") as server:
        line = next(line for line in server.said if "token=" in line)
        token = line.partition("token=")[2]
        assert len(token) > 20
        assert any("█" in drawn or "▀" in drawn for drawn in server.said)
        assert server.get("/api/health").status == 200  # this machine
        for path in ("/", "/api/health", "/static/style.css", "/?token=wrong"):
            found = server.get(path, host=host)
            assert found.status == 401
            assert "token" in found.error["message"]
        bearer = {"Authorization": f"Bearer {token}"}
        assert server.get("/api/health", host=host, headers=bearer).status == 200
        foreign = {"Host": "example.org"}
        assert server.get(f"/?token={token}", host=host, headers=foreign).status == 400
        entered = server.get(f"/?token={token}&rules=dice/amigo", host=host)
        assert entered.status == 303
        assert entered.headers["location"] == "/?rules=dice%2Famigo"
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        given = {"Cookie": cookie.partition(";")[0]}
        assert server.get("/api/health", host=host, headers=given).status == 200
        assert server.get("/api/health", host=host, headers={"Cookie": "lama-odds=x"}).status == 401


@pytest.mark.parametrize(
    "sent",
    [
        "GET / HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://evil\r\nOrigin: http://{own}\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\x16\x03\x01 hello\r\n\r\n",
    ],
    ids=["two hosts", "two origins", "version", "no HTTP"],
)
def test_what_is_no_request_is_refused_like_all_else(server: Server, sent: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(sent.format(own=f"127.0.0.1:{server.port}").encode("latin-1"))
        found = http.client.HTTPResponse(connection)
        found.begin()
        assert found.status == 400
        assert found.headers["content-security-policy"].startswith("default-src 'none'")
        assert json.loads(found.read())["error"]["kind"] == "refused"


def sent_raw(server: Server, head: str, body: bytes) -> tuple[int, bytes]:
    """The status of what was sent, and all that came back until the server closed."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        own = f"Host: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        first, _, rest = head.partition("\r\n")
        connection.sendall(f"{first}\r\n{own}{rest}\r\n\r\n".encode() + body)
        found = b""
        while part := connection.recv(4096):
            found += part
    return int(found.split(b" ")[1]), found


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        ("POST /api/advise HTTP/1.1\r\nContent-Length: 90000", b"{", 413),
        ("POST /api/health HTTP/1.1\r\nContent-Length: 50", b"{", 405),
        ("GET /api/health HTTP/1.1\r\nContent-Length: 50", b"{", 400),
        ("GET /api/health HTTP/1.1\r\nTransfer-Encoding: chunked", b"1\r\n{\r\n", 400),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked", b"", 405),
    ],
)
def test_the_rest_of_a_request_that_is_answered_is_not_read(
    server: Server, head: str, body: bytes, status: int
) -> None:
    """The server ends the connection, although the client never ends its request."""
    assert sent_raw(server, head, body)[0] == status


@pytest.mark.parametrize("method", ["POST", "GET"])
@pytest.mark.parametrize("body", [b"zz\r\n", b"2\r\n{}\r\nzz\r\n", b"1\r\n{}}\r\n"])
def test_a_broken_body_writes_nothing_to_the_terminal(
    server: Server, method: str, body: bytes
) -> None:
    head = f"{method} /api/advise HTTP/1.1\r\nTransfer-Encoding: chunked"
    assert sent_raw(server, head, body)[0] == 400
    assert server.get("/api/health").status == 200
    assert "Traceback" not in server.log.read_text(encoding="utf-8")


class Unread:
    """A transport whose other end reads nothing."""

    def __init__(self, host: str = "192.0.2.7") -> None:
        self.host, self.ended, self.size = host, False, 0
        self.halves: list[str] = []  # what was ended of it

    def get_extra_info(self, name: str) -> Any:
        return (self.host, 1) if name == "peername" else None

    def get_write_buffer_size(self) -> int:
        return self.size

    def write(self, data: bytes) -> None:
        self.size += len(data)

    def is_closing(self) -> bool:
        return self.ended

    def abort(self) -> None:
        self.ended = True

    def close(self) -> None:
        """It waits for what was written."""

    def pause_reading(self) -> None:
        self.halves.append("read")

    def write_eof(self) -> None:
        self.halves.append("write")


def connected(
    changes: Callable[[list[Connection]], Awaitable[None]], hosts: Sequence[str]
) -> list[bool]:
    """Which connections are open after changes to them; each has an address of `hosts`."""

    async def scene() -> list[bool]:
        config = uvicorn.Config(app_of(Door(80), Work()), log_config=None, lifespan="off")
        state = ServerState()
        made = []
        for host in hosts:
            made.append(Connection(config, state, {}))
            made[-1].connection_made(Unread(host))
        await changes(made)
        open_now = [not each.transport.is_closing() for each in made]
        for each in made:
            each.connection_lost(None)
        return open_now

    return asyncio.run(scene())


def test_an_answer_that_nobody_reads_does_not_keep_its_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "UNREAD_SECONDS", 0.0)

    async def look(made: list[Connection]) -> None:
        made[0].data_received(b"no HTTP\r\n\r\n")  # answered with 400
        for each in made:
            each.transport.size += 1
            each.look()
            each.transport.size = 0 if each is made[1] else 1
            each.look()

    assert connected(look, ["192.0.2.7"] * 2) == [False, True]


def test_a_connection_ends_with_an_answer_to_half_a_request() -> None:
    async def ask(made: list[Connection]) -> None:
        half = b"POST / HTTP/1.1\r\nHost: localhost:80\r\nContent-Length: 9\r\n\r\n{"
        made[0].data_received(half)
        for _ in range(1_000):
            await asyncio.sleep(0)
        assert made[0].transport.halves == ["read", "write"]

    connected(ask, ["127.0.0.1"])


def test_the_address_with_most_connections_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS", 6)
    monkeypatch.setattr(limits, "CONNECTIONS_EACH", 4)
    hosts = [*"aaaaa", *"bb", "c", "a"]

    async def nothing(made: list[Connection]) -> None:
        pass

    open_now = connected(nothing, hosts)
    assert "".join(h if is_open else "-" for h, is_open in zip(hosts, open_now, strict=True)) == (
        "aaa--bbc-"
    )


@pytest.mark.long
def test_a_connection_without_a_request_is_closed(tmp_path: Path) -> None:
    with served(tmp_path, changed="limits.HEADER_SECONDS = 1.0") as server, ExitStack() as opened:
        connections = []
        for begun in (b"", b"GET / HTTP/1.1\r\nX: "):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
            connections.append(opened.enter_context(connection))
            connection.sendall(begun)
        assert [connection.recv(1) for connection in connections] == [b"", b""]


def test_connections_are_bounded(server: Server) -> None:
    with ExitStack() as open_until_here:
        opened = [
            open_until_here.enter_context(socket.create_connection(("127.0.0.1", server.port), 10))
            for _ in range(140)
        ]
        time.sleep(0.3)
        heard, _, _ = select.select(opened, [], [], 0)
        closed = sum(connection.recv(1) == b"" for connection in heard)
    assert 5 <= closed <= 30
    time.sleep(0.2)
    assert server.get("/api/health").status == 200


@pytest.mark.long
def test_ctrl_c_in_the_middle_of_questions(tmp_path) -> None:
    import signal

    with served(tmp_path) as server:
        query = "rules=lama/amigo&position=hand%3D3356L+top%3D4+opp%3D4&precision=0.0001"
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            head = f"Host: 127.0.0.1:{server.port}\r\n\r\n"
            connection.sendall(f"GET /api/advise/stream?{query} HTTP/1.1\r\n{head}".encode())
            assert connection.recv(10)
            time.sleep(0.5)
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(20) == 0
        assert "Traceback" not in server.log.read_text(encoding="utf-8")


def test_a_port_that_is_taken(server: Server) -> None:
    import subprocess
    import sys

    command = [sys.executable, "-m", "lama_odds", "serve", "--port", str(server.port)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 4
    assert f"port {server.port} cannot be used" in found.stderr
    assert "Traceback" not in found.stderr


def test_ctrl_c_ends_it(tmp_path) -> None:
    import signal

    with served(tmp_path) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/api/health")
        assert connection.getresponse().read()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 0
        connection.close()
