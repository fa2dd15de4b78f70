"""Questions about the building and drawings on its map: rooms, routes, figures painted on rooms."""
