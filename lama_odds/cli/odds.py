"""``lama-odds odds``: what can happen next?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lama_odds.api.asked import read_rules
from lama_odds.api.positions import DEAL
from lama_odds.api.positions import odds as ask
from lama_odds.cli.asking import asks
from lama_odds.cli.common import check_plot, joined, record_text, show_answer, start_kernels
from lama_odds.core.checks import check_one
from lama_odds.core.errors import ReadError
from lama_odds.core.language import say

EXAMPLES = """
lama-odds odds lama/egmont "hand=3356L top=4 opp=4,q2,1"

lama-odds odds lama/party deal

lama-odds odds pikomino/egmont "kept=444W"

lama-odds odds dice/amigo "hand=25L row=1346L opp=13,6LL rolled=25L"

lama-odds odds lama/egmont --after game.txt
"""


@asks("rules position after opponents plot verbose seed language as_json", ask)
def odds(options: dict[str, Any], plot: Path | None, verbose: bool, as_json: bool) -> None:
    """What can happen next? Exact chances of the next card or roll, or of the deal."""
    start_kernels()
    check_plot(plot)
    game = read_rules(options["rules"]).game
    words, after = joined(options.get("position")), options.get("after")
    check_one({"POSITION": words, "--after": after})
    if words is None and after is None:
        if game.no_deal:
            message = say('give a position, for example "{example}"', example=game.example)
        else:
            message = say(
                'give a position, for example "{example}", or the word deal', example=game.example
            )
        raise ReadError(message)
    if "opponents" in options and after is None:
        raise ReadError(
            say("--opponents is for --after: nothing is inferred from a position alone")
        )
    if words is not None and words.lower() == DEAL:
        words = DEAL
    text = None if after is None else record_text(after)
    answer = ask(options["rules"], words, after=text, opponents=options.get("opponents"))
    show_answer(answer, as_json, verbose, plot=plot)
