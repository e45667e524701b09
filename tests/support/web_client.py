"""A program with the token that asks the pages of `newscrawl web`, which run in this process."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from starlette.testclient import TestClient
from web_database import NOW, TOKEN

from newscrawl.web.application import Pages, make_application
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import WebSettings

BEARER = {"authorization": f"Bearer {TOKEN}"}


def client_of(shown: str | WebSettings | Pages, clock: Callable[[], datetime] = lambda: NOW, **how: Any) -> TestClient:
    """Returns a client of a database, of a server with these settings, or of these pages. `how` is for TestClient."""
    if isinstance(shown, str):
        shown = WebSettings(shown, token=TOKEN)
    if isinstance(shown, WebSettings):
        shown = Pages(shown, Logins(TOKEN, clock), clock)
    application = make_application(shown.settings, shown.logins, clock, shown)
    return TestClient(application, **{"base_url": "http://localhost", "headers": BEARER, **how})
