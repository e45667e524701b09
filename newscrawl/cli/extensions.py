"""`newscrawl extensions`: lists extractors, chains, sinks and verdict rules of packages and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import click

from newscrawl.cli.common.show import Column, show
from newscrawl.config.catalogue import Config
from newscrawl.config.extensions import CHAINS, EXTRACTORS, SINKS, VERDICT_RULES, Extension, declared
from newscrawl.config.project import written_settings
from newscrawl.config.reading import config_of
from newscrawl.errors import UsageError
from newscrawl.extraction.article.verdict_rules import load_rules
from newscrawl.extraction.chain import resolve
from newscrawl.extraction.registry import OwnExtractors, check_own, installed_chains, installed_extractors
from newscrawl.publishing.feed.registry import extension_of, installed_sinks

Check = Callable[[], object]
"""Loads an extension; raises UsageError for one that cannot be used."""

COLUMNS: Final = (
    Column("kind", lambda extension: extension.kind.noun, fold=True),
    Column("name", fold=True),
    Column("from", lambda extension: extension.origin, fold=True),
    Column("path", fold=True),
)
NOTHING: Final = "no extensions: no installed package declares one, and no setting names one"


@click.command(
    epilog="""\b
Examples:
  newscrawl extensions""",
)
def command() -> None:
    """List the extensions of installed packages and of the settings, and test whether each can be loaded.

    The exit code is 1 if one of them cannot be used.
    """
    found, problems = list[Extension](), dict[str, None]()
    for extension, check in _checks(config_of(written_settings())):
        found.append(extension)
        try:
            check()
        except UsageError as error:
            problems[str(error)] = None
    show(found, COLUMNS, empty=NOTHING)
    for problem in problems:
        click.echo(f"newscrawl: {problem}", err=True)
    if problems:
        raise SystemExit(1)


def _checks(config: Config) -> Iterator[tuple[Extension, Check]]:
    """Every extension with what loads it alone, so that one with a problem hides no other."""
    wanted, sinks = config.extraction, config.feed.sinks
    for name, path in wanted.extractors.items():
        yield Extension(EXTRACTORS, name, str(path)), partial(check_own, {name: path})
    for name, steps in wanted.chains.items():
        chain = Extension(CHAINS, name, ", ".join(map(str, steps)) if isinstance(steps, list | tuple) else str(steps))
        yield chain, partial(resolve, name, {name: steps}, extractors=wanted.extractors)
    for name, path in sinks.items():
        yield Extension(SINKS, name, str(path)), partial(_load_sink, name, {name: path})
    for path in wanted.verdict_rules:
        if ":" in path:
            yield Extension(VERDICT_RULES, path.rpartition(":")[2], path), partial(load_rules, [path])
    for extractor in declared(EXTRACTORS):
        yield extractor, partial(_load_extractor, extractor.name)
    for chain in declared(CHAINS):
        yield chain, partial(_load_chain, chain.name, wanted.extractors)
    for sink in declared(SINKS):
        yield sink, partial(_load_sink, sink.name, {})
    for rule in declared(VERDICT_RULES):
        yield rule, partial(load_rules, [rule.name])


def _load_extractor(name: str) -> None:
    installed_extractors()  # its name may be a built-in one's
    resolve(name)


def _load_chain(name: str, extractors: OwnExtractors) -> None:
    installed_chains()
    resolve(name, extractors=extractors)


def _load_sink(name: str, own: dict[str, object]) -> None:
    installed_sinks()
    extension = extension_of(name, own)
    if extension is not None:
        extension.load_callable("place")
