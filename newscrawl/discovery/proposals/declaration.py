"""A site's declaration as a value, and as the text of its spider's file."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from newscrawl.identity.domains import registrable_domain

MAX_TITLE: Final = 60
LINE: Final = 116
"""Length of a line of the file, with room for its comma."""

_PLAIN: Final = re.compile(r"[^\w .,'&()+!-]+")
_RESERVED: Final = frozenset({"demo", "generic", "spiders", "newscrawl", "settings", "pipelines", "scrapy", "test"})


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a spider's class says of its site; see `crawling.declared.DeclaredSpider`."""

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
    """What each of `articles` looks for."""
    daily_requests: int | str | None = None


def site_name(url: str, taken: Collection[str] = ()) -> str:
    """A spider's name for a site, free and fit for a module: "elpais" for https://elpais.com, "elpaiscom" if taken."""
    domain = registrable_domain(url)
    label, _, suffix = domain.partition(".")
    names = [_identifier(label), _identifier(f"{label}{suffix}")]
    names += [f"{names[0]}{number}" for number in range(2, 100)]
    return next(name for name in [*names, f"{names[1]}x"] if name not in taken and name not in _RESERVED)


def render(site: Declaration) -> str:
    """The text of spiders/NAME.py. Nothing a site says of itself can become code: all of it is written as literals."""
    title = _one_line(site.title) or site.name
    what = (
        f"Articles: {'; '.join(map(_one_line, site.meanings))}." if site.meanings else "Articles: by general judgement."
    )
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
        said = site.daily_requests if isinstance(site.daily_requests, int) else _literal(site.daily_requests)
        fields.append(f"    daily_requests = {said}")
    lines = [
        f'"""{title.rstrip(".")}."""',
        "",
        "from __future__ import annotations",
        "",
        "from newscrawl.crawling.spider import NewsSpider",
        "",
        "",
        f"class {_class_name(site.name)}(NewsSpider):",
        f'    """{what[: LINE - 12]}"""',
        "",
        *fields,
    ]
    return "\n".join(lines) + "\n"


def _sequence(key: str, values: tuple[str, ...], *, raw: bool = False) -> str:
    written = [_pattern(value) if raw else _literal(value) for value in values]
    line = f"    {key} = ({', '.join(written)}{',' if len(written) == 1 else ''})"
    if len(line) <= LINE and len(written) < 2:
        return line
    return "\n".join([f"    {key} = (", *(f"        {value}," for value in written), "    )"])


def _literal(value: str) -> str:
    """A text as Python writes it, in double quotes where that needs no escaping, in ASCII where it could mislead."""
    if value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return ascii(value)


def _pattern(expression: str) -> str:
    """An expression as a raw literal, where it can be one."""
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
