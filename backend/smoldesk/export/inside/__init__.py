"""Code that is written into notebooks and runs there, without smoldesk."""
