"""The reasons why a site cannot be added, each with a stable name and one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from newscrawl.crawling.downloader.address_guard import BLOCKED
from newscrawl.crawling.downloader.middlewares.robots import FORBIDDEN, TOO_COSTLY
from newscrawl.crawling.failures import BAD_URL, SCHEME
from newscrawl.errors import NewscrawlError
from newscrawl.model import Failure

WALL: Final = "site/bot_wall"
CONSENT: Final = "site/consent"
SCRIPTS: Final = "site/scripts_only"
NO_SOURCES: Final = "site/no_sources"
NO_ARTICLES: Final = "site/no_articles"
ROBOTS: Final = "site/robots"
ADDRESS: Final = "site/address"
UNREACHABLE: Final = "site/unreachable"
COSTLY: Final = "site/too_costly"

WALL_STATUSES: Final = frozenset({401, 403, 429, 503})
"""Status codes of bot walls. A page that is only missing has 404 or 410."""


class OnboardingError(NewscrawlError):
    """A site cannot be added. `code` is one of the names above.

    The exit code is 2 for an invalid URL, 1 for a fault of the site.
    """

    exit_code = 1

    def __init__(self, code: str, url: str, reason: str) -> None:
        self.code = code
        self.url = url
        self.reason = reason
        self.exit_code = 2 if code == ADDRESS else 1
        super().__init__(f"{url}: {reason}")


def front_page_error(url: str, failure: Failure, status: int) -> OnboardingError:
    """Returns the error for a site whose front page could not be fetched."""
    if failure.code in {BLOCKED, BAD_URL, SCHEME}:
        return OnboardingError(ADDRESS, url, failure.reason)
    if failure.code == TOO_COSTLY:
        return OnboardingError(ROBOTS, url, failure.reason)
    if failure.code == FORBIDDEN:
        return OnboardingError(ROBOTS, url, f"{failure.reason}; ask the site's owner")
    if status in WALL_STATUSES:
        return OnboardingError(
            WALL, url, f"a bot wall: the front page answers {status}; ask the site's owner for a feed"
        )
    return OnboardingError(UNREACHABLE, url, f"the front page cannot be fetched: {failure.reason}")


def samples_error(url: str, failures: Sequence[Failure]) -> OnboardingError:
    """Returns the error for a site without an article among the sampled pages; there is at least one failure."""
    code, count = Counter(failure.code for failure in failures).most_common(1)[0]
    reason = next(failure.reason for failure in failures if failure.code == code)
    share = f"{count} of {len(failures)} sampled pages"
    if code == FORBIDDEN:
        return OnboardingError(ROBOTS, url, f"robots.txt forbids {share}; ask the site's owner")
    if code == "verdict/bot_wall" or code in {f"http/{status}" for status in WALL_STATUSES}:
        return OnboardingError(WALL, url, f"a bot wall: {share} say {reason}")
    if code == "verdict/consent":
        return OnboardingError(CONSENT, url, f"a consent wall: {share} are only a request for consent")
    if code == "extraction/empty":
        return OnboardingError(SCRIPTS, url, f"{share} have no text: JavaScript draws it, and is not run")
    return OnboardingError(NO_ARTICLES, url, f"none of {len(failures)} sampled pages is an article ({code}: {reason})")
