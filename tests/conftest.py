"""What holds for all tests: answers are as wide as in a pipe; some cases of many; a browser."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

# pytest-xdist hands its workers the width of the terminal, and `COLUMNS` sets that of answers.
os.environ.pop("COLUMNS", None)
os.environ["LC_ALL"] = "C"  # answers are English unless a test wants another language


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


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of a run have: what takes long is made in it once."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def browser_kernels(shared_folder: Path) -> Path:
    """The compiled functions of all games for a browser, built once for all workers."""
    from tools.browser.kernels import build
    from tools.browser.needed import listed

    made = shared_folder / "browser-kernels"
    with FileLock(shared_folder / "browser-kernels.lock"):
        if not (made / "whole").exists():
            build(made / "begun", listed())
            (made / "begun").rename(made / "whole")
    return made / "whole"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser; tests are skipped without playwright or Chromium (Debian: chromium)."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("there is no chromium here")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()
