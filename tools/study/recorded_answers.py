"""Record the answers of the command line, to see later whether an internal change kept them.

    .venv/bin/python -m tools.study.recorded_answers record FILE    ask all, one JSON line each
    .venv/bin/python -m tools.study.recorded_answers check FILE     ask again, print differences

The questions are about all games and commands, exact and sampled ones with a fixed number of games.
So the same answers must come on any machine, except for times and versions. Where a processor's
last bit decides, floats are compared to twelve digits. Exit code 1 if an answer differs.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

VARY = {"seconds", "games_per_second", "version", "threads", "file"}
DIGITS = 1e-12
FIRST_LINE = "lama-odds record 1"

FEW, SMALL = ("--games", "1000"), ("--games", "2000")
POSITIONS = {
    "dice/amigo": (
        "hand=25L row=1346L opp=13",
        "hand=25L row=1346L opp=13,6LL",
        "hand=25L row=1346L opp=13 rolled=13L",
        "hand=236 row=345 opp=q1,q35 scores=20,30,35",
        "hand=14 row=36 opp=2 scores=10,12",
        "hand=3456L row=12 opp=q3",
        "hand=3456L row=12 opp=q3,14,256 scores=3,8,12,30",
    ),
    "dice/egmont": ("hand=25 opp=q6LL scores=12,15", "hand=12L opp=136,5", "hand=56L opp=5"),
    "dice/gigamic": ("hand=25 row=16 opp=q6LL scores=12,15", "hand=12L row=34 opp=136,5"),
    "lama/egmont": (
        "hand=3356L top=4 opp=4,q2,6",
        "hand=3356L top=4 opp=q4,q2",
        "hand=2245 top=6 opp=4,3",
        "hand=L top=3 opp=q4,3 scores=20,36,25",
        "hand=11L top=5 opp=3 scores=12,9",
        "hand=36 top=1 opp=2,2,5,4,6",
    ),
    "lama/egmont+twenty": ("hand=3356L top=4 opp=4,2", "hand=15L top=3 opp=3"),
    "lama/party": ("hand=33+5L top=4 opp=4,2,6", "hand=12P top=1 opp=3"),
    "lama/party+drama": (
        "hand=33+5LP top=4 opp=4,q2,6 pot=1,1,10 scores=9,1,20,3",
        "hand=33+5LP top=4 opp=4,5 pot=1,1,10 scores=12,31,5",
    ),
    "pikomino/egmont": (
        "kept=444W rolled=1245 own=24 tops=27",
        "kept=555W centre=21,25,36 stacks=23.24/26",
        "kept=11W centre=21,22,25 stacks=30/24/27",
        "centre=21,36 stacks=28/33",
        "kept=55 rolled=11344W own=28 tops=25,30,33",
    ),
    "noprob/starnberger": (
        "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK",
        "grid=3,3,?/?,(7),?/J,-1,-5 top=3 opp=?,?,?/?,?,?/?,?,?",
        "grid=?,?,?/?,?,?/?,?,? top=8 opp=?,?,?/?,?,?/?,?,?",
    ),
}
VARIANTS = {
    "dice": "+target=30",
    "lama": "+target=30",
    "pikomino": "+short",
    "noprob": "+copies=12",
}
POLICIES = {
    "dice/amigo": ("threshold:5", "threshold:9", "meanfield", "random"),
    "dice/egmont": ("threshold:6", "meanfield", "random"),
    "dice/gigamic": ("threshold:7", "meanfield"),
    "lama/egmont": ("matching:2", "threshold:9", "meanfield", "random"),
    "lama/egmont+twenty": ("matching:3", "meanfield"),
    "lama/party": ("matching:2", "meanfield"),
    "lama/party+drama": ("matching:4", "threshold:8"),
    "pikomino/egmont": ("first-tile", "random", "lead:50"),
    "noprob/starnberger": ("greedy", "random", "planner"),
}


def questions() -> Iterator[tuple[str, ...]]:
    """Yield all questions: the arguments of each call."""
    yield from _about_positions()
    for rules, policies in POLICIES.items():
        yield from _about_games(rules, policies)
    yield from _others()


def _about_positions() -> Iterator[tuple[str, ...]]:
    for rules, positions in POSITIONS.items():
        objectives = {"noprob": ("points", "win", "round"), "pikomino": ("points", "win")}.get(
            rules.partition("/")[0], ("points", "margin", "win")
        )
        for at, position in enumerate(positions):
            yield "odds", rules, position
            yield "advise", rules, position, *SMALL, "--seed", "3"
            for objective in objectives if at < 4 else objectives[:1]:
                yield "advise", rules, position, *SMALL, "--objective", objective
        weak = POLICIES[rules][0]
        yield "advise", rules, positions[0], *SMALL, "--opponents", weak
        yield "advise", rules, positions[-1], *SMALL, "--opponents", weak, "--play-out"
        yield "advise", rules, positions[0], *SMALL, "--sensitivity"


def _about_games(rules: str, policies: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    first, second = policies[:2]
    for players in ("2", "4"):
        yield "simulate", rules, "--players", players, "--policy", first, "--games", "600"
    if not rules.startswith("pikomino"):
        rounds = ("--rounds", "--games", "600")
        yield "simulate", rules, "--players", "3", "--policy", second, *rounds
    both = ("--policy", first, "--policy", second)
    yield "simulate", rules, "--players", "2", *both, "--games", "600", "--show", "1"
    yield "tournament", rules, "--players", "3", "--policies", ",".join(policies), *FEW
    yield "compare", rules, VARIANTS[rules.partition("/")[0]], "--players", "3", *SMALL
    for players in ("2", "3"):
        yield "thresholds", rules, "--players", players, *SMALL
    yield "policies", rules
    yield "rules", rules


def _others() -> Iterator[tuple[str, ...]]:
    for rules in ("dice/amigo", "dice/egmont", "lama/egmont", "lama/party"):
        yield "odds", rules
        yield "equity", rules
        yield "thresholds", rules, "--players", "2", *SMALL, "--objective", "win"
    for rules, family in (("dice/amigo", "threshold"), ("lama/egmont", "matching")):
        yield "tune", rules, family, "--players", "2", *SMALL
    yield ("rules",)
    for rules in ("dice/amigo", "lama/egmont", "pikomino/egmont", "noprob/starnberger"):
        yield "record", rules, "2", "best"


def ask(call: tuple[str, ...]) -> dict[str, Any]:
    """Exit code and answer of a call in this process; "record": a simulated game's review."""
    if call[0] == "record":
        return _reviewed(*call[1:])
    code, out, err = _said([*call, "--json"])
    answer = json.loads(out) if code == 0 else err
    return {"asked": list(call), "code": code, "answer": answer}


