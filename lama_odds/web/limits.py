"""What the server allows: all its bounds in one place."""

from __future__ import annotations

MOST_BODY = 1 << 16  # bytes of a request's body
BODY_SECONDS = 10.0  # in which it has to be there
MOST_TEXT = 4_000  # characters of a position
MOST_NAME = 300  # characters of any other text

MOST_GAMES = 200_000  # of a position
MOST_ROUNDS = 2_000_000  # of thresholds
MOST_SAMPLING = 30.0  # seconds that a question may ask for
MOST_SECONDS = 60.0  # in which a question is answered, once its turn has come

RUNNING = 2  # questions at a time that may take seconds; each on one thread if others wait
RUNNING_BRIEF = 2  # that take moments
RUNNING_TABLES = 2  # that read or change a game at a table
BRIEF_GAMES = 20_000  # most games of a question that counts as brief
# Where "in all" is reached, the client that has most gives up its newest one.
CONNECTIONS = 512  # in all
CONNECTIONS_EACH = 128  # of a client
HEADER_SECONDS = 10.0  # in which a request has to begin and its headers to be complete
CLOSE_SECONDS = 1.0  # after an answer to a request whose rest is not read, to a connection's end
UNREAD_SECONDS = 30.0  # in which what was answered has to be read
MOST_HEADERS = 1 << 14  # bytes of a request's headers
WAITING = 64  # questions in all
WAITING_EACH = 24  # of a client
STREAMS = 128  # open streams in all
STREAMS_EACH = 64  # of a client
RETRY_AFTER = 2  # seconds, when there are too many
