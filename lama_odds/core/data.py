"""Where shipped tables and parameters lie: data/ of a checkout, or inside the wheel."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from lama_odds.core.errors import LamaOddsError

_PACKAGE = Path(__file__).resolve().parent.parent


def data_file(name: str) -> Path:
    """Path of a shipped file; LamaOddsError if the installation lacks it."""
    for folder in (_PACKAGE / "data", _PACKAGE.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise LamaOddsError(f"this installation lacks its data file {name}: install lama-odds again")


@cache
def data_json(name: str) -> Any:
    """A shipped JSON file, read once."""
    return json.loads(data_file(name).read_text(encoding="utf-8"))
