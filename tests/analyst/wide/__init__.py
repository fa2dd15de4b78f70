"""Further sets: many small tables, asked about by authors who knew only the form of the outside questions."""
