"""Which code a target reaches: imports, names in strings, what lies beside modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.publishing.sources import Sources, said

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = {
    "lama_odds/__init__.py": (
        '__version__ = "1"\n\ndef __getattr__(name):\n    from lama_odds import api\n'
    ),
    "lama_odds/api.py": "",
    "lama_odds/core/__init__.py": "",
    "lama_odds/core/a.py": "import numpy\nfrom typing import TYPE_CHECKING\n"
    "if TYPE_CHECKING:\n    from lama_odds.core import types\n",
    "lama_odds/core/types.py": "",
    "lama_odds/core/b.py": "def later():\n    from lama_odds.report import pages\n",
    "lama_odds/report/__init__.py": "",
    "lama_odds/report/pages.py": "",
    "lama_odds/report/templates/page.html": "<p>",
    "lama_odds/games/__init__.py": "",
    "lama_odds/games/registry.py": 'def of(x):\n    return load(f"lama_odds.games.{x}.game")\n',
    "lama_odds/games/one/__init__.py": "",
    "lama_odds/games/one/game.py": "X = 1\n",
    "lama_odds/games/two/__init__.py": "",
    "lama_odds/games/two/game.py": 'OTHER = "lama_odds.games.two.rules"\n',
    "lama_odds/games/two/rules.py": "",
    "tools/__init__.py": "",
    "tools/publishing/__init__.py": "",
    "tools/publishing/target.py": "import lama_odds.core.b\n",
    "tools/plain.py": "from lama_odds.core.a import x\nfrom tools.publishing.target import T\n",
    "tools/paged.py": "import lama_odds.core.b\n",
    "tools/gaming.py": "from lama_odds.games.registry import of\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_what_is_reached(tree: Path) -> None:
    sources = Sources(tree)
    assert sources.reached("tools.plain") == {
        *("tools.plain", "lama_odds", "lama_odds.core", "lama_odds.core.a"),
    }
    assert "lama_odds.report.pages" in sources.reached("tools.paged")
    games = {name for name in sources.reached("tools.gaming") if ".games." in name}
    assert games == {
        "lama_odds.games.registry",
        *("lama_odds.games.one", "lama_odds.games.one.game"),
        *("lama_odds.games.two", "lama_odds.games.two.game", "lama_odds.games.two.rules"),
    }


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("lama_odds/core/a.py", "import numpy\n\nX = 1\n", {"lama_odds/core"}),
        ("lama_odds/core/b.py", FILES["lama_odds/core/b.py"] + "\n# A remark.\n", set()),
        ("lama_odds/__init__.py", FILES["lama_odds/__init__.py"].replace('"1"', '"2"'), set()),
        ("lama_odds/report/templates/page.html", "<div>", {"lama_odds/report"}),
        ("lama_odds/games/one/game.py", "X = 2\n", {"lama_odds/games/one"}),
        ("tools/publishing/target.py", "", set()),
    ],
)
def test_what_a_change_changes(tree: Path, name: str, text: str, changed: set[str]) -> None:
    sources = Sources(tree)
    starts = ("tools.plain", "tools.paged", "tools.gaming")
    before = [sources.hashes(start) for start in starts]
    (tree / name).write_text(text, encoding="utf-8")
    for again in (sources, Sources(tree)):  # one that has read the files before, and a new one
        found = set()
        for start, old in zip(starts, before, strict=True):
            new = again.hashes(start)
            found |= {part for part in {*old, *new} if old.get(part) != new.get(part)}
        assert found == changed


def test_comments_are_not_said() -> None:
    text = 'a = "# no"\n\n  # yes\nb = """\n# no\n\n"""\n# yes\n'
    assert said(text) == 'a = "# no"\nb = """\n# no\n\n"""'


@pytest.mark.long
def test_the_targets_of_the_house_reach_what_they_play() -> None:
    sources = Sources(ROOT)
    every = sources.reached("tools.publishing.targets.league")
    for game in ("lama", "dice", "pikomino", "noprob"):
        assert f"lama_odds.games.{game}.game" in every
    assert "lama_odds.report.pages.pages" not in every
    dice = sources.reached("tools.fit.fit_meanfield")
    assert "lama_odds.games.dice.engine.kernels" in dice
    assert not any(name.startswith("lama_odds.games.lama") for name in dice)
