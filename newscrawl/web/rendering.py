"""Renders the templates, with the form of numbers, times, addresses and diagrams on the pages. Every value is escaped,
and none can change the direction of what stands beside it. Diagrams are SVG: no script, no style of their own."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from newscrawl.extraction.markdown import html
from newscrawl.model.wording import harmless
from newscrawl.publishing.search import Snippet
from newscrawl.storage.monitoring.hours import DayNumbers
from newscrawl.web.screen_list import SCREENS

WIDTH: Final = 140
HEIGHT: Final = 28
"""Of a diagram, in units of its own."""
_BASE: Final = HEIGHT - 1
_COMMAND: Final = re.compile("`([^`]+)`")
_UNITS: Final = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, ""))
"""Seconds and sign of a unit, and of the next smaller one that is shown beside it."""


@cache
def environment() -> Environment:
    """Returns the environment of all templates. It is made once."""
    made = Environment(
        loader=PackageLoader("newscrawl.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    filters = (short, when, structured, number, size, seconds, outward, marked, with_commands, interval, sparkline)
    made.filters.update({one.__name__: one for one in filters}, quoted=shlex.quote)
    made.tests["web_address"] = is_web_address
    made.globals.update(address=address, screens=SCREENS)
    return made


def render(template: str, now: datetime, **values: Any) -> bytes:
    """Returns a page in UTF-8."""
    made = environment().get_template(f"{template}.html")
    return made.render(since=since(now), now=now, **values).encode("utf-8", "replace")


def compile_templates() -> None:
    """Compiles all templates, so that no view waits for that."""
    made = environment()
    for name in made.list_templates(extensions=["html"]):
        made.get_template(name)


@cache
def static_file(name: str) -> bytes:
    """Returns a file of the folder static."""
    return files("newscrawl.web").joinpath("static", name).read_bytes()


def address(path: str, parameters: dict[str, Any] | None = None, **more: Any) -> str:
    """Returns the address of a screen with its parameters; those without a value are left out."""
    given = {**(parameters or {}), **more}
    query = urlencode({name: value for name, value in given.items() if value not in {None, ""}}, errors="replace")
    return f"{path}?{query}" if query else path


def shown(value: Any) -> Any:
    """Returns a text without characters that could change what stands beside it. Jinja calls it for each value."""
    return harmless(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def short(text: str | None, most: int = 160) -> str:
    """Returns the beginning of a text on one line."""
    line = " ".join((text or "")[: most * 4].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def structured(value: Any) -> Markup:
    """Returns the text of a screen that has it with its structure, below a heading of the second level."""
    return Markup(html(value.text or "", value.structure, below=1))  # noqa: S704  every word is escaped


def with_commands(sentence: str) -> Markup:
    """Returns a sentence with its commands, which are between backticks, as code."""
    parts = enumerate(map(shown, _COMMAND.split(sentence)))
    return Markup("").join(Markup("<code>{}</code>").format(part) if place % 2 else part for place, part in parts)


def span(value: timedelta) -> str:
    """Returns a length of time in its largest two units."""
    length = int(abs(value.total_seconds()))
    for unit, sign, smaller, small_sign in _UNITS:
        if length >= unit:
            whole, rest = length // unit, length % unit // smaller
            return f"{whole} {sign} {rest} {small_sign}" if rest and whole < 10 and small_sign else f"{whole} {sign}"
    return "less than 1 min"


def since(now: datetime) -> Callable[[datetime | None], Markup]:
    """Returns a filter that says how long ago a time was, or how far ahead it is, with the time itself."""

    def said(moment: datetime | None) -> Markup:
        if moment is None:
            return when(None)
        moment = moment.astimezone(UTC)
        words = f"in {span(moment - now)}" if moment > now else f"{span(now - moment)} ago"
        stamp = f"{moment:%Y-%m-%d %H:%M} UTC"
        return Markup('<time datetime="{}" title="{}">{}</time>').format(moment.isoformat(), stamp, words)

    return said


def when(moment: datetime | None) -> Markup:
    """Returns a time in UTC."""
    if moment is None:
        return Markup('<span class="soft">never</span>')
    moment = moment.astimezone(UTC)
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(), f"{moment:%Y-%m-%d %H:%M}")


def number(value: float | None) -> str:
    """Returns a number with its thousands apart."""
    if value is None:
        return "–"
    return f"{value:,.1f}" if isinstance(value, float) and value != int(value) else f"{int(value):,}"


def size(value: int | None) -> str:
    """Returns a number of bytes in a unit that people read."""
    amount = float(value or 0)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1_000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1_000
    return f"{amount:.1f} TB"


def seconds(value: float | None) -> str:
    """Returns a duration in seconds."""
    return "–" if not value else f"{value:,.1f} s"


def interval(value: float | None) -> str:
    """Returns a longer duration, given in seconds."""
    return "–" if value is None else span(timedelta(seconds=value))


def outward(url: str | None, words: str | None = None) -> Markup:
    """Returns a link to an address of a publisher that sends nothing along; only text for what is no web address."""
    text = Markup("<bdi>{}</bdi>").format(shown(short(words or url or "")))
    if url is None or not is_web_address(url):
        return text
    link = Markup('<a class="out" href="{}" rel="noopener noreferrer nofollow" target="_blank">{}</a>')
    return link.format(shown(url), text)


def is_web_address(url: str) -> bool:
    """Returns whether a text is an address of the web and nothing else."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and not any(map(str.isspace, url))


def marked(found: Snippet) -> Markup:
    """Returns part of a text with the words that match marked."""
    parts, end = [], 0
    for start, stop in found.marks:
        if start >= end:
            before, word = shown(found.text[end:start]), shown(found.text[start:stop])
            parts.append(Markup("{}<mark>{}</mark>").format(before, word))
            end = stop
    return Markup("").join([*parts, shown(found.text[end:])])


def sparkline(days: Sequence[DayNumbers]) -> Markup:
    """Returns the days of a site: bars of the stored articles before bars of the found addresses. Its title says the
    same in words."""
    most = max((max(day.found, day.stored) for day in days), default=0)
    found, stored = sum(day.found for day in days), sum(day.stored for day in days)
    title = f"{len(days)} days: {stored:,} articles stored of {found:,} addresses found, at most {most:,} a day"
    step = WIDTH / max(len(days), 1)
    bars = (_bars([getattr(day, name) for day in days], step, most, name) for name in ("found", "stored"))
    return Markup(  # noqa: S704  numbers, and a title that is escaped
        f'<svg class="spark" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f'<title>{escape(title)}</title><path class="base" d="M0 {_BASE + 0.5}H{WIDTH}"/>{"".join(bars)}</svg>'
    )


def _bars(numbers: Sequence[int], step: float, most: int, name: str) -> str:
    """Returns all bars of one colour as one path."""
    width = max(1.0, step - 1)
    drawn = "".join(
        f"M{place * step:g} {_BASE}v-{max(1.0, round(value / most * (_BASE - 1), 1)):g}h{width:g}V{_BASE}z"
        for place, value in enumerate(numbers)
        if value
    )
    return f'<path class="{name}" d="{drawn}"/>' if drawn else ""
