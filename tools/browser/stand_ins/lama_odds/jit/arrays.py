"""Arrays from the bytes of ``.npy`` files."""

from __future__ import annotations

from browser import array_of

__all__ = ["array_of"]
