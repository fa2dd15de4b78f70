"""Code of the child that simulates a crowd; it imports only relative modules and libraries."""
