"""A server of the page as a process of its own, and requests to it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


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

    def events(self, path: str) -> list[tuple[str, Any]]:
        """The events of a stream, by name, until it ends."""
        found = []
        for block in self.get(path).text.split("\n\n"):
            lines = dict(line.partition(": ")[::2] for line in block.splitlines() if ": " in line)
            if "event" in lines:
                found.append((lines["event"], json.loads(lines["data"])))
        return found


@contextmanager
def served(data: Path, *options: str, changed: str = "") -> Iterator[Server]:
    """Run a server on a free port; games are kept below `data`.

    changed: Python that changes `limits` before.
    """
    env = {**os.environ, "XDG_DATA_HOME": str(data)}
    run = (
        f"from lama_odds.web import limits; {changed}\nfrom lama_odds.cli.main import main; main()"
    )
    started = ["-c", run] if changed else ["-m", "lama_odds"]
    command = [sys.executable, *started, "serve", "--port", "0", *options]
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
