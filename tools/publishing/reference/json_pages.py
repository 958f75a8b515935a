"""Schemas of all answers as files, and the page on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tools.publishing.reference.markdown import cell, code, page, table
from tools.publishing.schemas.answers import ANSWERS
from tools.publishing.schemas.parts import Schema, estimate_schema

DRAFT = "https://json-schema.org/draft/2020-12/schema"
JSON = 1  # version of the contract
INTRO = """With `--json` a command prints one object, and in Python `answer.to_json()` returns it.
Every answer is tested against these schemas (JSON Schema 2020-12). Sampled and exact numbers are
*estimates*, which are objects too."""


def schema(command: str) -> Schema:
    """The whole schema of a command's answer."""
    return {
        "$schema": DRAFT,
        "$id": f"urn:lama-odds:json:{JSON}:{command}",
        "title": f"lama-odds {command} --json",
        **ANSWERS[command](),
        "$defs": {"estimate": estimate_schema()},
    }


def schema_files() -> Iterator[tuple[str, str]]:
    """Names of files with their texts."""
    for command in ANSWERS:
        yield f"{command}.json", json.dumps(schema(command), indent=1, ensure_ascii=False) + "\n"


def json_page() -> str:
    """The keys of each answer, with links to the schemas."""
    parts = ["## Estimate", _keys(estimate_schema())]
    for command, made in ANSWERS.items():
        parts += [f"## {command}", f"Schema: [{command}.json](schemas/{command}.json)"]
        parts += [_keys(shape) for shape in _shapes(made())]
    return page("JSON", INTRO, *parts)


def _shapes(shape: Schema) -> list[Schema]:
    """The shapes that an answer can have."""
    return list(shape.get("anyOf", [shape]))


def _keys(shape: Schema) -> str:
    rows = [
        (code(name), _type(inner), cell(inner.get("description", "")) + _inside(inner))
        for name, inner in _in_order(shape)
    ]
    return table(("key", "type", "meaning"), rows)


def _in_order(shape: Schema) -> list[tuple[str, Mapping[str, Any]]]:
    return list(shape["properties"].items())


def _inside(shape: Mapping[str, Any]) -> str:
    """The keys of what is listed."""
    inside = shape.get("items", shape)
    if "properties" not in inside:
        return ""
    names = ", ".join(code(name) for name in inside["properties"])
    return f" Each has {names}." if "items" in shape else f" It has {names}."


def _type(shape: Mapping[str, Any]) -> str:
    if "$ref" in shape:
        return "estimate"
    if "enum" in shape:
        return "text"
    if "anyOf" in shape:
        return " or ".join(dict.fromkeys(_type(option) for option in shape["anyOf"]))
    names = {
        "array": "list",
        "boolean": "true or false",
        "integer": "whole number",
        "string": "text",
    }
    kind = str(shape.get("type", ""))
    return names.get(kind, kind)
