"""Generated tables inside hand-written documents: see newscrawl/bench/document.py."""

from newscrawl.bench.document import command_line, replace_section

__all__ = ["command", "replace_section"]


def command(module: str) -> str:
    """The command line of this run of a benchmark, without options that name a path of this machine."""
    return command_line(f"python -m benchmarks.{module}")
