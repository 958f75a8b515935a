"""A server of the page, as a process of its own or in this one, and requests to it."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lama_odds.web.app import app_of
from lama_odds.web.guard import Door
from lama_odds.web.work import Work


@dataclass
class Reply:
    """A reply: its status, its headers in small letters, its text."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = self.json["error"]
        return found

    @property
    def events(self) -> list[tuple[str, Any]]:
        """The events of a stream that has ended, by name."""
        found = []
        for block in self.text.split("\n\n"):
            lines = dict(line.partition(": ")[::2] for line in block.splitlines() if ": " in line)
            if "event" in lines:
                found.append((lines["event"], json.loads(lines["data"])))
        return found


@dataclass
class Server:
    """A server that runs. said: the lines that it printed first."""

    port: int
    process: subprocess.Popen[str]
    log: Path
    said: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        host: str = "127.0.0.1",
    ) -> Reply:
        """Send a request; a body that is not bytes is sent as JSON."""
        connection = http.client.HTTPConnection(host, self.port, timeout=60)
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        given = {"Content-Type": "application/json"} if sent is not None else {}
        try:
            connection.request(method, path, sent, {**given, **(headers or {})})
            found = connection.getresponse()
            told = {name.lower(): text for name, text in found.getheaders()}
            return Reply(found.status, told, found.read().decode())
        finally:
            connection.close()

    def get(self, path: str, **more: Any) -> Reply:
        return self.ask("GET", path, **more)

    def post(self, path: str, body: Any, **more: Any) -> Reply:
        return self.ask("POST", path, body, **more)


class Inside:
    """The application in this process: requests are answered without a network.

    work: its lanes; more headers than Host are given by each request.
    """

    def __init__(self, door: Door = Door(80)) -> None:
        self.work = Work()
        self.app = app_of(door, self.work)

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Send a request; a body that is not bytes is sent as JSON."""
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        kind = {} if sent is None else {"Content-Type": "application/json"}
        length = {} if sent is None else {"Content-Length": str(len(sent))}
        given = {"Host": "localhost", **kind, **length, **(headers or {})}
        place, _, query = path.partition("?")
        scope = {
            **{"type": "http", "method": method, "path": unquote(place), "root_path": ""},
            **{"raw_path": place.encode(), "query_string": query.encode(), "scheme": "http"},
            "headers": [(name.lower().encode(), text.encode()) for name, text in given.items()],
            **{"client": ("127.0.0.1", 5), "server": ("localhost", 80), "http_version": "1.1"},
        }
        said = asyncio.run(self._said(scope, sent or b""))
        told = {name.decode(): text.decode() for name, text in said[0]["headers"]}
        text = b"".join(each.get("body", b"") for each in said[1:])
        return Reply(said[0]["status"], told, text.decode())

    async def _said(self, scope: dict[str, Any], body: bytes) -> list[Any]:
        said: list[Any] = []
        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return parts.pop() if parts else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            said.append(message)

        try:
            await self.app(scope, receive, send)
        except Exception:
            if not said or said[0]["status"] != 500:  # a fault is sent, and then raised again
                raise
        return said

    def get(self, path: str, **more: Any) -> Reply:
        return self.ask("GET", path, **more)

    def post(self, path: str, body: Any, **more: Any) -> Reply:
        return self.ask("POST", path, body, **more)


@contextmanager
def served(data: Path, *options: str) -> Iterator[Server]:
    """Run a server on a free port; games are kept below `data`."""
    env = {**os.environ, "XDG_DATA_HOME": str(data)}
    command = [sys.executable, "-m", "lama_odds", "serve", "--port", "0", *options]
    log = data / "stderr.txt"
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=env
        )
    assert process.stdout is not None
    try:
        said = []
        for line in process.stdout:
            said.append(line.rstrip())
            if line.startswith("Ctrl-C"):
                break
        yield Server(int(said[0].rpartition(":")[2].strip("/")), process, log, said)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()
