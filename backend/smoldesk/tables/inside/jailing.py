"""The way to jail of a process that was started before anybody knew for which chat, and what it may use there."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def go_to_jail(frame: dict[str, Any], config: dict[str, Any], readable: Iterable[str] = ()) -> None:
    """Return in a forked, jailed process; this one waits for that one's end. Raises OSError.

    `frame` says the chat's `folder` and the `uid` to become; `readable` are files to be read besides. `config`: plan,
    limits, packages.
    """
    from smoldesk.sandbox.jail import namespaces
    from smoldesk.sandbox.jail.enter import Plan, enter
    from smoldesk.sandbox.jail.places import code_folders, places_for

    plan, uid = Plan(**config["plan"]), frame["uid"]
    if plan.namespaces:
        namespaces.split_off(plan.user_namespace)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    os.umask(0o022)  # the child's user has to read the root that is built now
    extra = [*code_folders(config["packages"]), *readable]
    places = places_for(frame["folder"], extra, os.getuid() if uid is None else uid)
    enter(plan, places, uid, config["limits"])


def size_of(folder: Path) -> int:
    """Bytes of all files under the folder, links not followed."""
    total = 0
    for place, _folders, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - a scan of many, kept fast
    return total
