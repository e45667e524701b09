"""Processes killed with SIGKILL, and what is lost: `python -m benchmarks.kill`, `.kill.stories`."""
