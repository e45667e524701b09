"""`newscrawl add-site` with local sites and with sites made of corpora: `python -m benchmarks.onboarding`."""
