"""`newscrawl new`: writes a project."""

from __future__ import annotations

from pathlib import Path

import click

from newscrawl.onboarding.project import is_clone, make_project


@click.command(
    name="new",
    short_help="Write a new project into a folder.",
    epilog="""\b
Examples:
  newscrawl new mynews
  cd mynews && scrapy crawl demo""",
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write a project into DIR: scrapy.cfg, settings, pipelines, and the spiders demo and generic.

    You need it if you installed newscrawl instead of cloning it. Existing files are not overwritten.
    """
    written = make_project(folder)
    click.echo(f"wrote {len(written)} files: try `cd {folder} && scrapy crawl demo`")
    if is_clone():
        click.echo(
            "newscrawl runs from a clone here. Its settings and spiders are used first, unless you run "
            f"`export PYTHONPATH={folder.resolve()}`"
        )
