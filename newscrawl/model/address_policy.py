"""Decides to which network addresses a crawl, and a reader of archives on web servers, may connect. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from newscrawl.errors import ConfigurationError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

MAX_PORT: Final = 65_535
WEB_PORTS: Final = frozenset({80, 443})

NAT64: Final = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
"""RFC 6052 and RFC 8215: an IPv4 address in the last 32 bits, which `is_global` ignores."""

SPECIAL: Final[tuple[Network, ...]] = (
    ipaddress.IPv4Network("192.0.0.0/24"),
    ipaddress.IPv4Network("192.88.99.0/24"),
    ipaddress.IPv6Network("2001::/23"),
    ipaddress.IPv6Network("3fff::/20"),
    ipaddress.IPv6Network("5f00::/16"),
)
"""Entries of IANA's special-purpose registries about which Python's `is_global` is wrong in some versions: protocol
assignments, the abandoned relays of 6to4 (RFC 7526), documentation (RFC 9637), segment routing (RFC 9602)."""

IPV4_COMPATIBLE: Final = ipaddress.IPv6Network("::/96")
"""RFC 4291, section 2.5.5.1, deprecated: some systems still route it to the IPv4 address inside."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """The addresses and ports that are allowed besides global addresses on the ports of the web."""

    allowed_networks: tuple[Network, ...] = ()
    allowed_ports: frozenset[int] = WEB_PORTS

    @classmethod
    def of(cls, networks: Iterable[str], ports: Iterable[int | str]) -> AddressPolicy:
        """Builds it from NEWSCRAWL_ALLOWED_ADDRESSES and NEWSCRAWL_ALLOWED_PORTS. Raises ConfigurationError."""
        try:
            allowed = tuple(ipaddress.ip_network(network.strip(), strict=False) for network in networks)
        except ValueError as error:
            raise ConfigurationError(
                "NEWSCRAWL_ALLOWED_ADDRESSES", f"{error}; write networks as 127.0.0.0/8"
            ) from error
        return cls(allowed, WEB_PORTS | frozenset(map(_port, ports)))

    def problem(self, addresses: Iterable[str], port: int) -> str | None:
        """Returns why a crawl must not connect to a host with these addresses; None if it may.

        One forbidden address among allowed ones rejects the host, because a name can be made to point inside that way.
        Port 0 means that the caller does not know the port.
        """
        for text in addresses:
            try:
                address = ipaddress.ip_address(text.partition("%")[0])
            except ValueError:
                return f"{text!r} is not an address"
            if any(address in network for network in self.allowed_networks):
                continue
            if not is_public(address):
                return f"{address} is not a public address (NEWSCRAWL_ALLOWED_ADDRESSES={_network(address)} allows it)"
            if port and port not in self.allowed_ports:
                return f"port {port} is not allowed (NEWSCRAWL_ALLOWED_PORTS={port} allows it)"
        return None


def _network(address: Address) -> str:
    """Returns what to write to let an address through: the network of all loopback addresses, or the address alone."""
    is_loopback = isinstance(address, ipaddress.IPv4Address) and address.is_loopback
    return "127.0.0.0/8" if is_loopback else f"{address}/{address.max_prefixlen}"


def _port(text: int | str) -> int:
    if not (str(text).strip().isdecimal() and 0 < int(text) <= MAX_PORT):
        raise ConfigurationError(
            "NEWSCRAWL_ALLOWED_PORTS", f"{text!r} is no port: give numbers from 1 to {MAX_PORT}, with commas between"
        )
    return int(text)


def is_public(address: Address) -> bool:
    """Returns whether an address, and every IPv4 address inside it, belongs to one host on the public internet.

    `is_global` alone accepts multicast, site-local addresses, and NAT64 and 6to4 forms of loopback.
    """
    if isinstance(address, ipaddress.IPv6Address):
        carried = _carried(address)
        if carried:
            return all(is_public(inner) for inner in carried)
        if address.is_site_local or address.is_reserved:
            return False
    return address.is_global and not address.is_multicast and not any(address in network for network in SPECIAL)


def _carried(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """Returns the IPv4 addresses inside an IPv6 address: mapped, compatible, 6to4, Teredo (both), NAT64."""
    carried = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in (*NAT64, IPV4_COMPATIBLE)):
        carried.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [inner for inner in carried if inner is not None]
