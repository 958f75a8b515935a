"""A reviewed game as text: seats, what their results are made of, the worst decisions, luck."""

from __future__ import annotations

import math

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.coach.luck import Account
from lama_odds.analysis.coach.review import WORST, Review, SeatReview
from lama_odds.analysis.coach.session import PLAYER
from lama_odds.core import wording
from lama_odds.core.language import later, later_count, say, say_count
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.objectives import TURN
from lama_odds.report.terminal import Fitted, table
from lama_odds.report.text import review_figures as figures
from lama_odds.report.text.moves import player

NAMED = 3  # decisions that may have cost something, in a sentence
MOST_COSTLY = 6  # decisions, without -v
# Why a sum has a narrower interval than the one decision it may consist of.
NO_CHANCE = later(
    "start and result are chances in per cent; luck, skill and luck-adjusted results are "
    "percentage points, and one game may carry these beyond 0 to 100"
)
WIDER = later(
    "the interval of a single decision is wider than that of its sum: it holds at every look"
)


def review_text(review: Review, verbose: bool = False) -> RenderableType:
    """What the decisions of each player cost, the costliest, and luck; verbose: everything."""
    if verbose:
        return _all(review)
    parts, costly = _findings(review), _costly(review)
    if costly:
        heads = (say("most costly"), say("played"), say("best"), say("cost"))
        parts += [Text(), Fitted(heads, tuple(costly), left=(0, 1, 2))]
        parts += _reasons(review)
    return Group(*parts, Text(), Text(_how_sure(review), style="dim"))


def _findings(review: Review) -> list[RenderableType]:
    """The game, and on each player some sentences on the decisions and one on luck."""
    head = say(
        "{rules} · {players} players · {decisions} · {what}",
        rules=review.rules,
        players=review.players,
        decisions=_decisions(sum(seat.decisions for seat in review.seats)),
        what=say(review.counts.brief),
    )
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    for first, *others in sentences(review):
        parts += [Text(f"▶ {first}", style="bold"), *(Text(f"  {sentence}") for sentence in others)]
    closing = closing_text(review)
    return [*parts, Text(), Text(closing)] if closing else parts


def sentences(review: Review) -> list[list[str]]:
    """On each player: what decisions cost, what they may have cost, the result and luck."""
    every = (
        (_score(review, seat), uncertain_text(review, seat), _luck(review, seat))
        for seat in review.seats
    )
    return [[sentence for sentence in parts if sentence] for parts in every]


def _decisions(number: int) -> str:
    return say_count("{n} decision", "{n} decisions", number)


def player_name(review: Review, seat: SeatReview) -> str:
    """The name of a seat, with its policy if that is known."""
    if seat.seat == review.you:
        return wording.capital(say("you"))
    name = wording.capital(_named(review, seat.seat))
    return name + f" ({seat.policy})" * bool(seat.policy and seat.policy != PLAYER)


def _named(review: Review, seat: int) -> str:
    """Another player as the record names it."""
    return player(seat, -1, names=review.names)


# Decisions with a shown cost, by whether all may have cost more, and whether some were bad.
COST = {
    (False, False): later_count(
        "{player}: {decisions} cost {cost}.", "{player}: {decisions} cost {cost}."
    ),
    (False, True): later_count(
        "{player}: {decisions} cost {cost}: {grades}.",
        "{player}: {decisions} cost {cost}: {grades}.",
    ),
    (True, False): later_count(
        "{player}: {decisions} cost {cost} (all at most {most}).",
        "{player}: {decisions} cost {cost} (all at most {most}).",
    ),
    (True, True): later_count(
        "{player}: {decisions} cost {cost} (all at most {most}): {grades}.",
        "{player}: {decisions} cost {cost} (all at most {most}): {grades}.",
    ),
}


def _score(review: Review, seat: SeatReview) -> str:
    """What the decisions of a player are shown to cost, and how many were bad."""
    name, choices = player_name(review, seat), seat.decisions
    if not choices:
        return say("{player} had no choice.", player=name)
    if seat.error_high < figures.NEGLIGIBLE:
        return say_count(
            "{player}: {n} decision cost nothing.",
            "{player}: {n} decisions cost nothing.",
            choices,
            player=name,
        )
    if not seat.shown:
        return say_count(
            "{player}: {n} decision, and no cost is shown (in all at most {most}).",
            "{player}: {n} decisions, and no cost is shown (in all at most {most}).",
            choices,
            player=name,
            most=figures.cost(review, seat.error_high),
        )
    few = _decisions(choices)
    if seat.shown != choices:
        few = say_count(
            "{shown} of {n} decision", "{shown} of {n} decisions", choices, shown=seat.shown
        )
    wide, grades = (
        seat.error_high - seat.shown_error > figures.NEGLIGIBLE,
        figures.grade_counts(seat.grades),
    )
    return say_count(
        *COST[wide, bool(grades)],
        seat.shown,
        player=name,
        decisions=few,
        cost=figures.cost(review, seat.shown_error),
        most=figures.cost_number(review, seat.error_high),
        grades=grades,
    )


