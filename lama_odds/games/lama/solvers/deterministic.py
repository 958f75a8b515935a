"""Actions with certain results: quitting, going out at once, and everything when alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.games.interface.solution import Solution, Valued
from lama_odds.games.interface.tally_layout import RolloutTally
from lama_odds.games.lama.engine import kernels
from lama_odds.games.lama.policies.catalogue import MEANFIELD
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.position import Opponent, Position, can_play
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, Counts, LamaRules
from lama_odds.games.lama.solvers.hidden_hands import any_card
from lama_odds.games.lama.solvers.root_state import job_of, layout_of


def known(rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Return points of actions with a certain result: quitting, going out at once; alone all."""
    if not position.others_in:
        return {valued.action: dict(valued.values) for valued in alone(rules, position)}
    taken = sum(position.pot or ()) if position.running else 0
    found = {"quit": {"points": exact(rules.quitting(position.hand) + taken)}}
    if rules.drama:
        return found
    score = position.scores[0] if position.scores else 0
    for kind in range(KINDS):
        last = _last_cards(position.hand, position.top, kind)
        if last:
            token = max(rules.token(score, card) for card in last)
            found[f"play {NAMES[kind]}"] = {"points": exact(-token)}
    return found


def _is_plus(kind: int) -> bool:
    return NAMES[kind].endswith("+")


def _less(hand: Counts, kind: int) -> Counts:
    return tuple(held - (k == kind) for k, held in enumerate(hand))


def _last_cards(hand: Counts, top: int, kind: int) -> set[int]:
    """Return the kinds that can be the last of all cards played within this turn.

    kind: of the first card: plus cards are followed by another. Empty if some cards must stay.
    """
    if not hand[kind] or not can_play(kind, top):
        return set()
    rest = _less(hand, kind)
    if not any(rest):
        return {kind}
    if not _is_plus(kind):
        return set()
    return set().union(*(_last_cards(rest, kind, following) for following in range(KINDS)))


def solve_alone(rules: LamaRules, position: Position, objective: str) -> Solution | None:
    """Return certain points of every action once all others have quit.

    The others' hands, and with them the margin, remain unknown.
    """
    if position.others_in or objective != "points":
        return None
    return Solution(
        alone(rules, position),
        ("alone you play as long as you can: your score is then certain",),
        False,
    )


def alone(rules: LamaRules, position: Position) -> tuple[Valued, ...]:
    """Return points and the end of the round for every action once all others have quit.

    After the action everything that can be played is played, see `last_move`: no order leaves
    cheaper cards. The others' cards and scores do not matter, so there is one other player with one
    card.
    """
    scores = None if position.scores is None else (position.scores[0], 0)
    position = replace(
        position, opponents=(Opponent(1, True),), scores=scores, first=None, past=None
    )
    actions = legal_actions(rules, position)
    policies, hidden = [Policy(MEANFIELD)] * 2, any_card(rules, position)
    job, _ = job_of(rules, position, policies, False, actions, quitters=hidden)
    tally = RolloutTally(layout_of(rules, len(actions)), job.play(0, 0, 1))
    found = []
    for a, action in enumerate(actions):
        points = exact(float(tally.sums[kernels.POINTS, a, 0]))
        out = exact(float(tally.events[a, kernels.I_GO_OUT]))
        penalty = np.flatnonzero(tally.results[a])[0]
        found.append(
            Valued(action, {"points": points}, {"out": out, f"penalty {penalty}": exact(1.0)})
        )
    return tuple(found)


def ends_alone(rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Return the end of the round after each action once all others have quit: chances 0 or 1."""
    return {valued.action: dict(valued.chances) for valued in alone(rules, position)}
