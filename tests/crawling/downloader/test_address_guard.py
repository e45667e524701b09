"""The resolver gives no address to which a crawl may not connect."""

from __future__ import annotations

from typing import Any

import pytest
from twisted.internet.address import IPv4Address, IPv6Address

from newscrawl.crawling.downloader.address_guard import FRESH_SECONDS, AddressGuard
from newscrawl.model.address_policy import AddressPolicy


class Upstream:
    """Answers each name with the next of its answers; the last one stays."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def resolveHostName(self, receiver: Any, host: str, port: int, types: Any, transport: str) -> Any:  # noqa: N802
        self.asked.append(host)
        assert types is None, "both families must be asked for, so that both are checked"
        answers = self.answers.get(host, [[]])
        receiver.resolutionBegan(self)
        for text in answers.pop(0) if len(answers) > 1 else answers[0]:
            kind = IPv6Address if ":" in text else IPv4Address
            receiver.addressResolved(kind("TCP", text, port))
        receiver.resolutionComplete()
        return self


class Receiver:
    """Collects what a resolver gives."""

    def __init__(self) -> None:
        self.got: list[Any] = []
        self.complete = False

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        self.resolution = resolution

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.got.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        self.complete = True


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def resolve(guard: AddressGuard, host: str, port: int = 443, types: Any = None) -> list[tuple[str, int]]:
    receiver = Receiver()
    guard.resolveHostName(receiver, host, port, types)
    assert receiver.complete
    return [(address.host, address.port) for address in receiver.got]


def test_a_public_host_is_resolved_to_all_of_its_addresses() -> None:
    guard = AddressGuard(Upstream(site=[["93.184.215.14", "2606:4700::1111"]]), AddressPolicy())
    assert resolve(guard, "site") == [("93.184.215.14", 443), ("2606:4700::1111", 443)]
    assert guard.refusal("site", 443) is None


@pytest.mark.parametrize(
    "answer", [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1", "93.184.215.14"], ["::ffff:127.0.0.1"]]
)
def test_a_host_with_any_inner_address_gets_none(answer: list[str]) -> None:
    guard = AddressGuard(Upstream(site=[answer]), AddressPolicy())
    assert resolve(guard, "site") == []
    assert "not a public address" in str(guard.refusal("site", 443))


def test_asking_for_one_family_does_not_hide_the_other(clock: Clock) -> None:
    guard = AddressGuard(Upstream(site=[["93.184.215.14", "::1"]]), AddressPolicy(), clock)
    assert resolve(guard, "site", types=[IPv4Address]) == []


def test_a_name_that_nobody_knows_is_no_refusal() -> None:
    guard = AddressGuard(Upstream(), AddressPolicy())
    assert resolve(guard, "unknown") == []
    assert guard.refusal("unknown", 443) is None


def test_an_answer_is_used_again_until_it_expires_and_is_then_judged_anew(clock: Clock) -> None:
    upstream = Upstream(site=[["93.184.215.14"], ["127.0.0.1"]])
    guard = AddressGuard(upstream, AddressPolicy(), clock)
    assert resolve(guard, "site", 80) == [("93.184.215.14", 80)]
    clock.now = FRESH_SECONDS - 1
    assert resolve(guard, "site", 443) == [("93.184.215.14", 443)]
    assert upstream.asked == ["site"]
    clock.now = FRESH_SECONDS
    assert resolve(guard, "site") == []


def test_a_refused_answer_is_not_kept(clock: Clock) -> None:
    guard = AddressGuard(Upstream(site=[["127.0.0.1"], ["93.184.215.14"]]), AddressPolicy(), clock)
    assert resolve(guard, "site") == []
    assert resolve(guard, "site") == [("93.184.215.14", 443)]
    assert guard.refusal("site", 443) is None


def test_an_answer_for_one_port_is_no_permission_for_another() -> None:
    guard = AddressGuard(Upstream(site=[["93.184.215.14"]]), AddressPolicy())
    assert resolve(guard, "site", 443)
    assert resolve(guard, "site", 6379) == []
    assert "port 6379" in str(guard.refusal("site", 6379))
    assert guard.refusal("site", 443) is None


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "demo.localhost", "demo.localhost.", "a.b.localhost"])
def test_localhost_names_mean_this_machine_without_being_looked_up(host: str) -> None:
    upstream = Upstream()
    assert resolve(AddressGuard(upstream, AddressPolicy()), host, 80) == []
    assert resolve(AddressGuard(upstream, AddressPolicy.of(["127.0.0.0/8"], [])), host, 8765) == [("127.0.0.1", 8765)]
    assert upstream.asked == []


def test_a_name_that_only_ends_like_localhost_is_looked_up() -> None:
    upstream = Upstream()
    resolve(AddressGuard(upstream, AddressPolicy()), "notlocalhost")
    assert upstream.asked == ["notlocalhost"]


def test_a_name_is_looked_up_as_it_was_asked_for_whatever_twisted_makes_of_it() -> None:
    upstream = Upstream(**{"xn--strae-oqa.de": [["127.0.0.1"]]})
    guard = AddressGuard(upstream, AddressPolicy())
    assert resolve(guard, "straße.de") == []
    assert upstream.asked == ["xn--strae-oqa.de"]
    assert "not a public address" in str(guard.refusal("xn--strae-oqa.de", 443))


def test_a_name_that_cannot_be_is_not_looked_up() -> None:
    upstream = Upstream()
    assert resolve(AddressGuard(upstream, AddressPolicy()), "xn--ß.de") == []
    assert upstream.asked == []
