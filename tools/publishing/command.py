"""The command `tools/publish`: its arguments, the list, and its messages."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import filelock

from lama_odds.core.errors import LamaOddsError, LimitError, ReadError, near_names
from lama_odds.core.files import write_whole
from lama_odds.core.reading import read_json
from tools.publishing.chain import Chain, Request
from tools.publishing.child import ROOT, spawn
from tools.publishing.published import Inputs
from tools.publishing.registry import targets
from tools.publishing.sources import Sources
from tools.publishing.target import Making, Target

KEPT = ROOT / ".publish"  # work that was stopped, times, trials: not in the repository
DESCRIPTION = """\
Makes the files of the repository that are computed: data, reports, pages with outputs.

A target is made again only if something it depends on has changed: its options, the code that it
can reach, files that it reads, the files it wrote. Targets that it depends on are made first. If a
target is stopped or fails, the same command resumes it. reports/published.json records the inputs
of each target.
"""
EXAMPLES = """\
examples:
  tools/publish --list                 every target: up to date or why not, time, files
  tools/publish all --dry-run          what would be made, and why
  tools/publish all                    make what is out of date, except what takes hours
  tools/publish all --deep             that too: fitted, tuned and solved data
  tools/publish league                 the league, and what it depends on
  tools/publish league --quick         a trial of few games, to .publish/quick
  tools/publish league --set games=200 --out /tmp/trial
  tools/publish pages --alone          from the present data and reports, up to date or not
  tools/publish league --accept        only record its files as up to date
  tools/publish best-response --again  its pages from its table, without playing
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; an exit code."""
    signal.signal(signal.SIGTERM, _end)
    try:
        return publish(read_arguments(arguments))
    except LamaOddsError as error:
        print(f"tools/publish: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        say("stopped: the same command resumes there")
        return 130


def _end(*_: object) -> None:
    """Let the process that makes a target end with this one."""
    sys.exit(143)


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What is typed; --help and mistakes of options end here."""
    parser = argparse.ArgumentParser(
        prog="tools/publish",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="targets, or all")
    add("--list", action="store_true", help="every target: state, time, what it needs and writes")
    add("--dry-run", action="store_true", help="say what would be made, and why")
    add("--quick", action="store_true", help="trials of few games, not to the published files")
    add("--alone", action="store_true", help="without what the targets depend on")
    add("--force", action="store_true", help="make those named even if they are up to date")
    add("--deep", action="store_true", help="with all: what takes hours too")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="an option of the target")
    add("--out", type=Path, metavar="DIR", help="write to another folder, laid out like this one")
    add("--accept", action="store_true", help="only record the present files as up to date")
    add("--again", action="store_true", help="pages only, from tables that are there")
    add("--threads", type=int, metavar="N", help="threads (default: all processors)")
    given = parser.parse_args(arguments)
    if not given.names and not given.list:
        parser.print_help()
        parser.exit(2)
    return given


def publish(given: argparse.Namespace) -> int:
    """Do what the arguments say; return an exit code."""
    out = given.out or (KEPT / "quick" if given.quick else ROOT)
    out = Path(os.path.abspath(out))
    chain = Chain(targets(), ROOT, out, Sources(ROOT))
    names = tuple(given.names or ["all"])
    chain.named(names)  # unknown names are refused before anything is done
    wanted = Request(
        names, given.quick, _options(chain, given), given.force, given.deep, given.alone
    )
    if given.list:
        print(listed(chain, wanted, _times()))
        return 0
    if given.dry_run:
        print(planned(chain, wanted))
        return 0
    KEPT.mkdir(exist_ok=True)
    try:
        with filelock.FileLock(KEPT / "lock", timeout=0):
            return _make(chain, wanted, given)
    except filelock.Timeout:
        raise LimitError(
            "another tools/publish of this checkout is at work: wait until it is done"
        ) from None


