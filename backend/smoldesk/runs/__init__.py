"""Runs of agents: see runs.py for what wires call."""

from smoldesk.runs.runs import Agents, Runs

__all__ = ["Agents", "Runs"]
