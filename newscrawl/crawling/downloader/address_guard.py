"""The address guard: a resolver that returns only addresses to which a crawl may connect.

It checks where names become addresses, because the connection uses the address that it returns. There is no gap between
check and connection, and every spelling of an address (2130706433, 0177.0.0.1, full-width digits) is checked. It is
installed with the setting TWISTED_DNS_RESOLVER. Only Scrapy's process classes read this setting, so `GuardCheck`
refuses a crawl without the guard.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import evolve
from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.utils.misc import load_object
from scrapy.utils.reactor import is_reactor_installed
from twisted.internet.address import IPv4Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

from newscrawl.config.catalogue import Config
from newscrawl.config.reading import config_of
from newscrawl.errors import ConfigurationError
from newscrawl.model.address_policy import AddressPolicy
from newscrawl.model.identity.domains import ascii_host

BLOCKED: Final = "security/blocked_address"

NAMES_KEPT: Final = 10_000
FRESH_SECONDS: Final = 300.0
"""How long an answer is reused. The system's resolver states no time to live; five minutes is a common value."""

Resolver = Any
Receiver = Any
Resolution = Any
Address = Any
"""Objects of Twisted's interfaces. Type checkers read them as classes that lack an argument."""

logger = logging.getLogger(__name__)


@implementer(IHostnameResolver)
class AddressGuard:
    """Asks the system's resolver and checks all addresses of its answer. If one is refused, the answer is empty.

    Twisted turns an empty answer into DNSLookupError; `refusal` returns the reason to the caller that catches that.
    """

    def __init__(
        self,
        upstream: Resolver,
        policy: AddressPolicy,
        clock: Callable[[], float] = time.monotonic,
        reactor: Any = None,
    ) -> None:
        self._reactor = reactor
        self._upstream = upstream
        self._policy = policy
        self._clock = clock
        self._answers: OrderedDict[str, tuple[Sequence[Address], float]] = OrderedDict()
        """Twisted's address objects by host, with the port of the first request, and until when they are used."""
        self._refusals: OrderedDict[tuple[str, int], str] = OrderedDict()

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> AddressGuard:
        """Builds the guard as Scrapy's process classes do. Raises ConfigurationError for unreadable settings."""
        upstream = reactor.nameResolver
        while isinstance(upstream, AddressGuard):  # a second process object in one process must not guard a guard
            upstream = upstream._upstream  # noqa: SLF001
        return cls(upstream, policy_of(config_of(crawler.settings)), reactor=reactor)

    def install_on_reactor(self) -> None:
        """Makes this the reactor's resolver, for new-style endpoints and for the old `reactor.resolve`."""
        self._reactor.installNameResolver(self)

    def refusal(self, host: str, port: int) -> str | None:
        """Returns why the latest look-up of this host was refused, or None if it was not."""
        return self._refusals.get((_name(host), port))

    def resolveHostName(  # noqa: N802  Twisted's interface
        self,
        resolutionReceiver: Receiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[Address]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Resolution:
        """See Twisted's IHostnameResolver. Both address families are always requested, so that both are checked."""
        # Twisted passes names in letters, also those given in Punycode; the system would convert them by IDNA 2003.
        hostName = hostName if hostName.isascii() else ascii_host(hostName)  # noqa: N806
        known = self._known(hostName)
        receiver = _Judge(self, resolutionReceiver, hostName, portNumber, fresh=known is None)
        if known is None:
            return self._upstream.resolveHostName(receiver, hostName, portNumber, None, transportSemantics)
        resolution = _Resolution(hostName)
        receiver.resolutionBegan(resolution)
        for address in known:
            receiver.addressResolved(address)
        receiver.resolutionComplete()
        return resolution

    def judge(self, host: str, port: int, addresses: Sequence[Address]) -> Sequence[Address]:
        """Returns the addresses that may be used for this port, none if any of them is refused."""
        problem = self._policy.problem([address.host for address in addresses], port)
        key = (_name(host), port)
        self._refusals.pop(key, None)
        if problem is not None:
            self._remember(self._refusals, key, problem)
            return ()
        return [evolve(address, port=port) for address in addresses]

    def keep(self, host: str, addresses: Sequence[Address]) -> None:
        """Keeps an answer of the upstream resolver for `FRESH_SECONDS`. It is checked again at each use."""
        if addresses:
            self._remember(self._answers, host, (tuple(addresses), self._clock() + FRESH_SECONDS))

    def _known(self, host: str) -> Sequence[Address] | None:
        if not host:
            return ()
        if _is_localhost(host):
            return [IPv4Address("TCP", "127.0.0.1", 0)]
        addresses, until = self._answers.get(host, ((), 0.0))
        return addresses if self._clock() < until else None

    @staticmethod
    def _remember(table: OrderedDict[Any, Any], key: object, value: object) -> None:
        table[key] = value
        table.move_to_end(key)
        if len(table) > NAMES_KEPT:
            table.popitem(last=False)


def policy_of(config: Config) -> AddressPolicy:
    """Returns the address policy of the settings. Raises ConfigurationError."""
    return AddressPolicy.of(config.allowed.addresses, config.allowed.ports)


def installed_guard() -> AddressGuard | None:
    """Returns the guard of the running reactor; None if there is none, and then nothing must be fetched."""
    if not is_reactor_installed():
        return None
    from twisted.internet import reactor

    resolver = getattr(reactor, "nameResolver", None)
    return resolver if isinstance(resolver, AddressGuard) else None


POLITE_DOWNLOADER: Final = "newscrawl.crawling.downloader.throttled_downloader.ThrottledDownloader"
NEEDED_MIDDLEWARES: Final = (
    "newscrawl.crawling.downloader.middlewares.offsite.Offsite",
    "newscrawl.crawling.downloader.middlewares.robots.RobotsMiddleware",
)


class GuardCheck:
    """Extension: a crawl without the guard does not start.

    Settings without a guard are refused with exit code 2 before anything is opened. A reactor that was set up in
    another way (AsyncCrawlerRunner) is detected when the spider opens; the spider is closed before its first request.
    """

    def __init__(self, crawler: Crawler) -> None:
        policy_of(config_of(crawler.settings))
        check_settings(crawler.settings)
        crawler.signals.connect(self.spider_opened, signal=signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> GuardCheck:
        """Builds the extension as Scrapy does."""
        return cls(crawler)

    def spider_opened(self, spider: Spider) -> None:
        """Closes the spider if the reactor's resolver is not the guard."""
        if installed_guard() is None:
            logger.critical(
                "no address guard is installed: start crawls with `scrapy crawl` or crawling.runtime.process"
            )
            raise CloseSpider("no_address_guard")


def check_settings(settings: Any) -> None:
    """Raises ConfigurationError if Scrapy's settings leave out the guard, the downloader that keeps delays, or a
    middleware that they need."""
    if not settings.getbool("TWISTED_REACTOR_ENABLED"):
        raise ConfigurationError("TWISTED_REACTOR_ENABLED", "without a reactor there is no address guard; leave it on")
    resolver = load_object(settings["TWISTED_DNS_RESOLVER"])
    if not (isinstance(resolver, type) and issubclass(resolver, AddressGuard)):
        raise ConfigurationError(
            "TWISTED_DNS_RESOLVER",
            "a crawl needs newscrawl.crawling.downloader.address_guard.AddressGuard or a subclass of it",
        )

    if not issubclass(load_object(settings["DOWNLOADER"]), load_object(POLITE_DOWNLOADER)):
        raise ConfigurationError("DOWNLOADER", f"a crawl needs {POLITE_DOWNLOADER}: it owns the delay of every host")
    middlewares = settings.getdict("DOWNLOADER_MIDDLEWARES")
    for needed in NEEDED_MIDDLEWARES:
        if middlewares.get(needed) is None:
            raise ConfigurationError("DOWNLOADER_MIDDLEWARES", f"a crawl needs {needed}: leave it on")


def _name(host: str) -> str:
    """Returns one name for all spellings of a host."""
    return ascii_host(host) or host.lower()


def _is_localhost(host: str) -> bool:
    """Returns whether the name means this machine on every machine (RFC 6761, section 6.3); it is not looked up."""
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost")


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Does nothing: the answer was complete before it could be cancelled."""


@implementer(IResolutionReceiver)
class _Judge:
    """Between the upstream resolver and the receiver: collects the whole answer before it passes any of it on."""

    def __init__(self, guard: AddressGuard, receiver: Receiver, host: str, port: int, *, fresh: bool) -> None:
        self._fresh = fresh
        self._guard = guard
        self._receiver = receiver
        self._host = host
        self._port = port
        self._addresses: list[Address] = []

    def resolutionBegan(self, resolution: Resolution) -> None:  # noqa: N802
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Address) -> None:  # noqa: N802
        self._addresses.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        good = self._guard.judge(self._host, self._port, self._addresses)
        if good and self._fresh:
            self._guard.keep(self._host, good)
        for address in good:
            self._receiver.addressResolved(address)
        self._receiver.resolutionComplete()
