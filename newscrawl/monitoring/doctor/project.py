"""The checks of `newscrawl doctor` that need Scrapy: settings, contact, declarations, and robots.txt of two declared
sites, requested as a crawl does it.

The requests have the crawl's user agent, pass its address guard and share the hosts of the database with all crawls.
Without a contact, sites of other owners are not requested, as in a crawl.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from scrapy import Request, Spider, signals
from scrapy.spiderloader import get_spider_loader

from newscrawl.config.derived.article_options import options_of
from newscrawl.config.names import meant, unknown_variables
from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.address_guard import policy_of
from newscrawl.crawling.downloader.middlewares.robots import RobotsMiddleware
from newscrawl.crawling.downloader.throttle import RESTING
from newscrawl.crawling.fleet.declarations import check_schedules, problems_of
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.runtime.process import command_settings, make_process, run_spider, shared_hosts
from newscrawl.crawling.runtime.setting_checks import CONTACT, is_loopback, names_contact, put_into_user_agent
from newscrawl.crawling.scheduling.robots import Robots, authority_of
from newscrawl.crawling.spider.news_spider import NewsSpider
from newscrawl.crawling.spider.self_served import SelfServedSpider
from newscrawl.crawling.spider.site_declaration import Site
from newscrawl.errors import NewscrawlError
from newscrawl.model.identity.domains import host_of
from newscrawl.model.wording import counted
from newscrawl.monitoring.doctor.checks import Finding, Findings, ok, skipped, to_do
from newscrawl.storage.records import GENERIC_SITE

if TYPE_CHECKING:
    from scrapy.settings import Settings

SITES: Final = 2
DEADLINE: Final = 20.0
"""Seconds for the robots.txt of one site, with its redirects and the wait for crawls that ask the same host. The sites
are requested at the same time."""
TIMEOUT: Final = 10
"""Seconds for one request."""
ADVICE: Final = "see that this machine reaches the site (DNS, firewall, proxy), and that the site answers"
_NO_REQUESTS: Final[tuple[Request, ...]] = ()


def check_settings(
    environment: Mapping[str, str], read_settings: Callable[[], Settings]
) -> tuple[Settings | None, Findings]:
    """Reads all settings as a crawl does, and returns them; None if a crawl could not start with them."""
    stderr = io.StringIO()
    try:
        with contextlib.redirect_stderr(stderr):
            settings = read_settings()
            put_into_user_agent(settings)
            config = config_of(settings)
            options_of(config)
            policy_of(config)
    except SystemExit:  # a settings module ends the process with a line of its own
        return None, [to_do("settings", stderr.getvalue().strip().removeprefix("newscrawl: "))]
    unknown = unknown_variables(environment)
    if unknown:
        names = ", ".join(f"{name}{meant(name)}" for name in unknown)
        text = f"no effect: {names}"
        found: Finding = to_do("settings", text, "correct or remove them in the environment")
    else:
        project = environment.get("SCRAPY_PROJECT")
        found = ok("settings", f"all can be used{f' ({project})' if project else ''}")
    return settings, [found]


def check_contact(settings: Settings) -> Findings:
    """Returns whether the user agent names a contact."""
    agent = settings["USER_AGENT"]
    if names_contact(agent):
        return [ok("contact", str(agent))]
    advice = f"set an address or URL at which the owner of a site can reach you: export {CONTACT}=you@example.org"
    return [to_do("contact", f"{CONTACT} is empty: only sites on this machine are crawled", advice)]


def check_declarations(settings: Settings) -> Findings:
    """Returns whether all declared sites could be crawled, as `newscrawl run` reads them, with their schedules."""
    loader = get_spider_loader(settings)
    spiders = {name: loader.load(name) for name in loader.list()}
    broken = getattr(loader, "broken", {})
    config = config_of(settings)
    check_schedules(config, None if broken else spiders)
    wrong = problems_of(spiders, settings, config)
    problems = [*broken.values(), *wrong.values()]
    if not problems:
        return [ok("declarations", counted(len(spiders), "site"))]
    return [to_do("declarations", problem, "the site is not crawled") for problem in problems]


def check_sites(settings: Settings) -> Findings:
    """Requests robots.txt of the first two declared sites. It starts Scrapy's reactor, so once in a process."""
    homes = dict(list(_homes(settings))[:SITES])
    if not homes:
        return [skipped("sites", "none of other owners is declared: newscrawl add-site URL adds one")]
    if not names_contact(settings["USER_AGENT"]):
        homes = {name: home for name, home in homes.items() if is_loopback(host_of(home))}
    if not homes:
        return [skipped("sites", "not requested without a contact")]
    outcomes: dict[str, Finding] = {}
    overrides = {"USER_AGENT": settings["USER_AGENT"], "DOWNLOAD_TIMEOUT": TIMEOUT, "RETRY_ENABLED": False}
    run_spider(make_process(overrides, settings=command_settings()), RobotsSpider, homes=homes, outcomes=outcomes)
    return [outcomes.get(name, to_do(f"site {name}", "not requested", ADVICE)) for name in homes]


