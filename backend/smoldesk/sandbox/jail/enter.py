"""All layers of a plan, in the order in which each still can be taken."""

import os
from dataclasses import dataclass

from . import landlock, limits, private_root, privileges, seccomp
from .places import Places

SCRATCH = ("/tmp", "/dev/shm")


@dataclass(frozen=True)
class Plan:
    """Plan of layers to apply: those that the probe found to work here. The other layers need no permission."""

    namespaces: bool = False
    """Processes, network, queues and names; a user namespace first unless we are root."""
    private_root: bool = False
    proc: bool = False
    """A /proc of the jail's own processes, inside the private root."""
    own_user: bool = False
    """A user id for each child, as root."""
    landlock: bool = False
    seccomp: bool = False
    rlimits: bool = True
    privileges: bool = True

    @property
    def user_namespace(self) -> bool:
        return self.namespaces and os.geteuid() != 0


def enter(plan: Plan, places: Places, uid: int | None, rlimits: dict[str, int]) -> None:
    """Jail this process for good; raises OSError when a layer of the plan cannot be taken, and then it must end.

    Expects the namespaces of `namespaces.split_off` to be there already, and one thread.
    """
    own_namespace = plan.namespaces
    if plan.private_root:
        # Mounting needs CAP_SYS_ADMIN, which `drop` gives up.
        private_root.move_in(places, plan.proc)
    if plan.privileges:
        privileges.drop(uid)
    # prctl(2): a change of user clears the parent-death signal.
    privileges.die_with_parent()
    if plan.namespaces:
        privileges.reclaim_proc_files()
    if plan.rlimits:
        # RLIMIT_NPROC counts per real user id, so the change of user comes first.
        limits.take(rlimits, count_threads=own_namespace or uid is not None)
    # The pivot into the private root left the working directory at /.
    os.chdir(places.folder)
    if plan.landlock:
        # landlock_restrict_self(2) requires no_new_privs, which `drop` has set.
        landlock.restrict(places, SCRATCH if plan.private_root else ())
    if plan.seccomp:
        # Last: the filter refuses the system calls of the layers above.
        seccomp.filter_calls(walled=plan.private_root)
