"""From `scrapy startproject` to stored articles with the installed wheel, by the steps of the how-to."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import warm
from patience import PATIENCE

from newscrawl.compiled import FORBIDS
from newscrawl.testing.news_server import NewsServer

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "how-to" / "own-scrapy-project.md").read_text(encoding="utf-8")
FILE = re.compile(r"<!-- file: (\S+) -->\n```python\n(.*?)```", re.DOTALL)
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    pure = {**os.environ, FORBIDS: "1"}  # building the compiled core would take longer than all the rest
    subprocess.run(build, cwd=ROOT, env=pure, check=True, capture_output=True, timeout=PATIENCE)
    (made,) = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(made) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


@pytest.fixture
def site() -> Iterator[NewsServer]:
    with NewsServer() as server:
        server.pages["/"] = '<a href="/news/bridge">Bridge</a> <a href="/news/school">School</a>'
        for name in ("bridge", "school"):
            told = [f"The {name} was opened on Monday by the mayor, {n} years later than planned." for n in range(20)]
            server.article(f"/news/{name}", f"The {name} opens", told)
        yield server


def runner(libraries: str, start: Callable[..., subprocess.CompletedProcess[str]], port: int = 0) -> Run:
    """`run("scrapy", "crawl", ..., cwd=project, code=0)` with these folders of libraries."""

    def called(*words: str, cwd: Path, code: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
        module = {"scrapy": "scrapy", "newscrawl": "newscrawl.cli"}[words[0]]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEWSCRAWL_", "SCRAPY_"))}
        environment = {
            **kept,
            "PYTHONPATH": libraries,
            "PYTHONDONTWRITEBYTECODE": "",  # the wheel has none, and each process would compile all of it again
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",  # the guard refuses loopback otherwise
            "NEWSCRAWL_ALLOWED_PORTS": str(port),
            "NEWSCRAWL_EXTRACT_WORKERS": "1",
            **variables,
        }
        # -S -P: neither the repository nor the working directory is on the path
        alone = ("-S", "-P") if start is subprocess.run else ()
        done = start(
            [sys.executable, *alone, "-m", module, *words[1:]],
            cwd=cwd, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return called


@pytest.fixture
def installed(wheel: Path, site: NewsServer) -> Run:
    """Runs the installed wheel, as a user has it."""
    return runner(os.pathsep.join((str(wheel), sysconfig.get_paths()["purelib"])), subprocess.run, site.port)


@pytest.fixture
def run(site: NewsServer) -> Run:
    """Runs the repository, which starts in a third of the time."""
    return runner(str(ROOT), warm.run, site.port)


def make_project(run: Run, folder: Path) -> Path:
    """The project of the how-to."""
    run("scrapy", "startproject", "mynews", cwd=folder)
    root = folder / "mynews"
    run("scrapy", "genspider", "stories", "example.org", cwd=root)
    files = dict(FILE.findall(GUIDE))
    assert set(files) == {"mynews/settings.py", "mynews/spiders/stories.py"}
    settings = root / "mynews" / "settings.py"
    template = settings.read_text()
    assert template.count("ADDONS = {}") == 1
    settings.write_text(template.replace("ADDONS = {}", files["mynews/settings.py"]) + "DOWNLOAD_DELAY = 0.05\n")
    (root / "mynews" / "spiders" / "stories.py").write_text(files["mynews/spiders/stories.py"])
    return root


def on_loopback(project: Path, site: NewsServer) -> Path:
    """The project, with its site on loopback."""
    spider = project / "mynews" / "spiders" / "stories.py"
    text = spider.read_text().replace("https://example.org", site.url)
    spider.write_text(text.replace('"example.org"', '"127.0.0.1"'))
    return project


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(runner(str(ROOT), warm.run), tmp_path_factory.mktemp("made"))


@pytest.fixture
def project(made: Path, site: NewsServer, tmp_path: Path) -> Path:
    """A copy of the project."""
    return on_loopback(shutil.copytree(made, tmp_path / "mynews"), site)


def exported(run: Run, project: Path) -> dict[str, str]:
    lines = run("newscrawl", "export", "--database", "sqlite:///newscrawl.db", cwd=project).stdout.splitlines()
    return {one["title"]: one["site"] for one in map(json.loads, lines)}


@pytest.mark.process
def test_three_steps_lead_to_stored_articles(installed: Run, run: Run, tmp_path: Path, site: NewsServer) -> None:
    project = on_loopback(make_project(installed, tmp_path), site)
    done = installed("scrapy", "crawl", "stories", cwd=project)
    assert exported(installed, project) == {"The bridge opens": "stories", "The school opens": "stories"}
    (line,) = [line for line in done.stderr.splitlines() if "overrides" in line]
    assert "ROBOTSTXT_OBEY" in line
    assert "Traceback" not in done.stderr
    assert next(path for path, _ in site.requests) == "/robots.txt"
    assert "you@example.org" in site.requests[0][1]["user-agent"]
    assert "stories" in run("newscrawl", "status", cwd=project).stdout
    withdrawn = run("newscrawl", "forget", "--site", "stories", "--yes", cwd=project)
    assert "2 pages" in withdrawn.stdout
    refused = run("newscrawl", "run", cwd=project, code=2)
    assert "this project uses the add-on of newscrawl" in refused.stderr


@pytest.mark.process
def test_a_crawl_spider_with_items_and_a_downloader_of_its_own(run: Run, project: Path, site: NewsServer) -> None:
    with (project / "mynews" / "settings.py").open("a") as file:
        file.write("NEWSCRAWL_ADDON_DOWNLOADER = False\n")
    (project / "mynews" / "spiders" / "stories.py").write_text(
        f"""
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

