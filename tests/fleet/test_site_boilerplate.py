"""The boilerplate of a site from outside: crawls, `newscrawl learn` and the upkeep of `newscrawl run`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from fleet_process import FleetProcess
from fleet_stories import FleetArticle, WorldOptions, stories_of, text_of
from patience import PATIENCE, wait_until
from scrapy.settings import Settings
from sqlalchemy import func, select

from newscrawl.cli import run
from newscrawl.crawling.fleet.main import RunOptions
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.reader import Connection, open_reader
from newscrawl.storage.tables.articles import articles, pages, versions
from newscrawl.storage.tables.changes import changes
from newscrawl.testing.news_server import NewsServer
from newscrawl.testing.project import child_environment, write_project

STORIES: Final = 10
RULES: Final = (
    (
        "Whoever writes below an article of this paper agrees that the editors may shorten or delete what was written, "
        "and that the discussion ends two days after the article was published, however many still want to speak."
    ),
    (
        "Insults, advertisements and unproven claims about other people are deleted without notice, and whoever breaks "
        "the rules again loses the account; a new one may be opened only after thirty days and if the editors agree."
    ),
)
SPIDER: Final = """
from newscrawl.crawling.spider import NewsSpider

class Harbour(NewsSpider):
    name = "harbour"
    domains = ("localhost",)
    home = "{url}/"
    feeds = ("{url}/news.xml",)
    daily_requests = "unlimited"
