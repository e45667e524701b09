"""Measuring extraction: reading corpora with gold texts, and scoring texts against them.

Nothing a crawl runs imports this room; it reads files and has no place in the pipeline.
"""
