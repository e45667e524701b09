"""Which addresses are public."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.errors import ConfigurationError
from newscrawl.model.address_policy import AddressPolicy, is_public

PUBLIC = ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"]
NOT_PUBLIC = [
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.31.255.255", "192.168.0.1", "169.254.169.254"),
    *("100.64.0.1", "100.100.100.200", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.9"),
    *("192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "100::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1"),
    *("2002:7f00:1::", "2002:a00:1::", "2001:0:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe"),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_one_host_on_the_internet_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_all_others_are_not_however_they_are_wrapped(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@given(st.ip_addresses(v=4))
def test_no_wrapping_makes_an_inner_address_public(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    for wrapped in (0xFFFF << 32 | number, number, 0x64FF9B << 96 | number, 0x2002 << 112 | number << 80):
        assert is_public(ipaddress.IPv6Address(wrapped)) in {is_public(address), False}


@given(st.ip_addresses(v=6))
def test_what_python_calls_private_is_never_public(address: ipaddress.IPv6Address) -> None:
    assert not (is_public(address) and not address.is_global and not address.ipv4_mapped)


def test_one_bad_address_rejects_the_host() -> None:
    policy = AddressPolicy()
    assert policy.problem(["93.184.215.14"], 443) is None
    assert "127.0.0.1" in str(policy.problem(["93.184.215.14", "127.0.0.1"], 443))
    assert "not an address" in str(policy.problem(["93.184.215.14", "nonsense"], 443))
    assert "fe80::1" in str(policy.problem(["fe80::1%eth0"], 443))


def test_ports_are_those_of_the_web_and_what_is_added() -> None:
    assert "port 8080" in str(AddressPolicy().problem(["93.184.215.14"], 8080))
    assert AddressPolicy.of([], ["8080"]).problem(["93.184.215.14"], 8080) is None
    assert AddressPolicy.of([], ["8080"]).problem(["93.184.215.14"], 80) is None


def test_an_allowed_network_is_let_through_on_any_port() -> None:
    policy = AddressPolicy.of(["127.0.0.0/8", " fd00::/8 "], [])
    assert policy.problem(["127.0.0.5", "fd00::1"], 8765) is None
    assert policy.problem(["10.0.0.1"], 80) is not None


@pytest.mark.parametrize(
    ("networks", "ports", "setting"),
    [
        (["home"], [], "NEWSCRAWL_ALLOWED_ADDRESSES"),
        (["1.2.3.4/99"], [], "NEWSCRAWL_ALLOWED_ADDRESSES"),
        ([], ["http"], "NEWSCRAWL_ALLOWED_PORTS: 'http' is no port"),
        ([], ["0"], "NEWSCRAWL_ALLOWED_PORTS: '0' is no port"),
    ],
)
def test_a_setting_that_names_nothing_is_refused_by_name(networks: list[str], ports: list[str], setting: str) -> None:
    with pytest.raises(ConfigurationError, match=setting):
        AddressPolicy.of(networks, ports)
