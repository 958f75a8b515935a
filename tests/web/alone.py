"""The page without a server: built with an engine that stands in, hosted below some path."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lama_odds.web.training import answer_with, next_with
from tests.web.served import Inside
from tools.browser.site import write_site

ENGINE = Path(__file__).with_name("engine")
BELOW = "some/where/ask"  # the page lies below this path
DAY = "2026-11-29"
GAMES = 1000
POSITIONS = {
    "lama/amigo": "hand=3356L top=4 opp=4,q2,6",
    "dice/amigo": "hand=25L row=1346L opp=13,6LL",
    "pikomino/egmont": "kept=444W rolled=1245 own=24 tops=27",
    "noprob/starnberger": "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?:DK",
}
IMPOSSIBLE = "hand=3356L top=4 opp=4,q0"


def recorded() -> list[dict[str, Any]]:
    """What the server answers to a few questions, as the stand-in of the engine reads it."""
    server = Inside()
    found: list[dict[str, Any]] = []

    def note(method: str, path: str, of: dict[str, str], **answer: Any) -> None:
        found.append({"method": method, "path": path, "of": of, **answer})

    for rules, position in POSITIONS.items():
        of = {"rules": rules, "position": position}
        query = f"rules={quote(rules)}&position={quote(position)}&seed=0&games={GAMES}"
        events = server.get(f"/api/advise/stream?{query}").events
        assert events[-1][0] == "answer"
        for _, told in events[:-1]:  # how soon an answer is settled depends on the machine
            told.pop("settled", None)
        note("STREAM", "/api/advise/stream", of, events=events)
        note("POST", "/api/odds", of, reply=server.post("/api/odds", of).json)
    of = {"rules": "lama/amigo", "position": IMPOSSIBLE}
    refused = server.post("/api/odds", of)
    failed = {"status": refused.status, "error": refused.error}
    note("STREAM", "/api/advise/stream", of, failed=failed)
    note("POST", "/api/odds", of, failed=failed)
    path = "/api/train/lama"
    first = next_with("lama", "", DAY)
    answer = answer_with("lama", "", DAY, first["id"], first["choices"][0]["action"])
    log = f"lama-odds training 1\n{answer['line']}\n"
    note("POST", f"{path}/next", {"log": log}, reply=next_with("lama", log, DAY))
    note("POST", f"{path}/next", {"log": ""}, reply=first)
    note("POST", path, {"id": first["id"], "log": ""}, reply=answer)
    return found


def build(out: Path, folder: Path, *, newer: bool = False) -> str:
    """Write the page into a folder, with the stand-in; return its version.

    folder: keeps the engine between builds. newer: whether the engine is a later one.
    """
    engine = folder / "engine"
    if not engine.exists():
        shutil.copytree(ENGINE, engine)
        with ThreadPoolExecutor(1) as other:  # this thread may run a browser's event loop
            found = other.submit(recorded).result()
        (engine / "recorded.json").write_text(json.dumps(found), encoding="utf-8")
    (engine / "newer.txt").unlink(missing_ok=True)
    if newer:
        (engine / "newer.txt").write_text("a newer version", encoding="utf-8")
    return write_site(out, engine, "..")


class Host:
    """A web server for files. missing: ends of addresses that it does not find; changed: files
    that have other content than they should; asked: all addresses so far."""

    def __init__(self, folder: Path) -> None:
        self.missing: set[str] = set()
        self.changed: set[str] = set()
        self.asked: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self, str(folder)))
        self.address = f"http://127.0.0.1:{self._server.server_port}/{BELOW}/"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Take it away, as the network in aeroplane mode."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, host: Host, folder: str, *given: Any) -> None:
        self.host = host
        super().__init__(*given, directory=folder)

    def do_GET(self) -> None:
        self.host.asked.append(self.path)
        if self.path.endswith(tuple(self.host.missing)):
            self.send_error(404)
        elif self.path.endswith(tuple(self.host.changed)):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"something else")
        else:
            super().do_GET()

    def log_message(self, *said: Any) -> None:
        """Nothing: the tests say what was asked."""
        del said


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """Host a folder that has the page at `BELOW`."""
    host = Host(folder)
    try:
        yield host
    finally:
        host.close()
