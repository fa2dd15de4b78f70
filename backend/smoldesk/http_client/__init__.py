"""Requests to others: `outgoing` sends them, `address_checks` says where they may go and imports no HTTP library."""
