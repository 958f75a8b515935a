"""Content with a hash at its end: it is used only if it is as it was written."""

from __future__ import annotations

import hashlib

SIZE = hashlib.sha256().digest_size


def sealed(content: bytes, key: bytes = b"") -> bytes:
    """Return content with its seal. key: what else must be the same when it is read."""
    return content + _seal(key, content)


def opened(whole: bytes, key: bytes = b"") -> bytes:
    """Return the content of `sealed`; ValueError if it is damaged or belongs to another key."""
    content = whole[:-SIZE]
    if _seal(key, content) != whole[-SIZE:]:
        raise ValueError("damaged")
    return content


def _seal(key: bytes, content: bytes) -> bytes:
    digest = hashlib.sha256(key)
    digest.update(content)
    return digest.digest()
