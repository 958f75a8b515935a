"""The page open on a phone in a real browser: what is tapped, shown, asked and answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.web.served import Server

PHONE = {"width": 360, "height": 640}
GAMES = 2000
PATIENCE = 120_000  # milliseconds
SETTLES = 400  # milliseconds after which the page takes a tap for a new one
AWAY = 5_000  # milliseconds after which a server that did not answer has been asked again
FINAL = "main .verdict.clear, main .verdict.open"
# Said by the browser where the server refuses, where a test takes the network away, and where a
# sheet, which may not have scripts, keeps those of a test out.
REFUSED = (
    "Failed to load resource: the server responded with",
    "Failed to load resource: net::ERR_INTERNET_DISCONNECTED",
    "Blocked script execution in",
)


class Phone:
    """A phone on which the page is open. answers: all that came as streams, by question."""

    def __init__(self, page: Any, server: Server) -> None:
        self.page = page
        self.server = server

    def open(self, query: str = "") -> None:
        self.page.goto(f"{self.server.address}?{query}")
        self.page.wait_for_selector("#tabs button")

    def tap(self, *names: str, part: str = "") -> None:
        """Tap buttons by the names that a screen reader reads, in a part of the position."""
        within = self.page.locator(f"[data-part={part}]") if part else self.page
        for name in names:
            self.settle()
            within.get_by_role("button", name=name, exact=True).first.click()

    def settle(self) -> None:
        """Wait until nothing is under way; then the next tap comes late enough to be one."""
        self.page.wait_for_function("() => !document.querySelector('[inert]')")
        self.page.clock.fast_forward(SETTLES)
        self.page.wait_for_function("() => !document.querySelector('.fresh, [inert]')")

    def choose(self, game: str, edition: str, players: int = 0) -> None:
        self.tap("Change", game)
        box = self.page.get_by_text(re.compile(rf"{edition}$"))
        self.page.locator(".edition", has=box).click()
        if players:
            self.tap(f"{players} players")
        self.tap("Done")

    def asked(self) -> dict[str, str]:
        """What the address says."""
        query = urlsplit(self.page.url).query
        return {name: found[0] for name, found in parse_qs(query, keep_blank_values=True).items()}

    def verdict(self) -> str:
        found: str = self.page.locator("main .verdict").inner_text()
        return found

    def width(self) -> int:
        """How wide all that is shown is."""
        found: int = self.page.evaluate("document.documentElement.scrollWidth")
        return found

    def streamed(self, *, position: str, rules: str) -> Any:
        """The answer that the page shows for a position, as it was streamed."""
        self.page.wait_for_function(
            "([rules, position]) => window.seen?.some(e => e.final && e.rules === rules"
            " && e.asked === position)",
            arg=[rules, position],
        )
        return self.page.evaluate(
            "position => window.seen.findLast(e => e.final && e.asked === position).answer",
            position,
        )


# Reads along what fetch streams, without changing it.
_SEEN = """
window.seen = [];
const fetched = window.fetch;
window.fetch = async (path, options) => {
  const reply = await fetched(path, options);
  const url = new URL(path, location.href);
  if (reply.ok && url.pathname === "/api/advise/stream") {
    const [asked, rules] = [url.searchParams.get("position"), url.searchParams.get("rules")];
    reply.clone().text().then((text) => {
      for (const block of text.split("\\n\\n")) {
        const found = block.match(/^event: (\\w+)\\r?\\ndata: (.*)$/s);
        const final = found?.[1] === "answer";
        if (found) window.seen.push({ asked, rules, final, answer: JSON.parse(found[2]) });
      }
    }).catch(() => null);
  }
  return reply;
};
document.addEventListener("securitypolicyviolation", (e) => console.error(`CSP ${e.blockedURI}`));
"""


def patient(page: Any) -> Any:
    """The same page, for which a busy machine has time."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    page.set_default_timeout(PATIENCE)
    return page


@contextmanager
def opened(browser: Any, server: Server, locale: str = "en-GB") -> Iterator[Phone]:
    """A phone; AssertionError at its end for errors, and for anything loaded from elsewhere."""
    page = patient(browser.new_page(viewport=PHONE, locale=locale))
    page.add_init_script(_SEEN)
    page.clock.install()  # time goes on as ever, but tests need not wait for it
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    yield Phone(page, server)
    page.close()
    unexpected = [text for text in said if not text.startswith(REFUSED)]
    assert not unexpected, unexpected
    assert [url for url in asked if not url.startswith(server.address)] == []
