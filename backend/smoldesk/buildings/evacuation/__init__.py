"""Evacuation of a building: the way from each room to its nearest exit, and how long the people take through the doors.

Read in this order: `exits` (where the building is left), `escape_routes` (one search from all exits), `occupancy` (how many
people are where), `flow` (queues at doors and stairs). Pure.
"""
