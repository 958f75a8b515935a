"""Connections: bounded in number and in time, and what is not HTTP is refused.

A connection ends if no request comes, if its answer was sent while the rest of the request was
not, and if nobody reads the answer. Where there are too many, the address with most gives way.
"""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lama_odds.core.strict_json import to_json
from lama_odds.web import guard
from lama_odds.web.guard import HEADERS, RefusedError
from lama_odds.web.work import make_room

_NUMBERS = itertools.count()


class Connection(H11Protocol):
    """A connection of a client. number: those made later have higher ones."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.number = next(_NUMBERS)
        self._last: Any = None  # the request that was answered when somebody last looked
        self._next_look: asyncio.TimerHandle | None = None
        self._unread_since: float | None = None  # when a look first found that nobody reads
        self._dropped = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; if there are too many, close one of the address that has most."""
        super().connection_made(transport)
        if not self._has_room():
            self.drop()
            return
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._next_look is not None:
            self._next_look.cancel()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Answer what has come; close it where that breaks the protocol in the middle."""
        try:
            super().handle_events()
        except h11.ProtocolError:
            self.drop()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless this one is not complete: the rest is not read.

        The client first sees the end of the answer, and some time later that of the connection.
        """
        if self.conn.their_state is not h11.SEND_BODY or self.transport.is_closing():
            super().on_response_complete()
            return
        self.flow.pause_reading()
        self.transport.write_eof()
        self.loop.call_later(guard.CLOSE_SECONDS, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, in the same way as all else that is refused."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.drop()  # an answer has begun
            return
        self._answer_no_more()
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

    def drop(self) -> None:
        """Close it at once, whatever is on its way."""
        self._dropped = True
        self._answer_no_more()
        self.transport.abort()

    def _has_room(self) -> bool:
        """Whether there is room for it, maybe because another connection was dropped."""
        by_host: dict[str, list[Connection]] = {}
        others: Any = self.connections - {self}
        for other in sorted(others, key=lambda other: other.number):
            if not other._dropped:
                by_host.setdefault(_host(other), []).append(other)
        return make_room(by_host, _host(self), guard.CONNECTIONS, guard.CONNECTIONS_EACH)

    def _answer_no_more(self) -> None:
        """Let a question that is being answered end: its answer is not sent."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.flow.resume_writing()

    def _look_later(self) -> None:
        self._next_look = self.loop.call_later(guard.HEADER_SECONDS, self.look)

    def look(self) -> None:
        """Close it if no request has begun since the last look, and none is being answered.

        Also close it if an answer has not been read for long.
        """
        now = self.loop.time()
        if not self.transport.get_write_buffer_size():
            self._unread_since = None
        elif self._unread_since is None:
            self._unread_since = now
        elif now - self._unread_since >= guard.UNREAD_SECONDS:
            self.drop()
            return
        idle = self.conn.their_state is h11.IDLE and self.cycle is self._last
        if idle and self._unread_since is None:
            self.transport.close()
            return
        self._last = self.cycle
        self._look_later()


def _host(connection: Any) -> str:
    return str(connection.client[0]) if connection.client else ""
