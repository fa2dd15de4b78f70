"""Other processes: signalling, tracing, reading and outliving them."""

from tests.sandbox.attacks.attack import Attack, harmed, leaked, outlived, said_so

HARMS = {
    "kill": "os.kill(@VICTIM@, 9)",
    "kill_by_libc": "libc.kill(@VICTIM@, 9)",
    "stop": "os.kill(@VICTIM@, 19)",
    "tgkill": "call(234, @VICTIM@, @VICTIM@, 9)",
    "tkill": "call(200, @VICTIM@, 9)",
    "pidfd_signal": "fd = os.pidfd_open(@VICTIM@); call(424, fd, 9, None, 0)",
    "sigqueue": "i = ctypes.create_string_buffer(128); i[8:12] = (-1 & 0xffffffff).to_bytes(4, 'little'); "
    "call(129, @VICTIM@, 9, i)",
    "signal_by_fcntl": (
        "import fcntl, socket; a, b = socket.socketpair(); fcntl.fcntl(a, 10, 9); fcntl.fcntl(a, 8, @VICTIM@)\n"
        "fcntl.fcntl(a, 4, 0o20000 | 2048); b.send(b'x')"
    ),
    "ptrace_seize_kill": "call(101, 0x4206, @VICTIM@, 0, 0); call(101, 8, @VICTIM@, 0, 0)",
    "ptrace_attach": "call(101, 16, @VICTIM@, 0, 0)",
    "limits_of_other": (
        "l = (ctypes.c_uint64 * 2)(1, 1); call(302, @VICTIM@, 0, l, None); call(302, @VICTIM@, 7, l, None)\n"
        "n = (ctypes.c_uint64 * 2)(0, 0); call(302, @VICTIM@, 7, None, n); n[1] == 1 and os.kill(@VICTIM@, 9)"
    ),
    "forked_killer": "os.fork() or os.execv('/bin/kill', ['kill', '-9', '@VICTIM@'])\nimport time; time.sleep(0.2)",
}

LEAKS = {
    "environment_of_other": "print(open('/proc/@VICTIM@/environ').read())",
    "environment_of_host": "print(open('/proc/@HOST@/environ').read())",
    "environment_of_parent": "print(open(f'/proc/{os.getppid()}/environ').read())",
    "environment_of_all": (
        "for p in os.listdir('/proc'):\n    try: print(open(f'/proc/{p}/environ').read())\n"
        "    except OSError: pass"
    ),
    "memory_of_other": ("f = open('/proc/@VICTIM@/mem', 'rb', 0); f.seek(@ADDRESS@); print(f.read(200))"),
    "process_vm_readv": (
        "b = ctypes.create_string_buffer(200); V = ctypes.c_uint64 * 2\n"
        "call(310, @VICTIM@, V(ctypes.addressof(b), 200), 1, V(@ADDRESS@, 200), 1, 0); print(b.raw)"
    ),
    "ptrace_peek": (
        "call(101, 16, @VICTIM@, 0, 0); import time; time.sleep(0.05); d = b''\n"
        "v = ctypes.c_long()\nfor i in range(0, 96, 8):\n    call(101, 2, @VICTIM@, @ADDRESS@ + i, ctypes.byref(v))\n"
        "    d += (v.value & (2**64 - 1)).to_bytes(8, 'little')\ncall(101, 17, @VICTIM@, 0, 0); print(d)"
    ),
    "descriptor_of_host": "p = call(434, @HOST@, 0); fd = call(438, p, @HELD@, 0); print(os.pread(fd, 999, 0))",
    "descriptor_in_proc": "print(open('/proc/@HOST@/fd/@HELD@').read())",
    "shared_segment": (
        "libc.shmat.restype = ctypes.c_void_p; a = libc.shmat(@SEGMENT@, None, 0o10000)\n"
        "print(ctypes.string_at(a, 40) if a and a < 2**63 else '')"
    ),
}

