"""The order of the targets, which of them are out of date, and making those."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lama_odds.core.errors import LimitError, ReadError, near_names
from tools.publishing.published import (
    ABSENT,
    Inputs,
    Made,
    inputs_of,
    outputs_of,
    read_published,
    why,
    write_published,
)
from tools.publishing.sources import Sources
from tools.publishing.target import Target, meet

ALL = "all"

DEEP = "it takes hours: name it, or --deep"

# Makes a target with these options from these inputs; what it raises stops the chain.
Run = Callable[[Target, Mapping[str, Any], Inputs], None]
Tell = Callable[[str], None]

MADE_ONCE = "  a study that was made once: docs/results/index.md names the commit that makes it"


@dataclass(frozen=True)
class Request:
    """What a call asks for.

    names: targets; ALL alone for all. quick: trials. changed: options by target, others than the
    published ones. force: also what is up to date. deep: with ALL, also what takes hours. alone:
    without what the targets depend on, which is read unchanged.
    """

    names: tuple[str, ...]
    quick: bool = False
    changed: Mapping[str, Mapping[str, Any]] | None = None
    force: bool = False
    deep: bool = False
    alone: bool = False


@dataclass(frozen=True)
class Step:
    """A target in turn. reasons: why it is out of date; left: it is, and stays so."""

    target: Target
    reasons: tuple[str, ...]
    left: bool = False

    @property
    def due(self) -> bool:
        """Whether it is to be made."""
        return bool(self.reasons) and not self.left


class Chain:
    """Targets that depend on each other.

    root: the checkout, where files are read. out: where they are written, root or a folder laid out
    like it.
    """

    def __init__(self, targets: Sequence[Target], root: Path, out: Path, sources: Sources) -> None:
        """LimitError if two targets write the same file, or if they wait for each other."""
        self.targets = {target.name: target for target in targets}
        self.root, self.out, self.sources = root, out, sources
        _check_writers(targets)
        self._order = list(_in_order(self))

    def before(self, target: Target) -> list[Target]:
        """The targets that write what one reads."""
        return [
            other
            for other in self.targets.values()
            if other is not target and any(meet(w, r) for w in other.writes for r in target.reads)
        ]

    def named(self, names: Collection[str], alone: bool = False) -> list[Target]:
        """Targets by name with all they depend on, in order; ReadError for a name unknown.

        alone: without what they depend on. Written elsewhere they are trials, made from what is
        published: alone too.
        """
        if ALL in names:
            return self._order
        if alone or self.out != self.root:
            return [target for target in self._order if target in list(map(self.of, names))]
        wanted: set[str] = set()
        waiting = [self.of(name) for name in names]
        while waiting:
            target = waiting.pop()
            if target.name not in wanted:
                wanted.add(target.name)
                waiting += self.before(target)
        return [target for target in self._order if target.name in wanted]

    def of(self, name: str) -> Target:
        """A target by name; ReadError with near names."""
        if name not in self.targets:
            known = (*self.targets, ALL)
            hints = (*near_names(name, known), MADE_ONCE)
            raise ReadError(f"unknown target {name!r}", hints=hints)
        return self.targets[name]

    def options(self, target: Target, request: Request) -> dict[str, Any]:
        """Return the options of a requested target.

        Raises ReadError for one that it does not have.
        """
        changed = (request.changed or {}).get(target.name, {})
        return {**target.options, **(target.quick if request.quick else {}), **changed}

    def steps(self, request: Request) -> Iterator[Step]:
        """Yield the requested targets in order, each in its state when its turn comes."""
        for target in self.named(request.names, request.alone):
            now = inputs_of(target, self.options(target, request), self.root, self.sources)
            made = read_published(self.out).get(target.name)
            reasons = why(made, now, outputs_of(target, self.out))
            yield self._step(target, reasons, request)

    def planned(self, request: Request) -> list[Step]:
        """The steps if nothing were made yet: what depends on a target that is due is due."""
        steps: dict[str, Step] = {}
        for step in self.steps(request):
            due = [
                b.name for b in self.before(step.target) if b.name in steps and steps[b.name].due
            ]
            if due and self.out == self.root:
                reasons = [*step.reasons, f"{', '.join(due)} may come out otherwise"]
                step = self._step(step.target, reasons, request)
            steps[step.target.name] = step
        return list(steps.values())

    def make(self, request: Request, run: Run, tell: Tell) -> list[str]:
        """Make what is due, in order; its names.

        What `run` raises ends it: what was made before stays recorded. LimitError if a target did
        not write all its files.
        """
        made = []
        for step in self.steps(request):
            target = step.target
            if step.due:
                tell(f"{target.name}: {'; '.join(step.reasons)}")
                self._make(target, self.options(target, request), run, tell)
                made.append(target.name)
            elif step.left:
                tell(f"{target.name}: not made, though {'; '.join(step.reasons)} ({DEEP})")
            else:
                tell(f"{target.name}: up to date")
        return made

    def accept(self, request: Request) -> list[str]:
        """Record the files of the requested targets as if they were made now; return their names.

        Targets on which they depend are not included. Raises LimitError if a file is missing.
        """
        names = list(self.targets if ALL in request.names else request.names)
        for target in map(self.of, names):
            options = self.options(target, request)
            self._record(target, inputs_of(target, options, self.root, self.sources))
        return names

    def _step(self, target: Target, reasons: Sequence[str], request: Request) -> Step:
        named = target.name in request.names
        every = ALL in request.names and (request.deep or not target.deep)
        if not reasons and request.force and (named or every):
            reasons = ["requested"]
        left = target.deep and not request.deep and not named
        return Step(target, tuple(reasons), left and bool(reasons))

    def _make(self, target: Target, options: Mapping[str, Any], run: Run, tell: Tell) -> None:
        now = inputs_of(target, options, self.root, self.sources)
        for name, digest in now.files.items():
            if digest == ABSENT:
                raise LimitError(f"{target.name} reads {name}, which is missing")
        run(target, options, now)
        if inputs_of(target, options, self.root, self.sources) != now:
            tell(f"{target.name}: what it is made from changed meanwhile: not recorded")
        else:
            self._record(target, now)

    def _record(self, target: Target, inputs: Inputs) -> None:
        outputs = outputs_of(target, self.out)
        for name, digest in outputs.items():
            if digest == ABSENT:
                raise LimitError(f"{target.name}: there is no {name}")
        published = read_published(self.out)
        write_published(self.out, {**published, target.name: Made(inputs, outputs)})


def _check_writers(targets: Sequence[Target]) -> None:
    for at, one in enumerate(targets):
        for other in targets[:at]:
            for name in one.writes:
                if one.name == other.name or any(meet(name, also) for also in other.writes):
                    raise LimitError(f"{other.name} and {one.name} both write {name}")


def _in_order(chain: Chain) -> Iterator[Target]:
    """Every target after those it depends on, else as listed."""
    done: set[str] = set()
    open_: list[str] = []

    def visit(target: Target) -> Iterator[Target]:
        if target.name in open_:
            raise LimitError(f"targets wait for each other: {' → '.join([*open_, target.name])}")
        if target.name not in done:
            open_.append(target.name)
            for other in chain.before(target):
                yield from visit(other)
            open_.pop()
            done.add(target.name)
            yield target

    for target in chain.targets.values():
        yield from visit(target)
