"""Code that is written into notebooks, and runs there: it imports nothing of smoldesk."""
