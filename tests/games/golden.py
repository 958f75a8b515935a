"""The golden records of a game: files in its folder ``golden``, written by its twin.

``python -m tests.games.golden`` writes them all again; names of games behind it, those of these.
"""

import sys
from importlib import import_module
from pathlib import Path


class Golden:
    """The files of a game, one for each golden game by name.

    ``beside`` is a file of the folder in which ``golden`` is, ``record`` gives the text of a game.
    """

    def __init__(self, beside, games, record):
        self.folder = Path(beside).parent / "golden"
        self.games = games
        self.record = record

    def path(self, name):
        return self.folder / f"{name}.txt"

    def read(self, name):
        return self.path(name).read_text(encoding="utf-8")

    def files(self):
        """Give the names of the games that there are files of."""
        return {path.stem for path in self.folder.iterdir()}

    def update(self):
        """Write every golden file anew and remove those without a game."""
        self.folder.mkdir(exist_ok=True)
        for path in self.folder.glob("*.txt"):
            path.unlink()
        for name in self.games:
            self.path(name).write_text(self.record(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    for game in sys.argv[1:] or ("dice", "lama", "noprob", "pikomino"):
        import_module(f"tests.games.{game}.cases").GOLDEN.update()
