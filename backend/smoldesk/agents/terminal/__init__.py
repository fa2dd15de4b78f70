"""Command-line programs as agents: a program under a terminal of its own, behind the same `Agent.run`.

`profiles` says how a program is driven, `program` runs one, `pool` keeps one per chat and agent. What it writes is
read twice: `transcript` makes clean text of it, `screen` renders it, for finding out whether it waits for an answer.
"""
