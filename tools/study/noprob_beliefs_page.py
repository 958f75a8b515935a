"""The page and the rows of `tools.study.noprob_beliefs`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lab.best_response import Response
from lama_odds.games.noprob.solvers import beliefs
from tools.study.noprob_beliefs import (
    EPSILONS,
    KNOWN,
    OUTCOMES,
    POWERS,
    RULES,
    TABLES,
    UNKNOWN,
    Scored,
)

Fitted = Mapping[tuple[float, float], Sequence[tuple[str, float]]]
STAGES = {"up to 3 turns": (0, 3), "4 to 8 turns": (4, 8), "more turns": (9, 10_000)}
BINS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0)
OFF = {"points": "points of the round", "round": "share of rounds with the lowest total"}


def ratio(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """A sum over another, and the standard error over decisions."""
    values, of = np.array(pairs, float).T
    mean = values.sum() / of.sum()
    error = np.sqrt(np.square(values - mean * of).sum()) / of.sum()
    return float(mean), float(error)


def losses(found: Sequence[Scored], what: str) -> list[tuple[float, float]]:
    """Log loss of a card at random and from play, and what the latter saves, with errors."""
    each = [one for one in (scored.losses(what) for scored in found) if one[2]]
    even, past = ([(one[way], one[2]) for one in each] for way in (0, 1))
    return [ratio(even), ratio(past), ratio([(one[0] - one[1], one[2]) for one in each])]


def groups(found: Sequence[Scored]) -> Iterator[tuple[str, str, str, list[Scored]]]:
    """Table, players and stage of each row, and its decisions."""
    for table in TABLES:
        here = [scored for scored in found if scored.table == table]
        for players in sorted({scored.players for scored in here}):
            yield table, str(players), "all", [s for s in here if s.players == players]
        for stage, (low, high) in STAGES.items():
            yield table, "all", stage, [s for s in here if low <= s.turns <= high]


def rows_of(found: Sequence[Scored]) -> Iterator[Sequence[object]]:
    """The rows of the CSV file, its head first."""
    names = ["at_random", "from_play", "saved"]
    yield [
        *("table", "players", "stage", "cards", "decisions"),
        *(f"{name}{end}" for name in names for end in ("", "_stderr")),
    ]
    for table, players, stage, here in groups(found):
        for what in (KNOWN, UNKNOWN):
            there = [s for s in here if what in s.told]
            if len(there) > 1:
                numbers = [n for pair in losses(there, what) for n in pair]
                yield [table, players, stage, what, len(there), *numbers]


def shown(pair: tuple[float, float], digits: int = 3) -> str:
    """A mean and its 95 % interval."""
    return f"{pair[0]:.{digits}f} ± {1.96 * pair[1]:.{digits}f}"


def loss_table(found: Sequence[Scored], what: str) -> str:
    """The log losses of one kind of cards."""
    lines = [
        "| table | players | turns of each | decisions | at random | from play | saved |",
        "|---|---|---|---|---|---|---|",
    ]
    for table, players, stage, here in groups(found):
        there = [s for s in here if what in s.told]
        if len(there) > 1:
            cells = " | ".join(map(shown, losses(there, what)))
            lines.append(f"| {table} | {players} | {stage} | {len(there):,} | {cells} |")
    return "\n".join(lines)


def check_table(found: Sequence[Scored]) -> str:
    """Log losses of cards that nobody knows, and what they would be if all are equally likely."""
    lines = [
        "| table | decisions | log loss | if drawn at random | apart |",
        "|---|---|---|---|---|",
    ]
    for table in TABLES:
        each = []
        for scored in found:
            told = scored.told.get(UNKNOWN, []) if scored.table == table else []
            if told:
                even = [chances[chances > 0] for chances, _, _ in told]
                usual = float(sum(-(c * np.log(c)).sum() for c in even))
                each.append((scored.losses(UNKNOWN)[0], usual, len(told)))
        if len(each) > 1:
            pairs = ([(a, n), (b, n), (a - b, n)] for a, b, n in each)
            cells = " | ".join(shown(ratio(column)) for column in zip(*pairs, strict=True))
            lines.append(f"| {table} | {len(each):,} | {cells} |")
    return "\n".join(lines)


def calibration(found: Sequence[Scored]) -> str:
    """By classes of the stated chance: what was stated, and what came true."""
    lines = ["| table | stated | came true | statements |", "|---|---|---|---|"]
    for table in TABLES:
        told = [one for s in found if s.table == table for one in s.told.get(KNOWN, [])]
        if not told:
            continue
        stated = np.concatenate([np.asarray(chances) for _, chances, _ in told])
        true = np.concatenate([np.arange(len(c)) == kind for _, c, kind in told])
        at = np.digitize(stated, BINS[1:-1])
        for cell in range(len(BINS) - 1):
            inside = at == cell
            if inside.any():
                mean, share = 100 * stated[inside].mean(), 100 * true[inside].mean()
                count = int(inside.sum())
                lines.append(f"| {table} | {mean:.1f} % | {share:.1f} % | {count:,} |")
    return "\n".join(lines)


def expected_table(found: Sequence[Scored]) -> str:
    """What rollouts expect minus what came."""
    lines = ["| | players | rounds | at random | from play |", "|---|---|---|---|---|"]
    for outcome in OUTCOMES:
        for players in sorted({s.players for s in found}):
            here = [s for s in found if s.players == players and s.expected]
            at = OUTCOMES.index(outcome)
            scale = 100 if outcome == "round" else 1
            apart = [
                ratio(
                    [
                        (s.among * scale * (s.expected[outcome][way] - s.ended[at]), s.among)
                        for s in here
                    ]
                )
                for way in (0, 1)
            ]
            cells = " | ".join(shown(pair, 2) for pair in apart)
            lines.append(f"| {OFF[outcome]} | {players} | {len(here):,} | {cells} |")
    return "\n".join(lines)


def changed(found: Sequence[Scored]) -> str:
    """How often the best of drawing, taking and passing changes, and what that is worth."""
    told = []
    for players in sorted({s.players for s in found}):
        here = [s for s in found if s.players == players and s.expected]
        other = 100 * np.mean([s.best[0] != s.best[1] for s in here])
        lost = 100 * np.mean([s.lost for s in here])
        told.append(f"with {players} players in {other:.0f} % of turns ({lost:.1f} % of a round)")
    return "; ".join(told)


def gained_table(gained: Mapping[str, Response]) -> str:
    """What a player gains who thinks a step ahead, and what rollouts promised."""
    lines = [
        "| hidden cards are drawn | gain | promised | promised minus gain | other actions |",
        "|---|---|---|---|---|",
    ]
    for how, found in gained.items():
        cells = [
            f"{value.value:+.2f} ± {(value.high - value.low) / 2:.2f}"
            for value in (found.gain, found.promised, found.apart)
        ]
        lines.append(f"| {how} | " + " | ".join(cells) + f" | {100 * found.departed:.1f} % |")
    return "\n".join(lines)


def fitted_table(fitted: Fitted) -> str:
    """Mean log loss of a card over the kinds of tables, by epsilon and power."""
    heads = "".join(f" power {power:g} |" for power in POWERS)
    lines = [f"| epsilon |{heads}", "|---|" + "---|" * len(POWERS)]
    for epsilon in EPSILONS:
        cells = []
        for power in POWERS:
            told = fitted[epsilon, power]
            means = [np.mean([x for name, x in told if name == table]) for table in TABLES]
            cells.append(f"{np.mean(means):.3f}")
        lines.append(f"| {epsilon:g} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def page_of(
    found: Sequence[Scored], fitted: Fitted, gained: Mapping[str, Response], made_by: str
) -> str:
    """The page."""
    one = next(iter(gained.values()))
    tables = "\n".join(
        f"- {table}: {', '.join(f'`{name}`' for name in names)}." for table, names in TABLES.items()
    )
    return TEXT.format(
        rules=RULES,
        tables=tables,
        models=", ".join(f"`{name}`" for name in beliefs.PLAYERS),
        share=100 * beliefs.SHARE,
        epsilon=beliefs.EPSILON,
        power=beliefs.POWER,
        known=loss_table(found, KNOWN),
        unknown=check_table(found),
        calibration=calibration(found),
        expected=expected_table(found),
        changed=changed(found),
        games=f"{one.games:,}",
        gained=gained_table(gained),
        fitted=fitted_table(fitted),
        made_by=made_by,
    )


TEXT = """# What turns of No Prob-Lama tell of hidden cards

