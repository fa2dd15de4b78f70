"""Faults of a running desk: what a client is told, and how work continues. `make faults` prints them as a table."""