class Stories(CrawlSpider):
    name = "stories"
    start_urls = ["{site.url}/"]
    rules = [Rule(LinkExtractor(allow="/news/"), callback="story")]

    def story(self, response):
        yield {{"url": response.url, "body": response.text}}
        yield {{"title": "another item"}}
"""
    )
    done = run("scrapy", "crawl", "stories", "-O", "items.jsonl", cwd=project)
    assert len(exported(run, project)) == 2
    assert "NEWSCRAWL_ADDON_DOWNLOADER is off" in done.stderr
    assert "'addon/no_page': 2" in done.stderr
    items = [json.loads(line) for line in (project / "items.jsonl").read_text().splitlines()]
    assert sum("title" in item for item in items) == 2
    assert len(items) == 4


@pytest.mark.process
@pytest.mark.parametrize(
    ("spider", "settings", "told"),
    [
        ("stories", 'NEWSCRAWL_DATABASE_URL = "news.db"', "NEWSCRAWL_DATABASE_URL"),
        ("stories", 'NEWSCRAWL_CONTACT = ""', "NEWSCRAWL_CONTACT"),
        ("stories", 'NEWSCRAWL_DATABASE_URL = "sqlite:////none/here/news.db"', "/none/here"),
        ("storys", "", "stories"),
    ],
    ids=["address", "contact", "folder", "spider"],
)
def test_what_makes_a_crawl_impossible_is_one_line(
    spider: str, settings: str, told: str, run: Run, project: Path
) -> None:
    with (project / "mynews" / "settings.py").open("a") as file:
        file.write(f"{settings}\n")
    module = project / "mynews" / "spiders" / "stories.py"
    module.write_text(re.sub(r"http://127[^/]*", "https://example.org", module.read_text()))
    done = run("scrapy", "crawl", spider, cwd=project, code=2)
    assert "Traceback" not in done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("newscrawl: ")]
    assert told in line


@pytest.mark.process
def test_a_later_pipeline_gets_the_article_and_pages_about_the_site_are_no_failures(
    run: Run, project: Path, site: NewsServer
) -> None:
    site.pages["/"] += ' <a href="/about">About</a>'
    site.pages["/about"] = "<title>About us</title><h1>About us</h1><p>We are a paper.</p>"
    (guide,) = re.findall(r"<!-- pipeline -->\n```python\n(.*?)```", GUIDE, re.DOTALL)
    (project / "mynews" / "pipelines.py").write_text(guide)
    with (project / "mynews" / "settings.py").open("a") as file:
        file.write('ITEM_PIPELINES = {"mynews.pipelines.Titles": 950}\n')
    spider = project / "mynews" / "spiders" / "stories.py"
    text = spider.read_text().replace(
        "def parse(self, response):", "def parse(self, response):\n        yield response"
    )
    spider.write_text(text)
    done = run("scrapy", "crawl", "stories", cwd=project)
    assert sorted(line for line in done.stdout.splitlines() if line.startswith("The ")) == [
        "The bridge opens",
        "The school opens",
    ]
    assert ("'verdict/listing': 1" in done.stderr, "'verdict/service': 1" in done.stderr) == (True, True)
    assert "'extraction/empty'" not in done.stderr
    (status,) = json.loads(run("newscrawl", "status", "--json", cwd=project).stdout)
    assert (status["failed"], status["no_article"], status["articles"]) == (0, 2, 2)


@pytest.mark.process
def test_a_later_pipeline_gets_the_article_of_every_kind_of_item(run: Run, project: Path, site: NewsServer) -> None:
    kinds = ("Kept", "Frozen", "dict")
    for kind in kinds:
        told = [f"The {kind} was opened on Tuesday by the mayor, {n} months too early." for n in range(20)]
        site.article(f"/news/{kind}", f"The {kind} opens", told)
    site.pages["/"] = " ".join(f'<a href="/news/{kind}">{kind}</a>' for kind in kinds)
    (project / "mynews" / "pipelines.py").write_text(
        """
