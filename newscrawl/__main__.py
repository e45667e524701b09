"""`python -m newscrawl`: the command `newscrawl` where its script is not in the path."""

from __future__ import annotations

from newscrawl.cli.main import main

main(prog_name="newscrawl")
