"""The name that declarations import from here, as `newscrawl add-site` wrote them."""

from newscrawl.model.identity import registrable_domain

__all__ = ["registrable_domain"]
