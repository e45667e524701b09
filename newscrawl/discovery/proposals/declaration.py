"""A site's declaration as a value, and as the text of its spider's file; its language and country from what the site
states and from its domain."""

from __future__ import annotations

import keyword
import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from newscrawl.model.identity.domains import host_of, registrable_domain

MAX_TITLE: Final = 60
LINE: Final = 116
"""The length of a line in the file, without its comma."""

_PLAIN: Final = re.compile(r"[^\w .,'&()+!-]+")
_RESERVED: Final = frozenset({"demo", "generic", "spiders", "newscrawl", "settings", "pipelines", "scrapy", "test"})

NO_RULE: Final = "Articles: every address that a feed or news sitemap names; general rules judge other addresses."
"""The sentence of a declaration without `articles` (workers.source_task.filter_for)."""
_TAG: Final = re.compile(r"([a-z]{2,3})(?:[-_](?:[A-Za-z]{4}[-_])?([A-Za-z]{2})\b)?", re.IGNORECASE)
_SOLD: Final = frozenset("tv io me ai fm am to cc ly gg co ws nu vc la sh st eu".split())
"""Two-letter domains that are sold world-wide, so that they do not show a country."""
_SECOND_LEVEL: Final = frozenset({"com", "co", "org", "net", "gov", "edu", "ac", "or", "ne"})


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of a site, as its spider's class states it; see `crawling.spider.NewsSpider`."""

    name: str
    title: str
    domains: tuple[str, ...]
    home: str
    language: str | None = None
    country: str | None = None
    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    """The meanings of `articles`, in their order."""
    daily_requests: int | str | None = None


def site_name(url: str, taken: Collection[str] = ()) -> str:
    """Returns a free name for a site's spider that can be a module's: "elpais" for https://elpais.com, "elpaiscom" if
    that is taken."""
    domain = registrable_domain(url)
    label, _, suffix = domain.partition(".")
    names = [_identifier(label), _identifier(f"{label}{suffix}")]
    names += [f"{names[0]}{number}" for number in range(2, 100)]
    return next(name for name in [*names, f"{names[1]}x"] if name not in taken and name not in _RESERVED)


def render(site: Declaration) -> str:
    """Returns the text of spiders/NAME.py. All data of the site is written as literals, so that none can become
    code."""
    title = _one_line(site.title) or site.name
    what = f"Articles: {'; '.join(map(_one_line, site.meanings))}." if site.meanings else NO_RULE
    fields = [
        f"    name = {_literal(site.name)}",
        _sequence("domains", site.domains),
        *(
            f"    {key} = {_literal(value)}"
            for key, value in (("language", site.language), ("country", site.country))
            if value
        ),
        f"    home = {_literal(site.home)}",
        *(
            _sequence(key, values, raw=key == "articles")
            for key in ("feeds", "sitemaps", "sections", "articles")
            if (values := getattr(site, key))
        ),
    ]
    if site.daily_requests is not None:
        written = site.daily_requests if isinstance(site.daily_requests, int) else _literal(site.daily_requests)
        fields.append(f"    daily_requests = {written}")
    lines = [
        f'"""{title.rstrip(".")}."""',
        "",
        "from __future__ import annotations",
        "",
        "from newscrawl.crawling.spider import NewsSpider",
        "",
        "",
        f"class {_class_name(site.name)}(NewsSpider):",
        f'    """{_wrapped(what)}"""',
        "",
        *fields,
    ]
    return "\n".join(lines) + "\n"


def _wrapped(text: str) -> str:
    """Returns the text of a docstring in lines of a class body."""
    return "\n    ".join(textwrap.wrap(text, LINE - 12, break_long_words=False, break_on_hyphens=False))


def _sequence(key: str, values: tuple[str, ...], *, raw: bool = False) -> str:
    written = [_pattern(value) if raw else _literal(value) for value in values]
    line = f"    {key} = ({', '.join(written)}{',' if len(written) == 1 else ''})"
    if len(line) <= LINE and len(written) < 2:
        return line
    return "\n".join([f"    {key} = (", *(f"        {value}," for value in written), "    )"])


def _literal(value: str) -> str:
    """Returns a text as a Python literal: in double quotes if it needs no escaping, else in ASCII."""
    if value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return ascii(value)


def _pattern(expression: str) -> str:
    """Returns an expression as a raw literal if possible."""
    if expression.isprintable() and '"' not in expression and not expression.endswith("\\"):
        return f'r"{expression}"'
    return ascii(expression)


def _one_line(text: str) -> str:
    return " ".join(_PLAIN.sub(" ", text).split())[:MAX_TITLE].strip()


def _identifier(text: str) -> str:
    name = re.sub(r"[^a-z0-9]+", "", text.lower()) or "site"
    return f"site{name}" if name[0].isdigit() or keyword.iskeyword(name) else name


def _class_name(name: str) -> str:
    return name[:1].upper() + name[1:]


def language_of(declared: Iterable[str | None]) -> str | None:
    """Returns the most frequent of the declared languages (html lang, feed's language, news:language) as ISO 639-1."""
    languages = Counter(match.group(1).lower() for text in declared if text and (match := _TAG.fullmatch(text.strip())))
    return next((language for language, _ in languages.most_common() if len(language) == 2), None)


def country_of(url: str, declared: Iterable[str | None] = ()) -> str | None:
    """Returns the country (ISO 3166-1, small letters) of the host's top-level domain, else of the regions in declared
    languages ("es-MX")."""
    labels = host_of(url).split(".")
    top = labels[-1]
    # "eldiario.co" is a name in the .co zone, which is sold world-wide; "eldiario.com.co" is Colombian.
    own = len(labels) > 2 and labels[-2] in _SECOND_LEVEL
    if len(top) == 2 and top.isalpha() and (top not in _SOLD or own):
        return "gb" if top == "uk" else top
    regions = Counter(
        match.group(2).lower()
        for text in declared
        if text and (match := _TAG.fullmatch(text.strip())) and match.group(2)
    )
    region = next((region for region, _ in regions.most_common()), None)
    return "gb" if region == "uk" else region
