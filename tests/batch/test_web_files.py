"""Files of a web server: read in ranges, only from allowed addresses, and never as another file than at the start."""

from __future__ import annotations

from collections.abc import Iterator
from gzip import compress

import pytest

from newscrawl.archive import web_files
from newscrawl.archive.web_files import open_input, open_web_file
from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.errors import ArchiveError, UsageError
from newscrawl.model.address_policy import AddressPolicy

CONTENT = compress(b"a page of the harbour " * 4_000) * 3


class Site(KeepAliveServer):
    """A server with one file. `faults` has a fault for each next request; after them it answers correctly."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.faults: list[str] = []
        self.asked: list[str] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def policy(self) -> AddressPolicy:
        return AddressPolicy.of(["127.0.0.0/8"], [self.port])

    def url(self, path: str = "/a.warc.gz?sig=harbour-secret") -> str:
        return f"http://127.0.0.1:{self.port}{path}"


class Handler(KeepAliveHandler):
    server: Site

    def do_GET(self) -> None:  # noqa: N802
        self.server.asked.append(self.path)
        fault = self.server.faults.pop(0) if self.server.faults else ""
        first, last = (int(edge) for edge in self.headers["Range"].removeprefix("bytes=").split("-"))
        part = CONTENT[first : last + 1]
        if fault == "cut":
            self.close_connection = True
        elif fault == "moved":
            self.answer(302, {"Location": "http://169.254.169.254/keys?x=1"}, b"")
        elif fault == "whole":
            self.answer(200, {}, CONTENT)
        elif fault.isdigit():
            self.answer(int(fault), {}, b"")
        else:
            total = len(CONTENT) + (fault == "grown")
            end = first + len(part) - 1
            self.answer(206, {"Content-Range": f"bytes {first}-{end}/{total}", "ETag": '"1"'}, part)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(web_files, "PAUSES", (0.0, 0.0))
    monkeypatch.setattr(web_files, "BLOCK", 100)
    server = Site().start()
    yield server
    server.stop()


def test_a_file_is_read_in_ranges_in_any_order(site: Site) -> None:
    fetched = []

    class Noted:
        def __enter__(self) -> None:
            fetched.append(True)

        def __exit__(self, *_: object) -> None:
            pass

    with open_input(site.url(), site.policy, Noted) as file:
        assert file.seek(0, 2) == len(CONTENT)
        file.seek(250)
        assert file.read(70) == CONTENT[250:320]
        file.seek(0)
        assert file.read() == CONTENT
    assert len(fetched) > 3
    assert set(site.asked) == {"/a.warc.gz?sig=harbour-secret"}


def test_a_request_that_fails_for_now_is_repeated(site: Site) -> None:
    site.faults = ["503", "cut"]
    with open_web_file(site.url(), site.policy) as file:
        site.faults = ["cut", "429"]
        assert file.read() == CONTENT


@pytest.mark.parametrize(
    ("faults", "error", "said"),
    [
        (["404"], UsageError, "cannot read {}: the server answers with 404"),
        (["403"], ArchiveError, "cannot read {}: the server answers with 403"),
        (
            ["moved"],
            ArchiveError,
            "cannot read {}: the server redirects to http://169.254.169.254/keys: name",
        ),
        (["whole"], ArchiveError, "cannot read {}: the server answers a range with the whole file"),
        (["", "grown"], ArchiveError, "cannot read {}: the file changed while it was read"),
        (["500"] * 3, ArchiveError, "cannot read {}: the server answers with 500; the same command may work later"),
    ],
)
def test_what_a_server_does_wrong_is_one_line_without_the_query(
    site: Site, faults: list[str], error: type[Exception], said: str
) -> None:
    site.faults = faults
    with pytest.raises(error) as raised, open_input(site.url(), site.policy) as file:
        file.read()
    assert str(raised.value).startswith(said.format(site.url("/a.warc.gz")))


def test_only_allowed_addresses_are_connected_to(site: Site) -> None:
    with pytest.raises(UsageError, match=r"127\.0\.0\.1 is not a public address"):
        open_input(site.url())
    with pytest.raises(UsageError, match=r"port \d+ is not allowed"):
        open_input(site.url(), AddressPolicy.of(["10.0.0.0/8"], []) if site.port == 80 else _ports_of_the_web(site))
    with pytest.raises(UsageError, match="no user and no password"):
        open_input(f"http://user:pass@127.0.0.1:{site.port}/a", site.policy)
    assert site.asked == []


def _ports_of_the_web(site: Site) -> AddressPolicy:
    class Public(AddressPolicy):
        def problem(self, addresses: object, port: int) -> str | None:
            return AddressPolicy().problem(["203.0.114.1"], port)

    return Public()
