"""Options that select pages of archives: sites and addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from newscrawl.errors import UsageError, meant
from newscrawl.identity import registrable_domain

if TYPE_CHECKING:
    from scrapy import Spider


def declared_sites(spiders: Mapping[str, type[Spider]]) -> dict[str, str]:
    """Returns the declared sites by their domains."""
    listed = {name: getattr(spider, "domains", ()) for name, spider in spiders.items()}
    return {domain: name for name, domains in listed.items() if isinstance(domains, tuple | list) for domain in domains}


def check_selected(site: str | None, declared: Mapping[str, str]) -> None:
    """Raises UsageError for a name that is neither a declared site nor a registrable domain."""
    if site is None or site in declared.values() or ("." in site and registrable_domain(site) == site):
        return
    domain = registrable_domain(site) if "." in site else ""
    known = ", ".join(sorted(set(declared.values()))) or "none is declared"
    near = meant(site, declared.values())
    hint = f"is {domain} meant?" if domain else f"{near}give a registrable domain or a declared site ({known})"
    raise UsageError(f"no site {site!r}: {hint}")


def checked_pattern(text: str | None) -> str | None:
    """Returns the regular expression of `--url-pattern`. Raises UsageError if it is none."""
    try:
        re.compile(text or "")
    except re.error as error:
        raise UsageError(f"--url-pattern {text!r} is no regular expression: {error}") from error
    return text
