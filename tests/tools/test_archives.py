"""What is built for users: the same bits from the same sources, and the machine code made ahead."""

from __future__ import annotations

import os
import shutil
import tarfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent.parent
MADE_AHEAD = "lama_odds/machine_code"
BUILDERS = {"sdist": SdistBuilder, "wheel": WheelBuilder}


def files_in(archive: str, root: Path) -> set[str]:
    made = BUILDERS[archive](str(root)).recurse_included_files()
    return {Path(each.distribution_path).as_posix() for each in made}


def test_machine_code_goes_into_the_wheel_only(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copy(ROOT / ".gitignore", tmp_path)
    for name in ("lama_odds/__init__.py", f"{MADE_AHEAD}/a-1/b-2.native", f"{MADE_AHEAD}/notes"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert f"{MADE_AHEAD}/a-1/b-2.native" in files_in("wheel", tmp_path)
    assert not [name for name in files_in("sdist", tmp_path) if name.startswith(MADE_AHEAD)]
    assert f"{MADE_AHEAD}/notes" not in files_in("wheel", tmp_path)


def test_the_wheel_speaks_all_languages() -> None:
    from lama_odds.core.language import DOMAIN, ENGLISH, LANGUAGES

    wanted = {f"lama_odds/languages/{name}/LC_MESSAGES/{DOMAIN}.mo" for name in LANGUAGES}
    missing = wanted - files_in("wheel", ROOT)
    assert missing == {f"lama_odds/languages/{ENGLISH}/LC_MESSAGES/{DOMAIN}.mo"}


def built(archive: str, root: Path, out: Path) -> Path:
    (made,) = BUILDERS[archive](str(root)).build(directory=str(out), versions=["standard"])
    return Path(made)


@pytest.mark.long
def test_archives_have_the_same_bits_elsewhere_and_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    first = {archive: built(archive, ROOT, tmp_path / "first") for archive in BUILDERS}
    with tarfile.open(first["sdist"]) as packed:
        packed.extractall(tmp_path, filter="data")
    (elsewhere,) = (path for path in tmp_path.glob("lama_odds-*") if path.is_dir())
    if (ROOT / MADE_AHEAD).is_dir():
        shutil.copytree(ROOT / MADE_AHEAD, elsewhere / MADE_AHEAD)
    for path in elsewhere.rglob("*"):
        os.utime(path)
    for archive, path in first.items():
        again = built(archive, elsewhere, tmp_path / "again")
        assert again.name == path.name
        assert again.read_bytes() == path.read_bytes(), archive