def _make(chain: Chain, request: Request, given: argparse.Namespace) -> int:
    if given.accept:
        say(f"recorded as up to date: {', '.join(chain.accept(request))}")
        return 0

    def run(target: Target, options: Mapping[str, Any], inputs: Inputs) -> None:
        began = time.monotonic()
        spawn(target, _making(chain, target, options, inputs.key, given), given.again)
        seconds = time.monotonic() - began
        say(f"{target.name}: made in {duration(seconds)}")
        if chain.out == ROOT and not given.again:
            times = {**_times(), target.name: round(seconds, 1)}
            write_whole(KEPT / "times.json", json.dumps(times, indent=1) + "\n")

    if given.again:
        for name in request.names:
            target = chain.of(name)
            options = chain.options(target, request)
            run(target, options, Inputs(options, {}, {}))
            say(f"look at it; then tools/publish {name} --accept records it as up to date")
        return 0
    made = chain.make(request, run, say)
    if made and chain.out != ROOT:
        say(f"written to {chain.out}")
    return 0


def _making(
    chain: Chain, target: Target, options: Mapping[str, Any], key: str, given: argparse.Namespace
) -> Making:
    words = ["tools/publish", target.name] + ["--quick"] * given.quick
    usual = {**target.options, **(target.quick if given.quick else {})}
    changed = (f"{n}={v}" for n, v in options.items() if v != usual.get(n))
    words += [f"--set {shlex.quote(setting)}" for setting in changed]
    work = KEPT / "work" / target.name / key
    return Making(target.name, chain.out, options, work, " ".join(words), given.threads)


def _options(chain: Chain, given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """What --set changes, of each target that is named; ReadError for what none of them has."""
    changed: dict[str, dict[str, Any]] = {}
    for text in given.set:
        name, equals, value = text.partition("=")
        having = [t for t in map(chain.targets.get, given.names) if t and name in t.options]
        if not equals or not having:
            known = sorted({n for t in map(chain.targets.get, given.names) if t for n in t.options})
            raise ReadError(
                f"--set {text}: expected NAME=VALUE with an option of a target that is named",
                hints=near_names(name, known),
            )
        for target in having:
            kind = type(target.options[name])
            try:
                changed.setdefault(target.name, {})[name] = kind(value)
            except ValueError:
                like = target.options[name]
                raise ReadError(f"--set {text}: expected a value like {like!r}") from None
    return changed


def listed(chain: Chain, request: Request, times: Mapping[str, float]) -> str:
    """Return the requested targets: state, time of the last making, what each needs and writes."""
    rows = [("TARGET", "STATE", "TOOK", "AFTER", "WRITES")]
    why = {}
    for step in chain.planned(request):
        target = step.target
        state = "up to date" if not step.reasons else "out of date" + " (deep)" * target.deep
        after = ", ".join(other.name for other in chain.before(target)) or "–"
        rows.append((target.name, state, duration(times.get(target.name)), after, target.what))
        details = [f"writes {name}" for name in target.writes]
        why[target.name] = details + [f"because {reason}" for reason in step.reasons]
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    lines = []
    for name, state, took, after, what in rows:
        first = f"{name:{widths[0]}}  {state:{widths[1]}}  {took:>{widths[2]}}  "
        if name == "TARGET":
            lines.append(f"{first}WHAT")
            continue
        lines += [first + what, f"    after {after}", *(f"    {line}" for line in why[name])]
    return "\n".join(lines)


def planned(chain: Chain, request: Request) -> str:
    """What would be made, in order, and why."""
    steps = chain.planned(request)
    lines = []
    for step in steps:
        verb = "make" if step.due else "leave" if step.left else "up to date:"
        reasons = f": {'; '.join(step.reasons)}" if step.reasons else ""
        lines.append(f"{verb} {step.target.name}{reasons}")
    due = sum(step.due for step in steps)
    return "\n".join([*lines, f"{due} of {len(steps)} would be made; nothing was done"])


def duration(seconds: float | None) -> str:
    """Seconds as a person says them."""
    if seconds is None:
        return "–"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def say(text: str) -> None:
    """A line on stderr."""
    print(text, file=sys.stderr, flush=True)


def _times() -> dict[str, float]:
    """Seconds that each target took here when it was last made."""
    try:
        times = read_json(KEPT / "times.json")
        return {str(name): float(seconds) for name, seconds in times.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}
