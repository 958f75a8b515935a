"""How much a player who thinks one step ahead gains against `best`: a bound of its exploitability.

See `lab.best_response`.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from lab.best_response import Response, best_response, told_apart
from lama_odds.analysis.search import SURE
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.best import RESPONSES
from lama_odds.games.interface.objectives import SHARES
from lama_odds.games.registry import game_of
from lama_odds.statistics.intervals import ALPHA, Z
from tools.publishing.target import EQUITY, POLICIES, Making, Target

PAGE, TABLE = "reports/best_response.md", "reports/best_response.csv"
GAINS = f"data/{RESPONSES}"
LEARNERS = "reports/exploiters.csv"  # see `lab.exploiters`
AHEAD = 0  # no rollouts: the player looks a turn further ahead
INFERS = " with inference"  # of a row in which the player draws hidden cards by what was played
SEES = " with all cards seen"  # of a row in which nothing is hidden from the player
# Rule set, players, objective, games (each is played in every seat), games of rollouts at most.
PLAYED = (
    ("lama/egmont", 4, "points", 1_500, 1_024),
    (f"lama/egmont{INFERS}", 4, "points", 1_000, 256),
    ("lama/egmont", 2, "points", 2_500, 1_024),
    (f"lama/egmont{INFERS}", 2, "points", 2_500, 256),
    ("dice/amigo", 4, "points", 1_500, 1_024),
    ("dice/amigo", 2, "points", 2_500, 1_024),
    ("noprob/starnberger", 4, "round", 120, 64),
    (f"noprob/starnberger{INFERS}", 4, "round", 120, 64),
    (f"noprob/starnberger{SEES}", 4, "round", 120, 64),
    ("lama/egmont", 4, "win", 150, 256),
    (f"lama/egmont{INFERS}", 4, "win", 400, 256),
    ("lama/egmont", 3, "win", 200, 256),
    (f"lama/egmont{INFERS}", 3, "win", 400, 256),
    (f"lama/egmont{SEES}", 4, "win", 200, 256),
    (f"lama/egmont{SEES}", 3, "win", 200, 256),
    (f"lama/amigo{INFERS}", 4, "win", 200, 256),
    (f"lama/amigo{INFERS}", 3, "win", 200, 256),
    ("lama/egmont", 2, "win", 1_000, 1_024),
    (f"lama/egmont{INFERS}", 2, "win", 600, 256),
    (f"lama/egmont{SEES}", 2, "win", 300, 256),
    ("dice/amigo", 4, "win", 250, 256),
    ("dice/amigo", 3, "win", 250, 256),
    ("dice/amigo", 5, "win", 200, 256),
    ("dice/amigo", 6, "win", 200, 256),
    ("dice/amigo", 2, "win", 500, 1_024),
    ("pikomino/egmont", 2, "win", 2_000, AHEAD),
    ("pikomino/egmont", 4, "win", 500, AHEAD),
)
SMALL = 0.25  # percentage points: smaller half-widths have another digit
OPEN = ("dice", "pikomino")  # games in which nothing is hidden
LOOKS_AHEAD = (
    "In Pickomino the player thinks without rollouts: they would solve every turn of every game. "
    "As `advise` does, it solves the turn for the chances after the next player's turn. "
    "These are what `learned` reads off the boards that can follow. So what they promise may be "
    "wrong by the errors of `learned`. A decision is the plan of a turn. It is another one if "
    "`learned` would have ended the turn otherwise with the same dice. Results are luck-adjusted, "
    "which changes no mean. A player who looks further ahead may gain more."
)
TWO_STEPS = (
    "In No Prob-Lama a turn is two decisions: to draw or to take, then what to do with the card. "
    "In rollouts of the first, `best` uses the card."
)


def shown(estimate: Estimate, share: bool, sign: str = "+") -> str:
    """A value with its half-width; a chance in per cent, a difference in percentage points."""
    scale, digits = (100, 1) if share else (1, 2)
    if share and sign and scale * (estimate.high - estimate.low) / 2 < SMALL:
        digits = 2
    unit = " %" if share and not sign else ""
    value = f"{scale * estimate.value:{sign}.{digits}f}"
    half = f"{scale * (estimate.high - estimate.low) / 2:.{digits}f}"
    return f"{value} ± {half}{unit}" if float(half) else f"{value}{unit}"


def knows(response: Response) -> str:
    """What the player knows of hidden cards, as rows say it."""
    return SEES if response.sees else INFERS * response.recalls


def line_of(response: Response) -> str:
    """A row of the table."""
    share = response.objective in SHARES
    best = shown(response.base, share, "")
    cells = [
        f"`{response.rules}`{knows(response)}",
        str(response.players),
        f"`{response.policy}`",
        best,
        f"**{shown(response.known, share)}**",
        shown(response.gain, share),
        f"{response.saved:.1f}" if response.adjusted else "–",
        shown(response.promised, share),
        shown(response.apart, share),
        f"{response.decisions:.1f}",
        f"{100 * response.departed:.1f} %",
        f"{response.games:,} × {response.players}",
        f"{response.played:.0f} (≤ {response.most:,})" if response.most else "none, a turn ahead",
    ]
    return f"| {' | '.join(cells)} |"


def section(title: str, unit: str, rows: list[Response]) -> list[str]:
    """A table of one objective."""
    if not rows:
        return []
    head = (
        f"| rule set | players | `best` | {unit} of `best` | gain | in the games | saved | "
        "by rollouts | difference | decisions | other"
    )
    return [
        "",
        f"## {title}",
        "",
        f"{head} action | games × seats | rollouts per decision |",
        "|---" * 13 + "|",
        *(line_of(one) for one in rows),
    ]


def key_of_row(response: Response) -> tuple[str, int, str]:
    """A row as `PLAYED` names it."""
    return response.rules + knows(response), response.players, response.objective


def command_of(responses: list[Response]) -> str:
    """The command that plays these rows."""
    games = {(text, players, objective): games for text, players, objective, games, _ in PLAYED}
    quick = any(one.games < games[key_of_row(one)] for one in responses)
    return "tools/publish best-response" + " --quick" * quick


def learners(table: str) -> list[str]:
    """What networks won that learned only to beat `learned`: a section from their table."""
    rows = list(csv.DictReader(io.StringIO(table)))
    if not rows:
        return []
    lines = [
        "",
        "## Networks that learn to beat `learned`",
        "",
        "Here the player does not think, and plays as fast as `learned`. A network begins with the "
        "weights of `learned`, sits among players of it, and learns from its own decisions alone. "
        "The others stay what they are. So it may plan as far as its games go, but it infers no "
        "more than `learned` does. Its share of fresh games is a lower bound too. Each game is "
        "played in every seat.",
        "",
        "| rule set | players | it wins | gain | decisions learned from | games × seats |",
        "|---" * 6 + "|",
    ]
    for row in rows:
        players, share = int(row["players"]), float(row["won"])
        won = Estimate.normal(share, float(row["stderr"]), int(row["games"]), Z)
        gain = Estimate.normal(share - 1 / players, won.stderr, won.n, Z)
        cells = [
            f"`{row['rules']}`",
            row["players"],
            shown(won, True, ""),
            f"**{shown(gain, True)}**",
        ]
        cells += [f"{int(row['decisions']):,}", f"{won.n:,} × {players}"]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, "", f"Made by `tools/publish exploiters` with seed {rows[0]['seed']}."]


def _table_of_learners(making: Making) -> str:
    """The table of `lab.exploiters`, empty in a trial elsewhere."""
    path = making.path(LEARNERS)
    return path.read_text(encoding="utf-8") if path.exists() else ""


def page(rows: list[Response], learned: str = "") -> str:
    """The report as Markdown. learned: the table of `lab.exploiters`."""
    of = {o: [one for one in rows if one.objective == o] for o in ("points", "round", "win")}
    lines = [
        "# One-step best response to `best`",
        "",
        "How much could somebody gain against players who all play `best`? Here one player thinks "
        "one step ahead, as `advise` does. At each of its decisions every action is tried in many "
        "rollouts, in which all players continue with `best`. Hidden cards are drawn at random "
        "from the unseen cards. In rows *with inference* they are drawn by what the others played, "
        "drew and did not play in the round, as `advise --after` does. In rows *with all cards "
        "seen* the player sees what the others know. Nobody can at a table: what the others did "
        "says less than their cards.",
        "",
        f"The player leaves `best` only if another action was better by more than {SURE:g} "
        "standard errors (more with many actions). Every game is played with the player in each "
        "seat in turn, and with `best` in that seat and the same cards and dice. Rollouts use "
        "another seed.",
        "",
        "The gain is a **lower bound of the exploitability** of `best`: a cleverer opponent may "
        "gain more. Positive gains are good for the player. For two players of Lama Dice, "
        "[exact best responses](dice_exploitability.md) have more: what can be won against `copy`, "
        "and an upper bound for best play. For three and more players no upper bound of use is "
        "known. What a player gains who sees all cards does not give one: nobody else can gain "
        "nearly as much.",
        *section("Points of a first round (fewer are better)", "points", of["points"]),
        *section(
            "Chance of the lowest total of a first round (gains in percentage points)",
            "rounds won",
            of["round"],
        ),
        *section("Chance to win a game (gains in percentage points)", "win rate", of["win"]),
        "",
        "- **Gain**: what the other actions gain, played out from where all cards lay, by rollouts "
        "that had no part in choosing them, summed over a round or game. What the player believed "
        "of hidden cards has no part in it, nor has what was drawn later. On average it is what is "
        "gained in the games. AIVAT is an estimate of this kind (Burch et al. 2018). Intervals of "
        "95 % are over games; the seats of a game count together.",
        "- **In the games**: measured in the games themselves. Rows without *saved* have the same "
        "as gain.",
        "- **Saved**: how many times as many games that would take, to be known as well.",
        "- **By rollouts**: the same from what the player knew, with hidden cards drawn as it "
        "believed.",
        "- **Difference**: by rollouts minus in the games, with the error of two independent "
        "numbers.",
        "- **Decisions**: those with a choice, per seat and round or game.",
        "- **Other action**: the share of decisions where the player left `best`.",
        *learners(learned),
        "",
        "## Do rollouts promise what is gained?",
        "",
        *agreement(rows),
        "",
        "Where there is a match equity table of `best`, rollouts of games end with the round and "
        "look up the rest. So a gain with *saved* has the error of that table too "
        "([equity](equity.md)). In the games it comes from games played to their end.",
        "",
        *(ahead_of(rows)),
        TWO_STEPS,
        "",
        f"Made by `{command_of(rows)}` with seed {rows[0].seed} and the games given above, "
        f"lama-odds {rows[0].version}.",
    ]
    return "\n".join(lines) + "\n"


def ahead_of(responses: list[Response]) -> list[str]:
    """How players think who look ahead without rollouts, if there are any."""
    return [LOOKS_AHEAD, ""] if any(not one.most for one in responses) else []


def named(responses: list[Response]) -> str:
    """Rows in words."""
    rows = (
        f"`{one.rules}`{knows(one)}, {one.players} players, for {one.objective} "
        f"({shown(one.apart, one.objective in SHARES)})"
        for one in responses
    )
    return ", ".join(rows)


def hidden(one: Response) -> bool:
    """Whether there are cards that the player does not see."""
    return not one.sees and one.rules.split("/")[0] not in OPEN


def agreement(responses: list[Response]) -> list[str]:
    """Which promises are the gain as far as is known, which are not, and why: paragraphs."""
    apart = [one for one, no in zip(responses, told_apart(responses), strict=True) if no]
    rest = [one for one in responses if one not in apart]
    test = f"(t tests over games, {100 * ALPHA:.0f} % family-wise by Holm)"
    lines = [
        "If rollouts are right, they differ from the games by sampling error only. But they draw "
        "hidden cards at random from the unseen cards: determinizations without inference from "
        "play. What the others have played and drawn says more than that, so the rollouts of card "
        "games may be biased. In Lama Dice and Pickomino nothing is hidden.",
        "",
    ]
    if apart:
        lines.append(f"**Significant differences** {test}: {named(apart)}. {_cause(apart, rest)}")
    else:
        lines.append(f"No row differs significantly {test}.")
    if rest:
        lines += [
            "",
            f"No significant difference: {named(rest)}. Any difference within the ± is still "
            "possible.",
        ]
    return lines


def _cause(apart: list[Response], rest: list[Response]) -> str:
    """Why these rows are apart, as far as the others tell."""
    if any(not one.most for one in apart):
        return (
            "In Pickomino nothing is hidden: there the chances that `learned` has learned promise "
            "too much. In the other games, if there are any, hidden cards may be sampled wrongly."
        )
    if not all(hidden(one) for one in apart):
        return "In some of these nothing is hidden, so the rollouts have another bias there."
    seen = [one for one in rest if not hidden(one)]
    contrast = f", and none of the {len(seen)} rows without any differs" if seen else ""
    return (
        f"All of them have hidden cards{contrast}. So the gap probably comes from how hidden cards "
        "are sampled, with inference too. The gain is that of games as they were dealt and holds "
        "nevertheless. In such games, values of `advise` may be off by more than their ±, which "
        "covers sampling error only."
    )


def rows_of(responses: list[Response]) -> str:
    """All numbers as CSV, a row for all seats and one for each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = ["gain", "stderr", "low", "high", "best", "by_rollouts", "by_rollouts_stderr"]
    names += ["decisions", "other_action", "best_stderr", "rollouts"]
    names += ["difference", "difference_stderr", "told_apart"]
    names += ["in_games", "in_games_stderr", "saved"]
    head = ("rules", "players", "objective", "policy", "seat", "games", "rollouts_at_most", "seed")
    writer.writerow([*head, *names, "version"])
    for one, no in zip(responses, told_apart(responses), strict=True):
        for seat, gain in [("all", one.known), *enumerate(one.by_seat)]:
            key, *rest = key_of_row(one)
            made = (key, *rest, one.policy, seat)
            promised = (one.promised.value, one.promised.stderr)
            whole: tuple[object, ...] = (one.base.value, *promised, one.decisions, one.departed)
            whole += (one.base.stderr, one.played)
            whole += (one.apart.value, one.apart.stderr, str(no).lower())
            whole += (one.gain.value, one.gain.stderr, one.saved if one.adjusted else "")
            more = whole if seat == "all" else ("",) * len(whole)
            counted = (one.games, one.most, one.seed)
            numbers = (gain.value, gain.stderr, gain.low, gain.high, *more)
            writer.writerow([*made, *counted, *numbers, one.version])
    return text.getvalue()


