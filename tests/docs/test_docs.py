"""README and docs agree with the code: their examples run, their commands exist, their tables are right.

tests/demo/test_demo_crawl.py runs the console examples, which crawl the demo site.
"""

from __future__ import annotations

import re
import runpy
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from docs_pages import BLOCK, PAGES, ROOT, blocks, check_command, commands
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.names import ENVIRONMENT_ONLY
from newscrawl.extraction.chain import known_names

CHANGELOG = ROOT / "CHANGELOG.md"
MIN_PAGES = 35
OF_OTHERS = {"freshness.md", "first-site.md", "extend.md"}
"""Pages that name modules of other projects, or one that the reader writes."""
WITH_DATABASE = "read-results.md"
"""The page whose examples need a database: test_read_from_python.py runs them."""


def links(page: Path) -> list[str]:
    """What a page links to in the project."""
    return re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))


def heading_links(page: Path) -> list[tuple[str, str]]:
    """File and anchor of each link of a page to a heading; the file is the page's own name for a link within it."""
    found = re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    return [(file or page.name, anchor) for file, anchor in found]


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings down to the third level, as `myst_heading_anchors` in docs/conf.py makes them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#{1,3} (.+)$", text, re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings]
    earlier = [slugs[:place].count(slug) for place, slug in enumerate(slugs)]
    return {f"{slug}-{number}" if number else slug for slug, number in zip(slugs, earlier, strict=True)}


@pytest.mark.parametrize(
    ("found", "least"),
    [
        pytest.param(lambda: PAGES, MIN_PAGES, id="pages"),
        pytest.param(lambda: list(blocks("python")), 9, id="python examples"),
        pytest.param(lambda: commands("console"), 8, id="console commands"),
        pytest.param(lambda: commands("sh"), 80, id="shell commands"),
        pytest.param(
            lambda: [words for words in commands("sh") if words[0] == "newscrawl"], 55, id="newscrawl commands"
        ),
        pytest.param(lambda: [words for words in commands("sh") if words[0] == "make"], 3, id="make targets"),
        pytest.param(lambda: [target for page in PAGES for target in links(page)], 110, id="links"),
    ],
)
def test_the_pages_are_found_wherever_they_are_moved(found: Callable[[], list[object]], least: int) -> None:
    """A page that these tests no longer see is checked by none of them, and none of them would fail."""
    assert len(found()) >= least


def python_examples() -> Iterator[object]:
    """Every block in Python; those that test a spider, or extract many pages or a span, start processes."""
    for page, text in blocks("python"):
        if page == WITH_DATABASE:
            continue
        starts = any(word in text for word in ("newscrawl.testing", "extract_many", "extract_span", "newscrawl.cli"))
        marks = [pytest.mark.process] if starts else []
        yield pytest.param((page, text), marks=marks, id=f"{page} {text.partition(chr(10))[0]}")


