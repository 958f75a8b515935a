"""The schema of the answer of each command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lama_odds.analysis.advice.answer import ActionValue, Advice
from lama_odds.analysis.advice.sensitivity import Model, Sensitivity
from lama_odds.analysis.coach.reasons import Cited, Reason
from lama_odds.analysis.compare.answer import Comparison, Row, SkillShows
from lama_odds.analysis.compare.planning import ComparisonPlan, PlannedRow
from lama_odds.analysis.equity import Equities, Standings
from lama_odds.analysis.kept_on_disk import Cache, Entry
from lama_odds.analysis.odds import Odds
from lama_odds.analysis.policy_files import PublishedCard
from lama_odds.analysis.simulate import Simulated
from lama_odds.analysis.sweep.answer import (
    MAYBE,
    SURELY,
    SURELY_NOT,
    LeftOut,
    Step,
    Sweep,
    Trend,
    Variant,
)
from lama_odds.analysis.thresholds import answer as thresholds
from lama_odds.analysis.tournament import Tournament
from lama_odds.analysis.tune.tune import Tuned
from lama_odds.analysis.warm import Warmed
from lama_odds.games.interface.objectives import FollowUp, Held
from lama_odds.simulation.run_folder import JobStatus, RunStatus
from tools.publishing.schemas.parts import (
    ESTIMATE,
    NUMBER,
    SWITCH,
    TEXT,
    WHOLE,
    Schema,
    answer,
    keys,
    listed,
    maybe,
    named,
    one_of,
)
from tools.publishing.schemas.review import reviews_schema

OBJECTIVES = ("points", "margin", "round", "win")
METHOD = one_of("exact", "simulation")


def _advise() -> Schema:
    model = answer(Model, method=METHOD)
    sensitivity = answer(Sensitivity, models=listed(model), dialled=listed(model))
    action = keys(
        ActionValue,
        *("action", "value", "regret", "chances"),
        optional=dict.fromkeys(OBJECTIVES, ESTIMATE),
    )
    tried = keys(
        guess=_told(TEXT, "The guess, in words."),
        given=_told(SWITCH, "Whether it is the one of the position."),
        best=TEXT,
        verdict=TEXT,
        ahead=ESTIMATE,
        games=WHOLE,
        optional={"label": _told(TEXT, "The number in short.")},
    )
    step = keys(action=TEXT, when=_told(TEXT, "In words; empty for all other cases."))
    guesses = keys(
        what=_told(TEXT, "What is a guess."),
        assumed=_told(SWITCH, "Whether only a value that is sure to change the verdict counts."),
        tried=_told(listed(tried), "The answer with each guess."),
        rule=_told(listed(step), "What to do by the number; empty if no other guess changes it."),
        optional={"counted": _told(TEXT, "What the numbers count.")},
    )
    expected = _told(NUMBER, "What the policy expects of it, without any game.")
    usual = keys(
        policy=TEXT,
        action=TEXT,
        optional={"objective": one_of(*OBJECTIVES), "expects": expected},
    )
    drawn = _told(
        listed(TEXT), "The cards drawn with which this is the best, if it depends on them."
    )
    follow_up = answer(FollowUp, cards=drawn)
    assumed = keys(
        id=_told(TEXT, "Which one: `scores unknown`, or `repeats` (the games that repeat it)."),
        text=_told(TEXT, "The assumption in words."),
    )
    reason = answer(
        Reason,
        id=_told(TEXT, "Which pattern the sentence is from."),
        position=_told(TEXT, "The changed position at which another action is best."),
        values=_told(listed(answer(Cited, value=ESTIMATE)), "The numbers that it cites."),
    )
    return answer(
        Advice,
        objective=one_of(*OBJECTIVES),
        method=METHOD,
        actions=listed(action),
        assumed=listed(assumed),
        guesses=listed(guesses),
        reasons=listed(reason),
        sensitivity=sensitivity,
        then=named(listed(follow_up)),
        usual=usual,
    )


def _told(schema: Schema, description: str) -> Schema:
    """A schema with a description of its own."""
    return {**schema, "description": description}


def _odds() -> Schema:
    groups = {name: named(ESTIMATE) for name in ("reach", "exact")}
    return keys(
        Odds,
        *("rules", "events", "version"),
        position=TEXT,
        optional={
            **groups,
            "assumptions": listed(TEXT),
            "others": {**listed(_held()), "description": "The others' cards, after a record."},
            "others_made": {**listed(TEXT), "description": "How these chances are found."},
        },
        rest=named(ESTIMATE, "Chances of another group, by name."),
    )


def _held() -> Schema:
    """What another player probably holds."""
    likely = "Chances of at least one card of each kind."
    return answer(
        Held,
        holds=named(ESTIMATE, likely),
        models={**named(NUMBER), "description": "How likely each policy is the player's."},
        can_play=ESTIMATE,
        cells=named(named(ESTIMATE), "Chances of each kind, by cell (row, column)."),
    )


def _thresholds() -> Schema:
    values: Schema = keys(
        difference=ESTIMATE,
        better=TEXT,
        rest=ESTIMATE,
    )
    # What else is known is under its own name: penalty, lead, cards, scores.
    row = keys(
        thresholds.Row,
        *("met", "n"),
        optional={"met_estimate": ESTIMATE, **dict.fromkeys(OBJECTIVES, values)},
        rest={"anyOf": [{"type": ["integer", "null"]}, values]},
    )
    at = keys(at=WHOLE, certain=WHOLE, perhaps=WHOLE, decided=SWITCH)
    limit = keys(
        thresholds.Limit,
        "met",
        near=listed(row),
        optional=dict.fromkeys(OBJECTIVES, at),
        rest={"anyOf": [{"type": ["integer", "null"]}, at]},
    )
    table = listed({"type": "object", "description": "A row of an exact or sampled table."})
    return keys(
        thresholds.Thresholds,
        *("rules", "players", "policy", "actions", "decisions", "games", "seed", "version"),
        rows=listed(row),
        optional={
            "card": answer(
                PublishedCard,
                policy=_told(TEXT, "The card of rules, as a policy."),
                lines=_told(listed(TEXT), "The card in sentences."),
                wins=_told(ESTIMATE, "What one player of it wins among strong players."),
                among=_told(TEXT, "The policy of these players."),
            ),
            "precision": keys(thresholds.Precision, "asked", "reached"),
            "objective": one_of(*OBJECTIVES),
            "band": WHOLE,
            "limits": listed(limit),
        },
        rest={"anyOf": [table, {**TEXT, "description": "The rule that a table comes to."}]},
    )


def _equity() -> Schema:
    pair = keys(mine=WHOLE, other=WHOLE, win=ESTIMATE)
    made = {"policy": TEXT, "rounds": WHOLE}
    of_two = keys(Equities, "rules", "seed", "version", **made, table=listed(pair))
    row = keys(scores=listed(WHOLE), win=listed(ESTIMATE))
    several = keys(Standings, "rules", "players", "version", **made, seed=WHOLE, table=listed(row))
    return {"anyOf": [of_two, several]}


def _simulate() -> Schema:
    seat = keys(seat=WHOLE, policy=TEXT, rest=ESTIMATE)
    return keys(
        Simulated,
        *("rules", "players", "games", "seed", "threads", "seconds", "version"),
        games_per_second=NUMBER,
        seats=listed(seat),
        rest={**ESTIMATE, "description": "What is counted at the whole table."},
    )


def _compare() -> Schema:
    plan = answer(ComparisonPlan, measures=listed(answer(PlannedRow)))
    return {"anyOf": [_comparison(), plan]}


def _comparison() -> Schema:
    number, words = maybe(NUMBER), one_of("differs", "same", "undecided")
    row = answer(Row, p=number, p_same=number, verdict=words)
    shown = named(answer(SkillShows), "After how many games skill shows, by rule set.")
    return answer(Comparison, measures=listed(row), skill_shows=shown)


def _sweep() -> Schema:
    value: Schema = {"type": ["integer", "boolean", "string"]}
    values = named(value, "Values by option.")
    direction = one_of("grows", "falls", "unclear")
    variant = answer(Variant, values=values)
    step = answer(Step, **{"from": value, "to": value})
    shape = one_of(*direction["enum"], "turns")
    trend = answer(Trend, verdict=direction, shape=shape, steps=listed(step))
    sets = {name: listed(TEXT) for name in (SURELY, MAYBE, SURELY_NOT)}
    wish = keys(wish=TEXT, measure=TEXT, low=maybe(NUMBER), high=maybe(NUMBER), optional=sets)
    wish["required"] = list(wish["properties"])
    together = keys(optional=sets)
    together["required"] = list(sets)
    return answer(
        Sweep,
        vary=named(listed(value), "Values by option."),
        variants=listed(variant),
        trends=listed(trend),
        wishes=listed(wish),
        all_wishes=maybe(together),
        left_out=listed(answer(LeftOut, values=values)),
    )


def _tournament() -> Schema:
    return answer(Tournament, league=keys(tables=WHOLE, all_seatings=SWITCH))


def _runs() -> Schema:
    return answer(
        RunStatus,
        question={"type": "object"},
        state=one_of("done", "playing", "stopped", "unknown"),
        jobs=listed(answer(JobStatus, figures=named(ESTIMATE))),
    )


def _cache() -> Schema:
    kind = keys(files=WHOLE, bytes=WHOLE)
    entry = keys(Entry, "module", "current", path=TEXT, rest=kind)
    return keys(
        Cache,
        "cleared",
        places=listed(TEXT),
        bytes=WHOLE,
        folders=listed(entry),
        unused_days=WHOLE,
        left=listed(keys(path=TEXT, reason=TEXT)),
    )


def _warm() -> Schema:
    own: dict[str, Any] = answer(Warmed)["properties"]
    return keys(**own, left_out=listed(keys(question=TEXT, reason=TEXT)))


def _rules() -> Schema:
    rule_sets = named(TEXT, "What each rule set is, by its name.")
    every = keys(rules=rule_sets)
    options = named(TEXT, "What each option means, by its name.")
    game = keys(rules=rule_sets, options=options, notes=listed(TEXT))
    value: Schema = {"type": ["boolean", "integer", "string", "array"]}
    players = {**listed(WHOLE), "description": "The fewest and the most players."}
    change = keys(option=TEXT, base=value, variant=value)
    # Of a variant in a file also what it is called, and what it changes.
    file = {"name": TEXT, "about": TEXT, "base": TEXT, "changes": listed(change)}
    one, variant = (
        keys(rules=TEXT, players=players, options=named(value), notes=listed(TEXT), optional=more)
        for more in ({}, file)
    )
    return {"anyOf": [every, game, one, {**variant, "required": list(variant["properties"])}]}


def _policies() -> Schema:
    return keys(policies=named(TEXT, "What each policy decides, by its name."))


ANSWERS: Mapping[str, Callable[[], Schema]] = {
    "advise": _advise,
    "odds": _odds,
    "thresholds": _thresholds,
    "equity": _equity,
    "simulate": _simulate,
    "compare": _compare,
    "sweep": _sweep,
    "tournament": _tournament,
    "tune": partial(answer, Tuned),
    "review": reviews_schema,
    "runs": _runs,
    "cache": _cache,
    "warm": _warm,
    "rules": _rules,
    "policies": _policies,
}
