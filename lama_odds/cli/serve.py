"""``lama-odds serve``: the page for the phone at the table."""

from __future__ import annotations

import importlib.util
from typing import Annotated

from lama_odds.api.options import Option
from lama_odds.cli.asking import asks
from lama_odds.cli.common import line_out, start_kernels
from lama_odds.core.errors import LimitError, ReadError, extra

NEEDED = ("starlette", "uvicorn", "segno")
PORT = 8377
EXAMPLES = """
lama-odds serve --open

lama-odds serve --lan

lama-odds serve --lan --keep

lama-odds serve --port 9000

The page answers in this machine's browser. With --lan it also answers phones in your network: scan
the QR code. The address has a random token; requests without it are refused. Nothing leaves
your network, and the page needs no internet. Games that you follow are kept where lama-odds play
keeps them, so you can stop the server and continue later. Ctrl-C ends it.
"""


@asks("port lan keep open_")
def serve(
    port: Annotated[int, Option("Where it listens (0: any free port).", most=65535)] = PORT,
    lan: Annotated[bool, Option("Also answer phones in your network, with a token.")] = False,
    keep: Annotated[
        bool, Option("With --lan: the same token at each start, for an icon on the phone.")
    ] = False,
    open_: Annotated[bool, Option("Open the page in a browser.", flag="--open")] = False,
) -> None:
    """A page for your phone: ask by tapping cards, follow a game at your table."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise LimitError(
            f"serve needs {', '.join(missing)}, which the extra serve brings: {extra('serve')}"
        )
    if keep and not lan:
        raise ReadError("--keep keeps the token of --lan: give both")
    start_kernels()
    from lama_odds.web.server import drawn, listen
    from lama_odds.web.server import serve as answer

    address = listen(port, lan, keep)
    line_out(f"lama-odds answers at {address.own}")
    if address.others:
        line_out(f"from other machines at {address.others}")
        drawn(address.others, line_out)
    line_out("Ctrl-C ends it.")
    if open_:
        import webbrowser

        webbrowser.open(address.own)
    answer(address)
