"""`newscrawl add-site` against replicas and sites of corpora: `python -m benchmarks.onboarding`."""
