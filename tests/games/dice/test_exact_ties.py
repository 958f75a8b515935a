"""Where quitting and rolling are worth the same, the solvers quit, whatever rounding says."""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.rules.ruleset import parse_rules
from lama_odds.games.dice.solvers.last_player import alone_space, penalty_ranks, solve_alone
from lama_odds.games.dice.solvers.tokens import tokens_of


def test_who_is_alone_quits_in_a_tie() -> None:
    ties = 0
    for text in ("dice/amigo", "dice/amigo+llama_points=7"):
        rules = parse_rules(text)
        _, ranks = penalty_ranks(rules)
        for score in (0, 3, 12):
            space = alone_space((1,) * 7, 127)
            solution = solve_alone(rules, space, tokens_of(rules, score))
            places = np.arange(space.places)
            masks = np.zeros(space.places, dtype=np.int64)
            for kind in range(7):
                digits = places // int(space.strides[kind]) % int(space.sizes[kind])
                masks |= (digits % 2) << kind
            penalties = np.array(rules.penalties)[masks][:, None]
            tie = (np.abs(solution.worth - penalties) < 1e-10) & (masks > 0)[:, None]
            quits = np.take_along_axis(solution.ends, ranks[masks][:, None, None], axis=2)[..., 0]
            assert np.all(solution.worth[tie] == np.broadcast_to(penalties, tie.shape)[tie])
            assert np.all(quits[tie] == 1.0)
            ties += int(tie.sum())
    assert ties > 1_000