At the start each player looks at two of the own cards. A player who knows a 7 puts other sevens \
beside it. So a player's turns tell what these cards are. Here that is measured in first rounds of \
`{rules}`. One turn of each round is picked at random. What its player can infer is compared with \
the cards that the others really have, and with unseen cards drawn at random.

- Everybody is assumed to play `learned` with a chance of {share:.0f} % at first. Otherwise it is \
`learned` with other cards known, or one of {models}. What a player does shifts these chances.
- Log loss is minus the logarithm of the chance given to what was the case; less is better. What \
is saved is found turn by turn. Intervals after ± are 95 % over turns.

Tables, the policies of their seats in turn:

{tables}

## Cards that their player knows

{known}

Chances of each kind of card, from play:

{calibration}

## Cards that nobody knows

No turn can depend on these cards, so nothing is inferred. This is a check: the log loss has to be \
that of cards drawn at random.

{unknown}

## What rollouts expect, and what came

The turn is played out in rollouts, in which all play `learned` as they did in the round. Rollouts \
are right if they expect what comes. This is what they expect minus what came, at tables of \
`learned`. Each round counts with the number of its turns, as one of them was picked: otherwise \
early turns would be those of short rounds. Shares are in percentage points.

{expected}

Drawing, taking and passing were compared too, by the share of rounds with the lowest total. From \
play, another one is best {changed}. In brackets is what the best one from play gains, by the same \
rollouts; that includes their sampling error.

One seat also played as `advise` would, against `learned` in the other seat: see \
[best responses](best_response.md). Here are points of a round, {games} rounds in each seat. More \
points gained are better.

{gained}

## The constants

Log loss of the cards that one other player knows, in other games than those above. It is the mean \
over the three kinds of tables. Epsilon is the chance of a choice at random. Chances are raised to \
the power before they are compared. A player like none of the models would otherwise seem to have \
cards that fit by chance. lama-odds uses epsilon {epsilon:g} and power {power:g}.

{fitted}

Made by {made_by}.
"""
