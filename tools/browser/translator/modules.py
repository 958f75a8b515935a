"""Modules as one script: what is needed of each, registered by name and run when it is imported."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from pathlib import Path

from tools.browser.translator.expressions import Scopes
from tools.browser.translator.needed import RULES, Module, Needed, Sources
from tools.browser.translator.statements import Statements

HEAD = "export default function(P,B){\n"


def translated(root: Path, stand_ins: Path, roots: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return each module that is needed for these names in modules, as JavaScript by its name."""
    sources = Sources(root, stand_ins)
    needed = Needed(sources, roots)
    modules = {name: sources.module(name) for name in sorted(needed.kept)}
    methods = frozenset(
        member.name
        for module in modules.values()
        if module
        for node in module.statements
        if isinstance(node, ast.ClassDef)
        for member in node.body
        if isinstance(member, ast.FunctionDef) and not _is_property(member)
    )
    return {
        name: _module(module, needed, methods, sources)
        for name, module in modules.items()
        if module
    }


def _is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def _module(module: Module, needed: Needed, methods: frozenset[str], sources: Sources) -> str:
    kept = needed.kept[module.name]

    def import_of(name: str, what: str | None) -> str:
        if what is None:
            return f"P.import({json.dumps(name)})"
        if sources.module(name) and sources.module(f"{name}.{what}"):
            return f"P.import({json.dumps(f'{name}.{what}')})"
        return f"P.from({json.dumps(name)},{json.dumps(what)})"

    names = needed.names.get(module.name, set())

    def wanted(name: str) -> bool:
        return name[1:] in needed.attributes if name.startswith(".") else name in names

    scopes = Scopes(module.name, module.names, methods)
    statements = Statements(scopes, import_of, wanted, not RULES.search(module.name))
    statements.express.loose = set()
    statements.express.hoisted = []
    body = statements.body([node for at, node in enumerate(module.statements) if at in kept])
    loose = sorted(statements.express.loose)
    declared = f"let {','.join(loose)};" if loose else ""
    return f"P.module({json.dumps(module.name)},function($m){{{declared}{body}}});\n"


def script(modules: dict[str, str]) -> str:
    """Return modules as one script."""
    return HEAD + "".join(modules.values()) + "}\n"
