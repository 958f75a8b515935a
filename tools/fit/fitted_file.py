"""The file of what was fitted: a manifest, and tables with a row a line."""

from __future__ import annotations

import json
import re

import lama_odds
from tools.publishing.target import Making


def write_fitted(making: Making, name: str, fitted: object, what: str) -> None:
    """Write a file of data/ with its manifest."""
    manifest = {
        "what": what,
        "command": making.command,
        "version": lama_odds.__version__,
        "games": making["games"],
        "seed": making["seed"],
    }
    text = json.dumps({"manifest": manifest, "passing": fitted}, indent=1)
    text = re.sub(r"\[\s+([-0-9.,\s]+?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text)
    making.write(f"data/{name}", text + "\n")
