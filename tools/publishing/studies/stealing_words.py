"""What the study of stealing says: sentences that depend on intervals, tables and a chart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lama_odds.analysis.compare.answer import shows_after
from lama_odds.analysis.strategy_report.document import Beside, Curves, line_of
from lama_odds.analysis.sweep.answer import FALLS, GROWS, UNCLEAR, direction
from lama_odds.analysis.sweep.sweep import seat_bias
from lama_odds.core.estimate import Estimate
from lama_odds.report.terminal import number
from lama_odds.report.text.numbers import size
from tools.publishing.studies.stealing_found import (
    CASUAL,
    CLEAR,
    KEPT,
    PLAYERS,
    STRONG,
    WITH,
    By,
    Compared,
    Study,
)
from tools.publishing.studies.wording import at, bullets, by, names, opening, section, table


def over(changes: Mapping[int, Estimate], up: str, down: str) -> str:
    """Where changes are surely above 0, surely below it, and neither, as a clause."""
    found: dict[str, list[int]] = {}
    for n, change in changes.items():
        found.setdefault(direction(change), []).append(n)
    open_ = found.pop(UNCLEAR, [])
    if not found:
        where = " at any number of players" if len(changes) == len(PLAYERS) else _with(open_)
        return f"not surely {up} or {down}{where}"
    if len(changes) == len(PLAYERS) and not open_ and len(found) == 1:
        return f"surely {up if GROWS in found else down} at every number of players"
    words = {GROWS: up, FALLS: down}
    told = [f"surely {words[way]}{_with(which)}" for way, which in found.items()]
    return " and ".join(told) + (f", but not surely{_with(open_)}" if open_ else "")


def _with(players: Sequence[int]) -> str:
    """Numbers of players, at least three in a row as a range."""
    runs: list[list[int]] = []
    for n in players:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    told: list[str] = []
    for run in runs:
        told += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return f" with {names(told)} players"


def spread(changes: Mapping[int, Estimate], unit: str, share: bool = False) -> str:
    """The changes at the smallest and the largest number of players."""
    first, last = min(changes), max(changes)
    told = [f"{sign(changes[n])}{size(changes[n], share)}" for n in (first, last)]
    if first == last:
        return f"({told[0]} {unit})"
    return f"({told[0]} {unit} with {first} players, {told[1]} with {last})"


def sign(found: Estimate) -> str:
    """The sign of a change."""
    return "-" if found.value < 0 else "+"


def bias(part: Mapping[str, Compared], of: Callable[[Compared], Estimate]) -> Estimate:
    """The largest distance of a seat's win rate from a fair one."""
    return seat_bias([of(one) for name, one in part.items() if name.startswith("win seat ")])


def before(one: Compared) -> Estimate:
    """With stealing."""
    return one.before


def after(one: Compared) -> Estimate:
    """Without stealing."""
    return one.after


def verdict(found: Study) -> str:
    """How many of the things that make a game tense stealing surely adds."""
    parts = {
        "lead changes": found.changes(found.casual, "lead changes"),
        "skill": {n: one.change for n, one in found.skill.items()},
        "comebacks": found.changes(found.casual, "comebacks"),
    }
    falls = {
        name: sum(direction(c) == FALLS for c in changes.values())
        for name, changes in parts.items()
    }
    tables = len(found.skill)
    full = [name for name, n in falls.items() if n == tables]
    if not any(falls.values()):
        so = "So the game plays as well without it, as far as these games show."
    elif len(full) == len(falls):
        so = "So the game needs it at every table."
    elif full:
        so = f"So what the game surely needs it for at every table is {names(full)}."
    else:
        so = "So it helps at some tables only."
    counts = names(f"{name} at {n}" for name, n in falls.items())
    return f"Of {tables} numbers of players, stealing surely adds {counts}, per game. {so}"


