"""Questions as JSON: the options of a command, with the same names and the same answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from lama_odds.analysis.coach.drills import collection
from lama_odds.analysis.variants.given import names_file
from lama_odds.api.advising import SECONDS, Adviser, adviser
from lama_odds.api.asked import read_stored_rules
from lama_odds.api.options import SHARED_ARGUMENTS
from lama_odds.api.positions import DEAL, odds, thresholds
from lama_odds.core.errors import LimitError, ReadError, near_names
from lama_odds.core.language import say, speaking
from lama_odds.core.strict_json import from_json
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import defects, game_of, names
from lama_odds.web import guard
from lama_odds.web.work import BRIEF, LONG, Answerer

TEXTS = ("rules", "position", "opponents", "objective", "policy")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "advise": (
        *("rules", "position", "opponents", "objective", "seconds", "games"),
        *("precision", "sensitivity", "play_out", "seed"),
    ),
    "odds": ("rules", "position", "seed"),
    "thresholds": ("rules", "players", "policy", "objective", "precision", "games", "band", "seed"),
}
NEEDED = {"advise": ("rules", "position"), "odds": ("rules", "position"), "thresholds": ("rules",)}


@dataclass(frozen=True)
class Question:
    """A question that was read, and the lane in which it waits; seconds: as of `work.Task`."""

    asked: Answerer
    lane: str
    seconds: float | None = None

    @classmethod
    def to_do(cls, work: Callable[[], Any], lane: str) -> Question:
        """Return what needs no threads and has no interim answers, as a question."""
        return cls(lambda threads, tell: work(), lane)


def question_of(command: str, options: Any) -> Question:
    """Read a question; raise LamaOddsError if it cannot be answered.

    options: the JSON of a request; not all of it need be what it should be.
    """
    if not isinstance(options, dict):
        raise ReadError("expected a JSON object of options")
    _check_names(options, OPTIONS[command])
    given = {name: value for name, value in options.items() if value is not None}
    for name in NEEDED[command]:
        if name not in given:
            raise ReadError(f"{name} is missing")
    _check_texts(given)
    return READ[command](given)


def options_in(query: Mapping[str, str]) -> dict[str, Any]:
    """Return the options in an address, where all are texts; ReadError if one cannot be read."""
    options: dict[str, Any] = {}
    for name, text in query.items():
        if name in TEXTS:
            options[name] = text
            continue
        try:
            options[name] = from_json(text[: guard.MOST_NAME])
        except ValueError:
            raise ReadError(f"{name} {text!r}: expected a number, true or false") from None
    return options


def advising(how: Adviser, position: Any) -> Question:
    """Return the question what to do in a position."""
    return Question(partial(_advise, how, position), BRIEF if _is_brief(how, position) else LONG)


def _is_brief(how: Adviser, position: Any) -> bool:
    """Whether the answer takes moments: it is solved, and few games are played besides."""
    if how.sensitivity or (how.limits.games or 0) > guard.BRIEF_GAMES:
        return False
    if how.limits.seconds > SECONDS or how.limits.precision is not None:
        return False
    counts = how.game.objectives[how.objective or how.game.default_objective(how.rules, position)]
    return counts.alone or (position.others_in == 0 and not counts.whole_game)


def check_policy(name: str) -> None:
    """Raise ReadError for a policy in a file: requests name no files."""
    if name.startswith("@"):
        raise ReadError(f"policy {name!r}: files cannot be named here", name, 0)


def check_rules(value: str) -> None:
    """Raise LamaOddsError for a rule set that no request may name: one in a file, for example."""
    check_name("rules", value)
    if names_file(value):
        raise ReadError(f"rules {value!r}: files cannot be named here", value, 0)


def check_name(what: str, value: str) -> None:
    """Raise LimitError for a long name, and ReadError for one with control characters."""
    check_length(what, value, guard.MOST_NAME)
    if not value.isprintable():
        raise ReadError(f"{what} {value!r} has control characters")


def check_length(what: str, value: str, most: int) -> None:
    """Raise LimitError for a text that is too long."""
    if len(value) > most:
        raise LimitError(f"{what} has {len(value):,} characters, at most {most:,} are read")


def _check_names(options: Mapping[str, Any], known: Collection[str]) -> None:
    for name in options:
        if name not in known:
            raise ReadError(f"unknown option {name!r}", hints=near_names(name, known))


def _check_texts(given: Mapping[str, Any]) -> None:
    for name in TEXTS:
        value = given.get(name, "")
        if not isinstance(value, str):
            raise ReadError(f"{name}: expected text")
        if name == "position":
            check_length(name, value, guard.MOST_TEXT)
        elif name == "rules":
            check_rules(value)
        else:
            check_name(name, value)
        if name in ("opponents", "policy"):
            check_policy(value)


def _check_most(given: Mapping[str, Any], name: str, most: float) -> None:
    value = given.get(name)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > most:
        raise LimitError(f"{name} {value:,}: at most {most:,.0f} are allowed here")


def _advise_question(given: dict[str, Any]) -> Question:
    _check_most(given, "games", guard.MOST_GAMES)
    _check_most(given, "seconds", guard.MOST_SAMPLING)
    if "precision" in given and "seconds" not in given:
        given["seconds"] = guard.MOST_SAMPLING
    how = adviser_of(given)
    return advising(how, how.game.position(how.rules, given["position"]))


def adviser_of(given: Mapping[str, Any]) -> Adviser:
    """Return what gives the advice, from the options that are given; ReadError if one is wrong."""
    read_stored_rules(given["rules"])  # an id, and no file
    return adviser(**{name: value for name, value in given.items() if name != "position"})


def _advise(
    how: Adviser, position: Any, threads: int, tell: Callable[[Any], None]
) -> dict[str, Any]:
    advice = how.on(threads).advice(
        position,
        interim=lambda early: tell(early.to_json()),
        settled=lambda advice: tell({**advice.to_json(), "settled": True}),
        why=True,
    )
    return advice.to_json()


def _odds_question(given: dict[str, Any]) -> Question:
    game, rule_set = read_stored_rules(given["rules"])
    SHARED_ARGUMENTS["seed"].check(given.get("seed", 0), "seed")
    if given["position"] != DEAL:
        game.position(rule_set, given["position"])
    return Question.to_do(lambda: odds(given["rules"], given["position"]).to_json(), BRIEF)


def _thresholds_question(given: dict[str, Any]) -> Question:
    _check_most(given, "games", guard.MOST_ROUNDS)
    read_stored_rules(given["rules"])

    def found(threads: int, tell: Callable[[Any], None]) -> dict[str, Any]:
        del tell
        return thresholds(**given, threads=threads).to_json()

    return Question(found, LONG)


READ: Mapping[str, Callable[[dict[str, Any]], Question]] = {
    "advise": _advise_question,
    "odds": _odds_question,
    "thresholds": _thresholds_question,
}


# What there is to choose from: games, editions, rule sets.


@cache
def games(language: str) -> dict[str, Any]:
    """Return all games that can be used, with their editions and the words of their positions."""
    unusable = defects()
    with speaking(language):
        return {"games": [_game(game_of(name)) for name in names() if name not in unusable]}


def rule_set(rules: str) -> dict[str, Any]:
    """Return the players and options of a rule set; raise LamaOddsError if there is none."""
    check_rules(rules)
    _, stored = read_stored_rules(rules)
    players = stored.players
    return {"id": stored.id, "players": [players[0], players[-1]], "values": dict(stored.values)}


def _game(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "editions": [
            {"says": says, **rule_set(f"{game.name}/{edition}")}
            for edition, says in game.editions.items()
        ],
        "options": {name: say(option.meaning) for name, option in game.options.items()},
        "words": dict(game.words),
        "example": game.example,
        "objectives": [
            {
                "name": objective.name,
                "head": say(objective.head),
                "unit": objective.unit,
                "brief": say(objective.brief),
                "higher": objective.higher,
                "share": objective.share,
            }
            for objective in game.objectives.values()
        ],
        "follows": game.live_play() is not None,
        "trains": bool(collection(game.name)),
    }
