"""Our algorithms beside the originals: `python -m benchmarks.fidelity.boilerpipe`, `.fidelity.justext`."""