def uncertain_text(review: Review, seat: SeatReview) -> str:
    """The decisions that may have cost something, in a sentence; empty if there is none."""
    limit = -math.inf if review.worse_than is None else review.worse_than
    at = [index for index in seat.uncertain if review.decisions[index].error.value > limit]
    if not at:
        return ""
    places = "; ".join(review.decisions[index].where.text for index in at[:NAMED])
    if len(at) > NAMED:
        places = say("{first} and {n} more", first=places, n=len(at) - NAMED)
    if any(review.decisions[index].games for index in at):
        return say_count(
            "{n} decision may have cost something: {places}; more games would tell.",
            "{n} decisions may have cost something: {places}; more games would tell.",
            len(at),
            places=places,
        )
    return say_count(
        "{n} decision may have cost something: {places}.",
        "{n} decisions may have cost something: {places}.",
        len(at),
        places=places,
    )


def _luck(review: Review, seat: SeatReview) -> str:
    """The result and the score, and what they are made of: luck, what is left, and the cost."""
    account = dict((s.seat, a) for s, a in figures.pairs(review))[seat.seat]
    if seat.seat in review.unseen:  # of some turns only the result is known
        return _result(review, seat, account)
    parts = figures.account_parts(review, account)
    got, adjusted = parts[figures.RESULT], parts[figures.ADJUSTED]
    luck = round(got - adjusted, figures.DIGITS)
    texts = [_result(review, seat, account)]
    if not luck:
        texts.append(say("Luck made no difference: luck-adjusted {result}.", result=_plain(got)))
    else:
        amounts = {
            "amount": wording.with_unit(_plain(abs(luck)), figures.result_unit(review)),
            "sum": luck_sum(got, luck, adjusted),
        }
        if luck > 0 if review.counts.higher else luck < 0:
            texts.append(say("Luck helped by {amount}: {sum} luck-adjusted.", **amounts))
        else:
            texts.append(say("Luck hurt by {amount}: {sum} luck-adjusted.", **amounts))
    lost, best = figures.as_shown(review, seat.shown_error), adjusted
    if lost and figures.by_chance(review) == review.counts.share:  # one unit
        best = adjusted + lost if review.counts.higher else adjusted - lost
        texts.append(
            say(
                "Without the cost of {cost} it would be {result}.",
                cost=_plain(lost),
                result=_plain(round(best, figures.DIGITS)),
            )
        )
    if figures.by_chance(review) and not 0 <= min(adjusted, best) <= max(adjusted, best) <= 100:
        texts.append(say("This is not a chance: one game may leave 0 to 100."))
    return " ".join(texts)


def luck_sum(result: float, luck: float, adjusted: float) -> str:
    """How a result becomes the luck-adjusted one, as a sum."""
    sign = "−" if luck > 0 else "+"
    return f"{_plain(result)} {sign} {_plain(abs(luck))} = {_plain(adjusted)}"


# How a game ended for a player: without and with its score.
ENDS = {
    1.0: (later("Won."), later("Won (score {score}).")),
    0.0: (later("Did not win."), later("Did not win (score {score}).")),
}
SHARED = later("Shared the win."), later("Shared the win (score {score}).")


def _result(review: Review, seat: SeatReview, account: Account) -> str:
    """The result in words, with the score of the game itself if that is another number."""
    value = _plain(figures.as_shown(review, account.result))
    if figures.by_chance(review):
        if not account.final:
            return say(
                "Expected after the last decision: a chance of {chance}.",
                chance=wording.in_percent(value),
            )
        alone, scored = ENDS.get(account.result, SHARED)
        return say(alone) if seat.score is None else say(scored, score=_plain(seat.score))
    if seat.score is not None and (review.counts.span == TURN or review.counts.relative):
        numbers = {"score": _plain(seat.score), "result": value}
        if review.counts.span == TURN:
            return say(
                "Score {score}, and {result} compared with the others, turn by turn.", **numbers
            )
        return say("Score {score}, and {result} compared with the others.", **numbers)
    if account.final:
        return say("Result {result}.", result=value)
    return say("Expected after the last decision: {result}.", result=value)


def closing_text(review: Review) -> str:
    """What concerns all players: turns that are not graded, and the sum of the results."""
    return " ".join(text for text in (_unseen_text(review), together_text(review)) if text)


def _unseen_text(review: Review) -> str:
    """Which decisions are not graded because only the results of turns are known."""
    graded = [seat.seat for seat in review.seats]
    others = [_named(review, seat) for seat in review.unseen if seat not in graded]
    texts = []
    if others:
        texts.append(
            say(
                "The rolls of {players} are not known, so these decisions and this luck are not "
                "graded.",
                players=wording.listed(others),
            )
        )
    for seat in review.unseen:
        if seat in graded and seat == review.you:
            texts.append(
                say(
                    "Some of your turns are known only by their result, so they are not graded "
                    "and luck is not separated."
                )
            )
        elif seat in graded:
            texts.append(
                say(
                    "Some turns of {player} are known only by their result, so they are not graded "
                    "and luck is not separated.",
                    player=_named(review, seat),
                )
            )
    return " ".join(texts)


