"""Another chain over the archive: the changes are reported, and stored in place of the former results."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from sqlalchemy import text

from newscrawl.archive.ingest.worker import Settings
from newscrawl.archive.reextract.report import _marked, html
from newscrawl.archive.reextract.run import Reextraction
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.storage.captures.locations import Selection

CLUTTER = b"<html><title>T</title><div><p>Home page of the harbour and of all its boats, with prices.</p></div>"


NO_SELECTION = Selection()


def page(raw, number):
    return raw(number, body=CLUTTER + raw(number).body + b"<div><p>All rights of this paper are reserved.</p></div>")


def again(store, folder, chain, *, apply, selection=NO_SELECTION, languages=(), **own):
    of_sites = {name: ArticleOptions(of_site) for name, of_site in own.items()}
    settings = Settings(ArticleOptions(chain), of_sites=of_sites)
    work = Reextraction(
        store, ArchiveSettings(folder), selection, settings, apply=apply, languages=frozenset(languages)
    )
    *_, progress = work.run()
    return progress


def versions(store):
    with store.reading() as connection:
        return connection.execute(
            text("SELECT page_id, seen_at, last_seen, change_class, extractor FROM versions ORDER BY page_id")
        ).all()


def test_a_new_text_takes_the_old_ones_place_and_doing_it_twice_changes_nothing(
    crawled, keeper, store, folder, raw, now
):
    crawled([page(raw, number) for number in range(3)])
    keeper.close()
    before = versions(store)
    told = again(store, folder, "boilerpipe-num-words", apply=False)
    assert (told.pages, told.changed) == (3, 3)
    assert versions(store) == before
    assert "harbour" in html(told.tally, "boilerpipe-num-words", now, applied=False)
    again(store, folder, "boilerpipe-num-words", apply=True)
    after = versions(store)
    assert [row[:4] for row in after] == [row[:4] for row in before]
    assert {row.extractor for row in after} == {"boilerpipe-num-words"}
    with store.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM articles")).scalar() == 3  # the old texts are gone
    assert again(store, folder, "boilerpipe-num-words", apply=True).changed == 0
    assert versions(store) == after


def test_a_site_keeps_its_own_chain(crawled, keeper, store, folder, raw):
    crawled([page(raw, 0), page(lambda number, **more: raw(number, site="inland", **more), 1)])
    keeper.close()
    again(store, folder, "boilerpipe-num-words", apply=True, inland="boilerpipe-wide")
    assert [row.extractor for row in versions(store)] == ["boilerpipe-num-words", "boilerpipe-wide"]


def test_sites_and_languages_select_pages(crawled, keeper, store, folder, raw):
    sentence = "O conselho do bairro reuniu-se na terça-feira à noite e discutiu a nova ponte durante horas. "
    body = f"<html lang=pt-BR><title>Ponte</title><main><p>{sentence * 9}</p></main>".encode()
    crawled([page(raw, 0), raw(1, site="inland"), raw(2, site="coast"), raw(3, body=body, site="inland")])
    keeper.close()
    chosen = Selection(sites=frozenset({"inland", "coast"}))
    told = again(store, folder, "boilerpipe-wide", apply=False, selection=chosen)
    assert (told.total, told.pages, set(told.tally.sites)) == (3, 3, {"inland", "coast"})
    told = again(store, folder, "boilerpipe-num-words", apply=True, selection=chosen, languages=["PT"])
    assert (told.done, told.pages, told.tally.skipped["not_wanted"]) == (3, 1, 2)


def test_what_only_one_text_has_is_marked() -> None:
    assert _marked("It rains here today.", "It snows here today.") == (
        "It <del>rains </del>here today.",
        "It <ins>snows </ins>here today.",
    )


REPETITIVE = {
    "one word": lambda n: ("rain " * n, "rain " * (n // 2) + "sun " + "rain " * (n // 2)),
    "words in turn": lambda n: ("rain sun " * n, "sun rain rain " * n),
    "rows of a table": lambda n: ("win loss 1 0 draw " * n, "win 0 loss draw 1 " * n),
}


@pytest.mark.parametrize("shape", REPETITIVE)
def test_a_text_that_repeats_itself_ends_soon_and_stays_whole(shape: str, grows_evenly: Callable[..., None]) -> None:
    old, new = REPETITIVE[shape](300)
    left, right = _marked(old, new)
    assert re.sub("</?del>", "", left) == old
    assert re.sub("</?ins>", "", right) == new
    grows_evenly(lambda texts: _marked(*texts), REPETITIVE[shape], 1_200)
