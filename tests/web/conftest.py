"""One server for all tests of the page in a process, and a phone that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.phone import Phone, opened
from tests.web.served import Server, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.fixture
def phone(browser: Any, server: Server) -> Iterator[Phone]:
    """A phone; the test fails on errors, and on anything that is loaded from elsewhere."""
    with opened(browser, server) as found:
        yield found