from newscrawl.addon import article_of

class Before:
    def process_item(self, item):
        assert article_of(item) is None
        return item

class After:
    def process_item(self, item):
        copied = dict(item) if isinstance(item, dict) else item
        print("article:", type(item).__name__, article_of(item).metadata.title, copied is item or article_of(copied))
        return item
"""
    )
    with (project / "mynews" / "settings.py").open("a") as file:
        file.write('ITEM_PIPELINES = {"mynews.pipelines.Before": 100, "mynews.pipelines.After": 950}\n')
    spider = project / "mynews" / "spiders" / "stories.py"
    kept = """
from dataclasses import dataclass

class Kept(scrapy.Item):
    url = scrapy.Field()
    body = scrapy.Field()

@dataclass(frozen=True, slots=True)
class Frozen:
    url: str
    body: bytes

KINDS = {"Kept": Kept, "Frozen": Frozen, "dict": dict}

class StoriesSpider"""
    made = 'yield KINDS[response.url.rpartition("/")[2]](url=response.url, body=response.body)'
    text = spider.read_text().replace("class StoriesSpider", kept)
    spider.write_text(text.replace("yield response\n", f"{made}\n"))
    done = run("scrapy", "crawl", "stories", cwd=project)
    assert sorted(line for line in done.stdout.splitlines() if line.startswith("article:")) == [
        "article: Frozen The Frozen opens True",
        "article: Kept The Kept opens True",
        "article: dict The dict opens None",
    ]
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_two_crawls_in_one_process_log_an_overridden_setting_once(run: Run, project: Path) -> None:
    script = """
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

