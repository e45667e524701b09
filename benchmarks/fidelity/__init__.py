"""Compares our algorithms with the originals: `python -m benchmarks.fidelity.boilerpipe`, `.fidelity.justext`."""
