"""``lama-odds warm``: compile ahead, so that questions are answered at once."""

from __future__ import annotations

from typing import Annotated

from lama_odds.api.options import Option
from lama_odds.cli.asking import asks
from lama_odds.cli.common import progress_bar, show

EXAMPLES = """
lama-odds warm

lama-odds warm lama/amigo dice/amigo
"""


@asks("rules seed as_json")
def warm(
    as_json: bool,
    rules: Annotated[
        list[str] | None,
        Option(
            "Rule sets, or @FILE (default: all built-in ones).",
            argument=True,
            shown="[RULES]...",
            offers="rule_sets",
        ),
    ] = None,
) -> None:
    """Compile ahead what advise, odds, simulate and thresholds need, on all processors.

    Otherwise each function is compiled at its first use. You can stop it with Ctrl-C at any time:
    what is compiled by then is kept.
    """
    from lama_odds.analysis.variants.given import given_rules, names_file
    from lama_odds.analysis.warm import built_in_rules
    from lama_odds.analysis.warm import warm as compile_ahead
    from lama_odds.jit.places import keeping
    from lama_odds.report.text.kept import warm_text

    given = (name if not names_file(name) else given_rules(name).rules.id for name in rules or ())
    names = list(dict.fromkeys(given)) or built_in_rules()
    with progress_bar("compiling") as tell:
        warmed = compile_ahead(names, tell)
    show(as_json, warmed, lambda: warm_text(warmed, keeping()))
