"""The built-in analyst: an offline smolagents Model that reads a small language of English and Japanese and writes Python.

A request becomes units (`units`), units become mentions (`mentions`, from `lexicon` and `schema`), mentions become candidate
queries (`assemble`), a linear scorer chooses among them (`score`), and the chosen query becomes code (`write`).
"""
