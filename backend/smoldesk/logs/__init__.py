"""The desk's log: one line a fact, with ids, codes and numbers, never with anything a person, a model or a file said.

`log_event` states a fact, `lines` writes it as text or JSON, installed once per process, `Flood` keeps a hostile
client from filling the disk. `request_id` holds the id of the request (or socket) under way, `current_actor` who sent it.
"""

from smoldesk.logs.actors import DESK, Actor, acting, current_actor
from smoldesk.logs.client_keys import client_key, parse_address
from smoldesk.logs.facts import (
    log_denial,
    log_event,
    log_refusal,
    request_id,
    traceparent,
)
from smoldesk.logs.lines import hide_from_now_on, hider, set_up_logging

__all__ = [
    "DESK",
    "Actor",
    "acting",
    "client_key",
    "current_actor",
    "hide_from_now_on",
    "hider",
    "log_denial",
    "log_event",
    "log_refusal",
    "parse_address",
    "request_id",
    "set_up_logging",
    "traceparent",
]
