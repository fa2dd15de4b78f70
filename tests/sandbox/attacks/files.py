"""Files: reading, changing, naming and reaching what is not the chat's own."""

from tests.sandbox.attacks.attack import Attack, any_of, changed, leaked, said_so, shown_outside

READS = {
    "open": "print(open('@SECRET@').read())",
    "os_open": "print(os.read(os.open('@SECRET@', os.O_RDONLY), 999))",
    "relative_path": "print(open('../outside/secret.txt').read())",
    "many_dots": "print(open('../' * 30 + '@SECRET@'.lstrip('/')).read())",
    "libc_fopen": (
        "f = libc.fopen; f.restype = ctypes.c_void_p\n"
        "h = f(b'@SECRET@', b'r'); b = ctypes.create_string_buffer(200)\n"
        "libc.fgets.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]\n"
        "h and libc.fgets(b, 199, h); h and libc.fgets(b, 199, h); print(b.value)"
    ),
    "openat2": (
        "how = (ctypes.c_uint64 * 3)(0, 0, 0)\n"
        "fd = call(437, -100, b'@SECRET@', how, 24); print(os.read(fd, 999))"
    ),
    "path_descriptor": "fd = os.open('@OUTSIDE@', os.O_PATH); print(open(f'/proc/self/fd/{fd}/secret.txt').read())",
    "proc_root": "print(open('/proc/self/root@SECRET@').read())",
    "proc_root_of_parent": "print(open(f'/proc/{os.getppid()}/root@SECRET@').read())",
    "proc_root_of_first": "print(open('/proc/1/root@SECRET@').read())",
    "working_folder_of_host": "print(open('/proc/@HOST@/cwd/@SECRET@').read())",
    "mmap": "import mmap; f = open('@SECRET@', 'rb'); print(mmap.mmap(f.fileno(), 0, prot=1)[:])",
    "sendfile": (
        "s = os.open('@SECRET@', os.O_RDONLY); d = os.open('copy', os.O_RDWR | os.O_CREAT)\n"
        "os.sendfile(d, s, 0, 999); print(open('copy').read())"
    ),
    "import_by_path": (
        "import importlib.machinery as m; print(m.SourceFileLoader('x', '@SECRET@').get_data('@SECRET@'))"
    ),
    "linecache": "import linecache; print(linecache.getlines('@SECRET@'))",
    "sqlite": (
        "import sqlite3; c = sqlite3.connect(':memory:'); c.execute(\"attach 'file:@SECRET@?mode=ro' as x\")\n"
        "print(open('@SECRET@').read())"
    ),
    "neighbours_table": "print(open('@NEIGHBOUR@').read())",
    "neighbour_by_listing": ("for n in os.listdir('@ROOT@/other'): print(open('@ROOT@/other/' + n).read())"),
    "file_in_tmp": "print(open('@INTMP@').read())",
    "file_in_shm": "print(open('@SHM@').read())",
    "inherited_descriptor": (
        "for fd in range(3, 300):\n    try: print(os.pread(fd, 999, 0))\n    except OSError: pass"
    ),
    "handle": (
        "h = ctypes.create_string_buffer(136); h[0:4] = (128).to_bytes(4, 'little'); m = ctypes.c_int()\n"
        "call(303, -100, b'@SECRET@', h, ctypes.byref(m), 0)\n"
        "fd = call(304, os.open('.', 0), h, 0); print(os.read(fd, 999))"
    ),
    "symlink_within": "os.symlink('@SECRET@', 'link'); print(open('link').read())",
    "hardlink_within": "os.link('@SECRET@', 'hard'); print(open('hard').read())",
    "rename_in": "os.rename('@SECRET@', 'stolen'); print(open('stolen').read())",
}

