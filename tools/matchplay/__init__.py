"""Matches between UCI engines: what `tools/ladder.py` is made of."""