def read_rows(text: str) -> list[Response]:
    """What `rows_of` wrote."""
    responses: list[Response] = []
    seats: dict[tuple[str, ...], list[Estimate]] = {}
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        if row["seat"] != "all":
            key = (row["rules"], row["players"], row["objective"])
            seats.setdefault(key, []).append(_estimate(row, "gain", "stderr"))
    for row in rows:
        if row["seat"] != "all":
            continue
        responses.append(
            Response(
                rules=row["rules"].removesuffix(INFERS).removesuffix(SEES),
                players=int(row["players"]),
                objective=row["objective"],
                policy=row["policy"],
                gain=_estimate(row, "in_games", "in_games_stderr"),
                adjusted=_estimate(row, "gain", "stderr") if row["saved"] else None,
                base=_estimate(row, "best", "best_stderr"),
                by_seat=tuple(seats[row["rules"], row["players"], row["objective"]]),
                decisions=float(row["decisions"]),
                departed=float(row["other_action"]),
                promised=_estimate(row, "by_rollouts", "by_rollouts_stderr"),
                played=float(row["rollouts"]),
                games=int(row["games"]),
                most=int(row["rollouts_at_most"]),
                seed=int(row["seed"]),
                recalls=row["rules"].endswith(INFERS),
                sees=row["rules"].endswith(SEES),
                version=row["version"],
            )
        )
    return responses


