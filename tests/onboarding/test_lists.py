"""Lists of sites, and `newscrawl import-sites`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import replica_habits as habits
from replicas import Replicas

from newscrawl.discovery.onboarding.lists import Listed, read_list
from newscrawl.errors import UsageError

Run = Callable[..., "subprocess.CompletedProcess[str]"]
OPML = """<?xml version="1.0"?><opml version="2.0"><body><outline text="News">
<outline text="One" htmlUrl="https://one.example/" xmlUrl="https://one.example/rss"/>
<outline text="One, sport" xmlUrl="https://one.example/sport/rss"/>
<outline text="Two" xmlUrl="https://two.example/feed.xml"/></outline></body></opml>"""


@pytest.mark.parametrize(
    ("text", "sites"),
    [
        ("https://one.example/\ntwo.example\n", [Listed(1, "https://one.example/"), Listed(2, "https://two.example")]),
        (
            "Name;URL;RSS\none;www.one.example;https://one.example/rss\n;;\ntwo;two.example;\n",
            [
                Listed(2, "https://www.one.example", ("https://one.example/rss",), "one"),
                Listed(4, "https://two.example", (), "two"),
            ],
        ),
        (
            "\ufeffurl\n# a comment\nhttps://one.example\nhttps://www.one.example/news\n",
            [Listed(3, "https://one.example")],
        ),
        (
            "url,daily_requests\none.example,unlimited\ntwo.example,500\nthree.example,\n",
            [
                Listed(2, "https://one.example", daily_requests="unlimited"),
                Listed(3, "https://two.example", daily_requests="500"),
                Listed(4, "https://three.example"),
            ],
        ),
        (
            OPML,
            [
                Listed(2, "https://one.example/", ("https://one.example/rss", "https://one.example/sport/rss")),
                Listed(4, "https://two.example/", ("https://two.example/feed.xml",)),
            ],
        ),
    ],
)
def test_lists_name_sites_each_domain_once(text: str, sites: list[Listed], tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text(text, encoding="utf-8")
    assert read_list(file) == sites


@pytest.mark.parametrize("text", ["", "<html><body>no list</body></html>", "url,name\n"])
def test_a_file_without_sites_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text(text)
    with pytest.raises(UsageError):
        read_list(file)
    with pytest.raises(UsageError, match="cannot read"):
        read_list(tmp_path / "missing")


def test_a_list_that_is_no_csv_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("url\n" + "x" * 200_000)
    with pytest.raises(UsageError, match="cannot be read as CSV at line 2"):
        read_list(file)


def test_any_end_of_line_ends_a_line_of_a_list(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_bytes(b"url\rhttps://one.example/\r\nhttps://two.example/\n")
    assert [site.url for site in read_list(file)] == ["https://one.example/", "https://two.example/"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["url\tname\nhttps://one.example\tone\n", OPML])
def test_lists_in_utf_16_are_read(text: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(f"\ufeff{text}".encode(encoding))
    assert read_list(tmp_path / "list")[0].url.removesuffix("/") == "https://one.example"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('<outline htmlUrl="https://two.example/?a=1&b=2"/>', "EntityRef: expecting ';'"),
        ("<outline htmlUrl=https://two.example/ />", "AttValue"),
        ('<outline text="\x00"/>', "PCDATA invalid Char value 0|Char 0x0 out of allowed range|invalid"),
    ],
)
def test_an_error_in_opml_names_its_line(line: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "list.opml"
    file.write_text(OPML.replace('<outline text="Two"', f'{line}\n<outline text="Two"'))
    with pytest.raises(UsageError, match=rf"list\.opml cannot be read as OPML at line 4: .*({reason})") as raised:
        read_list(file)
    assert "mend that line" in str(raised.value)


def test_a_list_is_read_within_a_bound() -> None:
    with pytest.raises(UsageError, match="/dev/zero has more than 20,000,000 bytes: split it"):
        read_list(Path("/dev/zero"))


def test_entities_of_a_list_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("https://secret.example/")
    file = tmp_path / "list.opml"
    entity = f'<!DOCTYPE opml [<!ENTITY s SYSTEM "file://{secret}">]>'
    file.write_text(f'{entity}<opml><body><outline htmlUrl="https://one.example/">&s;</outline></body></opml>')
    assert [site.url for site in read_list(file)] == ["https://one.example/"]


def test_a_list_is_imported_past_failures_and_gone_on_with(replicas: Replicas, project: Path, run: Run) -> None:
    for name, habit in (("town", habits.home_made), ("village", habits.json_feed)):
        habit(replicas.site(name))
    gone = replicas.site("gone")
    file = project / "sites.csv"
    missing = f"http://town.localhost:{replicas.port}/missing.xml"
    village = f"http://village.localhost:{replicas.port}/"
    file.write_text(f"url,feed\nhttp://town.localhost:{replicas.port}/,{missing}\n{gone.home},\n{village},\n")
    first = run("newscrawl", "import-sites", "sites.csv", "--limit", "2", "--fixtures", COLUMNS="300")
    assert first.returncode == 1, first.stderr
    assert f"{missing} is not used: " in first.stdout
    assert "1 added, 0 already there, 1 failed" in first.stdout
    assert (project / "site-tests" / "town" / "expected.json").exists()
    asked = len(replicas.addresses)
    second = run("newscrawl", "import-sites", "sites.csv")
    assert "1 added, 1 already there, 1 failed" in second.stdout
    assert not [path for path in replicas.addresses[asked:] if path.startswith("town.")]
    assert sorted(path.stem for path in (project / "spiders").glob("[tv]*.py")) == ["town", "village"]
