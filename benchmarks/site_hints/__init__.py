"""What one hint mends on sites of the corpora that have a known fault.

In here: `hints.toml` names the sites, their hints and their faults; `measure` scores their pages with and without
hints; `__main__` prints the table of which docs/measurements/quality.md has the sums. Start with `measure`.
"""