def judge(name: str, home: str, robots: Robots, agent: str) -> Finding:
    """Returns the finding on a site's robots.txt, for requests with this user agent."""
    check = f"site {name}"
    if robots.reading == "disallow":
        return to_do(check, f"its robots.txt could not be read: {robots.reason}", ADVICE)
    if robots.is_too_costly(agent):
        return to_do(check, "its robots.txt has more rules than can be tried", "ask the owner of the site")
    if not robots.allows(home, agent):
        return to_do(check, f"its robots.txt forbids {home}", "ask the owner of the site, or remove the declaration")
    if robots.reading == "allow":
        return ok(check, f"it has no robots.txt (answer {robots.status}): everything is allowed")
    return ok(check, f"its robots.txt allows {home}")


class RobotsSpider(Spider):
    """Requests robots.txt of some sites and nothing else."""

    name = "doctor"

    def __init__(self, homes: dict[str, str], outcomes: dict[str, Finding], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._homes = homes
        self._outcomes = outcomes
        self._sent: set[str] = set()
        """Authorities to which a request was sent."""

    async def start(self) -> AsyncIterator[Any]:
        """Requests them all at the same time. Yields no request."""
        self.crawler.signals.connect(self._note_sent, signal=signals.request_reached_downloader)
        try:
            async with shared_hosts(self.crawler, with_robots=False):  # a stored file says nothing of the network
                await asyncio.gather(*(self._look(name, home) for name, home in self._homes.items()))
        except NewscrawlError as error:
            self._outcomes |= {name: to_do(f"site {name}", f"not requested: {error}") for name in self._homes}
        for request in _NO_REQUESTS:
            yield request

    async def _look(self, name: str, home: str) -> None:
        self._outcomes[name] = await self._finding(name, home)

    async def _finding(self, name: str, home: str) -> Finding:
        middleware = self.crawler.get_downloader_middleware(RobotsMiddleware)
        if middleware is None:
            return to_do(f"site {name}", "the settings leave out the middleware of robots.txt", "restore it")
        try:
            async with asyncio.timeout(DEADLINE):
                return judge(name, home, await middleware.robots_of(home), middleware.usual_agent)
        except TimeoutError:
            if authority_of(home) in self._sent:
                return to_do(f"site {name}", f"no robots.txt within {DEADLINE:.0f} s", ADVICE)
            return skipped(f"site {name}", f"not requested: crawls kept its host busy for {DEADLINE:.0f} s")
        except Refused as refusal:
            if refusal.code == RESTING:
                return skipped(f"site {name}", f"not requested: {refusal}")
            return to_do(
                f"site {name}",
                f"not requested: {refusal}",
                "name its network in NEWSCRAWL_ALLOWED_ADDRESSES to allow it",
            )
        except ValueError as error:
            return to_do(f"site {name}", f"{home} is no address: {error}", "correct `home` in the declaration")

    def _note_sent(self, request: Request) -> None:
        self._sent.add(authority_of(request.url))


def _homes(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yields name and front page of the declared sites, in the order of their names."""
    loader = get_spider_loader(settings)
    for name in sorted(loader.list()):
        spider = loader.load(name)
        if issubclass(spider, SelfServedSpider) or not issubclass(spider, NewsSpider) or name == GENERIC_SITE:
            continue
        yield name, front_page(spider)


def front_page(spider: type[NewsSpider]) -> str:
    """Returns the front page of a site. If the declaration names none, it has the scheme and port of the site's first
    own source, because a site may be served at another port than that of its scheme."""
    site = Site.of(spider)
    own = next((source.url for source in site.sources if site.owns(source.url)), None)
    return site.home if spider.home is not None or own is None else urljoin(own, "/")
