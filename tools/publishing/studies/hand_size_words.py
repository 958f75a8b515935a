"""What the study of hand sizes and targets says: sentences, tables and a chart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lama_odds.analysis.strategy_report.document import Spot, Spots
from lama_odds.analysis.sweep.answer import GROWS, MAYBE, SURELY, SURELY_NOT, direction
from lama_odds.analysis.sweep.sweep import SEAT_BIAS
from lama_odds.core.estimate import Estimate
from lama_odds.report.terminal import number
from tools.publishing.studies.hand_size_found import FAIR, LATE, SECONDS, WANTED, Study, Wanted
from tools.publishing.studies.wording import at, bullets, by, counted, either, names, section, table

LENGTHS = {"length": "actions", "rounds": "rounds"}
SHOWN = ("length", "rounds", "sat out", "lead changes", "comebacks", "decided", "skill")
HEADS = (
    "cards, points",
    *("actions", "rounds", "sat out, %", "lead changes", "comebacks", "decided, %", "skill"),
    "seat bias",
)


def in_words(places: Iterable[tuple[int, int]], none: str = "no variant") -> str:
    """Variants by their cards and points, grouped by points."""
    cards: dict[int, list[int]] = {}
    for dealt, target in sorted(places, key=lambda place: place[::-1]):
        cards.setdefault(target, []).append(dealt)
    return names(
        (f"{names(map(str, dealt))} cards to {target}" for target, dealt in cards.items()), none
    )


def lengths(found: Study) -> list[str]:
    """What a card and ten points more do to the length."""
    steps = {
        (name, option): found.step(name, option, found.seats if name == "rounds" else found.played)
        for name in LENGTHS
        for option in ("dealt", "target")
    }

    def longer(name: str, option: str) -> str:
        step = steps[name, option]
        words = either(step, "longer", "shorter", "longer or shorter, which is not sure")
        return f"{by(step)} {LENGTHS[name]} {words}"

    return [
        f"One more card makes a game {longer('length', 'dealt')}, and {longer('rounds', 'dealt')}.",
        f"Ten points more of target make it {longer('length', 'target')}, and "
        f"{longer('rounds', 'target')}.",
    ]


def skill(found: Study) -> list[str]:
    """What cards and points do to the part of skill."""
    steps = found.trend("skill", "dealt").steps
    sure = [f"{s.before} to {s.after}" for s in steps if direction(s.difference) == GROWS]
    rest = [f"{s.before} to {s.after}" for s in steps if direction(s.difference) != GROWS]
    to = found.step("skill", "target")
    values = {place: found.values[rules]["skill"] for rules, place in found.places.items()}
    least, most = (pick(values, key=lambda p: values[p].value) for pick in (min, max))
    by_steps = f"From {names(sure, 'no number')} cards skill surely counts more"
    rest_of = f"; from {names(rest)} that is not sure" if rest else ", at every step"
    return [
        f"{by_steps}{rest_of}.",
        f"Ten points more of target let skill count {either(to, 'more', 'less', 'differently')}: "
        f"{by(to, share=True)}. Skill is the win rate of a strong player, alone among casual ones.",
        f"It is lowest with {in_words([least])} points ({at(values[least], True)}) and highest "
        f"with {in_words([most])} points ({at(values[most], True)}).",
    ]


def tension(found: Study) -> list[str]:
    """Waiting, lead changes, comebacks, and when the winner is settled."""
    watch, lead = found.step("sat out", "dealt"), found.step("lead changes", "target")
    back = found.step("comebacks", "target")
    (late,), _ = found.judged(Wanted("", "", (LATE,)), found.values)
    counts = {name: len(ids) for name, ids in late.by_verdict.items()}
    return [
        f"With each card more, a player watches {by(watch)} % "
        f"{either(watch, 'more', 'less', 'more or less')} of a game after quitting.",
        f"Ten points more of target bring {by(lead)} lead changes "
        f"{either(lead, 'more', 'fewer', 'more or fewer')} per game, and comebacks are "
        f"{by(back, share=True)} {either(back, 'more', 'less', 'not surely more or less')} likely. "
        + "These two wishes pull apart."
        * (either(lead, "+", "-", "") + either(back, "+", "-", "") == "+-"),
        f"The wish `{LATE}`, open until late, is surely fulfilled by {counts[SURELY]} of "
        f"{len(found.values)} variants, perhaps by {counts[MAYBE]}, surely not by "
        f"{counts[SURELY_NOT]}.",
    ]


def fairness(found: Study) -> str:
    """In how many variants the seats are fair enough."""
    wanted = Wanted("", "", (FAIR,))
    (fair,), _ = found.judged(wanted, found.values)
    counts = {name: len(ids) for name, ids in fair.by_verdict.items()}
    box = found.values[found.box][SEAT_BIAS.name]
    sold = {SURELY: "surely", MAYBE: "perhaps", SURELY_NOT: "surely not"}[fair.verdict(found.box)]
    worst = max(found.values, key=lambda rules: found.values[rules][SEAT_BIAS.name].value)
    return (
        f"Of {len(found.values)} variants {counts[SURELY]} surely have a seat bias below 1 %, "
        f"{counts[MAYBE]} perhaps, {counts[SURELY_NOT]} surely not. The box is {sold} below it "
        f"(at most {100 * box.high:.1f} %), and the largest is seen with "
        f"{in_words([found.places[worst]])} points."
    )


def evenings(found: Study) -> list[str]:
    """Where the wishes for each evening are fulfilled, and whether the box does."""
    lines = []
    for wanted in WANTED:
        each, every = found.judged(wanted, found.values)
        sure, maybe = (
            [found.places[rules] for rules in every.by_verdict[verdict]]
            for verdict in (SURELY, MAYBE)
        )
        failed = [
            f"{judged.wish.text}"
            for judged in each
            if judged.wish and judged.verdict(found.box) == SURELY_NOT
        ]
        box = {
            SURELY: "The box surely does.",
            MAYBE: "The box perhaps does.",
            SURELY_NOT: f"The box surely does not: `{'`, `'.join(failed)}`.",
        }[every.verdict(found.box)]
        lines.append(
            f"**{wanted.name}.** Surely all wishes: {in_words(sure)}. "
            f"Perhaps: {in_words(maybe, 'no other')}. {box}"
        )
    return lines


def shorter(found: Study) -> str:
    """Whether a variant is shorter than the box without costing skill."""
    values, box = found.values, found.values[found.box]
    less = [r for r, v in values.items() if v["length"].high < box["length"].low]
    kept = [r for r in less if values[r]["skill"].high >= box["skill"].low]
    text = (
        f"{counted(len(less), 'variant is', 'variants are')} surely shorter than the box, "
        f"and in {len(less) - len(kept)} of them skill surely counts less. "
    )
    if not kept:
        return text + "So nothing here is shorter without costing skill."
    return text + f"The others are {in_words(found.places[r] for r in kept)} points."


def beaten(found: Study) -> str:
    """Which variants another one surely beats in both length and skill."""
    values = found.values
    worse = {
        rules: [
            other
            for other, theirs in values.items()
            if theirs["length"].high < mine["length"].low
            and theirs["skill"].low > mine["skill"].high
        ]
        for rules, mine in values.items()
    }
    lost = [found.places[rules] for rules, better in worse.items() if better]
    if not lost:
        return "No variant is surely both longer than another one and less a game of skill."
    box = "The box is one of them." if worse[found.box] else "The box is not one of them."
    return (
        "If you want much skill in little time, "
        f"{counted(len(lost), 'variant is', 'variants are')} surely beaten by another in both: "
        f"{in_words(lost)} points. {box}"
    )


def others(found: Study) -> list[str]:
    """Whether casual players, and policies that were not tuned, would change the answer."""
    changed = []
    for wanted in WANTED:
        each, _ = found.judged(wanted, found.casual_values)
        best, _ = found.judged(wanted, found.values)
        by_text = {judged.wish.text: judged for judged in best if judged.wish}
        changed += [
            judged.wish.text
            for judged in each
            if judged.wish
            and any(
                {judged.verdict(rules), by_text[judged.wish.text].verdict(rules)}
                == {SURELY, SURELY_NOT}
                for rules in found.values
            )
        ]
    flipped = names(f"`{text}`" for text in dict.fromkeys(changed))
    gain = max(found.rivals, key=lambda rival: rival.wins.value)
    ahead = either(
        gain.wins.with_interval(gain.wins.low - 0.25, gain.wins.high - 0.25),
        "surely more than a fair share, so this policy is not the best there",
        "surely less than a fair share",
        "not surely more than a fair share of 25 %",
    )
    return [
        "Casual players would turn the verdict round, from surely to surely not or back, "
        f"for these wishes in some variants: {flipped}."
        if changed
        else "With casual players no verdict turns round from surely to surely not or back.",
        f"Of {len(found.rivals)} rivals tried the strongest wins {at(gain.wins, True)} among "
        f"players of the policy that all play ({in_words([(gain.dealt, gain.target)])} points): "
        f"{ahead}.",
    ]


def rows(found: Study) -> list[Sequence[str]]:
    """A row of each variant."""
    lines: list[Sequence[str]] = []
    for rules, place in found.places.items():
        values = found.values[rules]
        name = f"{place[0]}, {place[1]}" + " (box)" * (rules == found.box)
        shares = {m.name: m.share for m in found.played.measures}
        cells = [number(values[key], shares[key]) for key in SHOWN]
        bias = values[SEAT_BIAS.name]
        lines.append((name, *cells, f"{100 * bias.low:.1f} to {100 * bias.high:.1f} %"))
    return lines


def evening_rows(found: Study) -> list[Sequence[str]]:
    """A row of each evening: its wishes, and how many variants fulfil them."""
    lines: list[Sequence[str]] = []
    for wanted in WANTED:
        _, every = found.judged(wanted, found.values)
        counts = [str(len(every.by_verdict[name])) for name in (SURELY, MAYBE, SURELY_NOT)]
        wishes = ", ".join(f"`{text}`" for text in wanted.wishes)
        lines.append((f"{wanted.name}: {wanted.why}", wishes, *counts))
    return lines


def chart(found: Study) -> Spots:
    """Length and skill of each variant."""
    spots = [
        Spot(str(dealt), values["length"].value, *bounds(values["skill"]), f"{target} points")
        for rules, (dealt, target) in sorted(found.places.items(), key=lambda item: item[1][::-1])
        for values in [found.values[rules]]
    ]
    return Spots(
        name="hand size",
        title="Length and skill by cards dealt and target",
        alt="Chart: win rate of a strong player against actions per game, by cards and points",
        x_label="actions per game",
        y_label="wins of a strong player among casual ones, %",
        spots=tuple(spots),
    )


def bounds(share: Estimate) -> tuple[float, float, float]:
    """A share and its interval in per cent."""
    return 100 * share.value, 100 * share.low, 100 * share.high


def measured(found: Study, casual: str) -> list[str]:
    """Where the figures come from, and what is not known."""
    played, seats = found.played, found.seats
    policies = names(f"`{name}`" for name in dict.fromkeys(played.policies))
    return [
        *section(
            "How it was measured",
            f"{played.games:,} games of each variant of `{played.rules}`, on the same cards, "
            f"seed {played.seed}. {seats.games:,} games give rounds and seats. All players use "
            f"{policies}, solved for each variant. Its numbers were tuned for the box. In the box "
            "itself `learned` is stronger, but it can play no other variant.",
            "For casual players all use "
            f"`{casual}`, in {found.casual.games:,} games of each variant. The intervals of each "
            "of these three sets of games hold together with 95 %, so those of all three with at "
            "least 85 %.",
            "    lama-odds sweep lama/egmont --vary dealt=4..8 --vary target=30..60..10 "
            f"--policies retuned --games {played.games} --seed {played.seed} "
            "--measure duration --measure tension --measure skill",
        ),
        *bullets(
            "What is not known",
            [
                "How long an action takes, and whether people enjoy what these measures count.",
                "Whether people play like the strong policy or like the casual one. Most play in "
                "between.",
                "`decided` of the box uses a table of chances. Other variants are played on from "
                "the end of a round, which moved it by up to 0.4 percentage points when tried.",
                "The seat bias is the largest of four distances, so its value is partly chance. "
                "Read its range.",
            ],
        ),
    ]


def page(found: Study, casual: str, made_by: str) -> str:
    """The whole page."""
    lines = [
        "# The best hand size and target for four players of L.A.M.A.",
        "",
        "In the box are 6 cards each and a game to 40 points. Would other numbers make a better "
        "game? That depends on what you wish for. So there are four kinds of evenings here. Their "
        "wishes were fixed after a trial of other games had shown the range, and before these "
        "games were played.",
        "",
        *table(
            ("evening", "wishes", "surely", "perhaps", "surely not"),
            evening_rows(found),
        ),
        f"The last three columns count variants of {len(found.values)}. An action is assumed to "
        f"take {SECONDS} seconds. [Design](../../docs/howto/design.md#what-makes-it-good) defines "
        "the measures.",
        "",
        *bullets("Where the wishes are fulfilled", evenings(found)),
        *bullets(
            "What it says",
            [
                *lengths(found),
                *skill(found),
                *tension(found),
                fairness(found),
                shorter(found),
                beaten(found),
                *others(found),
            ],
        ),
        f"![{chart(found).alt}](hand_size.svg)",
        "",
        "The numbers in the chart are cards dealt. Lines are intervals of skill.",
        "",
        *section("The variants"),
        *table(HEADS, rows(found)),
        "± are simultaneous 95 % intervals, as are the ranges of the seat bias.",
        "",
        *measured(found, casual),
        f"Made by {made_by}.",
    ]
    return "\n".join(lines) + "\n"
