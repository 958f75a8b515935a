"""The shape of the package: imports point down, heavy ones come late, modules stay small."""

from __future__ import annotations

import ast
import functools
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from tools.study import game_names

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lama_odds"
MODULES = sorted(PACKAGE.rglob("*.py"))

# What a layer may import, besides itself.
BELOW = {
    "core": set(),
    "jit": {"core"},
    "luck": {"core", "jit"},
    "statistics": {"core", "luck", "jit"},
    "simulation": {"core", "luck", "jit"},
    "games": {"core", "luck", "jit"},
    "analysis": {"core", "luck", "jit", "games", "simulation", "statistics"},
    "report": {"core", "luck", "jit", "games", "simulation", "statistics", "analysis"},
    "api": {"core", "luck", "jit", "games", "simulation", "statistics", "analysis", "report"},
    "cli": {
        *("core", "luck", "jit", "games", "simulation", "statistics", "analysis", "report"),
        *("api", "web"),
    },
    "web": {
        *("core", "luck", "jit", "games", "simulation", "statistics", "analysis", "report"),
        "api",
    },
}
STANDARD_ONLY = {"core"}
# The rooms of a game, each above those before it; `game` is the face, and above all of them.
ROOMS = ("rules", "engine", "policies", "solvers", "jobs", "records", "game")
# What is not a game in the folder of games, each above those before it, and all games above them.
# The registry finds games by their names when it is asked: it imports none.
COMMON = ("interface", "registry", "shared")
MOST_LINES = 60  # of a function, but for compiled ones: a round in one piece is what is fast
COMPILED = {"compiled", "inlined", "allocating", "small"}
# Found below the layers that `advise` loads: nowhere but in the cli, or nowhere at all yet.
ONLY_IN = {
    "typer": {"cli"},
    "rich": {"cli", "report"},
    "pandas": {"report"},
    "matplotlib": {"report"},
    "dask": {"simulation"},
    "distributed": {"simulation"},
    "starlette": {"web"},
    "uvicorn": {"web"},
    "segno": {"web"},
}


def for_every_module(check: Callable[[Path], None]) -> Callable[[], None]:
    """One test of all modules, which names each that fails."""

    def test() -> None:
        faults = []
        for path in MODULES:
            try:
                check(path)
            except AssertionError as fault:
                faults.append(f"{path.relative_to(ROOT)}: {fault or 'fails'}")
        assert not faults, "\n".join(faults)

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    return test


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(path)))


@functools.cache
def imports_of(path: Path) -> list[str]:
    """Modules that a file imports, in full."""
    found = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found.append(node.module or "")
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def layer_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


@for_every_module
def test_imports_point_down(path: Path) -> None:
    layer = layer_of(path)
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] == "lama_odds" and len(parts) > 1 and parts[1] in BELOW and layer:
            assert parts[1] == layer or parts[1] in BELOW[layer], f"{layer} imports {name}"
        if layer in STANDARD_ONLY and parts[0] != "lama_odds":
            assert parts[0] in sys.stdlib_module_names, f"{layer} imports {name}"
        if parts[0] in ONLY_IN:
            assert layer in ONLY_IN[parts[0]], f"{layer} imports {name}"


