"""Page to Extraction: Boilerpipe, the tree filter, jusText, and the chains that try one after the other."""

from __future__ import annotations

from newscrawl.extraction.chain import Chain, Limits, Step, resolve, run_chain

__all__ = ["Chain", "Limits", "Step", "resolve", "run_chain"]
