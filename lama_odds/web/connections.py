"""Connections: bounded in number, closed if no request comes; what is not HTTP is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lama_odds.core.strict_json import to_json
from lama_odds.web import limits
from lama_odds.web.errors import RefusedError
from lama_odds.web.guard import HEADERS


class Connection(H11Protocol):
    """A connection of a client."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._last: Any = None  # the request that was answered when somebody last looked
        self._look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless there are too many."""
        super().connection_made(transport)
        mine = sum(_host(other) == _host(self) for other in self.connections)
        if len(self.connections) > limits.CONNECTIONS or mine > limits.CONNECTIONS_EACH:
            transport.close()
            return
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, in the same way as all else that is refused."""
        body = to_json(RefusedError(400, msg).to_json()).encode()
        headers = [(name.lower().encode(), text.encode()) for name, text in HEADERS.items()]
        headers += [(b"content-type", b"application/json"), (b"connection", b"close")]
        headers += [(b"content-length", str(len(body)).encode())]
        for event in (
            h11.Response(status_code=400, headers=headers),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _look_later(self) -> None:
        self._look = self.loop.call_later(limits.HEADER_SECONDS, self._close_if_idle)

    def _close_if_idle(self) -> None:
        """Close it if no request has begun since the last look, and none is being answered."""
        if self.conn.their_state is h11.IDLE and self.cycle is self._last:
            self.transport.close()
            return
        self._last = self.cycle
        self._look_later()


def _host(connection: Any) -> str:
    return str(connection.client[0]) if connection.client else ""
