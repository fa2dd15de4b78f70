"""Mentions become the parts of a question (a draft): conditions, groups, ranks, what is to be computed."""
