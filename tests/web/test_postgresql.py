"""Every screen over PostgreSQL: the same pages and the same JSON as over SQLite."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from json_schema import problems, stored_schema
from sqlalchemy import create_engine, make_url, text
from starlette.testclient import TestClient
from web_client import client_of
from web_database import COPY, FERRY, HELD, TOKEN, fill

from newscrawl.publishing.search import Filters, query_of, run_query
from newscrawl.storage.store import open_store
from newscrawl.testing.services.postgresql import drop_database, new_database
from newscrawl.web.screen_list import SCREENS
from newscrawl.web.settings import WebSettings

pytestmark = [pytest.mark.postgresql, pytest.mark.process]

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "browser.md"
PARAMETERS: dict[str, list[dict[str, str]]] = {
    "site": [{"name": "harbour"}],
    "sites": [{}, {"after": "alarm:valley"}, {"sort": "newest"}, {"sort": "due", "state": "review"}],
    "articles": [
        {},
        {"site": "harbour", "day": "2026-11-21"},
        {"language": "de"},
        {"after": "20261121T112000.000000-1"},
    ],
    "search": [{"q": "whale"}],
    "article": [{"url": COPY}],
    "history": [{"url": FERRY}],
    "why": [{"url": FERRY}, {"url": HELD}],
    "review": [{"site": "valley"}],
}


def filled_client(url: str) -> TestClient:
    """A program over a filled database."""
    opened = partial(open_store, url, upgrade=True, max_wait=0.01)
    with opened() as store:
        fill(store)
    return client_of(WebSettings(url, token=TOKEN, actions=True, open_store=opened))


def everything(client: TestClient) -> dict[str, Any]:
    """What all screens answer."""
    found: dict[str, Any] = {}
    for screen in SCREENS:
        for parameters in PARAMETERS.get(screen.name, [{}]):
            page = client.get(screen.path, params=parameters)
            assert page.status_code == 200, (screen.name, page.text)
            answered = client.get(screen.json_path, params=parameters).json()
            assert problems(answered, stored_schema(screen.name)) == []
            found[f"{screen.name} {parameters}"] = answered
    return found


def test_both_databases_show_the_same(postgresql: Any, migrated: Any, tmp_path: Path) -> None:
    on_file = filled_client(f"sqlite:///{tmp_path}/news.db")
    url = new_database(postgresql, migrated)
    try:
        on_server = filled_client(url)
        before = on_server.get("/search.json", params={"q": "whale"}).json()
        assert before == {"hits": [], "has_index": False, "behind": 0, "old": 0, "more": False}
        for address in (f"sqlite:///{tmp_path}/news.db", url):
            run_query(address, query_of("whale"), Filters(), 1)
        a, b = everything(on_file), everything(on_server)
        for one in (a, b):  # what differs by its nature
            one["now {}"].pop("database_bytes")
            for hit in one["search {'q': 'whale'}"]["hits"]:
                hit.pop("score")
        assert a == b
        done = on_server.post("/act/resume", data={"site": "harbour"}, headers={"accept": "application/json"})
        assert done.json() == {"done": ["harbour is crawled again."]}
    finally:
        drop_database(postgresql, url)


def test_a_user_that_may_only_read_sees_every_screen(postgresql: Any, migrated: Any) -> None:
    """With the rights that the guide gives, also for a search index that is made later."""
    rights = GUIDE.read_text(encoding="utf-8").partition("```sql\n")[2].partition("```")[0]
    user = f"reader_{uuid4().hex}"
    url = new_database(postgresql, migrated)
    owner = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    try:
        with owner.connect() as connection:
            for statement in filter(str.strip, rights.split(";")):
                connection.execute(text(re.sub(r"\breader\b", user, statement)))
        filled_client(url)
        run_query(url, query_of("whale"), Filters(), 1)
        address = make_url(url).set(username=user).render_as_string(hide_password=False)
        reader = client_of(address)
        assert everything(reader)["search {'q': 'whale'}"]["hits"]
        assert reader.get("/feed.atom").status_code == 200
    finally:
        owner.dispose()
        drop_database(postgresql, url)