def lengths(found: Study) -> list[str]:
    """Turns, busts and worms."""
    strong, casual = (found.changes(part, "turns") for part in (found.strong, found.casual))
    busts, worms = (found.changes(found.strong, name) for name in ("busts", "worms"))
    return [
        f"Without stealing a game of strong players is {over(strong, 'longer', 'shorter')} "
        f"{spread(strong, 'turns')}. With casual players it is {over(casual, 'longer', 'shorter')} "
        f"{spread(casual, 'turns')}.",
        f"Busts per game of strong players are {over(busts, 'more', 'fewer')}. Worms per player "
        f"are {over(worms, 'more', 'fewer')}.",
    ]


def per_turn(lead: Estimate, turns: Estimate) -> Estimate:
    """Lead changes per turn; the interval holds wherever both others do."""
    value, error = lead.value / turns.value, lead.stderr / turns.value
    low, high = lead.low / turns.high, lead.high / turns.low
    return Estimate.from_interval(value, error, low, high, lead.n)


def by_turns(found: Study) -> str:
    """Whether more lead changes come from longer games alone."""

    def change(turns: Compared, lead: Compared) -> Estimate:
        old, new = (per_turn(of(lead), of(turns)) for of in (before, after))
        value, low, high = new.value - old.value, new.low - old.high, new.high - old.low
        return Estimate.from_interval(value, 0.0, low, high, lead.before.n)

    casual = {n: change(p["turns"], p["lead changes"]) for n, p in found.casual.items()}
    strong = {n: change(found.strong[n]["turns"], p[KEPT[0]]) for n, p in found.tense.items()}
    return (
        f"Per turn, lead changes of casual players are {over(casual, 'more', 'fewer')}. Those of "
        f"strong players are {over(strong, 'more', 'fewer')}."
    )


def tension(found: Study) -> list[str]:
    """Lead changes, comebacks and when the winner is settled."""
    lead, back, late = (found.changes(found.casual, name) for name in KEPT)
    strong = {name: found.changes(found.tense, name) for name in KEPT}
    return [
        f"With casual players lead changes are {over(lead, 'more', 'fewer')} "
        f"{spread(lead, 'per game')}.",
        by_turns(found),
        f"With casual players comebacks are {over(back, 'more likely', 'less likely')} "
        f"{spread(back, 'percentage points', True)}.",
        f"With casual players the winner is settled {over(late, 'later', 'earlier')} "
        f"{spread(late, '% of the game')}.",
        f"Strong players: lead changes are {over(strong[KEPT[0]], 'more', 'fewer')} "
        f"{spread(strong[KEPT[0]], 'per game')}. Comebacks are "
        f"{over(strong[KEPT[1]], 'more likely', 'less likely')}. The winner is settled "
        f"{over(strong[KEPT[2]], 'later', 'earlier')} {spread(strong[KEPT[2]], '% of the game')}.",
    ]


def fairness(found: Study) -> list[str]:
    """Seats and ties."""
    worse = {
        n: Estimate.from_interval(
            new.value - old.value, 0.0, new.low - old.high, new.high - old.low, 1
        )
        for n, part in found.strong.items()
        for old, new in [(bias(part, before), bias(part, after))]
    }
    most = {
        n: max(
            (c for name, c in part.items() if name.startswith("win seat ")),
            key=lambda one: abs(one.change.value),
        ).change
        for n, part in found.strong.items()
    }
    shared = found.changes(found.strong, "shared")
    surely = [str(n) for n, change in most.items() if direction(change) != UNCLEAR]
    return [
        f"Strong players: the seat bias is {over(worse, 'larger', 'smaller')}. The seat that "
        f"changes most surely changes with {names(surely, 'no number of')} players "
        f"{spread(most, 'percentage points', True)}.",
        f"Shared wins are {over(shared, 'more', 'fewer')}. The highest tile decides ties.",
    ]