@for_every_module
def test_a_game_imports_no_other_game(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    if len(parts) < 3 or parts[0] != "games":
        return
    others = {p.name for p in (PACKAGE / "games").iterdir() if p.is_dir()} - {parts[1], *COMMON}
    for name in imports_of(path):
        pieces = name.split(".")
        assert not (
            pieces[:2] == ["lama_odds", "games"] and len(pieces) > 2 and pieces[2] in others
        )


def room_of(parts: Sequence[str]) -> int:
    """Floor of a room of a game; parts: of a module's dotted name below the game's folder."""
    return ROOMS.index(parts[0])


@for_every_module
def test_no_room_of_a_game_imports_from_above(path: Path) -> None:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if parts[0] != "games" or len(parts) < 3 or parts[1] in COMMON or parts[2] == "__init__":
        return
    for name in imports_of(path):
        pieces = name.split(".")
        if pieces[1:3] == list(parts[:2]) and len(pieces) > 3:
            assert room_of(pieces[3:]) <= room_of(parts[2:]), f"{path}: {name} is above"


@for_every_module
def test_what_games_share_knows_no_game(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    if parts[0] != "games" or parts[1] not in COMMON:
        return
    below = COMMON[: COMMON.index(parts[1]) + 1]
    for name in imports_of(path):
        pieces = name.split(".")
        if pieces[:2] == ["lama_odds", "games"] and len(pieces) > 2:
            assert pieces[2] in below, f"{path}: {name} is above"


@for_every_module
def test_modules_are_small_and_say_what_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 600
    assert ast.get_docstring(tree_of(path))


def documented(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a docstring beyond its first: what is public documents each parameter."""
    text = ast.get_docstring(node)
    first = node.body[0]
    return first.end_lineno - first.lineno if text and first.end_lineno else 0


def lengths_of(tree: ast.AST, signatures: bool = True) -> dict[str, int]:
    """Lines of each function that is not compiled; signatures: with what it takes."""
    found = {}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list]
        if not COMPILED & {ast.unparse(mark).rpartition(".")[2] for mark in marks}:
            first = node.lineno if signatures else node.body[0].lineno
            assert node.end_lineno is not None
            lines = node.end_lineno - first + 1 - documented(node)
            found[node.name] = max(found.get(node.name, 0), lines)
    return found


@for_every_module
def test_functions_can_be_taken_in(path: Path) -> None:
    tree = tree_of(path)
    # A question and a command say all of their options where they begin.
    lengths = lengths_of(tree, signatures=layer_of(path) not in ("api", "cli"))
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


def test_long_functions_are_seen() -> None:
    code = "def f(\n    x,\n):\n    y = x\n    return y\n\n@jit.compiled\ndef g():\n    pass\n"
    assert lengths_of(ast.parse(code)) == {"f": 5}
    assert lengths_of(ast.parse(code), signatures=False) == {"f": 2}
    assert lengths_of(ast.parse('def f():\n    """Do.\n\n    It.\n    """\n    pass')) == {"f": 3}
    assert lengths_of(ast.parse("class A:\n    async def f(self):\n        pass")) == {"f": 2}


@for_every_module
def test_a_module_uses_no_private_names_of_others(path: Path) -> None:
    modules = set()
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lama_odds"):
            names = [alias.name for alias in node.names]
            assert not [name for name in names if name.startswith("_")], f"{node.module}: {names}"
            modules |= {alias.asname or alias.name for alias in node.names}
    for node in nodes_of(path):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            private = node.attr.startswith("_") and not node.attr.startswith("__")
            assert not (private and node.value.id in modules), f"{node.value.id}.{node.attr}"


def test_no_game_stands_by_name_in_what_games_share() -> None:
    places = game_names.found()
    assert not places, "\n".join(["data or methods of a game's face instead:", *places])


@pytest.mark.parametrize(
    "code",
    [
        'if game.name == "dice": pass',
        'RULES = ("lama/egmont",)',
        'text = "match equity tables are for lama and dice"',
        'load(f"lama_odds.games.{name}.records.record")',
        "from lama_odds.games import noprob",
        "from lama_odds.games.pikomino.rules import board",
        "from lama_odds.analysis.strategy_report.by_game.dice import discards",
    ],
)
def test_names_of_games_are_seen(code: str) -> None:
    assert list(game_names.places(code))


def test_helps_may_name_games() -> None:
    code = '"""Of Lama Dice."""\nEXAMPLES = "advise dice/amigo"\nf(help="for example dice/amigo")'
    assert not list(game_names.places(code))
    assert list(game_names.places(code, helps=True))


# Reading and writing of files, and who may do it without `core.reading` and `core.files`, and why.
DIRECT = {"read_text", "read_bytes", "write_text", "write_bytes", "open", "fdopen", "mkstemp"}
DIRECT |= {"umask", "load", "loads", "dump", "dumps", "fromfile", "memmap", "loadtxt"}
OF = {"os", "io", "json", "np", "pickle", "path", "file", "tempfile"}  # as far as it is a name
MAY = {
    "core/reading.py": {"open", "fdopen"},
    "core/files.py": {"open", "fdopen"},  # writes, also at the end
    "core/strict_json.py": {"loads", "dumps"},
    "jit/places.py": {"open"},  # an empty stamp, a lock
    "jit/sources.py": {"read_text", "read_bytes"},
    "jit/numba_files.py": {"loads", "dumps"},  # code it has sealed
    "jit/native.py": {"read_bytes", "loads", "dumps"},  # the same, and numba's version
    "analysis/strategy_report/plan.py": {"dumps"},  # for a hash
    "simulation/span_files.py": {"dumps"},  # for a hash
    "cli/errors.py": {"open"},  # the null device
}


def direct_calls(tree: ast.AST) -> set[str]:
    """What a module calls of `DIRECT`."""
    found = set()
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name):
            found |= {called.id} & {"open"}
        elif isinstance(called, ast.Attribute):
            method = called.attr.startswith(("read_", "write_"))
            if method or (isinstance(called.value, ast.Name) and called.value.id in OF):
                found |= {called.attr} & DIRECT
    return found


@for_every_module
def test_files_go_through_one_reader_and_one_writer(path: Path) -> None:
    used = direct_calls(tree_of(path))
    assert used <= MAY.get(path.relative_to(PACKAGE).as_posix(), set())


def test_direct_calls_are_seen() -> None:
    for code in ("open(x)", "json.load(f)", "(a / b).read_text()", "np.load(p)", "os.umask(0)"):
        assert direct_calls(ast.parse(code)), code
    assert not direct_calls(ast.parse("engine.open(job, seed); spans.load(); read_bytes(path)"))


@for_every_module
def test_estimates_come_from_constructors(path: Path) -> None:
    """`exact`, `Estimate.normal` and so on; what makes an interval says which."""
    if path != PACKAGE / "core" / "estimate.py":
        calls = [node.func for node in nodes_of(path) if isinstance(node, ast.Call)]
        assert "Estimate" not in [ast.unparse(called).rpartition(".")[2] for called in calls]


@pytest.mark.long
def test_advise_loads_no_plotting_and_no_statistics_packages() -> None:
    code = (
        "import sys; sys.argv = ['lama-odds', 'advise', 'dice/amigo', 'hand=12 opp=q3', '--json'];"
        "from lama_odds.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = 'pandas', 'matplotlib', 'scipy', 'statsmodels', 'dask', 'distributed'\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_packages_that_are_imported_are_declared() -> None:
    """Also those that another one happens to bring along."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    for_users = (project["optional-dependencies"][name] for name in ("serve", "parquet", "cluster"))
    wanted = [*project["dependencies"], *(each for extra in for_users for each in extra)]
    declared = {re.split(r"[^\w-]", each)[0].replace("-", "_") for each in wanted}
    imported = set()
    for path in MODULES:
        for node in nodes_of(path):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    assert imported - sys.stdlib_module_names - {PACKAGE.name, "IPython"} <= declared


def shipped(builder: type[SdistBuilder] | type[WheelBuilder], root: Path) -> set[str]:
    """The files that an archive has."""
    return {str(each.distribution_path) for each in builder(str(root)).recurse_included_files()}


def test_the_wheel_has_all_files_of_the_package() -> None:
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert {path.relative_to(ROOT).as_posix() for path in files} <= shipped(WheelBuilder, ROOT)


def test_what_lies_in_a_checkout_by_chance_is_not_shipped(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    meant = {"README.md", "lama_odds/__init__.py", "data/best.json"}
    for name in (*meant, ".env", "notes.txt", "lama_odds/.env", "data/.env", "docs/table/.env"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert shipped(SdistBuilder, tmp_path) - {"pyproject.toml"} == meant
    assert shipped(WheelBuilder, tmp_path) == {"lama_odds/__init__.py", "lama_odds/data/best.json"}
