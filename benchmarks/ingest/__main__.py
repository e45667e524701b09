"""What an ingest costs: pages a second on one core and on all, in turns, and memory as it goes on.

    python -m benchmarks.ingest ../shared/corpora/naeb --pages 2000
    python -m benchmarks.ingest CORPUS CORPUS... --pages 4000 --trafilatura --markdown FILE
    python -m benchmarks.ingest CORPUS... --pages 20000 --memory docs/measurements/ingest-memory.svg

A WARC file is made of the corpora's pages in turns, again and again under other addresses and with other words in their
texts, so that every one is an article of its own. With --trafilatura the same pages are also written as HTML files, and
its command line reads those on the same cores.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import click

from benchmarks.ingest.runs import Run, ingest, mixed, trafilatura, write_folder, write_warc
from benchmarks.support import common
from benchmarks.support.plot import lines as line_plot
from newscrawl.bench.documents import command_line, replace_section


def table(pages: int, runs: dict[str, list[Run]]) -> str:
    """Markdown: medians over the rounds, with the least and the greatest."""
    lines = ["| run | pages/s (range) | memory, MB, at 10 % and at the end |", "|---|--:|--:|"]
    for name, of_name in runs.items():
        rates = sorted(pages / run.seconds for run in of_name)
        last = of_name[-1]
        tenth = last.memory_at(pages // 10) if last.memory[-1][0] else last.memory[len(last.memory) // 10][1] / 2**20
        end = max(size for _, size in last.memory[-5:]) / 2**20
        lines.append(f"| {name} | {median(rates):.0f} ({rates[0]:.0f}-{rates[-1]:.0f}) | {tenth:.0f}, {end:.0f} |")
    return "\n".join(lines)


def ratio(of: Sequence[Run], to: Sequence[Run]) -> float:
    """How many times as fast the first are, round by round."""
    return median(slow.seconds / quick.seconds for quick, slow in zip(of, to, strict=True))


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pages", default=2000, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--largest", default=0, help="Leave out pages with more bytes (0: no limit).")
@click.option("--trafilatura", "beside", is_flag=True, help="Also measure its command line on the same pages as files.")
@click.option(
    "--memory",
    "plot",
    type=click.Path(path_type=Path),
    help="Make one run on all cores and write a plot of memory by pages to this file.",
)
@click.option(
    "--markdown", type=click.Path(path_type=Path), help="Write the table into the section `ingest` of this document."
)
@common.json_option
def main(
    corpora: Sequence[Path],
    pages: int,
    rounds: int,
    largest: int,
    beside: bool,
    plot: Path | None,
    markdown: Path | None,
    json_path: Path | None,
) -> None:
    """Measure ingests of PAGES pages made from corpora, on one core and on all, in turns.

    Example: python -m benchmarks.ingest ../shared/corpora/naeb --pages 2000
    """
    cores = sorted(os.sched_getaffinity(0))
    counts = [len(cores)] if plot else sorted({1, len(cores)})
    runs: dict[str, list[Run]] = {}
    with tempfile.TemporaryDirectory(prefix="newscrawl-ingest-") as made_in:
        folder = Path(made_in)
        mix = mixed(corpora, largest)
        write_warc(folder / "pages.warc.gz", mix, pages)
        if beside:
            write_folder(folder / "pages", mix, pages)
        for turn in range(rounds):
            for count in counts:
                run = ingest(folder / "pages.warc.gz", folder / f"{turn}-{count}.db", cores[:count])
                runs.setdefault(f"ingest, {count} core{'s' * (count > 1)}", []).append(run)
            if beside:
                run = trafilatura(folder / "pages", folder / f"out-{turn}", cores)
                runs.setdefault(f"trafilatura's command line, {len(cores)} cores", []).append(run)
    content = table(pages, runs)
    names = list(runs)
    if not plot and len(counts) > 1:
        content += f"\n\n{len(cores)} cores are {ratio(runs[names[1]], runs[names[0]]):.2f} times as fast as one."
    if beside:
        content += f" On {len(cores)} cores, ingest is {ratio(runs[names[-2]], runs[names[-1]]):.2f} times as fast as "
        content += "trafilatura's command line."
    click.echo(content)
    if plot:
        series = [(stored, size / 2**20) for stored, size in runs[names[0]][-1].memory if stored]
        plot.write_text(line_plot({"all processes": series}, "pages stored", "memory, MB"), encoding="utf-8")
    if json_path:
        found = {name: {"pages": pages, "seconds": [run.seconds for run in of_name]} for name, of_name in runs.items()}
        json_path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if markdown:
        replace_section(markdown, "ingest", content, command_line("python -m benchmarks.ingest"))


if __name__ == "__main__":
    main()
