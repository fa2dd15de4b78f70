"""Errands: payments, weather, music, the person's location, and questions to other agents."""
