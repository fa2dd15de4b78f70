"""The desk without a server: agents, runs, conversations and their store, built from settings."""

from smoldesk.desk.desk import Desk, build_desk
from smoldesk.desk.from_settings import (
    access_of,
    check_isolation,
    conversations_over,
    is_private,
    served_with,
)

__all__ = [
    "Desk",
    "access_of",
    "build_desk",
    "check_isolation",
    "conversations_over",
    "is_private",
    "served_with",
]
