"""How the desk's pictures are drawn: a sheet in plan units, furniture, the three floors, the icons."""
