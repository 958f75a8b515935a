"""A target is made in a process of its own: data files are read once a process, and may be new."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from lama_odds.core.errors import LamaOddsError
from tools.publishing.registry import load
from tools.publishing.target import Making, Target
from tools.publishing.watch import watched

# Sums of linear algebra depend on the number of threads, and so would what is fitted. What is
# published is English, whatever language is usual here.
SETTINGS = {"OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C"}
ROOT = Path(__file__).resolve().parent.parent.parent


class FailedError(LamaOddsError):
    """A target was not made; what went wrong has been printed."""


def spawn(target: Target, making: Making, again: bool) -> None:
    """Make a target in another process; FailedError if that fails. Its folder `work` goes then.

    again: only pages, from tables that are there.
    """
    given = {
        "module": target.module,
        "name": making.name,
        "out": str(making.out),
        "options": dict(making.options),
        "work": str(making.work),
        "command": making.command,
        "threads": making.threads,
        "again": again,
    }
    call = [sys.executable, "-P", "-m", "tools.publishing.child", json.dumps(given)]
    child = subprocess.Popen(call, env={**os.environ, **SETTINGS})
    try:
        code = child.wait()
    except BaseException as error:
        if not isinstance(error, KeyboardInterrupt):  # the child got that too
            child.terminate()
        child.wait()
        raise
    if code:
        raise FailedError(f"{making.name} was not made: the lines above say why")
    shutil.rmtree(making.work, ignore_errors=True)


def make(target: Target, making: Making, again: bool) -> None:
    """Make a target in this process."""
    making.work.mkdir(parents=True, exist_ok=True)
    act = target.again if again else target.make
    if act is None:
        raise LamaOddsError(f"{target.name} keeps no tables that its pages could be made from")
    with watched(target, ROOT, making.out):
        act(making)


def main(text: str) -> int:
    """What the other process does; an exit code."""
    given: dict[str, Any] = json.loads(text)
    again = given.pop("again")
    target = load(given.pop("module"))
    making = Making(**{**given, "out": Path(given["out"]), "work": Path(given["work"])})
    try:
        make(target, making, again)
    except LamaOddsError as error:
        print(f"tools/publish: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
