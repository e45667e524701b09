"""Extension points: the declarations of installed packages and settings, and the errors about those that cannot be
used."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from distribution import install, write_module, write_package

from newscrawl.config import extensions
from newscrawl.config.extensions import EXTRACTORS, KINDS, SINKS, VERDICT_RULES, from_setting, installed
from newscrawl.errors import ExtensionError

SOURCE = """
import sys
LIMIT = 3

def select(page):
    return ()

def two(page, more):
    return ()

class Box:
    @staticmethod
    def inner(page):
        return ()
"""


def test_the_extensions_of_installed_packages_are_found_by_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_module(tmp_path, "ext_found", SOURCE)
    points = {"extractors": {"a_box": "ext_found:select", "b_box": "ext_found:Box.inner [extra]"}}
    write_package(tmp_path, points | {"sinks": {"folder": "ext_found:select"}})
    assert "a_box" not in installed(EXTRACTORS)
    install(monkeypatch, tmp_path)
    found = installed(EXTRACTORS)
    assert {"a_box", "b_box"} <= set(found)
    assert found["a_box"].origin == "package house-rules"
    assert "folder" in installed(SINKS)
    assert "ext_found" not in sys.modules  # nothing is imported before it is used
    assert callable(found["a_box"].load_callable("page"))
    assert callable(found["b_box"].load_callable("page"))


def test_every_kind_has_a_group_and_a_setting_of_its_own() -> None:
    assert len({kind.group for kind in KINDS}) == len({kind.setting for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("nowhere_at_all:select", "importing nowhere_at_all failed: ModuleNotFoundError: No module named"),
        ("ext_wrong:nobody", "ext_wrong has no 'nobody'"),
        ("ext_wrong:LIMIT", r"this is a int: it must be callable with one argument \(page\)"),
        ("ext_wrong:two", r"it must be callable with one argument \(page\): missing a required argument: 'more'"),
        ("ext_wrong", "this is no import path: write MODULE:NAME"),
        ("ext_raises:select", "importing ext_raises failed: ZeroDivisionError: division by zero"),
        ("ext_exits:select", "importing ext_exits failed: SystemExit: 3"),
    ],
)
@pytest.mark.parametrize(("package", "remedy"), [("", "correct the setting"), ("house-rules", "update or uninstall")])
def test_what_cannot_be_loaded_is_one_line_with_what_where_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, words: str, package: str, remedy: str
) -> None:
    write_module(tmp_path, "ext_wrong", SOURCE)
    write_module(tmp_path, "ext_raises", "1 / 0")
    write_module(tmp_path, "ext_exits", "import sys\nsys.exit(3)")
    install(monkeypatch, tmp_path)
    where = f"package {package}" if package else "setting NEWSCRAWL_EXTRACTORS"
    with pytest.raises(ExtensionError, match=f"^{where}: extractor 'box' .*{words}.*; {remedy}") as caught:
        extensions.Extension(EXTRACTORS, "box", path, package).load_callable("page")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["Box", "1box", "box+tree", "box:1", "", "b" * 41, "böx"])
def test_a_name_that_cannot_be_a_code_is_refused(name: str) -> None:
    with pytest.raises(ExtensionError, match="its name cannot be used: write small letters"):
        from_setting(VERDICT_RULES, name, "house:rule")


def test_a_name_that_is_built_in_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExtensionError, match=r"^setting NEWSCRAWL_SINKS: sink 'jsonl' .* is built in"):
        from_setting(SINKS, "jsonl", "house:sink", ["jsonl"])
    write_package(tmp_path, {"sinks": {"jsonl": "house:sink"}})
    install(monkeypatch, tmp_path)
    with pytest.raises(ExtensionError, match=r"^package house-rules: sink 'jsonl' .*built in.*; update or uninstall"):
        installed(SINKS, ["jsonl"])


def test_a_name_that_two_packages_declare_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path, {"sinks": {"folder": "one:sink"}}, "one")
    write_package(tmp_path, {"sinks": {"folder": "two:sink"}}, "two")
    install(monkeypatch, tmp_path)
    with pytest.raises(ExtensionError, match=r"^package two: sink 'folder' .*package one declares the same name"):
        installed(SINKS)


def test_entry_points_that_cannot_be_read_cost_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path, {"sinks": {"folder": "one:sink"}})
    (tmp_path / "house_rules-1.0.dist-info" / "entry_points.txt").write_text("[newscrawl.sinks]\nfolder\n")
    install(monkeypatch, tmp_path)
    with pytest.raises(ExtensionError, match=r"an installed package cannot be read: .*; install it again"):
        installed(SINKS)


def test_an_import_path_is_a_text() -> None:
    with pytest.raises(ExtensionError, match="give an import path: write MODULE:NAME"):
        from_setting(EXTRACTORS, "box", 3)
