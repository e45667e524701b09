"""Help that lists the extensions of installed packages. They are searched only when the help is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import click

from newscrawl.extensions import CHAINS, EXTRACTORS, SINKS, ExtensionType, declared


class _Command(click.Command):
    """A command whose help ends with the extensions of installed packages, if there are any."""

    kinds: ClassVar[Sequence[ExtensionType]] = ()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        for kind in self.kinds:
            found = declared(kind)
            if found:
                names = ", ".join(f"{extension.name} ({extension.package})" for extension in found)
                formatter.write_paragraph()
                formatter.write_text(f"{kind.noun.capitalize()}s of installed packages: {names}.")


class ChainsCommand(_Command):
    """A command that takes the name of a chain."""

    kinds = (EXTRACTORS, CHAINS)


class SinksCommand(_Command):
    """A command that takes the name of a sink."""

    kinds = (SINKS,)
