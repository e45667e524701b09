"""Access: log-in, token, hosts, origins, actions and headers. The application runs in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import httpx2 as httpx
import pytest
from frozen_clock import FrozenClock
from starlette.testclient import TestClient
from web_database import NOW, TOKEN

from newscrawl.web.application import make_application
from newscrawl.web.sessions import CALM, KEY_LIFE, MAX_PAUSE, MAX_PAUSED, MAX_SESSIONS, SESSION_LIFE, Logins
from newscrawl.web.settings import Listening, WebSettings, read_listening

BASE = "http://127.0.0.1:8787"
Visit = Callable[..., TestClient]


@pytest.fixture
def logins(clock: FrozenClock) -> Logins:
    return Logins(TOKEN, clock)


@pytest.fixture
def visit(settings: WebSettings, logins: Logins, clock: FrozenClock) -> Visit:
    """`visit(actions=..., **headers)` returns a stranger's client."""

    def visit(*, actions: bool = False, origins: tuple[str, ...] = (), **headers: str) -> TestClient:
        application = make_application(replace(settings, actions=actions, origins=origins), logins, clock)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return TestClient(application, base_url=BASE, headers=named, follow_redirects=False)

    return visit


def test_a_stranger_gets_the_log_in_and_nothing_else(visit: Visit) -> None:
    client = visit()
    for path in ("/", "/sites", "/sites.json", "/nowhere", "/static/../sites"):
        assert client.get(path).status_code == 401
    answer = client.get("/now.json")
    assert answer.json()["error"].startswith("log in first")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert client.get("/login").status_code == client.get("/static/style.css").status_code == 200


def test_the_printed_address_works_once(visit: Visit, logins: Logins) -> None:
    client, key = visit(), logins.new_key()
    answer = client.get(f"/login?key={key}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie
    assert client.get("/").status_code == 200
    again = visit()
    assert again.get(f"/login?key={key}").status_code == 403
    assert again.get("/").status_code == 401


def test_looking_at_the_printed_address_does_not_use_it_up(visit: Visit, logins: Logins) -> None:
    client, key = visit(), logins.new_key()
    assert client.head(f"/login?key={key}").status_code == 200
    assert client.get("/").status_code == 401
    assert client.get(f"/login?key={key}").status_code == 303


def test_a_log_in_leads_to_the_page_that_was_asked_for(visit: Visit) -> None:
    client, path = visit(sec_fetch_site="same-origin"), "/site?name=harbour&from=2026"
    refused = client.get(path)
    assert refused.status_code == 401
    assert '<a href="/site?name=harbour&amp;from=2026">I have logged in' in refused.text  # this link sends the cookie
    form = client.get("/login", params={"next": path})
    assert 'name="next" value="/site?name=harbour&amp;from=2026"' in form.text
    begun = client.post("/login", data={"token": TOKEN, "next": path})
    assert (begun.status_code, begun.headers["location"]) == (303, path)


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example/", "https://evil.example/", "/\\evil.example", "evil", "/a\r\nb", f"/{'a' * 5_000}"]
)
def test_a_log_in_leads_to_no_other_server(visit: Visit, elsewhere: str) -> None:
    client = visit(sec_fetch_site="same-origin")
    assert client.post("/login", data={"token": TOKEN, "next": elsewhere}).headers["location"] == "/"


def test_a_token_is_offered_only_where_there_is_one(settings: WebSettings, clock: FrozenClock) -> None:
    client = TestClient(make_application(settings, Logins("", clock), clock), base_url=BASE)
    assert "Log in with a token" not in client.get("/").text


def test_a_wrong_token_is_named_and_logged_without_the_token(visit: Visit, caplog: pytest.LogCaptureFixture) -> None:
    answer = visit(authorization="Bearer not-the-token-at-all").get("/now.json")
    assert answer.json()["error"].startswith("this token is wrong")
    visit(sec_fetch_site="same-origin").post("/login", data={"token": "guess"})
    visit().get("/login?key=guess")
    assert caplog.messages == [
        "a log-in was refused: token of a program from testclient",
        "a log-in was refused: token from testclient",
        "a log-in was refused: address from testclient",
    ]


