"""Measurements of this project. They run in a checkout and are not part of the wheel.

Each module here is one command: `python -m benchmarks.NAME --help`. A package has its command in `__main__`, or several
commands on one subject, which its docstring names. What several of them share is in `support`. What tests need as well
is in tests/support, whose modules are imported by their bare names, and what the users' commands `newscrawl bench
quality` and `newscrawl bench speed` need is in newscrawl.bench. `floors.json` holds the figures that `check` and
`newscrawl bench quality --check` compare with.

tests/benchmarks imports this package, no other test and no module of newscrawl does.
"""

import sys
from pathlib import Path

# pytest has the folder on its path as well (pyproject.toml).
sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))
