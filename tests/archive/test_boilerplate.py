"""Boilerplate of a site is learned from its archive, left out by every later extraction, and makes no versions."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from click.testing import CliRunner
from command_settings import give_settings
from pyarrow.parquet import read_table
from sqlalchemy import func, select

from newscrawl import reports
from newscrawl.archive.batch.digest import digest_of
from newscrawl.archive.batch.spans import SpanOptions, extract_span
from newscrawl.archive.ingest.pages import PageFilter
from newscrawl.archive.ingest.worker import Settings
from newscrawl.archive.reextract import boilerplate
from newscrawl.archive.reextract.boilerplate import (
    due_sites,
    is_due,
    learn_due,
    learn_site,
    reextract_site,
)
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.cli.main import main
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.tables.articles import pages, versions
from newscrawl.storage.tables.changes import changes

pytestmark = pytest.mark.process

APPEAL = "Our readers pay for this paper: a subscription costs four crowns a month and can be ended on any day."
SETTINGS = Settings(ArticleOptions())
STORIES = 6


def with_appeal(raw, number, **changed):
    own = "".join(
        f"<p>The council of town {number} spoke on day {part} about bridge {number * 10 + part} that people had asked "
        "for since May, and then it voted on the plan of the mayor, which would cost less than a road.</p>"
        for part in range(4)
    )
    body = f"<html><title>Bridge {number}</title><body><article><h1>Bridge {number}</h1>{own}<p>{APPEAL}</p></article>"
    return raw(number, body=body.encode(), **changed)


def texts(store):
    with store.reading() as connection:
        return {article.url: article.text for article in reports.articles(connection)}


def rows(store, table):
    with store.reading() as connection:
        return connection.execute(select(table)).all()


@pytest.fixture
def place(folder):
    return ArchiveSettings(folder, machine="here")


@pytest.fixture
def stored(crawled, keeper, raw):
    crawled([with_appeal(raw, number) for number in range(STORIES)])
    keeper.close()


def epoch_of(store):
    with store.reading() as connection:
        return site_models.boilerplate(connection, "harbour")


def test_a_new_epoch_replaces_texts_without_versions(stored, store, place, now):
    assert all(APPEAL in text for text in texts(store).values())
    with store.reading() as connection:
        before = connection.execute(select(func.max(changes.c.seq))).scalar_one()
    learned = learn_site(store, place, "harbour", SETTINGS, now)
    assert (learned.is_stored, learned.new.epoch, learned.pages, learned.changed) == (True, 1, STORIES, 1.0)
    assert epoch_of(store) == learned.new
    assert reextract_site(store, place, "harbour", SETTINGS, now).changed == STORIES
    assert len(texts(store)) == STORIES
    assert not any(APPEAL in text for text in texts(store).values())
    stored_versions = rows(store, versions)
    assert [row.boilerplate_epoch for row in stored_versions] == [1] * STORIES
    assert all(len(row.left_out) == 1 and row.change_class == "first" for row in stored_versions)
    later = [row for row in rows(store, changes) if row.seq > before]
    reasons = {row.reason for row in later if row.op == "upsert"}
    assert "re-extracted" in reasons
    assert reasons <= {"re-extracted", "joined", "parted"}  # all texts are near-copies, and the former ones go
    assert [row.edits for row in rows(store, pages)] == [0] * STORIES


@pytest.mark.parametrize("is_later_epoch", [True, False])
def test_a_visit_with_another_epoch_than_the_stored_one_makes_no_version(
    stored, store, place, now, raw, is_later_epoch
):
    learned = learn_site(store, place, "harbour", SETTINGS, now)
    visited = ArticleOptions().with_boilerplate(learned.new) if is_later_epoch else ArticleOptions()
    if not is_later_epoch:
        reextract_site(store, place, "harbour", SETTINGS, now)
    before = texts(store)
    later = with_appeal(raw, 0, fetched_at=now + timedelta(hours=3))
    page = fingerprint(make_article(later, visited))
    outcome = store.save(page).result()
    assert outcome.kind == "unchanged"
    assert texts(store) == before
    assert len(rows(store, versions)) == STORIES
    reextract_site(store, place, "harbour", SETTINGS, now)
    assert not any(APPEAL in text for text in texts(store).values())


def test_a_span_gives_what_a_crawl_with_the_epoch_gives(stored, store, place, folder, now, raw):
    epoch = learn_site(store, place, "harbour", SETTINGS, now).new
    own = ArticleOptions().with_boilerplate(epoch)
    options = SpanOptions(as_of=now + timedelta(days=1), wanted=PageFilter(sites={"harbour.example": "harbour"}))
    with_epoch = replace(options, of_sites={"harbour": own})
    assert digest_of(with_epoch) != digest_of(replace(options, of_sites={"harbour": ArticleOptions()}))
    (file,) = folder.rglob("*.warc.gz")
    found = {row["url"]: row["text"] for row in extract_span(file, 0, 1 << 40, with_epoch).to_pylist()}
    pages = [with_appeal(raw, number) for number in range(STORIES)]
    assert found == {page.url: make_article(page, own).article.text for page in pages}


def test_the_command_learns_and_a_dry_run_stores_nothing(stored, store, tmp_path, monkeypatch, database):
    (tmp_path / "no_sites.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    archive = str(tmp_path / "news.archive")
    give_settings(
        monkeypatch, NEWSCRAWL_DATABASE_URL=database, NEWSCRAWL_ARCHIVE_URL=archive, SPIDER_MODULES=["no_sites"]
    )
    run = lambda *words: CliRunner().invoke(main, words, prog_name="newscrawl")  # noqa: E731
    dry = run("learn", "harbour", "--dry-run", "--workers", "1")
    assert dry.exit_code == 0, dry.output
    assert "1 repeated line on 6 pages of 6 stories, which changes 100.0% of the pages; nothing stored" in dry.output
    assert epoch_of(store).epoch == 0
    done = run("learn", "harbour", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "; epoch 1\nharbour: 6 archived pages extracted again with another result\n" in done.output
    assert run("learn").exit_code == 2
    assert "epoch 1 stays" in run("learn", "harbour", "--workers", "1").output


SPIDER = """
from newscrawl.crawling.spider import NewsSpider

