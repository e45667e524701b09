"""Images, videos and sounds of an article as fields: what is read, what is merged, what is left out or refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from newscrawl.extraction.article.extracted import Extracted, extract
from newscrawl.extraction.metadata.media import MAX_AUDIO, MAX_IMAGES, MAX_VIDEOS, split_credit
from newscrawl.model import Image

SITE = "https://harbour.example"
URL = f"{SITE}/news/bridge"
PROSE = "<p>The council opened the new bridge in the morning, and many people came from the villages to see it.</p>" * 5


def read(
    body: str = "", *, head: str = "", ld: dict[str, Any] | None = None, before: str = "", after: str = ""
) -> Extracted:
    """The page with `body` inside its text, `before` and `after` outside its article."""
    script = f'<script type="application/ld+json">{json.dumps(ld)}</script>' if ld is not None else ""
    article = f"<h1>The bridge opens at last</h1>{PROSE}{body}{PROSE}"
    html = f"<html><head>{head}{script}</head><body>{before}<article>{article}</article>{after}</body></html>"
    return extract(html, URL)


MARKUPS = [
    ("an element", '<img src="/i/a.jpg" width="800" height="600">', Image(f"{SITE}/i/a.jpg", None, None, 800, 600)),
    (
        "a figure",
        '<figure><img src="/i/a.jpg"><figcaption>The bridge at noon. Photo: Ada Example</figcaption></figure>',
        Image("https://harbour.example/i/a.jpg", "The bridge at noon.", "Ada Example"),
    ),
    (
        "a credit in an element of its own",
        '<figure><img src="/i/a.jpg"><figcaption>At noon.<i class="credit">Bild: Ada/dpa</i></figcaption></figure>',
        Image("https://harbour.example/i/a.jpg", "At noon.", "Ada/dpa"),
    ),
    (
        "a box with a class",
        '<div class="wp-caption"><img src="/i/a.jpg"><p class="wp-caption-text">The bridge (Foto: Ada)</p></div>',
        Image("https://harbour.example/i/a.jpg", "The bridge", "Ada"),
    ),
    (
        "several sizes",
        '<img src="/i/s.jpg" srcset="/i/a-300.jpg 300w, /i/a-1200.jpg 1200w, /i/b.jpg 600w" width="600" height="400">',
        Image("https://harbour.example/i/a-1200.jpg", None, None, 1200, 800),
    ),
    (
        "a picture with sources",
        '<picture><source srcset="/i/a.webp 1000w"><source srcset="/i/b.webp 500w"><img src="/i/s.jpg"></picture>',
        Image("https://harbour.example/i/a.webp", None, None, 1000, None),
    ),
    (
        "loaded later",
        '<img src="data:image/gif;base64,R0lGOD" data-src="/i/a.jpg">',
        Image("https://harbour.example/i/a.jpg"),
    ),
    (
        "loaded by a program, with a copy for readers without one",
        '<noscript><img src="/i/a.jpg" width="640"></noscript>',
        Image("https://harbour.example/i/a.jpg", None, None, 640, None),
    ),
    (
        "a credit inside the caption's line",
        '<figure><img src="/i/a.jpg"><figcaption>The bridge <span class="credit">Ada/Post</span></figcaption></figure>',
        Image("https://harbour.example/i/a.jpg", "The bridge", "Ada/Post"),
    ),
    ("AMP", '<amp-img src="/i/a.jpg" width="640" height="480">', Image(f"{SITE}/i/a.jpg", None, None, 640, 480)),
    ("a link to its file", '<a href="/i/a-large.jpg"><img src="/i/a.jpg"></a>', Image("https://harbour.example/i/a.jpg")),
]  # fmt: skip


@pytest.mark.parametrize(("body", "image"), [m[1:] for m in MARKUPS], ids=[m[0] for m in MARKUPS])
def test_a_picture_in_the_text_is_read(body: str, image: Image) -> None:
    assert read(body).images == (image,)


LEADS = [
    (
        "JSON-LD",
        "",
        {
            "@type": "NewsArticle",
            "image": {"url": "/i/a.jpg", "width": 1200, "height": "800px", "caption": "Noon", "creditText": "Ada"},
        },
        Image("https://harbour.example/i/a.jpg", "Noon", "Ada", 1200, 800),
    ),
    (
        "a list of crops in JSON-LD",
        "",
        {"@type": "NewsArticle", "image": ["/i/a-1x1.jpg", "/i/a-4x3.jpg"]},
        Image("https://harbour.example/i/a-1x1.jpg"),
    ),
    (
        "OpenGraph",
        (
            '<meta property="og:image" content="/i/a.jpg"><meta property="og:image:width" content="1200">'
            '<meta property="og:image:height" content="630">'
        ),
        None,
        Image("https://harbour.example/i/a.jpg", None, None, 1200, 630),
    ),
    (
        "the first usable one of a list, as a list of addresses",
        "",
        {"@type": "NewsArticle", "image": [None, {"url": 7}, {"url": ["/i/a.jpg", "/i/b.jpg"], "width": "1200px"}]},
        Image("https://harbour.example/i/a.jpg", None, None, 1200, None),
    ),
    ("the Twitter card", '<meta name="twitter:image" content="/i/a.jpg">', None, Image("https://harbour.example/i/a.jpg")),
]  # fmt: skip


@pytest.mark.parametrize(("head", "ld", "image"), [m[1:] for m in LEADS], ids=[m[0] for m in LEADS])
def test_the_lead_image_is_first(head: str, ld: dict[str, Any] | None, image: Image) -> None:
    images = read('<img src="/i/z.jpg">', head=head, ld=ld).images
    assert images == (image, Image("https://harbour.example/i/z.jpg"))


def test_a_picture_between_headline_and_text_is_read() -> None:
    html = (
        "<html><body><div><h1>The bridge opens at last</h1><figure><img src='/i/a.jpg'>"
        f"<figcaption>At noon. © Ada Example</figcaption></figure><div>{PROSE}{PROSE}</div></div></body></html>"
    )
    assert extract(html, URL).images == (Image("https://harbour.example/i/a.jpg", "At noon.", "Ada Example"),)


def test_sizes_of_one_picture_are_one_image() -> None:
    head = '<meta property="og:image" content="https://cdn.example/1200x630/bridge-2024051712.jpg?crop=1">'
    body = (
        '<figure><img src="https://cdn.example/640/bridge-2024051712.jpg" width="640"><figcaption>Noon</figcaption>'
        "</figure>"
        '<img src="https://cdn.example/320/bridge-2024051712-320x200.jpg" width="320">'
    )
    assert read(body, head=head).images == (
        Image("https://cdn.example/640/bridge-2024051712.jpg", "Noon", None, 640, None),
    )


OTHERS = [
    ("a pixel", '<img src="/count.gif" width="1" height="1">'),
    ("an icon by its size", '<img src="/i/a.png" width="24" height="24">'),
    ("an icon by its name", '<img src="/icons/share.png">'),
    ("a logo", '<img src="/i/harbour-logo.png">'),
    ("data", '<img src="data:image/png;base64,AAAA">'),
    ("a program", '<img src="javascript:alert(1)">'),
    ("a name and a password", '<img src="https://ada:secret@harbour.example/i/a.jpg">'),
    ("another scheme", '<img src="ftp://harbour.example/a.jpg">'),
    ("a long address", f'<img src="https://harbour.example/{"a" * 100_000}.jpg">'),
    ("a broken address", '<img src="https://[harbour/a.jpg">'),
    ("a link to another article", '<p><a href="/news/other"><img src="/i/a.jpg"></a></p>'),
    ("a box of related articles", '<div class="related-stories"><img src="/i/a.jpg"></div>'),
    ("an aside", '<aside><img src="/i/a.jpg"></aside>'),
    ("a hidden element", '<div style="display: none"><img src="/i/a.jpg"></div>'),
    ("an author's portrait", '<div class="author-box"><img src="/i/a.jpg"></div>'),
    ("an empty address", '<img src=""><img>'),
]


@pytest.mark.parametrize("body", [o[1] for o in OTHERS], ids=[o[0] for o in OTHERS])
def test_what_is_no_picture_of_the_article_is_left_out(body: str) -> None:
    assert read(body).images == ()


def test_pictures_outside_the_article_are_left_out() -> None:
    assert read(before='<div><img src="/i/a.jpg"></div>', after='<div><img src="/i/b.jpg"></div>').images == ()


def test_no_text_has_only_the_stated_image() -> None:
    found = extract('<meta property="og:image" content="/i/a.jpg"><body><img src="/i/b.jpg"></body>', URL)
    assert found.images == (Image("https://harbour.example/i/a.jpg"),)


VIDEOS = [
    ("an element", '<video src="/v/a.mp4"></video>', None, ("https://harbour.example/v/a.mp4",)),
    ("an element with sources", '<video><source src="/v/a.mp4"><source src="/v/a.webm"></video>', None, ("https://harbour.example/v/a.mp4",)),
    ("a player", '<iframe src="https://www.youtube.com/embed/ab12"></iframe>', None, ("https://www.youtube.com/embed/ab12",)),
    ("another frame", '<iframe src="https://adverts.example/1"></iframe>', None, ()),
    ("JSON-LD", "", {"@type": "VideoObject", "contentUrl": "https://cdn.example/a.mp4"}, ("https://cdn.example/a.mp4",)),
    ("JSON-LD, player", "", {"@type": "VideoObject", "embedUrl": "/player/1"}, ("https://harbour.example/player/1",)),
    ("JSON-LD, a program", "", {"@type": "VideoObject", "contentUrl": "javascript:play()"}, ()),
]  # fmt: skip


@pytest.mark.parametrize(("body", "video", "addresses"), [v[1:] for v in VIDEOS], ids=[v[0] for v in VIDEOS])
def test_videos_are_read(body: str, video: dict[str, Any] | None, addresses: tuple[str, ...]) -> None:
    ld = {"@type": "NewsArticle", "video": video} if video else None
    assert read(body, ld=ld).videos == addresses


def test_sounds_are_read() -> None:
    body = (
        '<audio controls><source src="/a/1.mp3"></audio><iframe src="https://w.soundcloud.com/player/?url=x"></iframe>'
    )
    ld = {"@type": "NewsArticle", "audio": {"@type": "AudioObject", "contentUrl": "/a/0.mp3"}}
    assert read(body, ld=ld).audio == (
        "https://harbour.example/a/0.mp3",
        "https://harbour.example/a/1.mp3",
        "https://w.soundcloud.com/player/?url=x",
    )


def test_the_numbers_and_lengths_are_limited() -> None:
    many = "".join(
        f'<img src="/i/{n}.jpg"><video src="/v/{n}.mp4"></video><audio src="/a/{n}.mp3"></audio>' for n in range(60)
    )
    long = f'<figure><img src="/i/x.jpg"><figcaption>{"word " * 5_000}Photo: {"Ada " * 500}</figcaption></figure>'
    found = read(long + many)
    assert len(found.images) == MAX_IMAGES
    assert (len(found.videos), len(found.audio)) == (MAX_VIDEOS, MAX_AUDIO)
    assert all(len(image.caption or "") <= 1_000 and len(image.credit or "") <= 200 for image in found.images)


def test_values_that_are_no_addresses_are_no_error() -> None:
    ld = {"@type": "NewsArticle", "image": [{"url": 7, "width": [1], "caption": {"a": 1}}], "video": [None, 3, ["x"]]}
    found = read(ld=ld)
    assert (found.images, found.videos) == ((), ())


SIZES = [("640", 640), ("640px", 640), (640, 640), (640.0, 640), ({"value": 640}, 640), ("100%", None), ("auto", None)]
SIZES += [(0, None), (-1, None), (10**9, None), (True, None), (None, None), (float("nan"), None), (float("inf"), None)]


CREDITS = [
    ("The bridge. Photo: Ada Example", ("The bridge.", "Ada Example")),
    ("The bridge (Image credit: Ada Example)", ("The bridge", "Ada Example")),
    ("The bridge. © Ada Example", ("The bridge.", "Ada Example")),
    ("The bridge (AP Photo/Ada Example)", ("The bridge", "AP Photo/Ada Example")),
    ("Die Brücke. Foto: Ada/dpa", ("Die Brücke.", "Ada/dpa")),
    ("Le pont. Crédit photo : Ada", ("Le pont.", "Ada")),
    ("Мост. Фото: Ада", ("Мост.", "Ада")),
    ("桥。摄影：李四", ("桥。", "李四")),
    ("Il mercato (foto di Sara Neri)", ("Il mercato", "Sara Neri")),
    ("De markthal in 2019. Beeld: Koen Bakker/ANP", ("De markthal in 2019.", "Koen Bakker/ANP")),
    ("Stara hala / fot. Tomasz Lis", ("Stara hala", "Tomasz Lis")),
    ("閉鎖された旧市場＝佐藤花子撮影", ("閉鎖された旧市場", "佐藤花子")),
    ("关闭的老市场。王芳 摄", ("关闭的老市场。", "王芳")),
    ("老市场 （港口社记者 刘伟 摄）", ("老市场", "港口社记者 刘伟")),
    ("写真を撮影", ("写真を撮影", "")),
    ("A photo die hard fans know", ("A photo die hard fans know", "")),
    ("The source of the river", ("The source of the river", "")),
    ("A photo by the sea (that is Ada) in spring", ("A photo by the sea (that is Ada) in spring", "")),
    ("", ("", "")),
]  # fmt: skip


@pytest.mark.parametrize(("caption", "parts"), CREDITS, ids=[f"caption {number}" for number in range(len(CREDITS))])
def test_a_credit_is_split_off_a_caption(caption: str, parts: tuple[str, str]) -> None:
    assert split_credit(caption) == parts


def test_a_newspaper_may_have_a_name_of_an_icon_or_a_pixel() -> None:
    html = f"<html><body><h1>The bridge</h1>{PROSE}<img src='/i/a.jpg'>{PROSE}</body></html>"
    address = "https://www.the-icon-beacon.example"
    assert extract(html, f"{address}/news/bridge").images == (Image(f"{address}/i/a.jpg"),)


def test_elements_of_amp_and_players_in_frames_are_read() -> None:
    found = read(
        '<amp-video src="/v/a.mp4" width="640"></amp-video><amp-youtube data-videoid="abc123XYZ09"></amp-youtube>'
        '<amp-audio src="/a/a.mp3"></amp-audio><amp-ad src="/ad.html"></amp-ad><x-count></x-count>'
        '<iframe src="https://player.megaphone.fm/HP123"></iframe><iframe src="https://rutube.ru/play/embed/1"></iframe>'
        '<iframe src="https://www.google.com/maps/embed?pb=1"></iframe>'
    )
    assert found.videos == (
        f"{SITE}/v/a.mp4",
        "https://www.youtube.com/embed/abc123XYZ09",
        "https://rutube.ru/play/embed/1",
    )
    assert found.audio == (f"{SITE}/a/a.mp3", "https://player.megaphone.fm/HP123")


def test_a_video_beside_the_article_is_its_own_if_it_has_its_title() -> None:
    def ld(name: str) -> dict[str, Any]:
        video = {"@type": "VideoObject", "name": name, "contentUrl": "/v/a.mp4"}
        return {"@graph": [{"@type": "NewsArticle", "headline": "The bridge opens at last"}, video]}

    assert read(ld=ld("The bridge opens at last")).videos == (f"{SITE}/v/a.mp4",)
    assert read(ld=ld("Weather today")).videos == ()


def test_the_file_of_an_episode_is_its_sound() -> None:
    media = {"@type": "MediaObject", "contentUrl": "/a/12.mp3"}
    assert read(ld={"@type": "PodcastEpisode", "associatedMedia": media}).audio == (f"{SITE}/a/12.mp3",)
    assert read(ld={"@type": "NewsArticle", "associatedMedia": media}).audio == ()
