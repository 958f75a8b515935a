"""Comparisons of rule sets as text and as a CSV file."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.compare.answer import Comparison, Row
from lama_odds.analysis.compare.measures import DECISIONS
from lama_odds.analysis.compare.paired_differences import SPREADS
from lama_odds.report.text.answers import number, table
from lama_odds.report.text.csv_text import csv_text
from lama_odds.statistics.equivalence import ALPHA

HEAD = (
    *("players", "seed", "games", "against", "rules", "against policy", "policy"),
    *("measure", "unit"),
)
ESTIMATES = ("baseline", "other", "difference")
FIELDS = ("value", "stderr", "low", "high")
JUDGED = (
    *("relative", "p", "p same", "delta", "verdict", "more games", "saving"),
    "differing blocks",
)
COLUMNS = ("", "baseline", "other", "change", "", "relative", "verdict", "saved by pairing")


def compared_text(found: Comparison) -> RenderableType:
    """A table for each pair of rule sets, then what it rests on."""
    parts: list[RenderableType] = [
        Text(f"{found.rules[0]}   {found.players} players, {_who(found)}", style="dim")
    ]
    for (against, rules), rows in found.pairs.items():
        parts += [Text(f"{rules} against {against}", style="bold"), _pair(rows), Text()]
    return Group(*parts, _rests_on(found))


def _who(found: Comparison) -> str:
    """Who plays."""
    if len(set(found.policies)) == 1:
        return f"all {found.policies[0]}"
    return ", ".join(f"{p} in {r}" for r, p in zip(found.rules, found.policies, strict=True))


def _pair(rows: Sequence[Row]) -> RenderableType:
    lines = [
        (
            row.measure.name.replace("_", " "),
            number(row.baseline, row.measure.share),
            number(row.other, row.measure.share),
            change(row),
            unit(row),
            relative(row),
            verdict(row),
            saving(row),
        )
        for row in rows
    ]
    return table(COLUMNS, lines)


def change(row: Row) -> str:
    """The difference with its sign; of shares in percentage points. Just 0 if that is proven."""
    if row.proven:
        return "0"
    scale = 100 if row.measure.share else 1
    value = scale * row.difference.value
    low, high = (
        abs(end - row.difference.value) for end in (row.difference.low, row.difference.high)
    )
    # What was not met can only be on one side of a share of 0.
    half = scale * (max(low, high) if row.identical else (low + high) / 2)
    digits = 4 if half < 0.001 else 3 if half < 0.01 else 2
    return f"{value:+.{digits}f} ± {half:.{digits}f}"


def unit(row: Row) -> str:
    """What the difference is counted in."""
    return f"% {row.measure.unit}" if row.measure.share else row.measure.unit


def relative(row: Row) -> str:
    """The difference in per cent of the baseline's value."""
    if row.relative is None:
        return "–"
    return f"{100 * row.relative:+.2f} %" if row.relative else "0 %"


def verdict(row: Row) -> str:
    """The verdict in words."""
    if row.proven and row.judged.verdict == "same":
        return "same: no difference at all"
    if row.judged.verdict == "differs":
        if row.measure.key == DECISIONS:
            return "differs"
        return "differs: higher" if row.difference.value > 0 else "differs: lower"
    scale, sign = (100, " %") if row.measure.share else (1, "")
    limit = f"±{scale * row.delta:.3g}{sign}"
    if row.judged.verdict == "same":
        small = ", but not 0" if row.judged.p <= ALPHA else ""
        small = ", none differed" if row.identical else small
        return f"same within {limit}{small}"
    if row.judged.more is None:
        return "undecided: few games differ" if row.rare else "undecided"
    return f"undecided: some {two_digits(row.judged.more):,} games more"