def test_an_error_keeps_the_navigation_for_who_has_logged_in(client: TestClient, visit: Visit) -> None:
    answer = client.get("/site", params={"name": "nowhere"})
    assert answer.status_code == 404
    assert '<nav aria-label="Screens">' in answer.text
    assert "<nav" not in visit().get("/site").text


def test_the_printed_address_works_for_ten_minutes(visit: Visit, logins: Logins, clock: FrozenClock) -> None:
    keys = [logins.new_key(), logins.new_key()]
    clock.now += KEY_LIFE - timedelta(seconds=1)
    assert visit().get(f"/login?key={keys[0]}").status_code == 303
    clock.now += timedelta(seconds=1)
    assert visit().get(f"/login?key={keys[1]}").status_code == 403


def test_a_session_ends(visit: Visit, logins: Logins, clock: FrozenClock) -> None:
    client = visit()
    client.get(f"/login?key={logins.new_key()}")
    clock.now += SESSION_LIFE - timedelta(seconds=1)
    assert client.get("/").status_code == 200
    clock.now += timedelta(seconds=1)
    assert client.get("/").status_code == 401


@pytest.mark.parametrize(
    "other", ['prefs={"a":1}', "names=b c", "x[y]=1", "flag", "path=/", 'open="', "user@host=1", "=", "\xfc=1"]
)
def test_a_cookie_of_another_program_does_not_end_a_session(visit: Visit, logins: Logins, other: str) -> None:
    client = visit()
    client.get(f"/login?key={logins.new_key()}")
    secret = client.cookies["newscrawl_8787"]
    stranger = visit()
    for cookies in (f"{other}; newscrawl_8787={secret}", f"newscrawl_8787={secret};{other}"):
        assert stranger.get("/", headers={"cookie": cookies.encode("latin-1")}).status_code == 200
    same_site = {"cookie": f"{other}; newscrawl_8787={secret}".encode("latin-1"), "sec-fetch-site": "same-origin"}
    assert stranger.post("/logout", headers=same_site).status_code == 303
    assert client.get("/").status_code == 401


def test_logging_out_ends_the_session(visit: Visit, logins: Logins) -> None:
    client = visit()
    client.get(f"/login?key={logins.new_key()}")
    secret = dict(client.cookies)["newscrawl_8787"]
    assert client.post("/logout", headers={"sec-fetch-site": "same-origin"}).status_code == 303
    assert visit(cookie=f"newscrawl_8787={secret}").get("/").status_code == 401


def test_the_oldest_session_ends_when_there_are_too_many(visit: Visit, logins: Logins) -> None:
    secrets = [logins.use_key(logins.new_key()) or "" for _ in range(MAX_SESSIONS + 1)]
    assert logins.session(secrets[0]) is None
    assert logins.session(secrets[1]) is not None


def test_a_cookie_is_for_tls_behind_a_proxy_with_tls(visit: Visit, logins: Logins) -> None:
    client = visit(origins=("https://news.example",))
    cookie = client.get(f"/login?key={logins.new_key()}").headers["set-cookie"]
    assert "secure" in cookie.lower()


def test_wrong_tokens_are_slowed_and_the_right_one_is_not(settings: WebSettings, clock: FrozenClock) -> None:
    pauses: list[float] = []
    right: list[int] = []

    async def sleep(seconds: float) -> None:
        """Asks with the right token while the wrong one waits."""
        pauses.append(seconds)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url=BASE) as other:
            answer = await other.get("/sites", headers={"authorization": f"Bearer {TOKEN}"})
            right.append(answer.status_code)

    application = make_application(settings, Logins(TOKEN, clock, sleep), clock)
    client = TestClient(application, base_url=BASE, headers={"authorization": "Bearer another-token-of-16"})
    wrong = [client.get("/sites").status_code for _ in range(3)]
    client = TestClient(application, base_url=BASE)
    wrong += [client.get("/login?key=guess").status_code for _ in range(2)]
    form = {"data": {"token": "guess"}, "headers": {"sec-fetch-site": "same-origin"}}
    wrong += [client.post("/login", **form).status_code for _ in range(2)]
    assert wrong == [401] * 3 + [403] * 4
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, MAX_PAUSE, MAX_PAUSE]
    assert right == [200] * 7
    assert (client.get("/sites").status_code, len(pauses)) == (401, 7)  # without a token nothing is guessed
    clock.now += CALM
    client.get("/login?key=guess")
    assert pauses[7:] == [0.1]


