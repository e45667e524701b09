"""Article links of a section or home page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from newscrawl.discovery.links import key_of, resolve
from newscrawl.discovery.reading import CUT, Reading
from newscrawl.identity import same_site
from newscrawl.model import Candidate, Discovery
from newscrawl.page import Page

MAX_LINKS: Final = 2_000
"""Links looked at of a page: front pages have 100 to 600."""

MAX_TITLE: Final = 500


def section_links(page: Page, url: str, accepts: Callable[[str], bool]) -> Reading:
    """Links of `page` that `accepts` takes for articles, in the page's order; `url` is its final address.

    JSON-LD item lists count as links. Links to other registrable domains and to the page itself are left out. The title
    is the longest anchor text that leads there.
    """
    base = base_of(page, url)
    links = [*page.links[:MAX_LINKS]]
    pairs = [(link.href, link.text) for link in links] + list(_item_lists(page))
    addresses: dict[str, str] = {}
    titles: dict[str, str] = {}
    own = key_of(url)
    for href, text in pairs[: 2 * MAX_LINKS]:
        target = resolve(base, href)
        if target is None or not same_site(target, url) or not accepts(target):
            continue
        key = key_of(target)
        if key is None or key == own:
            continue
        addresses.setdefault(key, target)
        titles[key] = max(titles.get(key, ""), text[:MAX_TITLE], key=len)
    found = (Candidate(target, Discovery("section", url, titles[key] or None)) for key, target in addresses.items())
    return Reading(tuple(found), problems=(CUT,) if len(page.links) > MAX_LINKS else ())


def base_of(page: Page, url: str) -> str:
    """What relative links of the page are relative to."""
    return (resolve(url, page.head.base) if page.head.base else None) or url


def _item_lists(page: Page) -> Iterator[tuple[str, str]]:
    """Addresses and names in schema.org ItemList objects, also where a page object carries the list."""
    for item in page.hints.json_ld:
        for holder in (item, item.get("mainEntity")):
            if isinstance(holder, dict) and holder.get("@type") == "ItemList":
                yield from _elements(holder)


def _elements(item_list: dict[str, Any]) -> Iterator[tuple[str, str]]:
    elements = item_list.get("itemListElement")
    if isinstance(elements, dict | str):
        elements = [elements]
    if not isinstance(elements, list):
        return
    for element in elements:
        if isinstance(element, str):
            yield element, ""
        elif isinstance(element, dict):
            item = element.get("item")
            inner = item if isinstance(item, dict) else {"url": item}
            address = element.get("url") or inner.get("url") or inner.get("@id")
            name = element.get("name") or inner.get("name") or inner.get("headline") or ""
            if isinstance(address, str):
                yield address, name if isinstance(name, str) else ""
