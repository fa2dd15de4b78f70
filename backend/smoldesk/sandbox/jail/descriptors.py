"""Open descriptors: one, the chat's socket; 0 to 2 lead to /dev/null.

Stops: what an inherited descriptor opens: the server's port, other chats' sockets, the database. Kernel document:
close_range(2).
"""

import os

SOCKET = 3


def keep_only(*descriptors: int) -> None:
    """Close everything but `descriptors`; 0 to 2 become /dev/null."""
    nowhere = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        # Not just closed: the next file that is opened would get the free number, and output of C code would end in it.
        os.dup2(nowhere, standard)
    start = SOCKET
    for fd in sorted(descriptors):
        os.closerange(start, fd)
        start = fd + 1
    os.closerange(start, os.sysconf("SC_OPEN_MAX"))


def settle(fd: int) -> int:
    """Move `fd` to its place and close all else; returns the place."""
    if fd != SOCKET:
        # os.dup2 makes the copy inheritable unless asked otherwise.
        os.dup2(fd, SOCKET, inheritable=False)
    os.closerange(SOCKET + 1, os.sysconf("SC_OPEN_MAX"))
    return SOCKET
