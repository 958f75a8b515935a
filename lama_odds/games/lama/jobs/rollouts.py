"""The job that plays a position out after each legal action, and its assumptions in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy, read_policy
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.later import Later
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.lama.engine import kernels
from lama_odds.games.lama.policies.catalogue import FAMILIES
from lama_odds.games.lama.rules.draw_bounds import is_ordered, pile_left
from lama_odds.games.lama.rules.odds import legal_actions, next_chances
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.lama.solvers.beliefs import Beliefs, beliefs_of
from lama_odds.games.lama.solvers.hidden_hands import CHEAPEST, Quitters
from lama_odds.games.lama.solvers.root_state import job_of

OBJECTIVES = ("points", "margin", "win")
# Other assumptions about players who quit although their policy would not: they hold any hand, or
# one with which such a threshold would quit.
LIMITS = ("threshold:10", "threshold:20")
MOST_POINTS = 1_000_000  # higher scores and pots are refused: sums must stay exact


def rollouts(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    quit_by: Sequence[Policy | None] | None = None,
    only: Sequence[str] = (),
) -> RolloutJob:
    """Return the job that plays a position out after all legal actions, or some, with common
    redraws.

    quit_by: policies used to draw hands of players who have quit (see `find_quitters`), instead of
    `policies`.
    """
    points = sum(position.pot or ()) + max(position.scores or (0,))
    if points > MOST_POINTS:
        raise LimitError(f"scores and pot of {points} points: at most {MOST_POINTS} can be handled")
    actions = only or legal_actions(rules, position)
    believed = None if quit_by else beliefs_of(rules, position, policies)
    dealt = None if believed is None else believed.dealt
    job, quitters = job_of(rules, position, policies, play_out, actions, quit_by, dealt)
    k = len(actions)

    def notes(counted: np.ndarray, _games: int) -> tuple[str, ...]:
        return (
            *_notes_on_hands(position, policies[-1], quitters, believed),
            *_note_on_turns(rules, position),
            *_notes_on_pile(rules, position, actions, counted.reshape(k, -1)),
            *_note_on_starter(rules, position, play_out),
        )

    beside = {}
    if "draw" in actions:  # any card that no quitter holds
        left = [Fraction(cards) for cards in quitters.left]
        beside["draw"] = Later(partial(_next_draw, rules, position, left, believed))
    caution = _caution(position, policies[-1], quitters)
    return RolloutJob(
        job,
        tuple(actions),
        OBJECTIVES[: 3 if play_out else 2],
        (1.0, 1 / (position.players - 1), 1 / WIN),
        kernels.EVENT_NAMES,
        tuple(f"penalty {penalty}" for penalty in range(rules.most_points + 1)),
        k * (1 + sum(rules.deck)),
        notes,
        beside=beside,
        caution=caution,
        guesses=partial(_guesses, rules, position, policies, play_out, caution),
        inferred=believed is not None,
        of_round=kernels.roll_out,
    )


def _next_draw(
    rules: LamaRules, position: Position, left: Sequence[Fraction], believed: Beliefs | None
) -> dict[str, Estimate]:
    """Return `next_chances`, with an error if hands are sampled."""
    found = next_chances(rules, position, left)
    if believed is None:
        return found
    return {name: believed.estimate(chance.value) for name, chance in found.items()}


def _guesses(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    caution: str,
) -> Iterator[tuple[str, RolloutJob]]:
    """Yield the same job with other hands for players who have quit, and a text for each.

    caution: of the job. Nothing is yielded if no hand is a guess.
    """
    if not caution:
        return
    again = partial(rollouts, rules, position, policies, play_out)
    yield "hands dealt at random", again([None] * position.players)
    for name in LIMITS:
        job = again([read_policy(name, FAMILIES)] * position.players)
        if job.caution != caution:  # otherwise it is the same guess
            yield f"hands that {name} would quit with", job


def _caution(position: Position, opponents: Policy, quitters: Quitters) -> str:
    """Return that hands of players who have quit are a guess, if they are."""
    if not quitters.strangers:
        return ""
    those = sum(opponent.quit for opponent in position.opponents)
    return (
        f"the cards of {quitters.strangers} of {those} players who have quit are a guess "
        f"({opponents.name} would not quit there)"
    )


def _notes_on_hands(
    position: Position, opponents: Policy, quitters: Quitters, believed: Beliefs | None
) -> list[str]:
    """What the others' hands rest on, in words."""
    if believed is not None:
        return list(believed.notes)
    found = ["hidden cards are drawn at random from the unseen cards in every game"]
    those = sum(opponent.quit for opponent in position.opponents)
    if quitters.strangers < those:
        found.append(f"players who have quit are given hands that {opponents.name} would quit with")
    if quitters.strangers:
        found.append(
            f"{quitters.strangers} of {those} players who have quit: {opponents.name} would quit "
            "with no possible hand, so they are given one of the cheapest "
            f"{100 * CHEAPEST:.0f} % of all hands"
        )
    if quitters.spread:
        found.append("there are too many possible hands: a selection stands for all")
    return found


def _note_on_turns(rules: LamaRules, position: Position) -> list[str]:
    if is_ordered(rules, position):
        return []
    return ["these hand sizes can't occur in play; used anyway"]


def _notes_on_pile(
    rules: LamaRules, position: Position, actions: Sequence[str], drawn: np.ndarray
) -> list[str]:
    """Return, in words, whether the size of the draw pile matters.

    drawn: int64[actions, cards + 1], rounds by the cards drawn from the pile.
    """
    if position.pile is not None or not position.others_in:
        return []
    pile = pile_left(rules, position)
    if not pile:
        return ["draw pile not given: it must be empty"]
    most = int(np.argmax(drawn @ np.arange(drawn.shape[1])))
    shares = np.cumsum(drawn[most]) / drawn[most].sum()
    emptied = 1 - float(shares[pile - 1])
    half = int(np.searchsorted(shares, 0.5))
    amount = f"{_cards(half)} or fewer" if half > 1 else "one card or none" if half else "no card"
    return [
        f"draw pile not given: assuming {_cards(pile)}, the maximum; after {actions[most]} half of "
        f"the rounds drew {amount}, {100 * emptied:.1f} % the whole pile"
    ]


def _cards(number: int) -> str:
    return f"{number} card{'s' if number != 1 else ''}"


def _note_on_starter(rules: LamaRules, position: Position, play_out: bool) -> list[str]:
    if play_out and position.first is None and rules.starter == "rotate":
        return ["first not given: averaged over all players who may have started this round"]
    return []