@pytest.mark.parametrize("example", list(python_examples()))
def test_python_examples_run(example: tuple[str, str], tmp_path: Path) -> None:
    """Tests that an example defines are run as pytest would."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(example[1], example[0], "exec"), names)
    for name, value in names.items():
        if name.startswith("test_"):
            value(tmp_path)


@pytest.mark.parametrize("words", [c for c in commands("sh") if c[0] == "newscrawl"], ids=" ".join)
def test_newscrawl_commands_in_the_docs_have_their_options(words: list[str]) -> None:
    check_command(words[1:])


def test_scrapy_crawl_in_the_docs_names_sites_that_exist() -> None:
    spiders = {path.stem for path in (ROOT / "spiders").glob("*.py")}
    crawled = [words[2] for words in commands("sh") if words[:2] == ["scrapy", "crawl"]]
    assert crawled
    assert set(crawled) <= spiders | {"stories"}  # of how-to/own-scrapy-project.md, which tests/addon follows


def test_make_targets_in_the_docs_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in commands("sh"):
        if words[0] == "make":
            assert f"\n{words[1]}:" in makefile


def test_every_setting_in_the_docs_exists() -> None:
    """The reference of the settings has them all (tests/docs/test_reference.py); it alone names retired ones."""
    named = {
        (page.name, name)
        for page in PAGES
        if page.name not in {"settings.md", "changelog.md"}
        for name in re.findall(r"`(NEWSCRAWL_[A-Z_]+)\b", page.read_text(encoding="utf-8"))
    }
    assert len(named) > 25
    known = {*CATALOGUE, *ENVIRONMENT_ONLY}
    assert sorted((page, name) for page, name in named if name not in known) == []


def test_every_chain_is_in_the_docs() -> None:
    text = (ROOT / "docs" / "how-to" / "extract-pages.md").read_text(encoding="utf-8")
    for name in known_names():
        assert f"`{name}`" in text


def test_the_readme_is_short_and_leads_to_every_part() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    for part in ("tutorial", "how-to", "reference", "explanation", "measurements"):
        assert f"](docs/{part}/" in text


def test_links_between_the_docs_lead_somewhere() -> None:
    for page in [*PAGES, CHANGELOG]:
        for target in links(page):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_links_to_headings_lead_somewhere() -> None:
    """A renamed heading breaks the links to it. `make docs` says so as well, where Sphinx is installed."""
    found = [(page, *link) for page in [*PAGES, CHANGELOG, ROOT / "CONTRIBUTING.md"] for link in heading_links(page)]
    assert len(found) > 15
    dead = [(page.name, target) for page, file, target in found if target not in anchors(page.parent / file)]
    assert dead == []


def test_the_changelog_has_a_section_for_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    sections = re.findall(r"^## \[(.+?)\]( - \S.*)?$", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    released = [(name, when) for name, when in sections if name != "Unreleased"]
    assert released[0][0] == version
    assert all(re.fullmatch(r" - (\d{4}-\d\d-\d\d|not released yet)", when) for _, when in released)


def test_anchors_are_those_of_the_site(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A page\n```sh\n# no heading\n```\n## The `step` of 2\n## Clock\n## Clock\n#### Too deep\n")
    assert anchors(page) == {"a-page", "the-step-of-2", "clock", "clock-1"}


def test_the_modules_that_the_docs_name_exist() -> None:
    rooms = ("newscrawl", "pipelines", "settings", "spiders", "benchmarks", "tests")
    paths = [f"/{path.relative_to(ROOT).as_posix()}" for room in rooms for path in (ROOT / room).rglob("*.py*")]
    named = {
        (page.name, module)
        for page in PAGES
        if page.name not in OF_OTHERS
        for module in re.findall(r"`([a-z_/]+\.pyx?)`", page.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    gone = [(page, module) for page, module in sorted(named) if not any(path.endswith(f"/{module}") for path in paths)]
    assert gone == []


def test_the_paths_that_contributing_names_exist() -> None:
    named = re.findall(
        r"`((?:[a-z_.]+/)+(?:[a-z_]+\.[a-z]+)?)(?: -[^`]*)?`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    )
    assert len(named) > 10
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_no_file_of_the_project_has_a_path_of_this_machine_or_an_address_of_a_package_index() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False).stdout.decode()
    names = [name for name in listed.split("\0") if name]
    # Put together here, so that this file names no host of a registry either.
    hosts = (rb"files\.python" + rb"hosted", rb"py" + rb"pi\.org/" + rb"simple")
    forbidden = re.compile(b"|".join((*hosts, rb"index-" + rb"url\s*=")))
    for name in names:
        path = ROOT / name
        if path.is_file() and path != Path(__file__):
            content = path.read_bytes()
            assert not forbidden.search(content), name
            assert str(ROOT).encode() + b"/" not in content, name


without_relative_links = runpy.run_path(str(ROOT / "hatch_readme.py"))["without_relative_links"]
"""In the description of the package, every link and picture works on the page of a package index."""


def test_links_into_the_repository_are_written_out() -> None:
    written = without_relative_links(
        "![A](docs/a.svg)\n\nSee [the guide](docs/b.md), [c.md](c.md) and [s](https://x.org/).\n"
    )
    assert written == "See the guide (`docs/b.md`), `c.md` and [s](https://x.org/).\n"


def test_the_package_has_a_description_without_relative_links() -> None:
    metadata = ProjectMetadata(str(ROOT), PluginManager())
    assert metadata.core.readme_content_type == "text/markdown"
    assert metadata.core.readme.startswith("# newscrawl")
    assert re.findall(r"\]\((?!https?:)", metadata.core.readme) == []
