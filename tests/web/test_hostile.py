"""Thousands of requests that nobody should send: documented answers only, and memory stays flat."""

from __future__ import annotations

import http.client
import json
import random
import socket
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lama_odds.core.strict_json import from_json
from tests.web.served import Server

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
]

REQUESTS = 4_000
THREADS = 4
DOCUMENTED = {200, 201, 303, 400, 401, 404, 405, 409, 413, 422, 429}
MOST_GROWTH = 40_000  # kB of memory, from a quarter of the requests on
LEAKS = ("Traceback", "site-packages", str(Path.home()), str(Path(__file__).parents[2]), 'File "')

QUESTIONS = [
    ("lama/amigo", "hand=3356L top=4 opp=4,q2,6"),
    ("lama/party+drama", "hand=33+5LP top=4 opp=4,q2,6 pile=20 pot=1,1,10"),
    ("dice/amigo", "hand=25L row=1346L opp=13,q6LL rolled=13L"),
    ("dice/egmont", "hand=25L row=1346L opp=q13,q6LL"),
    ("pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    ("noprob/starnberger", "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK"),
    ("lama/amigo+dealt=7", "hand=334 top=4 opp=q4"),
]
JUNK = ["", "\0", "é", "𝟙", "‮", "-1", "9" * 40, "1e400", "../", "%00", "<script>", "';--", "=", " "]
VALUES: list[Any] = [
    *(None, True, [], {}, -1, 0, 0.5, 10**30, 1 << 63, "", "x" * 10_000, "@/etc/passwd"),
    *([[[]]], {"a": {"b": 1}}, "best", "threshold:5", "threshold:" + "9" * 300),
]
PATHS = [
    *("/", "/api/rules", "/api/health", "/api/games", "/api/lookup", "/static/style.css"),
    *("/api/rules/dice/amigo", "/api/rules/../../etc/passwd", "/api/rules/" + "x" * 3_000),
    *("/static/../app.py", "/static/%2e%2e%2fapp.py", "/static//etc/passwd", "/static/%00"),
    *("/api/games/../../x", "/api/games/" + "0" * 16, "/api/games/%2e%2e/record", "//x", "/%ff"),
    *("/api/games/" + "f" * 16 + "/advice", "/api/games/x/review", "/api/advise/stream"),
]


def mutated(text: str, luck: random.Random) -> str:
    found = list(text)
    for _ in range(luck.randrange(4)):
        at = luck.randrange(len(found) + 1)
        change = luck.randrange(3)
        if change == 0:
            found.insert(at, luck.choice([*JUNK, *"0123456789LWP+?,/=q "]))
        elif change == 1 and found:
            found.pop(min(at, len(found) - 1))
        else:
            found[at:at] = found[luck.randrange(len(found) + 1) :][:8]
    return "".join(found)


def question(luck: random.Random) -> dict[str, Any]:
    rules, position = luck.choice(QUESTIONS)
    rules = luck.choice([rules, rules, rules, mutated(rules, luck)])
    asked: dict[str, Any] = {"rules": rules, "position": mutated(position, luck), "games": 1_000}
    for _ in range(luck.randrange(3)):
        names = ["games", "seed", "objective", "opponents", "rules", "position", "seconds", "x"]
        asked[luck.choice(names)] = luck.choice(VALUES)
    if asked.get("seconds") in (True, 0.5) or "seconds" not in asked:
        return asked
    return {**asked, "games": None} if luck.random() < 0.1 else asked


def body(luck: random.Random) -> bytes:
    kind = luck.randrange(10)
    if kind == 0:
        return luck.randbytes(luck.randrange(200))
    if kind == 1:
        return luck.choice([b"[" * 2_000, b'{"a":' * 500, b"NaN", b'"\\ud800"', b"1" * 5_000])
    if kind == 2:
        return b'{"rules": "' + b"x" * luck.choice([10, 70_000]) + b'"}'
    text = json.dumps(question(luck))
    return (mutated(text, luck) if kind == 3 else text).encode("utf-8", "surrogatepass")


def headers(luck: random.Random) -> dict[str, str]:
    found = {"Content-Type": luck.choice(["application/json"] * 9 + ["text/plain"])}
    if luck.random() < 0.1:
        name, text = luck.choice(
            [
                ("Host", "example.org"),
                ("Origin", "http://evil.example"),
                ("Origin", "null"),
                ("Sec-Fetch-Site", "cross-site"),
                ("Cookie", "lama-odds=" + "x" * 2_000),
                ("Authorization", "Bearer \xff"),
                ("Range", "bytes=0-9999999999"),
                ("If-Modified-Since", "never"),
                ("Accept-Encoding", "x" * 5_000),
            ]
        )
        found[name] = text
    return found


def rare(server: Server, luck: random.Random) -> None:
    """What is hardly a request: half of one, or none; any answer must be 400 or nothing."""
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    sent = luck.choice(
        [
            b"\x16\x03\x01" + luck.randbytes(60),
            b"GET / HTTP/9.9\r\n\r\n",
            f"POST /api/advise HTTP/1.1\r\n{host}Content-Length: -5\r\n\r\n".encode(),
            f"POST /api/advise HTTP/1.1\r\n{host}Content-Length: 50\r\n\r\n{{".encode(),
            f"GET /{'x' * 40_000} HTTP/1.1\r\n{host}\r\n".encode(),
            f"GET / HTTP/1.1\r\n{host}{host}\r\n".encode(),
        ]
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            found = connection.recv(4_096)
        except OSError:
            return
    assert not found or found.split(b" ")[1] in (b"400", b"404", b"200"), found[:80]


def attack(server: Server, seed: int, counts: Counter[int], faults: list[str], share: int) -> None:
    luck = random.Random(seed)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=90)
    for _ in range(share):
        if luck.random() < 0.02:
            rare(server, luck)
            continue
        method = luck.choice(["POST"] * 6 + ["GET"] * 3 + ["PUT", "DELETE", "TRACE"])
        paths = ["/api/advise"] * 6 + ["/api/odds", "/api/thresholds", "/api/games", "/nothing"]
        path = luck.choice(PATHS) if method == "GET" or luck.random() < 0.1 else luck.choice(paths)
        sent = body(luck) if method == "POST" else None
        if path == "/api/thresholds":
            sent = b'{"rules": "dice/amigo", "games": "x"}'
        try:
            connection.request(method, path, sent, headers(luck))
            found = connection.getresponse()
            text = found.read()
        except (OSError, http.client.HTTPException, UnicodeError):
            connection.close()  # the server may end a connection whose request it has not read
            continue
        counts[found.status] += 1
        if found.status not in DOCUMENTED:
            faults.append(f"{method} {path[:80]} {sent!r:.200}: {found.status} {text[:200]!r}")
        if any(leak in text.decode("utf-8", "replace") for leak in LEAKS):
            faults.append(f"{method} {path[:80]} {sent!r:.200} leaks: {text[:300]!r}")
        if found.headers.get_content_type() == "application/json":
            from_json(text.decode())  # strict
    connection.close()


def memory(server: Server) -> int:
    """The server's memory, in kB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def test_thousands_of_hostile_requests(server: Server) -> None:
    counts: Counter[int] = Counter()
    faults: list[str] = []
    used = []
    for quarter in range(4):
        threads = [
            threading.Thread(
                target=attack,
                args=(server, 10 * quarter + n, counts, faults, REQUESTS // 4 // THREADS),
            )
            for n in range(THREADS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        used.append(memory(server))
    assert not faults, "\n".join(faults[:20])
    assert counts.total() > 0.9 * REQUESTS
    assert {200, 400, 404, 405, 413, 422} <= counts.keys()
    assert counts[200] > 160
    assert used[-1] - used[0] < MOST_GROWTH, used
    assert server.get("/api/health").status == 200
    print(dict(counts), used)
