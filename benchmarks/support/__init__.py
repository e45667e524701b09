"""What several benchmarks share: their command line, other extractors, folds of sites."""
