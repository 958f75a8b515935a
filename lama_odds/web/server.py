"""The server: where it listens, how others find it, and what it gets ready at its start."""

from __future__ import annotations

import contextlib
import gc
import logging
import re
import secrets
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lama_odds.api.positions import games_folder
from lama_odds.core.errors import LamaOddsError, LimitError
from lama_odds.core.files import write_whole_bytes
from lama_odds.core.progress import stopped_by
from lama_odds.core.reading import read_text
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import built_in
from lama_odds.web import guard
from lama_odds.web.guard import TOKEN, Door

LOOPBACK = "127.0.0.1"
ANYWHERE = "0.0.0.0"
TOKEN_BYTES = 16
MOST_TOKEN = 1 << 10  # bytes of its file
TOKEN_FORM = re.compile(r"[\w-]{22}", re.ASCII)
SOMEWHERE = ("192.0.2.1", 9)  # an address for examples (RFC 5737): nothing is sent there
GRACE = 2  # seconds for open requests, at the end


@dataclass(frozen=True)
class Address:
    """Where the server is. others: the address for other machines, with the token; "" without."""

    sock: socket.socket
    door: Door
    own: str
    others: str = ""


def listen(port: int, lan: bool, keep: bool = False) -> Address:
    """Return where the server listens from now on; port 0: any free one.

    keep: use the token in the user's data folder, so that phones that know it stay known. Raises
    LimitError if the port is taken, if there is no network for `lan`, or for the file of the token.
    """
    host = _address_in_lan() if lan else ""
    token = kept_token() if keep else secrets.token_urlsafe(TOKEN_BYTES) if lan else ""
    # With the protocol named, asyncio sends small replies at once instead of 40 ms later.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((ANYWHERE if lan else LOOPBACK, port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise LimitError(f"port {port} cannot be used ({error.strerror}): try --port 0") from None
    port = sock.getsockname()[1]
    own = f"http://{LOOPBACK}:{port}/"
    if not lan:
        return Address(sock, Door(port), own)
    names = {host, socket.gethostname(), f"{socket.gethostname()}.local"}
    others = f"http://{host}:{port}/?{TOKEN}={token}"
    return Address(sock, Door(port, frozenset(names), token, keep), own, others)


def token_file() -> Path:
    """Return the file of the token that stays, in the user's data folder."""
    return games_folder().with_name("token.txt")


def kept_token() -> str:
    """Return the token that stays; it is made the first time, and only its owner can read it."""
    path = token_file()
    try:
        with contextlib.suppress(FileNotFoundError):
            token = read_text(path, MOST_TOKEN, links=False).strip()
            if not TOKEN_FORM.fullmatch(token):
                raise LimitError(f"{path} holds no token: delete it, and a new one is made")
            path.chmod(0o600)
            return token
        path.parent.mkdir(parents=True, exist_ok=True)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        write_whole_bytes(path, f"{token}\n".encode(), mode=0o600)
        return token
    except ValueError:
        raise LimitError(f"{path} holds no token: delete it, and a new one is made") from None
    except OSError as error:
        raise LimitError(f"--keep: {path} cannot be used ({error.strerror})") from None


def serve(address: Address) -> None:
    """Answer requests until Ctrl-C."""
    import uvicorn

    from lama_odds.web.app import app_of
    from lama_odds.web.connections import Connection
    from lama_odds.web.work import Work

    work = Work()

    class Server(uvicorn.Server):
        """Ends all questions before it waits for their replies."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            work.close()
            await super().shutdown(sockets)

    logging.basicConfig(format="lama-odds: %(message)s", level=logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what others send is not our fault
    gc.enable()  # a command is short, a server is not
    ending = threading.Event()
    getting_ready = threading.Thread(target=_get_ready, args=(ending,), daemon=True)
    getting_ready.start()
    config = uvicorn.Config(
        app_of(address.door, work),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=Connection,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=guard.MOST_HEADERS,
    )
    try:
        with contextlib.suppress(KeyboardInterrupt):
            Server(config).run(sockets=[address.sock])
    finally:
        ending.set()
        getting_ready.join(GRACE)


def drawn(text: str, draw: Callable[[str], None]) -> None:
    """Draw a QR code of a text, line by line."""
    import io

    import segno

    out = io.StringIO()
    segno.make(text, error="l").terminal(out, compact=True)
    for line in out.getvalue().splitlines():
        draw(line)


def _address_in_lan() -> str:
    """Return this machine's address in its network; LimitError if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
            address: str = probe.getsockname()[0]
        except OSError:
            raise LimitError("--lan: this machine is in no network") from None
    return address


def _get_ready(ending: threading.Event) -> None:
    """Load the compiled code that first questions need, game by game, until the server ends."""
    from lama_odds.jit import load_numba
    from lama_odds.web.work import CancelledError

    def check() -> None:
        if ending.is_set():
            raise CancelledError

    try:
        load_numba()
        with stopped_by(check):
            for game in built_in():
                check()
                _load(game)
    except CancelledError:
        return
    except RuntimeError:  # Python ends, and starts no more threads
        if not ending.is_set():
            raise


def _load(game: AnyGame) -> None:
    """Answer the typical questions about a game, in few games."""
    from lama_odds.analysis.advice.advise import advise
    from lama_odds.analysis.advice.rollouts import Limits
    from lama_odds.statistics.intervals import FEWEST

    rules = game.rules(f"{game.name}/{next(iter(game.editions))}")
    with contextlib.suppress(LamaOddsError):
        for text in game.typical or (game.example,):
            position = game.position(rules, text)
            advise(game, rules, position, limits=Limits(games=FEWEST, threads=1))
            game.odds(rules, position)
