"""HTTP API under /api: routes.py has the routes of chats and adds those of the other modules (..._routes.py)."""
