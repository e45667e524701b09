"""Labels decide which day of a line is the publication, and a comment's day is no date of the page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

import pytest

from newscrawl.extraction.metadata.read import read_metadata
from newscrawl.model import Metadata
from newscrawl.page import Page, parse

Read = Callable[..., Metadata]

TEXT: Final = "<p>" + "The harbour board met on Monday and spoke about the new quay for the ferries. " * 6 + "</p>"
LABELLED: Final = (
    "<p>Received: 29 July 2022. Accepted: 16 December 2022. Published: 2 January 2023</p>",
    ("<ul><li>Received: 29 July 2022</li><li>Accepted: 16 December 2022</li><li>Published: 02 January 2023</li></ul>"),
    "<p>Published: 2 January 2023; received 29 July 2022; accepted 16 December 2022</p>",
    "<p>Ruling of 1 January 2023, published on 2 January 2023</p>",
    "<dl><dt>Received</dt><dd>29 July 2022</dd><dt>Published</dt><dd>2 January 2023</dd></dl>",
    "<p>Eingegangen am 29. Juli 2022, veröffentlicht am 2. Januar 2023</p>",
    "<p>Urteil vom 1. Januar 2023, veröffentlicht am 2. Januar 2023</p>",
    "<p>Reçu le 29 juillet 2022, accepté le 16 décembre 2022, publié le 2 janvier 2023</p>",
    "<p>Arrêt du 1er janvier 2023, publié le 2 janvier 2023</p>",
    "<p>Recibido: 29 de julio de 2022 / Aceptado: 16 de diciembre de 2022 / Publicado: 2 de enero de 2023</p>",
    "<p>Sentenza del 1 gennaio 2023, pubblicata il 2 gennaio 2023</p>",
    "<p>Wyrok z 1 stycznia 2023, opublikowano 2 stycznia 2023</p>",
    "<p>Поступила 29 июля 2022, опубликована 2 января 2023</p>",
    "<p>收稿日期：2022-07-29　发布日期：2023-01-02</p>",
    "<p>收稿：2022-07-29 发表：2023-01-02</p>",
    "<p>접수 2022-07-29 | 게재 2023-01-02</p>",
    "<p>受付日：2022年7月29日　公開日：2023年1月2日</p>",
    "<p>Event date: 29 July 2022 | Posted: 2 January 2023</p>",
    "<p>Recorded 29 July 2022 · Released 2 January 2023</p>",
    "<ul><li>Eingang: 29.07.2022</li><li>Veröffentlicht: 02.01.2023</li></ul>",
    "<div><span>Received 29 July 2022</span> <span>Published 2 January 2023</span></div>",
    "<p>Accepted 29 July 2022</p><p>Published online: 2 January 2023</p>",
    "<p>Decisão de 1 de janeiro de 2023, publicada em 2 de janeiro de 2023</p>",
    "<p>Uitspraak van 1 januari 2023, gepubliceerd op 2 januari 2023</p>",
    "<p>Karar tarihi: 29 Temmuz 2022, yayın tarihi: 2 Ocak 2023</p>",
)
COMMENTS: Final = (
    (
        '<section class="comments"><div class="comment"><p>Posted May 9, 2026 8:05 UTC by '
        "<b>reader1</b></p><p>I disagree with it all.</p></div></section>"
    ),
    (
        "<details class=CommentBox open><summary>Comments</summary>"
        "<p>Ada, 9 May 2026 at 10:00</p><p>I disagree with it all.</p></details>"
    ),
    (
        '<ol class="comment-list"><li><time datetime="2026-05-09T10:00:00Z">9 May 2026'
        "</time><p>I disagree with it.</p></li></ol>"
    ),
    '<div id="disqus_thread"><p>Published 9 May 2026</p><p>No.</p></div>',
    '<div class="kommentare"><div class="date">09.05.2026, 10:00</div><p>Das sehe ich anders.</p></div>',
    '<div id="commentaires"><span class="date">9 mai 2026</span><p>Non.</p></div>',
    '<div class="lista-comentarios"><p>Publicado el 9 de mayo de 2026</p><p>No.</p></div>',
    '<section class="discussion"><p>reader2 - 9 May 2026</p><p>No.</p></section>',
    '<div class="replies"><div class="reply"><p class="date">2026-05-09 10:00</p><p>No.</p></div></div>',
    '<div class="articleComments"><p>9 May 2026</p><p>No.</p></div>',
    '<div class="kommentarii comments-block"><p>9 мая 2026</p><p>Нет.</p></div>',
    (
        '<div itemprop="comment" itemscope itemtype="https://schema.org/Comment">'
        '<time itemprop="dateCreated" datetime="2026-05-09">9 May</time><p>No.</p></div>'
    ),
    '<div class="UserComment"><time pubdate datetime="2026-05-09">9 May</time><p>No.</p></div>',
    '<div class="yorumlar"><span class="tarih date">9 Mayıs 2026</span><p>Hayır.</p></div>',
)


def _day(metadata: Metadata) -> str | None:
    return metadata.published.when.date().isoformat() if metadata.published else None


@pytest.mark.parametrize("lines", LABELLED)
def test_the_day_behind_the_label_of_a_publication_counts(read: Read, lines: str) -> None:
    assert _day(read(body=f"<article><h1>The quay</h1>{lines}{TEXT * 3}</article>")) == "2023-01-02"


def test_a_day_before_the_publication_is_not_preferred_to_a_meta_element(read: Read) -> None:
    head = '<meta name="dc.date" content="2023-01-02">'
    assert (
        _day(read(head, f"<article><h1>The quay</h1><p>Received: 29 July 2022</p>{TEXT * 3}</article>")) == "2023-01-02"
    )


def test_each_time_element_of_a_line_has_its_label(read: Read) -> None:
    line = "Received <time>29 July 2022</time>, published <time>2 January 2023</time>"
    assert _day(read(body=f"<article><h1>The quay</h1><p>{line}</p>{TEXT * 3}</article>")) == "2023-01-02"


@pytest.mark.parametrize("comments", COMMENTS)
def test_the_day_of_a_comment_is_no_date_of_the_page(read: Read, comments: str) -> None:
    assert _day(read(body=f"<main><article><h1>The quay</h1>{TEXT * 3}</article>{comments}</main>")) is None
    dated = f"<main><article><h1>The quay</h1><p>2 January 2023</p>{TEXT * 3}</article>{comments}</main>"
    assert _day(read(body=dated)) == "2023-01-02"


@pytest.mark.parametrize(
    "body",
    [
        '<main class="replies"><article class="comments-open"><h1>The quay</h1><p>2 January 2023</p>{}</article>',
        '<article><h1>The quay</h1><p class="comments-meta">2 January 2023 <a href="#c">3 comments</a></p>{}</article>',
        '<div class="HeaderComment"><h1>The quay</h1></div><p class="HeaderComment_date">2 January 2023</p>{}',
        '<article><h1>The quay</h1><p class="commentary-date">2 January 2023</p>{}</article>',
    ],
)
def test_an_article_in_an_element_with_such_a_name_keeps_its_date(read: Read, body: str) -> None:
    assert _day(read(body=body.format(TEXT * 3))) == "2023-01-02"


def test_time_is_linear_in_comments(doubling: Callable[..., None], fetched_at: datetime) -> None:
    def page(comments: int) -> Page:
        thread = '<div class="comment"><p>Posted 9 May 2026</p><time>9 May 2026</time><p>No.</p></div>' * comments
        return parse(
            f"<article><h1>The quay</h1>{TEXT}</article><section>{thread}</section>", url="https://a.example/b"
        )

    doubling(lambda parsed: read_metadata(parsed, fetched_at=fetched_at), page, 2_000)
