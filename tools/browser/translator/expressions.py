"""Expressions: each becomes text in JavaScript, with Python's meaning from `runtime/python.js`."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Sequence

from tools.browser.translator.scopes import parameters, targets

# What JavaScript keeps for itself, and what the runtime is called by.
RESERVED = frozenset(
    word
    for line in (
        "abstract arguments await boolean byte case catch char const debugger default delete do",
        "double enum eval export extends false final float for function goto if implements import",
        "in int interface let long native new null package private protected public return short",
        "static super switch synchronized this throw throws transient true try typeof var void",
        "volatile while with yield undefined NaN Infinity Object Array Map Set Symbol Math Number",
        "String BigInt P B",
    )
    for word in line.split()
)
# Methods of Python's own types, which JavaScript's have under other names or not at all.
BUILT_IN = frozenset(
    name for kind in (str, list, tuple, int, float, bytes) for name in dir(kind) if name[0] != "_"
)
OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitOr: "or",
    ast.BitAnd: "and", ast.BitXor: "xor", ast.MatMult: "matmul",
}  # fmt: skip
COMPARISONS = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"
}  # fmt: skip
NUMBERS = 2**53  # beyond which integers are JavaScript's big ones


class UnknownSyntaxError(Exception):
    """Something that the translator does not know; it names the place."""

    def __init__(self, where: str, node: ast.AST) -> None:
        kind, line = type(node).__name__, getattr(node, "lineno", 0)
        super().__init__(f"{where}, line {line}: {kind} cannot be translated")


class Scopes:
    """Where a name lives: `locals` of the functions around, `members` of a class body."""

    def __init__(self, where: str, names: set[str], methods: frozenset[str]) -> None:
        self.where = where
        self.module = names
        self.methods = methods  # names of methods anywhere: as values they are bound
        self.locals: list[set[str]] = []
        self.members: set[str] | None = None
        self.temporaries = 0
        self.own = ""  # the variable of the function's own object, in a method
        self.caught: list[str] = []

    def temporary(self) -> str:
        """Return a new name."""
        self.temporaries += 1
        return f"${self.temporaries}"

    def name(self, name: str) -> str:
        """Return what a name is in JavaScript."""
        if name == "__name__":
            return "$m.__name__"
        if any(name in names for names in self.locals):
            return mangled(name)
        if self.members is not None and name in self.members:
            return f"$c.{name}"
        if name in self.module:
            return f"$m.{name}"
        return f"B.{name}"


def mangled(name: str) -> str:
    """Return a name that JavaScript does not keep for itself."""
    return f"{name}$" if name in RESERVED else name


class Expressions:
    """Translates expressions within `scopes`."""

    def __init__(self, scopes: Scopes) -> None:
        self.scopes = scopes

    def __call__(self, node: ast.expr | None) -> str:
        """Return an expression as JavaScript; a missing one is None."""
        if node is None:
            return "null"
        translate: Callable[[ast.AST], str] | None = getattr(self, f"_{type(node).__name__}", None)
        if translate is None:
            raise UnknownSyntaxError(self.scopes.where, node)
        return translate(node)

    def all(self, nodes: Sequence[ast.expr]) -> str:
        """Return expressions with commas between them."""
        return ",".join(map(self, nodes))

    def test(self, node: ast.expr) -> str:
        """Return an expression of which only the truth matters, as a boolean."""
        if isinstance(node, ast.BoolOp):
            sign = "&&" if isinstance(node.op, ast.And) else "||"
            return "(" + sign.join(map(self.test, node.values)) + ")"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"!{self.test(node.operand)}"
        if isinstance(node, ast.Compare):
            signs = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
            if all(isinstance(op, signs) for op in node.ops):
                return self(node)
        return f"P.truthy({self(node)})"

    def _Constant(self, node: ast.Constant) -> str:
        value = node.value
        if value is ...:
            return "B.Ellipsis"
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, str):
            return json.dumps(value)
        if isinstance(value, int):
            return str(value) if abs(value) < NUMBERS else f"{value}n"
        if isinstance(value, float):
            return repr(value)
        if isinstance(value, bytes):
            return f"P.bytes({json.dumps(list(value))})"
        raise UnknownSyntaxError(self.scopes.where, node)

    def _Name(self, node: ast.Name) -> str:
        return self.scopes.name(node.id)

    def _Attribute(self, node: ast.Attribute) -> str:
        of = self(node.value)
        if node.attr in self.scopes.methods or node.attr in BUILT_IN or node.attr[:2] == "__":
            return f"P.attr({of},{json.dumps(node.attr)})"
        return f"{self._base(node.value, of)}.{node.attr}"

    @staticmethod
    def _base(node: ast.expr, text: str) -> str:
        return f"({text})" if isinstance(node, ast.Constant | ast.Lambda | ast.IfExp) else text

    def _Subscript(self, node: ast.Subscript) -> str:
        return f"P.get({self(node.value)},{self.key(node.slice)})"

    def key(self, node: ast.expr) -> str:
        """Return what is in brackets."""
        return self(node)

    def _Slice(self, node: ast.Slice) -> str:
        return f"P.slice({self(node.lower)},{self(node.upper)},{self(node.step)})"

    def _Tuple(self, node: ast.Tuple) -> str:
        return f"P.tuple([{self.all(node.elts)}])"

    def _List(self, node: ast.List) -> str:
        return f"[{self.all(node.elts)}]"

    def _Set(self, node: ast.Set) -> str:
        return f"P.set([{self.all(node.elts)}])"

    def _Starred(self, node: ast.Starred) -> str:
        return f"...{self(node.value)}"

    def _Dict(self, node: ast.Dict) -> str:
        parts = [
            f"...P.items({self(value)})" if key is None else f"[{self(key)},{self(value)}]"
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return f"P.dict([{','.join(parts)}])"

    def _BinOp(self, node: ast.BinOp) -> str:
        return f"P.{OPERATORS[type(node.op)]}({self(node.left)},{self(node.right)})"

    def _UnaryOp(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return f"!{self.test(node.operand)}"
        if isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.USub):
            return f"(-{self(node.operand)})"
        name = {ast.USub: "neg", ast.Invert: "invert", ast.UAdd: "pos"}[type(node.op)]
        return f"P.{name}({self(node.operand)})"

    def _BoolOp(self, node: ast.BoolOp) -> str:
        *before, last = node.values
        text = self(last)
        for value in reversed(before):
            name = self.scopes.temporary()
            self.declare(name)
            test = f"P.truthy({name}={self(value)})"
            text = (
                f"({test}?{text}:{name})"
                if isinstance(node.op, ast.And)
                else f"({test}?{name}:{text})"
            )
        return text

    def declare(self, name: str) -> None:
        """Note a variable that the function around has to declare."""
        self.scopes.locals[-1].add(name) if self.scopes.locals else self.loose.add(name)

    loose: set[str] = set()  # noqa: RUF012 (replaced for each module)

    def _IfExp(self, node: ast.IfExp) -> str:
        return f"({self.test(node.test)}?{self(node.body)}:{self(node.orelse)})"

    def _NamedExpr(self, node: ast.NamedExpr) -> str:
        return f"({self(node.target)}={self(node.value)})"

    def _Compare(self, node: ast.Compare) -> str:
        if len(node.ops) == 1:
            return self._compared(node.left, self(node.left), node.ops[0], node.comparators[0])
        parts, left, text = [], node.left, self(node.left)
        for at, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if at < len(node.ops) - 1:
                name = self.scopes.temporary()
                self.declare(name)
                parts.append(self._compared_texts(text, op, f"({name}={self(right)})"))
                text = name
            else:
                parts.append(self._compared(left, text, op, right))
        return "(" + "&&".join(parts) + ")"

    def _compared(self, left: ast.expr, text: str, op: ast.cmpop, right: ast.expr) -> str:
        del left
        return self._compared_texts(text, op, self(right))

    @staticmethod
    def _compared_texts(left: str, op: ast.cmpop, right: str) -> str:
        if isinstance(op, ast.Is | ast.IsNot):
            sign = "==" if right == "null" else "==="
            return f"({left}{sign}{right})" if isinstance(op, ast.Is) else f"!({left}{sign}{right})"
        if isinstance(op, ast.In):
            return f"P.has({right},{left})"
        if isinstance(op, ast.NotIn):
            return f"!P.has({right},{left})"
        return f"P.{COMPARISONS[type(op)]}({left},{right})"

    def _JoinedStr(self, node: ast.JoinedStr) -> str:
        parts = [
            json.dumps(value.value) if isinstance(value, ast.Constant) else self(value)
            for value in node.values
        ]
        return "(" + "+".join(parts or ['""']) + ")" if len(parts) != 1 else parts[0]

    def _FormattedValue(self, node: ast.FormattedValue) -> str:
        value = self(node.value)
        if node.conversion == ord("r"):
            value = f"B.repr({value})"
        elif node.conversion == ord("s"):
            value = f"B.str({value})"
        if node.format_spec is None:
            return f"B.str({value})"
        return f"P.format({value},{self(node.format_spec)})"

    # Calls: without names of arguments like JavaScript's own, with names through the runtime.

    def _Call(self, node: ast.Call) -> str:
        called = node.func
        if isinstance(called, ast.Name) and called.id == "cast":
            return self(node.args[1])
        if isinstance(called, ast.Name) and called.id == "super" and not node.args:
            return f"P.above($k.of,{self.scopes.own})"
        arguments = self.all(node.args)
        if isinstance(called, ast.Attribute):
            of, name = self(called.value), json.dumps(called.attr)
            if node.keywords:
                return f"P.callMethod({of},{name},[{arguments}],{self._named(node.keywords)})"
            if called.attr in BUILT_IN:
                return f"P.method({of},{name}{',' if arguments else ''}{arguments})"
            return f"{self._base(called.value, of)}.{called.attr}({arguments})"
        function = self(called)
        if node.keywords:
            return f"P.call({function},[{arguments}],{self._named(node.keywords)})"
        return f"{self._base(called, function)}({arguments})"

    def _named(self, keywords: Sequence[ast.keyword]) -> str:
        parts = [
            f"{word.arg}:{self(word.value)}" if word.arg else f"...P.named({self(word.value)})"
            for word in keywords
        ]
        return "{" + ",".join(parts) + "}"

    def _Lambda(self, node: ast.Lambda) -> str:
        self.scopes.locals.append(set(parameters(node.args)))
        head = self.parameters(node.args)
        names = set(parameters(node.args))
        body = self(node.body)
        extra = self.scopes.locals.pop() - names
        if extra:
            return f"(({head})=>{{let {','.join(sorted(extra))};return {body}}})"
        return f"(({head})=>({body}))"

    def parameters(self, arguments: ast.arguments, own: bool = False) -> str:
        """Return the parameters in JavaScript; own: without the first one, a method's object."""
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
        pairs = list(zip(positional, defaults, strict=True))[1 if own else 0 :]
        pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        parts = [
            mangled(parameter.arg)
            if default is None
            else f"{mangled(parameter.arg)}={self._default(default)}"
            for parameter, default in pairs
        ]
        if arguments.vararg and not (arguments.kwonlyargs or arguments.kwarg):
            parts.append(f"...{mangled(arguments.vararg.arg)}")
        elif arguments.vararg:
            parts.append(mangled(arguments.vararg.arg))
        if arguments.kwarg:
            parts.append(mangled(arguments.kwarg.arg))
        return ",".join(parts)

    def _default(self, node: ast.expr) -> str:
        """A default, evaluated once unless it is a constant: `hoisted` holds those."""
        if isinstance(node, ast.Constant | ast.UnaryOp):
            return self(node)
        name = self.scopes.temporary()
        inner = self.scopes.locals.pop()
        self.hoisted.append(f"const {name}={self(node)};")
        self.scopes.locals.append(inner)
        return name

    hoisted: list[str] = []  # noqa: RUF012 (replaced for each module)

    # Comprehensions: a function of their own, or a mapping where there is nothing else to it.

    def _ListComp(self, node: ast.ListComp) -> str:
        if len(node.generators) == 1 and not node.generators[0].ifs:
            return self._mapped(node.generators[0], node.elt)
        return self._loops(node.generators, lambda: f"$r.push({self(node.elt)})", "[]")

    def _mapped(self, only: ast.comprehension, element: ast.expr) -> str:
        """A list of what is made of each thing."""
        over, names = self(only.iter), set(targets(only.target))
        self.scopes.locals.append(set(names))
        target, first = self._taken(only.target)
        made = self(element)
        extra = sorted(self.scopes.locals.pop() - names)
        if not extra and not first:
            return f"Array.from({over},({target})=>({made}))"
        declared = f"let {','.join(extra)};" if extra else ""
        return f"Array.from({over},({target})=>{{{declared}{first}return {made}}})"

    def _taken(self, target: ast.expr) -> tuple[str, str]:
        """What a comprehension takes each thing as, and what takes that apart if no pattern can."""
        parts = target.elts if isinstance(target, ast.Tuple) else []
        at = next((i for i, part in enumerate(parts) if isinstance(part, ast.Starred)), None)
        if at is None or at == len(parts) - 1:
            return self.pattern(target), ""
        plain = [part.value if isinstance(part, ast.Starred) else part for part in parts]
        taken = f"P.unpacked($t,{len(parts)},{at},{len(parts) - 1 - at})"
        return "$t", f"const {self.pattern(ast.Tuple(plain, ast.Store()))}={taken};"

    def _SetComp(self, node: ast.SetComp) -> str:
        return self._loops(node.generators, lambda: f"$r.add({self(node.elt)})", "P.set([])")

    def _DictComp(self, node: ast.DictComp) -> str:
        put = lambda: f"$r.put({self(node.key)},{self(node.value)})"  # noqa: E731
        return self._loops(node.generators, put, "P.dict([])")

    def _GeneratorExp(self, node: ast.GeneratorExp) -> str:
        return self._loops(node.generators, lambda: f"yield {self(node.elt)}", "")

    def _loops(
        self, generators: Sequence[ast.comprehension], body: Callable[[], str], result: str
    ) -> str:
        """Nested loops; a generator if there is no result to begin with."""
        outer = self(generators[0].iter)
        names = {name for generator in generators for name in targets(generator.target)}
        self.scopes.locals.append(set(names))
        text = ""
        for at, generator in enumerate(generators):
            over = "$o" if at == 0 else self(generator.iter)
            target, first = self._taken(generator.target)
            text += f"for(const {target} of {over}){{{first}"
            text += "".join(f"if(!({self.test(test)}))continue;" for test in generator.ifs)
        text += body() + "}" * len(generators)
        extra = sorted(self.scopes.locals.pop() - names)
        declared = f"let {','.join(extra)};" if extra else ""
        if not result:
            return f"(function*($o){{{declared}{text}}})({outer})"
        return f"(($o)=>{{{declared}const $r={result};{text}return $r}})({outer})"

    def pattern(self, node: ast.expr) -> str:
        """Return a target of names as a pattern."""
        if isinstance(node, ast.Name):
            return self.scopes.name(node.id)
        if isinstance(node, ast.Starred):
            return f"...{self.pattern(node.value)}"
        if isinstance(node, ast.Tuple | ast.List):
            nobody = [isinstance(part, ast.Name) and part.id == "_" for part in node.elts]
            parts = map(self.pattern, node.elts)
            return (
                "["
                + ",".join("" if skip else part for skip, part in zip(nobody, parts, strict=True))
                + "]"
            )
        if isinstance(node, ast.Attribute):
            return f"{self(node.value)}.{node.attr}"
        raise UnknownSyntaxError(self.scopes.where, node)

    def _Yield(self, node: ast.Yield) -> str:
        return f"(yield {self(node.value)})"

    def _YieldFrom(self, node: ast.YieldFrom) -> str:
        return f"(yield* {self(node.value)})"
