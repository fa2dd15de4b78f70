"""A chat's folder belongs to the user its child is, when the server is root and each child a user of its own."""

import os
import secrets
import stat
import threading
from itertools import count
from pathlib import Path

FIRST_UID, USERS = 61_200, 4_000
"""Numbers nobody is given by an installation, and that exist in a container whose user ids end at 65,535."""


_numbers = count(secrets.randbelow(USERS))  # another server on this machine begins elsewhere
_lock = threading.Lock()


def owner_of(folder: Path) -> int:
    """The user that owns this chat's folder, from now on if it is one of the server's: so that two processes of a
    chat, which may run at the same time, are one user.
    """
    with _lock:
        owner = folder.stat().st_uid
        if not FIRST_UID <= owner < FIRST_UID + USERS:
            owner = FIRST_UID + next(_numbers) % USERS
            os.chown(folder, owner, owner)
        return owner


def give(folder: Path, uid: int) -> None:
    """Make `uid` the owner of everything in the folder; the server, as root, reaches it all the same.

    Links are never followed. A file with several names is left alone: one of them could be elsewhere.
    """
    os.chown(folder, uid, uid)
    for _path, folders, files, here in os.fwalk(folder, follow_symlinks=False):
        for name in (*folders, *files):
            try:
                found = os.stat(name, dir_fd=here, follow_symlinks=False)
                alone = found.st_nlink == 1 or stat.S_ISDIR(found.st_mode)
                if found.st_uid != uid and alone:
                    os.chown(name, uid, uid, dir_fd=here, follow_symlinks=False)
            except OSError:
                continue  # it went away while we looked
