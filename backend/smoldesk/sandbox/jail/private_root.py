"""A file system of its own: Python and its packages read-only, the chat's folder, a small /tmp, nothing else.

Stops: reading, changing (also chmod and stat) or even naming anything outside; other chats' folders, unix
sockets by path, /tmp and /dev/shm of the machine. Kernel documents: mount_namespaces(7), pivot_root(2),
open_tree(2), mount_setattr(2).
"""

import os
import stat
import struct
from pathlib import Path

from .kernel import (
    AT_EMPTY_PATH,
    AT_FDCWD,
    AT_RECURSIVE,
    LIBC,
    MOUNT_SETATTR,
    MOVE_MOUNT,
    OPEN_TREE,
    checked,
    mount,
    syscall,
    unshare,
)
from .places import Places

CLONE_NEWNS = 0x00020000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 1 << 14, 1 << 18
OPEN_TREE_CLONE, OPEN_TREE_CLOEXEC = 1, os.O_CLOEXEC
MOVE_MOUNT_F_EMPTY_PATH = 4
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, ATTR_NOEXEC = 1, 2, 4, 8
MNT_DETACH = 2

SCAFFOLD = "/tmp"
TMP_BYTES, SHM_BYTES, MAX_INODES = 128 * 1024**2, 64 * 1024**2, 4096


def move_in(places: Places, proc: bool, runs_programs: bool = False) -> None:
    """Build the root from `places` and make it the only one; `proc` mounts a /proc of our processes only.

    With `runs_programs`, files in the folder may be executed, `places.writable` is there to be changed, and `places.hidden`
    is empty but for the folder.

    Afterwards the working directory is `/`. Needs CAP_SYS_ADMIN over the namespace, and does not give it up.
    """
    unshare("mount namespace", CLONE_NEWNS)
    # systemd shares all mounts: changes here would spread to the machine, and pivot_root(2) refuses a shared parent.
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    # Detached copies, taken before the scaffold covers /tmp, where the chat's folder itself may be.
    trees = [(path, _tree(path, ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV)) for path in places.readable]
    # Without `nodev`, which would forbid opening the devices themselves.
    trees += [(path, _tree(path, ATTR_NOSUID | ATTR_NOEXEC)) for path in places.devices]
    guarded = ATTR_NOSUID | ATTR_NODEV | (0 if runs_programs else ATTR_NOEXEC)
    own_trees = [(path, _tree(path, guarded)) for path in (places.folder, *places.writable)]
    mount("none", SCAFFOLD, "tmpfs", MS_NOSUID | MS_NODEV, "size=2m,mode=755")
    # Before the trees, which may be attached below /tmp.
    _scratch("/tmp", TMP_BYTES)
    _scratch("/dev/shm", SHM_BYTES)
    covers = [(path, None) for path in places.hidden]
    # Sorted, so that parents come first: a later parent would cover what is attached below it.
    for path, tree in sorted([*trees, *covers, *own_trees], key=lambda tree: tree[0]):
        if tree is None:
            mount("none", SCAFFOLD + path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=1m,mode=755")
        else:
            _attach(tree, SCAFFOLD + path)
    for link, target in places.links:
        if not os.path.lexists(SCAFFOLD + link):
            os.makedirs(os.path.dirname(SCAFFOLD + link), exist_ok=True)
            os.symlink(target, SCAFFOLD + link)
    for path, text in places.texts:
        os.makedirs(os.path.dirname(SCAFFOLD + path), exist_ok=True)
        Path(SCAFFOLD + path).write_text(text)
    os.makedirs(f"{SCAFFOLD}/proc")
    if proc:
        # The kernel mounts a new /proc for an ordinary user only while another one is fully visible, so before the pivot.
        # scikit-learn (threadpoolctl) fails without /proc/self/maps.
        options = "subset=pid,hidepid=2"
        mount("proc", f"{SCAFFOLD}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, options)
    _pivot()
    # Only now: the links and texts above needed a writable scaffold.
    _set_attributes(AT_FDCWD, b"/", ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV, recursive=False)


def _tree(path: str, attributes: int) -> int:
    """Return a detached copy of the mount at `path`, with these attributes, taken before anything is covered."""
    flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE
    tree = syscall(f"open_tree {path}", OPEN_TREE, AT_FDCWD, os.fsencode(path), flags)
    # mount(2) cannot remount submounts read-only in one call; mount_setattr(2) with AT_RECURSIVE can.
    _set_attributes(tree, b"", attributes, recursive=True)
    return tree


def _set_attributes(place: int, path: bytes, attributes: int, recursive: bool) -> None:
    attributes_struct = struct.pack("QQQQ", attributes, 0, 0, 0)
    flags = (AT_EMPTY_PATH if not path else 0) | (AT_RECURSIVE if recursive else 0)
    syscall("mount_setattr", MOUNT_SETATTR, place, path, flags, attributes_struct, len(attributes_struct))


def _attach(tree: int, target: str) -> None:
    is_folder = stat.S_ISDIR(os.fstat(tree).st_mode)
    # makedirs obeys the umask: with 077 the chat's own user cannot enter, and imports fail as "No module named".
    os.makedirs(target if is_folder else os.path.dirname(target), exist_ok=True)
    if not is_folder and not os.path.lexists(target):
        # A file can be mounted only on a file.
        Path(target).touch()
    where = os.fsencode(target)
    syscall(f"move_mount {target}", MOVE_MOUNT, tree, b"", AT_FDCWD, where, MOVE_MOUNT_F_EMPTY_PATH)
    os.close(tree)


def _scratch(path: str, size: int) -> None:
    os.makedirs(SCAFFOLD + path, exist_ok=True)
    # tmpfs(5): empty files do not count for `size`, but take kernel memory; nr_inodes bounds them.
    options = f"size={size},nr_inodes={MAX_INODES},mode=1777"
    mount("none", SCAFFOLD + path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options)


def _pivot() -> None:
    """Make the scaffold the root; the old one is stacked on it and taken away whole."""
    os.chdir(SCAFFOLD)
    # pivot_root(2), NOTES: with the same folder twice, no folder for the old root is needed.
    checked(LIBC.pivot_root(b".", b"."), "pivot_root")
    # Lazily: files of the old root are still in use, so a plain umount would fail with EBUSY.
    checked(LIBC.umount2(b".", MNT_DETACH), "umount of the old root")
    os.chdir("/")
