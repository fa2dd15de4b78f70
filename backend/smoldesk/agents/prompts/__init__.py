"""Texts of the desk's own prompts, in `prompts.toml`; agents/wrapper/prompt.py puts them together."""
