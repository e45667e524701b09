"""What a command cannot do costs one line on standard error and exit code 2: a table of arguments and of what is said.

tests/cli/test_errors.py has mistakes in settings and projects, and those of `scrapy crawl`.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from patience import PATIENCE

from newscrawl.model import ProcessedPage
from newscrawl.storage.frontier import crawls
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
URL = "https://harbour.example/ferry"
KNOWN = "no site 'nosuch' is declared or stored: the database has harbour"
MISTAKES = {
    "extract ftp://example.org/a": "not http or https",
    "extract https://": "no host",
    "extract http:///a": "no host",
    "extract {pages}": "several pages need -o",
    "extract {pages}/0.html {pages}/1.html": "several pages need -o",
    "extract {pages} -o {folder}/x.jsonl --url https://a.example/ --workers 0": "-o takes no --url",
    "extract {pages}/nowhere -o {folder}/x.jsonl --workers 0": "give files or folders",
    "extract {pages} -o {pages}/nowhere/x.jsonl --workers 0": "cannot write",
    "extract {empty} -o {folder}/x.jsonl": "no page in",
    "extract nosuchfile.html": "cannot read nosuchfile.html: no such file",
    "extract - --encoding nope": "unknown encoding 'nope'",
    "extract - --url junk": "option --url: invalid url 'junk'",
    "explain {folder}/none.html": "no such file",
    "explain - -o {folder}/no/why.html": "cannot write",
    "why ftp://example.org/": "ftp://example.org/",
    "status nosuch": KNOWN,
    "status habrour": "no site 'habrour' is declared or stored: is harbour meant? the database has harbour",
    "status --accept habrour": "no alarm of 'habrour' is open: is harbour meant?",
    "status --check --json": "give one of them",
    "status --json --bom": "--bom belongs to --csv",
    "check elpias": "unknown site 'elpias': is elpais meant?",
    "run elpias": "unknown site 'elpias': is elpais meant?",
    "export --site nosuch": KNOWN,
    "export --site habrour": "is declared or stored: is harbour meant?",
    "export -o /proc/none/x.jsonl": "cannot write /proc/none/x.jsonl",
    "export --since yesterday": "'yesterday' is no date: give one like 2026-08-31, or a span like 3d or 12h",
    "export --since 2026-05-02 --until 2026-05-01": "between --since 2026-05-02 and --until 2026-05-01",
    "export --bom": "--bom belongs to CSV, and this is jsonl",
    "feed jsonl:/nonexistent/x": "cannot write /nonexistent/x: no such file or directory; give another file",
    "feed jsonl:/nonexistent/x --site harbour --site nosuch": "no site 'nosuch' is declared or stored",
    "forget --site nosuch --yes": KNOWN,
    "forget --blocked --site harbour": "the last three take no URL and no --site",
    "forget --register --reason none": "--reason",
    f"forget {URL} --site harbour": "give either a URL or --site NAME",
    f"forget {URL} --json": "--json needs --blocked",
    "backup /nonexistent/b.db": "cannot back up to /nonexistent/b.db: /nonexistent is not a folder",
    "review list --site habrour": "is harbour meant?",
    "review release": "--site NAME",
    "review release --site habrour": "is harbour meant?",
    "pause harbor": "no site 'harbor' is declared or stored",
    "pause harbour --until 2020-01-01": "is in the past",
    "priority harbour highest": "give high, normal, low or a number",
    "priority harbour nan": "give high, normal, low or a number",
    "priority harbour": "or --default",
    "budget harbour -1": "no such option",
    "budget harbour many": "give a whole number",
    "budget harbour 5 --default": "or --default",
    "search": "nothing to search for",
    "search ferry --site elpias": "is declared or stored: is elpais meant?",
    "search ferry --since 2026-05-02 --until 2026-05-01": "between --since 2026-05-02 and --until 2026-05-01",
    "search --follow": "--update",
    "search --update ferry": "--update",
    "search --update --saved": "--update",
    "search --save a": "give the query after the name",
    "search --save a ferry --site harbour": "write site: and lang: into the query",
    "search --save a 'ferry site:unknown'": "unknown",
    "search --save a ferry --saved": "give one of them",
    "search ferry --to mail:a@b.example": "belong to --save",
    "search --saved ferry": "take no QUERY",
    "search --remove ferry": "no saved search 'ferry'",
    "search --save a ferry --to mail:desk@example.org": "no mail server is set: set NEWSCRAWL_ALERT_MAIL_HOST",
    "web --listen somewhere:80": "--listen somewhere:80: give an IP address and a port",
    "web --listen news.example:80": "--listen news.example:80: give an IP address and a port",
    "web --listen 127.0.0.1:port": "--listen 127.0.0.1:port: give an IP address and a port",
    "web --listen 127.0.0.1:99999": "--listen 127.0.0.1:99999: give an IP address and a port",
    "web --listen 0.0.0.0:0": "other machines can connect to 0.0.0.0: set NEWSCRAWL_WEB_TOKEN",
    "web --origin news.example": "--origin news.example: give the address that the browser shows",
    "web --origin ftp://news.example": "--origin ftp://news.example: give the address",
    "web --origin https://a@news.example": "--origin https://***@news.example: give the address",
    "web --origin https://b/c": "--origin https://b/c: the pages cannot be shown under a path",
    "web --origin ''": "--origin : give the address",
    "feed-address new --base news.example.org": "--base news.example.org: give the address of `newscrawl web`",
    "ingest missing.warc.gz": "cannot read missing.warc.gz",
    "ingest README.md": "README.md: it is not a WARC file",
    "ingest README.md --url-pattern (": "no regular expression",
    "ingest": "missing argument",
    "ingest ''": "an empty name is no file",
    "ingest README.md --since yesterday": "--since",
    "ingest README.md --site nosuch": "no site 'nosuch': give a registrable domain or a declared site",
    "ingest a.parquet a.warc.gz": "name either parts of `newscrawl batch` or archives",
    "ingest a.parquet --workers 2": "--workers is for archives",
    "ingest no/a.parquet": "no such file or directory",
    "batch --to {folder}/parts": "nothing to extract: name WARC files",
    "batch --to {folder}/parts --files-from no.txt": "cannot read no.txt: no such file",
    "batch --to {folder}/parts ''": "an empty name is no file",
    "batch --to {folder}/parts README.md": "README.md: it is not a WARC file",
    "batch --to {folder}/parts README.md --sites nosuch": "no site 'nosuch': give a registrable domain",
    "batch --to {folder}/parts README.md --sites elpais,": "has an empty name",
    "batch --to {folder}/parts README.md --since 3d": "--since",
    "batch --to {folder}/parts README.md --chain nosuch": "unknown chain 'nosuch'",
    "batch --to {folder}/parts README.md --on tls://a:8786 --workers 2": "--workers is for this machine; with --on",
    "reextract --on tls://a:8786 --workers 2": "--workers is for this machine; with --on",
    "reextract --on tcp://a.example:8786": "a scheduler without TLS runs whatever anybody sends it",
    "batch --to {folder}/parts https://127.0.0.1/a.warc.gz": "127.0.0.1 is not a public address",
}  # fmt: skip
Call = Callable[..., Result]


@pytest.fixture
def places(tmp_path: Path, made: Callable[..., ProcessedPage]) -> dict[str, Path]:
    """Folders for the commands; the database beside them has a page of the site harbour."""
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True, max_wait=0.01) as store:
        store.run(crawls.add_run, "harbour", NOW).result(timeout=PATIENCE)
        store.save(made(URL, "The council met on Tuesday about the ferry. " * 12)).result(timeout=PATIENCE)
    (tmp_path / "empty").mkdir()
    (tmp_path / "pages").mkdir()
    for number in range(2):
        (tmp_path / "pages" / f"{number}.html").write_text(f"<p>Page {number}.</p>", encoding="utf-8")
    return {"folder": tmp_path, "pages": tmp_path / "pages", "empty": tmp_path / "empty"}


@pytest.mark.process
@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_costs_one_line_and_exit_code_2(
    call: Call, places: dict[str, Path], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command.startswith("web "):  # a server that starts by mistake would never end
        monkeypatch.setattr("newscrawl.web.server.serve", lambda *_: None)
    done = call(*shlex.split(command.format(**places)))
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert MISTAKES[command] in done.stderr
    assert done.stderr.startswith("newscrawl: ")
    assert done.stderr.count("\n") == 1
    assert json.loads(call("status", "--json").stdout)[0]["control"] is None
