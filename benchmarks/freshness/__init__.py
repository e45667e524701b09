"""Simulates how soon articles are found by our scheduler and at fixed intervals, on a virtual clock.

__main__    `python -m benchmarks.freshness`: options and tables
world       the sites of a fleet, from a seed
run         one policy over one fleet
edits       edits of articles, and sources that announce them
measure     our scheduler and fixed intervals over several fleets
report      tables and goals
"""
