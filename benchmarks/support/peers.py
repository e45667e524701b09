"""Other extractors (peers), measured if they are installed (`make peers`).

Each is called as in its documentation. Comments are left out if it has an option for this, since the gold texts have
none. A peer gets the decoded page and its address. An error is a failure of that page, and so is a page that takes
longer than `TIME_LIMIT` seconds. Peers have no network access. Their texts are cached in the folder `peers` of the
corpora's cache by the peer's version. Remove the folder to run the peers again.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import logging
import os
import signal
import socket
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click

from newscrawl.bench.corpora import default_cache
from newscrawl.bench.measure import System, SystemFailed, SystemInput
from newscrawl.bench.measure import system as own_system
from newscrawl.errors import UsageError
from newscrawl.extraction.language import page_language

PREFIX: Final = "peer/"
TIME_LIMIT: Final = 20.0
MESSAGE_CHARACTERS: Final = 200
OPTIONS: Final = "1"
"""Part of the cache key. It changes when a peer is called in another way."""
_BLOCKS: Final = (
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "br",
    "td",
    "tr",
    "blockquote",
    "pre",
)


@dataclass(frozen=True, slots=True)
class Subject:
    """The input of a peer."""

    html: str
    url: str | None
    language: str
    """The page's language according to newscrawl; jusText needs it."""


Peer = Callable[[Subject], str | None]


@dataclass(frozen=True, slots=True)
class PeerInfo:
    """How a peer is loaded."""

    module: str
    package: str
    load: Callable[[], Peer]
    is_slow: bool = False
    """Whether it takes more than about 100 ms a page, twenty times our own."""


def installed() -> tuple[str, ...]:
    """Names, with the prefix, of the installed peers."""
    return tuple(PREFIX + name for name, info in PEERS.items() if importlib.util.find_spec(info.module))


def missing() -> tuple[str, ...]:
    """Names, without the prefix, of the peers that are not installed."""
    return tuple(name for name, info in PEERS.items() if not importlib.util.find_spec(info.module))


def versions() -> Mapping[str, str]:
    """Returns the version of each installed peer's package."""
    packages = {info.package for info in PEERS.values() if importlib.util.find_spec(info.module)}
    return {package: importlib.metadata.version(package) for package in sorted(packages)}


def chosen(given: str | None, *, fast: bool = False) -> list[str]:
    """Returns the peers that an option names, separated by commas, or all that are installed; the missing ones are
    named on standard error. With `fast` those are left out that take over 100 ms a page."""
    if given:
        names = [PREFIX + name.strip().removeprefix(PREFIX) for name in given.split(",") if name.strip()]
    else:
        names = list(installed())
        if absent := missing():
            click.echo(f"not installed, left out: {', '.join(absent)} (`make peers` installs them)", err=True)
    for name in names:
        system(name)
    return [name for name in names if not (fast and PEERS[name.removeprefix(PREFIX)].is_slow)]


def system(name: str) -> System:
    """Returns a chain or algorithm of ours, or the peer with a name `peer/NAME`. Raises UsageError for an unknown
    name."""
    if not name.startswith(PREFIX):
        return own_system(name)
    peer = name.removeprefix(PREFIX)
    if peer not in PEERS:
        raise UsageError(f"unknown peer {peer!r}: choose one of {', '.join(PEERS)}")
    return partial(_text_by_peer, peer=peer)


def _text_by_peer(case: SystemInput, *, peer: str) -> str:
    return run_peer(peer, Subject(case.html, case.page.url, page_language(case.page)))


def run_peer(name: str, subject: Subject, cache_folder: Path | None = None) -> str:
    """Returns a peer's text for a page. Raises SystemFailed if it returns none.

    Texts and failures are cached in `cache_folder` (default: see above). Time-outs are not cached, because they depend
    on the load of the machine.
    """
    place = (cache_folder or default_cache() / "peers") / f"{_key(name, subject)}.json"
    if place.is_file():
        kept = json.loads(place.read_text(encoding="utf-8"))
        if kept["failure"] is not None:
            raise SystemFailed(kept["failure"])
        return str(kept["text"])
    text, failure, is_timeout = _run(name, subject)
    if not is_timeout:
        place.parent.mkdir(parents=True, exist_ok=True)
        _publish(place, json.dumps({"text": text, "failure": failure}))
    if failure is not None:
        raise SystemFailed(failure)
    return text


def run_now(name: str, subject: Subject) -> str:
    """Returns a peer's text for a page without the cache, "" if it fails. For timing."""
    return _run(name, subject)[0]