def test_a_crowd_of_wrong_tokens_does_not_use_up_the_connections(settings: WebSettings, clock: FrozenClock) -> None:
    released, paused = asyncio.Event(), []

    async def sleep(seconds: float) -> None:
        paused.append(seconds)
        await released.wait()

    application = make_application(settings, Logins(TOKEN, clock, sleep), clock)

    async def ask() -> list[int]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url=BASE) as client:
            wrong = {"authorization": "Bearer another-token-of-16"}
            asked = [asyncio.create_task(client.get("/sites", headers=wrong)) for _ in range(MAX_PAUSED + 5)]
            at_once, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            released.set()
            assert at_once
            return [(await task).status_code for task in asked]

    assert set(asyncio.run(ask())) == {401}
    assert len(paused) == MAX_PAUSED


@pytest.mark.parametrize("token", ["wrong", f"{TOKEN}x", TOKEN[:-1], "", "é" * 20])
def test_a_wrong_token_gives_no_access(visit: Visit, token: str) -> None:
    client = visit()
    assert client.get("/sites", headers=[(b"authorization", f"Bearer {token}".encode())]).status_code == 401
    form = client.post("/login", data={"token": token}, headers={"sec-fetch-site": "same-origin"})
    assert form.status_code == 403


def test_the_token_gives_access_and_a_session(visit: Visit) -> None:
    assert visit(authorization=f"Bearer {TOKEN}").get("/sites").status_code == 200
    client = visit()
    answer = client.post("/login", data={"token": TOKEN}, headers={"sec-fetch-site": "same-origin"})
    assert answer.status_code == 303
    assert client.get("/sites").status_code == 200


def test_without_a_token_no_empty_token_gives_access(settings: WebSettings) -> None:
    application = make_application(replace(settings, token=""), Logins("", lambda: NOW), lambda: NOW)
    client = TestClient(application, base_url=BASE)
    assert client.get("/", headers={"authorization": "Bearer "}).status_code == 401
    form = client.post("/login", data={"token": ""}, headers={"sec-fetch-site": "same-origin"})
    assert form.status_code == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.", "127.0.0.1@evil.example", "", "[::2]", "0.0.0.0", "127.1"],
)
def test_another_host_is_refused(visit: Visit, host: str) -> None:
    client = visit(authorization=f"Bearer {TOKEN}")
    assert client.get("/", headers={"host": host}).status_code == 421
    assert client.get("/static/style.css", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8787", "LOCALHOST", "localhost:1", "[::1]:8787", "news.example"])
def test_known_hosts_are_answered(visit: Visit, host: str) -> None:
    client = visit(origins=("https://news.example",), authorization=f"Bearer {TOKEN}")
    assert client.get("/", headers={"host": host}).status_code == 200


FROM = {
    "same-origin": ({"sec-fetch-site": "same-origin"}, True),
    "same-site": ({"sec-fetch-site": "same-site"}, False),
    "cross-site": ({"sec-fetch-site": "cross-site"}, False),
    "none": ({"sec-fetch-site": "none"}, False),
    "cross-site with own Origin": ({"sec-fetch-site": "cross-site", "origin": BASE}, False),
    "own Origin": ({"origin": BASE}, True),
    "another port": ({"origin": "http://127.0.0.1:9999"}, False),
    "another host": ({"origin": "http://evil.example"}, False),
    "null": ({"origin": "null"}, False),
    "odd": ({"origin": "http://[::"}, False),
    "neither": ({}, False),
}


@pytest.mark.parametrize(("headers", "is_let_in"), FROM.values(), ids=FROM)
def test_a_session_acts_only_from_pages_of_this_server(
    visit: Visit, logins: Logins, headers: dict[str, str], is_let_in: bool
) -> None:
    client = visit(actions=True)
    client.get(f"/login?key={logins.new_key()}")
    answer = client.post("/nowhere", headers=headers)
    assert answer.status_code == (404 if is_let_in else 403)


@pytest.mark.parametrize(
    ("origin", "status"),
    [("https://news.example", 404), ("https://news.example:444", 403), ("https://evil.example", 403), ("null", 403)],
)
def test_a_proxy_may_pass_its_own_host_on(visit: Visit, logins: Logins, origin: str, status: int) -> None:
    """A browser that sends no Sec-Fetch-Site, behind a proxy that names this server by its address."""
    client = visit(actions=True, origins=("https://news.example",))
    key = client.get(f"/login?key={logins.new_key()}")
    cookie = key.headers["set-cookie"].partition(";")[0]
    answer = client.post("/nowhere", headers={"origin": origin, "host": "127.0.0.1:8787", "cookie": cookie})
    assert answer.status_code == status


def test_a_program_acts_with_the_token_alone(visit: Visit) -> None:
    client = visit(actions=True, authorization=f"Bearer {TOKEN}")
    assert client.post("/nowhere").status_code == 404
    assert client.post("/nowhere", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_without_actions_nothing_acts(visit: Visit) -> None:
    answer = visit(authorization=f"Bearer {TOKEN}", accept="application/json").post("/nowhere")
    assert (answer.status_code, "--actions" in answer.json()["error"]) == (403, True)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "ODD"])
