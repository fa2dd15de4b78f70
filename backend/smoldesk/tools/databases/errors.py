"""How a database says no, before it is put into words for a model. Neither text ever holds a password."""


class QueryFailed(Exception):
    """The database answered, and refused or broke off the query; the message is its own words."""


class Unreachable(Exception):
    """There was no database to ask."""
