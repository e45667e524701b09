"""Checks whether a server's certificate names the requested host. An error of the check counts as a refusal.

Twisted closes the connection when a certificate names other hosts. When the check itself fails (a certificate without
names, or with a name such as `*` or `a.*.example`), Twisted logs the error and uses the connection. Here the check is
repeated after Twisted's, as RFC 9525 requires: a DNS name or an IP address among the subjectAltNames must match; a name
that cannot be compared matches nothing; the common name is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Final, Protocol

from cryptography import x509
from OpenSSL import SSL
from service_identity import CertificateError, VerificationError
from service_identity.hazmat import (
    DNS_ID,
    CertificatePattern,
    DNSPattern,
    IPAddress_ID,
    IPAddressPattern,
    ServiceID,
    verify_service_identity,
)
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator
from twisted.python.failure import Failure
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer  # type: ignore[import-untyped]

OTHER_HOST: Final = "the certificate is for another host"
NO_HOST: Final = "the certificate names no host"
UNREADABLE: Final = "the names of the certificate cannot be read"

_MODE: Final = SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT


class CertificateRefused(Exception):
    """The certificate does not name the host; `str` is the reason, one line."""


def refusal(certificate: x509.Certificate, host: str) -> str | None:
    """Returns why a certificate is not accepted for a host (a name in ASCII or an IP address); None if it is."""
    try:
        names = list(_names(certificate))
        if not names:
            return NO_HOST
        verify_service_identity(names, [_identity(host)], [])
    except VerificationError:
        return OTHER_HOST
    except Exception:  # noqa: BLE001  a certificate that cannot be checked is not accepted
        return UNREADABLE
    return None


def _names(certificate: x509.Certificate) -> Iterator[CertificatePattern]:
    """Yields the host names in a certificate that can be compared with a host."""
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return
    for name in names.get_values_for_type(x509.DNSName):
        with suppress(CertificateError):  # this name matches nothing; another one may
            yield DNSPattern.from_bytes(name.encode())
    for address in names.get_values_for_type(x509.IPAddress):
        yield IPAddressPattern(ip_address(str(address)))


def _identity(host: str) -> ServiceID:
    try:
        ip_address(host)
    except ValueError:
        return DNS_ID(host)
    return IPAddress_ID(host)


class _TLSProtocol(Protocol):
    """The part of Twisted's TLSMemoryBIOProtocol that is used."""

    def failVerification(self, reason: Failure) -> None:  # noqa: N802
        """Closes the connection for this reason."""


def checking(protocol: _TLSProtocol, host: str) -> Callable[[SSL.Connection, Any, int, int, int], bool]:
    """Returns a callback for OpenSSL that also accepts or refuses the server's own certificate for a host."""

    def verify(_connection: SSL.Connection, certificate: Any, _error: int, depth: int, trusted: int) -> bool:
        if not trusted or depth != 0:
            return bool(trusted)
        try:
            reason = refusal(certificate.to_cryptography(), host)
        except Exception:  # noqa: BLE001  OpenSSL would lose an exception; see `refusal`
            reason = UNREADABLE
        if reason is not None:
            protocol.failVerification(Failure(CertificateRefused(reason)))  # type: ignore[no-untyped-call]
        return reason is None

    return verify


@implementer(IOpenSSLClientConnectionCreator)
class _CheckedCreator:
    """Creates connections with another creator, with this module's check in place of Twisted's."""

    def __init__(self, creator: Any, host: str) -> None:
        self._creator = creator
        self._host = host

    def clientConnectionForTLS(self, tlsProtocol: Any) -> SSL.Connection:  # noqa: N802, N803  Twisted's interface
        """Creates a connection as Twisted does."""
        connection: SSL.Connection = self._creator.clientConnectionForTLS(tlsProtocol)
        connection.set_verify(_MODE, checking(tlsProtocol, self._host))
        return connection


@implementer(IPolicyForHTTPS)
class CheckedNames:
    """A policy for HTTPS that adds this module's check of names to a policy that verifies certificates."""

    def __init__(self, policy: Any) -> None:
        self._policy = policy

    def creatorForNetloc(self, hostname: bytes, port: int) -> Any:  # noqa: N802  Twisted's interface
        """Returns the creator of connections to a host, as Twisted requests it."""
        return _CheckedCreator(self._policy.creatorForNetloc(hostname, port), hostname.decode("ascii"))
