"""Which code a target can reach, and its hash: imports are read from the text, without running it.

Imports inside functions count, those for type checkers do not. A module that is found by its name
counts if the name is in the code: ``f"lama_odds.games.{name}.game"`` reaches these modules of all
games. What a package's ``__getattr__`` loads does not count; the name of the module does, where it
is used. Changes of comments, blank lines and the version number do not make a target out of date.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("lama_odds", "lab", "tools")
FRAME = "tools.publishing"  # how targets are run changes nothing that they make …
NOT_FRAME = "tools.publishing.targets."  # … but these are targets
LENGTH = 16  # characters of a hash
_SILENT = re.compile(r"\s*(#.*)?$")


class Sources:
    """The modules below a folder. A file is read again when its time or size has changed."""

    def __init__(self, root: Path, packages: tuple[str, ...] = PACKAGES) -> None:
        self.root = root
        self.modules = {
            _name(root, path): path
            for package in packages
            for path in (root / package).rglob("*.py")
        }
        self._read: dict[Path, tuple[tuple[int, int], str, frozenset[str]]] = {}

    def reached(self, start: str) -> frozenset[str]:
        """The modules that importing `start` can load, itself too; KeyError if there is none."""
        loaded: set[str] = set()
        waiting = [start]
        while waiting:
            name = waiting.pop()
            frame = name.startswith(FRAME) and not name.startswith(NOT_FRAME)
            if name in loaded or frame or name == "tools":
                continue
            loaded.add(name)
            wanted = self._look(self.modules[name])[1]
            waiting += [other for other in self._named(wanted) if other in self.modules]
        return frozenset(loaded)

    def hashes(self, start: str) -> dict[str, str]:
        """A hash of what `start` reaches, by part of the tree (see `part_of`)."""
        digests: dict[str, hashlib._Hash] = {}
        folders = set()
        for name in sorted(self.reached(start)):
            path = self.modules[name]
            digest = digests.setdefault(part_of(name), hashlib.sha256())
            digest.update(f"{name}\0{self._look(path)[0]}\0".encode())
            folders.add((path.parent, part_of(name)))
        for folder, part in sorted(folders):
            for path in _beside(folder):
                digests[part].update(path.name.encode() + b"\0" + path.read_bytes())
        return {part: digests[part].hexdigest()[:LENGTH] for part in sorted(digests)}

    def _look(self, path: Path) -> tuple[str, frozenset[str]]:
        """The hash of a module, and the names in it that may be modules."""
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if path not in self._read or self._read[path][0] != stamp:
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
            digest = hashlib.sha256(said(text, tree).encode()).hexdigest()
            self._read[path] = stamp, digest, frozenset(_wanted(tree))
        return self._read[path][1:]

    def _named(self, wanted: frozenset[str]) -> Iterator[str]:
        for pattern in wanted:
            match = re.compile(re.escape(pattern).replace(r"\*", r"[^.]+"))
            here = filter(match.fullmatch, self.modules) if "*" in pattern else [pattern]
            for name in here:
                pieces = name.split(".")
                yield from (".".join(pieces[:end]) for end in range(1, len(pieces) + 1))


def part_of(module: str) -> str:
    """The part of the tree that a module counts to: a layer, a game, or a tool itself."""
    pieces = module.split(".")
    if pieces[0] in ("lab", "tools"):
        return "/".join(pieces)
    return "/".join(pieces[: 3 if pieces[1:2] == ["games"] else 2])


def said(text: str, tree: ast.AST | None = None) -> str:
    """A module without lines that are blank or only a comment, and without the version number."""
    inside: set[int] = set()  # lines of strings that began above
    for node in ast.walk(tree or ast.parse(text)):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            inside.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    return "\n".join(
        row
        for number, row in enumerate(text.splitlines(), 1)
        if number in inside or not (_SILENT.match(row) or row.startswith("__version__ = "))
    )


def _name(root: Path, path: Path) -> str:
    pieces = path.relative_to(root).with_suffix("").parts
    return ".".join(pieces[:-1] if pieces[-1] == "__init__" else pieces)


def _beside(folder: Path) -> Iterator[Path]:
    """Yield files beside the modules of a folder that are not modules: templates, for example."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name != "__pycache__" and not (path / "__init__.py").exists():
            yield from (file for file in sorted(path.rglob("*")) if file.is_file())
        elif path.is_file() and path.suffix != ".py" and not path.name.startswith("."):
            yield path


def _wanted(tree: ast.AST) -> Iterator[str]:
    """Names that may be modules, * for what is not known of one."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef) and node.name == "__getattr__":
            continue
        if isinstance(node, ast.If) and _name_of(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.JoinedStr):
            yield from _dotted(_with_holes(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _dotted(node.value)
        waiting += ast.iter_child_nodes(node)


def _with_holes(node: ast.JoinedStr) -> str:
    parts = (str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)
    return "".join(parts)


def _dotted(text: str) -> Iterator[str]:
    if re.fullmatch(r"\w+(\.[\w*]+)+", text) and text.split(".")[0] in PACKAGES:
        yield text


def _name_of(node: ast.AST) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))
