"""Each package says in its docstring what is in it and where to start, and the modules that it names exist."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "newscrawl"
PACKAGES = sorted(path.parent for path in ROOT.glob("*/**/__init__.py"))
TOP = [package for package in PACKAGES if package.parent == ROOT]
NAME = re.compile(r"`([a-z_0-9]+)[^`]*`")
IMPORTERS = re.compile(
    r"`(newscrawl[a-z_.]*)` and everything above it(?: but `newscrawl\.web`)? may import this package"
)


def docstring(package: Path) -> str:
    """The package's docstring on one line."""
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    return " ".join((ast.get_docstring(tree) or "").split())


def tabled(package: Path) -> list[str]:
    """The modules that the docstring has as a table: each line has names with commas between, blanks, and their use."""
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    content = (ast.get_docstring(tree) or "").partition("In here:")[2].partition("Not in here:")[0]
    rows = re.findall(r"^    ([a-z_0-9/]+(?:, [a-z_0-9/]+)*)  ", content, re.MULTILINE)
    return [name.rstrip("/") for row in rows for name in row.split(", ")]


def is_module(package: Path, name: str) -> bool:
    """Whether the package has a module or folder of this name."""
    return (package / f"{name}.py").is_file() or (package / name).is_dir()


def test_all_packages_are_seen() -> None:
    assert {"crawling", "storage", "workers"} <= {package.name for package in TOP}
    assert len(PACKAGES) > len(TOP)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.relative_to(ROOT).as_posix())
def test_a_package_says_what_is_in_it_and_where_to_start(package: Path) -> None:
    text = docstring(package)
    assert "In here:" in text
    assert "Start with `" in text


@pytest.mark.parametrize("package", TOP, ids=lambda package: package.name)
def test_a_package_says_what_is_elsewhere(package: Path) -> None:
    assert "Not in here:" in docstring(package)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.relative_to(ROOT).as_posix())
def test_the_module_to_start_with_exists(package: Path) -> None:
    started = NAME.search(docstring(package).partition("Start with ")[2])
    assert started is not None
    assert is_module(package, started[1])


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.relative_to(ROOT).as_posix())
def test_a_sentence_about_the_content_names_modules_that_exist(package: Path) -> None:
    """A sentence may name commands and functions, too: its subject is the module before the verb."""
    content = docstring(package).partition("In here:")[2].partition("Not in here:")[0].partition("Start with ")[0]
    subjects = [found[1] for part in re.split(r"[;.,] |: ", content) if (found := re.match(r"\s*`([a-z_0-9]+)`", part))]
    assert [name for name in [*subjects, *tabled(package)] if not is_module(package, name)] == []


def layers() -> list[list[str]]:
    """The modules of each layer of the first import contract, the lowest layer first."""
    settings = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    found = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [re.findall(r"[a-z_.]+", layer) for layer in reversed(found)]


def layers_of(name: str) -> list[int]:
    """The layer of each module of the contract that is the package or stands in it; without one, that of the package
    around it."""
    own = [number for number, layer in enumerate(layers()) for module in layer if f"{module}.".startswith(f"{name}.")]
    return own or [number for number, layer in enumerate(layers()) for module in layer if name.startswith(f"{module}.")]


SAID = [(package, found[1]) for package in PACKAGES if (found := IMPORTERS.search(docstring(package)))]


def test_most_packages_with_a_place_of_their_own_say_who_may_import_them() -> None:
    assert len(SAID) > 15


@pytest.mark.parametrize(("package", "importer"), SAID, ids=lambda value: getattr(value, "name", value))
def test_a_package_names_importers_that_stand_above_it(package: Path, importer: str) -> None:
    """A package whose modules stand in several layers counts as standing where most of them do."""
    own = layers_of(".".join(package.relative_to(ROOT.parent).parts))
    assert min(layers_of(importer)) > max(own, key=own.count)
