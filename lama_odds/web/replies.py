"""What requests bring, and what is sent back: JSON, and answers that somebody still waits for."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from lama_odds.core.errors import LimitError
from lama_odds.core.strict_json import from_json, to_json
from lama_odds.web import limits
from lama_odds.web.errors import RefusedError
from lama_odds.web.questions import Question
from lama_odds.web.streams import until_gone
from lama_odds.web.work import Work


def reply(found: Any, status: int = 200) -> Response:
    """Return JSON as a reply."""
    return Response(to_json(found), status, media_type="application/json")


async def body_of(request: Request) -> Any:
    """Return the JSON that was sent.

    Raises RefusedError if it is too long, takes too long, or is not JSON.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(400, "expected JSON, with the content type application/json")
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length) > limits.MOST_BODY:
        raise RefusedError(413, f"at most {limits.MOST_BODY:,} bytes are read")
    body = bytearray()
    try:
        async with asyncio.timeout(limits.BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > limits.MOST_BODY:
                    raise RefusedError(413, f"at most {limits.MOST_BODY:,} bytes are read")
        return from_json(body.decode())
    except TimeoutError:
        raise RefusedError(400, "the request took too long") from None
    except ValueError as error:
        raise RefusedError(400, f"no JSON: {error}"[:200]) from None


def client_of(request: Request) -> str:
    """Return who asks: clients share fairly."""
    return request.client.host if request.client else ""


async def answered(request: Request, question: Question) -> Any:
    """Return the answer to a question; it is stopped if nobody waits for it any more."""
    work: Work = request.app.state.work
    task = work.ask(question.asked, client_of(request), question.lane)
    gone = asyncio.create_task(until_gone(request.receive))
    try:
        await asyncio.wait({task.answer, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.answer.done():
            raise ClientDisconnect
        if task.answer.cancelled():
            raise RefusedError(503, "the server is ending")
        return task.answer.result()
    except MemoryError:
        raise LimitError("this question takes more memory than there is") from None
    finally:
        task.cancel()
        gone.cancel()
