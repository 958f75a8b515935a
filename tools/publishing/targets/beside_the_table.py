"""Beside the table: a sheet of each game, to read and to print, for players without a computer.

A page of Markdown for each game, and one of HTML that prints on A6, two sides for each number of
players.
"""

from __future__ import annotations

from tools.publishing.reference.markdown import page
from tools.publishing.sheets.beside import Sheet, markdown, printed
from tools.publishing.target import Making, Target

FOLDER = "docs/table/"
PRINTED = "_to_print.html"  # the site has each page of Markdown as .html
HAND = "Add up your cards: each number once, all llamas together 10."
SHEETS = (
    Sheet(
        "lama",
        "L.A.M.A. beside the table",
        {
            "lama/amigo": "L.A.M.A., 8 llamas",
            "lama/egmont": "L.A.M.A., 7 llamas",
            "lama/party": "Lama Party",
        },
        f"If a card fits, play it: when to quit is for when none does. {HAND}",
        {
            "fewest": "Somebody with few cards can end the round before you get rid of yours.",
            "others": "With few others in, you may be left alone and continue undisturbed.",
            "cards": "Many cards take many turns to play.",
            "pile": "When the pile is empty nobody draws, and a player who is stuck must quit.",
            "score": "A low score is worth protecting. With a higher one, only going out helps.",
            "ahead": "Well ahead, a costly round leaves you ahead. Blowing the lead does not.",
            "total": "With that total you are likely to lose anyway, so continue.",
            "second": "A card two above the top is one that you can soon play.",
        },
    ),
    Sheet(
        "dice",
        "Lama Dice beside the table",
        {
            "dice/amigo": "Lama Dice",
            "dice/egmont": "Lama Dice, Polish rules",
        },
        HAND,
        {
            "fewest": "Somebody with few cards can go out before you do.",
            "others": "With few others in, the round is sooner yours to end.",
            "kinds": "The more kinds you hold, the more rolls match.",
            "row": "A card in the row catches a roll that does not match.",
            "total": "At 40 points the game ends, and you must not be the one who loses it then.",
        },
    ),
    Sheet(
        "pikomino",
        "Pickomino beside the table",
        {"pikomino/egmont": "Pickomino"},
        "Your total counts each worm as 5.",
        {
            "dice": "With few dice left, most rolls show only faces that you have kept.",
            "short": "Each face that you have kept is lost for the rolls to come.",
            "steal": "Stealing takes worms away from somebody, too.",
            "own": "A bust costs you your top tile.",
        },
    ),
    Sheet(
        "noprob",
        "No Prob-Lama beside the table",
        {"noprob/starnberger": "No Prob-Lama"},
        "Your lead: how far your total will be below the lowest of the others'.",
        {
            "down": "Cards face down can still turn out low.",
            "fewest": "A player with few cards face down may end the round soon.",
        },
    ),
)


def make(making: Making) -> None:
    """Write both pages of each game."""
    for sheet in SHEETS:
        print_it = (
            f"To print on A6, two sides for each number of players: [cards]({sheet.name}{PRINTED})."
        )
        parts = "\n\n".join([*markdown(sheet), print_it, f"*Made by {making.made_by}.*"])
        making.write(f"{FOLDER}{sheet.name}.md", page(sheet.title, parts, target=TARGET.name))
        making.write(f"{FOLDER}{sheet.name}{PRINTED}", printed(sheet))
        making.tell(sheet.title)


TARGET = Target(
    name="table",
    what="sheets to read and to print: the cards of rules of each game",
    make=make,
    writes=tuple(f"{FOLDER}{sheet.name}{kind}" for sheet in SHEETS for kind in (".md", PRINTED)),
    reads=("data/cards.json",),
)
