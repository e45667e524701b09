"""F1 without the boilerplate of sites, by the number of pages that were seen before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.site_boilerplate import memory_report
from newscrawl.cli.main import main
from newscrawl.errors import UsageError

APPEAL = "Our readers pay for this paper: a subscription costs four crowns a month and can be ended on any day."


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus: ten pages of one site, each with the same line below another story."""
    folder = tmp_path_factory.mktemp("corpora") / "town"
    (folder / "pages").mkdir(parents=True)
    rows = []
    for number in range(10):
        story = [
            f"The council of town {number} spoke on day {part} about bridge {number * 10 + part} that people had asked "
            "for since May, and then it voted on the plan of the mayor, which would cost less than a road."
            for part in range(4)
        ]
        page = "".join(f"<p>{line}</p>" for line in [*story, APPEAL])
        html = f"<title>Bridge {number}</title><article><h1>Bridge {number}</h1>{page}</article>"
        (folder / "pages" / f"p{number}.html").write_text(html, encoding="utf-8")
        rows.append({"id": f"p{number}", "text": "\n\n".join(story), "lang": "en", "domain": "town.example"})
    (folder / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder.parent


def test_a_repeated_line_costs_less_the_more_pages_of_the_site_were_seen(corpora: Path) -> None:
    report = memory_report([read_corpus(corpora / "town")], ["classic"], 1)
    rows = [line.strip("| ").split(" | ") for line in report.splitlines() if line.startswith("| town")]
    by_name = {name: (int(number), float(before), float(after)) for name, number, before, after, _ in rows}
    assert [number for number, _, _ in by_name.values()] == [10, 4, 4, 2]
    assert by_name["town, 0 to 3 pages seen"][1] == by_name["town, 0 to 3 pages seen"][2]
    assert by_name["town, 8 to 15 pages seen"][1] < by_name["town, 8 to 15 pages seen"][2] == 1.0
    assert "The largest epoch has 12 bytes." in report


def test_corpora_without_a_site_with_enough_pages_are_refused(corpora: Path) -> None:
    with pytest.raises(UsageError, match="no site of these corpora has 8 pages"):
        memory_report([read_corpus(corpora / "town", limit=5)], ["classic"], 1)


def test_the_command_prints_the_tables_and_takes_no_other_outputs(corpora: Path) -> None:
    words = ["bench", "quality", "--corpora", str(corpora), "--memory", "--jobs", "1"]
    done = CliRunner().invoke(main, [*words, "--chains", "classic"], prog_name="newscrawl")
    assert done.exit_code == 0, done.output
    assert "| town, 8 to 15 pages seen | 2 |" in done.stdout
    refused = CliRunner().invoke(main, [*words, "--check"], prog_name="newscrawl")
    assert refused.exit_code == 2
    assert "--memory takes only corpora" in refused.stderr
