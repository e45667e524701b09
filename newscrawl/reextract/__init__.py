"""The archive through another chain or version: what would change, shown first and then stored."""
