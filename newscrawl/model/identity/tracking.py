"""Query parameters that say how a reader came to a page and do not choose the page."""

from __future__ import annotations

from typing import Final

from newscrawl.model.word_lists import read_words

TRACKING_PARAMETERS: Final = frozenset(read_words(__file__, "tracking_parameters.txt"))
"""Names in lower case. The file names its sources."""

TRACKING_PREFIXES: Final = (
    "utm_",
    "pk_",
    "mtm_",
    "matomo_",
    "piwik_",
    "hsa_",
    "itm_",
    "otm_",
    "hmb_",
    "ga_",
    "oft_",
    "g2i_",
    "sfmc_",
)
"""Families of campaign parameters, in lower case."""

SESSION_PARAMETERS: Final = frozenset("phpsessid jsessionid cfid cftoken aspsessionid sessionid session_id".split())
"""Identifiers that a server assigns to one visitor."""

CHANNEL_PARAMETERS: Final = frozenset("ref referrer source src from via share xtref".split())
"""Parameters that name the channel on some sites and choose the article on others. They are removed only if their value
is a channel."""

CHANNELS: Final = frozenset(
    "rss feed feeds atom rssfeed newsletter email e-mail mail twitter tweet x facebook fb whatsapp telegram linkedin "
    "reddit pinterest tumblr pocket flipboard social share sharing push googlenews google_news google-news homepage "
    "copy_link".split()
)

AMP_VARIANTS: Final = {"amp": frozenset({"", "1", "true"}), "outputtype": frozenset({"amp", "valid_amp"})}
"""Parameters that ask for the accelerated mobile variant of the same article."""


def is_tracking(name: str, value: str) -> bool:
    """Returns whether the parameter can be removed from a URL without changing the page."""
    name = name.lower()
    if name in TRACKING_PARAMETERS or name in SESSION_PARAMETERS or name.startswith(TRACKING_PREFIXES):
        return True
    return name in CHANNEL_PARAMETERS and value.lower() in CHANNELS


def is_variant(name: str, value: str) -> bool:
    """Returns whether the parameter only chooses another presentation of the same article."""
    return value.lower() in AMP_VARIANTS.get(name.lower(), ())
