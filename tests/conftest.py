"""What holds for all tests: answers are as wide as they are in a pipe; some cases of many."""

import os
from collections import Counter

import pytest

# pytest-xdist hands its workers the width of the terminal, and `COLUMNS` sets that of answers.
os.environ.pop("COLUMNS", None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all cases of a test `long` but every n-th, where it says ``one_in(n)``."""
    seen = Counter[str]()
    for item in items:
        mark = item.get_closest_marker("one_in")
        if mark is not None:
            name = item.nodeid.partition("[")[0]
            if seen[name] % mark.args[0]:
                item.add_marker(pytest.mark.long)
            seen[name] += 1
