"""Arrays from the bytes of ``.npy`` files."""

from __future__ import annotations

from tools.browser.stand_ins.browser import array_of

__all__ = ["array_of"]
