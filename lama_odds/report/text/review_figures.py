"""The figures of a reviewed game as texts: costs, grades, the parts of results, luck, ratings."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.analysis.coach.grades import GRADES, Graded, Rating, objectives_measured
from lama_odds.analysis.coach.luck import Account, Swing
from lama_odds.analysis.coach.review import Review, SeatReview
from lama_odds.core import wording
from lama_odds.core.language import ENGLISH, language, later, later_count, say, say_count
from lama_odds.games.interface.actions import action_words
from lama_odds.statistics.intervals import Z

MOST_SWINGS = 5
DIGITS = 2  # of costs
NEGLIGIBLE = 1e-9  # what adding up leaves of nothing
GRADE_NAMES = {
    "fine": later("fine"),
    "inaccuracy": later("inaccuracy"),
    "mistake": later("mistake"),
    "blunder": later("blunder"),
}
GRADE_COUNTS = {
    "inaccuracy": later_count("{n} inaccuracy", "{n} inaccuracies"),
    "mistake": later_count("{n} mistake", "{n} mistakes"),
    "blunder": later_count("{n} blunder", "{n} blunders"),
}
NOT_MEASURED = later(
    "no rating: no policies were measured for these rules, players, objective and games"
)
# The parts of a result.
START, ROLLS, BETWEEN = later("start"), later("luck: own rolls"), later("luck: between")
SKILL, RESULT, ADJUSTED = later("skill"), later("result"), later("luck-adjusted")
SIGNED = (ROLLS, BETWEEN, SKILL)
CHANCES = (START, RESULT)  # those that are chances


def amount(review: Review, value: float, sign: bool = False) -> str:
    """A number in the unit of the review: points, or percentage points of a chance."""
    return _shown(value, 100 if review.counts.share else 1, sign)


def of_result(review: Review, value: float) -> str:
    """A part of a result with its sign: of chances in several rounds the rounds that are won."""
    return _shown(value, 100 if by_chance(review) else 1, True)


def _shown(value: float, scale: int, sign: bool) -> str:
    mark = "+" if sign else ""
    value = 0.0 if abs(value) < NEGLIGIBLE else value
    return wording.decimal(f"{scale * value:{mark}.{DIGITS}f}")


def by_chance(review: Review) -> bool:
    """Whether a result is one chance: then its parts are percentage points."""
    rounds = {graded.decision.round for graded in review.decisions}
    return review.counts.share and (review.counts.whole_game or len(rounds) == 1)


def result_unit(review: Review) -> str:
    """The unit of the parts of a result, by its English name."""
    if by_chance(review):
        return wording.POINTS_OF_CHANCE
    return "rounds won" if review.counts.share else review.counts.unit


def cost(review: Review, value: float) -> str:
    """What decisions cost, with its unit: percentage points of a chance."""
    return wording.with_unit(
        cost_number(review, value),
        wording.POINTS_OF_CHANCE if review.counts.share else review.counts.unit,
    )


def cost_number(review: Review, value: float) -> str:
    """The same without the unit."""
    return wording.rounded((100 if review.counts.share else 1) * max(0.0, value), DIGITS)


def borders_text(review: Review) -> str:
    """What the grades mean, in a sentence."""
    first, second, third = (amount(review, border) for border in review.borders)
    return say(
        "Grades by shown cost in {unit}: fine below {first}, inaccuracy from {first}, mistake from "
        "{second}, blunder from {third}",
        unit=cost_unit(review),
        first=first,
        second=second,
        third=third,
    )


def cost_unit(review: Review) -> str:
    """The unit of costs."""
    return wording.unit_name(_english_unit(review))


def _english_unit(review: Review) -> str:
    unit = review.counts.unit
    return f"{wording.POINTS_OF_CHANCE} {unit}" if review.counts.share else unit


def grade_counts(grades: Mapping[str, int]) -> str:
    """How many decisions were bad, the worst first; empty if none was."""
    counted = (name for name in reversed(GRADES[1:]) if grades[name])
    return wording.listed([say_count(*GRADE_COUNTS[name], grades[name]) for name in counted])


def seat_heads() -> list[str]:
    """The heads of `seat_rows`."""
    grades = (say(GRADE_NAMES[name]) for name in GRADES)
    return ["", say("decisions"), say("cost"), say("cost each"), *grades]


def seat_rows(review: Review, seat: SeatReview) -> list[list[str]]:
    """What a seat's decisions cost: in sum, each, by grades; then the interval, if there is one."""
    sums = (seat.error, seat.error_low, seat.error_high)
    (value, low, high) = ([amount(review, x), amount(review, seat.per_decision(x))] for x in sums)
    grades = [str(seat.grades[name]) for name in GRADES]
    rows = [[seat_name(seat), str(seat.decisions), *value, *grades]]
    if seat.error_high - seat.error_low > NEGLIGIBLE:
        at_least, at_most = _bounds()
        rows += [[at_least, "", *low], [at_most, "", *high]]
    return [row + [""] * (2 + len(value) + len(grades) - len(row)) for row in rows]


