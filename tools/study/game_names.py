"""List where a built-in game is named in code that all games share.

    .venv/bin/python tools/study/game_names.py [--all]

The tool looks for names of games as texts, texts with such names, and imports of their folders. It
also looks for modules of games that are found by their names. It searches `lama_odds/` except the
games themselves, the registry, the sections of reports by game, and texts of help (docstrings,
examples). --all: texts of help too. Exit code 1 if anything is found.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "lama_odds"
GAMES = ("lama", "dice", "pikomino", "noprob")
NAMES = re.compile(
    r"(?<![\w-])(lama|pikomino|noprob|Pikomino|No Prob-Lama|Lama Dice)(?![\w-])|^dice$"
)
RULE_SET = re.compile(rf"^({'|'.join(GAMES)})/\w+")
DICE_AS_GAME = re.compile(r"\b(for|of) dice\b|\bdice:")
FOUND_BY_NAME = re.compile(r"^lama_odds\.games\.(\w+\.)?$")
BY_GAME = "by_game"
SHOWN = ("EXAMPLES", "RULES_EXAMPLES", "POLICIES_EXAMPLES", "help", "metavar")


def shared(path: Path) -> bool:
    """Whether a file is for all games."""
    parts = path.relative_to(PACKAGE).parts
    own = parts[0] == "games" and (parts[1] in GAMES or parts[1] == "registry.py")
    return not own and BY_GAME not in parts


def places(source: str, helps: bool = False) -> Iterator[tuple[int, str]]:
    """Yield lines of a source with a game's name, and the text. helps: texts of help too."""
    tree = ast.parse(source)
    left_out = set() if helps else set(_helps(tree))
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.ImportFrom | ast.Import):
            above = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            modules = [above[:-1], *(f"{above}{name.name}" for name in node.names)]
            yield from ((node.lineno, f"import {m}") for m in modules if _of_a_game(m))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if any(p.search(text) for p in (NAMES, RULE_SET, DICE_AS_GAME, FOUND_BY_NAME)):
                yield node.lineno, repr(text if len(text) < 80 else text[:77] + "…")


def _of_a_game(module: str) -> bool:
    """Return whether a module is in the folder of a game."""
    pieces = module.split(".")
    above = {"lama_odds.games", f"lama_odds.analysis.strategy_report.{BY_GAME}"}
    return any(piece in GAMES and ".".join(pieces[:at]) in above for at, piece in enumerate(pieces))


def _helps(tree: ast.AST) -> Iterator[int]:
    """Ids of nodes in texts of help: docstrings, examples of commands, meanings of options."""
    for node in ast.walk(tree):
        inside: ast.AST | None = None
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside = node.value
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            inside = node.value if set(names) & set(SHOWN) else None
        elif isinstance(node, ast.keyword) and node.arg in SHOWN:
            inside = node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "Option":
            inside = node
        if inside is not None:
            yield from (id(part) for part in ast.walk(inside))


def found(helps: bool = False) -> list[str]:
    """All places, each with its file and line."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in sorted(filter(shared, PACKAGE.rglob("*.py")))
        for line, what in sorted(set(places(path.read_text(encoding="utf-8"), helps)))
    ]


def main() -> int:
    """Print all places; 1 if there is any."""
    lines = found("--all" in sys.argv)
    print("\n".join(lines), end="\n" * bool(lines))
    print(f"{len(lines)} places", file=sys.stderr)
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
