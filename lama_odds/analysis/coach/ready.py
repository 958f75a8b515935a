"""What is compiled or loaded before the first prompt of a game, so that nothing is in between.

A short game of the same rules is played with all that a game may need. That is turns of the
policies, rolls and draws, and advice of every kind: for points, margin and the chance to win,
solved and sampled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.parts import live_play_of
from lama_odds.analysis.coach.session import ME, Session
from lama_odds.core.errors import LamaOddsError
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.shared.tokens import lowest_token, returned_token

LEAST = 1_000  # games of an advice: its answer is not used
MOVES = 2  # of yours in a short game: a turn may take as many


def get_ready(session: Session, objective: str | None, progress: StageProgress | None) -> None:
    """Compile or load whatever advice and turns in this game can need."""
    game, rules, players = session.game, session.rules, len(session.policies)
    against = [policy for policy in session.policies if policy is not None]
    steps = list(_questions(game, rules, players, objective))
    parts = len(steps) + 1
    for done, (position, aim) in enumerate(steps):
        if progress is not None:
            progress(done / parts, "getting ready")
        _ask(game, rules, position, aim)
    returned_token(1, rules.values.get("black", 10), 0)  # called when a round is counted
    lowest_token(1, rules.values.get("black", 10), 0)
    if progress is not None:
        progress(len(steps) / parts, "getting ready")
    _play_a_little(game, rules, players, against, session.seed)


def _ask(game: Game[R, P], rules: R, position: P, aim: str | None) -> None:
    """An answer that nobody reads; some positions cannot occur under options of the rules."""
    try:
        advise(game, rules, position, objective=aim, limits=Limits(games=LEAST))
    except LamaOddsError:
        return


def _ask_at(session: Session) -> None:
    """An answer that nobody reads, after what has been done in the round."""
    try:
        position = session.position()
    except LamaOddsError:
        return
    if position is not None:
        _ask(session.game, session.rules, position, None)


def _questions(
    game: Game[R, P], rules: R, players: int, objective: str | None
) -> Iterator[tuple[Any, str | None]]:
    """Positions of every kind, each with an objective (None: the game's own)."""
    for text in live_play_of(game).practice(players):
        try:
            position = game.position(rules, text)
        except LamaOddsError:
            continue
        aims = (None,) if objective is None else (objective,)
        for aim in aims:
            yield position, aim


def _play_a_little(
    game: Game[R, P], rules: R, players: int, against: Sequence[Policy], seed: int
) -> None:
    """Some turns of a game against these policies, at a table against the strongest."""
    against = against or [game.best_policy(rules, players)] * (players - 1)
    session = Session.begin(game, rules, players, 0, against, seed)
    assert ME in session.record().policies
    for policy in against:
        session.advance()
        if session.over:
            return
        kinds = {action.split()[0]: action for action in session.actions()}
        for action in kinds.values():
            trial = Session(game, rules, session.text)
            trial.enter(action)
            trial.advance()
            _ask_at(trial)
            for _ in range(MOVES - 1):
                if not trial.over:
                    trial.enter(trial.actions()[0])
                    trial.advance()
                    _ask_at(trial)
        del policy
    _ask(game, rules, session.position(), None)
