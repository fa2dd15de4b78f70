"""Built-in analyst: an offline smolagents Model that reads a subset of English and Japanese and writes Python.

A request becomes units (`units`), units become mentions (`mentions`, from `lexicon` and `schema`), mentions become
candidate queries (`assemble`), a linear scorer ranks these (`score`), and the best query becomes code (`write`).
"""
