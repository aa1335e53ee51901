"""Explanations of random labelled systems beside an oracle in plain Python; see bench/random_explanations.py."""
