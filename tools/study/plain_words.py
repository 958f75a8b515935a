"""List words and sentences that readers stumble over.

    .venv/bin/python tools/study/plain_words.py [PATH ...]

The tool reads docstrings, comments and texts of Python files, and Markdown files without their code
blocks. It reports the expressions of `WORDS`, each with a plainer one, and sentences of more than
30 words. PATH is a file or a folder (default: everything). Exit code 1 if anything is found. `KEEP`
lists what may stay, with a reason for each place.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeGuard

ROOT = Path(__file__).resolve().parent.parent.parent
MOST_WORDS = 30
# Reports are left out: they are generated from texts that are checked here.
PLACES = (
    *("lama_odds", "examples", "tools", "scripts", "tests/reference", "docs"),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
)

COUNTED = "points|games|rounds|wins|turns|worms|rolls|cards|decisions|actions|llamas|bytes|draws"
PER = "round|game|second|turn|seat|player|core|card|roll|row|decision|action|draw|variant|job"
AFTER_NO = "longer|more|less|fewer|better|worse|one|later|earlier|doubt|other|need|point|way"
# A noun comes before a "who" that is not bare: players who have quit.
BARE_BEFORE = "and|or|but|by|of|to|for|from|that|than|if|when|then|is|on|with|at|as|because|so"

# An expression (a pattern, in any case), and what to write instead.
WORDS: tuple[tuple[str, str], ...] = (
    (r"\banew\b|\bonce more\b", "again"),
    (r"\b(hangs?|hanging|hung) on\b", "depends on"),
    (r"\btold\b(?! apart)", "given, shown, reported"),
    (r"\b(is|are|was|were|be|been|being) said\b", "is shown, is reported"),
    (r"\b(is|are|was|were|be|been|being) asked\b", "is wanted, is read"),
    (r"\basked for\b", "wanted, requested"),
    (r"\b(is|are|was|were|be|been|being) met\b|\bmeets\b", "occurs, comes to"),
    (r"\bso (many|much|few)\b(?! that)", "this many, a number of"),
    (rf"(?:^|[.:;(—–]\s?|\b(?:{BARE_BEFORE}) )who\b(?![^.]*\?)", "players who, if"),
    (r"\bwhoever\b", "the player who, if"),
    (r"\b(dear|dearer|dearest)\b", "costly"),
    (r"\b(goes|go|going|went|gone) on\b(?! (to|strike|sale)\b)", "continues, resumes"),
    (r"\bplay(s|ed|ing)? on(?=[.,;)]|$)", "continues"),
    (r"\bless (its|the|their|his|her|my|your|what)\b", "minus"),
    (rf"\b({COUNTED}) an? ({PER})\b", "per round"),
    (r"\b(games?|rounds?) of (two|three|four|five|six|\d)\b(?! \w+s\b|[,.]?\d)", "two-player game"),
    (rf"(?<!there )\b(is|are|was|were|be) no (?!({AFTER_NO})\b)", "is not a"),
    (r"(?<!there )\b(is|are) (?-i:none)\b", "is not one"),
    (r"\b(has|have|had) (not|no)(?= *([.,;:)]|$))", "does not have"),
    (
        r"(?<!-)\b(?-i:[Ll]uck)\b(?!-adjusted| [{\d]| (and|or|against|from) skill)",
        "random numbers, sampling error",
    ),
    (r"\bluckiest\b", "highest"),
    (r"\bshall\b", "will, should"),
    (r"\b(upon|till|lest|whilst|amongst|forthwith|nought|nigh)\b", "on, until, so that, while"),
    (r"\b(thereby|thereof|therein|whereof|whereby|wherein|hereby|hence)\b", "so, of it"),
    (r"\b(but|save) for\b", "except for"),
    (r"\b(all|nothing|none|nowhere|nobody) but\b", "all except, only"),
    (r"\bby lot\b", "at random"),
    (r"\bheed(s|ed)?\b", "used"),
    (r"\bstands? (in|by|at|beside|on|under|above|below|there|here)\b", "is in"),
    (r"\btaken as\b", "assumed to be, used as"),
    (r"\bwin shares?\b", "win rate"),
    (r"\bends? worst\b", "worst score"),
    (r"\bof theirs\b", "of them"),
    (r"\bas (it is|they are)(?=[.,;:)]|$)", "unchanged"),
    (r"\bnobody minds\b", "the smallest difference that matters"),
    (r"\bhold(s|ing)? all at once\b", "simultaneous"),
    (r"\bhold(s|ing)? whenever\b", "anytime-valid"),
    (r"\bhow far (that|it) is open\b", "how uncertain that is"),
    (r"\b(leaves?|left) open\b", "does not settle, a lower bound of exploitability"),
    (r"\bexchanged\b", "swapped"),
    (r"\beagerly\b", "more often"),
    (r"\breaches over\b", "spans"),
    (r"\bparts them\b", "the gap comes from"),
    (r"\bwhat (becomes|comes) of\b", "what happens to"),
    (r"\bsuch ones\b", "these"),
    (r"\bnow there\b", "supported"),
    (r"\bas like as\b|\bas it were\b|\bof late\b|\bfor want of\b", "plain words"),
)
PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in WORDS)

# (file, expression as found there) -> why it may stay.
KEEP: dict[tuple[str, str], str] = {
    ("lama_odds/games/noprob/jobs.py", "go on"): "the name of an action, a JSON value",
    ("lama_odds/games/interface/actions.py", "go on"): "the name of an action, a JSON value",
    ("lama_odds/analysis/strategy_report/by_game/lama/chains.py", "play on"): "a column of a table",
    ("lama_odds/analysis/coach/luck.py", "luck"): "luck against skill",
    ("lama_odds/analysis/coach/history.py", "luck"): "luck against skill",
    ("lama_odds/report/text/history.py", "luck"): "luck against skill",
    ("tools/publishing/schemas/meanings.py", "luck"): "the part of a result, against skill",
    ("lama_odds/games/interface/game.py", "luck"): "what moves a result, against skill",
    ("lama_odds/games/shared/faces.py", "luck"): "what moves a result, against skill",
    ("lama_odds/report/text/review.py", "luck"): "the part of a result, against skill",
    ("tools/publishing/stories/tables.py", "luck"): "the part of a result, against skill",
    ("lama_odds/report/text/review_figures.py", "luck"): "the part of a result, against skill",
    ("lama_odds/report/pages/review_page.py", "luck"): "the part of a result, against skill",
    ("docs/explanation/luck_and_skill.md", "luck"): "the part of a result, against skill",
    ("CHANGELOG.md", "luck"): "the part of a result, against skill",
    ("docs/explanation/numbers.md", "luck"): "the part of a result that is subtracted",
    ("lama_odds/games/dice/engine/steps.py", "luck"): "the part of a result that is subtracted",
    ("lama_odds/games/pikomino/engine/adjusted.py", "luck"): "the part that is subtracted",
    ("lab/learned_pikomino/learning.py", "luck"): "the part that is subtracted",
    ("lama_odds/games/dice/engine/round_loop.py", "luck"): "the part of a result",
}

CODE = re.compile(r"`+[^`]*`+|\S*[/_=]\S*|<[^<>]*>")
SENTENCE_END = re.compile(r"(?<=[.!?])[)\"”]?\s+(?=[A-Z\"(“`'*{]|\w+(?:, \w+)*: )")
BREAKS = re.compile(r"^\s*([-*·|#>]|\d+[.)] |\w+(, \w+)*: |.*\S {2,}\S|$)")  # begin a sentence
LABEL = re.compile(r"^\w+(, \w+)*: ")
QUIET = re.compile(r"^(noqa|type:|fmt:|pragma|!)")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


class Text(NamedTuple):
    """A text and the line where it begins."""

    line: int
    text: str


class Finding(NamedTuple):
    """An expression or a sentence that should be written otherwise."""

    path: str
    line: int
    found: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.found!r} → {self.instead}"


def python_texts(source: str) -> Iterator[Text]:
    """Docstrings, comments, and texts of at least two words in a Python source."""
    nodes = list(ast.walk(ast.parse(source)))
    formatted = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for node in formatted for part in node.values}
    inside |= {id(node.value) for node in nodes if _is_keys(node)}
    for node in nodes:
        if not isinstance(node, ast.JoinedStr | ast.Constant) or id(node) in inside:
            continue
        text = ""
        if isinstance(node, ast.JoinedStr):
            parts = node.values
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{x}" for part in parts
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value if node.value[:1].isspace() else inspect.cleandoc(node.value)
        if isinstance(node, ast.expr) and len(text.split()) > 1:
            yield Text(node.lineno, text)
    yield from _comments(source)


def _is_keys(node: ast.AST) -> TypeGuard[ast.Assign]:
    """Whether a statement declares the keys of an answer: names, and no words (`core.plain`)."""
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KEYS"


def _comments(source: str) -> Iterator[Text]:
    """Comments of a source; the lines of one comment are joined."""
    block: Text | None = None
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string.lstrip("# ")
        if token.type != tokenize.COMMENT or QUIET.match(text):
            continue
        line, column = token.start
        own_line = not token.line[:column].strip()
        if block is not None and own_line and line == last + 1:
            block = Text(block.line, f"{block.text}\n{text}")
        else:
            if block is not None:
                yield block
            block = Text(line, text)
        last = line if own_line else 0
    if block is not None:
        yield block


def markdown_texts(source: str) -> Iterator[Text]:
    """Paragraphs, items, headings and cells of a Markdown file, without blocks of code."""
    paragraph: list[str] = []
    begun = 0
    fenced = False
    for number, line in enumerate([*source.splitlines(), ""], 1):
        plain = line.strip()
        fence = plain.startswith(("```", "~~~"))
        alone = plain.startswith(("|", "#", "<"))
        if paragraph and (fence or alone or not plain or BREAKS.match(line)):
            yield Text(begun, LINK.sub(r"\1", "\n".join(paragraph)))
            paragraph = []
        fenced ^= fence
        if fence or fenced or not plain or (line.startswith("    ") and not paragraph):
            continue
        if alone:
            yield from (
                Text(number, LINK.sub(r"\1", cell)) for cell in plain.strip("|#").split("|")
            )
        else:
            begun = begun if paragraph else number
            paragraph.append(line)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, each with the offset of its line; examples of code are left out."""
    unit: list[str] = []
    begun = 0
    example = literal = False
    for offset, line in enumerate([*text.split("\n"), ""]):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        literal = literal and (not line.strip() or line.startswith("    "))
        if unit and (example or literal or BREAKS.match(line)):
            yield from ((begun, part) for part in SENTENCE_END.split(" ".join(unit)))
            unit = []
        if line.strip() and not example and not literal:
            begun = begun if unit else offset
            unit.append(line.strip())
            literal = line.endswith("::")


