"""What holds for all tests: answers are as wide as they are in a pipe."""

import os

# pytest-xdist hands its workers the width of the terminal, and `COLUMNS` sets that of answers.
os.environ.pop("COLUMNS", None)
