"""Plain HTTP under /api: routes.py has the routes of chats, and adds those of its neighbours (..._routes.py)."""
