"""The command `newscrawl`: one module a command."""

from __future__ import annotations

from newscrawl.cli.main import main

__all__ = ["main"]
