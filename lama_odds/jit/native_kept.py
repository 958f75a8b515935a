"""Keep the object file of a function that numba has compiled, for `native` to run without numba."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

from lama_odds.core.files import write_whole_bytes
from lama_odds.jit.native import Header, content_of, file_of, made_by
from lama_odds.jit.passing import NOTHING

# How a type of LLVM may be written for what is passed as this letter.
LLVM_TYPES = {
    "p": re.compile(r"ptr|.*\*"),
    "i": re.compile("i64"),
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
        description, library = code.fndesc, code.library
        kinds = ",".join(_kind_of(given) for given in description.argtypes)
        module = library._final_module
        passed = "".join(_passed_as(given) for given in description.argtypes)
        takes = module.get_function(description.llvm_func_name).arguments
        if not _as_written([str(given.type) for given in takes], RESULTS + passed):
            return
        needs = [each.name for each in module.functions if each.is_declaration]
        header = Header(
            made_by=made_by(),
            symbol=description.llvm_func_name,
            needs=[need for need in needs if not need.startswith("llvm.")],
            passed=passed,
            returns=_returned(description.restype),
        )
        content = content_of(header, library._get_compiled_object())
        write_whole_bytes(file_of(folder, name, kinds), content, mode=0o600)


def _as_written(types: list[str], letters: str) -> bool:
    """Whether each of these types of LLVM is what is passed as its letter."""
    pairs = zip(types, letters, strict=False)
    return len(types) == len(letters) and all(LLVM_TYPES[each].fullmatch(to) for to, each in pairs)


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
    for kind, scalar in (("i", types.int64), ("f", types.float64), ("b", types.boolean)):
        if given == scalar:
            return kind
    raise OtherError


def _passed_as(given: Any) -> str:
    """Return a letter for each number and pointer that numba passes for an argument."""
    types = _types()
    if isinstance(given, types.Array):
        return "ppiip" + 2 * int(given.ndim) * "i"
    if isinstance(given, types.BaseTuple):
        return "".join(_passed_as(each) for each in given.types)
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
