"""Before the first prompt all is loaded that turns and advice of a game need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.calls import PATIENCE, environment


@pytest.mark.long
@pytest.mark.parametrize(
    "asked",
    [
        ("dice/amigo", "2", "against", "4"),
        ("lama/party+drama", "3", "against", "3"),
        ("pikomino/egmont", "2", "table", "4"),
        ("noprob/starnberger", "2", "against", "2"),
    ],
)
def test_nothing_is_compiled_or_loaded_after_the_first_prompt(asked: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.analysis.loaded", *asked],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == ""
