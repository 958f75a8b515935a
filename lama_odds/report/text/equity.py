"""Match equity tables as text and as CSV files: of two players, and of more."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.equity import Equities, Standings
from lama_odds.analysis.variants.given import titled
from lama_odds.core.wording import brief, listed, with_unit
from lama_odds.report.terminal import table
from lama_odds.report.text.numbers import FIELDS, cells, csv_text
from lama_odds.statistics.intervals import Z

TITLE = "Chance to win in % if you start the next round, by your score and the other's"
TITLE_OF_SEVERAL = "Chance to win in % if you start the next round, by your score and all others'"
TURNS = ("first", "second", "third", "fourth", "fifth", "sixth")
STEPS = 10  # rows and columns of the table with -v, and one for the score before the target
FEW_STEPS = 5  # without it


def shown_scores(found: Equities | Standings, steps: int = STEPS) -> list[int]:
    """Every few scores, and the last."""
    step = max(1, found.target // steps)
    return sorted({*range(0, found.target, step), found.target - 1})


def equity_text(found: Equities, verbose: bool = False) -> RenderableType:
    """The worth of a level score and of a lead, then chances at a few scores; verbose: more."""
    both = "as well as possible" if found.table.solved else found.table.policy
    head = f"{titled(found)} · 2 players · both play {both}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += [Text(worth(found), style="bold"), Text()]
    parts.append(Text(TITLE))
    parts += [_table(found, shown_scores(found, STEPS if verbose else FEW_STEPS)), Text()]
    worst = Z * 100 * float(found.table.stderr.max())
    if not verbose:
        sure = f"95 % intervals up to ± {worst:.2g} %. The other player has the rest. More: -v"
        return Group(*parts, Text(sure, style="dim"))
    rounds = (
        "solved, of many scores and deals, smoothed over the scores"
        if found.table.solved
        else "from each pair of scores"
    )
    notes = (
        "ties shared; second player: 100 % minus the entry with the scores swapped",
        f"{found.table.rounds:,} rounds {rounds}, seed {found.table.seed}; 95 % "
        f"intervals up to ± {worst:.2g} %",
        "each interval holds for its entry, not all at once: entries rest on the same rounds",
        "--csv FILE has every pair of scores with its error",
    )
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def worth(found: Equities) -> str:
    """In a sentence, what it is worth to start at equal scores, and to be ahead."""
    level = found.target // 2
    lead = max(1, found.target // 4)
    even, ahead = found.win(level, level), found.win(level - lead, level)
    return (
        f"▶ At {with_unit(level)} each, the player who starts wins with {brief(even, share=True)}; "
        f"at {level - lead} to {level}, with {brief(ahead, share=True)}."
    )


def _table(found: Equities, scores: list[int]) -> RenderableType:
    rows = [
        [str(mine), *(f"{100 * found.win(mine, other).value:.1f}" for other in scores)]
        for mine in scores
    ]
    return table(["you, other →", *map(str, scores)], rows)


def equity_csv(found: Equities) -> str:
    """Every pair of scores."""
    rows: list[list[object]] = [
        ["rules", "policy", "seed", "rounds", "mine", "other", "win", *FIELDS[1:]]
    ]
    made = [found.rules, found.table.policy, found.seed, found.table.rounds]
    for mine in range(found.target):
        for other in range(found.target):
            win = found.win(mine, other)
            rows.append([*made, mine, other, *cells(win)])
    return csv_text(rows)


def standings_text(found: Standings, verbose: bool = False) -> RenderableType:
    """Everybody's chance at the scores that were given, or at a few; verbose: more."""
    head = f"{titled(found)} · {found.players} players · all play {found.table.policy}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    worst = max(chance.high - chance.value for row in found.rows for chance in found.win(row))
    notes = [f"95 % intervals up to ± {100 * worst:.2g} %."]
    if len(found.rows) == 1:
        parts += [Text(_ahead(found), style="bold"), Text(), _table_of_one(found), Text()]
        notes.insert(0, "The first player starts the next round.")
    else:
        scores = shown_scores(found, STEPS if verbose else FEW_STEPS)
        parts += [Text(_worth_of_several(found), style="bold"), Text(), Text(TITLE_OF_SEVERAL)]
        parts += [_table_of_several(found, scores), Text()]
        example = ",".join(str(8 * seat % 30) for seat in range(found.players, 0, -1))
        notes.append(f"Other scores: --scores {example}.")
    if verbose:
        notes.append(f"{found.table.rounds:,} rounds, seed {found.table.seed}; ties shared.")
    return Group(*parts, Text(" ".join(notes), style="dim"))


