"""Jail of a program that answers one request: forked, into the folder that the request names."""

import os
from collections.abc import Sequence
from typing import Any


def go_to_jail(config: dict[str, Any], folder: str, uid: int | None, readable: Sequence[str]) -> None:
    """Return in a forked, jailed process; this one waits for that one's end. Raises OSError.

    `config` holds plan, packages and limits; `readable` are files to read beside Python's own and the folder.
    """
    from smoldesk.sandbox.jail import namespaces
    from smoldesk.sandbox.jail.enter import Plan, enter
    from smoldesk.sandbox.jail.places import code_folders, places_for

    plan = Plan(**config["plan"])
    if plan.namespaces:
        namespaces.split_off(plan.user_namespace)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    mask = os.umask(0o022)  # the child's user has to read the root that is built now
    visible = [*code_folders(config["packages"]), *readable]
    enter(plan, places_for(folder, visible, os.getuid() if uid is None else uid), uid, config["limits"])
    os.umask(mask)
