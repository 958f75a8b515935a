"""Questions about a position, its thresholds, a recorded game, and games kept by `play`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from lama_odds.api.advising import AMOUNTS, Valued, adviser
from lama_odds.api.asked import (
    opponents_of,
    playing,
    policy_of,
    read_rules,
    read_rules_for,
    record_of,
)
from lama_odds.api.options import (
    MAX_GAMES,
    NAMED_SO,
    Option,
    Players,
    Playing,
    PolicyOfAll,
    Rules,
    question,
)
from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.core.policies import BEST
from lama_odds.report.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.advice.answer import Advice
    from lama_odds.analysis.odds import Odds
    from lama_odds.analysis.thresholds.answer import Thresholds
    from lama_odds.core.policies import Policy
    from lama_odds.games.interface.game import Game, P, R
    from lama_odds.games.interface.match_equity import RoundsToWin
    from lama_odds.report.text.listings import Listing


DEAL = "deal"  # replaces a position, for the odds of the deal
OBJECTIVES = ("win", "points")  # of thresholds
BAND = 10  # points in a class of scores, where games are played to their ends
WIDEST_BAND = 1000  # points


Position = Annotated[
    str | None,
    Option("The position, in quotes or without.", argument=True, shown="POSITION", typed=list[str]),
]


@question(*AMOUNTS)
def advise(
    rules: Rules,
    position: Position = None,
    *,
    after: Annotated[
        str | Path | None,
        Option(
            "A record that ends where you decide.",
            "Its text or its file, instead of a position.",
            shown="FILE",
        ),
    ] = None,
    **how: Unpack[Valued],
) -> Answer[Advice]:
    """Every legal action of a position with its value and its chances, and a verdict.

    The answer's ``actions`` come best first. Each has ``action`` (its name), ``value``, ``regret``
    (its cost compared to the best), ``objectives`` (other values by name) and ``chances``. Points
    count as in the game; chances are 0 to 1. Other attributes: ``best`` (an action), ``verdict``,
    ``method``, ``games``, ``why``, ``assumptions``.

    Raises ReadError for arguments that cannot be used, ImpossibleError for a position that cannot
    occur (NothingToDecideError if play has ended there), LimitError if no value can be given.

    >>> import lama_odds as lo
    >>> answer = lo.advise("dice/amigo", "hand=25L row=1346L opp=q13,q6LL", objective="points")
    >>> answer.best, answer.method
    ('roll', 'exact')
    >>> [(action.action, round(action.value.value, 2)) for action in answer.actions]
    [('roll', 7.87), ('quit', 17.0)]
    """
    valued = adviser(rules, **how)
    parsed = _position(valued.game, valued.rules, position, after)

    from lama_odds.report import frames
    from lama_odds.report.text.advice import advice_text

    advice = valued.advice(parsed, how["progress"], why=True)
    return Answer.in_short(advice, advice_text, frames.advice_frame)


def _position(game: Game[R, P], rules: R, position: str | None, after: str | Path | None) -> P:
    """Return the position, from its text or from the end of a record."""
    if (position is None) == (after is None):
        if after is None:
            message = say(
                'give a position, for example "{example}", or a record that ends with your '
                "decision",
                example=game.example,
            )
        else:
            message = say(
                'give a position, for example "{example}", or a record that ends with your '
                "decision, not both",
                example=game.example,
            )
        raise ReadError(message)
    if after is not None:
        return game.position_after(rules, record_of(after, "after"))
    return game.position(rules, position or "")


@question()
def odds(
    rules: Rules,
    position: Annotated[
        str | None,
        Option(
            "The position, in quotes or without, or the word deal.",
            argument=True,
            shown="POSITION",
            typed=list[str],
        ),
    ] = None,
    *,
    after: Annotated[
        str | Path | None,
        Option(
            "A record that ends with your decision, instead of POSITION (- is stdin). In L.A.M.A. "
            "it also shows what the others probably hold.",
            shown="FILE",
        ),
    ] = None,
    opponents: Annotated[
        str | None,
        Option(
            f"The policy that the others are assumed to play, with --after ({NAMED_SO}; default: "
            "best).",
            shown="POLICY",
            offers="policies",
        ),
    ] = None,
) -> Answer[Odds]:
    """Exact chances of what comes next; after a record, also what the others probably hold.

    The answer's ``events`` have estimates by name. Chances are 0 to 1, and names with ``mean`` are
    means in points. ``groups`` has further chances by group, ``assumptions`` what all assume. After
    a record of L.A.M.A. ``others`` has the chances of each other player's cards, as far as the play
    of the round shows them.

    Raises ReadError for text that cannot be read, ImpossibleError for a position that cannot occur.

    >>> import lama_odds as lo
    >>> answer = lo.odds("dice/amigo", "hand=25L row=1346L opp=13,6LL")
    >>> round(answer.events["three llamas"].value, 4), answer.events["out"].method
    (0.037, 'exact')
    """
    given = read_rules(rules)
    game, rule_set = given.game, given.rules
    dealt = position == DEAL and after is None
    parsed = None if dealt else _position(game, rule_set, position, after)
    policy = None
    if opponents is not None:
        players = 2 if parsed is None else parsed.players
        policy = opponents_of(game, rule_set, opponents, players, "win", [])

    from lama_odds.analysis import odds as analysis
    from lama_odds.report import frames
    from lama_odds.report.text.odds import odds_text

    chances = replace(analysis.odds(game, rule_set, parsed, policy), variant=given.name)
    return Answer.in_short(chances, odds_text, frames.odds_frame)


@question(("games", "precision"))
def thresholds(
    rules: Rules,
    players: Players = 4,
    *,
    policy: PolicyOfAll = BEST,
    objective: Annotated[
        str | None,
        Option(
            "win: winning the game (the default, where the chances by score are known), or points "
            "per round.",
            choices=OBJECTIVES,
            shown="win|points",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        Option(
            "Half-width wanted for each penalty: chance to win (default 0.0025) or points (default "
            "0.05)."
        ),
    ] = None,
    games: Annotated[
        int | None,
        Option(
            "Rounds (with --band: games), instead of as many as the precision takes.",
            least=1,
            most=MAX_GAMES,
        ),
    ] = None,
    band: Annotated[
        int | None,
        Option(
            "To win, by both scores in bands of this number of points; games are played to their "
            "ends.",
            least=1,
            most=WIDEST_BAND,
        ),
    ] = None,
    **how: Unpack[Playing],
) -> Answer[Thresholds]:
    """When to quit: quitting compared to continuing, for each penalty.

    The answer's ``rows`` have the decisions by ``keys``, such as the penalty, cards or scores
    (None: any). ``values`` has, for each objective, the estimates of the first action (quitting),
    the second, and the difference second − first. ``tables`` has exact tables.

    Raises ReadError for arguments that cannot be used, LimitError for a game without thresholds and
    for a folder of another run::

        lo.thresholds("lama/amigo", 4, games=100_000).details()
    """
    if band is not None and objective == "points":
        raise ReadError(say("band: expected objective win, found points"))
    given = read_rules_for(rules, players)
    game, rule_set = given.game, given.rules
    named = BEST if policy is None else policy
    chosen, worth, band = _played_for(game, rule_set, named, players, objective, band)
    question = {
        "command": "thresholds",
        "rules": rule_set.id,
        "players": players,
        "policy": chosen.name,
        "seed": how["seed"],
        **({"objective": "win", "band": band} if band else {"objective": "win"} if worth else {}),
    }
    from lama_odds.analysis.policy_files import published_card
    from lama_odds.analysis.thresholds import thresholds as analysis
    from lama_odds.report import frames
    from lama_odds.report.text.thresholds import short_text
    from lama_odds.report.text.thresholds_by_score import game_thresholds_text

    with playing(question, how) as play:
        played: dict[str, Any] = {"policy": chosen, "games": games, "play": play}
        if band is None:
            answer = analysis.thresholds(
                game, rule_set, players, worth=worth, precision=precision, **played
            )
        else:
            precision = analysis.CHANCE_PRECISION if precision is None else precision
            answer = analysis.game_thresholds(
                game, rule_set, players, band=band, precision=precision, **played
            )
    usual = band is None and objective != "points" and named == BEST
    card = published_card(game, rule_set, players) if usual else None
    text = short_text if band is None else game_thresholds_text
    answer = replace(answer, variant=given.name, card=card)
    return Answer.in_short(answer, text, frames.thresholds_frame)


def _played_for(
    game: Game[R, P], rules: R, policy: str, players: int, objective: str | None, band: int | None
) -> tuple[Policy, RoundsToWin | None, int | None]:
    """Everybody's policy, what rounds are played for, and the width of a class of scores.

    Rounds are for points if there is neither. To win where nothing values what a round leaves,
    games are played to their ends.
    """
    from lama_odds.games.interface.match_equity import rounds_to_win

    if objective != "points":
        chosen = policy_of(game, rules, policy, players, "win")
        if band is not None:
            return chosen, None, band
        worth = rounds_to_win(rules.id, [chosen] * players)
        if worth is not None or objective is not None:
            return chosen, worth, None if worth else BAND
    return policy_of(game, rules, policy, players, "points"), None, None


# List rule sets and policies.


Named = Annotated[
    str | None,
    Option(
        "A game (lama, dice, pikomino, noprob), a rule set (lama/party) or @FILE.",
        "Default: all games.",
        argument=True,
        shown="RULES",
        offers="rule_sets",
    ),
]


@question()
def rules(name: Named = None) -> Answer[Listing]:
    """Rule sets: all of them, those of a game with its options, or the options of one.

    The attribute ``tables`` has the columns and rows of the printed lists. ``to_json()`` and
    ``to_frame()`` have the same contents as plain values and as a table. Raises ReadError for an
    unknown name.

    >>> import lama_odds as lo
    >>> lo.rules("dice/amigo").to_json()["players"]
    [2, 6]
    """
    from lama_odds.report import frames
    from lama_odds.report.text.listings import Listing, rules_listing

    return Answer(rules_listing(name), Listing.text, frames.listing_frame)


@question()
def policies(
    name: Annotated[
        str | None,
        Option(
            "A game (lama, dice, pikomino, noprob), a rule set, @FILE, or a policy (threshold).",
            "Default: all games.",
            argument=True,
            shown="NAME",
            offers="rule_sets",
        ),
    ] = None,
) -> Answer[Listing]:
    """Policies with their meanings: those of all games, of one, or those of one name.

    The attribute ``tables`` has the columns and rows of the printed lists. Raises ReadError for an
    unknown name.

    >>> import lama_odds as lo
    >>> [name for name in lo.policies("dice").to_frame()["name"]][0]
    'random'
    """
    from lama_odds.report import frames
    from lama_odds.report.text.listings import Listing, policies_listing

    return Answer.in_short(policies_listing(name), Listing.text, frames.listing_frame)


# The folder of games played along, which `lama-odds play` and the page for the phone share.


def games_folder() -> Path:
    """Return the folder of games without a file of their own, in the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("lama-odds")) / "games"


def training_file() -> Path:
    """Return the file of the answers of ``lama-odds train``, in the user's data folder."""
    return games_folder().with_name("training.txt")