"""


class Paper:
    """A newspaper with the same rules for comments below each story."""

    def __init__(self, server: NewsServer) -> None:
        self.server = server
        self.url = server.url.replace("127.0.0.1", "localhost")
        self.stories: list[FleetArticle] = stories_of(0, WorldOptions(sites=1, initial=STORIES + 1, mean_gap=1e9))

    def publish(self, number: int, *, visitors: int = 0) -> None:
        """Serves the first stories. `visitors` stand in the footer: another number makes other bytes."""
        listed = self.stories[:number]
        self.server.feed("/news.xml", *((self.url + story.path, "") for story in listed))
        for story in listed:
            self.server.article(story.path, story.title, [*text_of("localhost", story, 0), *RULES])
            page = self.server.pages[story.path]
            assert isinstance(page, str)
            self.server.pages[story.path] = page.replace("<footer>", f"<footer>{visitors} visitors ")


class Runs:
    """The commands of a project with an archive, and its database."""

    def __init__(self, folder: Path, paper: Paper, **settings: Any) -> None:
        write_project(folder, SPIDER.format(url=paper.url))
        self.url = f"sqlite:///{folder / 'news.db'}"
        given = {
            "NEWSCRAWL_DATABASE_URL": self.url,
            "NEWSCRAWL_ARCHIVE_URL": folder / "archive",
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
            "NEWSCRAWL_DELAY": 0,
            "NEWSCRAWL_TIME_SCALE": 5_000,  # all pages are due again at once
            **settings,
        }
        self.fleet = FleetProcess(folder, child_environment(folder, given))

    def command(self, *words: str) -> str:
        """Runs a command and returns what it prints."""
        done = self.fleet.command(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def crawl(self) -> None:
        self.command("scrapy", "crawl", "harbour")

    def learn(self, *words: str) -> str:
        return self.command("newscrawl.cli", "learn", *(words or ("harbour",)), "--workers", "1")

    def texts(self) -> list[str]:
        with open_reader(self.url) as connection:
            return sorted(connection.execute(select(articles.c.text).join(pages)).scalars())

    def state(self) -> list[Any]:
        """Everything that a new version or a changed text would alter."""
        with open_reader(self.url) as connection:
            return [
                self.texts(),
                connection.execute(select(func.count()).select_from(versions)).scalar_one(),
                connection.execute(select(pages.c.url, pages.c.edits).order_by(pages.c.url)).all(),
                connection.execute(select(func.max(changes.c.seq))).scalar_one(),
                epoch_of(connection),
            ]


def epoch_of(connection: Connection) -> int:
    return site_models.boilerplate(connection, "harbour").epoch


def has_rules(text: str) -> bool:
    return any(rule in text for rule in RULES)


@pytest.fixture
def paper() -> Iterator[Paper]:
    with NewsServer() as server:
        yield Paper(server)


def test_learned_lines_leave_stored_and_new_texts_and_nothing_else_changes(tmp_path: Path, paper: Paper) -> None:
    runs = Runs(tmp_path / "project", paper)
    paper.publish(STORIES)
    runs.crawl()
    before = runs.texts()
    assert len(before) == STORIES
    assert all(all(rule in text for rule in RULES) for text in before)
    with open_reader(runs.url) as connection:
        last = connection.execute(select(func.max(changes.c.seq))).scalar_one()
        confidences = connection.execute(select(versions.c.confidence)).scalars().all()

    assert f"harbour: {STORIES} archived pages extracted again with another result" in runs.learn()
    after = runs.texts()
    assert after == sorted(text.partition(RULES[0])[0].rstrip() for text in before)
    with open_reader(runs.url) as connection:
        stored = connection.execute(select(versions)).all()
        later = connection.execute(select(changes.c.op, changes.c.reason).where(changes.c.seq > last)).all()
    assert len(stored) == STORIES
    assert {(row.change_class, row.boilerplate_epoch, len(row.left_out)) for row in stored} == {
        ("first", 1, len(RULES))
    }
    reasons = [row.reason for row in later if row.op == "upsert"]
    assert reasons.count("re-extracted") == STORIES, later
    assert set(reasons) <= {"re-extracted", "joined", "parted"}, later
    assert all(0 < row.confidence <= 1 for row in stored)
    assert [row.confidence for row in stored] != confidences

    learned = runs.state()
    assert "epoch 1 stays" in runs.learn()
    assert runs.state() == learned, "learning twice is like once"
    assert runs.learn("--due") == ""

    asked = sum(path.endswith(".html") for path, _ in paper.server.requests)
    paper.publish(STORIES, visitors=7)
    runs.crawl()
    assert sum(path.endswith(".html") for path, _ in paper.server.requests) >= asked + STORIES
    assert runs.state() == learned, "other bytes with the same text"

    paper.publish(STORIES + 1, visitors=7)
    runs.crawl()
    assert len(runs.texts()) == STORIES + 1
    assert not any(map(has_rules, runs.texts()))
    with open_reader(runs.url) as connection:
        newest = connection.execute(select(versions).order_by(versions.c.id.desc()).limit(1)).one()
    (step,) = [step for step in newest.trace if step["extractor"] == "site boilerplate"]
    assert step["reason"].endswith(f"on {STORIES} of {STORIES} stories of the site (epoch 1)")


def test_the_upkeep_of_a_run_learns_when_it_is_asked_to_and_the_run_drains(tmp_path: Path, paper: Paper) -> None:
    settings = {"NEWSCRAWL_RUN_LEARN_BOILERPLATE": True, "NEWSCRAWL_PRUNE_INTERVAL_HOURS": 2 / 3_600}
    runs = Runs(tmp_path / "project", paper, **settings)
    paper.publish(STORIES)
    runs.crawl()
    assert all(map(has_rules, runs.texts()))
    runs.fleet.start()
    try:
        wait_until(lambda: not any(map(has_rules, runs.texts())))
        code, seconds = runs.fleet.stop()
    finally:
        runs.fleet.kill()
    log = (runs.fleet.folder / "run.log").read_text()
    assert (code, "Traceback" in log) == (0, False), log
    assert seconds < PATIENCE
    assert f"upkeep of the database: 1 epochs, {STORIES} reextracted" in log
    assert runs.state()[-1] == 1


@pytest.mark.parametrize("wanted", [True, False])
def test_without_the_setting_a_run_learns_nothing(monkeypatch: pytest.MonkeyPatch, wanted: bool) -> None:
    given: list[RunOptions] = []
    monkeypatch.setattr(run, "run_fleet", lambda _settings, options: given.append(options) or 0)
    monkeypatch.setattr(run, "crawling_settings", lambda: Settings({"NEWSCRAWL_RUN_LEARN_BOILERPLATE": wanted}))
    assert CliRunner().invoke(run.command, []).exit_code == 0
    assert (given[0].further_upkeep is not None) == wanted