def skills(found: Study) -> list[str]:
    """How much skill counts, and after how many games it shows."""
    changes = {n: one.change for n, one in found.skill.items()}
    shows = {n: (shows_after(s.before, n), shows_after(s.after, n)) for n, s in found.skill.items()}
    told = [
        f"{n} players: {a.games or 'never'} with, {b.games or 'never'} without"
        for n, (a, b) in shows.items()
        if n in (PLAYERS[0], 4, PLAYERS[-1])
    ]
    return [
        f"A strong player among casual ones wins {over(changes, 'more often', 'less often')} "
        f"without stealing {spread(changes, 'percentage points', True)}.",
        f"Skill shows after this many games: {'; '.join(told)}. Then a strong player has won more "
        "often than 95 % of equal players would.",
    ]


def worth(found: Study) -> list[str]:
    """How often players steal, and how often that matters."""
    first, last = PLAYERS[0], PLAYERS[-1]
    stolen = {
        n: part["steals"].before.value / part["turns"].before.value
        for n, part in found.strong.items()
    }
    few, many = found.strong[first]["steals"].before, found.strong[last]["steals"].before
    a, b = found.steals[first], found.steals[last]
    return [
        f"Strong players steal {at(few)} times per game with {first} players and {at(many)} times "
        f"with {last}: {100 * stolen[first]:.0f} % and "
        f"{100 * stolen[last]:.0f} % of all turns.",
        f"A steal adds {by(a.gain, share=True)} to the chance to win with {first} players, and "
        f"{by(b.gain, share=True)} with {last}, against the best other action. It matters (more "
        f"than {100 * CLEAR:.0f} points) in {at(a.clear, True)} and {at(b.clear, True)} of steals.",
    ]


def checked(found: Study) -> list[str]:
    """Whether the policy without stealing is a strong one."""
    ahead: dict[str, dict[int, Estimate]] = {}
    for n, skill in found.skill.items():
        for name, wins in skill.rivals.items():
            fair = wins.with_interval(wins.low - 1 / n, wins.high - 1 / n)
            ahead.setdefault(name, {})[n] = replace(fair, value=wins.value - 1 / n)
    lines = [
        f"Against a fair share without stealing: `{name}` alone among players of `{STRONG}` wins "
        f"{over(changes, 'more', 'less')} {spread(changes, 'percentage points', True)}."
        for name, changes in ahead.items()
    ]
    same = found.best == STRONG
    begin = (
        f"`best` without stealing is `{found.best}`"
        + ", which plays both rule sets here." * same
        + "; both rule sets are played by another policy here." * (not same)
    )
    return [f"{begin} It solves each turn for the rules, so it never counts on a steal.", *lines]


def cells(part: Mapping[str, Compared], measures: Sequence[str]) -> list[str]:
    """Each measure with stealing and without."""
    return [
        f"{number(one.before, one.share)} → {number(one.after, one.share)}"
        for one in (part[name] for name in measures)
    ]


def strong_rows(found: Study) -> list[Sequence[str]]:
    """A row of each number of strong players."""
    lines: list[Sequence[str]] = []
    for n, part in found.strong.items():
        old, new = (bias(part, of) for of in (before, after))
        ends = [f"{100 * b.low:.1f}–{100 * b.high:.1f} %" for b in (old, new)]
        shown = cells(part, ("turns", "busts", "worms", "shared"))
        steals = number(part["steals"].before)
        lines.append((str(n), *shown, " → ".join(ends), steals))
    return lines


def casual_rows(found: Study) -> list[Sequence[str]]:
    """A row of each number of casual players; strong ones where they were watched."""
    lines: list[Sequence[str]] = [
        (f"{n}", *cells(part, ("turns", *KEPT))) for n, part in found.casual.items()
    ]
    for n, part in found.tense.items():
        turns = cells(found.strong[n], ("turns",))
        lines.append((f"{n}, strong", *turns, *cells(part, KEPT)))
    return lines


def skill_rows(found: Study) -> list[Sequence[str]]:
    """A row of each number of players: skill, and what a steal is worth."""
    return [
        (
            str(n),
            f"{100 / n:.1f} %",
            number(skill.before, True),
            number(skill.after, True),
            number(skill.learned, True),
            number(found.steals[n].gain, True),
            number(found.steals[n].clear, True),
        )
        for n, skill in found.skill.items()
    ]


