"""Requests and their answers: those of the command line, each documented refusal, and attacks."""

from __future__ import annotations

import json
import random
import re
import signal
import socket
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

import lama_odds
import lama_odds as lo
from lama_odds.analysis.coach.drills import collection
from lama_odds.core.progress import stopped_by
from lama_odds.core.strict_json import from_json
from lama_odds.web import guard, questions, replies
from tests.tapping import entry_of
from tests.web.served import Inside, served

CARDS = {"rules": "lama/amigo", "position": "hand=3356L top=4 opp=4,q2,6"}
TURN = {"rules": "pikomino/egmont", "position": "kept=444W rolled=1245 own=24 tops=27"}
LAST = {"rules": "dice/amigo", "position": "hand=25L row=1346L opp=q13,q6LL"}
VARIES = ("seconds", "threads", "games_per_second")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """The application in this process; its games are in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        found = Inside()
        yield found
        found.work.close()


def plain(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in json.loads(json.dumps(answer)).items() if k not in VARIES}


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        (
            "advise",
            {**CARDS, "games": 1_500, "seed": 7, "objective": "win", "opponents": "threshold:6"},
        ),
        ("advise", {**CARDS, "games": 1_000, "sensitivity": True}),
        ("advise", TURN),
        ("odds", {"rules": "dice/amigo", "position": "deal"}),
        ("thresholds", {"rules": "pikomino/egmont", "players": 2}),
    ],
)
def test_an_answer_is_that_of_the_command(
    page: Inside, command: str, asked: dict[str, Any]
) -> None:
    found = page.post(f"/api/{command}", asked)
    assert found.status == 200
    assert plain(found.json) == plain(getattr(lo, command)(**asked).to_json())


def test_a_stream_ends_with_the_same_answer(page: Inside) -> None:
    asked = {**CARDS, "games": 8_000}
    *early, last = page.get("/api/advise/stream?" + urlencode(asked)).events
    assert last[0] == "answer"
    assert plain(last[1]) == plain(lo.advise(**asked).to_json())  # type: ignore[arg-type]
    assert {name for name, _ in early} <= {"interim"}
    games = [answer["games"] for _, answer in early]
    assert games == sorted(games)
    later = {"caution", "otherwise", "guesses", "reasons"}
    *sampled, (_, settled) = early
    assert all(last[1].keys() - later <= answer.keys() <= last[1].keys() for _, answer in sampled)
    assert settled.pop("settled")
    reasons = {"reasons": [], "why": ""}
    assert plain({**settled, **reasons}) == plain({**last[1], **reasons})


def test_a_game_at_a_table_is_joined_asked_about_mended_and_reviewed(
    page: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    times, stream = [], replies.Stream
    monkeypatch.setattr(
        replies, "Stream", lambda *asked: times.append(asked[1].seconds) or stream(*asked)
    )
    begin: dict[str, Any] = {"rules": "dice/amigo", "players": 2, "me": 0, "scores": [3, 7]}
    joined = page.post("/api/games", {**begin, "names": [None, "Anna"], "first": 1}).json
    assert (joined["scores"], joined["names"]) == ([3, 7], [None, "Anna"])
    assert "round 0 first 1" in page.get(f"/api/games/{joined['id']}/record").json["record"]
    assert page.post("/api/games", {**begin, "more": 1}).status == 422
    game = page.post("/api/games", {"rules": "pikomino/egmont", "players": 2, "me": 0}).json
    place = f"/api/games/{game['id']}"
    assert page.get(f"{place}/advice").error["kind"] == "nothing to decide"
    for entry in ("roll 11122334; keep 3", "roll 1WW455"):
        sent = {"entry": entry, "version": game["version"]}
        game = page.post(f"{place}/entry", sent).json
    assert page.post(f"{place}/entry", sent).status == 409
    assert page.post(f"{place}/entry", {**sent, "version": True}).status == 422
    assert page.post(f"{place}/entry", {"entry": "keep W"}).status == 422
    name, advice = page.get(f"{place}/advice").events[-1]
    assert name == "answer"
    assert plain(advice) == plain(lo.advise("pikomino/egmont", game["position"]).to_json())
    assert {each["action"] for each in advice["actions"]} == set(game["actions"])
    *parts, (name, review) = page.get(f"{place}/review").events
    assert (name, {part for part, _ in parts} - {"progress"}) == ("answer", set())
    expected = lo.review(page.get(f"{place}/record").json["record"], games=2_000).to_json()
    assert review["decisions"] == json.loads(json.dumps(expected["decisions"]))
    _, german = page.get(f"{place}/review?language=de").events[-1]
    assert german["decisions"][0]["where"]["text"] == "dein 1. Zug"
    assert times == [None, guard.MOST_REVIEW, guard.MOST_REVIEW]
    step = page.get(f"{place}/entries/0?begun=roll%2011122334").json
    assert (step["seat"], {choice["verb"] for choice in step["choices"]}) == (0, {"keep"})
    sent = {"index": 0, "entry": "roll 11122334; keep 1", "version": game["version"]}
    assert page.post(f"{place}/mend", {**sent, "entry": "roll 11122334; keep 5"}).status == 422
    assert page.post(f"{place}/mend", {**sent, "version": 1}).status == 409
    mended = page.post(f"{place}/mend", sent).json
    assert "keep 1" in mended["moves"][-1]
    back = page.post(f"{place}/undo", {"version": mended["version"]}).json
    assert (back["version"], back["redo"]) == (game["version"], True)
    again = page.post(f"{place}/redo", {"version": back["version"]}).json
    assert again["version"] == mended["version"]
    assert page.get("/api/games").json["games"][0]["id"] == game["id"]
    for path, status in (("0000", 404), (f"{game['id']}/entries/9", 422)):
        assert page.get(f"/api/games/{path}").status == status


def test_a_position_is_trained_with(page: Inside) -> None:
    place = "/api/train/dice"
    drill = page.get(place).json
    best = {each.id: each.best for each in collection("dice")}[drill["id"]]
    wrong = next(each["action"] for each in drill["choices"] if each["action"] != best)
    assert page.get(f"{place}?language=de").json["id"] == drill["id"]
    answer = page.post(place, {"id": drill["id"], "action": wrong}).json
    assert (answer["right"], answer["best"]) == (False, best)
    again = page.get(place).json
    assert (again["id"], again["due"]) == (drill["id"], 1)  # what was missed comes back at once
    assert page.post(place, {"id": drill["id"], "action": best}).json["right"] is True
    assert page.get(place).json["id"] != drill["id"]
    for sent in ({"id": "0", "action": "roll"}, {"id": 1, "action": []}, {"id": "0"}):
        assert page.post(place, sent).error["kind"] == "cannot read"
    assert page.get("/api/train/chess").error["kind"] == "cannot read"


class Enough(Exception):
    """Nobody waits any more."""


def test_a_long_answer_can_be_stopped_on_the_way() -> None:
    """To its end it would take half a minute."""
    for more in ({"seconds": 30, "precision": 0.0001}, {"games": 200_000, "sensitivity": True}):
        looks = iter(range(4))

        def look(looks: Iterator[int] = looks) -> None:
            if next(looks, None) is None:
                raise Enough

        question = questions.question_of("advise", {**CARDS, **more})
        with stopped_by(look), pytest.raises(Enough):
            question.asked(1, lambda early: None)


# Refusals


@pytest.mark.parametrize(
    ("asked", "kind", "said"),
    [
        ({"rules": "lama/amigo"}, "cannot read", "position is missing"),
        ({**CARDS, "game": 5}, "cannot read", "unknown option 'game'\ndid you mean games?"),
        ({**CARDS, "games": 10**9}, "limits", "at most 200,000"),
        ({**CARDS, "games": True}, "cannot read", "games"),
        ({**CARDS, "position": 5}, "cannot read", "expected text"),
        ({"rules": "../etc", "position": ""}, "cannot read", "unknown game"),
        ([1], "cannot read", "expected a JSON object"),
    ],
)
def test_what_is_not_answered_says_why(page: Inside, asked: Any, kind: str, said: str) -> None:
    found = page.post("/api/advise", asked)
    assert found.status == 422
    assert found.error["kind"] == kind
    assert said in found.error["message"]


def test_a_stream_of_what_cannot_be_read_is_an_error(page: Inside) -> None:
    found = page.get("/api/advise/stream?rules=lama/amigo&position=hand%3D9&games=1000")
    assert (found.status, found.error["kind"]) == (422, "cannot read")
    found = page.get("/api/advise/stream?rules=lama/amigo&position=&games=many")
    assert found.error["message"].startswith("games 'many'")


def test_no_request_names_a_file(page: Inside, tmp_path: Path) -> None:
    variants, policy = tmp_path / "quick.toml", tmp_path / "mine.json"
    variants.write_text('name = "quick"\nbase = "dice/amigo"\n', encoding="utf-8")
    policy.write_text(json.dumps({"policy": "threshold:5"}), encoding="utf-8")
    rules, position = f"@{variants}", "hand=25L row=1346L opp=13"
    asked = {"rules": rules, "position": position}
    replies = [
        page.post("/api/advise", asked),
        page.post("/api/odds", asked),
        page.post("/api/thresholds", {"rules": rules}),
        page.post("/api/games", {"rules": rules, "players": 2, "me": 0}),
        page.get("/api/rules/" + quote(rules)),
        page.get("/api/advise/stream?" + urlencode(asked)),
        page.post("/api/advise", {**CARDS, "opponents": f"@{policy}"}),
        page.post("/api/thresholds", {"rules": "dice/amigo", "policy": f"@{policy}"}),
    ]
    for reply in replies:
        assert reply.status == 422
        assert "files cannot be named here" in reply.error["message"]


def test_errors_of_positions_have_their_place_and_all_defects(page: Inside) -> None:
    found = page.post("/api/advise", {"rules": "lama/amigo", "position": "hand=3x top=4 opp=4"})
    assert (found.error["kind"], found.error["start"]) == ("cannot read", 6)
    odd = "hand=3356L top=4 opp=0,q0 pile=90"
    found = page.post("/api/advise", {"rules": "lama/amigo", "position": odd})
    assert found.error["kind"] == "cannot occur"
    assert len(found.error["defects"]) == 3
    fields = [(each["field"], each["seat"]) for each in found.error["fields"]]
    assert fields == [("opp", 2), ("opp", 1), ("", 0)]


def test_too_many_questions_are_told_to_come_again(
    page: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "WAITING_EACH", 0)
    for found in (
        page.post("/api/advise", CARDS),
        page.get("/api/advise/stream?" + urlencode(CARDS)),
        page.get("/api/games"),
    ):
        assert (found.status, found.error["kind"]) == (429, "refused")
        assert found.headers["retry-after"] == str(guard.RETRY_AFTER)
    assert not page.work.streams


def test_a_fault_of_ours_says_nothing_of_itself(
    page: Inside, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fault(language: str) -> None:
        raise ValueError(f"the secret of {language}")

    monkeypatch.setattr(questions, "games", fault)
    found = page.get("/api/rules")
    assert (found.status, found.error["kind"]) == (500, "refused")
    assert "secret" not in found.text
    assert "/api/rules" in caplog.text
    assert "the secret of en" in caplog.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/advise", 405),
        ("POST", "/api/health", 405),
        ("HEAD", "/", 405),
        ("GET", "/api/nothing", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/static/", 404),
    ],
)
def test_other_addresses_and_methods(page: Inside, method: str, path: str, status: int) -> None:
    assert page.ask(method, path).status == status


def test_every_reply_has_the_headers_that_protect_the_page(page: Inside) -> None:
    for path in ("/", "/static/style.css", "/api/health", "/api/nothing", "/api/advise"):
        headers = page.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "unsafe" not in headers["content-security-policy"]
        assert not any(name.startswith("access-control") for name in headers)
        assert "server" not in headers


def test_assets_are_kept_until_they_change(page: Inside) -> None:
    for path in ("/", "/static/app.js", "/static/table/table.js"):
        found = page.get(path)
        assert found.headers["cache-control"] == "no-cache"
        again = page.get(path, headers={"If-None-Match": found.headers["etag"]})
        assert (again.status, again.text) == (304, "")
    assert page.get("/api/rules").headers["cache-control"] == "no-store"


def test_people_read_errors_as_a_page(page: Inside) -> None:
    found = page.get("/nothing", headers={"Accept": "text/html,application/xhtml+xml"})
    assert (found.status, found.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is nothing here." in found.text
    html = {"Accept": "text/html"}
    found = page.get("/", headers={**html, "Host": "evil.com"})
    assert (found.status, "names another host." in found.text) == (400, True)
    found = page.post("/api/odds", b'{"<b>": 1, "<b>": 2}', headers=html)
    assert (found.status, "&lt;b&gt;" in found.text, "<b>" in found.text) == (400, True, False)
    assert page.get("/nothing").error["message"] == "there is nothing here"


def test_sheets_and_links_of_reports_lead_somewhere(page: Inside) -> None:
    found = page.get("/api/lookup?language=de").json
    sheet = page.get(next(each["address"] for each in found["sheets"] if each["name"] == "lama"))
    assert '<html lang="de">' in sheet.text
    assert "script" not in sheet.headers["content-security-policy"].replace("sandbox", "")
    assert page.get("/sheets/chess").status == 404
    for report in found["reports"]:
        text = page.get(report["address"]).text
        links = {link for link in re.findall(r'href="([^"#]+)', text) if ":" not in link}
        assert "/?lookup=" in links
        paths = [link if link.startswith("/") else f"/reports/{link}" for link in links]
        assert not [path for path in paths if page.get(path).status not in (200, 307)]


def test_health_and_rules(page: Inside) -> None:
    assert page.get("/api/health").json == {"version": lama_odds.__version__}
    games = {game["name"]: game for game in page.get("/api/rules").json["games"]}
    ours = {"lama", "dice", "pikomino", "noprob"}
    assert ours <= {name for name, game in games.items() if game["follows"] and game["trains"]}
    editions = {edition["id"]: edition for edition in games["dice"]["editions"]}
    assert editions["dice/amigo"]["players"] == [2, 6]
    aims = {aim["name"]: (aim["higher"], aim["share"]) for aim in games["dice"]["objectives"]}
    assert aims == {"points": (False, False), "margin": (False, False), "win": (True, True)}
    assert page.get("/api/rules/dice/amigo%2Btwenty").json["values"]["twenty"] is True
    assert page.get("/api/rules/dice/polish").error["kind"] == "cannot read"


def test_answers_are_in_the_language_of_the_address(page: Inside) -> None:
    asked = {**LAST, "seed": 0}
    english = page.post("/api/advise", asked).json
    answer = page.post("/api/advise?language=de", asked).json
    streamed = page.get(f"/api/advise/stream?language=de&{urlencode(asked)}").events[-1][1]
    for found in (answer, streamed):
        assert any("gelten dieselben Würfe" in line for line in found["assumptions"])
    for key in ("rules", "position", "objective", "verdict", "best"):
        assert answer[key] == english[key]
    values = [[each["value"] for each in found["actions"]] for found in (answer, english)]
    assert values[0] == values[1]
    aims = page.get("/api/rules?language=fr").json["games"][0]["objectives"]
    assert page.get("/api/rules").json["games"][0]["objectives"] != aims
    refused = page.get("/api/rules?language=xx")
    assert (refused.status, refused.error["kind"]) == (422, "cannot read")


# Servers as processes of their own


@pytest.mark.long
def test_another_machine_needs_the_token(tmp_path: Path) -> None:
    """Asked at the address in the network, the server does not see loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine is in no network")
        host = probe.getsockname()[0]
    with served(tmp_path, "--lan") as server:
        line = next(line for line in server.said if "token=" in line)
        token = line.partition("token=")[2]
        assert any("█" in drawn or "▀" in drawn for drawn in server.said)
        assert server.get("/api/health").status == 200  # this machine
        for path in ("/", "/api/health", "/static/style.css", "/?token=wrong"):
            found = server.get(path, host=host)
            assert found.status == 401
            assert "token" in found.error["message"]
        entered = server.get(f"/?token={token}&rules=dice/amigo", host=host)
        assert (entered.status, entered.headers["location"]) == (303, "/?rules=dice%2Famigo")
        given = {"Cookie": entered.headers["set-cookie"].partition(";")[0]}
        assert server.get("/api/health", host=host, headers=given).status == 200


