"""Errands: payments, the weather, music, the person's place, and what other agents are asked."""
