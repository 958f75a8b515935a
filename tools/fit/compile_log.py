"""What a question compiles, in which order, and how long each function takes by itself.

``python -m tools.fit.compile_log RULES POSITION`` asks for advice and writes a line of JSON. For
each function it has name and types, whether it is a part of callers, seconds, and what it needs.
What is compiled for that is not kept for others (see `logged`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lama_odds as lo
from lama_odds import jit
from lama_odds.jit.ahead import second_process
from lama_odds.jit.ahead.plain_types import Plain, plain_of

ROOT = Path(__file__).resolve().parent.parent.parent
Key = tuple[str, str, bool, str]  # module, name, part of callers, types


@dataclass
class Function:
    """A function that was compiled for some types.

    seconds: of processor time, without what it needs. needs: numbers of other functions.
    """

    module: str
    name: str
    part: bool
    types: list[Plain]
    seconds: float = 0.0
    needs: list[int] = field(default_factory=list)


class Log:
    """The functions that this process compiles, in the order in which they are begun."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self._known: dict[Key, int] = {}
        self._within: list[int] = []
        self._last = time.process_time()

    def watch(self) -> None:
        """Note from now on what is compiled."""
        keep = vars(jit)["keep_whole"]

        def kept(made: Any, folder: Path, counted: bool, called: bool) -> None:
            keep(made, folder, counted, called)
            compiling = made.compile

            def noted(signature: Any) -> Any:
                self._begin(made.py_func, not called, signature)
                try:
                    return compiling(signature)
                finally:
                    self._end()

            made.compile = noted

        vars(jit)["keep_whole"] = kept

    def _begin(self, function: Any, part: bool, signature: Any) -> None:
        self._count()
        types = [plain_of(each) for each in getattr(signature, "args", signature)]
        key = (function.__module__, function.__name__, part, json.dumps(types))
        if key not in self._known:
            self._known[key] = len(self.functions)
            self.functions.append(Function(*key[:3], types))
        number = self._known[key]
        if self._within and number not in self.functions[self._within[-1]].needs:
            self.functions[self._within[-1]].needs.append(number)
        self._within.append(number)

    def _end(self) -> None:
        self._count()
        self._within.pop()

    def _count(self) -> None:
        now = time.process_time()
        if self._within:
            self.functions[self._within[-1]].seconds += now - self._last
        self._last = now


def logged(rules: str, position: str) -> list[Function]:
    """Ask in a process of its own, which begins with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-m", "tools.fit.compile_log", rules, position],
            cwd=ROOT,
            env=os.environ | {"XDG_CACHE_HOME": cache},
            stdout=subprocess.PIPE,
            check=True,
        )
    return [Function(**each) for each in json.loads(done.stdout)]


def main() -> None:
    """Ask and write what was compiled."""
    rules, position = sys.argv[1:]
    second_process.off()
    log = Log()
    log.watch()
    lo.advise(rules, position)
    print(json.dumps([vars(each) for each in log.functions]))


if __name__ == "__main__":
    main()