@pytest.mark.long
def test_ctrl_c_in_the_middle_of_questions(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        query = "rules=lama/amigo&position=hand%3D3356L+top%3D4+opp%3D4&precision=0.0001"
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            head = f"Host: 127.0.0.1:{server.port}\r\n\r\n"
            connection.sendall(f"GET /api/advise/stream?{query} HTTP/1.1\r\n{head}".encode())
            found = b""
            while b"event: interim" not in found:
                found += connection.recv(4096)
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(60) == 0
        assert "Traceback" not in server.log.read_text(encoding="utf-8")


@pytest.mark.long
def test_a_game_goes_on_after_a_kill_in_its_middle(tmp_path: Path) -> None:
    luck = random.Random(3)
    with served(tmp_path) as server:
        begun = {"rules": "dice/amigo", "players": 2, "me": 0}
        game = server.post("/api/games", begun).json
        for _ in range(10):
            entry = entry_of(luck.choice(game["choices"]), luck)
            sent = {"entry": entry, "version": game["version"]}
            game = server.post(f"/api/games/{game['id']}/entry", sent).json
        server.process.kill()
        server.process.wait(60)
    with served(tmp_path) as server:
        again = server.get(f"/api/games/{game['id']}").json
        assert {**again, "news": None} == {**game, "news": None}
        sent = {"entry": entry_of(game["choices"][0], luck), "version": game["version"]}
        assert server.post(f"/api/games/{game['id']}/entry", sent).status == 200


# Attacks

REQUESTS = 400
DOCUMENTED = {200, 201, 303, 400, 401, 404, 405, 409, 413, 422, 429}
LEAKS = ("Traceback", "site-packages", str(Path.home()), str(Path(__file__).parents[2]), 'File "')
ODD_VALUES: list[Any] = [
    *(None, True, [], {}, -1, 0, 0.5, 10**30, 1 << 63, "x" * 10_000, "@/etc/passwd", [[[]]]),
    *({"a": {"b": 1}}, "best", "threshold:5", "threshold:" + "9" * 300, "\0", "é", "𝟙", "‮"),
    *("-1", "9" * 40, "1e400", "../", "%00", "<script>", "';--", "=", " ", ""),
]
ODD_BODIES = [b"[" * 2_000, b'{"a":' * 500, b"NaN", b'"\\ud800"', b"1" * 5_000, b"x" * 70_000]
ODD_PATHS = [
    *("/", "/api/rules", "/api/health", "/api/games", "/api/lookup", "/static/style.css"),
    *("/api/rules/dice/amigo", "/api/rules/../../etc/passwd", "/api/rules/" + "x" * 3_000),
    *("/static/../app.py", "/static/%2e%2e%2fapp.py", "/static//etc/passwd", "/static/%00"),
    *("/api/games/../../x", "/api/games/%2e%2e/record", "//x", "/%ff", "/api/advise/stream"),
    *("/api/games/" + "f" * 16 + "/advice", "/api/games/x/review", "/nothing"),
]
ODD_HEADERS = [
    *(("Host", "example.org"), ("Origin", "http://evil.example"), ("Origin", "null")),
    *(("Sec-Fetch-Site", "cross-site"), ("Cookie", "lama-odds=" + "x" * 2_000)),
    *(("Authorization", "Bearer \xff"), ("If-Modified-Since", "never"), ("Range", "bytes=0-9")),
    *(("Content-Type", "text/plain"), ("Accept-Encoding", "x" * 5_000)),
]


def odd_request(luck: random.Random) -> tuple[str, str, Any, dict[str, str]]:
    """A method, a path, a body and headers; a question has one or two odd options."""
    asked: dict[str, Any] = {**luck.choice([CARDS, TURN, LAST]), "games": 1_000}
    names = ["games", "seed", "objective", "opponents", "rules", "position", "seconds", "x"]
    for name in luck.sample(names, luck.choice([0, 1, 1, 2])):
        asked[name] = luck.choice(ODD_VALUES)
    odd: list[Any] = [luck.choice(ODD_BODIES), luck.randbytes(99)]
    method = luck.choice(["POST"] * 6 + ["GET"] * 3 + ["PUT", "DELETE", "TRACE"])
    asking = method == "POST" and luck.random() < 0.9
    path = luck.choice(["/api/advise", "/api/odds", "/api/games"] if asking else ODD_PATHS)
    body = luck.choice([asked] * 8 + odd) if method == "POST" else None
    return method, path, body, dict([luck.choice(ODD_HEADERS)] if luck.random() < 0.1 else [])


@pytest.mark.long
def test_hostile_requests_have_documented_answers(page: Inside) -> None:
    luck, counts = random.Random(5), Counter[int]()
    for _ in range(REQUESTS):
        request = odd_request(luck)
        found = page.ask(*request)
        counts[found.status] += 1
        assert found.status in DOCUMENTED, request
        assert not any(leak in found.text for leak in LEAKS), request
        if found.headers.get("content-type") == "application/json":
            from_json(found.text)  # strict
    assert {200, 400, 404, 405, 413, 422} <= counts.keys()
    assert page.get("/api/health").status == 200