def test_other_methods_are_refused(visit: Visit, method: str) -> None:
    assert visit(actions=True, authorization=f"Bearer {TOKEN}").request(method, "/").status_code == 405


def test_a_large_body_is_refused(visit: Visit) -> None:
    client = visit(actions=True, authorization=f"Bearer {TOKEN}")
    assert client.post("/nowhere", content=b"x" * 70_000).status_code == 413


@pytest.mark.parametrize("path", ["/", "/now.json", "/login", "/nowhere", "/static/refresh.js", "/sites?odd=1"])
def test_every_answer_has_the_security_headers(visit: Visit, path: str) -> None:
    is_no_page = path.startswith("/static") or path.endswith(".json")
    for client in (visit(), visit(authorization=f"Bearer {TOKEN}"), visit(host="evil.example")):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == ("private, no-cache" if "etag" in headers and is_no_page else "no-store")
        assert "server" not in headers


def test_pages_have_no_inline_script_and_no_inline_style(client: TestClient) -> None:
    for path in ("/", "/sites", "/site?name=harbour", "/consumers", "/login"):
        page = client.get(path).text
        assert "<style" not in page
        assert " style=" not in page
        assert page.count("<script") == page.count('<script src="/static/')
        assert " onclick" not in page


def test_no_host_is_every_address() -> None:
    assert "0.0.0.0" not in WebSettings("sqlite:///news.db", Listening("0.0.0.0"), token=TOKEN).hosts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("127.0.0.1:9000", Listening("127.0.0.1", 9000)),
        (":9000", Listening("127.0.0.1", 9000)),
        ("[::1]:0", Listening("::1", 0)),
        ("localhost", Listening("localhost")),
    ],
)
def test_addresses_to_listen_on_are_read(text: str, found: Listening) -> None:
    assert read_listening(text) == found


def test_secrets_are_in_no_repr(settings: WebSettings) -> None:
    assert TOKEN not in repr(settings)
    assert "sqlite" not in repr(settings)


@pytest.mark.parametrize(
    "twice",
    [
        [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")],
        [("origin", BASE), ("origin", "http://evil.example")],
        [("authorization", f"Bearer {TOKEN}"), ("authorization", "Bearer another-token-of-16")],
    ],
)
def test_a_header_that_decides_must_not_be_there_twice(visit: Visit, twice: list[tuple[str, str]]) -> None:
    headers = [("authorization", f"Bearer {TOKEN}"), *twice][-3:]
    answer = visit(actions=True).post("/logout", headers=headers)
    assert answer.status_code == 400
    assert "is there twice" in answer.text


def test_a_body_without_a_length_is_refused(visit: Visit) -> None:
    client = visit(actions=True, authorization=f"Bearer {TOKEN}")
    for more, status in (({}, 411), ({"content-length": "5"}, 400)):
        headers = {"transfer-encoding": "chunked", **more}
        assert client.post("/logout", headers=headers, content=b"").status_code == status


@pytest.mark.parametrize(
    "path", ["/site?name=", "/articles?site=", "/review?site=", "/feed.atom?search=", "/search?q=a&site="]
)
def test_a_name_longer_than_any_is_refused(visit: Visit, path: str) -> None:
    answer = visit(authorization=f"Bearer {TOKEN}").get(f"{path}{'x' * 201}")
    assert answer.status_code == 400
    assert "at most 200 characters" in answer.text
