"""Entry point of `tools/publish`."""

from __future__ import annotations

import sys

from tools.publishing.command import main

if __name__ == "__main__":
    sys.exit(main())
