"""One module a revision, oldest first: rNNNN_what_it_does."""
