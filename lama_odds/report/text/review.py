"""A reviewed game as text: seats, what their results are made of, the worst decisions, luck."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.coach.grades import GRADES, Graded, objectives_measured
from lama_odds.analysis.coach.luck import Account, Swing
from lama_odds.analysis.coach.review import WORST, Review, SeatReview
from lama_odds.core.wording import POINTS_OF_CHANCE, listed, number, rounded, with_unit
from lama_odds.report.terminal import Fitted, table
from lama_odds.statistics.intervals import Z

MOST_SWINGS = 5
NOT_MEASURED = "no policies were measured for these rules, players, objective and games"
DIGITS = 2  # of costs
MOST_COSTLY = 6  # decisions, without -v
PLURALS = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
NEGLIGIBLE = 1e-9  # what adding up leaves of nothing
# Why a sum has a narrower interval than the one decision it may consist of.
WIDER = "the interval of a single decision is wider than that of its sum: it holds at every look"
AT_LEAST, AT_MOST = "  at least", "  at most"  # the rows of intervals


def amount(found: Review, value: float, sign: bool = False) -> str:
    """A number in the unit of the review: points, or per cent of a chance."""
    mark = "+" if sign else ""
    value = 0.0 if abs(value) < NEGLIGIBLE else value
    if found.counts.share:
        return f"{100 * value:{mark}.2f} %"
    return f"{value:{mark}.2f}"


def cost(found: Review, value: float, digits: int = DIGITS) -> str:
    """What decisions cost, with its unit: percentage points of a chance."""
    number = rounded((100 if found.counts.share else 1) * max(0.0, value), digits)
    return with_unit(number, POINTS_OF_CHANCE if found.counts.share else found.counts.unit)


def borders_text(found: Review) -> str:
    """What the grades mean, in a sentence."""
    first, *_ = found.borders
    named = ", ".join(
        f"{name} from {amount(found, border)}"
        for name, border in zip(GRADES[1:], found.borders, strict=True)
    )
    unit = f"{POINTS_OF_CHANCE} {found.counts.unit}" if found.counts.share else found.counts.unit
    told = f"Grades by cost in {unit}: fine below {amount(found, first)}, {named}"
    return told.replace(" %", "")


def seat_rows(found: Review, seat: SeatReview) -> list[list[str]]:
    """What a seat's decisions cost: in sum, each, by grades; then the interval, if there is one."""
    sums = (seat.error, seat.error_low, seat.error_high)
    (value, low, high) = ([amount(found, x), amount(found, seat.each(x))] for x in sums)
    grades = [str(seat.grades[name]) for name in GRADES]
    rows = [[seat_name(seat), str(seat.decisions), *value, *grades]]
    if seat.error_high - seat.error_low > NEGLIGIBLE:
        rows += [[AT_LEAST, "", *low], [AT_MOST, "", *high]]
    return [row + [""] * (2 + len(value) + len(grades) - len(row)) for row in rows]


def account_rows(found: Review, seat: SeatReview, account: Account) -> list[list[str]]:
    """What a seat's result is made of, as `account_columns`; then intervals, if there are any."""
    spread, off = seat.spread, {}
    off["start"], off["skill"], off["result"] = spread.start, spread.skill, spread.result
    off["luck: own rolls"], off["luck: between"] = spread.rolls, spread.between
    off["luck-adjusted"] = spread.adjusted
    parts = _account_parts(account)
    rows = [[f"seat {seat.seat}", *account_cells(found, account)]]
    if max(off.values()) < NEGLIGIBLE:
        return rows
    for name, side in ((AT_LEAST, -1), (AT_MOST, 1)):
        cells = []
        for column in account_columns(found):
            value, signed = parts[column]
            away = off[column]
            cells.append(amount(found, value + side * away, signed) if away > NEGLIGIBLE else "")
        rows.append([name, *cells])
    return rows


def lost_text(found: Review, graded: Graded) -> str:
    """What a decision cost, with its interval if that is wider than a point."""
    share = found.counts.share
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
    """A decision in a sentence: what was played, what it cost, what was best."""
    return (
        f"{graded.decision.chosen} cost {lost_text(found, graded)} {found.counts.unit}; "
        f"best was {graded.best}"
    )


def swing_text(swing: Swing) -> str:
    """A piece of luck in a few words."""
    kind = "" if swing.own else ", to the next decision"
    return f"line {swing.line}, seat {swing.seat}: {swing.what}{kind}"


