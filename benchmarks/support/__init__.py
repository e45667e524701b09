"""What several benchmarks share: their command line and their plots."""
