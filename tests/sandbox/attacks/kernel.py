"""Interfaces of the kernel that have been the way out of other jails: each should not even answer."""

from tests.sandbox.attacks.attack import Attack, said_so

CALLS = {
    "user_namespace": "won(libc.unshare(0x10000000) == 0)",
    "mount_namespace": "won(libc.unshare(0x20000) == 0)",
    "user_and_mount_namespace": "won(libc.unshare(0x10020000) == 0)",
    "network_namespace": "won(libc.unshare(0x50000000) == 0)",
    "clone_user_namespace": "p = call(56, 0x10000000 | 17, 0, 0, 0, 0)\nif p == 0: os._exit(0)\nwon(p > 0)",
    "setns_of_host": "fd = os.open('/proc/@HOST@/ns/user', 0); won(libc.setns(fd, 0) == 0)",
    "setns_by_pidfd": "fd = os.pidfd_open(@VICTIM@); won(libc.setns(fd, 0x08000000) == 0)",
    "namespaces_visible": "won(os.stat('/proc/@HOST@/ns/net').st_ino > 0)",
    "mount_tmpfs": "won(libc.mount(b'none', b'.', b'tmpfs', 0, None) == 0)",
    "mount_bind": "os.mkdir('m'); won(libc.mount(b'/', b'm', None, 4096, None) == 0)",
    "remount_writable": "won(libc.mount(None, b'/', None, 32 | 4096, None) == 0)",
    "umount": "won(libc.umount2(b'/proc', 2) == 0)",
    "open_tree": "won(call(428, -100, b'/', 1) >= 0)",
    "fsopen": "won(call(430, b'tmpfs', 0) >= 0)",
    "mount_setattr": "a = (ctypes.c_uint64 * 4)(0, 1); won(call(442, -100, b'/', 0, a, 32) == 0)",
    "pivot_root": "won(libc.pivot_root(b'.', b'.') == 0)",
    "chroot": "os.chroot('.'); won()",
    "chroot_escape": (
        "os.mkdir('c'); fd = os.open('.', 0); os.chroot('c'); os.fchdir(fd)\n"
        "for _ in range(30): os.chdir('..')\nos.chroot('.'); won()"
    ),
    "mknod_device": "os.mknod('disk', 0o60666, os.makedev(254, 0)); won()",
    "mknod_null": "os.mknod('null', 0o20666, os.makedev(1, 3)); won()",
    "open_disk": "import glob\nfor d in glob.glob('/dev/[vs]d*') or ['/dev/vda']: os.open(d, 0); won()",
    "open_kernel_memory": "os.open('/dev/mem', 0); won()",
    "open_kmsg": "os.open('/dev/kmsg', 0); won()",
    "open_fuse": "os.open('/dev/fuse', 2); won()",
    "open_kvm": "os.open('/dev/kvm', 2); won()",
    "open_terminal": "os.open('/dev/ptmx', 2); won()",
    "sysfs": "won(os.listdir('/sys/kernel'))",
    "sysctl_read": "won(open('/proc/sys/kernel/core_pattern').read())",
    "kernel_symbols": "won(len(open('/proc/kallsyms').read(100)) > 0)",
    "kernel_log": "b = ctypes.create_string_buffer(999); won(call(103, 3, b, 999) > 0)",
    "mounts_of_machine": "won('ext4' in open('/proc/self/mountinfo').read() or '@ROOT@' in open('/proc/mounts').read())",
    "cgroup_files": "won(os.listdir('/sys/fs/cgroup'))",
    "io_uring": "p = ctypes.create_string_buffer(120); won(call(425, 4, p) >= 0)",
    "userfaultfd": "won(call(323, 1) >= 0)",
    "userfaultfd_device": "os.open('/dev/userfaultfd', 2); won()",
    "bpf": "a = ctypes.create_string_buffer(72); a[0] = 1; a[4] = 4; a[8] = 8; a[12] = 1; won(call(321, 0, a, 72) >= 0)",
    "perf_event": (
        "a = ctypes.create_string_buffer(112); a[0] = 1; a[4] = 112; a[40] = 0x60\nwon(call(298, a, 0, -1, -1, 0) >= 0)"
    ),
    "add_key": "won(call(248, b'user', b'attack', b'x', 1, -3) >= 0)",
    "keyctl_session": "won(call(250, 0, -3, 1) > 0)",
    "request_key": "won(call(249, b'user', b'attack', None, -3) >= 0 or ctypes.get_errno() not in (1, 38))",
    "memfd": "won(call(319, b'x', 0) >= 0)",
    "memfd_secret": "won(call(447, 0) >= 0)",
    "memfd_exec": (
        "fd = call(319, b'x', 0); os.write(fd, b'#!/bin/sh\\necho @WON@ > out\\n')\n"
        "os.posix_spawn(f'/proc/self/fd/{fd}', ['x'], {}); import time; time.sleep(0.2); print(open('out').read())"
    ),
    "execveat": (
        "pid = os.fork()\nif pid == 0:\n    fd = os.open('/bin/true', 0); call(322, fd, b'', None, None, 0x1000); os._exit(9)\n"
        "won(os.waitpid(pid, 0)[1] == 0)"
    ),
    "personality": "won(libc.personality(0x0040000) != -1)",
    "modify_ldt": "b = ctypes.create_string_buffer(64); won(call(154, 0, b, 64) >= 0)",
    "iopl": "won(call(172, 3) == 0)",
    "init_module": "won(call(175, b'', 0, b'') == 0 or ctypes.get_errno() not in (1, 38))",
    "kexec": "won(call(246, 0, 0, None, 0) == 0 or ctypes.get_errno() not in (1, 38))",
    "sethostname": "won(libc.sethostname(b'attacked', 8) == 0)",
    "settime": "import time; time.clock_settime(0, time.time()); won()",
    "swapon": "won(call(167, b'/x', 0) == 0 or ctypes.get_errno() not in (1, 38))",
    "quotactl": "won(call(179, 0x80000100, None, 0, None) == 0 or ctypes.get_errno() not in (1, 38))",
    "fanotify": "won(call(300, 0, 0) >= 0)",
    "inotify": "won(call(294, 0) >= 0)",
    "seccomp_listener": "won(call(317, 2, 0, ctypes.byref(ctypes.c_uint32(0x7fc00000))) == 0)",
    "landlock_more": "won(call(444, (ctypes.c_uint64 * 1)(1), 8, 0) >= 0)",
    "set_dumpable": "won(libc.prctl(4, 2, 0, 0, 0) == 0 or libc.prctl(4, 1, 0, 0, 0) == 0)",
    "set_ptracer": "won(libc.prctl(0x59616d61, -1, 0, 0, 0) == 0)",
    "become_subreaper": "won(libc.prctl(36, 1, 0, 0, 0) == 0)",
    "forget_parent": "won(libc.prctl(1, 0, 0, 0, 0) == 0)",
    "keep_capabilities": "won(libc.prctl(8, 1, 0, 0, 0) == 0)",
    "raise_ambient": "won(libc.prctl(47, 2, 21, 0, 0) == 0)",
    "any_capability": "won(any(int(l.split()[1], 16) for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapPrm', 'CapBnd'))))",
    "new_privileges_possible": "won('NoNewPrivs:\\t0' in open('/proc/self/status').read())",
    "become_root": "os.setresuid(0, 0, 0); won()",
    "become_other_user": "os.setresuid(1, 1, 1); won()",
    "change_groups": "os.setgroups([0]); won()",
    "setuid_program": (
        "import glob, subprocess\nsu = [p for p in glob.glob('/usr/bin/*') if os.stat(p).st_mode & 0o4000]\n"
        "won(su and subprocess.run([su[0], '--help'], capture_output=True, timeout=2) is not None)"
    ),
    "shared_memory": "won(libc.shmget(0, 4096, 0o1600) >= 0)",
    "semaphores": "won(libc.semget(0, 1, 0o1600) >= 0)",
    "message_queue": "won(libc.msgget(0, 0o1600) >= 0)",
    "posix_queue": "won(call(240, b'attack', 0o102, 0o600, None) >= 0)",
    "ptrace_me": "won(call(101, 0, 0, 0, 0) == 0)",
    "kcmp": "won(call(312, os.getpid(), @VICTIM@, 0, 0, 1) >= 0)",
    "process_madvise": "fd = call(434, @VICTIM@, 0); won(fd >= 0)",
    "move_pages": "won(call(279, @VICTIM@, 0, None, None, None, 0) == 0)",
    "get_mempolicy": "won(call(239, None, None, 0, 0, 0) == 0)",
    "vmsplice": "r, w = os.pipe(); b = b'x' * 8; v = (ctypes.c_uint64 * 2)(ctypes.addressof(ctypes.create_string_buffer(b)), 8); won(call(278, w, v, 1, 0) > 0)",
    "old_getpid_by_int80": (
        "import mmap; m = mmap.mmap(-1, 4096, prot=7); m.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))\n"
        "f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m))); won(f() > 0)"
    ),
    "x32_call": "r = call(0x40000000 + 39); won(r > 0)",
    "restore_file_rights": "libc.prctl(38, 0, 0, 0, 0); won('NoNewPrivs:\\t0' in open('/proc/self/status').read())",
    "raise_limits": (
        "import resource as r\nfor n in (r.RLIMIT_AS, r.RLIMIT_NPROC, r.RLIMIT_CORE):\n"
        "    r.setrlimit(n, (r.RLIM_INFINITY, r.RLIM_INFINITY)); won()"
    ),
    "sync_everything": "won(call(306, os.open('.', 0)) == 0)",
    "lock_memory": "won(libc.mlockall(3) == 0)",
    "device_through_tmp": "os.mknod('/tmp/d', 0o60666, os.makedev(254, 0)); os.open('/tmp/d', 0); won()",
    "vsyscall_page": (
        "import ctypes as c; won(c.CFUNCTYPE(c.c_long, c.c_void_p)(0xffffffffff600400)(None) > 0 and call(425, 4, None) != -1)"
    ),
}

WRECKERS = {"old_getpid_by_int80", "x32_call", "chroot", "chroot_escape", "seccomp_listener", "ptrace_me",
            "user_namespace", "mount_namespace", "user_and_mount_namespace", "network_namespace",
            "vsyscall_page", "mount_tmpfs", "landlock_more", "forget_parent", "lock_memory", "personality"}  # fmt: skip

ATTACKS = [
    Attack(f"kernel_{name}", f"use {name.replace('_', ' ')}", code, said_so, wrecker=name in WRECKERS)
    for name, code in CALLS.items()
]
