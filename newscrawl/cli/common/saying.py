"""Output for people, with secrets in addresses masked. JSON, exports and files have complete addresses."""

from __future__ import annotations

from typing import Final

import click

from newscrawl.identity.masking import MASK, masked

_NOTED: Final = "newscrawl.masked"


def say(text: str = "", *, err: bool = False) -> None:
    """Prints one or more lines, masked."""
    click.echo(to_show(text), err=err)


def to_show(text: str) -> str:
    """Returns the text, masked. If something was masked, the command says so at its end, because such an address cannot
    be given to another command."""
    shown = masked(text)
    context = click.get_current_context(silent=True)
    if shown != text and context is not None and not context.meta.get(_NOTED):
        context.meta[_NOTED] = True
        whole = "; --json shows it complete" if any(each.name == "as_json" for each in context.command.params) else ""
        note = f"newscrawl: {MASK} replaces possible secrets in an address{whole}"
        context.call_on_close(lambda: click.echo(note, err=True))
    return shown
