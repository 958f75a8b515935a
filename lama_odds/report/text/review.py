"""A reviewed game as text: seats, what their results are made of, the worst decisions, luck."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.coach.grades import GRADES, Graded, objectives_measured
from lama_odds.analysis.coach.luck import Account, Swing
from lama_odds.analysis.coach.review import WORST, Review, SeatReview
from lama_odds.analysis.coach.session import PLAYER
from lama_odds.core.wording import (
    POINTS_OF_CHANCE,
    capital,
    listed,
    number,
    rounded,
    with_minus,
    with_unit,
)
from lama_odds.games.interface.objectives import TURN
from lama_odds.report.terminal import Fitted, table
from lama_odds.report.text.moves import player
from lama_odds.statistics.intervals import Z

MOST_SWINGS = 5
NOT_MEASURED = "no policies were measured for these rules, players, objective and games"
DIGITS = 2  # of costs
NAMED = 3  # decisions that may have cost something, in a sentence
MOST_COSTLY = 6  # decisions, without -v
PLURALS = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
NEGLIGIBLE = 1e-9  # what adding up leaves of nothing
# Why a sum has a narrower interval than the one decision it may consist of.
NO_CHANCE = (
    "start and result are chances in per cent; luck, skill and luck-adjusted results are "
    "percentage points, and one game may carry these beyond 0 to 100"
)
WIDER = "the interval of a single decision is wider than that of its sum: it holds at every look"
SIGNED = ("luck: own rolls", "luck: between", "skill")
CHANCES = ("start", "result")  # the parts of a result that are chances
AT_LEAST, AT_MOST = "  at least", "  at most"  # the rows of intervals


def amount(found: Review, value: float, sign: bool = False) -> str:
    """A number in the unit of the review: points, or percentage points of a chance."""
    mark = "+" if sign else ""
    value = 0.0 if abs(value) < NEGLIGIBLE else value
    return f"{100 * value if found.counts.share else value:{mark}.2f}"


def of_result(found: Review, value: float, sign: bool = False) -> str:
    """A part of a result: as `amount`; of chances in several rounds the rounds that are won."""
    mark = "+" if sign else ""
    value = 0.0 if abs(value) < NEGLIGIBLE else value
    return f"{(100 if by_chance(found) else 1) * value:{mark}.2f}"


def by_chance(found: Review) -> bool:
    """Whether a result is one chance: then its parts are percentage points."""
    rounds = {graded.decision.round for graded in found.decisions}
    return found.counts.share and (found.counts.whole_game or len(rounds) == 1)


def result_unit(found: Review) -> str:
    """The unit of the parts of a result."""
    if by_chance(found):
        return POINTS_OF_CHANCE
    return "rounds won" if found.counts.share else found.counts.unit


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
    return f"Grades by shown cost in {cost_unit(found)}: fine below {amount(found, first)}, {named}"


def cost_unit(found: Review) -> str:
    """The unit of costs."""
    unit = found.counts.unit
    return f"{POINTS_OF_CHANCE} {unit}" if found.counts.share else unit


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
    """What a seat's result is made of, as `account_columns`; then intervals, if there are any.

    Nothing for a seat of which some turns are known only by their result.
    """
    if seat.seat in found.unseen:
        return []
    spread, off = seat.spread, {}
    off["start"], off["skill"], off["result"] = spread.start, spread.skill, spread.result
    off["luck: own rolls"], off["luck: between"] = spread.rolls, spread.between
    off["luck-adjusted"] = spread.adjusted
    parts = _account_parts(found, account)
    rows = [[seat_name(seat), *account_cells(found, account)]]
    if max(off.values()) < NEGLIGIBLE:
        return rows
    scale = 100 if by_chance(found) else 1
    for name, side in ((AT_LEAST, -1), (AT_MOST, 1)):
        cells = []
        for column in account_columns(found):
            bound = parts[column] + side * scale * off[column]
            if column in CHANCES and scale > 1:  # what is called a chance stays one
                bound = min(100.0, max(0.0, bound))
            cells.append(_cell(column, bound) if off[column] > NEGLIGIBLE else "")
        rows.append([name, *cells])
    return rows


def lost_text(found: Review, graded: Graded) -> str:
    """What a decision cost, with its interval if that is wider than a point."""
    share = found.counts.share
    error = graded.error
    if graded.method == "exact":
        return number(error, share) if not share else amount(found, error.value)
    low, high = error.low, error.high
    if graded.shown:
        low, high = graded.surely, 2 * error.value - graded.surely
    return f"{amount(found, error.value)} ({amount(found, low)} to {amount(found, high)})"


def grade_text(graded: Graded) -> str:
    """The grade; of a cost that is not shown, that it is open."""
    if graded.may_have_cost:
        return "not shown"
    return graded.grade + "?" * (graded.shown and graded.doubtful)


def why_text(found: Review, graded: Graded) -> str:
    """A decision in a sentence: what was played, what it cost, what was best."""
    return (
        f"{graded.decision.chosen} cost {lost_text(found, graded)} {cost_unit(found)}; "
        f"best was {graded.best}"
    )


def swing_text(found: Review, swing: Swing) -> str:
    """A piece of luck in a few words."""
    kind = "" if swing.own else ", to the next decision"
    return f"{capital(found.decisions[swing.after].where.text)}: {swing.what}{kind}"


def largest_swings(found: Review) -> list[Swing]:
    """The pieces of luck that moved most."""
    ordered = sorted(found.course.swings, key=lambda swing: -abs(swing.amount))
    return ordered[:MOST_SWINGS]


def seat_name(seat: SeatReview) -> str:
    """A player, counted from 1, and the policy if that is known."""
    return f"player {seat.seat + 1}" + f" ({seat.policy})" * bool(seat.policy)


def review_text(found: Review, verbose: bool = False) -> RenderableType:
    """What the decisions of each player cost, the costliest, and luck; verbose: everything."""
    if verbose:
        return _all(found)
    parts, costly = _findings(found), _costly(found)
    if costly:
        heads = ("most costly", "played", "best", "cost")
        parts += [Text(), Fitted(heads, tuple(costly), left=(0, 1, 2))]
        parts += _reasons(found)
    return Group(*parts, Text(), Text(_how_sure(found), style="dim"))


def _findings(found: Review) -> list[RenderableType]:
    """The game, and on each player some sentences on the decisions and one on luck."""
    what = _decisions(_choices(found))
    head = f"{found.rules} · {found.players} players · {what} · {found.counts.brief}"
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    for first, *others in sentences(found):
        parts += [Text(f"▶ {first}", style="bold"), *(Text(f"  {said}") for said in others)]
    closing = closing_text(found)
    return [*parts, Text(), Text(closing)] if closing else parts


def sentences(found: Review) -> list[list[str]]:
    """On each player: what decisions cost, what they may have cost, the result and luck."""
    every = (
        (_score(found, seat), uncertain_text(found, seat), _luck(found, seat))
        for seat in found.seats
    )
    return [[said for said in each if said] for each in every]


def _choices(found: Review) -> int:
    """How many decisions had a choice; only these are graded."""
    return sum(seat.decisions for seat in found.seats)


def _decisions(number: int) -> str:
    return f"{number} decision{'s' * (number != 1)}"


def player_name(found: Review, seat: SeatReview) -> str:
    """The name of a seat, with its policy if that is known."""
    if seat.seat == found.you:
        return "You"
    name = capital(_named(found, seat.seat))
    return name + f" ({seat.policy})" * bool(seat.policy and seat.policy != PLAYER)


def _named(found: Review, seat: int) -> str:
    """Another player as the record names it."""
    return player(seat, -1, names=found.names)


def _score(found: Review, seat: SeatReview) -> str:
    """What the decisions of a player are shown to cost, and how many were bad."""
    name, choices = player_name(found, seat), _decisions(seat.decisions)
    bad = [
        f"{seat.grades[grade]} {grade if seat.grades[grade] == 1 else PLURALS[grade]}"
        for grade in reversed(GRADES[1:])
        if seat.grades[grade]
    ]
    if not seat.decisions:
        return f"{name} had no choice."
    if seat.error_high < NEGLIGIBLE:
        return f"{name}: {choices} cost nothing."
    if not seat.shown:
        most = cost(found, seat.error_high)
        return f"{name}: {choices}, and no cost is shown (in all at most {most})."
    few = choices if seat.shown == seat.decisions else f"{seat.shown} of {choices}"
    wide = seat.error_high - seat.shown_error > NEGLIGIBLE
    most = f" (all at most {cost(found, seat.error_high).split()[0]})" * wide
    graded = f": {listed(bad)}" if bad else ""
    return f"{name}: {few} cost {cost(found, seat.shown_error)}{most}{graded}."


def uncertain_text(found: Review, seat: SeatReview) -> str:
    """The decisions that may have cost something, in a sentence; empty if there is none."""
    at = [index for index in seat.uncertain if _is_listed(found, index)]
    if not at:
        return ""
    places = [found.decisions[index].where.text for index in at[:NAMED]]
    more = f" and {len(at) - NAMED} more" if len(at) > NAMED else ""
    played = any(found.decisions[index].games for index in at)
    told = "; more games would tell" if played else ""
    return f"{_decisions(len(at))} may have cost something: {'; '.join(places)}{more}{told}."


def _is_listed(found: Review, index: int) -> bool:
    limit = found.worse_than
    return limit is None or found.decisions[index].error.value > limit


def _luck(found: Review, seat: SeatReview) -> str:
    """The result and the score, and what they are made of: luck, what is left, and the cost."""
    account = dict((s.seat, a) for s, a in pairs(found))[seat.seat]
    if seat.seat in found.unseen:  # of some turns only the result is known
        return _result(found, seat, account)
    parts = _account_parts(found, account)
    got, adjusted = parts["result"], parts["luck-adjusted"]
    luck = round(got - adjusted, DIGITS)
    share, unit = by_chance(found), result_unit(found)
    better = luck > 0 if found.counts.higher else luck < 0
    said = [_result(found, seat, account)]
    helped = f"Luck {'helped' if better else 'hurt'} by {with_unit(_plain(abs(luck)), unit)}"
    sign = "−" if luck > 0 else "+"
    if not luck:
        said.append(f"Luck made no difference: luck-adjusted {_plain(got)}.")
    else:
        sum_ = f"{_plain(got)} {sign} {_plain(abs(luck))} = {_plain(adjusted)}"
        said.append(f"{helped}: {sum_} luck-adjusted.")
    lost, best = _rounded(found, seat.shown_error), adjusted
    if lost and _same_unit(found):
        best = adjusted + lost if found.counts.higher else adjusted - lost
        said.append(
            f"Without the cost of {_plain(lost)} it would be {_plain(round(best, DIGITS))}."
        )
    if share and not 0 <= min(adjusted, best) <= max(adjusted, best) <= 100:
        said.append("This is not a chance: one game may leave 0 to 100.")
    return " ".join(said)


def _result(found: Review, seat: SeatReview, account: Account) -> str:
    """The result in words, with the score of the game itself if that is another number."""
    value = _plain(_rounded(found, account.result))
    if by_chance(found):
        if not account.final:
            return f"Expected result: a chance of {value} %."
        ends = {1.0: "Won", 0.0: "Did not win"}
        score = "" if seat.score is None else f" (score {_plain(seat.score)})"
        return f"{ends.get(account.result, 'Shared the win')}{score}."
    if seat.score is not None and (found.counts.span == TURN or found.counts.relative):
        by_turns = ", turn by turn" * (found.counts.span == TURN)
        return f"Score {_plain(seat.score)}, and {value} compared with the others{by_turns}."
    return f"Result {value}." if account.final else f"Expected result {value}."


def closing_text(found: Review) -> str:
    """What concerns all players: turns that are not graded, and the sum of the results."""
    return " ".join(said for said in (_unseen_text(found), together_text(found)) if said)


def _unseen_text(found: Review) -> str:
    """Which decisions are not graded because only the results of turns are known."""
    graded = [seat.seat for seat in found.seats]
    others = [_named(found, seat) for seat in found.unseen if seat not in graded]
    said = []
    if others:
        said.append(
            f"The rolls of {listed(others)} are not known, so these decisions and this luck are "
            "not graded."
        )
    for seat in found.unseen:
        if seat in graded:
            whose = "of your turns" if seat == found.you else f"turns of {_named(found, seat)}"
            why = "are known only by their result, so they are not graded and luck is not separated"
            said.append(f"Some {whose} {why}.")
    return " ".join(said)


def together_text(found: Review) -> str:
    """What the luck-adjusted results of all players add up to, and why not to their results."""
    if len(found.seats) < 2 or len(found.seats) < found.players:
        return ""
    parts = [_account_parts(found, account) for _, account in pairs(found)]
    got, adjusted = (
        round(sum(part[column] for part in parts), DIGITS) for column in ("result", "luck-adjusted")
    )
    if got == adjusted:
        return f"Luck-adjusted results add up to {_plain(got)}, as the results do."
    return (
        f"Luck-adjusted results add up to {_plain(adjusted)}, results to {_plain(got)}: luck is "
        "measured at each player's own decisions, so it need not cancel out."
    )


def _rounded(found: Review, value: float) -> float:
    """A part of a result as it is shown, so that sums of shown numbers are right."""
    return round((100 if by_chance(found) else 1) * value, DIGITS) + 0.0


def _same_unit(found: Review) -> bool:
    """Whether costs and results have one unit."""
    return by_chance(found) == found.counts.share


def _plain(value: float) -> str:
    """A number with DIGITS decimals, a whole one without, with a minus sign."""
    text = with_minus(value + 0.0, DIGITS)
    return text.removesuffix("." + DIGITS * "0")


def _costly(found: Review) -> list[tuple[str, ...]]:
    """The most costly decisions of each player, a few of all; with a limit, all beyond it."""
    each = max(1, MOST_COSTLY // max(1, len(found.seats)))
    rows: list[tuple[str, ...]] = []
    for seat in found.seats:
        for index in seat.worst if found.worse_than is not None else seat.worst[: min(each, WORST)]:
            graded = found.decisions[index]
            lost = cost(found, graded.error.value).split()[0]
            chosen, best = graded.decision.chosen, graded.best
            rows.append((graded.where.text, chosen, best, lost))
    return rows


def _reasons(found: Review) -> list[Text]:
    """Why the costliest decision cost something, where games confirmed a reason."""
    costly = [found.decisions[index] for seat in found.seats for index in seat.worst[:WORST]]
    costly.sort(key=lambda each: -each.error.value)
    return [
        Text(f"{capital(each.where.text)}: {each.reason}") for each in costly[:1] if each.reason
    ]


def _how_sure(found: Review) -> str:
    """The unit of the costs, their precision, and how to see more."""
    told = f"Costs in {cost_unit(found)} against the best decisions"
    if found.method == "exact":
        return f"{told}; exact. More: -v"
    return f"{told}, beyond {'sampling error' if found.games else 'their error'}. More: -v"


def _all(found: Review) -> RenderableType:
    """The whole review."""
    parts: list[RenderableType] = [*_findings(found), Text(), Text(borders_text(found))]
    parts += [Text(), _seats(found), Text(), _accounts(found)]
    parts += [Text(), *map(Text, rating_lines(found))]
    for seat in found.seats:
        parts += _worst(found, seat)
    swings = [
        (swing_text(found, s), of_result(found, s.amount, True)) for s in largest_swings(found)
    ]
    if swings:
        parts += [Text(), table(["Largest luck", result_unit(found)], swings)]
    notes = [f"{found.counts.meaning} ({found.seconds:.1f} s)", *found.assumptions]
    if by_chance(found):
        notes.append(NO_CHANCE)
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
    parts = _account_parts(found, account)
    cells = {name: _cell(name, parts[name]) for name in parts}
    cells["result"] += " (expected)" * (not account.final)
    return [cells[name] for name in account_columns(found)]


def _cell(column: str, value: float) -> str:
    """A part of a result; what can have either sign has one."""
    return f"{value:{'+' if column in SIGNED else ''}.{DIGITS}f}"


def _account_parts(found: Review, account: Account) -> dict[str, float]:
    """The parts of a result by column, rounded so that what is shown adds up."""
    rolls, between, skill, result = (
        _rounded(found, part)
        for part in (account.rolls, account.between, account.skill, account.result)
    )
    return {
        "start": round(result - rolls - between - skill, DIGITS) + 0.0,
        "luck: own rolls": rolls,
        "luck: between": between,
        "skill": skill,
        "result": result,
        "luck-adjusted": round(result - rolls - between, DIGITS) + 0.0,
    }


def _worst(found: Review, seat: SeatReview) -> list[RenderableType]:
    if not seat.worst:
        said = "no decision is shown to have cost anything"
        return [Text(), Text(f"{seat_name(seat)}: {said}", style="bold")]
    parts: list[RenderableType] = [
        Text(),
        Text(f"Most costly decisions of {seat_name(seat)}", style="bold"),
    ]
    for index in seat.worst:
        graded = found.decisions[index]
        at = f"{capital(graded.where.text)} (line {graded.decision.line}), {grade_text(graded)}"
        parts.append(Text(f"{at}: {why_text(found, graded)}"))
        parts.append(
            Text(f'  "{graded.decision.position.format()}"', no_wrap=True, overflow="ignore")
        )
        if graded.why_text:
            parts.append(Text(f"  {graded.why_text}", style="dim"))
    return parts
