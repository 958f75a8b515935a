"""Machine code called without numba, which takes longer to load than many answers take.

Each function that Python calls is also kept as an object file: llvmlite links it, and ctypes
calls it. The machine code is numba's, so results have the same bits. It is
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
import platform
import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lama_odds.core.files import write_whole_bytes
from lama_odds.jit.places import opened, read_ours, sealed

# What stands for Python's arguments in machine code: their kinds, and numbers and addresses.

SCALARS = {
    bool: "b",
    int: "i",
    float: "f",
    np.bool_: "b",
    np.int64: "i",
    np.uint64: "u",
    np.float64: "f",
}
LEAST, MOST = -(2**63), 2**63 - 1
NUMBERS = "biuf"  # kinds of numpy's types whose name says everything


class UnusualError(Exception):
    """An argument that only numba can hand over."""


class Passed(NamedTuple):
    """What stands for one argument.

    kind: what machine code is made for, as text. values: see `_array`; a number stands for itself,
    and a tuple for its parts.
    """

    kind: str
    values: tuple[Any, ...]


NOTHING = Passed("n", (None,))  # None is an address, of nothing


class Arguments:
    """Hands over the arguments of one function; the same tables as before are not read again."""

    def __init__(self) -> None:
        self._tables: dict[int, tuple[tuple[Any, ...], Passed]] = {}  # by place

    def __call__(self, arguments: tuple[Any, ...]) -> tuple[str, list[Any]]:
        """Return the kinds of all arguments, as one text, and all their values.

        Raises UnusualError if only numba can hand them over.
        """
        kinds: list[str] = []
        values: list[Any] = []
        for at, argument in enumerate(arguments):
            if isinstance(argument, tuple):
                known = self._tables.get(at)
                if known is None or known[0] is not argument:
                    known = argument, passed(argument)
                    self._tables[at] = known  # its arrays live as long as it does
                part = known[1]
            else:
                part = passed(argument)
            kinds.append(part.kind)
            values += part.values
        return ",".join(kinds), values


def passed(value: Any) -> Passed:
    """Return what stands for an argument.

    Raises UnusualError if it is neither a number, nor an array as `numpy.zeros` makes them, nor
    None, nor a tuple of these.
    """
    kind = type(value)
    if value is None:
        return NOTHING
    if kind is np.ndarray:
        return _array(value)
    if kind in SCALARS and (kind is not int or LEAST <= value <= MOST):
        return Passed(SCALARS[kind], (value,))
    if isinstance(value, tuple):
        parts = [passed(part) for part in value]
        inside = ",".join(part.kind for part in parts)
        return Passed(f"{kind.__name__}({inside})", tuple(v for part in parts for v in part.values))
    raise UnusualError


def _array(array: np.ndarray) -> Passed:
    """Return what stands for an array.

    Its owner comes first, twice: nobody, as it lives longer than the call. Then its number of
    elements, their size in bytes, its address, its shape and its strides.
    """
    type_ = array.dtype
    if not array.flags.carray or type_.kind not in NUMBERS:
        raise UnusualError
    address = array.__array_interface__["data"][0]
    values = (None, None, array.size, type_.itemsize, address, *array.shape, *array.strides)
    return Passed(f"{type_.str}{array.ndim}", values)


C_TYPES: dict[str, Any] = {
    "b": ctypes.c_bool,
    "i": ctypes.c_int64,
    "u": ctypes.c_uint64,
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


# What machine code that was made ahead may use; processors have had it since about 2015.
AHEAD = "avx,avx2,bmi,bmi2,cmov,cx16,f16c,fma,lzcnt,movbe,popcnt,sse3,sse4.1,sse4.2,ssse3"


@cache
def made_ahead_by() -> list[str]:
    """Return what an object file that was made ahead depends on; the last word is for nobody else.

    Its functions in C are those of a version of numba.
    """
    from llvmlite import binding

    there = binding.get_host_cpu_features()
    suits = platform.machine() == "x86_64" and all(there.get(flag) for flag in AHEAD.split(","))
    version = re.search(rb'"version": "(\d+\.\d+)', (_numba_folder() / "_version.py").read_bytes())
    numba = version[1].decode() if version else ""
    return ["ahead", numba, AHEAD if suits else "another processor"]


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
        output = (ctypes.c_double if self._returns == "f" else ctypes.c_int64)()
        error = ctypes.c_void_p()
        if self._function(ctypes.byref(output), ctypes.byref(error), *values):
            raise UnusualError
        if self._returns == "b":
            return bool(int(output.value) & 1)
        return output.value if self._returns else None


def found(folder: Path, name: str, kinds: str, ahead: Path | None = None) -> Native | None:
    """Return the function for arguments of these kinds, from its object file; None without one.

    folder: the cache of its module, which only this user can have written. ahead: where this
    package has what was made ahead, for all processors with some features.
    """
    if sys.platform != "linux" or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None
    with contextlib.suppress(OSError, ValueError, ImportError, RuntimeError):
        native = _linked(opened(read_ours(file_of(folder, name, kinds))), made_by())
        if native is not None:
            return native
    with contextlib.suppress(OSError, ValueError, ImportError, RuntimeError):
        if ahead is not None:
            return _linked(file_of(ahead, name, kinds).read_bytes(), made_ahead_by())
    return None


def _linked(whole: bytes, made_here: list[str]) -> Native | None:
    """Return the function of an object file, if it was made by what is here."""
    head, _, code = whole.partition(b"\n")
    header = Header(*json.loads(head))
    if header.made_by == made_here:
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


# Keep the object file of a function that numba has compiled, for `native` to run without numba.

# How a type of LLVM may be written for what is passed as this letter.
LLVM_TYPES = {
    "p": re.compile(r"ptr|.*\*"),
    "i": re.compile("i64"),
    "u": re.compile("i64"),
    "f": re.compile("double"),
    "b": re.compile("i1|i8"),
}
RESULTS = "pp"  # comes first: where the result and an error are written
RETURNED = {"none": "", "int64": "i", "float64": "f", "bool": "b"}


class OtherError(Exception):
    """A type that `native` does not pass or return."""


def keep(folder: Path, name: str, code: Any) -> None:
    """Write the object file of a function, if `native` can call it.

    folder: the cache of its module. code: what numba has compiled just now.
    """
    with contextlib.suppress(OSError, OtherError):
        library = code.library
        header = header_of(code, library._final_module, made_by(), code.fndesc.llvm_func_name)
        kinds = ",".join(_kind_of(given) for given in code.fndesc.argtypes)
        content = content_of(header, library._get_compiled_object())
        write_whole_bytes(file_of(folder, name, kinds), content, mode=0o600)


def header_of(code: Any, module: Any, made: list[str], symbol: str) -> Header:
    """Return what must be known of the object file of a module; OtherError if it cannot be called.

    code: what numba has compiled. made: who makes the file. symbol: the function in the module.
    """
    description = code.fndesc
    passed = "".join(_passed_as(given) for given in description.argtypes)
    takes = module.get_function(symbol).arguments
    if not _as_written([str(given.type) for given in takes], RESULTS + passed):
        raise OtherError
    needs = [function.name for function in module.functions if function.is_declaration]
    return Header(
        made_by=made,
        symbol=symbol,
        needs=[need for need in needs if not need.startswith("llvm.")],
        passed=passed,
        returns=_returned(description.restype),
    )


def _as_written(types: list[str], letters: str) -> bool:
    """Whether each of these types of LLVM is what is passed as its letter."""
    pairs = zip(types, letters, strict=False)
    return len(types) == len(letters) and all(LLVM_TYPES[code].fullmatch(to) for to, code in pairs)


def _kind_of(given: Any) -> str:
    """Return the kind of an argument as `passing.passed` does, from numba's type of it."""
    from numba.np.numpy_support import as_dtype

    types = _types()
    if isinstance(given, types.Array):
        if given.layout == "C" and given.mutable and given.aligned:
            return f"{as_dtype(given.dtype).str}{given.ndim}"
    elif isinstance(given, types.NamedTuple | types.NamedUniTuple):
        return f"{given.instance_class.__name__}({','.join(map(_kind_of, given.types))})"
    elif isinstance(given, types.Tuple | types.UniTuple):
        return f"tuple({','.join(map(_kind_of, given.types))})"
    if given == types.none:
        return NOTHING.kind
    scalars = {"i": types.int64, "u": types.uint64, "f": types.float64, "b": types.boolean}
    for kind, scalar in scalars.items():
        if given == scalar:
            return kind
    raise OtherError


def _passed_as(given: Any) -> str:
    """Return a letter for each number and pointer that numba passes for an argument."""
    types = _types()
    if isinstance(given, types.Array):
        return "ppiip" + 2 * int(given.ndim) * "i"
    if isinstance(given, types.BaseTuple):
        return "".join(_passed_as(part) for part in given.types)
    if given == types.none:
        return "p"
    return _kind_of(given)


def _returned(given: Any) -> str:
    if str(given) not in RETURNED:
        raise OtherError
    return RETURNED[str(given)]


def _types() -> Any:
    from numba.core import types

    return types
