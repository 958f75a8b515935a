"""What every generated page keeps to: words that are explained, whole sentences, honest numbers."""

from __future__ import annotations

import html
import re

# Private words and turned-round phrases.
PRIVATE = re.compile(
    r"\bI\b|\b(my|mine|margin|same luck|of luck|who is to|who has|who quits|hangs? on|are met)\b"
    r"|\b(as well as can be|dearer|dearest|by lot|anew|told|so many|game of two|seat 0|round 0)\b"
    r"|\b(points|rounds|turns|worms) a (round|game|player|turn)\b|\b(loses|lost)\b|\bends? worst\b"
)
NO_ERROR = re.compile(r"(?<![\d.])0\.0+ ± 0\.0+(?!\d)|± 0\.0+(?!\d)")
MOST_WORDS = 30
VERBS = re.compile(r"\b(is|are|costs?|wins?|quit|stop|end|draw|roll|play|changes?|keeps?)\b", re.I)
LABEL = re.compile(r"\bby \w+\.$")  # "Cost by policy."


def words_of(page: str) -> str:
    """The text of a page, and what its figures say of themselves."""
    text = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.S)
    text = re.sub(r'<img\b[^>]*\balt="([^"]*)"[^>]*>', r" \1 ", text)
    text = re.sub(r"<pre>.*?</pre>", " ", text, flags=re.S)
    return html.unescape(re.sub(r"<[^>]+>", " ", text))


def faults_of(text: str) -> list[str]:
    """Private words, and errors that round to nothing, each with what stands around it."""
    hits = [hit for pattern in (PRIVATE, NO_ERROR) for hit in pattern.finditer(text)]
    return [
        f"{hit.group()!r} in {text[max(0, hit.start() - 40) : hit.end() + 40]!r}" for hit in hits
    ]


def not_sentences(line: str) -> list[str]:
    """What is wrong with a line of the short version: no sentence, too long, a list of pairs."""
    found = []
    if not re.match(r"[A-Z]", line) or not line.endswith("."):
        found.append(f"no whole sentence: {line!r}")
    if re.search(r"\d: \d|\d: at (most|least)| – \w+: ", line):
        found.append(f"a list of pairs: {line!r}")
    for sentence in re.split(r"(?<=[.!?]) (?=[A-Z])", line.replace("vs. others", "vs others")):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if len(words) > MOST_WORDS:
            found.append(f"{len(words)} words: {sentence!r}")
    return found


def is_finding(title: str) -> bool:
    """Whether the title of a figure is a sentence that has a number, or at least a verb."""
    whole = re.match(r"[A-Z“+−\d]", title) and title.endswith(".") and not LABEL.search(title)
    return bool(whole and (re.search(r"\d", title) or VERBS.search(title)))