def chart(found: Study) -> Beside:
    """Turns and lead changes by number of players, with and without stealing."""

    def curves(part: By, measure: str, title: str) -> Curves:
        lines = [
            line_of(name, [(n, of(measures[measure])) for n, measures in part.items()])
            for name, of in (("stealing", before), ("no stealing", after))
        ]
        return Curves(measure, title, title, "players", measure, tuple(lines))

    parts = (
        curves(found.strong, "turns", "Turns per game, strong players"),
        curves(found.casual, "lead changes", "Lead changes per game, casual players"),
    )
    alt = "Chart: turns and lead changes per game by number of players, with and without stealing"
    return Beside("stealing", "Stealing", alt, parts)


def measured(found: Study) -> list[str]:
    """Where the figures come from, and what is not known."""
    games = {name: f"{n:,}" for name, n in found.games.items()}
    return [
        *section(
            "How it was measured",
            f"Strong players all use `{STRONG}`, {games['strong']} games of each rule set; casual "
            f"ones `{CASUAL}`, {games['casual']} games. Both can play either rule set. Watching "
            f"strong players takes long, so {names(map(str, found.tense))} of them were watched, "
            f"in {games['tense']} games. The dice are the same for both rule sets, "
            f"seed {found.seed}.",
            f"Skill is of {games['duels']} games, in every seat as often, and rivals of "
            f"{games['rivals']}. The worth of a steal is from {games['records']} games of "
            "`learned` at each table: the learned chance to win after the steal, minus that of the "
            "best other action.",
            f"    lama-odds compare {WITH} +no_steal --players 4 --policy {STRONG} "
            f"--games {found.games['strong']} --seed {found.seed}",
        ),
        *bullets(
            "What is not known",
            [
                "Whether a stronger policy could be found without stealing. `learned` was fitted "
                "to the game with it.",
                "Whether people like to steal, or to be stolen from.",
                "The chance to win after a steal is a learned one. Its errors in single positions "
                "are larger than those of the means shown here.",
            ],
        ),
    ]


def page(found: Study, made_by: str) -> str:
    """The whole page."""
    lines = [
        *opening(
            "Does Pickomino need stealing?",
            "In Pickomino (also Pikomino, Heckmeck) you may take the tile on top of another "
            "player's stack if you roll its number exactly. The house rule `+no_steal` leaves that "
            "out. Would the game be shorter, fairer, less tense, or less a game of skill?",
            [
                verdict(found),
                *lengths(found),
                *tension(found),
                *fairness(found),
                *skills(found),
                *worth(found),
            ],
            f"![{chart(found).alt}](stealing.svg)",
        ),
        *section("Strong players"),
        *table(
            ("players", "turns", "busts", "worms per player", "shared", "seat bias", "steals"),
            strong_rows(found),
        ),
        "With stealing → without. Steals are those with stealing. ± and ranges are simultaneous "
        f"95 % intervals, of all {found.intervals} together.",
        "",
        *section("Tension: casual players"),
        *table(("players", "turns", *KEPT), casual_rows(found)),
        "`decided` is the part of a game after which the winner's chance stays above 80 %. "
        "[Design](../../docs/howto/design.md#what-makes-it-good) defines the measures.",
        "",
        *section("Skill, and what a steal is worth"),
        *table(
            (
                "players",
                "fair share",
                "skill with stealing",
                "skill without",
                "skill of `learned` with",
                "worth of a steal",
                "steals that matter",
            ),
            skill_rows(found),
        ),
        f"Skill is how often one player of `{STRONG}` wins among casual ones.",
        "",
        *bullets("Are the policies fair to both rules?", checked(found)),
        *measured(found),
        f"Made by {made_by}.",
    ]
    return "\n".join(lines) + "\n"
