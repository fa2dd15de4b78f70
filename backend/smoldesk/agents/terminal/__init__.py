"""Command-line programs as agents: a program under a terminal of its own, behind the same `Agent.run`.

`terminal_profiles` describe how a program is driven, `program` runs one, `pool` keeps one per chat and agent. Output is
read twice: `transcript` turns it into clean text, `screen` renders it, to detect prompts.
"""
