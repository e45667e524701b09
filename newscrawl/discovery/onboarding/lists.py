"""Reads lists of sites: CSV and OPML."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from lxml import etree

from newscrawl.discovery.links.resolve import mended
from newscrawl.discovery.onboarding.files import site_key
from newscrawl.errors import InvalidUrl, UsageError, os_reason
from newscrawl.model.identity import clean_url

MAX_BYTES: Final = 20_000_000
"""Bytes of a list that are read. 20 MB have 200,000 sites of 100 bytes each."""
ADDRESS_COLUMNS: Final = ("url", "home", "site", "homepage", "link", "website", "domain", "htmlurl")
FEED_COLUMNS: Final = ("feed", "feeds", "rss", "xmlurl", "feed_url")
NAME_COLUMNS: Final = ("name", "spider")
DAILY_COLUMNS: Final = ("daily_requests",)
"""Names of columns in the first line of a CSV file, in any case. Without any of these, the first column is the URL."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One site of a list: its URL, known feeds, name, and line number. `daily_requests` is the text of that column."""

    line: int
    url: str
    feeds: tuple[str, ...] = ()
    name: str | None = None
    daily_requests: str = ""


def read_list(path: Path) -> list[Listed]:
    """Returns the sites of a CSV or OPML file, each domain once. Raises UsageError for any other file."""
    try:
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {os_reason(error)}") from error
    if len(body) > MAX_BYTES:
        raise UsageError(f"{path} has more than {MAX_BYTES:,} bytes: split it")
    text = _decoded(body)
    found = list(_opml(body, path) if text.lstrip().startswith("<") else _csv(text, path))
    if not found:
        raise UsageError(f"{path} lists no site: give CSV with a column url, or OPML")
    return _once(found)


def _decoded(body: bytes) -> str:
    """Returns the text of a file: UTF-16 if it begins with its mark, as spreadsheets and Windows shells write, else
    UTF-8."""
    is_utf_16 = body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return body.decode("utf-16" if is_utf_16 else "utf-8-sig", "replace")


def _csv(text: str, path: Path) -> Iterator[Listed]:
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text[:4000], ",;\t")
    except csv.Error:
        dialect = "excel"  # a list of URLs only has no separator that could be guessed
    lines = csv.reader(io.StringIO(text, newline=""), dialect)
    try:
        rows = [(number, row) for number, row in enumerate(lines, 1) if any(row)]
    except csv.Error as error:
        raise UsageError(f"{path} cannot be read as CSV at line {lines.line_num}: {error}") from error
    head = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    named = any(cell in ADDRESS_COLUMNS or cell in FEED_COLUMNS for cell in head)
    kinds = (ADDRESS_COLUMNS, FEED_COLUMNS, NAME_COLUMNS, DAILY_COLUMNS)
    columns = [_column(head, names) for names in kinds] if named else [0, None, None, None]
    for number, row in rows[1:] if named else rows:
        cells = [row[column].strip() if column is not None and column < len(row) else "" for column in columns]
        if (cells[0] or cells[1]) and not cells[0].startswith("#"):
            yield _listed(number, *cells)


def _opml(body: bytes, path: Path) -> Iterator[Listed]:
    # Without recovery, which would cut an address at a bare & and lose what follows an unclosed tag.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        what = f"{path} cannot be read as OPML at line {error.lineno}: {error.msg}"
        raise UsageError(f"{what}; mend that line (& is written &amp;), or give CSV with a column url") from error
    if etree.QName(root).localname.lower() != "opml":
        raise UsageError(f"{path} is XML and no OPML: export the list of feeds as OPML, or give CSV with a column url")
    for outline in root.iter("{*}outline"):
        attributes = {name.lower(): value for name, value in outline.attrib.items()}
        if attributes.get("xmlurl") or attributes.get("htmlurl"):
            yield _listed(outline.sourceline or 0, attributes.get("htmlurl", ""), attributes.get("xmlurl", ""), "")


def _column(head: list[str], names: Iterable[str]) -> int | None:
    return next((head.index(name) for name in names if name in head), None)


def _listed(line: int, url: str, feed: str, name: str, daily: str = "") -> Listed:
    """Makes an entry: domain names become URLs, and if only a feed is known, the site is its host's front page."""
    feeds = tuple(mended(address) for address in feed.split() if "://" in mended(address))
    url = mended(url)
    if url and "://" not in url:
        url = f"https://{url}"
    return Listed(line, url or (urljoin(feeds[0], "/") if feeds else feed), feeds, name or None, daily)


def _once(found: list[Listed]) -> list[Listed]:
    """Returns one entry for each domain, with the feeds of all its entries. Invalid URLs stay, to be reported."""
    sites: dict[str, Listed] = {}
    for entry in found:
        try:
            key = site_key(clean_url(entry.url))
        except InvalidUrl:
            key = f"line {entry.line}"
        known = sites.get(key)
        if known is not None:
            entry = Listed(
                known.line,
                known.url,
                tuple(dict.fromkeys([*known.feeds, *entry.feeds])),
                known.name or entry.name,
                known.daily_requests or entry.daily_requests,
            )
        sites[key] = entry
    return list(sites.values())
