"""The built-in analyst: an offline smolagents Model that turns English or Japanese into Python.

A small semantic parser, no neural net and no stored answers. Read in this order: `model` (what
smolagents calls), `read` (request to intent), `intents`, `write` (intent to code); `glossary` and
`cues` hold the words it knows. Errands (payments, location, BGM, weather) have their own path: `read_errands`,
`write_errands`.
"""