process = AsyncCrawlerProcess(get_project_settings())
process.crawl("stories")
process.crawl("stories")
process.start()
"""
    (project / "both.py").write_text(script)
    environment = {
        # Scrapy names the settings there when a test in this process reads a project's.
        **{name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")},
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "PYTHONPATH": os.pathsep.join((str(project), str(ROOT))),
    }
    done = warm.run(
        [sys.executable, "both.py"], cwd=project, env=environment, capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )  # fmt: skip
    assert done.stderr.count("Spider opened") == 2, done.stderr
    assert done.stderr.count("overrides ROBOTSTXT_OBEY") == 1


@pytest.mark.process
def test_a_crawl_that_robots_txt_forbids_says_so_and_exits_with_1(run: Run, project: Path, site: NewsServer) -> None:
    site.pages["/robots.txt"] = "User-agent: *\nDisallow: /\n"
    done = run("scrapy", "crawl", "stories", cwd=project, code=1)
    (line,) = [line for line in done.stderr.splitlines() if "no page was stored" in line]
    assert "1 request was not sent, because robots.txt forbids them (robots/forbidden)" in line


@pytest.mark.process
def test_a_crawl_whose_requests_the_guard_refuses_names_the_setting(run: Run, project: Path) -> None:
    done = run("scrapy", "crawl", "stories", cwd=project, code=1, NEWSCRAWL_ALLOWED_ADDRESSES="")
    (first,) = [line for line in done.stderr.splitlines() if "the address guard refused a request" in line]
    (last,) = [line for line in done.stderr.splitlines() if "refused all requests of stories (" in line]
    assert all("NEWSCRAWL_ALLOWED_ADDRESSES" in line and "127.0.0.1" in line for line in (first, last))


def test_the_log_is_json_if_the_settings_say_so(run: Run, project: Path) -> None:
    done = run("scrapy", "crawl", "stories", cwd=project, NEWSCRAWL_LOG_FORMAT="json")
    found = [json.loads(line) for line in done.stderr.splitlines()]
    assert any(line.get("site") == "stories" for line in found)
    assert all("message" in line for line in found)


@pytest.mark.process
def test_later_crawls_obey_robots_txt_and_store_edits_as_versions(run: Run, project: Path, site: NewsServer) -> None:
    site.pages["/robots.txt"] = "User-agent: *\nDisallow: /news/school\n"
    for _ in range(2):
        run("scrapy", "crawl", "stories", cwd=project)
        assert exported(run, project) == {"The bridge opens": "stories"}
    assert site.asked("/news/school") == 0
    assert site.asked("/robots.txt") == 1, "a process finds what another has read in the database"
    database = ("--database", "sqlite:///newscrawl.db")
    page = f"{site.url}/news/bridge"
    assert len(json.loads(run("newscrawl", "history", page, "--json", *database, cwd=project).stdout)["versions"]) == 1
    told = [f"The bridge was shut on Friday by the mayor, {n} hours after a storm had begun." for n in range(20)]
    site.article("/news/bridge", "The bridge is shut", told)
    run("scrapy", "crawl", "stories", cwd=project)
    found = json.loads(run("newscrawl", "history", page, "--json", *database, cwd=project).stdout)
    assert [version["title"] for version in found["versions"]] == ["The bridge opens", "The bridge is shut"]


@pytest.mark.process
def test_settings_of_a_spider_and_of_the_command_line_win(run: Run, project: Path, site: NewsServer) -> None:
    spider = project / "mynews" / "spiders" / "stories.py"
    own = 'name = "stories"\n    custom_settings = {"NEWSCRAWL_CHAIN": "best"}'
    spider.write_text(spider.read_text().replace('name = "stories"', own))
    run("scrapy", "crawl", "stories", "-s", "NEWSCRAWL_DATABASE_URL=sqlite:///other.db", cwd=project)
    assert not (project / "newscrawl.db").exists()
    lines = run("newscrawl", "export", "--database", "sqlite:///other.db", cwd=project).stdout.splitlines()
    assert [json.loads(line)["extractor"] for line in lines] == ["learned"] * 2
    refused = run("scrapy", "crawl", "stories", "-s", "NEWSCRAWL_CHAIN=clasic", cwd=project, code=2)
    (line,) = [line for line in refused.stderr.splitlines() if line.startswith("newscrawl: ")]
    assert "unknown chain 'clasic'" in line


@pytest.mark.process
def test_what_is_no_page_and_what_cannot_be_stored_harm_no_other_item(
    run: Run, project: Path, site: NewsServer
) -> None:
    spider = project / "mynews" / "spiders" / "stories.py"
    odd = """yield {"title": "no page"}
        yield {"url": "no address", "body": response.body}
        yield {"url": response.url, "body": response.body, "fetched_at": "yesterday"}
        yield response
"""
    spider.write_text(spider.read_text().replace("yield response\n", odd))
    done = run("scrapy", "crawl", "stories", "-O", "items.jsonl", cwd=project)
    assert len(exported(run, project)) == 2
    assert "'no address': give one that begins with https:// or http://" in done.stderr
    assert "'yesterday': give a time of ISO 8601" in done.stderr
    assert "'addon/no_page': 2" in done.stderr
