"""Errors as JSON, with their status: nothing else leaves the server when something goes wrong."""

from __future__ import annotations

from typing import Any

from lama_odds.core.errors import ImpossibleError, LamaOddsError, NothingToDecideError, ReadError

UNPROCESSABLE = 422
REFUSED = "refused"


class RefusedError(Exception):
    """A request that is not answered, with the status that says why."""

    def __init__(self, status: int, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.retry = retry  # seconds after which it may be tried again

    def to_json(self) -> dict[str, Any]:
        """The error object."""
        return error_json(REFUSED, self.message)

    @property
    def headers(self) -> dict[str, str]:
        """What the reply says besides."""
        return {} if self.retry is None else {"Retry-After": str(self.retry)}


def error_json(
    kind: str, message: str, start: int | None = None, defects: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return an error object. start: the place in the text that was read."""
    told = {"kind": kind, "message": message, "start": start, "defects": list(defects)}
    return {"error": told}


def error_of(error: LamaOddsError) -> dict[str, Any]:
    """Return the error object of a question that has no answer."""
    if isinstance(error, ReadError):
        message = "\n".join([error.message, *(hint.strip() for hint in error.hints)])
        place = None if error.text is None else error.at
        return error_json("cannot read", message, place)
    if isinstance(error, NothingToDecideError):
        message = f"{error.what} leaves nothing to decide"
        return error_json("nothing to decide", message, defects=error.defects)
    if isinstance(error, ImpossibleError):
        return error_json("cannot occur", f"{error.what} cannot occur", defects=error.defects)
    return error_json("limits", str(error))
