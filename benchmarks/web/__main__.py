"""Measures how long each screen of `newscrawl web` takes over a large fleet, and makes pictures of the screens."""

from __future__ import annotations

import shutil
import statistics
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal
from urllib.parse import urlencode

import click

from benchmarks.web import fleet_database
from newscrawl.model.identity import url_key
from newscrawl.reports import shown_articles
from newscrawl.reports.history import capture_lines
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store
from newscrawl.web.application import Pages, make_application, utc_now
from newscrawl.web.server import listen, server_of
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import Listening, WebSettings

TOKEN: Final = "the-token-of-a-measurement"
CHROMIUM: Final = shutil.which("chromium-headless-shell") or shutil.which("chromium")
LOOKS: Final[Sequence[tuple[int, Literal["light", "dark"]]]] = (
    (1400, "light"),
    (1400, "dark"),
    (390, "light"),
    (390, "dark"),
)
HEIGHT: Final = 860
DEMO_QUERY: Final = "town OR river"
"""What is searched for in the demo. `newscrawl search` must have made the index before."""


@click.command(epilog="\b\nExample:\n  python -m benchmarks.web --sites 5000 --articles 200 --pictures build/pictures")
@click.option("--sites", "number", default=200, show_default=True, help="Sites of the fleet.")
@click.option("--articles", default=50, show_default=True, help="Articles of each site.")
@click.option("--views", default=9, show_default=True, help="Views of each screen.")
@click.option("--database", "given", metavar="URL", help="Draw this database. Needs --pictures.")
@click.option("--archive", type=click.Path(path_type=Path), help="Its raw archive.")
@click.option("--whole", is_flag=True, help="Draw what is below the window, too.")
@click.option("--pictures", "folder", type=click.Path(path_type=Path), help="Draw the screens into this folder.")
def main(
    number: int, articles: int, views: int, given: str | None, archive: Path | None, folder: Path | None, *, whole: bool
) -> None:
    """Fill a SQLite database, and print the first, median and longest time of each screen in ms."""
    if given is not None:
        if folder is None:
            raise click.UsageError("--database needs --pictures")
        settings = WebSettings(
            given,
            token=TOKEN,
            actions=True,
            archive_folder=archive,
            review_chains=("best",),
            open_store=partial(open_store, given, upgrade=False),
        )
        _draw(settings, demo_paths(given), folder, whole)
        return
    now = datetime.now(UTC)
    with TemporaryDirectory() as place:
        url = f"sqlite:///{place}/news.db"
        open_store(url, upgrade=True).close()
        names = fleet_database.fill(url, number, articles, now)
        paths = {
            "now": "/",
            "sites": "/sites",
            "by newest": "/sites?sort=newest",
            "site": f"/site?name={names[0]}",
            "articles": "/articles",
            "german": "/articles?language=de",
            "of a site": f"/articles?site={names[-1]}",
            "queue": "/queue",
            "article": "/article?id=1",
            "consumers": "/consumers",
            "review": "/review",
            "review of a site": f"/review?site={names[0]}",
            "feeds": "/feeds",
            "feed": "/feed.atom",
        }
        settings = WebSettings(url, token=TOKEN)
        with serving(settings) as (port, _):
            for name, path in paths.items():
                taken = [view(port, path) * 1_000 for _ in range(views)]
                line = f"first {taken[0]:6.0f}  median {statistics.median(taken):6.0f}  longest {max(taken):6.0f}"
                click.echo(f"{name:10} {line}")
        if folder is not None:
            _draw(settings, {name: path for name, path in paths.items() if name != "feed"}, folder, whole)


@contextmanager
def serving(settings: WebSettings) -> Iterator[tuple[int, Logins]]:
    """A running server: its port and its log-ins."""
    logins = Logins(TOKEN, utc_now)
    pages = Pages(settings, logins, utc_now)
    with listen(Listening("127.0.0.1", 0)) as bound, closing(pages):
        server = server_of(make_application(settings, logins, pages=pages))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield bound.getsockname()[1], logins
        finally:
            server.should_exit = True
            thread.join()


def view(port: int, path: str) -> float:
    """Returns the seconds that one view takes, over a connection of its own."""
    begun = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise click.ClickException(f"{path} was answered with {answer.status}")
    return time.perf_counter() - begun


def _draw(settings: WebSettings, paths: Mapping[str, str], folder: Path, whole: bool) -> None:
    with serving(settings) as (port, logins):
        login = f"/login?key={logins.new_key()}"
        for drawn in draw(f"http://127.0.0.1:{port}", login, paths, folder, is_whole=whole):
            click.echo(drawn)


def draw(base: str, login: str, paths: Mapping[str, str], folder: Path, *, is_whole: bool = False) -> list[Path]:
    """Draws each screen wide and narrow, light and dark. `is_whole` draws what is below the window,
    too. Returns the files. Needs the extra `browser`."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    drawn: list[Path] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        first = browser.new_context()
        first.new_page().goto(f"{base}{login}")
        state = first.storage_state()
        for width, scheme in LOOKS:
            context = browser.new_context(
                storage_state=state, viewport={"width": width, "height": HEIGHT}, color_scheme=scheme
            )
            for name, path in paths.items():
                page = context.new_page()
                answer = page.goto(f"{base}{path}")
                if answer is None or answer.status != 200:
                    raise RuntimeError(f"{path} cannot be drawn: status {answer.status if answer else 'unknown'}")
                drawn.append(folder / f"{name}-{width}-{scheme}.png")
                page.screenshot(path=str(drawn[-1]), full_page=is_whole)
                page.close()
        browser.close()
    return drawn


def demo_paths(url: str) -> dict[str, str]:
    """The screens of a database that a crawl filled, with a page of several versions and its capture if there is
    one."""
    with open_reader(url) as connection:
        site = shown_articles.newest(connection, 1)[0].site
        newest = shown_articles.newest(connection, 200)
        page = next((one for one in newest if one.change_class != "first"), newest[0])
        captures = capture_lines(connection, [url_key(page.url)])
    of_page = urlencode({"url": page.url})
    paths = {
        name: f"/{name}" for name in ("sites", "articles", "review", "queue", "consumers", "feeds", "forgotten", "add")
    }
    paths |= {
        "now": "/",
        "site": f"/site?{urlencode({'name': site})}",
        "search": f"/search?{urlencode({'q': DEMO_QUERY})}",
    }
    paths |= {name: f"/{name}?{of_page}" for name in ("article", "history", "why")}
    paths["pause"] = f"/act/pause?{urlencode({'site': site})}"
    if captures:
        number = captures[0].id
        paths |= {name: f"/{name}?capture={number}" for name in ("explain", "fields", "compare", "headers")}
    return paths


if __name__ == "__main__":
    main()
