"""The outcomes of saved pages, on both databases."""

from __future__ import annotations

from datetime import timedelta

from patience import PATIENCE
from source_items import record_answer, record_page_failure

from newscrawl import reports
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage.frontier import pages
from newscrawl.storage.records import SourceAnswer


def exported(store):
    with store.reading() as connection:
        return list(reports.articles(connection))


def told(store, url):
    with store.reading() as connection:
        return reports.url_report(connection, url)


def find(store, now, *urls, site="harbour"):
    answer = SourceAnswer(site, "https://harbour.example/feed", "feed", 200, now)
    found = [Candidate(url, Discovery("feed", answer.url)) for url in urls]
    return store.run(record_answer, answer, found, now).result(timeout=PATIENCE)


def due(store, now, site="harbour"):
    return [page.url for page in store.run(pages.due, site, now, 100).result(timeout=PATIENCE)]


def test_short_texts_are_never_joined_across_pages(save, store, page):
    short = [page(f"https://harbour.example/{name}", "Read more soon.", verdict="short") for name in "ab"]
    assert [one.kind for one in save(*short)] == ["inserted", "inserted"]
    assert len(exported(store)) == 2


def test_no_failure_and_no_empty_or_short_text_replaces_a_good_one(save, store, page, now):
    url = "https://harbour.example/a"
    save(page(url, "one", headers={"etag": '"1"'}))
    failed, empty, short = save(
        page(url, headers={"etag": '"2"'}),
        page(url, "", verdict="empty"),
        page(url, "Just a notice.", verdict="short", headers={"etag": '"3"'}),
    )
    assert (failed.kind, empty.kind, short.kind) == ("failed", "failed", "unchanged")
    (article,) = exported(store)
    assert article.title == "About one"
    story = told(store, url)
    assert story.page.page.etag == '"1"'
    kinds = [event.kind for event in story.events]
    assert kinds == ["stored/inserted", "extraction/timeout", "extraction/empty", "stored/kept_good_version"]


def test_a_good_text_replaces_a_short_one(save, store, page):
    url = "https://harbour.example/a"
    save(page(url, "More soon.", verdict="short"))
    (outcome,) = save(page(url, "one"))
    assert outcome.kind == "new_version"
    assert [article.verdict for article in exported(store)] == ["article"]


def test_two_candidates_that_redirect_to_one_address_are_one_page(save, store, page, now):
    final = "https://harbour.example/final"
    first, second = "https://harbour.example/r/1", "https://harbour.example/r/2"
    find(store, now, first, second)
    outcomes = save(page(first, "one", final_url=final), page(second, "one", final_url=final))
    assert [one.kind for one in outcomes] == ["inserted", "unchanged"]
    assert outcomes[0].page_id == outcomes[1].page_id
    assert due(store, now) == []
    (article,) = exported(store)
    assert article.pages == (final,)
    story = told(store, second)
    assert story.page.page.url == final
    assert set(story.page.urls) == {final, first, second}
    assert story.page.discovery.kind == "feed"
    assert find(store, now, first, second) == []


def test_a_redirect_does_not_collapse_different_texts(save, store, page):
    old, new = "https://harbour.example/old", "https://harbour.example/new"
    save(page(old, "one"), page(new, "two"))
    save(page(old, "two", final_url=new))
    assert sorted(article.title for article in exported(store)) == ["About one", "About two"]
    assert "redirect/kept_apart" in [event.kind for event in told(store, old).events]


def test_a_consent_wall_that_many_pages_lead_to_does_not_swallow_them(save, store, page, now):
    wall = "https://harbour.example/consent"
    urls = [f"https://harbour.example/{n}" for n in range(4)]
    find(store, now, *urls)
    save(*(page(url, "We value your privacy.", verdict="short", final_url=wall) for url in urls))
    assert due(store, now) == []
    assert sorted(due(store, now + timedelta(hours=1))) == urls[1:]


def test_an_address_that_redirected_may_become_a_page_of_its_own(save, store, page):
    old, new = "https://harbour.example/old", "https://harbour.example/new"
    save(page(old, "one", final_url=new))
    (outcome,) = save(page(old, "two"))
    assert outcome.kind == "inserted"
    assert told(store, old).page.page.url == old
    assert told(store, new).page.page.url == new


def test_a_chain_of_redirects_within_one_batch_ends_in_one_page(save, store, page):
    a, b, c = (f"https://harbour.example/{name}" for name in "abc")
    outcomes = save(page(a, "one"), page(a, "one", final_url=b), page(b, "one", final_url=c))
    assert [one.kind for one in outcomes] == ["inserted", "unchanged", "unchanged"]
    assert len({one.page_id for one in outcomes}) == 1
    (article,) = exported(store)
    assert article.pages == (c,)
    assert {told(store, url).page.page.url for url in (a, b, c)} == {c}


def test_a_declared_site_takes_a_page_over_from_generic_and_keeps_it(save, store, page):
    url = "https://harbour.example/a"
    save(page(url, "one", site="generic"))
    assert told(store, url).page.page.site == "generic"
    save(page(url, "one", site="harbour"))
    save(page(url, "one", site="generic"), page(url, "one", site="other"))
    assert told(store, url).page.page.site == "harbour"


def test_a_page_cannot_overwrite_another_by_claiming_its_address(save, store, page):
    theirs = "https://bbc.example/story"
    save(page(theirs, "truth", site="bbc"))
    save(page("https://evil.example/x", "lies", site="evil", canonical=theirs))
    save(page("https://bbc.example/other", "weather", site="bbc", canonical=theirs))
    save(page("https://bbc.example/third", "sport", site="bbc", canonical="https://bbc.example/"))
    save(page("https://bbc.example/fourth", "music", site="bbc", canonical="javascript:alert(1)"))
    save(page("https://bbc.example/fifth", "opera", site="bbc", canonical="https://ann:pw@bbc.example/opera"))
    assert [article.canonical for article in exported(store)] == [None] * 6
    assert told(store, theirs).page.article.other_pages == []
    reasons = [
        event.reason.partition(": ")[2]
        for path in (
            "https://evil.example/x",
            *(f"https://bbc.example/{p}" for p in ("other", "third", "fourth", "fifth")),
        )
        for event in told(store, path).events
        if event.kind == "canonical/rejected"
    ]
    assert reasons == [
        "it is on another domain",
        "the page there shows another text",
        "it is the home page",
        "it is no http(s) URL",
        "it holds a user",
    ]


def test_a_page_that_is_gone_keeps_its_article_and_returns_only_when_named(save, store, page, now):
    url = "https://harbour.example/a"
    find(store, now, url)
    failure = Failure("http/404", "not found")
    store.run(record_page_failure, url, "harbour", failure, 404, now).result()
    later = now + timedelta(days=2)
    assert due(store, later) == []
    assert find(store, now + timedelta(hours=1), url) == []
    assert [page.url for page in find(store, later, url)] == [url]
    assert save(page(url, "one"))[0].kind == "inserted"
    store.run(record_page_failure, url, "harbour", failure, 410, later).result()
    assert told(store, url).page.page.state == "gone"
    assert len(exported(store)) == 1
