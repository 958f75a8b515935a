"""List where a built-in game stands by name in code that all games share.

    .venv/bin/python tools/study/game_names.py [--all]

Looked for are names of games as texts, texts with such names, and imports of their folders; in
`lama_odds/` apart from the games themselves, the registry, the sections of reports by game, and
texts of help (docstrings, examples). So are modules of games that are found by their names.
--all: texts of help too. Exit code 1 if there is any.
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
DICE_AS_GAME = re.compile(r"\b(and|for|of) dice\b|\bdice (and|:)")
SHOWN = ("EXAMPLES", "RULES_EXAMPLES", "POLICIES_EXAMPLES", "help", "metavar")


def shared(path: Path) -> bool:
    """Whether a file is for all games."""
    parts = path.relative_to(PACKAGE).parts
    own = parts[0] == "games" and (parts[1] in GAMES or parts[1] == "registry.py")
    return not own and "by_game" not in parts


def places(path: Path) -> Iterator[tuple[int, str]]:
    """Lines of a file with a game's name, and what stands there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = set(_helps(tree))
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.ImportFrom | ast.Import):
            modules = [getattr(node, "module", None) or "", *(a.name for a in node.names)]
            for module in modules:
                pieces = module.split(".")
                if pieces[:2] == ["lama_odds", "games"] and pieces[2:3] and pieces[2] in GAMES:
                    yield node.lineno, f"import {module}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            found_by_name = text == "lama_odds.games." and "registry" not in path.name
            if found_by_name or any(p.search(text) for p in (NAMES, RULE_SET, DICE_AS_GAME)):
                yield node.lineno, repr(text if len(text) < 80 else text[:77] + "…")


def _helps(tree: ast.AST) -> Iterator[int]:
    """Ids of nodes in texts of help: docstrings, examples of commands, help and metavar."""
    for node in ast.walk(tree):
        inside: ast.AST | None = None
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside = node.value
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            inside = node.value if set(names) & set(SHOWN) else None
        elif isinstance(node, ast.keyword) and node.arg in SHOWN:
            inside = node.value
        if inside is not None and "--all" not in sys.argv:
            yield from (id(part) for part in ast.walk(inside))


def main() -> int:
    """Print all places; 1 if there is any."""
    found = 0
    for path in sorted(filter(shared, PACKAGE.rglob("*.py"))):
        for line, what in sorted(set(places(path))):
            print(f"{path.relative_to(ROOT)}:{line}: {what}")
            found += 1
    print(f"{found} places", file=sys.stderr)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
