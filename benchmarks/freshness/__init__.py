"""Simulates how soon articles are found by our scheduler and by policies of other projects, on a virtual clock.

__main__    `python -m benchmarks.freshness`: options, tables and plots
world       the sites of a fleet, from a seed
run         one policy over one fleet
policies    ours and those of other crawlers
edits, announced
            edits of articles, and sources that announce them
measure     all policies over several fleets
report      tables, plots and goals
"""
