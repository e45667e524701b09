"""What each group of compiled functions saves of a page: all CPU time of a page with it, and with its references in its
place.

    python -m benchmarks.kernels ../shared/corpora/naeb.tar.xz ../shared/corpora/misinfo_crawler.tar.xz --rounds 7
    python -m benchmarks.kernels ../shared/corpora/naeb.tar.xz --without fold,casefold   # these two, and no group

One process stands by for each group, which alone it leaves out, and one that leaves out none. In every round each of
them reads all pages once in each way, one process after the other, so that a slow moment of the machine hits all alike.
The figure is the median over the rounds of the process's CPU time divided by that of the process that leaves out none.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any, Final

import click

from newscrawl import compiled  # nothing else: a child leaves functions out before it imports what chooses them

GROUPS: Final = {
    "tree": "newscrawl.page._tree",
    "bytes": "without_scripts,is_utf8,first_end",
    "words": "all_words,take_columns,classes_by_words,stretches,first_shown,holding_any,fold,casefold,first_word",
    "names": "name_test,name_search,inside_test,paragraphs",
}
"""The functions of each group. The walk is left out as a whole."""
NOTHING: Final = "nothing"
WAYS: Final = ("classic", "best", "everything")
"""The text by the chain `classic`, by `best`, and with `classic` all that a crawl stores of a page."""


@dataclass(frozen=True, slots=True)
class Child:
    """A process that reads the pages without some of the compiled functions."""

    without: str
    process: subprocess.Popen[str]

    def ask(self) -> dict[str, float]:
        """CPU seconds of all pages in each way."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        answer: dict[str, float] = json.loads(self.process.stdout.readline())
        return answer


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(min=1), default=20, show_default=True, help="Pages of each corpus.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--without", multiple=True, metavar="NAME,NAME", help="Leave out these functions; may be repeated.")
@click.option("--child", hidden=True)
def main(corpora: Sequence[Path], pages: int, rounds: int, without: Sequence[str], child: str | None) -> None:
    if child is not None:
        _serve(corpora, pages, child)
        return
    from newscrawl.bench.parallel import with_progress

    left_out = {NOTHING: NOTHING} | ({names: names for names in without} or GROUPS)
    with ExitStack() as running:
        children = [running.enter_context(_started(corpora, pages, functions)) for functions in left_out.values()]
        for each in children:
            each.ask()  # imports, caches and models
        found = [[each.ask() for each in children] for _ in with_progress(range(rounds), rounds, "rounds")]
    click.echo(table(list(left_out), found))


def table(names: Sequence[str], rounds: Sequence[Sequence[dict[str, float]]]) -> str:
    """What leaving out each of `names` costs in per cent; of each round a row of CPU seconds by way, in that order. The
    first is the one that leaves out nothing."""
    lines = [f"| without | {' | '.join(f'{way}, %' for way in WAYS)} |", f"|---{'|---:' * len(WAYS)}|"]
    for number, name in enumerate(names[1:], 1):
        shares = [median(100 * (row[number][way] / row[0][way] - 1) for row in rounds) for way in WAYS]
        lines.append(f"| {name} | {' | '.join(f'{share:+.1f}' for share in shares)} |")
    return "\n".join(lines)


def leave_out(names: Sequence[str]) -> None:
    """Have references take the place of these compiled functions in all that is imported from now on."""
    choose, load = compiled.choose, compiled.load

    def chosen(module: str, name: str, reference: Any) -> Any:
        return reference if name in names else choose(module, name, reference)

    def loaded(name: str, check: Callable[[ModuleType], str | None] = lambda _: None) -> compiled.Core:
        return compiled.Core(None, "left out") if name in names else load(name, check)

    compiled.choose, compiled.load = chosen, loaded


def _ways() -> dict[str, Callable[[bytes], object]]:
    """What is measured, by name. Imports the extractors, and with them chooses the functions."""
    from newscrawl.extraction.article.extracted import extract

    def everything(body: bytes) -> object:
        found = extract(body)
        return found.text, found.metadata, found.verdict, found.language, found.content_hash

    return {
        "classic": lambda body: extract(body, chain="classic").text,
        "best": lambda body: extract(body, chain="best").text,
        "everything": everything,
    }


def _serve(corpora: Sequence[Path], pages: int, without: str) -> None:
    """A child's life: for each line that comes in, one round, whose CPU seconds go out."""
    leave_out(() if without == NOTHING else without.split(","))
    ways = _ways()
    from newscrawl.bench.corpora import read_corpus

    bodies = [page.body() for path in corpora for page in read_corpus(path, limit=pages).pages]
    for _ in sys.stdin:
        seconds = {}
        for name, way in ways.items():
            start = time.process_time()
            for body in bodies:
                way(body)
            seconds[name] = time.process_time() - start
        print(json.dumps(seconds), flush=True)


@contextmanager
def _started(corpora: Sequence[Path], pages: int, without: str) -> Iterator[Child]:
    command = [
        sys.executable,
        "-m",
        "benchmarks.kernels",
        *map(str, corpora),
        "--pages",
        str(pages),
        "--child",
        without,
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Child(without, process)
        assert process.stdin is not None
        process.stdin.close()


if __name__ == "__main__":
    main()
