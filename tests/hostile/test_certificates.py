"""Certificates of a trusted authority: only one that names the host is accepted, whatever is wrong with others."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

import pytest
from certificates import Authority, context_by_name
from crawls import Crawl, Crawled
from cryptography import x509
from hostile_server import HostileServer

from newscrawl.crawling.downloader.certificates import NO_HOST, OTHER_HOST, refusal

ADDRESS = "127.0.0.1"
NAMED = {
    "exact.example": ["exact.example"],
    "upper.example": ["UPPER.example"],
    "www.wild.example": ["*.wild.example"],
    "beside.example": ["*", "a.*.example", "beside.example"],
    ADDRESS: [ADDRESS],
}
UNNAMED = {
    "nameless.example": ([], NO_HOST),
    "star.example": (["*"], NO_HOST),
    "star-com.com": (["*.com"], NO_HOST),
    "a.inner.example": (["a.*.example"], NO_HOST),
    "x.y.twostars.example": (["*.*.twostars.example"], NO_HOST),
    "empty.example": (["*..empty.example"], NO_HOST),
    "number.example": (["127.0.0.*"], NO_HOST),
    "other.example": (["exact.example"], OTHER_HOST),
    "deep.www.low.example": (["*.low.example"], OTHER_HOST),
    "bare.example": (["*.bare.example"], OTHER_HOST),
    "address.example": ([ADDRESS], OTHER_HOST),
}
STRANGE = "strange.example"
"""Has a right certificate, of an authority that nobody trusts."""


def general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def names_of(host: str) -> list[x509.GeneralName]:
    names = NAMED[host] if host in NAMED else UNNAMED[host][0]
    return [general_name(name) for name in names]


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


@pytest.fixture(scope="module")
def trusted(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostileServer]:
    """A TLS server with a certificate for each host; crawls of this module trust its authority."""
    folder = tmp_path_factory.mktemp("certificates")
    (folder / "authority.pem").write_bytes(authority.pem)
    issued = {host: authority.issue(host, names_of(host)) for host in (*NAMED, *UNNAMED)}
    issued[STRANGE] = Authority("another one").issue(STRANGE, [x509.DNSName(STRANGE)])
    contexts = {host: one.context(folder) for host, one in issued.items()}
    server = HostileServer(tls=context_by_name(contexts, ADDRESS)).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(folder / "authority.pem"))
        yield server
    server.stop()


@pytest.fixture(scope="module")
def crawled(trusted: HostileServer, crawl: Crawl) -> Crawled:
    hosts = [*NAMED, *UNNAMED, STRANGE]
    return crawl(
        [trusted.url("/page", host) for host in hosts],
        names={host: [ADDRESS] for host in hosts if host != ADDRESS},
        settings={"NEWSCRAWL_ALLOWED_ADDRESSES": [ADDRESS], "RETRY_TIMES": 0, "ROBOTSTXT_OBEY": False},
    )


@pytest.mark.parametrize("host", NAMED)
def test_a_certificate_that_names_the_host_is_accepted(trusted: HostileServer, crawled: Crawled, host: str) -> None:
    assert crawled.kind(trusted.url("/page", host)) == "page"


@pytest.mark.parametrize("host", [*UNNAMED, STRANGE])
def test_any_other_certificate_is_refused_before_a_request_is_sent(
    trusted: HostileServer, crawled: Crawled, host: str
) -> None:
    outcome = crawled.outcomes[trusted.url("/page", host)]
    assert outcome["kind"] == "robots/unreachable"
    assert outcome["reason"].endswith(UNNAMED[host][1] if host in UNNAMED else "was not accepted")
    assert trusted.asked(host) == []


@pytest.mark.parametrize("host", [*NAMED, *UNNAMED])
def test_a_refusal_has_its_reason(authority: Authority, host: str) -> None:
    expected = UNNAMED[host][1] if host in UNNAMED else None
    assert refusal(authority.issue(host, names_of(host)).certificate, host) == expected


def test_names_of_other_kinds_count_for_nothing(authority: Authority) -> None:
    names = [x509.UniformResourceIdentifier("https://kinds.example:1:2/"), x509.RFC822Name("x@kinds.example")]
    assert refusal(authority.issue("kinds.example", names).certificate, "kinds.example") == NO_HOST
    names.append(x509.DNSName("kinds.example"))
    assert refusal(authority.issue("kinds.example", names).certificate, "kinds.example") is None


@pytest.mark.parametrize("host", ["", "a b", "exact.example\0.other.example"], ids=["empty", "blank", "zero byte"])
def test_a_host_that_is_no_name_is_refused(authority: Authority, host: str) -> None:
    assert refusal(authority.issue("exact.example", [x509.DNSName("exact.example")]).certificate, host)
