"""`newscrawl new`: writes a project."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from newscrawl.cli.common.words import counted
from newscrawl.discovery.onboarding.project import DEPLOY_FOLDER, NEW, checked, is_clone, make_project, named_after


@click.command(
    epilog="""\b
Examples:
  newscrawl new mynews
  cd mynews && scrapy crawl demo
  newscrawl new mynews --deploy          files for a server; DIR may be an existing project""",
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--deploy", is_flag=True, help="Also write files for systemd, cron and containers, into DIR/deploy.")
@click.option("--name", metavar="NAME", help="Name of the user and the service for --deploy; else DIR's.")
def command(folder: Path, *, deploy: bool, name: str | None) -> None:
    """Write a project into DIR: scrapy.cfg, settings, pipelines, and the spiders demo and generic.

    You need it if you installed newscrawl instead of cloning it. Existing files are not overwritten.

    --deploy writes a systemd unit, a cron table, settings, a command, a container file, a compose file and the steps to
    install them, with the project's name as user, in folders and in files. In a project that has such files, each one
    that this newscrawl would write differently is written beside it as FILE.new: compare them, for example with diff.
    """
    if name is not None and not deploy:
        raise click.UsageError("--name needs --deploy")
    deployed_as = (checked(name) if name is not None else named_after(folder)) if deploy else None
    written = make_project(folder, deployed_as)
    if deploy:
        for file in written:
            if file.suffix == NEW:
                click.echo(f"{file} differs from {file.stem}: compare them and take over what you need")
        click.echo(f"{folder / DEPLOY_FOLDER / 'README.md'} says how to install it as {deployed_as}")
    # A clone's own settings are found before a project's: see newscrawl.config.environment.check_project.
    path = f"export PYTHONPATH={shlex.quote(str(folder.resolve()))} && " if is_clone() else ""
    click.echo(f"wrote {counted(len(written), 'file')}: try `cd {shlex.quote(str(folder))} && {path}scrapy crawl demo`")
