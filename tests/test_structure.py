"""The shape of the package: imports point down, heavy ones come late, modules stay small."""

from __future__ import annotations

import ast
import functools
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from tools.study import game_names

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lama_odds"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A layer imports itself and those of the rows above it.
LAYERS = (
    ("core",),
    ("jit",),
    ("luck",),
    ("statistics", "simulation", "games"),
    ("analysis",),
    ("report",),
    ("api",),
    ("web",),
    ("cli",),
)
# The same of the rooms of a game, of which `game` is the face, and of what is no game.
ROOMS = ("rules", "engine", "policies", "solvers", "jobs", "records", "game")
COMMON = ("interface", "registry", "shared")
# Heavy packages, and the only layers that load them: nothing that `advise` needs does.
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
MOST_LINES = 60  # of a function, but for compiled ones: a round in one piece is what is fast
COMPILED = {"compiled", "inlined", "allocating", "small", "of_each_game"}


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
            assert node.level == 0, "a relative import"
            found.append(node.module or "")
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def parts_of(path: Path) -> tuple[str, ...]:
    return path.relative_to(PACKAGE).with_suffix("").parts


def row_of(layer: str) -> int | None:
    return next((at for at, row in enumerate(LAYERS) if layer in row), None)


def may_import(here: tuple[str, ...], name: str) -> bool:
    """Whether a module of the package, by its parts, may import another by its name."""
    package, *there = name.split(".")
    if package in ONLY_IN:
        return here[0] in ONLY_IN[package]
    if package != "lama_odds":
        return here[0] != "core" or package in sys.stdlib_module_names
    own, other = row_of(here[0]), row_of(there[0] if there else "")
    if own is None or other is None:
        return True
    if here[0] == there[0] == "games" and len(there) > 1:
        return games_may_import(here[1:], there[1:])
    return other < own or here[0] == there[0]


def games_may_import(here: tuple[str, ...], there: list[str]) -> bool:
    """The same within the games: no game knows another, and what they share knows none."""
    if here[0] in COMMON:
        return there[0] in COMMON[: COMMON.index(here[0]) + 1]
    if there[0] in COMMON:
        return True
    if there[0] != here[0]:
        return False
    inside = len(there) > 1 and here[1:2] != ("__init__",)
    return not inside or ROOMS.index(there[1]) <= ROOMS.index(here[1])


@for_every_module
def test_imports_point_down(path: Path) -> None:
    for name in imports_of(path):
        assert may_import(parts_of(path), name), f"imports {name}"


@pytest.mark.parametrize(
    ("here", "name"),
    [
        ("core.files", "lama_odds.jit.places"),
        ("core.files", "numpy"),
        ("simulation.run", "lama_odds.games.registry"),
        ("web.server", "lama_odds.cli.common"),
        ("api.asked", "rich.table"),
        ("games.dice.rules.board", "lama_odds.games.lama.rules"),
        ("games.dice.rules.board", "lama_odds.games.dice.engine.round_loop"),
        ("games.shared.record", "lama_odds.games.dice"),
        ("games.interface.game", "lama_odds.games.shared.record"),
    ],
)
def test_an_import_from_above_is_seen(here: str, name: str) -> None:
    assert not may_import(tuple(here.split(".")), name)


@for_every_module
def test_modules_are_small_and_say_what_they_are(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= 600
    assert ast.get_docstring(tree_of(path))


def lengths_of(tree: ast.AST, signatures: bool = True) -> dict[str, int]:
    """Lines of each function that is not compiled, but for the text below its first line.

    signatures: with what it takes.
    """
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list]
        if COMPILED & {ast.unparse(mark).rpartition(".")[2] for mark in marks}:
            continue
        body = node.body[0]
        text = (body.end_lineno or 0) - body.lineno if ast.get_docstring(node) else 0
        first = node.lineno if signatures else body.lineno
        lines = (node.end_lineno or 0) - first + 1 - text
        found[node.name] = max(found.get(node.name, 0), lines)
    return found


@for_every_module
def test_functions_can_be_taken_in(path: Path) -> None:
    # A question and a command say all of their options where they begin.
    lengths = lengths_of(tree_of(path), signatures=parts_of(path)[0] not in ("api", "cli"))
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


def test_long_functions_are_seen() -> None:
    code = "def f(\n    x,\n):\n    y = x\n    return y\n\n@jit.compiled\ndef g():\n    pass\n"
    assert lengths_of(ast.parse(code)) == {"f": 5}
    assert lengths_of(ast.parse(code), signatures=False) == {"f": 2}
    assert lengths_of(ast.parse('def f():\n    """Do.\n\n    It.\n    """\n    pass')) == {"f": 3}


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
    for code in (
        'if game.name == "dice": pass',
        'RULES = ("lama/egmont",)',
        'text = "match equity tables are for lama and dice"',
        'load(f"lama_odds.games.{name}.records.record")',
        "from lama_odds.games import noprob",
        "from lama_odds.analysis.strategy_report.by_game.dice import discards",
    ):
        assert list(game_names.places(code)), code
    helps = '"""Of Lama Dice."""\nEXAMPLES = "advise dice/amigo"\nf(help="for example dice/amigo")'
    assert not list(game_names.places(helps))


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
    imported = {name.partition(".")[0] for path in MODULES for name in imports_of(path)}
    assert imported - sys.stdlib_module_names - {PACKAGE.name, "IPython"} <= declared


def shipped(builder: type[SdistBuilder] | type[WheelBuilder], root: Path) -> set[str]:
    """The files that an archive has."""
    return {str(each.distribution_path) for each in builder(str(root)).recurse_included_files()}


def test_archives_have_the_files_of_the_package_and_none_by_chance(tmp_path: Path) -> None:
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert {path.relative_to(ROOT).as_posix() for path in files} <= shipped(WheelBuilder, ROOT)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    meant = {"README.md", "lama_odds/__init__.py", "data/best.json"}
    for name in (*meant, ".env", "notes.txt", "lama_odds/.env", "data/.env", "docs/table/.env"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert shipped(SdistBuilder, tmp_path) - {"pyproject.toml"} == meant
    assert shipped(WheelBuilder, tmp_path) == {"lama_odds/__init__.py", "lama_odds/data/best.json"}
