"""Compile functions of one game for WebAssembly: this is a process of its own.

    python -m tools.browser.compiled FOLDER < NEEDED

NEEDED is JSON: a list of ``[name in the object file, function, kinds]``. FOLDER gets an object file
of each, and returns.json with what each returns. Numba compiles for a processor without anything
special, and does without its cache.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lama_odds import jit
from tools.browser.machine import WebAssembly, unoptimized

Layout = dict[str, Any]


def _uncached(compile_it: Any) -> Any:
    """Return what compiles a function for other functions alone, and neither reads nor writes."""

    def compiled(function: Any, forceinline: bool, counted: bool = True, *_: Any, **__: Any) -> Any:
        from numba.core.caching import NullCache

        made = compile_it(function, forceinline, counted, False)
        made._cache = NullCache()
        return made

    return compiled


# Before any module of a game is imported: their decorators take this function.
jit._compile = _uncached(jit._compile)
setattr(jit, "keep_whole", lambda *_, **__: None)  # noqa: B010 (it is not its own)


def _in_few_words() -> None:
    """Let numba say only that sizes differ: it would write both into a text, which takes much."""
    from numba.core.registry import cpu_target
    from numba.extending import overload
    from numba.np import arrayobj

    def different(source: Any, index: Any) -> Any:
        raise NotImplementedError

    def made(source: Any, index: Any) -> Any:  # noqa: ARG001
        def fail(source: Any, index: Any) -> Any:  # noqa: ARG001
            raise ValueError("an array has another size than what it is put into")

        return fail

    overload(different)(made)
    arrayobj.raise_with_shape_context = different
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


# Types for arguments of given kinds.


def types_of(kinds: str, module: str) -> tuple[Any, ...]:
    """Return numba's types for the kinds of all arguments; module: where the function is."""
    numba_types, rest = _read(kinds, module)
    if rest:
        raise ValueError(f"kinds {kinds!r} are followed by {rest!r}")
    return tuple(numba_types)


def _read(text: str, module: str) -> tuple[list[Any], str]:
    """Return the types up to the end or to a closing bracket, and what follows."""
    numba_types: list[Any] = []
    while text and text[0] != ")":
        name = text[: next((at for at, c in enumerate(text) if c in "(,)"), len(text))]
        text = text[len(name) :]
        if text.startswith("("):
            parts, text = _read(text[1:], module)
            numba_types.append(_tuple_of(name, parts, module))
            text = text[1:]
        else:
            numba_types.append(_single(name))
        text = text[1:] if text.startswith(",") else text
    return numba_types, text


def _single(kind: str) -> Any:
    from numba import types
    from numba.np.numpy_support import from_dtype

    scalars = {"n": types.none, "b": types.boolean, "i": types.int64, "u": types.uint64}
    if kind in scalars:
        return scalars[kind]
    if kind == "f":
        return types.float64
    return types.Array(from_dtype(np.dtype(kind[:-1])), int(kind[-1]), "C")


def _tuple_of(name: str, parts: list[Any], module: str) -> Any:
    from numba import types

    if name == "tuple":
        return types.Tuple(parts)
    return types.BaseTuple.from_types(parts, named_tuple(name, module))


def named_tuple(name: str, module: str) -> type:
    """Return the class of named tuples of this name, preferably of the same game.

    Raises LookupError if there is none, or more than one.
    """
    matches = {kind for kind in _subclasses(tuple) if kind.__name__ == name}
    if len(matches) > 1:
        game = ".".join(module.split(".")[:3]) + "."
        matches = {kind for kind in matches if kind.__module__.startswith(game)} or matches
    if len(matches) != 1:
        raise LookupError(f"{len(matches)} named tuples {name} for {module}")
    return matches.pop()


def _subclasses(of: type[Any]) -> Iterator[type[Any]]:
    for subclass in of.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


# What comes back: where its parts lie in memory, with addresses of four bytes.


def layout_of(given: Any) -> Layout:
    """Return the layout of what a function returns.

    It has a kind: none, a number's type, array or tuple, its size and its alignment in bytes. An
    array also has dtype and dimensions, a tuple its parts with their offsets.
    """
    from numba import types
    from numba.np.numpy_support import as_dtype

    if given == types.none:
        return {"kind": "none", "size": 0, "align": 1}
    if isinstance(given, types.Array):
        if given.layout != "C":
            raise TypeError("an array that is returned is not in one piece")
        size = 32 + 16 * given.ndim  # two owners, sizes, address, shape and strides
        name = as_dtype(given.dtype).name
        return {"kind": "array", "dtype": name, "ndim": given.ndim, "size": size, "align": 8}
    if isinstance(given, types.BaseTuple):
        parts, at, most = [], 0, 1
        for part in map(layout_of, given.types):
            at = -(-at // part["align"]) * part["align"]
            parts.append({"at": at, **part})
            at, most = at + part["size"], max(most, part["align"])
        return {"kind": "tuple", "parts": parts, "size": -(-at // most) * most, "align": most}
    if isinstance(given, types.Boolean):
        return {"kind": "bool", "size": 1, "align": 1}
    if isinstance(given, types.Integer | types.Float):
        size = given.bitwidth // 8
        return {"kind": str(given), "size": size, "align": size}
    raise TypeError(f"{given} is returned")


def load_all(functions: Iterable[str]) -> None:
    """Import all modules of the packages of functions: named tuples are found by their names."""
    for package in sorted({".".join(function.split(".")[:3]) for function in functions}):
        folders = getattr(importlib.import_module(package), "__path__", ())
        for module in pkgutil.walk_packages(folders, f"{package}."):
            importlib.import_module(module.name)


def begin() -> None:
    """Let numba write down all that it compiles in this process, for other machines."""
    jit.load_numba()
    unoptimized()
    _in_few_words()


def compiled(function: str, kinds: str) -> Any:
    """Return what numba makes of a function for arguments of these kinds."""
    module, _, own = function.rpartition(".")
    made = getattr(importlib.import_module(module), own).made_inside()
    types = types_of(kinds, module)
    try:
        made.compile(types)
    except Exception as error:
        error.add_note(f"{function} for {kinds}")
        raise
    return made.overloads[types]


def main(folder: Path) -> None:
    """Compile all that stdin names."""
    begin()
    needed = json.load(sys.stdin)
    machine = WebAssembly()
    load_all(function for _, function, _ in needed)
    returns = {}
    for name, function, kinds in needed:
        kernel = compiled(function, kinds)
        symbol = kernel.fndesc.llvm_func_name
        code = machine.object_of(kernel.library._final_module, symbol, name)
        (folder / f"{name}.o").write_bytes(code)
        returns[name] = layout_of(kernel.fndesc.restype)
    (folder / "support.o").write_bytes(machine.support())
    (folder / "returns.json").write_text(json.dumps(returns), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
