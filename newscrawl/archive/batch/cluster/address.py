"""Which Dask schedulers may be used, and the certificates for them.

A scheduler runs whatever it is sent, and so do its workers. Without TLS, everybody who reaches its port can send it
something. So anything but loopback needs TLS with certificates on both sides.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from newscrawl.errors import UsageError

if TYPE_CHECKING:
    from distributed import Security

PORT: Final = 8786
"""The usual port of a scheduler."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files of certificates (PEM): of the authority, of this client, and this client's key. None: what Dask's own
    configuration names (DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on)."""

    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


def checked_address(address: str) -> str:
    """Returns the address of a scheduler with its port. Raises UsageError for one that cannot be used, or that is on
    another machine and has no TLS."""
    parts = urlsplit(address)
    try:
        port = parts.port or PORT
    except ValueError:
        port = 0
    if parts.scheme not in {"tls", "tcp"} or not parts.hostname or not port or parts.username or parts.path.strip("/"):
        raise UsageError(f"--on {address}: give the address of a Dask scheduler, such as tls://scheduler:{PORT}")
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname):
        raise UsageError(
            f"--on {address}: a scheduler without TLS runs whatever anybody sends it; give tls:// for other machines "
            "than this one"
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{port}"


def security_for(address: str, certificates: Certificates) -> Security | None:
    """Returns the certificates for a scheduler; None for one without TLS. Raises UsageError if one is missing."""
    if not address.startswith("tls://"):
        return None
    from distributed import Security

    given = {
        "tls_ca_file": certificates.authority,
        "tls_client_cert": certificates.certificate,
        "tls_client_key": certificates.key,
    }
    named: dict[str, Any] = {name: str(path) for name, path in given.items() if path is not None}
    security = Security(require_encryption=True, **named)
    options = {"tls_ca_file": "--tls-ca", "tls_client_cert": "--tls-cert", "tls_client_key": "--tls-key"}
    for name, option in options.items():
        path = getattr(security, name)
        if not path:
            raise UsageError(f"--on {address} needs a certificate: give {option}, or set Dask's distributed.comm.tls")
        if "\n" not in str(path) and not Path(path).is_file():
            raise UsageError(f"{option}: there is no file {path}")
    return security


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
