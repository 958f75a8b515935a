"""Damage done at random to the text of a record, and what its readers may make of it."""

from lama_odds.core.errors import ImpossibleError, ReadError


def cut(luck, text):
    return text[: luck.randrange(len(text))]


def delete_line(luck, text):
    lines = text.splitlines(keepends=True)
    del lines[luck.randrange(len(lines))]
    return "".join(lines)


def repeat_line(luck, text):
    lines = text.splitlines(keepends=True)
    lines.insert(luck.randrange(len(lines)), luck.choice(lines))
    return "".join(lines)


def swap_lines(luck, text):
    lines = text.splitlines(keepends=True)
    one, other = luck.randrange(len(lines)), luck.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def words_changed(luck, text, changed):
    """Give the text with one line changed, one of the first lines more often than later ones.

    ``changed`` gets the words of the line, a list to be changed in place, and two of their places.
    """
    lines = [line.split(" ") for line in text.splitlines()] or [[""]]
    words = luck.choice(luck.choice((lines, lines[: 10 + luck.randrange(5)])))
    changed(words, luck.randrange(len(words)), luck.randrange(len(words)))
    return "\n".join(" ".join(line) for line in lines)


def put_for(places, others):
    """Give the damage that puts one of some texts in place of one of some characters."""

    def change_card(luck, text):
        found = [at for at, character in enumerate(text) if character in places]
        at = luck.choice(found or [0])
        return text[:at] + luck.choice(others) + text[at + 1 :]

    return change_card


def damages(characters, words, *own):
    """Give all ways to damage a record: with such characters and words, and a game's own ways.

    Each is a function that takes a ``random.Random`` and a text that is not empty.
    """

    def change_character(luck, text):
        at = luck.randrange(len(text))
        return text[:at] + luck.choice(characters) + text[at + 1 :]

    def change_words(luck, text):
        """Swap two words, drop one, or put another in place of one."""

        def put(line, one, other):
            action = luck.randrange(3)
            if action == 0:
                line[one], line[other] = line[other], line[one]
            elif action == 1:
                del line[one]
            else:
                line[one] = luck.choice(words)

        return words_changed(luck, text, put)

    return change_character, *own, cut, delete_line, repeat_line, swap_lines, change_words


def several(ways, times):
    """Give the damage that damages a text so many times; what leaves nothing is undone."""

    def damage(luck, text):
        for _ in range(times):
            text = luck.choice(ways)(luck, text) or text
        return text

    return damage


def outcome(text, record):
    """Read a record and ask for its position: give that and the rules, or what was raised."""
    try:
        found = record.read_record(text)
        return found.rules, record.position_after(found)
    except (ReadError, ImpossibleError) as error:
        return None, error


def checked(text, record, defects):
    """Check that a damaged record is read or refused as it should be; say which.

    ``record`` and ``defects`` are the modules of the game that read a record and a position.
    """
    rules, found = outcome(text, record)
    if isinstance(found, ReadError):
        headless = found.message.startswith(("this is not a record", "the record ends before"))
        assert headless or found.message.startswith("line ")
        assert str(found).startswith(found.message)
        assert found.text is None or 0 <= found.at <= len(found.text)
        return "refused"
    if isinstance(found, ImpossibleError):
        assert found.defects
        return "over"
    assert defects.parse_position(rules, found.format()) == found
    return "asks"
