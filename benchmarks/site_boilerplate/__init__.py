"""What leaving out the boilerplate of sites gains, as more of a site's pages are known."""
