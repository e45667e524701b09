"""The structure of a text is stored with it, read by all that reads articles, and changes nothing else."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from click.testing import CliRunner
from patience import PATIENCE
from web_client import client_of

import newscrawl
from newscrawl.cli.main import main
from newscrawl.model import Doubt, Structure, TextLink
from newscrawl.publishing.deliver.feeds import atom, feed_of_scope
from newscrawl.publishing.feed.search_mapping import StoryDocument, document
from newscrawl.reports import articles
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.types import TEXT_LIMIT
from newscrawl.storage.feed.feed_addresses import FeedScope

URL = "https://harbour.example/a"
EVIL = '<script>alert(1)</script> "quoted" <img src=x onerror=alert(1)>'
TEXT = (
    f"The ferry & <b>its</b> harbour\n\nSee the timetable of the ferry\n\n{EVIL} " + "The town waits for a ferry. " * 20
)
TEXT = TEXT.rstrip()
STRUCTURE = Structure("h2 u1 q", (TextLink(1, 8, 9, "https://harbour.example/times?a=1&b=%22"),))
MARKDOWN = (
    "## The ferry & \\<b\\>its\\</b\\> harbour\n\n- See the [timetable](https://harbour.example/times?a=1&b=%22) of"
)
HOUR = timedelta(hours=1)


def structured(page, url=URL, **changes):
    return page(url, TEXT, verdict="live", **{"structure": STRUCTURE, **changes})


def save(store, *pages):
    for one in pages:
        store.save(one).result(PATIENCE)


def shown(store):
    with store.reading() as connection:
        return list(articles(connection))


def test_it_is_written_with_the_text_and_never_again(store, page, now):
    save(store, structured(page))
    other = Structure("p p p")
    save(
        store,
        structured(page, fetched_at=now + HOUR, structure=other),
        structured(page, f"{URL}/copy", structure=other),
    )
    (one,) = shown(store)
    assert (one.structure, one.links, len(one.pages)) == (STRUCTURE, STRUCTURE.links, 2)
    assert [block.kind for block in one.blocks] == ["heading", "item", "quote"]
    assert one.markdown.startswith(MARKDOWN)


def test_another_structure_is_no_change(store, page, now):
    save(store, structured(page))
    before = shown(store)
    (outcome,) = [store.save(structured(page, fetched_at=now + HOUR, structure=None)).result(PATIENCE)]
    assert outcome.kind == "unchanged"
    assert shown(store) == before


@pytest.mark.parametrize("text", ["half of a pair \ud800 " + TEXT, "word " * (TEXT_LIMIT // 5 + 1)])
def test_a_text_that_is_stored_changed_has_none(store, page, text):
    save(store, page(URL, text, verdict="live", structure=Structure("p")))
    assert shown(store)[0].structure is None


def test_it_waits_for_review_with_its_text(store, page, now):
    long = Structure(" ".join(["h2", *["u1"] * 3_999]), STRUCTURE.links)
    text = "\n\n".join(f"item {number}" for number in range(4_000))
    held = page(URL, text, verdict="live", structure=long, fetched_at=now)
    save(store, replace(held, doubt=Doubt(("text collapsed",), held.article, needs_review=True)))
    assert shown(store) == []
    assert store.release(now + HOUR, site="harbour").result(PATIENCE).stored == 1
    assert shown(store)[0].structure == long


def test_readers_views_and_commands_have_it(store, page, database, tmp_path):
    save(store, structured(page))
    with newscrawl.open(database) as reader:
        (one,) = reader.articles()
        assert one.markdown.startswith(MARKDOWN)
        assert reader.history(URL).versions[0].markdown == one.markdown
    run = partial(CliRunner().invoke, main)
    options = ["--database", database]
    plain = json.loads(run(["export", *options]).stdout)
    assert plain["text"] == TEXT
    link = {"paragraph": 1, "start": 8, "length": 9, "url": STRUCTURE.links[0].url}
    assert plain["structure"] == {"blocks": "h2 u1 q", "links": [link]}
    assert json.loads(run(["export", "--text", "markdown", *options]).stdout) == plain | {"text": one.markdown}
    (row,) = csv.DictReader(run(["export", "--text", "markdown", "--format", "csv", *options]).stdout.splitlines(True))
    assert (row["text"].replace("\r\n", "\n"), json.loads(row["structure"])) == (one.markdown, plain["structure"])
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run(["export", "--text", "markdown", "-o", f"{tmp_path}/a.parquet", *options]).exit_code == 0
    (found,) = parquet.read_table(f"{tmp_path}/a.parquet").to_pylist()
    assert (found["text"], found["structure"]) == (one.markdown, plain["structure"])
    for extra, has in (([], False), (["--with", "structure"], True)):
        sent = run(["feed", f"jsonl:{tmp_path}/{has}.jsonl", *extra, *options])
        assert sent.exit_code == 0, sent.output
        (told,) = (tmp_path / f"{has}.jsonl").read_text("utf-8").splitlines()
        assert json.loads(told)["article"].get("structure") == (plain["structure"] if has else None)


@pytest.mark.parametrize("view", ["current_articles", "article_versions"])
def test_views_have_it_as_json(store, page, database, view):
    save(store, structured(page))
    with make_engine(parse_url(database), pooled=False).connect() as connection:
        found = connection.exec_driver_sql(f"SELECT structure FROM {view}").scalar_one()
    found = json.loads(found) if isinstance(found, str) else found
    assert found == {"blocks": "h2 u1 q", "links": [[1, 8, 9, STRUCTURE.links[0].url]]}


def test_documents_of_search_servers_have_it_if_asked(store, page):
    save(store, structured(page))
    story = StoryDocument(1, 1, shown(store)[0], [1])
    assert "structure" not in document(story)
    assert document(story, with_structure=True)["structure"] == STRUCTURE


def test_a_feed_shows_it_within_its_summary(store, page):
    save(store, structured(page))
    with store.reading() as connection:
        feed = feed_of_scope(connection, FeedScope("everything"), "https://me.example/feed.atom")
    (entry,) = feed.entries
    assert entry.content.startswith("<h2>The ferry &amp; &lt;b&gt;its&lt;/b&gt; harbour</h2>\n<ul><li>See the <a href=")
    assert "<script" not in entry.content
    assert entry.content.endswith("</p></blockquote>")
    assert b'<content type="html">&lt;h2&gt;The ferry &amp;amp; &amp;lt;b&amp;gt;its' in atom(feed)


def test_the_page_shows_it_escaped(store, page, database):
    save(store, structured(page))
    with client_of(database) as client:
        answered = client.get("/article", params={"url": URL})
        as_json = client.get("/article.json", params={"url": URL}).json()
    assert "<h3>The ferry &amp; &lt;b&gt;its&lt;/b&gt; harbour</h3>" in answered.text
    href = "https://harbour.example/times?a=1&amp;b=%22"
    assert f'<a href="{href}" rel="nofollow noreferrer">timetable</a>' in answered.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &quot;quoted&quot;" in answered.text
    assert "<img src=x" not in answered.text
    assert as_json["structure"]["blocks"] == "h2 u1 q"
