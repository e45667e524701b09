"""`python -m benchmarks.web`: how long each screen takes over a large fleet, and pictures of the screens."""

from __future__ import annotations

import statistics
import threading
import time
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from benchmarks.web import fleet_database, pictures
from newscrawl.storage import open_store
from newscrawl.web.access.logins import Logins
from newscrawl.web.application import make_application, utc_now
from newscrawl.web.server import listen, server_of
from newscrawl.web.settings import Listening, WebSettings

TOKEN: Final = "the-token-of-a-measurement"


@click.command(epilog="\b\nExample:\n  python -m benchmarks.web --sites 5000 --articles 200 --pictures build/pictures")
@click.option("--sites", "number", default=200, show_default=True, help="Sites of the fleet.")
@click.option("--articles", default=50, show_default=True, help="Articles of each site.")
@click.option("--views", default=9, show_default=True, help="Views of each screen.")
@click.option("--pictures", "folder", type=click.Path(path_type=Path), help="Draw the screens into this folder.")
def main(number: int, articles: int, views: int, folder: Path | None) -> None:
    """Fill a SQLite database, and print the first, median and longest time of each screen in ms."""
    now = datetime.now(UTC)
    with TemporaryDirectory() as place:
        url = f"sqlite:///{place}/news.db"
        open_store(url, upgrade=True).close()
        names = fleet_database.fill(url, number, articles, now)
        paths = {
            "now": "/",
            "sites": "/sites",
            "site": f"/site?name={names[0]}",
            "articles": "/articles",
            "german": "/articles?language=de",
            "of a site": f"/articles?site={names[-1]}",
            "queue": "/queue",
            "article": "/article?id=1",
            "consumers": "/consumers",
            "review": "/review",
        }
        logins = Logins(TOKEN, utc_now)
        with listen(Listening("127.0.0.1", 0)) as bound:
            port = bound.getsockname()[1]
            server = server_of(make_application(WebSettings(url, token=TOKEN), logins))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
            thread.start()
            try:
                for name, path in paths.items():
                    taken = [view(port, path) * 1_000 for _ in range(views)]
                    line = f"first {taken[0]:6.0f}  median {statistics.median(taken):6.0f}  longest {max(taken):6.0f}"
                    click.echo(f"{name:10} {line}")
                if folder is not None:
                    login = f"/login?key={logins.new_key()}"
                    for path_of_picture in pictures.draw(f"http://127.0.0.1:{port}", login, paths, folder):
                        click.echo(path_of_picture)
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


if __name__ == "__main__":
    main()
