"""Trains and measures the model of confidence (newscrawl.extraction.confidence)."""
