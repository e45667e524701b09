"""`newscrawl doctor`: checks the settings, the machine and the network before a crawl, and says what to do."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from newscrawl.cli.common.show import print_json
from newscrawl.cli.common.words import say
from newscrawl.errors import UsageError
from newscrawl.model.identity.masking import masked
from newscrawl.model.wording import counted
from newscrawl.monitoring.doctor.checks import Finding, findings

if TYPE_CHECKING:
    from scrapy.settings import Settings


@click.command(
    epilog="""\b
Examples:
  newscrawl doctor
  newscrawl doctor --offline             without requests to sites and receivers of alarms
  newscrawl doctor --send-test-alarm     one alarm through webhook and mail
  newscrawl doctor --json | jq '.checks[] | select(.state == "to do")'""",
)
@click.option("--offline", is_flag=True, help="Make no request to a site, webhook or mail server.")
@click.option("--send-test-alarm", is_flag=True, help="Send a test alarm to the webhook and by mail.")
@click.option("--json", "as_json", is_flag=True, help="Print all findings as a JSON object.")
def command(*, offline: bool, send_test_alarm: bool, as_json: bool) -> None:
    """Check what a crawl needs. Each check prints one line: ok, or what to do.

    The checks are the settings, the database (version, tables, a write that is undone, disk, statistics, clock), the
    archive, a sample of the captures in it, the contact, the memory, the declarations of sites, the webhook and the
    mail server of alarms (a connection and a greeting), and robots.txt of two declared sites, which is requested by the
    rules of a crawl. Each check has a deadline. Exit code 1 if a check found a problem.
    """
    if offline and send_test_alarm:
        raise UsageError("options --offline and --send-test-alarm: give one of them")
    found = list(findings(os.environ, _settings, offline=offline, send=send_test_alarm))
    waiting = [finding for finding in found if finding.state == "to do"]
    if as_json:
        print_json({"ok": not waiting, "checks": list(map(_as_object, found))}, ascii_only=True)
    else:
        width = max(len(finding.check) for finding in found)
        for finding in found:
            say(f"{finding.check:{width}}  {finding.state:7}  {_shown(finding)}")
        say("all ok" if not waiting else f"{counted(len(waiting), 'thing')} to do")
    raise SystemExit(1 if waiting else 0)


def _settings() -> Settings:
    from newscrawl.cli.common.project import required_settings  # reads settings when it is imported

    return required_settings()


def _shown(finding: Finding) -> str:
    return f"{finding.text}; {finding.advice}" if finding.advice else finding.text


def _as_object(finding: Finding) -> dict[str, str]:
    return {name: masked(value) for name, value in asdict(finding).items()}
