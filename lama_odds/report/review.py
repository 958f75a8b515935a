"""A reviewed game as text: seats, what their results are made of, the worst decisions, luck."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.ratings import Z, objectives_measured
from lama_odds.analysis.review import Review, SeatReview
from lama_odds.analysis.review_grades import GRADES, Graded
from lama_odds.analysis.review_luck import Account, Swing
from lama_odds.games.protocol import SHARES
from lama_odds.report.text import number, table

MOST_SWINGS = 5
NOT_MEASURED = "no policies were measured for these rules, players, objective and games"
NEGLIGIBLE = 1e-9  # what adding up leaves of nothing


def amount(found: Review, value: float, sign: bool = False) -> str:
    """A number in the unit of the review: points, or per cent of a chance."""
    mark = "+" if sign else ""
    value = 0.0 if abs(value) < NEGLIGIBLE else value
    if found.objective in SHARES:
        return f"{100 * value:{mark}.2f} %"
    return f"{value:{mark}.2f}"


def borders_text(found: Review) -> str:
    """What the grades mean, in a sentence."""
    first, *_ = found.borders
    named = ", ".join(
        f"{name} from {amount(found, border)}"
        for name, border in zip(GRADES[1:], found.borders, strict=True)
    )
    unit = "chance to win" if found.objective in SHARES else found.counts.unit
    return f"Grades by {unit} lost: fine below {amount(found, first)}, {named}"


def lost_text(found: Review, graded: Graded) -> str:
    """What a decision lost, with its interval if that is wider than a point."""
    share = found.objective in SHARES
    error = graded.error
    if graded.method == "exact":
        return number(error, share) if not share else amount(found, error.value)
    return (
        f"{amount(found, error.value)} ({amount(found, error.low)} to {amount(found, error.high)})"
    )


def grade_text(graded: Graded) -> str:
    """The grade, marked where it is doubtful."""
    return graded.grade + "?" * graded.doubtful


def why_text(found: Review, graded: Graded) -> str:
    """A decision in a sentence: what was played, what it lost, what was best."""
    return (
        f"{graded.decision.chosen} lost {lost_text(found, graded)} {found.counts.unit}; "
        f"best was {graded.best}"
    )


def swing_text(found: Review, swing: Swing) -> str:
    """A piece of luck in a few words."""
    kind = "" if swing.own else ", to the next decision"
    return f"line {swing.line}, seat {swing.seat}: {swing.what}{kind}"


def largest_swings(found: Review) -> list[Swing]:
    """The pieces of luck that moved most."""
    ordered = sorted(found.course.swings, key=lambda swing: -abs(swing.amount))
    return ordered[:MOST_SWINGS]


def seat_name(seat: SeatReview) -> str:
    """A seat and, if it is known, who played it."""
    return f"seat {seat.seat}" + f" ({seat.policy})" * bool(seat.policy)


def review_text(found: Review) -> RenderableType:
    """The whole review."""
    how = "exact" if found.method == "exact" else f"seed {found.seed}"
    head = f"{found.rules}   {found.players} players, {len(found.decisions)} decisions, {how}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text(borders_text(found))]
    parts += [Text(), _seats(found), Text(), _accounts(found)]
    parts += [Text(), *map(Text, rating_lines(found))]
    for seat in found.seats:
        parts += _worst(found, seat)
    swings = [(swing_text(found, s), amount(found, s.amount, True)) for s in largest_swings(found)]
    if swings:
        parts += [Text(), table(["Largest luck", found.counts.unit], swings)]
    notes = [f"{found.counts.meaning} ({found.seconds:.1f} s)", *found.assumptions]
    parts += [Text(), Text("\n".join(f"· {note}" for note in notes), style="dim")]
    return Group(*parts)


def rating_lines(found: Review) -> list[str]:
    """The ratings of all seats, or that there are none."""
    if any(seat.rating for seat in found.seats):
        return [rating_text(found, seat) for seat in found.seats]
    others = [o for o in objectives_measured(found.rules, found.players) if o != found.objective]
    if others:
        asked = " or ".join(f"--objective {name}" for name in others)
        return [f"no rating by {found.objective}: policies were measured with {asked}"]
    return [f"no rating: {NOT_MEASURED}"]


def rating_text(found: Review, seat: SeatReview) -> str:
    """Whose errors are most like those of a seat, and how sure that is."""
    rating = seat.rating
    if rating is None:
        return f"{seat_name(seat)}: no rating, it had no choice"
    nearest = rating.nearest
    text = (
        f"{seat_name(seat)} plays like {nearest.policy}: {amount(found, seat.mean)} lost a "
        f"decision, {nearest.policy} {amount(found, nearest.mean)} ± "
        f"{amount(found, Z * nearest.stderr)}"
    )
    names = [rated.policy for rated in rating.fits]
    if not names:
        return f"{text}; none of {', '.join(r.policy for r in rating.of)} loses just so much"
    if len(names) == 1:
        return f"{text}; of {len(rating.of)} policies none other fits {seat.decisions} decisions"
    return f"{text}; {seat.decisions} decisions do not tell: {', '.join(names)} fit"


def _seats(found: Review) -> RenderableType:
    rows = [
        (
            seat_name(s),
            str(s.decisions),
            amount(found, s.error),
            amount(found, s.mean),
            *(str(s.grades[name]) for name in GRADES),
        )
        for s in found.seats
    ]
    return table(["", "decisions", "lost", "lost each", *GRADES], rows)


def _accounts(found: Review) -> RenderableType:
    rows = [(f"seat {seat.seat}", *account_cells(found, account)) for seat, account in pairs(found)]
    return table(["", *account_columns(found)], rows)


def pairs(found: Review) -> list[tuple[SeatReview, Account]]:
    """The seats reviewed, each with what its result is made of."""
    return list(zip(found.seats, found.course.accounts, strict=True))


def account_columns(found: Review) -> list[str]:
    """What a result is made of; luck of one kind only where no roll or draw is told apart."""
    own = ["luck: own rolls"] if any(swing.own for swing in found.course.swings) else []
    between = ["luck: between"] if any(not swing.own for swing in found.course.swings) else []
    return ["start", *own, *between, "skill", "result", "without luck"]


def account_cells(found: Review, account: Account) -> list[str]:
    """The numbers of `account_columns`."""
    cells = {
        "start": amount(found, account.start),
        "luck: own rolls": amount(found, account.rolls, True),
        "luck: between": amount(found, account.between, True),
        "skill": amount(found, account.skill, True),
        "result": amount(found, account.result) + " (expected)" * (not account.final),
        "without luck": amount(found, account.adjusted),
    }
    return [cells[name] for name in account_columns(found)]


def _worst(found: Review, seat: SeatReview) -> list[RenderableType]:
    if not seat.worst:
        return [Text(), Text(f"{seat_name(seat)}: no decision lost anything", style="bold")]
    parts: list[RenderableType] = [Text(), Text(f"Worst of {seat_name(seat)}", style="bold")]
    for index in seat.worst:
        graded = found.decisions[index]
        at = f"line {graded.decision.line}, {grade_text(graded)}"
        parts.append(Text(f"{at}: {why_text(found, graded)}"))
        parts.append(
            Text(f'  "{graded.decision.position.format()}"', no_wrap=True, overflow="ignore")
        )
        if graded.why:
            parts.append(Text(f"  {graded.why}", style="dim"))
    return parts
