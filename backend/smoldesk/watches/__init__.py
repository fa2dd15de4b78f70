"""Watches: an answer is computed again when its inputs change or at set times, and a person is told (watches.md).

- `watch`: what a watch is. `schedule`: its times. `inputs`: versions of the files it depends on.
- `values`: what is watched in a result, and the condition. `checks`: one check, claimed by one server.
- `deliveries`: mail and webhooks. `notices`: reports that nobody has read.
- `watch_service`: the service. `watch_task`: finds due watches and deliveries, on each server.
"""

from smoldesk.store.watches import StoredTurn
from smoldesk.watches.deliveries import DeliveryRules
from smoldesk.watches.notices import NoticeList
from smoldesk.watches.watch import Condition, Report, Target, WatchBody, WatchChange
from smoldesk.watches.watch_service import Watches, WatchRecord

__all__ = [
    "Condition",
    "DeliveryRules",
    "NoticeList",
    "Report",
    "StoredTurn",
    "Target",
    "WatchBody",
    "WatchChange",
    "WatchRecord",
    "Watches",
]