def _ahead(found: Standings) -> str:
    """In a sentence, the player who is most likely to win at the scores given, if one is."""
    (scores,) = found.rows
    chances = found.win(scores)
    first = max(range(found.players), key=lambda seat: chances[seat].value)
    level = [seat for seat in range(found.players) if chances[seat].high >= chances[first].low]
    if len(level) > 1:
        most = brief(chances[first], share=True)
        least = brief(min((chances[seat] for seat in level), key=lambda e: e.value), share=True)
        with_ = f"with {most} each" if least == most else f"with {least} to {most}"
        if len(level) == found.players:
            return f"▶ All players are level within the errors, {with_}."
        behind = [seat for seat in range(found.players) if seat not in level]
        if len(behind) < len(level):
            are = "players are" if len(behind) > 1 else "player is"
            return (
                f"▶ The {_named(behind)} {are} clearly behind the {TURNS[first]}. The others are "
                f"level within the errors, {with_}."
            )
        return f"▶ The {_named(level)} players are ahead, level within the errors, {with_}."
    return (
        f"▶ The {TURNS[first]} player is ahead, with {with_unit(scores[first])}, and wins with "
        f"{brief(chances[first], share=True)}."
    )


def _named(seats: list[int]) -> str:
    """Several seats by their turns: first, second and fourth."""
    return listed([TURNS[seat] for seat in seats])


def _worth_of_several(found: Standings) -> str:
    """In a sentence, what it is worth to start at equal scores, and to be ahead of all."""
    level, lead = found.target // 2, max(1, found.target // 4)
    others = (level,) * (found.players - 1)
    even, ahead = (found.win((mine, *others))[0] for mine in (level, level - lead))
    return (
        f"▶ At {with_unit(level)} each, the player who starts wins with {brief(even, share=True)}; "
        f"at {level - lead} to {level} of all others, with {brief(ahead, share=True)}."
    )


def _table_of_one(found: Standings) -> RenderableType:
    (scores,) = found.rows
    rows = [
        [
            turn,
            str(score),
            f"{100 * chance.value:.1f}",
            f"± {100 * (chance.high - chance.low) / 2:.2g}",
        ]
        for turn, score, chance in zip(TURNS, scores, found.win(scores), strict=False)
    ]
    return table(["turn", "score", "wins in %", ""], rows)


def _table_of_several(found: Standings, scores: list[int]) -> RenderableType:
    def chance(mine: int, others: int) -> str:
        return f"{100 * found.win((mine, *(others,) * (found.players - 1)))[0].value:.1f}"

    rows = [[str(mine), *(chance(mine, others) for others in scores)] for mine in scores]
    return table(["you, all others →", *map(str, scores)], rows)


def standings_csv(found: Standings) -> str:
    """Everybody at the scores of each row."""
    rows: list[list[object]] = [
        [
            *("rules", "players", "policy", "seed", "rounds"),
            *("scores", "turn", "score", "win", *FIELDS[1:]),
        ]
    ]
    made = [found.table.policy, found.table.seed, found.table.rounds]
    for scores in found.rows:
        told = " ".join(map(str, scores))
        for turn, (score, win) in enumerate(zip(scores, found.win(scores), strict=True), 1):
            rows.append([found.rules, found.players, *made, told, turn, score, *cells(win)])
    return csv_text(rows)
