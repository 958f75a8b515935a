"""What every generated page keeps to: words that are explained, whole sentences, honest numbers."""

from __future__ import annotations

import html
import re

# Private words and turned-round phrases, and what they should be.
PRIVATE = {
    r"\bI\b|\bmy\b|\bmine\b": "you, your",
    r"\bmargin\b": "vs. others",
    r"\bsame luck\b|\bof luck\b": "the same cards and dice",
    r"\bwho is to\b|\bwho has\b|\bwho quits\b": "the player who",
    r"\bhangs? on\b": "depends on",
    r"\b(are|is|was|were) met\b": "occurs",
    r"\bas well as can be\b": "best play",
    r"\bdearer|\bdearest": "costly",
    r"\bby lot\b|\banew\b|\btold\b|\bso many\b": "plain words",
    r"\bgame of two\b": "two-player game",
    r"\b(points|rounds|turns|worms) a (round|game|player|turn)\b": "per round",
    r"\bseat 0\b|\bround 0\b": "counts from 1",
    r"\b(loses|lost)\b": "costs",
    r"\bends? worst\b|\bending worst\b": "worst score",
    r"\bfair(:| would)": "equal",
}
NO_ERROR = re.compile(r"(?<![\d.])0\.0+ ± 0\.0+(?!\d)|± 0\.0+(?!\d)")
MOST_WORDS = 30


def words_of(page: str) -> str:
    """The text of a page, and what its figures say of themselves."""
    text = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.S)
    text = re.sub(r'<img\b[^>]*\balt="([^"]*)"[^>]*>', r" \1 ", text)
    text = re.sub(r"<pre>.*?</pre>", " ", text, flags=re.S)
    return html.unescape(re.sub(r"<[^>]+>", " ", text))


def faults_of(text: str) -> list[str]:
    """Private words, and errors that round to nothing."""
    found = [
        f"{hit.group()!r} in {text[max(0, hit.start() - 40) : hit.end() + 40]!r}: write {instead}"
        for pattern, instead in PRIVATE.items()
        for hit in re.finditer(pattern, text)
    ]
    return found + [f"{hit.group()!r}: no error at all" for hit in NO_ERROR.finditer(text)]


def sentences_of(line: str) -> list[str]:
    """The sentences of a line of the short version."""
    return re.split(r"(?<=[.!?]) (?=[A-Z])", line.replace("vs. others", "vs others"))


def not_sentences(line: str) -> list[str]:
    """What is wrong with a line of the short version: no sentence, too long, a list of pairs."""
    found = []
    if not re.match(r"[A-Z]", line) or not line.endswith("."):
        found.append(f"no whole sentence: {line!r}")
    if re.search(r"\d: \d|\d: at (most|least)| – \w+: ", line):
        found.append(f"a list of pairs: {line!r}")
    for sentence in sentences_of(line):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if len(words) > MOST_WORDS:
            found.append(f"{len(words)} words: {sentence!r}")
    return found


VERBS = re.compile(r"\b(is|are|costs?|wins?|quit|stop|end|draw|roll|play|changes?|keeps?)\b", re.I)
LABEL = re.compile(r"\bby \w+\.$")  # "Cost by policy."


def is_finding(title: str) -> bool:
    """Whether the title of a figure is a sentence that has a number, or at least a verb."""
    whole = re.match(r"[A-Z“+−\d]", title) and title.endswith(".") and not LABEL.search(title)
    return bool(whole and (re.search(r"\d", title) or VERBS.search(title)))
