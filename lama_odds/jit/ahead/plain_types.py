"""numba's types of arguments as plain data, for a file that says what to compile.

A number or truth value is its type's name; one that a caller writes out is ``{"written": 3}``. An
array is ``{"array": "int64", "as": "1C"}``: dimensions and layout, with ``r`` if it is only read. A
tuple is a list, a named one ``{"of": "module:Class", "fields": [...]}``.
"""

from __future__ import annotations

import importlib
from typing import Any

Plain = str | list[Any] | dict[str, Any]


class OtherTypeError(Exception):
    """A type that is not written: arguments of compiled functions have the types above."""


def plain_of(given: Any) -> Plain:
    """Return a type of numba as plain data; raises OtherTypeError."""
    types = _types()
    if isinstance(given, types.IntegerLiteral | types.BooleanLiteral):
        return {"written": given.literal_value}
    if isinstance(given, types.Integer | types.Float | types.Boolean | types.NoneType):
        return str(given)
    if isinstance(given, types.Array) and given.aligned:
        kind = f"{given.ndim}{given.layout}{'' if given.mutable else 'r'}"
        return {"array": str(given.dtype), "as": kind}
    if isinstance(given, types.BaseTuple):
        fields = [plain_of(each) for each in given]
        of = getattr(given, "instance_class", None)
        return {"of": f"{of.__module__}:{of.__qualname__}", "fields": fields} if of else fields
    raise OtherTypeError(str(given))


def type_of(plain: Plain) -> Any:
    """Return numba's type; raises what a damaged or outdated file leads to (see `begin`)."""
    types = _types()
    if isinstance(plain, str):
        return getattr(types, plain)
    if isinstance(plain, list):
        return types.Tuple([type_of(each) for each in plain])
    if "written" in plain:
        return types.literal(plain["written"])
    if "array" in plain:
        kind = plain["as"]
        dtype = getattr(types, "boolean" if plain["array"] == "bool" else plain["array"])
        return types.Array(dtype, int(kind[0]), kind[1], readonly=kind.endswith("r"))
    module, _, name = plain["of"].partition(":")
    of = getattr(importlib.import_module(module), name)
    fields = [type_of(each) for each in plain["fields"]]
    same = len(set(fields)) == 1
    return types.NamedUniTuple(fields[0], len(fields), of) if same else types.NamedTuple(fields, of)


def _types() -> Any:
    from numba.core import types

    return types
