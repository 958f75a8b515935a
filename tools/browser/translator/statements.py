"""Statements, functions and classes in JavaScript; `runtime/python.js` has what they call."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Sequence

from tools.browser.translator.expressions import (
    OPERATORS,
    Expressions,
    Scopes,
    UnknownSyntaxError,
    mangled,
)
from tools.browser.translator.scopes import bound, only_for_types, parameters, targets, yields

TYPE_BASES = frozenset(("Protocol", "ABC", "Generic", "Hashable"))
MAKERS = frozenset(("compiled", "inlined", "allocating"))  # of compiled functions
STAMPING = "stamped"  # makes a copy of a compiled function, see `lama_odds.jit`
DECORATORS = MAKERS | {"for_all", "given_or", "small"}
NO_MEANING = frozenset(("abstractmethod", "runtime_checkable", "override"))


def is_compiled(node: ast.FunctionDef) -> bool:
    """Return whether numba can compile a function."""
    return any(isinstance(maker, ast.Name) and maker.id in MAKERS for maker in node.decorator_list)


def is_stamped(node: ast.stmt) -> bool:
    """Return whether a statement gives a name to a game's copy of a shared compiled function."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == STAMPING
    )


class Statements:
    """Translates the statements of a module; `import_of` says where what is imported comes from."""

    def __init__(
        self,
        scopes: Scopes,
        import_of: Callable[[str, str | None], str],
        wanted: Callable[[str], bool] = lambda name: True,
        compiled: bool = True,
    ) -> None:
        self.scopes = scopes
        self.express = Expressions(scopes)
        self.import_of = import_of
        self.wanted = wanted
        self.compiled = compiled  # whether compiled functions are called as WebAssembly
        self.flags: list[str] = []  # of the loops around: what to set where one is left early

    def body(self, nodes: Sequence[ast.stmt]) -> str:
        """Return statements, one after the other."""
        parts = []
        for node in nodes:
            if only_for_types(node):
                continue
            before, self.express.hoisted = self.express.hoisted, []
            text = self.statement(node)
            parts += [*self.express.hoisted, text]
            self.express.hoisted = before
        return "\n".join(parts)

    def statement(self, node: ast.stmt) -> str:
        """Return one statement."""
        translate: Callable[[ast.stmt], str] | None = getattr(self, f"_{type(node).__name__}", None)
        if translate is None:
            raise UnknownSyntaxError(self.scopes.where, node)
        return translate(node)

    def _Expr(self, node: ast.Expr) -> str:
        return f"{self.express(node.value)};"

    def _Return(self, node: ast.Return) -> str:
        return f"return {self.express(node.value)};"

    def _Pass(self, node: ast.Pass) -> str:
        del node
        return ""

    def _Break(self, node: ast.Break) -> str:
        del node
        return f"{self.flags[-1]}=false;break;" if self.flags[-1] else "break;"

    def _Continue(self, node: ast.Continue) -> str:
        del node
        return "continue;"

    def _Nonlocal(self, node: ast.Nonlocal) -> str:
        del node
        return ""

    def _Global(self, node: ast.Global) -> str:
        del node
        return ""

    def _Assert(self, node: ast.Assert) -> str:
        return f"if(!({self.express.test(node.test)}))throw B.AssertionError();"

    def _Delete(self, node: ast.Delete) -> str:
        parts = []
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                parts.append(
                    f"P.remove({self.express(target.value)},{self.express(target.slice)});"
                )
            elif isinstance(target, ast.Attribute):
                parts.append(f"delete {self.express(target.value)}.{target.attr};")
        return "".join(parts)

    def _Assign(self, node: ast.Assign) -> str:
        if is_stamped(node):
            return self._kernel(ast.unparse(node.targets[0]))
        value = self.express(node.value)
        if len(node.targets) == 1:
            return self.assign(node.targets[0], value)
        name = self.temporary()
        return f"{name}={value};" + "".join(self.assign(target, name) for target in node.targets)

    def _AnnAssign(self, node: ast.AnnAssign) -> str:
        return self.assign(node.target, self.express(node.value))

    def temporary(self) -> str:
        """Return a new variable, which the function around declares."""
        name = self.scopes.temporary()
        self.express.declare(name)
        return name

    def assign(self, target: ast.expr, value: str) -> str:
        """Return the assignment of a value to a target."""
        if isinstance(target, ast.Subscript):
            return f"P.put({self.express(target.value)},{self.express(target.slice)},{value});"
        if isinstance(target, ast.Tuple | ast.List):
            return self._unpack(target, value)
        return f"{self.express.pattern(target)}={value};"

    def _unpack(self, target: ast.Tuple | ast.List, value: str) -> str:
        parts = target.elts
        at = next((i for i, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
        simple = not any(isinstance(part, ast.Subscript) for part in parts)
        if simple and at in (None, len(parts) - 1):
            return f"{self.express.pattern(target)}={value};"
        names = [self.temporary() for _ in parts]
        after = 0 if at is None else len(parts) - 1 - at
        places = f"{len(names)},{-1 if at is None else at},{after}"
        text = f"[{','.join(names)}]=P.unpacked({value},{places});"
        for name, part in zip(names, parts, strict=True):
            text += self.assign(part.value if isinstance(part, ast.Starred) else part, name)
        return text

    def _AugAssign(self, node: ast.AugAssign) -> str:
        name = OPERATORS[type(node.op)]
        target, value = node.target, self.express(node.value)
        if isinstance(target, ast.Name):
            text = self.scopes.name(target.id)
            return f"{text}=P.inplace({json.dumps(name)},{text},{value});"
        of = self.temporary()
        if isinstance(target, ast.Attribute):
            place = f"{of}.{target.attr}"
            changed = f"P.inplace({json.dumps(name)},{place},{value})"
            return f"{of}={self.express(target.value)};{place}={changed};"
        assert isinstance(target, ast.Subscript)
        key = self.temporary()
        changed = f"P.inplace({json.dumps(name)},P.get({of},{key}),{value})"
        return (
            f"{of}={self.express(target.value)};{key}={self.express(target.slice)};"
            f"P.put({of},{key},{changed});"
        )

    def _If(self, node: ast.If) -> str:
        text = f"if({self.express.test(node.test)}){{{self.body(node.body)}}}"
        if node.orelse:
            text += f"else{{{self.body(node.orelse)}}}"
        return text

    def _While(self, node: ast.While) -> str:
        return self._looped(f"while({self.express.test(node.test)})", "", node)

    def _For(self, node: ast.For) -> str:
        one, over = self.temporary(), self.express(node.iter)
        return self._looped(f"for({one} of {over})", self.assign(node.target, one), node)

    def _looped(self, head: str, first: str, node: ast.For | ast.While) -> str:
        """A loop; what `else` has runs unless it is left early."""
        flag = self.temporary() if node.orelse else ""
        self.flags.append(flag)
        text = f"{head}{{{first}{self.body(node.body)}}}"
        self.flags.pop()
        if not flag:
            return text
        return f"{flag}=true;{text}if({flag}){{{self.body(node.orelse)}}}"

    def _Raise(self, node: ast.Raise) -> str:
        if node.exc is None:
            return f"throw {self.scopes.caught[-1]};"
        return f"throw P.raised({self.express(node.exc)});"

    def _Try(self, node: ast.Try) -> str:
        text, flag = "", ""
        if node.orelse:
            flag = self.temporary()
            text = f"{flag}=false;"
        after = f"{flag}=true;" if flag else ""
        text += f"try{{{self.body(node.body)}{after}}}"
        if node.handlers:
            text += self._handlers(node.handlers)
        if node.finalbody:
            text += f"finally{{{self.body(node.finalbody)}}}"
        return text + (f"if({flag}){{{self.body(node.orelse)}}}" if flag else "")

    def _handlers(self, handlers: Sequence[ast.ExceptHandler]) -> str:
        error = self.scopes.temporary()
        self.scopes.caught.append(error)
        parts = []
        for handler in handlers:
            kind = self.express(handler.type) if handler.type else "B.BaseException"
            name = f"{self.scopes.name(handler.name)}={error};" if handler.name else ""
            parts.append(f"if(P.is({error},{kind})){{{name}{self.body(handler.body)}}}")
        self.scopes.caught.pop()
        return f"catch({error}){{{'else '.join(parts)}else throw {error};}}"

    def _With(self, node: ast.With) -> str:
        text = self.body(node.body)
        for item in reversed(node.items):
            manager, good, error = self.temporary(), self.temporary(), self.scopes.temporary()
            entered = f"{manager}.__enter__()"
            first = (
                self.assign(item.optional_vars, entered) if item.optional_vars else f"{entered};"
            )
            text = (
                f"{manager}={self.express(item.context_expr)};{first}{good}=true;try{{{text}}}"
                f"catch({error}){{{good}=false;if(!P.left({manager},{error}))throw {error};}}"
                f"finally{{if({good})P.left({manager},null);}}"
            )
        return text

    def _Import(self, node: ast.Import) -> str:
        parts = []
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            module = alias.name if alias.asname else name
            parts.append(f"{self.scopes.name(name)}={self.import_of(module, None)};")
        return "".join(parts)

    def _ImportFrom(self, node: ast.ImportFrom) -> str:
        parts = []
        for alias in node.names:
            name = alias.asname or alias.name
            if not self.scopes.locals and not self.wanted(name):
                continue
            parts.append(
                f"{self.scopes.name(name)}={self.import_of(node.module or '', alias.name)};"
            )
        return "".join(parts)

    # Functions.

    def _kernel(self, name: str) -> str:
        """Return a compiled function of this module, which is called as WebAssembly."""
        return f"{self.scopes.name(name)}=P.kernel({json.dumps(f'{self.scopes.where}.{name}')});"

    def _FunctionDef(self, node: ast.FunctionDef) -> str:
        name = self.scopes.name(node.name)
        if is_compiled(node) and self.compiled:
            return self._kernel(node.name)
        return f"{name}={self._decorated(node, self.function(node), method=False)};"

    def function(self, node: ast.FunctionDef, own: bool = False) -> str:
        """Return a function; own: a method, whose first parameter is its object."""
        scopes = self.scopes
        names = set(parameters(node.args))
        kept = scopes.members, scopes.own, scopes.caught
        scopes.members, scopes.caught = None, []
        scopes.locals.append(names | bound(node.body))
        head = self.express.parameters(node.args, own)
        first = ""
        if own:
            scopes.own = mangled(node.args.args[0].arg)
            first = f"const {scopes.own}=this;"
        elif node.args.args and kept[0] is not None:
            scopes.own = mangled(node.args.args[0].arg)
        body = self.body(node.body)
        declared = sorted(scopes.locals.pop() - names)
        scopes.members, scopes.own, scopes.caught = kept
        text = first + (f"let {','.join(map(mangled, declared))};" if declared else "") + body
        star = "*" if yields(node.body) else ""
        made = f"function{star}({head}){{{text}return null;}}"
        return f"P.fn({json.dumps(_signature(node.args, own))},{made})"

    def _decorated(self, node: ast.FunctionDef, text: str, method: bool) -> str:
        wrapping = [
            wrap for wrap in node.decorator_list if _name_of(wrap) not in NO_MEANING | DECORATORS
        ]
        if method and wrapping:
            text = f"P.withSelf({text})"
        for wrap in reversed(wrapping):
            text = f"{self.express(wrap)}({text})"
        return f"P.asMethod({text})" if method and wrapping else text

    # Classes.

    def _ClassDef(self, node: ast.ClassDef) -> str:
        scopes = self.scopes
        fields, body = self._fields(node), self._members(node)
        bases = [base for base in node.bases if _name_of(base) not in TYPE_BASES]
        named = any(_name_of(base) == "NamedTuple" for base in bases)
        kept = [self._base(base) for base in bases if _name_of(base) != "NamedTuple"]
        kind = self._kind(node, named)
        name = scopes.name(node.name)
        return (
            f"{name}=P.class({json.dumps(node.name)},{json.dumps(scopes.where)},"
            f"[{','.join(kept)}],{kind},[{','.join(fields)}],($c,$k)=>{{{body}}});"
        )

    def _base(self, node: ast.expr) -> str:
        return self.express(node.value if isinstance(node, ast.Subscript) else node)

    def _kind(self, node: ast.ClassDef, named: bool) -> str:
        if named:
            return json.dumps("tuple")
        for decorator in node.decorator_list:
            if _name_of(decorator) == "runtime_checkable":
                return json.dumps("protocol")
            if _name_of(decorator) == "dataclass":
                options = ast.unparse(decorator)
                frozen = "frozen=True" in options
                return json.dumps(
                    "plain" if "eq=False" in options else "frozen" if frozen else "data"
                )
        return json.dumps("")

    def _fields(self, node: ast.ClassDef) -> list[str]:
        """Return the fields of a dataclass or a named tuple: [name, default]."""
        fields = []
        decorated = any(_name_of(part) == "dataclass" for part in node.decorator_list)
        if not decorated and not any(_name_of(part) == "NamedTuple" for part in node.bases):
            return []
        for part in node.body:
            if not isinstance(part, ast.AnnAssign) or _is_of_class(part):
                continue
            assert isinstance(part.target, ast.Name)
            name, value = json.dumps(part.target.id), part.value
            if value is None:
                fields.append(f"[{name}]")
            else:
                fields.append(f"[{name},{self.express(value)}]")
        return fields

    def _members(self, node: ast.ClassDef) -> str:
        scopes = self.scopes
        before, own = scopes.members, scopes.own
        scopes.members = bound(node.body)
        fields = self._fields(node) != []
        parts = []
        for member in node.body:
            if only_for_types(member):
                continue
            if (
                fields
                and isinstance(member, ast.AnnAssign)
                and "ClassVar" not in ast.unparse(member.annotation)
            ):
                continue
            kept, self.express.hoisted = self.express.hoisted, []
            method = isinstance(member, ast.FunctionDef)
            text = self._method(member) if method else self.statement(member)  # type: ignore[arg-type]
            parts += [*self.express.hoisted, text]
            self.express.hoisted = kept
        scopes.members, scopes.own = before, own
        return "\n".join(parts)

    def _method(self, node: ast.FunctionDef) -> str:
        if not node.name.startswith("__") and not self.wanted(f".{node.name}"):
            return ""
        kinds = {"property": "property", "cached_property": "kept", "staticmethod": "static"}
        for decorator in node.decorator_list:
            kind = _name_of(decorator)
            if kind in kinds and kind != "staticmethod":
                return f"$c.{node.name}=P.{kinds[kind]}({self.function(node, own=True)});"
            if kind == "staticmethod":
                return f"$c.{node.name}=P.static({self.function(node)});"
            if kind == "classmethod":
                return f"$c.{node.name}=P.ofClass({self.function(node, own=True)});"
        text = self._decorated(node, self.function(node, own=True), method=True)
        return f"$c.{node.name}={text};"


def _is_of_class(node: ast.AnnAssign) -> bool:
    return "ClassVar" in ast.unparse(node.annotation)


def _name_of(node: ast.expr) -> str:
    """Return the last part of a name, without what is called or in brackets."""
    if isinstance(node, ast.Call):
        return _name_of(node.func)
    if isinstance(node, ast.Subscript):
        return _name_of(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _signature(arguments: ast.arguments, own: bool) -> str:
    """Return the parameters as the runtime reads them: ``a,b|c|*rest|**more``."""
    positional = [arg.arg for arg in (*arguments.posonlyargs, *arguments.args)][1 if own else 0 :]
    by_name = [arg.arg for arg in arguments.kwonlyargs]
    rest = "*" if arguments.vararg else ""
    more = "**" if arguments.kwarg else ""
    return f"{','.join(positional)}|{','.join(by_name)}|{rest}{more}"


__all__ = ["Statements", "is_compiled", "is_stamped", "targets"]
