"""Which addresses belong to one site, and texts of sites on a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import Settings

from newscrawl.discovery.onboarding.files import Project, site_key
from newscrawl.discovery.proposals.declaration import Declaration
from newscrawl.errors import UsageError


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.news.example/", "http://news.example:8080/rss", True),
        ("https://news.example/", "https://other.example/", False),
        ("http://127.0.0.1:8001/", "http://127.0.0.1:8002/", False),
        ("http://127.0.0.1:8001/", "http://127.0.0.1:8001/rss", True),
        ("http://localhost:8001/", "http://localhost:8002/", False),
        ("http://a.localhost:8001/", "http://sport.a.localhost:8001/", True),
    ],
)
def test_a_site_is_a_domain_and_on_bare_addresses_a_port(one: str, other: str, same: bool) -> None:
    assert (site_key(one) == site_key(other)) is same


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The test's project, its spiders apart from the repository's."""
    monkeypatch.chdir(project)
    found = Project(Settings({"NEWSPIDER_MODULE": "spiders", "SPIDER_MODULES": ["spiders"]}))
    found.spiders = project / "spiders"
    return found


def test_the_owner_of_an_address_is_found_by_its_domain(here: Project) -> None:
    here.names = frozenset({"demo", "generic"})
    assert here.owner("http://sport.demo.localhost:1/a") == "demo"
    assert here.owner("http://demo.localhost.example/") is None


def site(name: str) -> Declaration:
    return Declaration(name, "News", ("news.example",), "https://news.example/")


@pytest.mark.parametrize("name", ["../town", "__init__", "Town", "a b", "1town", "", "tówn"])
def test_a_name_that_is_no_modules_is_refused(name: str, here: Project) -> None:
    with pytest.raises(UsageError, match="--name"):
        here.check_name(name)
