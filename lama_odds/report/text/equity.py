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


def shown_scores(answer: Equities | Standings, steps: int = STEPS) -> list[int]:
    """Every few scores, and the last."""
    step = max(1, answer.target // steps)
    return sorted({*range(0, answer.target, step), answer.target - 1})


def equity_text(equities: Equities, verbose: bool = False) -> RenderableType:
    """The worth of a level score and of a lead, then chances at a few scores; verbose: more."""
    both = "as well as possible" if equities.table.solved else equities.table.policy
    head = f"{titled(equities)} · 2 players · both play {both}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += [Text(worth(equities), style="bold"), Text()]
    parts.append(Text(TITLE))
    parts += [_table(equities, shown_scores(equities, STEPS if verbose else FEW_STEPS)), Text()]
    worst = Z * 100 * float(equities.table.stderr.max())
    if not verbose:
        sure = f"95 % intervals up to ± {worst:.2g} %. The other player has the rest. More: -v"
        return Group(*parts, Text(sure, style="dim"))
    rounds = (
        "solved, of many scores and deals, smoothed over the scores"
        if equities.table.solved
        else "from each pair of scores"
    )
    notes = (
        "ties shared; second player: 100 % minus the entry with the scores swapped",
        f"{equities.table.rounds:,} rounds {rounds}, seed {equities.table.seed}; 95 % "
        f"intervals up to ± {worst:.2g} %",
        "each interval holds for its entry, not all at once: entries rest on the same rounds",
        "--csv FILE has every pair of scores with its error",
    )
    return Group(*parts, Text("\n".join(f"· {note}" for note in notes), style="dim"))


def worth(equities: Equities) -> str:
    """In a sentence, what it is worth to start at equal scores, and to be ahead."""
    level = equities.target // 2
    lead = max(1, equities.target // 4)
    even, ahead = equities.win(level, level), equities.win(level - lead, level)
    return (
        f"▶ At {with_unit(level)} each, the player who starts wins with {brief(even, share=True)}; "
        f"at {level - lead} to {level}, with {brief(ahead, share=True)}."
    )


def _table(equities: Equities, scores: list[int]) -> RenderableType:
    rows = [
        [str(mine), *(f"{100 * equities.win(mine, other).value:.1f}" for other in scores)]
        for mine in scores
    ]
    return table(["you, other →", *map(str, scores)], rows)


def equity_csv(equities: Equities) -> str:
    """Every pair of scores."""
    rows: list[list[object]] = [
        ["rules", "policy", "seed", "rounds", "mine", "other", "win", *FIELDS[1:]]
    ]
    made = [equities.rules, equities.table.policy, equities.seed, equities.table.rounds]
    for mine in range(equities.target):
        for other in range(equities.target):
            win = equities.win(mine, other)
            rows.append([*made, mine, other, *cells(win)])
    return csv_text(rows)


def standings_text(standings: Standings, verbose: bool = False) -> RenderableType:
    """Everybody's chance at the scores that were given, or at a few; verbose: more."""
    head = f"{titled(standings)} · {standings.players} players · all play {standings.table.policy}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    worst = max(
        chance.high - chance.value for row in standings.rows for chance in standings.win(row)
    )
    notes = [f"95 % intervals up to ± {100 * worst:.2g} %."]
    if len(standings.rows) == 1:
        parts += [Text(_ahead(standings), style="bold"), Text(), _table_of_one(standings), Text()]
        notes.insert(0, "The first player starts the next round.")
    else:
        scores = shown_scores(standings, STEPS if verbose else FEW_STEPS)
        parts += [Text(_worth_of_several(standings), style="bold"), Text(), Text(TITLE_OF_SEVERAL)]
        parts += [_table_of_several(standings, scores), Text()]
        example = ",".join(str(8 * seat % 30) for seat in range(standings.players, 0, -1))
        notes.append(f"Other scores: --scores {example}.")
    if verbose:
        notes.append(
            f"{standings.table.rounds:,} rounds, seed {standings.table.seed}; ties shared."
        )
    return Group(*parts, Text(" ".join(notes), style="dim"))


def _ahead(standings: Standings) -> str:
    """In a sentence, the player who is most likely to win at the scores given, if one is."""
    (scores,) = standings.rows
    chances = standings.win(scores)
    first = max(range(standings.players), key=lambda seat: chances[seat].value)
    level = [seat for seat in range(standings.players) if chances[seat].high >= chances[first].low]
    if len(level) > 1:
        most = brief(chances[first], share=True)
        least = brief(min((chances[seat] for seat in level), key=lambda e: e.value), share=True)
        with_ = f"with {most} each" if least == most else f"with {least} to {most}"
        if len(level) == standings.players:
            return f"▶ All players are level within the errors, {with_}."
        behind = [seat for seat in range(standings.players) if seat not in level]
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


def _worth_of_several(standings: Standings) -> str:
    """In a sentence, what it is worth to start at equal scores, and to be ahead of all."""
    level, lead = standings.target // 2, max(1, standings.target // 4)
    others = (level,) * (standings.players - 1)
    even, ahead = (standings.win((mine, *others))[0] for mine in (level, level - lead))
    return (
        f"▶ At {with_unit(level)} each, the player who starts wins with {brief(even, share=True)}; "
        f"at {level - lead} to {level} of all others, with {brief(ahead, share=True)}."
    )


def _table_of_one(standings: Standings) -> RenderableType:
    (scores,) = standings.rows
    rows = [
        [
            turn,
            str(score),
            f"{100 * chance.value:.1f}",
            f"± {100 * (chance.high - chance.low) / 2:.2g}",
        ]
        for turn, score, chance in zip(TURNS, scores, standings.win(scores), strict=False)
    ]
    return table(["turn", "score", "wins in %", ""], rows)


def _table_of_several(standings: Standings, scores: list[int]) -> RenderableType:
    def chance(mine: int, others: int) -> str:
        return f"{100 * standings.win((mine, *(others,) * (standings.players - 1)))[0].value:.1f}"

    rows = [[str(mine), *(chance(mine, others) for others in scores)] for mine in scores]
    return table(["you, all others →", *map(str, scores)], rows)


def standings_csv(standings: Standings) -> str:
    """Everybody at the scores of each row."""
    rows: list[list[object]] = [
        [
            *("rules", "players", "policy", "seed", "rounds"),
            *("scores", "turn", "score", "win", *FIELDS[1:]),
        ]
    ]
    made = [standings.table.policy, standings.table.seed, standings.table.rounds]
    for scores in standings.rows:
        text = " ".join(map(str, scores))
        for turn, (score, win) in enumerate(zip(scores, standings.win(scores), strict=True), 1):
            rows.append([standings.rules, standings.players, *made, text, turn, score, *cells(win)])
    return csv_text(rows)
