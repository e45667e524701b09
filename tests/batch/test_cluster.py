"""Workers of a Dask scheduler make the parts that one process makes, whoever of them is killed."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import warm
from batch_child import CHAIN, OPTIONS
from patience import PATIENCE
from pyarrow import parquet
from sqlalchemy import text

from newscrawl.archive.batch.cluster.address import Certificates, checked_address, security_for
from newscrawl.archive.batch.spans import extract_span
from newscrawl.archive.ingest.worker import Settings
from newscrawl.archive.reextract.run import Reextraction
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.errors import UsageError
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import RawPage
from newscrawl.storage.captures.locations import Selection
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
CLUTTER = "<div><p>Home page of the harbour and of all its boats, with prices.</p></div>"
SENTENCE = "The council of district {0} met on Tuesday evening and spoke for four hours about the new bridge {0}. "


def rows(place: Path) -> list[dict[str, Any]]:
    """The rows of all parts, in the order of the archive."""
    found = [row for path in place.glob("*.parquet") for row in parquet.read_table(path).to_pylist()]
    return sorted(found, key=lambda row: (row["file"], row["offset"], row["number"]))


def crawled(folder: Path) -> tuple[Path, Path]:
    """An archive with six pages and its database."""
    archive, database = folder / "news.archive", folder / "news.db"
    with open_store(f"sqlite:///{database}", upgrade=False) as store:
        keeper = ArchiveWriter(ArchiveSettings(archive), store)
        for number in range(6):
            text_of = f"<main><h1>Bridge {number}</h1>{f'<p>{SENTENCE.format(number) * 6}</p>' * 2}</main>"
            body = f"<html><title>Bridge</title>{CLUTTER}{text_of}<div><p>All rights are reserved.</p></div>".encode()
            url = f"https://harbour.example/{number}"
            fetched_at = NOW - timedelta(days=number % 2)
            page = RawPage(url, url, 200, {"content-type": "text/html"}, body, fetched_at, "harbour")
            kept = replace(page, capture=keeper.keep(page).result(timeout=PATIENCE))
            store.save(fingerprint(make_article(kept, ArticleOptions()))).result(timeout=PATIENCE)
        keeper.close()
    return archive, database


def versions(database: Path) -> list[Any]:
    """The texts of a database and their extractors."""
    with open_store(f"sqlite:///{database}", upgrade=False) as store, store.reading() as connection:
        query = "SELECT page_id, text, versions.extractor FROM versions JOIN articles ON articles.id = article_id "
        query += "ORDER BY 1"
        return [tuple(row) for row in connection.execute(text(query))]


def test_rows_are_those_of_one_process_and_a_lost_scheduler_is_one_line(
    archive: Callable[..., Path], tmp_path: Path
) -> None:
    path = archive("a.warc.gz", range(16))
    folder, database = crawled(tmp_path)
    shutil.copy(database, local := tmp_path / "local.db")
    of_project = {"NEWSCRAWL_DATABASE_URL": f"sqlite:///{database}", "NEWSCRAWL_ARCHIVE_URL": str(folder)}
    child = warm.told(
        [sys.executable, "-m", "dask_child", str(tmp_path), str(path)],
        env={**os.environ, **of_project, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=Path(__file__).parents[2],
    )
    assert child.returncode == 0, child.stderr
    seen = json.loads(child.stdout.splitlines()[-1])
    whole = extract_span(path, 0, 1 << 40, OPTIONS).to_pylist()
    assert rows(tmp_path / "killed") == whole
    assert (seen["parts"][0], seen["parts"][2]) == (seen["parts"][1], 16)
    assert seen["killed"]

    code, told, error = seen["command"]
    assert code == 0, error
    assert "1 of 1" in told
    assert [row["text"] for row in rows(tmp_path / "command")] == [row["text"] for row in whole]

    for name, number in (("since", 3), ("limit", 2)):
        code, told, error = seen[name]
        assert code == 0, error
        assert f"{number} pages of the archive with {CHAIN} (nothing stored" in " ".join(told.split())
    code, told, error, is_interrupted = seen["interrupted"]
    assert (is_interrupted, code) == (True, 130), error
    assert error.endswith("stopped; stored results are kept. The same command completes the work\n")
    code, told, error, is_killed = seen["reextract"]
    assert code == 0, error
    assert is_killed
    assert f"6 pages of the archive with {CHAIN} (stored)" in " ".join(told.split())
    assert "harbour" in (tmp_path / "diff.html").read_text()
    with open_store(f"sqlite:///{local}", upgrade=False) as store:
        for _ in Reextraction(
            store, ArchiveSettings(folder), Selection(), Settings(ArticleOptions(CHAIN)), apply=True
        ).run():
            pass
    assert versions(database) == versions(local)
    assert {extractor for *_, extractor in versions(local)} == {CHAIN}

    assert seen["stopped"][0] == 75
    assert "is lost; what was finished is kept" in seen["stopped"][1]
    assert 0 < seen["kept"][0] < seen["kept"][1]

    for name, said in (
        ("version", "has another version of newscrawl"),
        ("place", "does not see the folder"),
        ("archive", "it cannot read the archive"),
    ):
        assert seen[name][0] == 2, seen[name]
        assert said in seen[name][1]


@pytest.mark.parametrize(
    ("address", "checked"),
    [
        ("tls://scheduler", "tls://scheduler:8786"),
        ("tls://10.0.0.1:99", "tls://10.0.0.1:99"),
        ("tcp://127.0.0.1:99", "tcp://127.0.0.1:99"),
        ("tcp://localhost:99/", "tcp://localhost:99"),
        ("tcp://[::1]:99", "tcp://[::1]:99"),
    ],
)
def test_tls_is_used_for_all_but_loopback(address: str, checked: str) -> None:
    assert checked_address(address) == checked


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://10.0.0.1:8786", "a scheduler without TLS runs whatever anybody sends it"),
        ("tcp://scheduler", "a scheduler without TLS"),
        ("ws://127.0.0.1:8786", "give the address of a Dask scheduler"),
        ("inproc://127.0.0.1/1/2", "give the address"),
        ("scheduler:8786", "give the address"),
        ("tls://scheduler:x", "give the address"),
        ("tls://user@scheduler", "give the address"),
    ],
)
def test_other_addresses_are_refused(address: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        checked_address(address)


def test_certificates_are_required(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").touch()
    assert security_for("tcp://127.0.0.1:1", Certificates()) is None
    with pytest.raises(UsageError, match="needs a certificate: give --tls-ca"):
        security_for("tls://scheduler:1", Certificates())
    with pytest.raises(UsageError, match=r"--tls-ca: there is no file .*nowhere\.pem"):
        security_for("tls://scheduler:1", Certificates(tmp_path / "nowhere.pem"))
    with pytest.raises(UsageError, match="needs a certificate: give --tls-cert"):
        security_for("tls://scheduler:1", Certificates(tmp_path / "ca.pem"))
