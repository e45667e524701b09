"""Trains the chain `best`: labels from gold texts, folds over sites, the two stages, the file of weights."""
