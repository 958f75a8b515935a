"""What mkdocs does besides: it takes reports and other pages of the checkout into the site.

Pages link to each other as files of the checkout, so that they read well there too. Here a link
that leaves docs/ leads to the place of its file in the site.
"""

from __future__ import annotations

import posixpath
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urljoin

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent.parent
# Places of files and folders of the checkout in the site.
PLACES = {
    "docs/": "",
    "reports/": "results/",
    "CHANGELOG.md": "results/changes.md",
    "CONTRIBUTING.md": "howto/contributing.md",
    "examples/pig/README.md": "howto/pig.md",
    "CITATION.cff": "CITATION.cff",
    "LICENSE": "LICENSE.txt",
    "lama_odds/web/static/icons/512.png": "assets/llama.png",
}
TAKEN = (".md", ".html", ".csv", ".svg", ".png", ".json")
LINK = re.compile(r"(?P<before>\]\(|(?:src|href)=\")(?P<link>[^)\s\"]+)")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|//|#")
WORKER, WORKER_ELSEWHERE = "assets/worker.js", "https://unpkg.com/iframe-worker/shim"
# How much a hit counts in the search, by place: what explains comes before what lists.
BOOSTS = {
    "howto/add_a_game": 0.5,
    "howto/extend": 0.5,
    "howto/contributing": 0.2,
    "howto/": 4.0,
    "table/": 2.0,
    "reference/json": 0.2,
    "reference/python": 0.2,
    "reference/commands": 0.5,
    "reference/": 4.0,
    "results/": 0.5,
}
PREVIEW = "assets/llama.png"  # of links to the site
ROW = re.compile(r"^\|.*$", re.MULTILINE)
HOME, ASK = "index.md", "ask/index.html"
BUTTON = f"# lama-odds\n\n[Ask now]({ASK}){{ .md-button .md-button--primary }}\n"
# A position to change on the page that answers: ``<!-- try: RULES | POSITION | WORDS -->``.
TRY = re.compile(r"<!-- try: (?P<rules>[^|]+) \| (?P<position>[^|]+) \| (?P<words>.+?) -->")
BLOCKS = re.compile(r"^<!-- (?:output|picture|file): .*? -->\n", re.MULTILINE)


def place_of(name: str) -> str | None:
    """The place of a file of the checkout in the site; None: it has none."""
    for start, place in PLACES.items():
        if name == start or (start.endswith("/") and name.startswith(start)):
            return place + name.removeprefix(start)
    return None


def name_of(place: str) -> str:
    """The file of the checkout for a place of the site."""
    for start, at in PLACES.items():
        if place == at and not start.endswith("/"):
            return start
    if (ROOT / "docs" / place).exists():
        return f"docs/{place}"
    return "reports/" + place.removeprefix(PLACES["reports/"])


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take in what stands elsewhere in the checkout."""
    for start in PLACES:
        if start == "docs/":
            continue
        paths = sorted((ROOT / start).rglob("*")) if start.endswith("/") else [ROOT / start]
        for path in paths:
            place = place_of(path.relative_to(ROOT).as_posix())
            if place and path.is_file() and (path.suffix in TAKEN or not start.endswith("/")):
                files.append(File.generated(config, place, abs_src_path=str(path)))
    page = ask_page()
    if page is not None:
        for path in filter(Path.is_file, sorted(page.rglob("*"))):
            place = posixpath.join(posixpath.dirname(ASK), path.relative_to(page).as_posix())
            files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def ask_page() -> Path | None:
    """The page that answers in the browser, built now; None where its engine has not been built."""
    from tools.browser.site import engine_folder, write_site

    engine = engine_folder()
    if engine is None:
        return None
    out = ROOT / "build" / "ask"
    write_site(out, engine, docs="..")
    return out


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:  # noqa: ARG001
    """Lead to that page from everywhere, if it is there."""
    if files.get_file_from_path(ASK):
        nav.items.insert(1, Link("Ask now", ASK))
    return nav


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Lead links that leave docs/ to the places of their files in the site."""
    here = page.file.src_uri
    boost = next((by for start, by in BOOSTS.items() if here.startswith(start)), 1.0)
    page.meta.setdefault("search", {"boost": boost})
    if files.get_file_from_path(ASK):
        markdown = markdown.replace("# lama-odds\n", BUTTON, 1) if here == HOME else markdown
        markdown = TRY.sub(lambda match: tried(match, here), markdown)
    parts = CODE.split(BLOCKS.sub("", markdown))
    parts[::2] = [_unbroken(LINK.sub(lambda link: _led(link, here), p)) for p in parts[::2]]
    return ROW.sub(lambda row: _unbroken(row[0]), "".join(parts))


def tried(match: re.Match[str], here: str) -> str:
    """A button that opens the page that answers at a position."""
    query = urlencode({"rules": match["rules"], "position": match["position"]}, quote_via=quote)
    page = posixpath.relpath(ASK, posixpath.dirname(here) or ".")
    return f"[{match['words']}]({page}?{query}){{ .md-button }}"


def _unbroken(row: str) -> str:
    """Text whose numbers stay on one line, with their errors and units."""
    return row.replace(" ± ", "\u00a0±\u00a0").replace(" %", "\u00a0%")


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Search in a folder without a script from elsewhere; describe the page to link previews."""
    up = posixpath.relpath(WORKER, posixpath.dirname(page.file.dest_uri) or ".")
    made = output.replace(WORKER_ELSEWHERE, up)
    return made.replace("</head>", f"{_previewed(page, config)}</head>", 1)


def _previewed(page: Page, config: MkDocsConfig) -> str:
    """Return what a link to a page shows where it is shared: title, text and picture."""
    fields = {
        "type": "website",
        "site_name": config.site_name,
        "title": config.site_name if page.is_homepage else f"{page.title} · {config.site_name}",
        "description": config.site_description or "",
    }
    if config.site_url:
        fields |= {"url": page.canonical_url or "", "image": urljoin(config.site_url, PREVIEW)}
    tags = (f'<meta property="og:{key}" content="{escape(text)}">' for key, text in fields.items())
    return "".join(f"  {tag}\n" for tag in tags)


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:  # noqa: ARG001
    """The same on pages that are not made of Markdown."""
    return output.replace(WORKER_ELSEWHERE, f"/{WORKER}")


def _led(match: re.Match[str], here: str) -> str:
    link = match["link"]
    if ELSEWHERE.match(link):
        return match[0]
    path, _, heading = link.partition("#")
    name = posixpath.normpath(posixpath.join(posixpath.dirname(name_of(here)), path))
    place = place_of(name)
    if place is None:
        return match[0]
    led = posixpath.relpath(place, posixpath.dirname(here) or ".")
    return match["before"] + led + (f"#{heading}" if heading else "")
