"""Which code a target can reach, and a hash of it: by what is imported, read without running it.

Imports inside functions count, those for type checkers do not. A module that is found by its name
counts where the name stands in the code: ``f"lama_odds.games.{name}.game"`` reaches the modules
of all games that are called so. What a package's ``__getattr__`` loads does not count: the name
of the module does, where it is used. Comments and blank lines may change; a version number too.
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("lama_odds", "tools")
FRAME = "tools.publishing."  # how targets are run changes nothing that they make …
NOT_FRAME = "tools.publishing.targets."  # … but these are targets
VERSION = re.compile(r"^__version__ = .*$", re.MULTILINE)
LENGTH = 16  # characters of a hash


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
        found: set[str] = set()
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name in found or (name.startswith(FRAME) and not name.startswith(NOT_FRAME)):
                continue
            found.add(name)
            wanted = self._look(self.modules[name])[1]
            waiting += [other for other in self._named(wanted) if other in self.modules]
        return frozenset(found)

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
            digest = hashlib.sha256(said(text).encode()).hexdigest()
            self._read[path] = stamp, digest, frozenset(_wanted(ast.parse(text)))
        return self._read[path][1:]

    def _named(self, wanted: frozenset[str]) -> Iterator[str]:
        for pattern in wanted:
            if "*" in pattern:
                match = re.compile(re.escape(pattern).replace(r"\*", r"[^.]+"))
                yield from (name for name in self.modules if match.fullmatch(name))
            else:
                pieces = pattern.split(".")
                yield from (".".join(pieces[:end]) for end in range(1, len(pieces) + 1))


def part_of(module: str) -> str:
    """The part of the tree that a module counts to: a layer, a game, or a tool itself."""
    pieces = module.split(".")
    if pieces[0] == "tools":
        return "/".join(pieces)
    return "/".join(pieces[: 3 if pieces[1:2] == ["games"] else 2])


def said(text: str) -> str:
    """A module without comments, blank lines and the version number."""
    rows = VERSION.sub("", text).splitlines()
    for token in tokenize.generate_tokens(io.StringIO("\n".join(rows) + "\n").readline):
        if token.type == tokenize.COMMENT:
            row, at = token.start
            rows[row - 1] = rows[row - 1][:at].rstrip()
    return "\n".join(row for row in rows if row.strip())


def _name(root: Path, path: Path) -> str:
    pieces = path.relative_to(root).with_suffix("").parts
    return ".".join(pieces[:-1] if pieces[-1] == "__init__" else pieces)


def _beside(folder: Path) -> Iterator[Path]:
    """What lies with the modules of a folder and is none: templates, say."""
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
