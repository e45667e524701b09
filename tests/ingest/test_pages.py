"""Which records of an archive are pages, of which site, and when they were fetched."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.archive.ingest.inputs import COMPRESSED_SPAN, MIN_SPAN, HtmlFile, Input, find_inputs
from newscrawl.archive.ingest.pages import PageFilter, Skipped, own_address, page_of_file, page_of_record
from newscrawl.archive.warc import Record, RecordPosition
from newscrawl.errors import UsageError
from newscrawl.model import ProcessedPage, RawPage

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
URL = "https://news.harbour.example/a"
HEADERS = {"warc-type": "response", "warc-target-uri": URL, "warc-date": "2026-11-01T12:00:00Z"}
BLOCK = b"HTTP/1.1 200 OK\r\nETag: x\r\n\r\n<p>text</p>"


def page(block=BLOCK, wanted=None, **changes):
    headers = HEADERS | {name.replace("_", "-"): value for name, value in changes.items()}
    return page_of_record(
        Record(RecordPosition(0), RecordPosition(9), headers, block), wanted or PageFilter(), 1 << 20, NOW
    )


def test_a_response_is_a_raw_page_fetched_when_its_record_says():
    found = page()
    assert found == RawPage(URL, URL, 200, {"etag": "x"}, b"<p>text</p>", NOW, "harbour.example")


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"warc_type": "request"}, "warc/no_page"),
        ({"warc_type": "metadata"}, "warc/no_page"),
        ({"warc_type": "warcinfo", "warc_target_uri": ""}, "warc/no_page"),
        ({"warc_target_uri": "dns:harbour.example"}, "warc/no_page"),
        ({"warc_target_uri": "https://harbour.example/robots.txt"}, "warc/no_page"),
        ({"warc_type": "revisit"}, "warc/revisit"),
        ({"warc_truncated": "length"}, "warc/truncated"),
        ({"warc_date": "yesterday"}, "warc/broken"),
        ({"warc_target_uri": "http://[bad"}, "warc/broken"),
        ({"block": BLOCK.replace(b"200 OK", b"301 Moved")}, "http/301"),
    ],
)
def test_what_is_no_page_is_counted_by_its_kind(changes, kind):
    assert page(**changes) == Skipped(kind)


def test_an_answer_that_was_none_is_a_failure_as_in_a_crawl():
    found = page(BLOCK.replace(b"200 OK", b"404 Not Found"))
    assert isinstance(found, ProcessedPage)
    assert found.failure is not None
    assert (found.raw.status, found.failure.code) == (404, "http/404")


def test_a_page_larger_than_a_crawl_takes_is_a_failure():
    found = page(None)
    assert isinstance(found, ProcessedPage)
    assert found.failure is not None
    assert found.failure.code == "download/too_large"


def test_a_declared_site_gives_its_name_and_the_nearest_domain_wins():
    wanted = PageFilter(sites={"harbour.example": "harbour", "blog.harbour.example": "blog"})
    assert wanted.site_of("https://www.harbour.example/x") == "harbour"
    assert wanted.site_of("https://my.blog.harbour.example/x") == "blog"
    assert wanted.site_of("https://notharbour.example/x") == "notharbour.example"
    assert wanted.site_of("https://www.bbc.co.uk/x") == "bbc.co.uk"


@pytest.mark.parametrize(
    "wanted",
    [
        PageFilter(site="other"),
        PageFilter(since=NOW + timedelta(seconds=1)),
        PageFilter(until=NOW),
        PageFilter(pattern=r"/\d{4}/"),
    ],
)
def test_pages_outside_of_what_is_wanted_are_passed_over(wanted):
    assert page(wanted=wanted) == Skipped("not_wanted")


@pytest.mark.parametrize(
    "wanted", [PageFilter(site="harbour.example"), PageFilter(since=NOW), PageFilter(pattern=r"/a$")]
)
def test_pages_inside_of_it_are_taken(wanted):
    assert isinstance(page(wanted=wanted), RawPage)


def test_a_file_has_the_address_that_the_corpus_or_the_page_itself_says(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "gold.jsonl").write_text('{"id": "one", "url": "https://harbour.example/one"}\n', "utf-8")
    (tmp_path / "pages" / "one.html").write_text("<p>x</p>", "utf-8")
    (tmp_path / "pages" / "two.html").write_text("<link rel=canonical href=https://harbour.example/two>", "utf-8")
    (tmp_path / "pages" / "three.HTM").write_text("<p>x</p>", "utf-8")
    (one,) = find_inputs([tmp_path])
    pages = {
        found.url: found
        for found in (page_of_file(file, PageFilter(), 1 << 20, datetime.now(UTC)) for file in one.files)
    }
    assert set(pages) == {
        "https://harbour.example/one",
        "https://harbour.example/two",
        f"http://files.invalid/{tmp_path.name}/pages/three.HTM",
    }
    changed = (tmp_path / "pages" / "one.html").stat().st_mtime
    assert pages["https://harbour.example/one"].fetched_at.timestamp() == pytest.approx(changed, abs=1e-3)


def test_files_of_the_same_name_in_different_folders_are_different_pages(tmp_path):
    names = ("town/1/index.html", "town/2/index.html", "coast/1/index.html", "coast/a#1 é.html", "coast/a#2 é.html")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<p>x</p>", "utf-8")
    in_folders = find_inputs([tmp_path / "town", tmp_path / "coast"])
    assert {address_of(file) for one in in_folders for file in one.files} == {
        "http://files.invalid/town/1/index.html",
        "http://files.invalid/town/2/index.html",
        "http://files.invalid/coast/1/index.html",
        "http://files.invalid/coast/a%231%20%C3%A9.html",
        "http://files.invalid/coast/a%232%20%C3%A9.html",
    }


def test_single_files_of_the_same_name_size_and_time_are_different_pages(tmp_path):
    paths = [tmp_path / folder / "index.html" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("<p>x</p>", "utf-8")
        os.utime(path, (1_793_534_400, 1_793_534_400))
    assert [address_of(file) for one in find_inputs(paths) for file in one.files] == [
        "http://files.invalid/one/index.html",
        "http://files.invalid/two/index.html",
    ]


def address_of(file):
    found = page_of_file(file, PageFilter(), 1 << 20, datetime.now(UTC))
    assert isinstance(found, RawPage)
    return found.url


def test_a_page_says_its_address_only_where_that_is_one():
    assert own_address(b'<meta property="og:url" content="https://harbour.example/x">') == "https://harbour.example/x"
    assert own_address(b"<link rel=canonical href=/x>") is None
    assert own_address(b"<base href=https://h.example/><link rel=canonical href=/x>") == "https://h.example/x"


def test_a_file_that_is_no_archive_and_a_folder_without_any_are_refused_in_one_line(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing", "utf-8")
    with pytest.raises(UsageError, match="not a WARC file"):
        find_inputs([tmp_path / "notes.txt"])
    with pytest.raises(UsageError, match=r"no \.html"):
        find_inputs([tmp_path])
    with pytest.raises(UsageError, match="cannot read"):
        find_inputs([tmp_path / "missing.warc.gz"])


def test_one_file_under_two_names_is_ingested_once(warc, stories, tmp_path):
    path = warc(stories(2))
    (tmp_path / "copy.warc.gz").write_bytes(path.read_bytes())
    assert len(find_inputs([path, tmp_path / "copy.warc.gz", path])) == 1


def test_the_spans_of_a_packed_file_cover_it_and_get_smaller_towards_its_end(tmp_path):
    path = tmp_path / "large.warc.gz"
    path.write_bytes(b"\x1f\x8b")
    spans = list(Input("warc", str(path), "key", size := 200 << 20, size).spans())
    assert [span.start.offset for span in spans] == [0, *(span.stop for span in spans[:-1])]
    assert spans[-1].stop == size
    sizes = [span.stop - span.origin for span in spans]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == COMPRESSED_SPAN
    assert sizes[-2] == MIN_SPAN
    assert sum(sizes[-3:]) < COMPRESSED_SPAN


def test_a_record_within_what_clocks_differ_is_taken_with_its_time():
    found = page(warc_date="2026-11-01T12:02:00Z")
    assert isinstance(found, RawPage)
    assert (found.fetched_at, found.undated) == (NOW + timedelta(minutes=2), False)


@pytest.mark.parametrize("date", ["1970-01-01T00:00:00Z", "2026-11-01T12:02:01Z", "2099-01-01T00:00:00Z"])
def test_a_record_from_before_the_web_or_after_now_is_of_unknown_age(date):
    found = page(warc_date=date)
    assert isinstance(found, RawPage)
    assert (found.fetched_at, found.undated) == (NOW, True)
    assert page(warc_date=date, wanted=PageFilter(until=NOW)) == Skipped("not_wanted")


@pytest.mark.parametrize(
    ("changed", "dated"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), False),
        (datetime(1980, 1, 1, tzinfo=UTC), False),
        (datetime(1999, 1, 1, tzinfo=UTC), True),
        (NOW + timedelta(minutes=1), True),
        (NOW + timedelta(minutes=3), False),
    ],
)
def test_the_time_of_a_file_counts_where_a_page_can_have_been_fetched_then(tmp_path, changed, dated):
    path = tmp_path / "a.html"
    path.write_bytes(b"<p>text</p>")
    file = HtmlFile(str(path), URL, changed, "pages/page.html")
    found = page_of_file(file, PageFilter(), 1 << 20, NOW)
    assert isinstance(found, RawPage)
    assert (found.fetched_at, found.undated) == (changed if dated else NOW, not dated)
    bounded = page_of_file(file, PageFilter(until=NOW + timedelta(days=1)), 1 << 20, NOW)
    assert isinstance(bounded, RawPage) is dated
