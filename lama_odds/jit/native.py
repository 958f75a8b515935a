"""Machine code called without numba, which takes longer to load than many answers take.

Each function that Python calls is also kept as an object file. `native_kept` writes it, llvmlite
links it, and ctypes calls it. The machine code is numba's, so results have the same bits. It is
used as long as numba has not been loaded. Whatever is unusual is left to numba: other kinds of
arguments, other versions, an error in the function.

Only on Linux: nothing else has been tried.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lama_odds.jit.passing import UnusualError
from lama_odds.jit.places import read_ours
from lama_odds.jit.sealed import opened, sealed

C_TYPES: dict[str, Any] = {
    "b": ctypes.c_bool,
    "i": ctypes.c_int64,
    "f": ctypes.c_double,
    "p": ctypes.c_void_p,
}
# Modules with functions in C that numba's code calls, and how their names begin in its code.
HELPERS = {"numba._helperlib": "numba_", "numba.core.runtime._nrt_python": "NRT_"}


class Header(NamedTuple):
    """What must be known of an object file.

    made_by: versions and processor. symbol: the name of the function. needs: names of functions
    that it calls. passed: a letter of `C_TYPES` for each number and address that it takes. returns:
    the letter of its result, "" for none.
    """

    made_by: list[str]
    symbol: str
    needs: list[str]
    passed: str
    returns: str


def file_of(folder: Path, name: str, kinds: str) -> Path:
    """Return the object file of a function for arguments of these kinds."""
    return folder / f"{name}-{hashlib.sha256(kinds.encode()).hexdigest()[:16]}.native"


@cache
def made_by() -> list[str]:
    """Return what an object file depends on besides the source: versions and the processor."""
    import llvmlite
    from llvmlite import binding

    numba = hashlib.sha256((_numba_folder() / "_version.py").read_bytes()).hexdigest()
    features = binding.get_host_cpu_features().flatten()
    host = [binding.get_host_cpu_name(), features]
    return [f"numba {numba}", llvmlite.__version__, np.__version__, sys.version, *host]


@cache
def _numba_folder() -> Path:
    """Return the folder of numba, without loading it; ImportError if there is none."""
    package = importlib.util.find_spec("numba")
    if package is None or not package.submodule_search_locations:
        raise ImportError("numba is not installed as a package")
    return Path(package.submodule_search_locations[0])


class Native:
    """A function in machine code, linked and ready to be called."""

    def __init__(self, header: Header, code: bytes, engine: Any) -> None:
        from llvmlite import binding

        self._returns = header.returns
        self._engine = engine  # the code lives as long as this
        self._engine.add_object_file(binding.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        types = [C_TYPES[letter] for letter in header.passed]
        # Where the result and an error are written comes first.
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *types)
        self._function = prototype(self._engine.get_function_address(header.symbol))

    def __call__(self, values: Sequence[Any]) -> Any:
        """Return what the function returns.

        values: of the kinds that it was made for, see `passing`. Raises UnusualError if the
        function failed.
        """
        found = (ctypes.c_double if self._returns == "f" else ctypes.c_int64)()
        error = ctypes.c_void_p()
        if self._function(ctypes.byref(found), ctypes.byref(error), *values):
            raise UnusualError
        if self._returns == "b":
            return bool(int(found.value) & 1)
        return found.value if self._returns else None


def found(folder: Path, name: str, kinds: str) -> Native | None:
    """Return the function for arguments of these kinds, from its object file; None without one.

    folder: the cache of its module, which only this user can have written.
    """
    if sys.platform != "linux" or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None
    with contextlib.suppress(OSError, ValueError, ImportError, RuntimeError):
        whole = opened(read_ours(file_of(folder, name, kinds)))
        head, _, code = whole.partition(b"\n")
        header = Header(*json.loads(head))
        if header.made_by == made_by():
            engine = _engine()  # from now on what Python itself offers can be found, too
            if _all_there(header.needs):
                return Native(header, code, engine)
    return None


def content_of(header: Header, code: bytes) -> bytes:
    """Return what an object file contains: a line about it, the code, a seal."""
    return sealed(json.dumps(header).encode() + b"\n" + code)


def _engine() -> Any:
    """Return what links an object file."""
    from llvmlite import binding

    _ready_to_link()
    machine = binding.Target.from_default_triple().create_target_machine(
        opt=0, reloc="default", codemodel="jitdefault", jit=True
    )
    return binding.create_mcjit_compiler(binding.parse_assembly(""), machine)


@cache
def _ready_to_link() -> None:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


def _all_there(names: list[str]) -> bool:
    """Whether all these functions in C are known: linking without one would end the process."""
    from llvmlite import binding

    _with_helpers()
    return all(binding.address_of_symbol(name) is not None for name in names)


@cache
def _with_helpers() -> None:
    """Let machine code find the functions in C that numba brings along.

    Their modules need nothing else of numba. Raises ImportError if they are not where they should
    be.
    """
    from llvmlite import binding

    for name, prefix in HELPERS.items():
        module = _extension(name)
        if hasattr(module, "memsys_use_cpython_allocator"):
            module.memsys_use_cpython_allocator()
        for function, address in module.c_helpers.items():
            binding.add_symbol(
                function if function.startswith("_") else f"{prefix}{function}", address
            )


def _extension(name: str) -> Any:
    """Return a module in C of numba, without loading numba. If that is loaded later, it uses it."""
    if name in sys.modules:
        return sys.modules[name]
    path = _numba_folder().joinpath(*name.split(".")[1:])
    for suffix in EXTENSION_SUFFIXES:
        file = path.with_name(path.name + suffix)
        spec = importlib.util.spec_from_file_location(name, file)
        if file.is_file() and spec is not None and spec.loader is not None:
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            sys.modules[name] = module
            return module
    raise ImportError(f"no module in C at {path}")