def _bounds() -> tuple[str, str]:
    """The names of the two rows of an interval."""
    return f"  {say('at least')}", f"  {say('at most')}"


def account_columns(review: Review) -> list[str]:
    """The parts of a result. A kind of luck is left out if the game has none."""
    own = [ROLLS] if any(swing.own for swing in review.course.swings) else []
    between = [BETWEEN] if any(not swing.own for swing in review.course.swings) else []
    return [START, *own, *between, SKILL, RESULT, ADJUSTED]


def account_heads(review: Review) -> list[str]:
    """The heads of `account_rows`."""
    return ["", *(say(column) for column in account_columns(review))]


def account_rows(review: Review, seat: SeatReview, account: Account) -> list[list[str]]:
    """What a seat's result is made of, as `account_columns`; then intervals, if there are any.

    Nothing for a seat of which some turns are known only by their result.
    """
    if seat.seat in review.unseen:
        return []
    spread, errors = seat.spread, {}
    errors[START], errors[SKILL], errors[RESULT] = spread.start, spread.skill, spread.result
    errors[ROLLS], errors[BETWEEN], errors[ADJUSTED] = spread.rolls, spread.between, spread.adjusted
    parts = account_parts(review, account)
    rows = [[seat_name(seat), *_account_cells(review, account)]]
    if max(errors.values()) < NEGLIGIBLE:
        return rows
    scale = 100 if by_chance(review) else 1
    for name, side in zip(_bounds(), (-1, 1), strict=True):
        cells = []
        for column in account_columns(review):
            bound = parts[column] + side * scale * errors[column]
            if column in CHANCES and scale > 1:  # what is called a chance stays one
                bound = min(100.0, max(0.0, bound))
            cells.append(_cell(column, bound) if errors[column] > NEGLIGIBLE else "")
        rows.append([name, *cells])
    return rows


def _account_cells(review: Review, account: Account) -> list[str]:
    """The numbers of `account_columns`."""
    parts = account_parts(review, account)
    cells = {name: _cell(name, parts[name]) for name in parts}
    if not account.final:
        cells[RESULT] = say("{number} (expected)", number=cells[RESULT])
    return [cells[name] for name in account_columns(review)]


def _cell(column: str, value: float) -> str:
    """A part of a result; what can have either sign has one."""
    return wording.decimal(f"{value:{'+' if column in SIGNED else ''}.{DIGITS}f}")


def account_parts(review: Review, account: Account) -> dict[str, float]:
    """The parts of a result by column, rounded so that what is shown adds up."""
    rolls, between, skill, result = (
        as_shown(review, part)
        for part in (account.rolls, account.between, account.skill, account.result)
    )
    return {
        START: round(result - rolls - between - skill, DIGITS) + 0.0,
        ROLLS: rolls,
        BETWEEN: between,
        SKILL: skill,
        RESULT: result,
        ADJUSTED: round(result - rolls - between, DIGITS) + 0.0,
    }


def as_shown(review: Review, value: float) -> float:
    """A part of a result as it is shown, so that sums of shown numbers are right."""
    return round((100 if by_chance(review) else 1) * value, DIGITS) + 0.0


def pairs(review: Review) -> list[tuple[SeatReview, Account]]:
    """The seats reviewed, each with what its result is made of."""
    return list(zip(review.seats, review.course.accounts, strict=True))


def seat_name(seat: SeatReview) -> str:
    """A player, counted from 1, and the policy if that is known."""
    return say("player {n}", n=seat.seat + 1) + f" ({seat.policy})" * bool(seat.policy)


