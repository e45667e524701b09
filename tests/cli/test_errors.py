"""An error of a command is one clear line and an exit code, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click import Context, Group
from patience import PATIENCE

from newscrawl.cli.main import COMMANDS, main

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The error, which must be a single line."""
    assert "Traceback" not in done.stderr + done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.parametrize(
    ("command", "environment", "code", "words"),
    [
        ("scrapy crawl nosuchsite", {}, 2, "unknown site 'nosuchsite': choose one of"),
        ("scrapy crawl demo -a max_articles=many", {}, 2, "give a whole number"),
        ("scrapy crawl demo -a since=yesterday", {}, 2, "give a date like"),
        ("scrapy crawl demo -a since=2999-01-01", {}, 2, "that is in the future"),
        ("scrapy crawl demo -a colour=red", {}, 2, "unknown argument colour"),
        ("scrapy crawl generic", {}, 2, "url"),
        ("scrapy crawl demo", {"NEWSCRAWL_CHAIN": "nonsense"}, 2, "unknown chain 'nonsense': choose one of"),
        ("scrapy crawl demo", {"NEWSCRAWL_CHAINS": '{"a": ["b"]}', "NEWSCRAWL_CHAIN": "a"}, 2, "'b' is no extractor"),
        ("scrapy crawl demo", {"NEWSCRAWL_MIN_WORDS": "-1"}, 2, "NEWSCRAWL_MIN_WORDS"),
        (
            "scrapy crawl demo",
            {"NEWSCRAWL_LOG_FORMAT": "xml"},
            2,
            "NEWSCRAWL_LOG_FORMAT: 'xml' cannot be used: give text",
        ),
        ("scrapy crawl demo", {"NEWSCRAWL_EXTRACT_WORKERS": "two"}, 2, "NEWSCRAWL_EXTRACT_WORKERS"),
        ("scrapy crawl demo", {"NEWSCRAWL_ALLOWED_ADDRESSES": "localhost"}, 2, "NEWSCRAWL_ALLOWED_ADDRESSES"),
        ("scrapy crawl demo", {"NEWSCRAWL_DATABASE_URL": "sqlite:////proc/none/news.db"}, 2, "database"),
        ("scrapy crawl demo", {"NEWSCRAWL_DATABASE_URL": "nonsense"}, 2, "database"),
        ("scrapy crawl demo", {"NEWSCRAWL_DATABASE_URL": "postgresql://u:secret@127.0.0.1:1/x"}, 75, "database"),
        ("newscrawl status", {"NEWSCRAWL_DATABASE_URL": "sqlite:////proc/none/news.db"}, 2, "database"),
        ("newscrawl status", {"NEWSCRAWL_BATCH_SIZE": "0"}, 2, "setting NEWSCRAWL_BATCH_SIZE: 0 cannot be used"),
        ("scrapy crawl elpais", {"NEWSCRAWL_CONTACT": ""}, 2, "elpais crawls elpais.com: set an address or URL"),
        (
            "scrapy crawl demo",
            {"SCRAPY_PROJECT": "prodution"},
            2,
            "SCRAPY_PROJECT is 'prodution': is production meant?",
        ),
        ("newscrawl status", {"SCRAPY_PROJECT": "nosuch"}, 2, "SCRAPY_PROJECT is 'nosuch': scrapy.cfg has default"),
        ("newscrawl status", {"SCRAPY_SETTINGS_MODULE": "nosuch.base"}, 2, "no settings module 'nosuch.base'"),
        ("newscrawl extract http://127.0.0.1:9/", {}, 1, "not a public address"),
        ("newscrawl extract http://nosuch.invalid/", {}, 1, "cannot fetch http://nosuch.invalid/"),
        ("newscrawl why https://example.org/", {}, 2, "no database at"),
        ("newscrawl export", {}, 2, "no database at"),
    ],
)
def test_mistakes_cost_one_line(run: Run, command: str, environment: dict[str, str], code: int, words: str) -> None:
    done = run(*command.split(), **environment)
    line = one_line(done)
    assert words in line
    assert "secret" not in line
    assert done.returncode == code


def test_a_crawl_that_does_not_start_leaves_no_event_loop_unclosed(tmp_path: Path) -> None:
    shown = {"PYTHONWARNINGS": "always::ResourceWarning:asyncio.base_events"}
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "nosuch"],
        cwd=ROOT,
        env={**os.environ, "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db", **shown},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert "unknown site 'nosuch'" in one_line(done)


def test_outside_of_a_project_commands_that_need_a_database_say_so(run: Run, tmp_path: Path) -> None:
    for command in ("status", "export", "sites"):
        done = run("newscrawl", command, cwd=tmp_path)
        assert done.returncode == 2
        assert "no scrapy.cfg" in one_line(done)
        assert ("or name the database with --database URL" in done.stderr) == (command in {"status", "export"})


def test_outside_of_a_project_feed_names_its_option_and_reextract_says_what_it_needs(run: Run, tmp_path: Path) -> None:
    assert "--database URL" in one_line(run("newscrawl", "feed", "jsonl:-", cwd=tmp_path))
    assert "needs a project, also if NEWSCRAWL_DATABASE_URL is set" in one_line(
        run("newscrawl", "reextract", cwd=tmp_path)
    )


def test_every_command_is_told_in_a_line_of_the_help() -> None:
    groups = [main, *(one for name in COMMANDS if isinstance(one := main.get_command(Context(main), name), Group))]
    for group in groups:
        for name in group.list_commands(Context(group)):
            command = group.get_command(Context(group), name)
            assert command is not None
            if command.hidden:  # an old name, which says the new one
                continue
            assert command.short_help, name
            assert len(command.short_help) <= 60, name
            assert "Example" in (command.epilog or ""), name
            assert "\\b" not in command.get_help(Context(command, **main.context_settings)), name  # no backslash and b


@pytest.mark.parametrize(
    "command",
    ["extract {}", "extract . -o {}", "backup {}", "ingest {}", "new {}", "export --database sqlite:///{}"],
)
def test_a_name_that_no_file_can_have_costs_one_line(run: Run, command: str) -> None:
    done = run("newscrawl", *command.format("a" * 300).split())
    assert ": file name too long" in one_line(done)
    assert done.returncode == 2


def test_unknown_commands_and_options_are_bad_usage(run: Run) -> None:
    wrong = {
        "nosuch": "no such command 'nosuch'; `newscrawl --help` explains it",
        "staus": "no such command 'staus'; is status meant? `newscrawl --help` explains it",
        "--nosuch": "no such option '--nosuch'; `newscrawl --help` explains it",
        "status --nosuch": "no such option '--nosuch'; `newscrawl status --help` explains it",
        "extract": "missing argument 'FILE|FOLDER|URL|-...'; `newscrawl extract --help` explains it",
        "export --format xml": "invalid value for '--format': 'xml' is not one of 'jsonl', 'csv', 'parquet'; "
        "`newscrawl export --help` explains it",
    }
    for command, problem in wrong.items():
        done = run("newscrawl", *command.split())
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"newscrawl: {problem}\n")


def test_an_argument_that_an_error_quotes_shows_no_secret(run: Run) -> None:
    done = run("newscrawl", "feed", "https://someone:hidden1@hook.example/?token=hidden2")  # without webhook: before it
    assert done.returncode == 2
    assert "https://***@hook.example/?token=***" in done.stderr
    assert "hidden" not in done.stderr
