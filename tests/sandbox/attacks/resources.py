"""Resources: memory, threads, disk, time and output beyond what one chat may have. Mostly bombs."""

from tests.sandbox.attacks.attack import Attack, any_of, host_hurt, said_so, took

MIB = 1024**2
MEMORY, THREADS, DISK = 300 * MIB, 80, 60 * MIB
"""What the runner's children may not reach: its limits are 256 MiB of memory, 64 threads, 32 MiB of folder."""

memory, threads, disk = took("memory", MEMORY), took("threads", THREADS), took("disk", DISK)


def bomb(name: str, tries: str, code: str, judge, wrecker: bool = False) -> Attack:
    return Attack(name, tries, code, judge, bomb=True, wrecker=wrecker)


ATTACKS = [
    bomb("memory_bytes", "one large allocation, written to", "b = bytearray(900 * 2**20)", memory),
    bomb("memory_growing", "a list that grows", "l = []\nwhile True: l.append(bytearray(2**20))", memory, True),
    bomb("memory_mmap", "anonymous memory by mmap", (
        "import mmap\nms = []\nfor _ in range(900):\n    m = mmap.mmap(-1, 2**20); m.write(b'x' * 2**20); ms.append(m)"
    ), memory, True),
    bomb("memory_shm", "files in /dev/shm, which are memory", (
        "for n in range(900):\n    open(f'/dev/shm/bomb{n}', 'wb').write(b'x' * 2**20)"
    ), took("shm", 80 * MIB)),
    bomb("memory_tmp", "files in /tmp, which may be memory", (
        "for n in range(900):\n    open(f'/tmp/bomb{n}', 'wb').write(b'x' * 2**20)"
    ), took("tmp", 150 * MIB)),
    bomb("memory_memfd", "files without a name, which are memory", (
        "fd = call(319, b'x', 0)\nfor _ in range(900): os.write(fd, b'x' * 2**20)\nwon(fd > 0)"
    ), said_so),
    bomb("memory_pipes", "full pipes, which are memory of the kernel", (
        "import fcntl\nps = []\nfor _ in range(120):\n    r, w = os.pipe(); ps.append(w); os.set_blocking(w, False)\n"
        "    fcntl.fcntl(w, 1031, 2**20); os.write(w, b'x' * 2**20)\nwon(len(ps) == 120)"
    ), said_so, True),
    bomb("threads", "as many threads as there can be", (
        "import threading, time\nfor _ in range(500): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    ), threads, True),
    bomb("fork_bomb", "processes that start processes", (
        "import time\nfor _ in range(6):\n    os.fork()\nwon(); time.sleep(0.3)"
    ), said_so, True),
    bomb("disk_one_file", "one large file", (
        "f = open('big', 'wb')\nfor _ in range(400): f.write(b'x' * 2**20)"
    ), disk),
    bomb("disk_many_files", "many files", (
        "for n in range(400): open(f'big{n}', 'wb').write(b'x' * 2**20)\nimport time\nwhile True: time.sleep(0.1)"
    ), took("disk_kept", DISK), True),
    bomb("disk_left_by_dying", "many files, and death before anybody looks", (
        "for n in range(90): open(f'big{n}', 'wb').write(b'x' * 2**20)\nos._exit(0)"
    ), took("disk_kept", DISK), True),
    bomb("disk_allocated", "space taken without writing", "os.posix_fallocate(os.open('big', 0o102), 0, 400 * 2**20)", disk),
    bomb("disk_many_names", "as many files as there can be", (
        "for n in range(30000): open(f'n{n}', 'w').close()\nimport time\nwhile True: time.sleep(0.1)"
    ), took("files_kept", 6000), True),
    bomb("core_dump", "a core file full of memory", (
        "import resource; resource.setrlimit(resource.RLIMIT_CORE, (2**30, 2**30)); won(); ctypes.string_at(0)"
    ), said_so, True),
    bomb("endless_loop", "never come to an end", "while True: pass", host_hurt),
    bomb("endless_c_loop", "never come to an end, in C", "import itertools\nsum(itertools.repeat(1))", host_hurt, True),
    bomb("swallowed_interrupts", "forgive every interrupt", (
        "while True:\n    try:\n        import time\n        time.sleep(0.01)\n    except BaseException: pass"
    ), host_hurt, True),
    bomb("blocked_signals", "block every signal", (
        "import signal, itertools\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nsum(itertools.repeat(1))"
    ), host_hurt, True),
    bomb("regex", "a regular expression that takes years", "import re\nre.match('(a+)+$', 'a' * 40 + 'b')", host_hurt, True),
    bomb("bignum", "a power that takes years", "7 ** 10 ** 9", host_hurt, True),
    bomb("print_flood", "print without end", "while True: print('x' * 10000)", any_of(host_hurt, took("printed", 4 * MIB)), True),
    bomb("raw_flood", "write to the standard output without end", (
        "while True: os.write(1, b'x' * 65536)"
    ), any_of(host_hurt, took("printed", 4 * MIB)), True),
    bomb("giant_repr", "a value whose words are endless", (
        "class R:\n    def __repr__(self): return 'x' * (100 * 2**20)\nR()"
    ), any_of(host_hurt, took("said", 4 * MIB)), True),
    bomb("slow_exit", "a repr that never ends", "class R:\n    def __repr__(self):\n        while True: pass\nR()", host_hurt, True),
    bomb("many_figures", "more things to show than anybody wants", (
        "for n in range(5000): open(f'f{n}.txt', 'w').close()"
    ), took("shown", 500)),
    bomb("deep_recursion", "a stack without end", (
        "sys.setrecursionlimit(10**9)\ndef f(): f()\nf()"
    ), host_hurt, True),
    bomb("timer_storm", "signals to itself all the time", (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *a: None)\nsignal.setitimer(signal.ITIMER_REAL, 1e-6, 1e-6)\nwhile True: pass"
    ), host_hurt, True),
    bomb("stop_itself", "stand still for ever", "os.kill(os.getpid(), 19)\nwhile True: pass", host_hurt, True),
]  # fmt: skip
