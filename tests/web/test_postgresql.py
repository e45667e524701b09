"""Every screen over PostgreSQL, for a user that may only read, and an action for its owner.

tests/golden/test_recorded_run.py has the same JSON over both databases.
"""

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


def test_a_user_that_may_only_read_sees_every_screen(postgresql: Any, migrated: Any) -> None:
    """With the rights that the guide gives, also for a search index that is made later."""

    def search(client: TestClient) -> Any:
        return client.get("/search.json", params={"q": "whale"}).json()

    rights = GUIDE.read_text(encoding="utf-8").partition("```sql\n")[2].partition("```")[0]
    user = f"reader_{uuid4().hex}"
    url = new_database(postgresql, migrated)
    owner = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    try:
        with owner.connect() as connection:
            for statement in filter(str.strip, rights.split(";")):
                connection.execute(text(re.sub(r"\breader\b", user, statement)))
        opened = partial(open_store, url, upgrade=True, max_wait=0.01)
        with opened() as store:
            fill(store)
        owner_client = client_of(WebSettings(url, token=TOKEN, actions=True, open_store=opened))
        done = owner_client.post("/act/resume", data={"site": "harbour"}, headers={"accept": "application/json"})
        assert done.json() == {"done": ["harbour is crawled again."]}
        address = make_url(url).set(username=user).render_as_string(hide_password=False)
        reader = client_of(address)
        assert search(reader) == {"hits": [], "has_index": False, "behind": 0, "old": 0, "more": False}
        run_query(url, query_of("whale"), Filters(), 1)
        assert search(reader)["hits"]
        for screen in SCREENS:
            for parameters in PARAMETERS.get(screen.name, [{}]):
                page = reader.get(screen.path, params=parameters)
                assert page.status_code == 200, (screen.name, page.text)
                shown = reader.get(screen.json_path, params=parameters).json()
                assert problems(shown, stored_schema(screen.name)) == []
        assert reader.get("/feed.atom").status_code == 200
    finally:
        owner.dispose()
        drop_database(postgresql, url)