def largest_swings(found: Review) -> list[Swing]:
    """The pieces of luck that moved most."""
    ordered = sorted(found.course.swings, key=lambda swing: -abs(swing.amount))
    return ordered[:MOST_SWINGS]


def seat_name(seat: SeatReview) -> str:
    """A seat and, if it is known, its policy."""
    return f"seat {seat.seat}" + f" ({seat.policy})" * bool(seat.policy)


def review_text(found: Review, verbose: bool = False) -> RenderableType:
    """What the decisions of each player cost, the costliest, and luck; verbose: everything."""
    if verbose:
        return _all(found)
    parts, costly = _findings(found), _costly(found)
    if costly:
        heads = ("most costly", "line", "played", "best", "cost", "")
        parts += [Text(), Fitted(heads, tuple(costly), left=(0, 2, 3, 5))]
    return Group(*parts, Text(), Text(_how_sure(found), style="dim"))


def _findings(found: Review) -> list[RenderableType]:
    """The game, and on each player a sentence on the decisions and one on luck."""
    what = _decisions(_choices(found))
    head = f"{found.rules} · {found.players} players · {what} · {found.counts.brief}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    for seat, account in pairs(found):
        parts += [
            Text(f"▶ {_score(found, seat)}", style="bold"),
            Text(f"  {_luck(found, account)}"),
        ]
    return parts


def _choices(found: Review) -> int:
    """How many decisions had a choice; only these are graded."""
    return sum(seat.decisions for seat in found.seats)


def _decisions(number: int) -> str:
    return f"{number} decision{'s' * (number != 1)}"


def player_name(seat: SeatReview) -> str:
    """The name of a seat, with its policy if that is known."""
    return f"Player {seat.seat + 1}" + f" ({seat.policy})" * bool(seat.policy)


def _score(found: Review, seat: SeatReview) -> str:
    """What the decisions of a player cost in all, and how many were bad."""
    choices = _decisions(seat.decisions)
    bad = [
        f"{seat.grades[name]} {name if seat.grades[name] == 1 else PLURALS[name]}"
        for name in reversed(GRADES[1:])
        if seat.grades[name]
    ]
    if not seat.decisions:
        return f"{player_name(seat)} had no choice."
    if seat.error < NEGLIGIBLE:
        return f"{player_name(seat)}: {choices} cost nothing."
    most = seat.error_high - seat.error_low > NEGLIGIBLE
    between = f" (at most {cost(found, seat.error_high)})" * most
    graded = f", with {listed(bad)}" if bad else ""
    return f"{player_name(seat)}: {choices} cost {cost(found, seat.error)}{between}{graded}."


def _luck(found: Review, account: Account) -> str:
    """What luck gave or took, and what the result is without it."""
    luck = account.rolls + account.between
    better = luck > 0 if found.counts.higher else luck < 0
    told = f"Luck {'helped' if better else 'hurt'} by {cost(found, abs(luck))}."
    if cost(found, abs(luck)).startswith("0.00 "):
        told = "Luck made no difference."
    result = "Result" if account.final else "Expected result"
    adjusted, got = (
        amount(found, value).replace(".00", "") for value in (account.adjusted, account.result)
    )
    return f"{told} {result} {got}, luck-adjusted {adjusted}."


