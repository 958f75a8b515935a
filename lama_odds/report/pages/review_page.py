"""A reviewed game as a page of its own: no script, nothing loaded, the course drawn as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lama_odds.analysis.coach.grades import GRADES
from lama_odds.analysis.coach.luck import stretch_of
from lama_odds.analysis.coach.review import Review
from lama_odds.core.language import language, later, say
from lama_odds.core.wording import capital, decimal, in_percent
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.objectives import TURN
from lama_odds.report.figures.style import COLOURS
from lama_odds.report.text import review_figures as figures
from lama_odds.report.text.review import closing_text, sentences

# Of the small chart of each seat, in pixels of a phone.
WIDTH, HEIGHT = 360, 150
LEFT, RIGHT, TOP, BOTTOM = 40, 8, 8, 22
LABEL = 16  # pixels that the number of a round needs
STEPS = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
MOST_TICKS = 4
BEST = "\0"  # where a sentence has the best action, which stands out


@dataclass(frozen=True)
class Line:
    """The value of a seat over the game, and its decisions that were not fine."""

    name: str
    colour: str
    pieces: tuple[str, ...]
    marks: tuple[tuple[float, float, str, str], ...]


@dataclass(frozen=True)
class Chart:
    """What the page draws: a line for each seat, marks of the axis (place, text), round borders."""

    lines: tuple[Line, ...]
    ticks: tuple[tuple[float, str], ...]
    rounds: tuple[tuple[float, str], ...]
    caption: str


def review_page(review: Review) -> str:
    """The page as HTML."""
    import jinja2

    loader = jinja2.PackageLoader("lama_odds.report.pages")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
    environment.lstrip_blocks = True
    return environment.get_template("review.html").render(
        found=review,
        language=language(),
        said=_said(review),
        chart=chart_of(review),
        size={
            "w": WIDTH,
            "h": HEIGHT,
            "l": LEFT,
            "r": WIDTH - RIGHT,
            "t": TOP,
            "b": HEIGHT - BOTTOM,
        },
        ratings=figures.rating_lines(review),
        swings=figures.largest_swings(review),
        capital=capital,
        action=lambda action, graded: action_words(action, graded.decision.seat, review.players),
        around_best=lambda graded: figures.why_text(review, graded, BEST).split(BEST),
        lost=lambda graded: figures.lost_text(review, graded),
        looked_at=[
            (graded, figures.amount(review, worth.skill.value, True))
            for graded, worth in zip(review.decisions, review.worths, strict=True)
            if not graded.forced
        ],
        grade=figures.grade_text,
        costly_of=lambda seat: say(
            "Most costly decisions of {player}", player=figures.seat_name(seat)
        ),
        sentences=[(first, others) for first, *others in sentences(review)],
        together=closing_text(review),
        seats=figures.pairs(review),
        columns=figures.account_heads(review),
        heads=figures.seat_heads(),
        account_rows=lambda seat, account: figures.account_rows(review, seat, account),
        seat_rows=lambda seat: figures.seat_rows(review, seat),
    )


# Sentences of the page, by their names in its template.
SAID = {
    "below": later("The numbers below are rounds."),
    "dots": later("Dots mark decisions that were not fine."),
    "players": later("Players"),
    "nothing": later("No decision is shown to have cost anything."),
    "luck": later("Largest luck"),
    "all": later("All decisions"),
    "decision": later("decision"),
    "played": later("played"),
    "best": later("best"),
    "cost": later("cost"),
    "grade": later("grade"),
    "skill": later("skill"),
    "position": later("position"),
}


def _said(review: Review) -> dict[str, str]:
    """The sentences of the page by name, in the language in force."""
    return {
        **{name: say(text) for name, text in SAID.items()},
        "title": say("Review: {rules}", rules=review.rules),
        "game": say(
            "{players} players, {decisions} decisions with a choice, {meaning}.",
            players=review.players,
            decisions=sum(seat.decisions for seat in review.seats),
            meaning=say(review.counts.meaning),
        ),
        "borders": f"{figures.borders_text(review)}.",
        "made": say("made by lama-odds {version}", version=review.version),
    }


def chart_of(review: Review) -> Chart:
    """The course of each seat's values: known at its own decisions, straight lines between."""
    levels = review.course.levels
    heights = [x for level in levels for x in (level.before, level.after)]
    heights += [end for end in review.course.ends if end is not None]
    low, high = (0.0, 1.0) if review.counts.share else (min(heights), max(heights))
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    across = (WIDTH - LEFT - RIGHT) / max(1, len(levels))
    down = (HEIGHT - TOP - BOTTOM) / (high - low)

    def place(at: float, level: float) -> tuple[float, float]:
        return round(LEFT + at * across, 1), round(HEIGHT - BOTTOM - (level - low) * down, 1)

    apart = _rounds(review)
    lines = []
    for number, seat in enumerate(review.seats):
        pieces: dict[int, list[tuple[float, float]]] = {}
        marks = []
        for level in (level for level in levels if level.seat == seat.seat):
            graded = review.decisions[level.at]
            key = stretch_of(review.counts, graded.decision)
            piece = pieces.setdefault(key, [])
            piece += [place(level.at, level.before), place(level.at + 0.5, level.after)]
            if graded.grade != GRADES[0]:
                label = say(
                    "{place}: {action}, {grade}, cost {cost}; best {best}",
                    place=graded.where.text,
                    action=action_words(graded.decision.chosen, seat.seat, review.players),
                    grade=figures.grade_text(graded),
                    cost=figures.lost_text(review, graded),
                    best=action_words(graded.best, seat.seat, review.players),
                )
                marks.append((*place(level.at + 0.5, level.after), graded.grade, label))
        end = review.course.ends[seat.seat]
        if end is not None and pieces:
            list(pieces.values())[-1].append(place(len(levels), end))
        drawn = tuple(" ".join(f"{x},{y}" for x, y in piece) for piece in pieces.values())
        lines.append(
            Line(figures.seat_name(seat), COLOURS[number % len(COLOURS)], drawn, tuple(marks))
        )
    ticks = tuple((place(0, t)[1], _tick(review, t)) for t in _ticks(low, high))
    rounds = tuple(_labelled([(place(at, low)[0], number + 1) for at, number in apart]))
    return Chart(tuple(lines), ticks, rounds, _caption(review))


