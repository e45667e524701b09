"""A fleet of local sites: the process that serves them, with its log of requests, and a `newscrawl run` over them.

fleet_stories.py has what the sites publish, fleet_world.py their server, fleet_judgement.py the checks of its log.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from databases import has_transaction
from fleet_stories import SHARED, WorldOptions

from newscrawl.testing.project import child_environment, write_project

SCALE: Final = 60.0
"""A simulated hour passes in a minute: feeds may be read every four seconds, articles again after half a minute."""

WORLD: Final = Path(__file__).with_name("fleet_world.py")
"""The server of the sites. It is started by its file, as this folder is on no child's path."""
STOP_TIMEOUT: Final = 240.0
"""Seconds after which a process that was told to end is taken to hang, whatever else the machine does."""


@dataclass(slots=True)
class FleetProcess:
    """One `newscrawl run` in a folder of its own."""

    folder: Path
    environment: dict[str, str]
    before: tuple[str, ...] = ()
    """The words before the command, as `unshare`."""
    process: subprocess.Popen[bytes] | None = None
    memory: list[tuple[float, float]] = field(default_factory=list)

    def start(self, *arguments: str) -> None:
        """Starts `newscrawl run`. Its log is appended to run.log."""
        self.launch("newscrawl.cli", "run", *arguments)

    def launch(self, *words: str) -> None:
        """Starts `python -m WORDS`, as `start` does."""
        with (self.folder / "run.log").open("ab") as log:
            command = [*self.before, sys.executable, "-m", *words]
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def command(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Runs `python -m WORDS` in the folder to its end."""
        return subprocess.run(
            [sys.executable, "-m", *words],
            cwd=self.folder,
            env=self.environment | settings,
            capture_output=True,
            text=True,
            timeout=STOP_TIMEOUT,
            check=False,
        )

    def add_settings(self, *lines: str) -> None:
        """Adds lines to the settings of the project, for what starts from now on. They may also give constants of
        modules other values: shorter waits."""
        with (self.folder / "settings" / "base.py").open("a", encoding="utf-8") as settings:
            settings.write("\n" + "\n".join(lines) + "\n")

    def kill(self) -> None:
        """Sends SIGKILL to the process alone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(STOP_TIMEOUT)

    def suspend(self, database: str, wait: Callable[[], object] = lambda: None) -> None:
        """Sends SIGSTOP to the process, which works alone with its database, after `wait` and at a moment at which it
        has no transaction: others would have to wait for that as well."""
        while self.process is not None:
            wait()
            self.process.send_signal(signal.SIGSTOP)
            if not has_transaction(database):
                return
            self.resume()
            time.sleep(0.05)  # in which it ends its transaction

    def resume(self) -> None:
        """Sends SIGCONT."""
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)

    def stop(self) -> tuple[int, float]:
        """Sends SIGTERM. Returns the exit code, and the seconds until the end."""
        if self.process is None:
            return 0, 0.0
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP_TIMEOUT)
        return code, time.monotonic() - begun

    def look(self) -> None:
        """Records the memory of the process."""
        with contextlib.suppress(OSError, IndexError):
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1]) if self.process else 0
            self.memory.append((time.monotonic(), pages * os.sysconf("SC_PAGE_SIZE") / 1e6))


def make_project(
    folder: Path, port: int, sites: int, database: str, *, share_feeds: bool = False, **settings: Any
) -> FleetProcess:
    """Writes a project whose only spider file declares all local sites. With `share_feeds`, the feeds of every two
    sites are on one host."""
    lines = ["from newscrawl.crawling.spider import NewsSpider", ""]
    for number in range(sites):
        home = f"http://site{number}.localhost:{port}"
        shared = f"http://{SHARED}{number // 2}.localhost:{port}/site{number}.xml"
        lines += [
            f"class Site{number}(NewsSpider):",
            f'    name = "site{number}"',
            f'    domains = ("site{number}.localhost",)',
            f'    home = "{home}/"',
            f'    feeds = ("{shared if share_feeds else f"{home}/feed.xml"}",)',
            f'    sitemaps = ("{home}/news.xml",)',
            '    daily_requests = "unlimited"',
            "",
        ]
    write_project(folder, "\n".join(lines))
    given = {
        "NEWSCRAWL_DATABASE_URL": database,
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "NEWSCRAWL_DELAY": "0.2",  # robots.txt asks for more
        "NEWSCRAWL_TIME_SCALE": str(SCALE),
        "NEWSCRAWL_RUN_MIN_SITE_INTERVAL": "4",
        "NEWSCRAWL_RUN_POLL_INTERVAL": "1",
        "NEWSCRAWL_RUN_CONCURRENT_SITES": "64",
        "NEWSCRAWL_RUN_LEASE_SECONDS": "10",
        "NEWSCRAWL_FIRST_BACKOFF": "1",
        **settings,
    }
    return FleetProcess(folder, child_environment(folder, given))


def fresh_folder(folder: Path, number: int) -> Path:
    """Returns a new folder for one of the processes."""
    path = folder / f"project{number}"
    path.mkdir()
    return path


def cpu_seconds(pid: int) -> float:
    """Returns the CPU time that a process has used so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


Request = Mapping[str, Any]
"""A line of the log: host, path, begun and ended (seconds since 1970), status, tag (ETag), asked (If-None-Match), rest
(Retry-After), agent (User-Agent)."""


@contextlib.contextmanager
def served(options: WorldOptions) -> Iterator[tuple[int, float]]:
    """Serves the sites of `options` until the block is left. Yields the port, and the moment at which the sites
    began."""
    command = [sys.executable, str(WORLD), json.dumps(asdict(options))]
    folder = Path(options.log).absolute().parent
    server = subprocess.Popen(command, env=child_environment(folder, {}), stdout=subprocess.PIPE)
    with server, contextlib.ExitStack() as stack:
        stack.callback(server.wait, STOP_TIMEOUT)
        stack.callback(server.terminate)
        if server.stdout is None:
            raise RuntimeError("the server has no standard output")
        announced = json.loads(server.stdout.readline())
        yield announced["port"], announced["began"]


_read: Final[dict[Path, tuple[int, list[dict[str, Any]]]]] = {}
"""How many bytes of each log were read, and the requests in them: tests look into a log many times a second."""


def read_log(path: Path) -> list[dict[str, Any]]:
    """Returns the requests that the server has received so far. Its last line may not be whole yet."""
    done, requests = _read.get(path, (0, []))
    with path.open("rb") as log:
        log.seek(done)
        whole, newline, _ = log.read().rpartition(b"\n")
    requests += map(json.loads, whole.splitlines())
    _read[path] = (done + len(whole) + len(newline), requests)
    return [*requests]
