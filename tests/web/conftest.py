"""One server for all tests of the page in a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.served import Server, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("data")) as found:
        yield found
