"""Games of other packages: found by entry points, refused with the name of the package."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lama_odds.core import other_packages
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.games import registry
from lama_odds.report.text.answers import printed
from lama_odds.report.text.listings import policies_listing, rules_listing

WORKING = """
from lama_odds.games.dice.game import DiceGame
class Other(DiceGame):
    name = "{name}"
    title = "Other"
GAME = Other()
"""
Brings = Callable[[str, str, str], None]


@pytest.fixture
def brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Brings:
    """A function that installs a package with a module that brings a game of a name."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(other_packages, "GROUP", "lama_odds.games.of_a_test")

    def install(package: str, name: str, source: str) -> None:
        module = package.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
        about = tmp_path / f"{module}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        point = f"[{other_packages.GROUP}]\n{name} = {module}:GAME\n"
        (about / "entry_points.txt").write_text(point)
        other_packages.offered.cache_clear()
        monkeypatch.delitem(sys.modules, module, raising=False)

    other_packages.offered.cache_clear()
    yield install  # type: ignore[misc]
    other_packages.offered.cache_clear()


def test_a_game_of_another_package_is_found(brings: Brings) -> None:
    brings("good-game", "other", WORKING.format(name="other"))
    assert registry.names() == (*registry.GAMES, "other")
    assert registry.game_of("other/amigo+target=30").title == "Other"
    assert "good_game" in sys.modules


def test_listing_names_imports_no_game(brings: Brings) -> None:
    brings("lazy-game", "lazy", "raise RuntimeError('imported')")
    assert "lazy" in registry.names()
    assert registry.game_of("dice/amigo").name == "dice"
    with pytest.raises(ReadError, match="did you mean lazy"):
        registry.game_of("lazyy/x")
    assert "lazy_game" not in sys.modules


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import nothing_like_it", "cannot be imported: ModuleNotFoundError: No module named"),
        ("1 / 0", "cannot be imported: ZeroDivisionError"),
        ("", "cannot be imported: AttributeError"),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
        ("GAME = 3", "bad_game:GAME is not a Game"),
        (WORKING.format(name="else"), "which calls itself 'else'"),
    ],
)
def test_a_broken_package_is_named_and_all_other_games_go_on(
    brings: Brings, source: str, said: str
) -> None:
    brings("bad-game", "bad", source)
    with pytest.raises(LimitError) as refused:
        registry.game_of("bad/classic")
    assert "bad-game" in str(refused.value)
    assert said in str(refused.value)
    assert registry.game_of("lama/egmont").name == "lama"
    listed = rules_listing()
    assert listed.notes == (str(refused.value),)
    assert str(refused.value) in printed(listed.text(), width=400)
    assert any(line.startswith("dice: ") for line in policies_listing().plain["policies"])


def test_two_packages_cannot_bring_one_game(brings: Brings) -> None:
    brings("one-game", "twice", WORKING.format(name="twice"))
    brings("two-game", "twice", WORKING.format(name="twice"))
    with pytest.raises(LimitError, match="one-game and two-game bring a game 'twice' each"):
        registry.game_of("twice/amigo")
    assert list(registry.defects()) == ["twice"]
    assert registry.names().count("twice") == 1


def test_the_name_of_a_built_in_game_stays_its_own(brings: Brings) -> None:
    brings("false-game", "dice", WORKING.format(name="dice"))
    assert registry.game_of("dice/amigo").title == "Lama Dice"
    assert registry.names() == registry.GAMES
    said = "false-game brings a game 'dice', which is the name of a built-in one"
    assert rules_listing().notes == (said,)
    assert "false_game" not in sys.modules


def test_a_built_in_game_looks_at_no_other_package() -> None:
    code = (
        "import importlib.metadata as m\n"
        "def refused(**group): raise AssertionError('looked')\n"
        "m.entry_points = refused\n"
        "from lama_odds.games.registry import game_of\n"
        "print(game_of('dice/amigo').name)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "dice"