def _reviewed(rules: str, players: str, policy: str) -> dict[str, Any]:
    """What a review says of a game that a seed plays."""
    simulated = ("simulate", rules, "--players", players, "--policy", policy, *FEW)
    _, out, _ = _said([*simulated, "--seed", "5", "--show", "1"])
    text = out[out.index(FIRST_LINE) :].partition("\n\n")[0] + "\n"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.txt")
        file.write_text(text, encoding="utf-8")
        code, out, err = _said(["review", str(file), *FEW, "--json"])
    answer = err.replace(str(file), "FILE") if code else json.loads(out) | {"record": text}
    return {"asked": ["record", rules, players, policy], "code": code, "answer": answer}


def _said(args: list[str]) -> tuple[Any, str, str]:
    from lama_odds.cli.commands import run

    out, err = io.StringIO(), io.StringIO()
    code: Any = 0
    with (
        mock.patch.object(sys, "argv", ["lama-odds", *args]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            run()
        except SystemExit as end:
            code = 0 if end.code is None else end.code
    return code, out.getvalue(), err.getvalue()


def kept(answer: Any) -> Any:
    """An answer without what may differ between two runs of the same question."""
    if isinstance(answer, dict):
        return {name: kept(part) for name, part in answer.items() if name not in VARY}
    return [kept(part) for part in answer] if isinstance(answer, list) else answer


def differences(before: Any, now: Any, path: str = "") -> Iterator[str]:
    """Where two answers differ, one line each."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in [*before, *(name for name in now if name not in before)]:
            if name not in before or name not in now:
                yield f"{path}.{name}: only {'now' if name in now else 'before'}"
            else:
                yield from differences(before[name], now[name], f"{path}.{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for at, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, f"{path}[{at}]")
    elif isinstance(before, float) and isinstance(now, float):
        if not math.isclose(before, now, rel_tol=DIGITS, abs_tol=DIGITS):
            yield f"{path}: {before!r}, now {now!r}"
    elif before != now:
        yield f"{path}: {before!r}, now {now!r}"


def main(args: Iterable[str]) -> int:
    """Record or check; the exit code."""
    what, name = args
    file = Path(name)
    begun = time.monotonic()
    if what == "record":
        lines = []
        for call in questions():
            reply = ask(call)
            lines.append(json.dumps(reply | {"answer": kept(reply["answer"])}, ensure_ascii=False))
            if reply["code"]:
                print(reply["code"], *call, reply["answer"], file=sys.stderr)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{len(lines)} answers in {time.monotonic() - begun:.0f} s")
        return 0
    differ = total = 0
    for line in file.read_text(encoding="utf-8").splitlines():
        before = json.loads(line)
        now = ask(tuple(before["asked"]))
        apart = list(differences(before["answer"], kept(now["answer"])))
        total += 1
        differ += bool(apart)
        if apart:
            print("lama-odds", *before["asked"])
            print(*(f"    {line}" for line in apart[:8]), sep="\n")
    print(f"{differ} of {total} answers differ ({time.monotonic() - begun:.0f} s)")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
