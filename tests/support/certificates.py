"""A certificate authority for a test: it issues certificates with any names, and a server context that chooses among
them."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Issued:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def context(self, folder: Path) -> ssl.SSLContext:
        """Returns a server context with this certificate."""
        path = folder / f"{self.certificate.serial_number:x}.pem"
        key = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_bytes(key + self.certificate.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


class Authority:
    """Issues certificates. Clients trust them if they load `pem`."""

    def __init__(self, name: str = "authority of a test") -> None:
        self._own = self._issue(name, [], None)

    @property
    def pem(self) -> bytes:
        """Returns the certificate of the authority."""
        return self._own.certificate.public_bytes(serialization.Encoding.PEM)

    def issue(self, common_name: str, names: list[x509.GeneralName]) -> Issued:
        """Issues a certificate for these names; without names, it names no host."""
        return self._issue(common_name, names, self._own)

    def _issue(self, common_name: str, names: list[x509.GeneralName], issuer: Issued | None) -> Issued:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer.certificate.subject if issuer else subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - DAY)
            .not_valid_after(now + DAY)
            .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return Issued(builder.sign(issuer.key if issuer else key, hashes.SHA256()), key)


def context_by_name(contexts: Mapping[str, ssl.SSLContext], default: str) -> ssl.SSLContext:
    """Returns a server context that presents the certificate of the host that a client names, or that of `default`
    to a client that names no host."""

    def choose(connection: ssl.SSLObject, host: str | None, _context: ssl.SSLContext) -> None:
        connection.context = contexts[host or default]

    contexts[default].sni_callback = choose
    return contexts[default]
