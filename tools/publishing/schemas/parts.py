"""What schemas are made of: objects with the keys of a class, their types from its fields."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Union

from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import ALL_OF, Plain, keys_in
from tools.publishing.schemas.meanings import MEANINGS

Schema = dict[str, Any]
ESTIMATE: Schema = {"$ref": "#/$defs/estimate"}
TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
SWITCH: Schema = {"type": "boolean"}
PLAIN: Mapping[type, Schema] = {
    str: TEXT,
    int: WHOLE,
    float: NUMBER,
    bool: SWITCH,
    Estimate: ESTIMATE,
    type(None): {"type": "null"},
}


def listed(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def named(values: Schema, names: str = "") -> Schema:
    """Values by name; names: what they are."""
    schema: Schema = {"type": "object", "additionalProperties": values}
    return {**schema, "description": names} if names else schema


def one_of(*words: str) -> Schema:
    """One of some words."""
    return {"enum": list(words)}


def maybe(schema: Schema) -> Schema:
    """What may be null."""
    return {"anyOf": [schema, PLAIN[type(None)]]}


def keys(
    of: type | None = None,
    *fields: str,
    optional: Mapping[str, Schema] | None = None,
    rest: Schema | bool = False,
    **others: Schema,
) -> Schema:
    """An object.

    of, fields: keys that are fields of a class, with their types. others: keys with their schemas.
    optional: keys that may be missing. rest: of all other keys; False: there are none.
    """
    hints = typing.get_type_hints(of) if of is not None else {}
    required = {**{name: schema_of(hints[name]) for name in fields}, **others}
    properties = {
        name: {**schema, **_meaning(name, schema)}
        for name, schema in {**required, **(optional or {})}.items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": rest,
    }


def answer(of: type[Plain], rest: Schema | bool = False, **others: Schema) -> Schema:
    """An object with the keys that a class declares, see `Plain`.

    others: schemas of keys that say more than the type of their attribute. rest: as of `keys`.
    """
    declared = {key.name: key for key in keys_in(of.KEYS) if key.name != ALL_OF}
    schemas = {
        name: others.pop(name) if name in others else schema_of(type_at(of, key.path))
        for name, key in declared.items()
    }
    if others:
        raise ValueError(f"{of.__name__} has no keys {', '.join(others)}")
    optional = {name: schema for name, schema in schemas.items() if declared[name].optional}
    needed: dict[str, Any] = {
        name: schema for name, schema in schemas.items() if name not in optional
    }
    return keys(optional=optional, rest=rest, **needed)


def type_at(of: Any, path: Sequence[str]) -> Any:
    """The type of an attribute of a class, a field or a property; of a tuple of things of each."""
    for at, name in enumerate(path):
        inside = typing.get_args(of)
        if typing.get_origin(of) is tuple:
            return types.GenericAlias(tuple, (type_at(inside[0], path[at:]), ...))
        if inside and type(None) in inside:
            of = next(kind for kind in inside if kind is not type(None))
        own = getattr(of, name, None)
        if isinstance(own, property):
            of = typing.get_type_hints(own.fget)["return"]
        else:
            of = typing.get_type_hints(of)[name]
            of = typing.get_args(of)[0] if typing.get_origin(of) is typing.ClassVar else of
    return of


def schema_of(hint: Any) -> Schema:
    """The schema of a type."""
    if hint in PLAIN:
        return PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, Plain):
        return answer(hint)
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(kind) for kind in inside]}
    if origin in (tuple, list, Sequence):
        return listed(schema_of(inside[0]))
    if origin is dict or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return named(schema_of(inside[1]))
    raise TypeError(f"no schema for {hint}")


def estimate_schema() -> Schema:
    """The schema of a number that knows how it was made."""
    schema = keys(
        Estimate, "value", "stderr", "low", "high", "n", method=one_of("exact", "simulation")
    )
    return {**schema, "description": "A number that knows how it was made."}


def _meaning(name: str, schema: Schema) -> Schema:
    """The description of a key, unless its schema has one."""
    if "description" in schema or name not in MEANINGS:
        return {}
    return {"description": MEANINGS[name]}
