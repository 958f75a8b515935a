"""Calls made again in Node: whatever a function returns or writes must have the same bits."""

from __future__ import annotations

import json
import struct
import subprocess
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from tools.browser.needed import Call

RUNNER = Path(__file__).with_name("compare.mjs")
CONSTANT = 4096  # bytes of an array from which on it is passed as a constant, if nothing changes it


class _Writer:
    """Writes arrays into one file, each content once, and values as JSON that names places."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._size = 0
        self._known: dict[bytes, int] = {}

    def value(self, value: Any) -> Any:
        """Return a value as JSON: numbers by their bits, as texts."""
        if value is None or isinstance(value, bool | np.bool_):
            return value if value is None else bool(value)
        if isinstance(value, tuple):
            return [self.value(part) for part in value]
        if isinstance(value, np.ndarray):
            return {"dtype": value.dtype.name, "shape": value.shape, "at": self._place(value)}
        if isinstance(value, float | np.floating):
            return {"bits": str(struct.unpack("<q", struct.pack("<d", float(value)))[0])}
        return {"whole": str(int(value))}

    def _place(self, array: np.ndarray) -> int:
        content = array.tobytes()
        key = sha256(content).digest()
        if key not in self._known:
            self._known[key] = self._size
            self.parts.append(content + bytes(-len(content) % 8))
            self._size += len(self.parts[-1])
        return self._known[key]


def arrays_in(value: Any) -> list[np.ndarray]:
    """Return the arrays of an argument, in their order."""
    if isinstance(value, tuple):
        return [array for part in value for array in arrays_in(part)]
    return [value] if isinstance(value, np.ndarray) else []


def _as_json(writer: _Writer, name: str, call: Call) -> dict[str, Any]:
    before, after = arrays_in(call.given), arrays_in(call.after)
    changed = [one.tobytes() != other.tobytes() for one, other in zip(before, after, strict=True)]
    constant = [
        not change and one.nbytes >= CONSTANT for one, change in zip(before, changed, strict=True)
    ]
    return {
        "name": name,
        "given": writer.value(call.given),
        "constant": constant,
        "returned": writer.value(call.returned),
        "after": writer.value(tuple(after)),
    }


def compared(out: Path, calls: Mapping[str, Mapping[tuple[str, str], list[Call]]]) -> int:
    """Make recorded calls again with what `build` wrote, and print how many give the same.

    Return the exit code: 1 if any differs.
    """
    failed = 0
    for game, recorded in calls.items():
        writer = _Writer()
        listed = [
            _as_json(writer, function, call)
            for (function, _), kept in recorded.items()
            for call in kept
        ]
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            (place / "arrays").write_bytes(b"".join(writer.parts))
            (place / "calls.json").write_text(json.dumps(listed), encoding="utf-8")
            command = ["node", str(RUNNER), str(out / game), folder]
            done = subprocess.run(command, text=True, stdout=subprocess.PIPE)
        missing = sum(1 for kept in recorded.values() if not kept)
        print(f"{game}: {len(recorded)} functions and kinds, {missing} of them without a call kept")
        print(done.stdout, end="")
        failed |= done.returncode
    return int(bool(failed))