def two_digits(games: int) -> int:
    """A number of games, rounded up to two digits."""
    step: int = 10 ** max(0, len(str(games)) - 2)
    return -(-games // step) * step


def saving(row: Row) -> str:
    """By how much the same luck cuts the variance of the difference."""
    return "–" if row.saving is None else f"{row.saving:.3g} ×"


def _rests_on(found: Comparison) -> Text:
    """Which question was answered, and how."""
    measures = {row.measure.name: row.measure for row in found.rows}.values()
    rounds = any(measure.rounds for measure in measures)
    lines = [
        question(found),
        "change: other less baseline, game by game on the same luck: every game and round deals, "
        "draws and rolls from the same words of luck; other cards or faces read them their own way",
        f"95 % intervals, each on its own; among all {len(found.rows)} verdicts the chance of any "
        f"wrong “differs” is at most {100 * ALPHA:.0f} %, that of any wrong “same” as well (Holm)",
        "same: less than δ apart (δ unless --delta sets it: 1 % of the baseline, 0.5 % of rounds, "
        "games or decisions); no difference at all: both play the very same games",
        "saved by pairing: variance with other luck for each rule set, over that with the same",
    ]
    if rounds:
        lines.append(
            "a round: the first (nobody holds tokens, seat 0 starts); a game: to its end; "
            f"win: fair would be {100 / found.players:.2f} % for each seat"
        )
    else:
        lines.append(f"win: fair would be {100 / found.players:.2f} % for each seat")
    lines.append("; ".join(f"{name}: {meaning}" for name, meaning in _meanings(found).items()))
    lines += decisions_lines(found)
    rare = dict.fromkeys(row.measure.name.replace("_", " ") for row in found.rows if row.rare)
    if rare:
        lines.append(
            f"{', '.join(rare)}: few games made any difference; the interval allows for that, and "
            "nothing is said to differ on so few"
        )
    lines += unmet_lines(found)
    lines.append(f"{found.games:,} games each, seed {found.seed}, {found.seconds:.1f} s")
    if not found.interrupted:
        lines.append(f"--games {found.games} repeats this answer")
    return Text("\n".join(f"· {line}" for line in lines), style="dim")


def unmet_lines(found: Comparison) -> list[str]:
    """What the intervals of changes rest on that no game showed, if there are any."""
    counted = [row for row in found.rows if row.measure.key != DECISIONS]
    unmet = [row.measure.name for row in counted if row.identical and not row.proven]
    if not unmet:
        return []
    names = ", ".join(name.replace("_", " ") for name in dict.fromkeys(unmet))
    return [
        f"{names}: no game showed a difference; the interval allows for what was not met yet, a "
        f"game changing a share by 1, anything else by its mean and {SPREADS} standard deviations "
        "(taken as the most, not proven)"
    ]


def decisions_lines(found: Comparison) -> list[str]:
    """What the measure `decisions` rests on, and where it is left out."""
    lines = []
    asked = [row.samples for row in found.rows if row.measure.key == DECISIONS]
    if asked:
        number = (
            f"{max(asked):,} were asked about, the error is between games" if any(asked) else ""
        )
        lines.append(
            "decisions: in games of the baseline, the players of both rule sets are told what the "
            "player to decide knows: the share of decisions with a choice that they take otherwise"
            + (f" ({number})" if number else "")
        )
    if 0 in asked:
        lines.append("decisions, exactly 0: all that the two decide by is the same")
    for left in found.left_out:
        lines.append(f"{left.measure} of {left.rules} against {left.against}: {left.reason}")
    return lines


def question(found: Comparison) -> str:
    """Which question the policies make of it."""
    if found.retuned:
        return (
            "the question: what does the rule change once players have adapted? Everybody plays "
            "the best policy known for each rule set"
        )
    return (
        f"the question: what does the rule change if everybody goes on with {found.policies[0]}? "
        "(a policy that is solved for a rule set is solved for each)"
    )


def _meanings(found: Comparison) -> dict[str, str]:
    """What the measures mean whose names do not say it."""
    told = {"length", "spread", "shared", "went_out", "blown", "worms", "penalty"}
    measures = {row.measure.key: row.measure for row in found.rows}
    return {
        key.replace("_", " "): measure.meaning for key, measure in measures.items() if key in told
    }


def compared_csv(found: Comparison) -> str:
    """A line for each pair and measure: both values, the difference, and the verdict.

    A measure that was left out has no numbers, and as verdict why.
    """
    estimates = [f"{name} {field}" for name in ESTIMATES for field in FIELDS]
    rows: list[list[object]] = [[*HEAD, *estimates, *JUDGED]]
    policies = dict(zip(found.rules, found.policies, strict=True))

    def begin(against: str, rules: str) -> list[object]:
        asked = [found.players, found.seed, found.games, against, rules]
        return [*asked, policies[against], policies[rules]]

    for row in found.rows:
        line = [*begin(row.against, row.rules), row.measure.name, row.measure.unit]
        for estimate in (row.baseline, row.other, row.difference):
            line += [getattr(estimate, field) for field in FIELDS]
        judged = row.judged
        line += [row.relative, judged.p, judged.p_same, row.delta, judged.verdict]
        line += [judged.more, row.saving, row.differing]
        rows.append(line)
    for left in found.left_out:
        line = [*begin(left.against, left.rules), left.measure, ""]
        line += [""] * (len(estimates) + JUDGED.index("verdict"))
        line += [f"left out: {left.reason}"]
        rows.append(line + [""] * (len(JUDGED) - 1 - JUDGED.index("verdict")))
    return csv_text(rows)
