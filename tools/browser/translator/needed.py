"""What of the package answers need: everything else of it stays out of the browser.

A statement of a module is needed if something needed names what it binds; a method, if anything
needed names an attribute like it. So nothing that is called can be missing, unless its name is put
together while the program runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tools.browser.translator.scopes import bound, only_for_types
from tools.browser.translator.statements import is_compiled, is_stamped

PACKAGE = "lama_odds"
KEYS = "KEYS"  # what a class calls the attributes of its JSON, see `lama_odds/core/plain`
# Modules of plain rules on single numbers, which are translated although numba can compile them.
RULES = re.compile(r"\.(rules|shared)\.")
ASKING = frozenset(("getattr", "hasattr", "has", "attrgetter", "methodcaller"))


class Module:
    """A module's statements by what they bind, and its source."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.tree = ast.parse(path.read_text(), str(path))
        self.statements = [part for part in self.tree.body if not only_for_types(part)]
        self.names = bound(self.statements)
        self.by_name: dict[str, list[int]] = {}
        for at, node in enumerate(self.statements):
            for name_bound in self._concerns(node):
                self.by_name.setdefault(name_bound, []).append(at)

    def _concerns(self, node: ast.stmt) -> set[str]:
        """Return the names that a statement binds or, at the top of a module, changes."""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            return {node.name}
        concerned = bound([node])
        if isinstance(node, ast.Expr | ast.For | ast.Assign | ast.AugAssign):
            changed = [node.value] if isinstance(node, ast.Expr) else []
            changed += list(node.targets) if isinstance(node, ast.Assign) else []
            names = {
                each.id for part in changed for each in ast.walk(part) if isinstance(each, ast.Name)
            }
            concerned |= names & self.names
        return concerned


class Sources:
    """Where modules are: stand-ins for the browser first, then the package."""

    def __init__(self, root: Path, stand_ins: Path) -> None:
        self.root = root
        self.stand_ins = stand_ins

    @cache  # noqa: B019 (one object a build)
    def module(self, name: str) -> Module | None:
        """Return a module of the package; None for those of others."""
        if name.partition(".")[0] != PACKAGE:
            return None
        for folder in (self.stand_ins, self.root):
            base = folder.joinpath(*name.split("."))
            for path in (base.with_suffix(".py"), base / "__init__.py"):
                if path.exists():
                    return Module(name, path)
        return None


class Needed:
    """What is needed, found from some names in modules: ``(module, name)``."""

    def __init__(self, sources: Sources, roots: Iterable[tuple[str, str]]) -> None:
        self.sources = sources
        self.kept: dict[str, set[int]] = {}
        self.names: dict[str, set[str]] = {}
        self.attributes: set[str] = set()
        self.outside: set[tuple[str, str]] = set()
        self._classes: list[tuple[Module, ast.ClassDef]] = []
        self._done: set[tuple[str, int, str]] = set()
        self._values: set[str] = set()  # modules that are handed on, with any attribute
        self._waiting = list(roots)
        self._spread()

    def _spread(self) -> None:
        before = -1
        while before != len(self._done) + len(self.attributes) + len(self._values):
            before = len(self._done) + len(self.attributes) + len(self._values)
            while self._waiting:
                self.need(*self._waiting.pop())
            for module, node in list(self._classes):
                self._members(module, node)
            for name in sorted(self._values):
                known = self.sources.module(name)
                wanted = self.attributes & set(known.by_name) if known else ()
                self._waiting += [(name, what) for what in sorted(wanted)]

    def need(self, name: str, what: str) -> None:
        """Keep what a module binds to a name."""
        module = self.sources.module(name)
        if module is None:
            self.outside.add((name, what))
            return
        self.kept.setdefault(name, set())
        self.names.setdefault(name, set()).add(what)
        if what not in module.by_name and self.sources.module(f"{name}.{what}"):
            self.kept.setdefault(f"{name}.{what}", set())
        for at in module.by_name.get(what, ()):
            self._keep(module, at, what)

    def _keep(self, module: Module, at: int, what: str) -> None:
        node = module.statements[at]
        by_name = isinstance(node, ast.Import | ast.ImportFrom)
        mark = (module.name, at, what if by_name else "")
        if mark in self._done:
            return
        self._done.add(mark)
        self.kept[module.name].add(at)
        if isinstance(node, ast.ClassDef):
            self._classes.append((module, node))
            for entry in (*node.bases, *node.decorator_list):
                self._follow(module, entry)
            return
        if isinstance(node, ast.ImportFrom):
            taken = [entry.name for entry in node.names if (entry.asname or entry.name) == what]
            self._waiting += [(node.module or "", name) for name in taken]
        elif isinstance(node, ast.FunctionDef) and is_compiled(node):
            if RULES.search(module.name):
                for part in (node.args, *node.body):
                    self._follow(module, part)
        elif not isinstance(node, ast.Import) and not is_stamped(node):
            self._follow(module, node)

    def _is_wanted(self, method: str) -> bool:
        return method.startswith("__") or method in self.attributes

    def _members(self, module: Module, node: ast.ClassDef) -> None:
        for at, member in enumerate(node.body):
            mark = (module.name, -1 - at, node.name)
            if mark in self._done:
                continue
            if isinstance(member, ast.FunctionDef) and not self._is_wanted(member.name):
                continue
            self._done.add(mark)
            self._follow(module, member)

    def _follow(self, module: Module, node: ast.AST) -> None:
        """Keep all that a part of a module names."""
        known = _imports(module)
        of = {id(inner.value) for inner in _walk(node) if isinstance(inner, ast.Attribute)}
        for inner in _walk(node):
            if isinstance(inner, ast.Name):
                self._waiting.append((module.name, inner.id))
                if id(inner) not in of:
                    self._values |= {
                        name for name in known.get(inner.id, ()) if self.sources.module(name)
                    }
            elif isinstance(inner, ast.Assign | ast.AnnAssign):
                self._keys(inner)
            elif isinstance(inner, ast.Attribute):
                self.attributes.add(inner.attr)
                self._of_module(module, inner)
            elif isinstance(inner, ast.ImportFrom):
                self._waiting += [(inner.module or "", alias.name) for alias in inner.names]
            elif isinstance(inner, ast.Call):
                self._asked(inner)
            elif isinstance(inner, ast.keyword) and inner.arg:
                self.attributes.add(inner.arg)

    def _keys(self, node: ast.Assign | ast.AnnAssign) -> None:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and target.id == KEYS and node.value:
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    self.attributes |= set(re.findall(r"\w+", inner.value))

    def _asked(self, node: ast.Call) -> None:
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name in ASKING:
            words = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            self.attributes |= {word for word in words if isinstance(word, str)}

    def _of_module(self, module: Module, node: ast.Attribute) -> None:
        """Keep what is named as an attribute of a module."""
        if not isinstance(node.value, ast.Name):
            return
        for target in _imports(module).get(node.value.id, ()):
            self._waiting.append((target, node.attr))


@cache
def _imports(module: Module) -> dict[str, tuple[str, ...]]:
    """Return the modules that names of a module may stand for, wherever they are imported."""
    modules: dict[str, tuple[str, ...]] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name
                modules[name] = (*modules.get(name, ()), f"{node.module}.{alias.name}")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                modules[name] = (*modules.get(name, ()), alias.name)
    return modules


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes but types: annotations, and what the type checker alone sees."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.stmt) and only_for_types(part):
                continue
            if isinstance(part, ast.AST):
                yield from _walk(part)