def _estimate(row: dict[str, str], name: str, error: str) -> Estimate:
    value, stderr = float(row[name]), float(row[error])
    return Estimate.normal(value, stderr, int(row["games"]), Z)


def gains_of(responses: list[Response]) -> str:
    """What answers say of the players they count on, as JSON: of each table the largest gain."""
    gains: dict[str, dict[str, dict[str, Any]]] = {}
    chances = [one for one in responses if one.objective in SHARES and not one.sees]
    for one in sorted(chances, key=lambda one: one.known.value):
        gain = one.known
        row = {"policy": one.policy, "gain": gain.value, "stderr": gain.stderr}
        row |= {"low": gain.low, "high": gain.high, "games": one.games}
        gains.setdefault(one.rules, {}).setdefault(str(one.players), {})[one.objective] = row
    manifest = {
        "what": "what a player who thinks one step ahead gains among players of `policy`, over one "
        "of them; games: each is played in every seat",
        "command": command_of(responses),
        "seed": responses[0].seed,
        "version": responses[0].version,
    }
    return json.dumps({"manifest": manifest, "gains": gains}, indent=1, sort_keys=True) + "\n"


def make(making: Making) -> None:
    """Play all and write the files; with `only`, rows without it in their names are kept."""
    responses, kept = [], {}
    if making["only"]:
        table = making.path(TABLE).read_text(encoding="utf-8")
        kept = {key_of_row(one): one for one in read_rows(table)}
    for text, players, objective, games, most in PLAYED:
        if making["only"] not in f"{text}, {players} players, {objective}":
            responses += [one for one in [kept.get((text, players, objective))] if one]
            continue
        rules = text.removesuffix(INFERS).removesuffix(SEES)
        game: Any = game_of(rules)
        one = best_response(
            game,
            game.rules(rules),
            players,
            objective,
            games=max(4, int(games * making["scale"])),
            most=most,
            seed=making["seed"],
            threads=making.threads,
            progress=making.bar,
            recalls=text.endswith(INFERS),
            sees=text.endswith(SEES),
        )
        responses.append(one)
        gain, promised = (shown(e, objective in SHARES) for e in (one.known, one.promised))
        making.tell(f"{text}, {players} players, {objective}: {gain}, by rollouts {promised}")
    making.write(TABLE, rows_of(responses))
    making.write(PAGE, page(responses, _table_of_learners(making)))
    making.write(GAINS, gains_of(responses))


def again(making: Making) -> None:
    """Write the page again from the table that is there."""
    table = making.path(TABLE).read_text(encoding="utf-8")
    responses = read_rows(table)
    making.write(PAGE, page(responses, _table_of_learners(making)))
    making.write(GAINS, gains_of(responses))


TARGET = Target(
    name="best-response",
    what="what a player who thinks one step ahead gains against best",
    make=make,
    writes=(PAGE, TABLE, GAINS),
    reads=(*POLICIES, *EQUITY, LEARNERS),
    options={"scale": 1.0, "seed": 11, "only": ""},
    quick={"scale": 0.01},
    again=again,
)
