"""The folder of games played along, which `lama-odds play` and the page for the phone share."""

from __future__ import annotations

from pathlib import Path


def games_folder() -> Path:
    """Return the folder of games without a file of their own, in the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("lama-odds")) / "games"
