"""Pushing the change feed to who wants it: a file, a webhook, a search server."""
