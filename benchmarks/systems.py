"""The systems that are measured: see newscrawl/bench/systems.py, which ships with the package."""

from newscrawl.bench.systems import Case, System, own_names, peer_names, system

__all__ = ["Case", "System", "own_names", "peer_names", "system"]
