"""Try whether the tests would notice a wrong program: one small change at a time.

    .venv/bin/python -m tools.study.mutants [--number N] [--seed S] [--slots K] [--out FILE]

Places are drawn at random, evenly over the parts of the program named in `PARTS`. Within a part
they are drawn evenly over the kinds of change: a comparison, an operator, a number, a condition.
For each one the tests run until one fails, those of its part first. A run that takes much longer
than usual counts as noticed too. What the short tests do not notice is tried on all of them. The
table (Markdown) has for each mutant what was changed and which test noticed it.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent.parent
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "reports", "build")
# Parts of the program, and the tests that are run first.
PARTS = {
    **{
        f"games/{game}/{room}": (f"tests/games/{game}", "tests/games")
        for game in ("dice", "lama", "pikomino", "noprob")
        for room in ("rules", "engine", "solvers")
    },
    "games/shared": ("tests/games",),
    "statistics": ("tests/statistics", "tests/calibration", "tests/analysis"),
    "analysis": ("tests/analysis", "tests/report"),
    "luck": ("tests/core/test_bits.py",),
}
LONG = 1200.0  # seconds: a run that has not ended by then is caught in a loop (on a quiet machine)
OPPOSITE = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Mod: "//"}


@dataclass(frozen=True)
class Mutant:
    """One change: characters from `begin` to `end` of a file become `new`."""

    part: str
    file: Path
    line: int
    begin: int
    end: int
    old: str
    new: str

    @property
    def name(self) -> str:
        """The place, and what was changed there."""
        place = self.file.as_posix().removeprefix("lama_odds/")
        return f"{place}:{self.line} `{self.old.strip()}` → `{self.new.strip()}`"


class Finder(ast.NodeVisitor):
    """The places of a file where a mutant can be made: inside functions, not in what they say."""

    def __init__(self, part: str, file: Path, text: str) -> None:
        self.part, self.file, self.text = part, file, text
        lines = text.encode().splitlines(keepends=True)
        self.starts = [sum(map(len, lines[:at])) for at in range(len(lines) + 1)]
        self.inside = 0
        self.found: list[tuple[str, Mutant]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """What is done; neither types nor default values."""
        self.inside += 1
        for statement in node.body:
            self.visit(statement)
        self.inside -= 1

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The value alone."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """What a message says is not looked at."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Nor is a text with values in it."""

    def visit_Compare(self, node: ast.Compare) -> None:
        """Another comparison."""
        if len(node.ops) == 1 and type(node.ops[0]) in OPPOSITE:
            new = OPPOSITE[type(node.ops[0])]
            self._between("comparison", node.left, node.comparators[0], r"[<>=!]=?", new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Another operation; texts are put together with + too and stay."""
        texts = any(
            isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(node)
        )
        if type(node.op) in ARITHMETIC and not texts:
            self._between(
                "operator", node.left, node.right, r"//|[-+*%]", ARITHMETIC[type(node.op)]
            )
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """All or one of two conditions."""
        if len(node.values) == 2:
            new = "or" if isinstance(node.op, ast.And) else "and"
            self._between("condition", node.values[0], node.values[1], r"\b(and|or)\b", new)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """A number that is one more."""
        if self.inside and type(node.value) is int:
            self._add("number", self._at(node), self._at(node, True), str(node.value + 1))

    def _between(self, kind: str, left: ast.expr, right: ast.expr, sign: str, new: str) -> None:
        begin, end = self._at(left, True), self._at(right)
        middle = self.text.encode()[begin:end].decode()
        match = re.search(sign, middle)
        if self.inside and match and "#" not in middle:
            at = begin + len(middle[: match.start()].encode())
            self._add(kind, at, at + len(match.group()), new)

    def _add(self, kind: str, begin: int, end: int, new: str) -> None:
        content = self.text.encode()
        line = content[:begin].count(b"\n") + 1
        old = content[begin:end].decode()
        self.found.append((kind, Mutant(self.part, self.file, line, begin, end, old, new)))

    def _at(self, node: ast.expr, end: bool = False) -> int:
        line = node.end_lineno if end else node.lineno
        column = node.end_col_offset if end else node.col_offset
        return self.starts[(line or 1) - 1] + (column or 0)


def mutants(number: int, seed: int) -> list[Mutant]:
    """Return mutants, drawn evenly over parts and kinds."""
    draw = random.Random(seed)
    pools: dict[str, dict[str, list[Mutant]]] = {}
    for part in PARTS:
        for file in sorted((ROOT / "lama_odds" / part).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            finder = Finder(part, file.relative_to(ROOT), text)
            finder.visit(ast.parse(text))
            for kind, mutant in finder.found:
                pools.setdefault(part, {}).setdefault(kind, []).append(mutant)
    parts = list(pools)
    chosen: list[Mutant] = []
    while len(chosen) < number:
        kinds = pools[parts[len(chosen) % len(parts)]]
        mutant = draw.choice(kinds[draw.choice(sorted(kinds))])
        if mutant not in chosen:
            chosen.append(mutant)
    return chosen


class Slot:
    """A copy of the program, in which one mutant after the other is tried."""

    def __init__(self, folder: Path, patience: float) -> None:
        self.folder, self.patience = folder, patience
        shutil.copytree(ROOT, folder, ignore=LEFT_OUT, symlinks=True)
        for name in ("reports",):  # read by tests
            shutil.copytree(ROOT / name, folder / name)

    def run(self, first: tuple[str, ...], whole: bool) -> tuple[str, float]:
        """The first test that fails ("" if all pass), and the seconds; `first`: tests of the part.

        The tests of the part run by themselves, so that most mutants need nothing else collected.
        """
        begun = time.monotonic()
        noticed = self._failed(tuple(dict.fromkeys(first)), (), whole) if first else ""
        if not noticed:
            noticed = self._failed(("tests",), first, whole)
        return noticed, time.monotonic() - begun

    def _failed(self, tests: tuple[str, ...], left_out: tuple[str, ...], whole: bool) -> str:
        """The first of these tests that fails, "" if none does."""
        chosen = () if whole else ("-m", "not long")
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "XDG_CACHE_HOME": str(self.folder.with_suffix(".cache")),
        }
        # Tests start hundreds of processes, which would all compile the same modules.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        call = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *chosen]
        try:
            done = subprocess.run(
                [*call, *tests, *(f"--ignore={test}" for test in left_out)],
                cwd=self.folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=self.patience * (4 if whole else 1),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "no end"
        if done.returncode == 0:
            return ""
        failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        return failed[0] if failed else f"exit {done.returncode}"

    def tried(self, mutant: Mutant, short_only: bool) -> tuple[str, str, float]:
        """What noticed a mutant ("" for nothing), among which tests, and the seconds."""
        file = self.folder / mutant.file
        kept, stat = file.read_bytes(), file.stat()
        file.write_bytes(kept[: mutant.begin] + mutant.new.encode() + kept[mutant.end :])
        try:
            noticed, seconds = self.run(PARTS[mutant.part], whole=False)
            if noticed or short_only:
                return noticed, "short" if noticed else "", seconds
            noticed, more = self.run(PARTS[mutant.part], whole=True)
            return noticed, "all" if noticed else "", seconds + more
        finally:
            file.write_bytes(kept)
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def rows(
    chosen: list[Mutant], slots: int, folder: Path, short_only: bool = False, patience: float = LONG
) -> Iterator[str]:
    """Lines of the table, as they are known; the slots are tried without a mutant first."""
    free: SimpleQueue[Slot] = SimpleQueue()

    def ready(at: int) -> None:
        slot = Slot(folder / f"slot{at}", patience)
        noticed, seconds = slot.run((), whole=False)
        if noticed:
            raise SystemExit(f"the tests fail without any change: {noticed}")
        print(f"slot {at}: {seconds:.0f} s without a change", file=sys.stderr, flush=True)
        free.put(slot)

    def one(mutant: Mutant) -> str:
        slot = free.get()
        try:
            noticed, tests, seconds = slot.tried(mutant, short_only)
        finally:
            free.put(slot)
        line = f"| {mutant.name} | {tests or '**nothing**'} | {noticed} | {seconds:.0f} |"
        print(line, file=sys.stderr, flush=True)
        return line

    with ThreadPoolExecutor(slots) as pool:
        list(pool.map(ready, range(slots)))
        yield from pool.map(one, chosen)


def main() -> None:
    """Draw, try, and write the table."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--number", type=int, default=48)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--slots", type=int, default=2)
    arguments.add_argument("--folder", type=Path, required=True, help="for copies of the program")
    arguments.add_argument("--out", type=Path, default=Path("mutants.md"))
    arguments.add_argument("--short-only", action="store_true", help="without all tests")
    arguments.add_argument("--patience", type=float, default=LONG, help="seconds of one run")
    arguments.add_argument("--list", action="store_true", help="only say what would be tried")
    given = arguments.parse_args()
    chosen = mutants(given.number, given.seed)
    if given.list:
        print(*(mutant.name for mutant in chosen), sep="\n")
        return
    lines = list(rows(chosen, given.slots, given.folder, given.short_only, given.patience))
    short = sum("| short |" in line for line in lines)
    every = short + sum("| all |" in line for line in lines)
    head = ["| mutant | noticed by | first test | s |", "|---|---|---|---|"]
    summary = f"{short} of {len(lines)} noticed by the short tests, {every} by all."
    given.out.write_text("\n".join([summary, "", *head, *lines]) + "\n", encoding="utf-8")
    print(summary)


if __name__ == "__main__":
    main()
