"""How Japanese says things that the grammar says otherwise: requests rewritten before they are read."""
