"""``lama-odds play``: the companion at the table."""

EXAMPLES = ""


def play() -> None:
    """Not yet."""
