"""What a sheet for the table says of a game beside its published cards of rules.

The faces of games have it, and no other module of a game needs it: so it is in a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sheet:
    """The words of a sheet. Texts are templates, see `core.language.later`.

    title: of the sheet. editions: of which there are cards, with their names. points: what limits
    count. why: by feature of the cards, why it matters. drawn: by feature or habit of the cards,
    what is drawn beside a line that speaks of it: ``card`` or ``die``, and its face.
    printed: by language, which edition is printed: that of the box which is sold there. Default:
    the first.
    """

    title: str
    editions: Mapping[str, str]
    points: str
    why: Mapping[str, str]
    drawn: Mapping[str, str]
    printed: Mapping[str, str] = field(default_factory=dict)