SAYS = {
    "command_lines": (
        "ps = [p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()]; won(len(ps) > 0)"
    ),
    "fork": "pid = os.fork()\nif pid == 0: os._exit(0)\nos.waitpid(pid, 0); won()",
    "vfork": "import subprocess; subprocess.run(['/bin/true'], check=True); won()",
    "raw_fork": "p = call(57)\nif p == 0: os._exit(0)\nwon(p > 0)",
    "raw_clone": "p = call(56, 17, 0, 0, 0, 0)\nif p == 0: os._exit(0)\nwon(p > 0)",
    "clone3": (
        "a = (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17); p = call(435, a, 88)\nif p == 0: os._exit(0)\nwon(p > 0)"
    ),
    "exec_other_program": "import subprocess; print(subprocess.run(['/bin/echo', '@WON@'], capture_output=True).stdout)",
    "posix_spawn": "os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0); won()",
    "popen_shell": "print(os.popen('echo @WON@').read())",
    "python_again": "import subprocess; print(subprocess.run([sys.executable, '-c', 'print(\"@WON@\")'], capture_output=True))",
    "multiprocessing": (
        "import multiprocessing as m; p = m.get_context('fork').Process(target=lambda: None); p.start(); p.join(); won()"
    ),
    "higher_priority": "os.setpriority(0, 0, -5); won(os.getpriority(0, 0) < 0)",
    "real_time": "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)); won()",
    "affinity_of_other": "os.sched_setaffinity(@VICTIM@, {0}); won()",
    "nice_of_other": "os.setpriority(0, @VICTIM@, 15); won()",
    "own_oom_score": "open('/proc/self/oom_score_adj', 'w').write('-1000'); won()",
    "own_session_priority": "open('/proc/self/autogroup', 'w').write('0'); won()",
}

HEART = """
import time
def beat(pid=None):
    while True:
        with open("heart", "a") as f: f.write(f"{pid or os.getpid()} ")
        time.sleep(0.02)
"""

ATTACKS = [
    *(
        Attack(f"harm_{name}", f"end or stop another process: {name}", code, harmed)
        for name, code in HARMS.items()
    ),
    *(Attack(f"spy_{name}", f"read another process: {name}", code, leaked) for name, code in LEAKS.items()),
    *(
        Attack(f"process_{name}", f"start or change a process: {name}", code, said_so)
        for name, code in SAYS.items()
    ),
    Attack(
        "outlive_daemon",
        "leave a daemon in a session of its own behind, then die",
        HEART + "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: beat()\n    os._exit(0)\n"
        "time.sleep(0.2); os._exit(0)",
        outlived,
        wrecker=True,
    ),
    Attack(
        "outlive_by_ignoring_signals",
        "a fork that ignores every signal goes on",
        HEART + "import signal\npid = os.fork()\nif pid == 0:\n    os.setsid()\n"
        "    for s in range(1, 32):\n        try: signal.signal(s, signal.SIG_IGN)\n        except (OSError, ValueError): pass\n"
        "    beat()\ntime.sleep(0.2); os._exit(0)",
        outlived,
        wrecker=True,
    ),
    Attack(
        "outlive_by_thread",
        "a thread computes on between cells",
        HEART
        + "import threading\nthreading.Thread(target=beat, daemon=True, args=(os.getpid(),)).start()\ntime.sleep(0.1)",
        lambda trial: _grows_between_cells(trial),
        wrecker=True,
    ),
    Attack(
        "kill_everybody",
        "signal all processes it may",
        "os.kill(-1, 9)",
        harmed,
        bomb=True,
        wrecker=True,
    ),
]


def _grows_between_cells(trial) -> bool:
    import time

    heart = trial.world.mine / "heart"
    if not heart.exists():
        return False
    time.sleep(0.05)
    size = heart.stat().st_size
    time.sleep(0.3)
    return heart.stat().st_size > size
