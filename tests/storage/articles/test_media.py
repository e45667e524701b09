"""Images, videos and sounds are stored with a version, exported, and change no article by themselves."""

from __future__ import annotations

from datetime import timedelta

from patience import PATIENCE

from newscrawl import reports
from newscrawl.model import Image
from newscrawl.storage.feed.changes import read

URL = "https://harbour.example/a"
HOUR = timedelta(hours=1)
IMAGES = (Image("https://harbour.example/a.jpg", "Noon", "Ada", 1200, 800), Image("https://harbour.example/b.jpg"))


def exported(store):
    with store.reading() as connection:
        (article,) = reports.articles(connection)
    return article


def test_other_media_alone_are_no_change_of_the_article(store, page, now):
    store.save(page(URL, "one", fetched_at=now, images=IMAGES)).result(PATIENCE)
    with store.reading() as connection:
        before = len(read(connection, 0, 100))
    other = (Image("https://harbour.example/a.jpg?token=2"),)
    store.save(page(URL, "one", fetched_at=now + HOUR, images=other)).result(PATIENCE)
    with store.reading() as connection:
        assert len(read(connection, 0, 100)) == before


def test_a_reading_without_media_keeps_the_stored_ones(store, page, now):
    store.save(page(URL, "one", fetched_at=now, images=IMAGES)).result(PATIENCE)
    store.save(page(URL, "one", fetched_at=now + HOUR)).result(PATIENCE)
    assert [Image(**image) for image in exported(store).images] == list(IMAGES)


def test_a_later_reading_adds_media_to_a_stored_text(store, page, now):
    store.save(page(URL, "one", fetched_at=now)).result(PATIENCE)
    store.save(page(URL, "one", fetched_at=now + HOUR, images=IMAGES)).result(PATIENCE)
    assert [Image(**image) for image in exported(store).images] == list(IMAGES)
