"""Many positions: a stop is no error of a position."""

from __future__ import annotations

from typing import Any

import pytest

from lama_odds.analysis.advice.many import Asked, advise_each
from lama_odds.analysis.advice.rollouts import StoppedEarlyError
from lama_odds.core.errors import LimitError


def test_a_stop_ends_the_list_and_a_limit_does_not() -> None:
    def answer(text: str) -> Any:
        raise (StoppedEarlyError if text == "stop" else LimitError)("too few games")

    each = advise_each([Asked("limit"), Asked("stop"), Asked("limit")], answer, 1)
    first = next(each)
    assert (first.code, first.error) == (4, "too few games")
    with pytest.raises(KeyboardInterrupt):
        next(each)