# A decision.


def lost_text(review: Review, graded: Graded) -> str:
    """What a decision cost, with its interval if that is wider than a point."""
    share = review.counts.share
    error = graded.error
    if graded.method == "exact":
        return wording.number(error, share) if not share else amount(review, error.value)
    low, high = error.low, error.high
    if graded.shown:
        low, high = graded.surely, 2 * error.value - graded.surely
    return say(
        "{value} ({low} to {high})",
        value=amount(review, error.value),
        low=amount(review, low),
        high=amount(review, high),
    )


def grade_text(graded: Graded) -> str:
    """The grade; of a cost that is not shown, that it is open."""
    if graded.may_have_cost:
        return say("not shown")
    return say(GRADE_NAMES[graded.grade]) + "?" * (graded.shown and graded.doubtful)


def why_text(review: Review, graded: Graded, best: str = "") -> str:
    """A decision in a sentence: what was played, what it cost, what was best.

    best: what stands for the best action; empty: its words.
    """
    lost = lost_text(review, graded)
    if language() == ENGLISH:
        lost = f"{lost} {_english_unit(review)}"
    else:
        lost = wording.with_unit(lost, review.counts.cost_unit)
    return say(
        "{action} cost {cost}; best was {best}",
        action=action_words(graded.decision.chosen, graded.decision.seat, review.players),
        cost=lost,
        best=best or action_words(graded.best, graded.decision.seat, review.players),
    )


# Luck.


def _swing_text(review: Review, swing: Swing) -> str:
    """A piece of luck in a few words."""
    place = wording.capital(review.decisions[swing.after].where.text)
    if swing.own:
        return say("{place}: {what}", place=place, what=swing.what)
    return say("{place}: {what}, to the next decision", place=place, what=swing.what)


def largest_swings(review: Review) -> list[tuple[str, str]]:
    """The pieces of luck that moved most, in words, and by how much."""
    ordered = sorted(review.course.swings, key=lambda swing: -abs(swing.amount))[:MOST_SWINGS]
    return [(_swing_text(review, s), of_result(review, s.amount)) for s in ordered]


# Ratings.


def rating_lines(review: Review) -> list[str]:
    """The ratings of all seats, or that there are none."""
    if any(seat.rating for seat in review.seats):
        return [_rating_text(review, seat) for seat in review.seats]
    others = [o for o in objectives_measured(review.rules, review.players) if o != review.objective]
    if others:
        options = wording.either(f"--objective {name}" for name in others)
        return [
            say(
                "no rating for {objective}: policies were measured with {asked}",
                objective=review.objective,
                asked=options,
            )
        ]
    return [say(NOT_MEASURED)]


def _rating_text(review: Review, seat: SeatReview) -> str:
    """The policy whose errors are most like those of a seat, and how sure that is."""
    rating, name = seat.rating, seat_name(seat)
    if rating is None:
        return say("{player}: no rating, it had no choice", player=name)
    nearest = rating.nearest
    stderr = amount(review, Z * nearest.stderr)
    return _how_alike(
        rating,
        seat.decisions,
        player=name,
        policy=nearest.policy,
        cost=amount(review, seat.mean_error),
        mean=f"{amount(review, nearest.mean)} ± {stderr}",
    )


def _how_alike(rating: Rating, decisions: int, **words: str) -> str:
    names = [rated.policy for rated in rating.fits]
    if not names:
        return say(
            "{player} plays like {policy}: a decision costs {cost}, one of {policy} {mean}; none "
            "of {policies} has just this cost",
            policies=", ".join(rated.policy for rated in rating.of),
            **words,
        )
    if len(names) == 1:
        return say(
            "{player} plays like {policy}: a decision costs {cost}, one of {policy} {mean}; none "
            "of the other {others} policies fits",
            others=len(rating.of) - 1,
            **words,
        )
    return say_count(
        "{player} plays like {policy}: a decision costs {cost}, one of {policy} {mean}; {n} "
        "decisions are too few to separate {policies}",
        "{player} plays like {policy}: a decision costs {cost}, one of {policy} {mean}; {n} "
        "decisions are too few to separate {policies}",
        decisions,
        policies=wording.listed(names),
        **words,
    )
