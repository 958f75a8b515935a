"""The section on other editions and options: what they change against a rule set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lama_odds.analysis.compare.compare import Amount, Comparison, compare
from lama_odds.analysis.compare.compare import Row as Compared
from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report.by_game.amounts import amounts_of
from lama_odds.core.errors import ReadError
from lama_odds.core.progress import Progress
from lama_odds.core.wording import listed, size_with_error, with_error
from lama_odds.simulation.run import Play


def variants_of(ask: doc.Ask) -> list[Any]:
    """The rule set, then what it is compared with: other editions and the large options."""
    variants = {ask.rules.id: ask.rules}
    name, edition = ask.rules.id.partition("+")[0].split("/")
    texts = [
        f"{ask.rules.id}+{option}"
        for option in amounts_of(name).options
        if option.partition("=")[0] in ask.game.options
    ]
    texts += [f"{name}/{other}" for other in ask.game.editions if other != edition]
    for text in texts:
        try:
            rules = ask.game.rules(text)
        except ReadError:
            continue
        if ask.players in rules.players:
            variants.setdefault(rules.id, rules)
    return list(variants.values())


def variants_section(ask: doc.Ask, progress: Progress | None = None) -> doc.Section | None:
    """Other editions and options against this rule set; None if there are none."""
    variants = variants_of(ask)
    if len(variants) < 2:
        return None
    # One policy, so that the rules alone make the difference; what is solved is solved for each.
    policies = [ask.game.best_for_all(variants, ask.players)] * len(variants)
    most = amounts_of(ask.game.name).most_compared
    games = min(most, round(doc.COMPARED_PART * ask.games))
    comparison = compare(
        ask.game,
        variants,
        policies,
        ask.players,
        amount=Amount(games=games),
        play=Play(ask.seed, ask.threads, progress),
    )
    columns = doc.columns_of(
        "rules|text",
        "measure|text",
        "unit|text",
        "on this page",
        "with these rules",
        "change",
        "verdict|text",
    )
    rows = tuple(
        (
            row.rules,
            _measure(row),
            row.measure.unit,
            row.baseline,
            row.other,
            row.difference,
            row.judged.verdict,
        )
        for row in comparison.rows
    )
    return doc.Section(
        "variants",
        "Other editions and options",
        doc.SAMPLED,
        f"{comparison.games:,} games of each rule set with the same cards and dice, in which "
        f"{doc.all_play(ask)}. The chance of any wrong “differs” among all verdicts is at most "
        "5 %, and so is that of any wrong “same”.",
        findings=tuple(_change_said(comparison)),
        text=tuple(text for text in (*_what_said(ask, variants), _same_said(comparison)) if text),
        figures=(_changes(comparison),),
        tables=(doc.Table("variants", "What these rules change", columns, rows, long=True),),
        games=comparison.games * len(variants),
        interrupted=comparison.interrupted,
    )


SHOWN_MEASURES = (
    *("penalty", "actions", "went_out", "blown", "rounds", "length", "spread"),
    *("turns", "busts", "steals", "worms"),
)
# Names of measures whose unit does not say enough.
MEASURES_SAID = {
    "went_out": "rounds ended by going out",
    "blown": "rounds blown",
    "spread": "points between first and last",
    "shared": "shared games",
}
SEAT = re.compile(r"seat (\d+)")
SAID_MEASURES = ("penalty", "rounds", "spread", "turns", "busts", "steals", "worms", "shared")
MOST_SAID = 3


def _short(rules: str, baseline: str) -> str:
    """What a rule set of the same edition has besides; of another its whole name."""
    edition, *options = rules.split("+")
    before, *others = baseline.split("+")
    more = [option for option in options if option not in others]
    return "".join(f"+{option}" for option in more) if edition == before and more else rules


def _in_words(rules: str, baseline: str) -> str:
    """``the option +twenty``, ``the edition lama/amigo``."""
    short = _short(rules, baseline)
    if not short.startswith("+"):
        return f"the edition {short}" if "+" not in short else short
    return f"the option{'s' * (short.count('+') > 1)} {short}"


def _label(row: Compared) -> str:
    """What a measure counts, in words."""
    return MEASURES_SAID.get(row.measure.key, row.measure.unit)


def _measure(row: Compared) -> str:
    """The name of a measure; seats count from 1."""
    name = row.measure.name.replace("_", " ")
    return SEAT.sub(lambda match: f"player {int(match[1]) + 1}", name)


def _changes(comparison: Comparison) -> doc.Dots:
    """Changes in per cent; of rule sets that change anything, no change is a dot at 0."""
    changed = {row.rules for row in comparison.rows if not row.identical}
    shown_rows = [
        row
        for row in comparison.rows
        if row.measure.key in SHOWN_MEASURES
        and row.measure.key == row.measure.name
        and row.baseline.value
        and row.rules in changed
    ]
    dots = []
    for row in sorted(shown_rows, key=lambda row: SHOWN_MEASURES.index(row.measure.key)):
        base, d = abs(row.baseline.value), row.difference
        group = _short(row.rules, comparison.rules[0])
        dots.append(doc.Dot(_label(row), d.value / base, d.low / base, d.high / base, group))
    return doc.Dots(
        "variants",
        _most_changed(dots, comparison.rules[0]),
        "Changes in per cent: "
        + "; ".join(f"{d.group}, {d.label}: {100 * d.value:+.1f} %" for d in dots)
        + ".",
        f"change in % of the value with {comparison.rules[0]}",
        tuple(dots),
        share=True,
        reference=0.0,
        reference_name="no change",
    )


def _most_changed(dots: Sequence[doc.Dot], against: str) -> str:
    """The largest change that is clear."""
    clear = [dot for dot in dots if dot.low > 0 or dot.high < 0]
    if not clear:
        return f"Nothing clearly changes against {against}."
    most = max(clear, key=lambda dot: abs(dot.value))
    more = "more" if most.value > 0 else "fewer"
    return f"{most.group} changes most: {100 * abs(most.value):.1f} % {more} {most.label}."


def _change_said(comparison: Comparison) -> list[str]:
    """Of each other rule set the first of the clear changes, relative, with their errors."""
    sentences = []
    for (against, rules), rows in comparison.pairs.items():
        whole = [r for r in rows if r.measure.key == r.measure.name]
        clear = [r for r in whole if r.judged.verdict == "differs"]
        named = [r for r in clear if r.measure.key in SAID_MEASURES]
        if named:
            changes = listed([_relative(row) for row in named[:MOST_SAID]])
            sentences.append(f"With {_in_words(rules, against)} there are {changes}.")
    return sentences


def _what_said(ask: doc.Ask, variants: list[Any]) -> list[str]:
    """What the other rule sets are, a sentence each."""
    edition, *given = ask.rules.id.split("+")
    sentences = []
    for rules in variants[1:]:
        other, *options = rules.id.split("+")
        short = _short(rules.id, ask.rules.id)
        if other != edition:
            about = ask.game.editions[other.partition("/")[2]]
            sentences.append(f"The edition {short} follows other rules – {about}.")
            continue
        names = [option.partition("=")[0] for option in options if option not in given]
        about = "; ".join(ask.game.options[name].meaning for name in names)
        sentences.append(
            f"The option {short} sets the {about}."
            if "=" in short
            else f"With the option {short}, {about}."
        )
    return sentences


def _same_said(comparison: Comparison) -> str:
    """Which rule sets changed no first round, though they changed the game; else empty."""
    same = [
        _short(rules, comparison.rules[0])
        for (_, rules), rows in comparison.pairs.items()
        if any(row.measure.rounds for row in rows)
        and all(row.identical for row in rows if row.measure.rounds)
        and not all(row.identical for row in rows)
    ]
    if not same:
        return ""
    return f"All first rounds came out the same with {listed(same)}."


def _relative(row: Compared) -> str:
    """``4.0 ± 0.2 % more rounds per game``; of a share from 0 what it becomes."""
    if not row.baseline.value:
        return f"{with_error(row.other, row.measure.share)} {_label(row)} instead of none"
    part = 100 / abs(row.baseline.value)
    more = "more" if row.difference.value > 0 else "fewer"
    return f"{size_with_error(row.difference, part)} % {more} {_label(row)}"
