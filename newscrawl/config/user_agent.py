"""The user agent of the crawler."""

from __future__ import annotations

from newscrawl.config.version import version
from newscrawl.crawling.scheduling.robots import PRODUCT
from newscrawl.errors import ConfigurationError

__all__ = ["PRODUCT", "user_agent"]


def user_agent(contact: str) -> str:
    """Returns the User-Agent header: name, version and where the owner of a site finds the operator.

    Raises ConfigurationError for a contact that could not stand in a header.
    """
    if not contact.isascii() or not contact.isprintable() or set(contact) & set("()"):
        raise ConfigurationError(
            "NEWSCRAWL_CONTACT", f"{contact!r} is not allowed in a header: write plain ASCII without brackets"
        )
    name = f"{PRODUCT}/{version()}"
    return f"{name} (+{contact.strip()})" if contact.strip() else name
