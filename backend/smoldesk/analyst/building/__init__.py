"""Questions about the building and drawings on its map: rooms, ways, figures painted on rooms."""
