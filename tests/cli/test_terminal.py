"""No command prints control characters of pages, servers or files on a terminal."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from command_settings import give_settings
from patience import PATIENCE
from pseudo_terminal import terminal
from rich.progress import Progress
from rich.text import Text
from source_items import record_answer, record_failure

from newscrawl.cli.main import COMMANDS, main
from newscrawl.config.logs.console import SafeConsole
from newscrawl.config.logs.terminal import escaped, guard_terminals
from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Article, Candidate, Discovery, Doubt, Metadata, ProcessedPage, RawPage
from newscrawl.storage.feed import consumers
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import forget
from newscrawl.storage.store import open_store

EVIL = "\x1b]0;owned\x07\x1b[8m\x9b8m\u202eowned\u2066\u200f\x08\r\x85"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SITE = "https://harbour.example"
URL, HELD, GONE, FEED = f"{SITE}/ferry", f"{SITE}/held", f"{SITE}/gone", f"{SITE}/feed.xml"

OURS = re.compile(r"\r*\x1b\[(?:(?!8m)[0-9;]*m|\?25[lh]|\d*[AK])\r*")
"""Codes of our own: colours but not 8 (hidden), the cursor hidden and shown, moved up, lines cleared."""
FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

SHOWING: dict[str, list[list[str]]] = {
    "extract": [["{page}"], ["{page}", "--json"]],
    "review": [["list"], ["list", "--json"]],
    "why": [[URL], [URL, "--json"], [FEED], [HELD]],
    "history": [[URL], [URL, "--json"]],
    "export": [[], ["--format", "csv"]],
    "feed": [["jsonl:-", "--from-start"]],
    "forget": [["--blocked"]],
    "search": [["council"], ["council", "--json"]],
    "status": [[], ["--json"]],
    "db": [["consumers"]],
    "import-sites": [["{missing}"]],
}
"""What shows stored or given texts, by its command; `owned` must be among what it prints."""
NO_TEXTS = {
    *("explain", "extensions", "new", "add-site", "check", "sites", "run", "ingest", "reextract", "bench"),
    *("pause", "resume", "priority", "budget", "doctor", "machines", "backup", "restore", "archive", "web"),
    *("batch", "feed-address", "hints", "learn", "mcp"),
}
"""Commands that show no text of a page in this process, or need a network or workers; their errors are tried."""

Command = Callable[..., None]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which every text is hostile."""
    file = tmp_path_factory.mktemp("filled") / "news.db"
    with open_store(f"sqlite:///{file}", upgrade=True, max_wait=0.01) as store:
        page = made(URL, "The council met on Tuesday. " * 20)
        store.save(fingerprint(page)).result(timeout=PATIENCE)
        store.save(fingerprint(made(URL, "The council met on Monday. " * 20, title=f"b {EVIL}"))).result(PATIENCE)
        held = fingerprint(made(HELD, "The council rested. " * 20))
        doubt = Doubt((f"text {EVIL} collapsed",), held.article, needs_review=True)
        store.save(ProcessedPage(held.raw, doubt=doubt, article=held.article)).result(timeout=PATIENCE)
        answer = SourceAnswer("harbour", FEED, "feed", 200, NOW)
        told = [Candidate(GONE, Discovery("feed", FEED, title=EVIL))]
        store.run(record_answer, answer, told, NOW).result(timeout=PATIENCE)
        store.run(record_failure, "harbour", FEED, "feed", f"http/{EVIL}", 503, NOW, detail=EVIL).result(
            timeout=PATIENCE
        )
        store.run(consumers.save, EVIL, 0, None, NOW).result(timeout=PATIENCE)
        store.run(forget.forget_site, EVIL, NOW, block=True).result(timeout=PATIENCE)
    return file


@pytest.fixture
def stored(filled: Path, tmp_path: Path) -> None:
    """A copy of that database."""
    shutil.copy(filled, tmp_path / "news.db")


def made(url: str, text: str, title: str = EVIL) -> ProcessedPage:
    metadata = Metadata(title=title, authors=(EVIL,), language="en")
    article = Article(url, "harbour", metadata, f"{text}{EVIL}", f"classic{EVIL}", "article", problems=(EVIL,))
    return ProcessedPage(RawPage(url, url, 200, {}, None, NOW, "harbour", Discovery("feed", FEED)), article)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command in this process, on the test's own database, whatever its exit code."""
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=f"sqlite:///{tmp_path}/news.db")

    def run(*argv: str) -> None:
        with pytest.raises(SystemExit):
            main(list(argv), prog_name="newscrawl")

    return run


def checked(text: str) -> str:
    """What is left without our own codes; fails where a terminal would obey any of it."""
    left = OURS.sub("", text).replace("\r\n", "\n")
    assert not FORBIDDEN.search(left), repr(left)
    return left


CASES = [
    pytest.param(name, argv, id=" ".join([name, *(word.strip("{}-").replace(SITE, "") for word in argv)]))
    for name, tries in SHOWING.items()
    for argv in tries
]


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(("name", "argv"), CASES)
def test_a_command_shows_texts_escaped(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, argv: list[str]
) -> None:
    body = f"<title>{EVIL}</title><article><h1>{EVIL}</h1><p>{'The council met again. ' * 30}{EVIL}</p></article>"
    (tmp_path / "page.html").write_text(body)
    places = {"page": tmp_path / "page.html", "missing": tmp_path / EVIL.replace("/", "")}
    with terminal(monkeypatch) as shown:
        command(name, *(word.format(**places) if "{" in word else word for word in argv))
    assert "owned" in checked(shown.text)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_wrong_option_is_named_escaped(command: Command, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with terminal(monkeypatch) as shown:
        command(name, f"--{EVIL}")
    assert "owned" in checked(shown.text)


def test_every_command_is_tried() -> None:
    assert set(SHOWING) | NO_TEXTS == set(COMMANDS)


def test_a_pipe_gets_texts_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    guard_terminals()
    print(EVIL)
    assert capsys.readouterr().out == f"{EVIL}\n"


def test_a_terminal_keeps_our_own_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as shown:
        guard_terminals()
        SafeConsole().print(Text(f"red {EVIL}", "bold red"), Text("x", "link https://evil.example"))
    assert "\x1b[1;31m" in shown.text
    assert "evil.example" not in shown.text
    assert escaped("\x1b]0;owned") in checked(shown.text)


def test_what_is_printed_beside_a_progress_bar_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as shown:
        guard_terminals()
        with Progress(console=SafeConsole(stderr=True), transient=True) as bar:
            bar.add_task(EVIL, total=1)
            print(f"\x1b[31mred {EVIL}")
            print(EVIL, file=sys.stderr)
    left = checked(shown.text.replace("\r", ""))
    assert "\\u001b[31mred" in left
    assert left.count("owned") >= 6


def test_nobody_makes_a_console_that_knows_no_guard() -> None:
    root = Path(main.callback.__code__.co_filename).parents[1]  # type: ignore[union-attr]
    plain = [path.name for path in root.rglob("*.py") if re.search(r"import (?:.*, )?Console\b", path.read_text())]
    assert plain == ["console.py"]