def texts(path: Path) -> Iterator[Text]:
    """The texts of a Python or Markdown file."""
    source = path.read_text(encoding="utf-8")
    return markdown_texts(source) if path.suffix == ".md" else python_texts(source)


def findings(text: Text, path: str = "") -> Iterator[Finding]:
    """What should be written otherwise in a text; a record of a game is no prose."""
    if text.text.startswith("lama-odds record "):
        return
    for offset, sentence in sentences(text.text):
        line = text.line + offset
        words = LABEL.sub("x ", CODE.sub("x", sentence))
        for pattern, instead in PATTERNS:
            for match in pattern.finditer(words):
                yield Finding(path, line, match.group().strip(" .,;:(").lower(), instead)
        length = sum(1 for word in words.split() if any(map(str.isalnum, word)))
        if length > MOST_WORDS:
            yield Finding(path, line, f"{' '.join(sentence.split()[:6])} …", f"{length} words")


def files(places: Iterable[str] = PLACES) -> list[Path]:
    """The Python and Markdown files of some files and folders, in alphabetical order."""
    paths: set[Path] = set()
    for place in places:
        path = (ROOT / place).resolve()
        paths |= {path} if path.is_file() else {*path.rglob("*.py"), *path.rglob("*.md")}
    return sorted(file for file in paths if file != Path(__file__).resolve())


def found_in(path: Path) -> list[Finding]:
    """What should be written otherwise in a file, except what `KEEP` lists."""
    name = path.relative_to(ROOT).as_posix()
    every = [finding for text in texts(path) for finding in findings(text, name)]
    return sorted(finding for finding in every if (name, finding.found) not in KEEP)


def unused() -> list[tuple[str, str]]:
    """Entries of `KEEP` that keep nothing."""
    kept = {
        (name, finding.found)
        for name in {name for name, _ in KEEP}
        for text in texts(ROOT / name)
        for finding in findings(text, name)
    }
    return sorted(set(KEEP) - kept)


def main() -> int:
    """Print what is found, and how much there is in each folder."""
    faults = [finding for path in files(sys.argv[1:] or PLACES) for finding in found_in(path)]
    for finding in faults:
        print(finding)
    for folder, count in sorted(Counter(str(Path(f.path).parent) for f in faults).items()):
        print(f"{count:5} {folder}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
