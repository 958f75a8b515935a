"""The columns of simulated games as rows."""

from __future__ import annotations

from lama_odds.analysis.game_rows import DECISIONS, GAMES, ROUNDS
from lama_odds.report.rows.formats import NUMBER, WHOLE, Column

_GAME = Column("game", WHOLE, "number of the game, from 0")
_ROUND = Column("round", WHOLE, "number of the round in its game, from 0")
_SEAT = Column("seat", WHOLE, "the player, from 0; seat 0 starts the first round")
_POLICY = Column("policy", about="what this seat plays")

COLUMNS = {
    GAMES: (
        _GAME,
        _SEAT,
        _POLICY,
        Column("win", NUMBER, "share of the win: 1, 0, or a part if it is shared"),
        Column("score", WHOLE, "the final result: points, worms or llamas, as the record has it"),
        Column("penalty", WHOLE, "penalties of all rounds, tokens returned not subtracted"),
        Column("rounds", WHOLE, "rounds of the game"),
        Column("turns", WHOLE, "turns of all players"),
    ),
    ROUNDS: (
        _GAME,
        _ROUND,
        _SEAT,
        _POLICY,
        Column("starts", WHOLE, "1 if this seat starts the round, else 0"),
        Column("hand", about="the cards that are dealt"),
        Column("ended", about="how the round ends, as the record has it"),
        Column("penalty", WHOLE, "points of this round"),
        Column("score", WHOLE, "the standing after it; empty if only first rounds are played"),
    ),
    DECISIONS: (
        _GAME,
        _ROUND,
        Column("turn", WHOLE, "number of the turn in its game, from 0"),
        _SEAT,
        _POLICY,
        Column("position", about="what the player knows, as advise reads it"),
        Column("action", about="what the player does, as advise names it"),
        Column("shown", about="the dice or the card that this brings, if the player decides again"),
        Column("penalty", WHOLE, "points of this seat at the end of the round"),
    ),
}
