"""Which names a function or a class body binds, and which of them belong to its module."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Function = ast.FunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
OWN_SCOPE = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def parameters(arguments: ast.arguments) -> list[str]:
    """Return the names of all parameters of a function."""
    ordinary = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    names = [parameter.arg for parameter in ordinary]
    return names + [parameter.arg for parameter in (arguments.vararg, arguments.kwarg) if parameter]


def targets(node: ast.AST) -> list[str]:
    """Return the names that are bound by assigning to a target."""
    return [
        name.id
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    ]


def inside(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield all nodes of one scope: neither those of functions and classes in it, nor targets of
    comprehensions.
    """
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef):
            waiting += [*node.decorator_list, *node.args.defaults]
            waiting += [inner for inner in node.args.kw_defaults if inner]
        elif isinstance(node, ast.ClassDef):
            waiting += [*node.decorator_list, *node.bases]
        elif isinstance(node, COMPREHENSIONS):
            waiting += [inner for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)]
        elif not isinstance(node, ast.Lambda):
            waiting += list(ast.iter_child_nodes(node))


def bound(body: Sequence[ast.AST]) -> set[str]:
    """Return the names that the statements of one scope bind, without those of another scope."""
    names: set[str] = set()
    others: set[str] = set()
    for node in inside(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.Nonlocal | ast.Global):
            others |= set(node.names)
    return names - others


def yields(body: Sequence[ast.AST]) -> bool:
    """Return whether a function is a generator."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in inside(body))


def only_for_types(node: ast.stmt) -> bool:
    """Return whether a statement is for the type checker alone."""
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.ImportFrom) and node.module == "__future__"
    )