def _run(name: str, subject: Subject) -> tuple[str, str | None, bool]:
    """Text, failure, and whether that is a time-out."""
    try:
        with _time_limit(TIME_LIMIT), _no_network(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _loaded(name)(subject) or "", None, False
    # Any error of other people's code is a result of the comparison.
    except Exception as error:  # noqa: BLE001
        message = f"{type(error).__name__}: {' '.join(str(error).split())}"[:MESSAGE_CHARACTERS]
        return "", message, isinstance(error, TimeoutError)


def _publish(place: Path, content: str) -> None:
    """Writes the file completely or not at all, also if another process writes it."""
    work = place.with_suffix(f".{os.getpid()}")
    work.write_text(content, encoding="utf-8")
    work.replace(place)


def _key(name: str, subject: Subject) -> str:
    """The cache key: the peer's version, its options and its input."""
    parts = (name, importlib.metadata.version(PEERS[name].package), OPTIONS, repr(subject))
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@cache
def _loaded(name: str) -> Peer:
    logging.getLogger(PEERS[name].module).setLevel(logging.CRITICAL)
    return PEERS[name].load()


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in this block after `seconds`. It has no effect outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _no_network() -> Iterator[None]:
    """Makes every connection and name look-up in this block fail."""

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise OSError("no network while extractors are measured")

    connect, look_up = socket.socket.connect, socket.getaddrinfo
    socket.socket.connect, socket.getaddrinfo = refuse, refuse  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        socket.socket.connect, socket.getaddrinfo = connect, look_up  # type: ignore[method-assign]


def _trafilatura(**options: bool) -> Peer:
    extract = importlib.import_module("trafilatura").extract
    return lambda subject: extract(subject.html, url=subject.url, include_comments=False, **options)


def _justext() -> Peer:
    from newscrawl.extraction.justext import rules_for

    package = importlib.import_module("justext")

    def run(subject: Subject) -> str:
        rules, words = rules_for(subject.language)
        if not subject.html.strip():
            return ""
        thresholds = {"stopwords_low": rules.stopwords_low, "stopwords_high": rules.stopwords_high}
        paragraphs = package.justext(subject.html, words, **thresholds)
        return "\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return run


def _boilerpy3(recipe: str) -> Peer:
    extractor = getattr(importlib.import_module("boilerpy3.extractors"), recipe)()
    return lambda subject: str(extractor.get_content(subject.html))


def _resiliparse() -> Peer:
    extract = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda subject: extract(
        subject.html, main_content=True, preserve_formatting=True, alt_texts=False, comments=False
    )


def _readability() -> Peer:
    document = importlib.import_module("readability").Document

    def run(subject: Subject) -> str:
        return _text_of(document(subject.html).summary(html_partial=True))

    return run


def _text_of(html: str) -> str:
    """The text of a fragment, one line for each block."""
    fragment: Any = importlib.import_module("lxml.html").fromstring(html)
    for element in fragment.iter(*_BLOCKS):
        element.text = "\n" + (element.text or "")
        element.tail = "\n" + (element.tail or "")
    return str(fragment.text_content())


def _newspaper4k() -> Peer:
    article_class = importlib.import_module("newspaper").Article

    def run(subject: Subject) -> str:
        article = article_class(subject.url or "http://example.org/", fetch_images=False)
        article.download(input_html=subject.html)
        article.parse()
        return str(article.text)

    return run


def _goose3() -> Peer:
    goose = importlib.import_module("goose3").Goose({"enable_image_fetching": False})
    return lambda subject: str(goose.extract(raw_html=subject.html).cleaned_text)


def _news_please() -> Peer:
    from_html = importlib.import_module("newsplease").NewsPlease.from_html

    def run(subject: Subject) -> str | None:
        article = from_html(subject.html, url=subject.url, fetch_images=False)
        return article.maintext if article else ""

    return run


PEERS: Final[Mapping[str, PeerInfo]] = {
    "trafilatura": PeerInfo("trafilatura", "trafilatura", _trafilatura),
    "trafilatura-fast": PeerInfo("trafilatura", "trafilatura", partial(_trafilatura, fast=True)),
    "trafilatura-precision": PeerInfo("trafilatura", "trafilatura", partial(_trafilatura, favor_precision=True)),
    "justext": PeerInfo("justext", "justext", _justext),
    "boilerpy3-article": PeerInfo("boilerpy3", "boilerpy3", partial(_boilerpy3, "ArticleExtractor")),
    "boilerpy3-default": PeerInfo("boilerpy3", "boilerpy3", partial(_boilerpy3, "DefaultExtractor")),
    "resiliparse": PeerInfo("resiliparse", "resiliparse", _resiliparse),
    "readability-lxml": PeerInfo("readability", "readability-lxml", _readability),
    "newspaper4k": PeerInfo("newspaper", "newspaper4k", _newspaper4k, is_slow=True),
    "goose3": PeerInfo("goose3", "goose3", _goose3, is_slow=True),
    "news-please": PeerInfo("newsplease", "news-please", _news_please, is_slow=True),
}
"""Peers by name."""