def together_text(review: Review) -> str:
    """What the luck-adjusted results of all players add up to, and why not to their results."""
    if len(review.seats) < 2 or len(review.seats) < review.players:
        return ""
    parts = [figures.account_parts(review, account) for _, account in figures.pairs(review)]
    got, adjusted = (
        round(sum(part[column] for part in parts), figures.DIGITS)
        for column in (figures.RESULT, figures.ADJUSTED)
    )
    if got == adjusted:
        return say(
            "Luck-adjusted results add up to {sum}, as the results do.",
            sum=_plain(got),
        )
    return say(
        "Luck-adjusted results add up to {adjusted}, results to {results}: luck is measured at "
        "each player's own decisions, so it need not cancel out.",
        adjusted=_plain(adjusted),
        results=_plain(got),
    )


def _plain(value: float) -> str:
    return wording.trimmed(value, figures.DIGITS)


def _costly(review: Review) -> list[tuple[str, ...]]:
    """The most costly decisions of each player, a few of all; with a limit, all beyond it."""
    per_seat = max(1, MOST_COSTLY // max(1, len(review.seats)))
    rows: list[tuple[str, ...]] = []
    for seat in review.seats:
        for index in (
            seat.worst if review.worse_than is not None else seat.worst[: min(per_seat, WORST)]
        ):
            graded = review.decisions[index]
            lost = figures.cost_number(review, graded.error.value)
            who = graded.decision.seat, review.players
            chosen = action_words(graded.decision.chosen, *who)
            best = action_words(graded.best, *who)
            rows.append((graded.where.text, chosen, best, lost))
    return rows


def _reasons(review: Review) -> list[Text]:
    """Why the costliest decision cost something, where games confirmed a reason."""
    costly = [review.decisions[index] for seat in review.seats for index in seat.worst[:WORST]]
    costly.sort(key=lambda graded: -graded.error.value)
    return [
        Text(say("{place}: {what}", place=wording.capital(graded.where.text), what=graded.reason))
        for graded in costly[:1]
        if graded.reason
    ]


def _how_sure(review: Review) -> str:
    """The unit of the costs, their precision, and how to see more."""
    unit = figures.cost_unit(review)
    if review.method == "exact":
        return say("Costs in {unit} against the best decisions; exact. More: -v", unit=unit)
    if review.games:
        return say(
            "Costs in {unit} against the best decisions, beyond sampling error. More: -v", unit=unit
        )
    return say(
        "Costs in {unit} against the best decisions, beyond their error. More: -v", unit=unit
    )


def _all(review: Review) -> RenderableType:
    parts: list[RenderableType] = [*_findings(review), Text(), Text(figures.borders_text(review))]
    seats = [row for seat in review.seats for row in figures.seat_rows(review, seat)]
    accounts = [
        row for pair in figures.pairs(review) for row in figures.account_rows(review, *pair)
    ]
    parts += [Text(), table(figures.seat_heads(), seats)]
    parts += [Text(), table(figures.account_heads(review), accounts)]
    parts += [Text(), *map(Text, figures.rating_lines(review))]
    for seat in review.seats:
        parts += _worst(review, seat)
    swings = figures.largest_swings(review)
    if swings:
        heads = [say("Largest luck"), wording.unit_name(figures.result_unit(review))]
        parts += [Text(), table(heads, swings)]
    notes = [_meaning(review), *review.assumptions]
    if figures.by_chance(review):
        notes.append(say(NO_CHANCE))
    if any(review.decisions[index].games for seat in review.seats for index in seat.worst):
        notes.append(say(WIDER))
    parts += [Text(), Text("\n".join(f"· {note}" for note in notes), style="dim")]
    return Group(*parts)


def _meaning(review: Review) -> str:
    """What is counted, and how long the review took."""
    return say(
        "{meaning} ({seconds} s)",
        meaning=say(review.counts.meaning),
        seconds=wording.decimal(f"{review.seconds:.1f}"),
    )


def _worst(review: Review, seat: SeatReview) -> list[RenderableType]:
    name = figures.seat_name(seat)
    if not seat.worst:
        text = say("{player}: no decision is shown to have cost anything", player=name)
        return [Text(), Text(text, style="bold")]
    parts: list[RenderableType] = [
        Text(),
        Text(say("Most costly decisions of {player}", player=name), style="bold"),
    ]
    for index in seat.worst:
        graded = review.decisions[index]
        text = say(
            "{place} (line {line}), {grade}: {what}",
            place=wording.capital(graded.where.text),
            line=graded.decision.line,
            grade=figures.grade_text(graded),
            what=figures.why_text(review, graded),
        )
        parts.append(Text(text))
        parts.append(
            Text(f'  "{graded.decision.position.format()}"', no_wrap=True, overflow="ignore")
        )
        if graded.why_text:
            parts.append(Text(f"  {graded.why_text}", style="dim"))
    return parts