def _rounds(review: Review) -> list[tuple[int, int]]:
    begins: dict[int, int] = {}
    for at, graded in enumerate(review.decisions):
        begins.setdefault(graded.decision.round, at)
    return [(at, number) for number, at in begins.items()] if len(begins) > 1 else []


def _labelled(places: list[tuple[float, int]]) -> Iterator[tuple[float, str]]:
    """Where rounds begin, with their numbers where there is room."""
    free = 0.0
    for x, number in places:
        named = x >= free
        yield x, str(number) if named else ""
        free = x + LABEL if named else free


def _ticks(low: float, high: float) -> list[float]:
    step = next((s for s in STEPS if (high - low) / s <= MOST_TICKS), (high - low) / MOST_TICKS)
    first = int(low // step) + (low % step > 1e-9)
    return [n * step for n in range(first, int(high / step + 1e-9) + 1)]


def _tick(review: Review, value: float) -> str:
    return in_percent(f"{100 * value:.0f}") if review.counts.share else decimal(f"{value:g}")


def _caption(review: Review) -> str:
    if review.counts.whole_game:
        return say("Chance to win of each seat, at its own decisions")
    if review.counts.share:
        return say(
            "{chance} of each seat, at its own decisions", chance=capital(say(review.counts.brief))
        )
    if review.counts.span == TURN:
        return say("What each turn is expected to bring, in worms, decision by decision")
    if review.counts.relative:
        return say(
            "Points minus the mean of the others' expected at the end of the round, at each seat's "
            "own decisions"
        )
    return say("Points expected at the end of the round, at each seat's own decisions")