CHANGES = {
    "overwrite": "open('@TARGET@', 'w').write('mine now')",
    "append": "open('@TARGET@', 'a').write('mine now')",
    "create": "open('@OUTSIDE@/new', 'w').write('x')",
    "create_relative": "open('../outside/new', 'w').write('x')",
    "delete": "os.unlink('@TARGET@')",
    "rename": "os.rename('@TARGET@', '@OUTSIDE@/renamed')",
    "truncate": "os.truncate('@TARGET@', 0)",
    "chmod": "os.chmod('@TARGET@', 0o777)",
    "chmod_folder": "os.chmod('@OUTSIDE@', 0o777)",
    "make_folder": "os.mkdir('@OUTSIDE@/made')",
    "symlink_out": "os.symlink('/etc', '@OUTSIDE@/link')",
    "hardlink_out": "os.link('@TARGET@', '@OUTSIDE@/hard')",
    "neighbours_table": "open('@NEIGHBOUR@', 'w').write('nothing')",
    "plant_in_neighbour": "open('@ROOT@/other/sitecustomize.py', 'w').write('import os')",
    "delete_in_tmp": "os.unlink('@INTMP@')",
    "delete_in_shm": "os.unlink('@SHM@')",
    "fifo": "os.mkfifo('@OUTSIDE@/pipe')",
    "splice": (
        "r, w = os.pipe(); os.write(w, b'x' * 9); d = os.open('@TARGET@', os.O_WRONLY)\n"
        "call(275, r, None, d, None, 9, 0)"
    ),
    "write_through_proc": "open('/proc/self/cwd/../outside/target.txt', 'w').write('x')",
}

OTHERS = [
    Attack(
        "shown_link_to_secret",
        "leave a link in the folder for the host to read",
        "os.symlink('@SECRET@', 'figure.png')",
        shown_outside,
    ),
    Attack(
        "swap_folder_for_link",
        "replace a folder of ours by a link before the host looks",
        "os.mkdir('d'); os.rename('d', 'e'); os.symlink('@OUTSIDE@', 'd'); open('d/new', 'w')",
        any_of(changed, shown_outside),
    ),
    Attack(
        "stat_outside",
        "learn that a file outside exists, and its size",
        "won(os.stat('@SECRET@').st_size > 0)",
        said_so,
    ),
    Attack("list_outside", "list a folder outside", "won('secret.txt' in os.listdir('@OUTSIDE@'))", said_so),
    Attack(
        "list_home", "list the homes of the machine's users", "won(os.listdir('/home') is not None)", said_so
    ),
    Attack("list_root", "list the machine's root", "won('root' in os.listdir('/'))", said_so),
    Attack(
        "poison_packages",
        "change an installed package for everybody's next child",
        "import json; open(json.__file__, 'a').write('')\nwon()",
        said_so,
    ),
    Attack(
        "poison_bytecode",
        "write a compiled module beside an installed one",
        "import json; p = os.path.dirname(json.__file__) + '/__pycache__/attack.pyc'\n"
        "open(p, 'w').close(); won(); os.unlink(p)",
        said_so,
    ),
    Attack(
        "persist_in_home",
        "leave a start-up file in the home of the server's user",
        "import pwd; p = pwd.getpwuid(os.getuid()).pw_dir\n"
        "won(p not in ('/', os.getcwd()) and os.access(p, os.W_OK))",
        said_so,
    ),
    Attack(
        "poison_font_list",
        "change what the next child reads at start (matplotlib's list of fonts)",
        "import glob\nfor p in glob.glob('/tmp/smoldesk-cache-*'):\n"
        "    open(p + '/fontlist-v0.json', 'w').write('{}')\n    won()",
        said_so,
    ),
    Attack(
        "execute_in_folder",
        "run a program written into the folder",
        "open('p.sh', 'w').write('#!/bin/sh\\necho @WON@ > out')\nos.chmod('p.sh', 0o755)\n"
        "os.posix_spawn('./p.sh', ['p.sh'], {}); import time; time.sleep(0.2); print(open('out').read())",
        said_so,
    ),
    Attack(
        "setuid_bit_on_shell",
        "make a setuid file that the host or another chat would run",
        "import shutil; shutil.copy('/bin/sh', 'sh'); os.chmod('sh', 0o4755)\n"
        "won(os.stat('sh').st_mode & 0o4000)",
        lambda trial: said_so(trial) and any(p.stat().st_mode & 0o4000 for p in trial.world.mine.glob("sh")),
    ),
]

ATTACKS = [
    *(Attack(f"read_{name}", f"read a file outside: {name}", code, leaked) for name, code in READS.items()),
    *(Attack(f"change_{name}", f"change outside: {name}", code, changed) for name, code in CHANGES.items()),
    *OTHERS,
]