def _costly(found: Review) -> list[tuple[str, ...]]:
    """The most costly decisions of each player, a few of all."""
    each = max(1, MOST_COSTLY // max(1, len(found.seats)))
    rows: list[tuple[str, ...]] = []
    for seat in found.seats:
        for index in seat.worst[: min(each, WORST)]:
            graded = found.decisions[index]
            at, chosen = str(graded.decision.line), graded.decision.chosen
            lost = cost(found, graded.error.value).split()[0]
            name = f"player {seat.seat + 1}"
            rows.append((name, at, chosen, graded.best, lost, grade_text(graded)))
    return rows


def _how_sure(found: Review) -> str:
    """The unit of the costs, their precision, and how to see more."""
    unit = f"{POINTS_OF_CHANCE} {found.counts.unit}" if found.counts.share else found.counts.unit
    told = f"Costs in {unit}"
    if found.method == "exact":
        return f"{told}, exact. More: -v"
    doubtful = sum(graded.doubtful and not graded.forced for graded in found.decisions)
    how = "sampled, so biased slightly upward"
    if not found.games:
        how = "chances are learned, and intervals have their measured error"
    marked = f" {doubtful} of {_choices(found)} grades are uncertain (?)." * bool(doubtful)
    return f"{told}; {how}.{marked} More: -v"


def _all(found: Review) -> RenderableType:
    """The whole review."""
    parts: list[RenderableType] = [*_findings(found), Text(), Text(borders_text(found))]
    parts += [Text(), _seats(found), Text(), _accounts(found)]
    parts += [Text(), *map(Text, rating_lines(found))]
    for seat in found.seats:
        parts += _worst(found, seat)
    swings = [(swing_text(s), amount(found, s.amount, True)) for s in largest_swings(found)]
    if swings:
        parts += [Text(), table(["Largest luck", found.counts.unit], swings)]
    notes = [f"{found.counts.meaning} ({found.seconds:.1f} s)", *found.assumptions]
    if any(found.decisions[index].games for seat in found.seats for index in seat.worst):
        notes.append(WIDER)
    parts += [Text(), Text("\n".join(f"· {note}" for note in notes), style="dim")]
    return Group(*parts)


def rating_lines(found: Review) -> list[str]:
    """The ratings of all seats, or that there are none."""
    if any(seat.rating for seat in found.seats):
        return [rating_text(found, seat) for seat in found.seats]
    others = [o for o in objectives_measured(found.rules, found.players) if o != found.objective]
    if others:
        asked = " or ".join(f"--objective {name}" for name in others)
        return [f"no rating for {found.objective}: policies were measured with {asked}"]
    return [f"no rating: {NOT_MEASURED}"]


def rating_text(found: Review, seat: SeatReview) -> str:
    """The policy whose errors are most like those of a seat, and how sure that is."""
    rating = seat.rating
    if rating is None:
        return f"{seat_name(seat)}: no rating, it had no choice"
    nearest = rating.nearest
    text = (
        f"{seat_name(seat)} plays like {nearest.policy}: a decision costs "
        f"{amount(found, seat.mean)}, one of {nearest.policy} {amount(found, nearest.mean)} ± "
        f"{amount(found, Z * nearest.stderr)}"
    )
    names = [rated.policy for rated in rating.fits]
    if not names:
        return f"{text}; none of {', '.join(r.policy for r in rating.of)} has just this cost"
    if len(names) == 1:
        return f"{text}; none of the other {len(rating.of) - 1} policies fits"
    return f"{text}; {seat.decisions} decisions are too few to separate {listed(names)}"


def _seats(found: Review) -> RenderableType:
    rows = [row for seat in found.seats for row in seat_rows(found, seat)]
    return table(["", "decisions", "cost", "cost each", *GRADES], rows)


def _accounts(found: Review) -> RenderableType:
    rows = [row for seat, account in pairs(found) for row in account_rows(found, seat, account)]
    return table(["", *account_columns(found)], rows)


def pairs(found: Review) -> list[tuple[SeatReview, Account]]:
    """The seats reviewed, each with what its result is made of."""
    return list(zip(found.seats, found.course.accounts, strict=True))


def account_columns(found: Review) -> list[str]:
    """The parts of a result; a kind of luck only if the game has swings of it."""
    own = ["luck: own rolls"] if any(swing.own for swing in found.course.swings) else []
    between = ["luck: between"] if any(not swing.own for swing in found.course.swings) else []
    return ["start", *own, *between, "skill", "result", "luck-adjusted"]


def account_cells(found: Review, account: Account) -> list[str]:
    """The numbers of `account_columns`."""
    cells = {name: amount(found, *part) for name, part in _account_parts(account).items()}
    cells["result"] += " (expected)" * (not account.final)
    return [cells[name] for name in account_columns(found)]


def _account_parts(account: Account) -> dict[str, tuple[float, bool]]:
    """The parts of a result by column, and whether each is shown with its sign."""
    return {
        "start": (account.start, False),
        "luck: own rolls": (account.rolls, True),
        "luck: between": (account.between, True),
        "skill": (account.skill, True),
        "result": (account.result, False),
        "luck-adjusted": (account.adjusted, False),
    }


def _worst(found: Review, seat: SeatReview) -> list[RenderableType]:
    if not seat.worst:
        return [Text(), Text(f"{seat_name(seat)}: no decision cost anything", style="bold")]
    parts: list[RenderableType] = [
        Text(),
        Text(f"Most costly decisions of {seat_name(seat)}", style="bold"),
    ]
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