class Harbour(NewsSpider):
    name = "harbour"
    domains = ("harbour.example",)
"""


def test_every_command_that_reads_pages_of_the_site_uses_the_epoch(
    stored, store, place, now, raw, folder, tmp_path, monkeypatch, database
):
    learn_site(store, place, "harbour", SETTINGS, now)
    reextract_site(store, place, "harbour", SETTINGS, now)
    (tmp_path / "harbour_epochs.py").write_text(SPIDER)
    monkeypatch.syspath_prepend(tmp_path)
    archive = str(tmp_path / "news.archive")
    declared = {"NEWSCRAWL_ARCHIVE_URL": archive, "SPIDER_MODULES": ["harbour_epochs"]}
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=database, **declared)
    run = lambda *words: CliRunner().invoke(main, words, prog_name="newscrawl")  # noqa: E731
    page, lines = tmp_path / "page.html", tmp_path / "lines.jsonl"
    page.write_bytes(with_appeal(raw, 1).body)
    assert APPEAL in run("extract", str(page)).stdout
    assert APPEAL not in run("extract", str(page), "--site", "harbour").stdout
    assert run("extract", str(page), "--site", "harbour", "-o", str(lines), "--workers", "0").exit_code == 0
    assert APPEAL not in lines.read_text("utf-8")
    assert "on 6 of 6 stories of the site" in run("explain", str(page), "--site", "harbour").stdout
    tried = run("hints", "try", "harbour", "--workers", "1", "--json")
    assert json.loads(tried.stdout)["effects"] == {"same": STORIES}, "without the epoch, all texts would gain a line"
    (file,) = folder.rglob("*.warc.gz")
    for words, has_appeal in (((), True), (("--boilerplate",), False)):
        parts = tmp_path / f"parts{len(words)}"
        made = run("batch", str(file), "--to", str(parts), "--workers", "1", *words)
        assert made.exit_code == 0, made.output
        texts_of_rows = [row["text"] for part in parts.glob("*.parquet") for row in read_table(part).to_pylist()]
        assert [APPEAL in text for text in texts_of_rows] == [has_appeal] * STORIES
    said = run("status", "harbour").stdout
    assert "harbour: 1 repeated line of its pages left out of texts (epoch 1, learned from 6 stories on " in said
    (numbers,) = json.loads(run("status", "--json").stdout)
    assert (numbers["boilerplate"]["epoch"], numbers["boilerplate"]["lines"]) == (1, 1)
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=f"sqlite:///{tmp_path}/none.db", **declared)
    assert APPEAL in run("extract", str(page), "--site", "harbour").stdout, "without a database nothing was learned"


def test_work_that_is_stopped_is_not_noted_as_done(stored, store, place, now):
    def stopped():
        return False

    assert not learn_site(store, place, "harbour", SETTINGS, now, goes_on=stopped).is_stored
    learn_site(store, place, "harbour", SETTINGS, now)
    reextract_site(store, place, "harbour", SETTINGS, now, goes_on=stopped)
    assert list(due_sites(store, "here", ["harbour"])) == ["harbour"]
    assert learn_due(store, place, ["harbour"], SETTINGS, now, lambda: True)["epochs"] == 0
    assert not any(APPEAL in text for text in texts(store).values())
    assert list(due_sites(store, "here", ["harbour"])) == []


def test_a_site_that_keeps_its_boilerplate_is_not_learned(stored, store, place, now, monkeypatch):
    monkeypatch.setattr(boilerplate, "FIRST_CAPTURES", STORIES)
    keeps = replace(SETTINGS, of_sites={"harbour": ArticleOptions(leaves_out_boilerplate=False)})
    assert list(due_sites(store, "here", ["harbour"])) == ["harbour"]
    assert learn_due(store, place, ["harbour"], keeps, now, lambda: True) == {}
    learned = learn_site(store, place, "harbour", SETTINGS, now)
    reextract_site(store, place, "harbour", keeps, now)
    assert learned.is_stored
    assert all(APPEAL in text for text in texts(store).values())


@pytest.mark.postgresql
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_another_machine_reads_the_epoch_and_extracts_its_own_archive(stored, store, place, now, tmp_path, crawl, raw):
    other = ArchiveSettings(tmp_path / "other.archive", machine="there")
    keeper = ArchiveWriter(ArchiveSettings(other.folder, machine="there"), store)
    crawl(keeper, store, [with_appeal(raw, number) for number in (70, 71)])
    keeper.close()
    learn_site(store, place, "harbour", SETTINGS, now)
    reextract_site(store, place, "harbour", SETTINGS, now)
    assert sum(APPEAL in text for text in texts(store).values()) == 2
    assert list(due_sites(store, "there", ["harbour"])) == ["harbour"]
    assert learn_due(store, other, ["harbour"], SETTINGS, now, lambda: True, learns=False)["reextracted"] == 2
    assert not any(APPEAL in text for text in texts(store).values())
    assert not learn_site(store, other, "harbour", SETTINGS, now).is_stored, "two pages forget nothing"
    assert epoch_of(store).epoch == 1


def test_a_site_is_learned_again_when_its_pages_have_doubled():
    assert [is_due(0, 7), is_due(0, 8), is_due(40, 39), is_due(40, 40), is_due(90_000, 5_000)] == [
        *(False, True, False, True, True)
    ]
