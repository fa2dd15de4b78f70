"""Secrets and neighbours: what a chat could learn of the server or of another chat."""

from tests.sandbox.attacks.attack import Attack, leaked, said_so

ATTACKS = [
    Attack("secret_environ", "read the environment", "print(dict(os.environ))", leaked),
    Attack("secret_environ_libc", "read the environment in C", "libc.getenv.restype = ctypes.c_char_p\nprint(libc.getenv(b'ATTACKED_API_KEY'))", leaked),
    Attack("secret_own_proc", "read the environment the process began with", "print(open('/proc/self/environ').read())", leaked),
    Attack("secret_own_memory", "look for inherited secrets in its own memory", (
        "import re\nfor l in open('/proc/self/maps'):\n    a, b = [int(x, 16) for x in l.split()[0].split('-')]\n"
        "    if 'rw-p' in l and b - a < 2**26:\n        f = open('/proc/self/mem', 'rb', 0); f.seek(a)\n"
        "        for m in re.findall(rb'TOKEN[0-9a-f]{24}', f.read(b - a)): print(m)"
    ), leaked),
    Attack("secret_objects", "look for inherited secrets among Python's objects", (
        "import gc\nfor o in gc.get_objects():\n    if isinstance(o, dict):\n        for v in list(o.values()):\n"
        "            if isinstance(v, str) and v.startswith('TOKEN'): print(v)"
    ), leaked),
    Attack("secret_modules_of_server", "import the server", "import smoldesk.settings; won()", said_so),
    Attack("secret_source_of_server", "read the server's source", "won('create_app' in open('@REPOSITORY@/backend/main.py').read())", said_so),
    Attack("secret_dotenv", "read the server's .env", "won(len(open('@REPOSITORY@/.env.example').read()) > 0)", said_so),
    Attack("secret_user_names", "read the machine's users", "won('daemon' in open('/etc/passwd').read())", said_so),
    Attack("secret_host_name", "read what the machine is called in /etc", "won(open('/etc/hostname').read())", said_so),
    Attack("secret_shell_history", "read the home of the server's user", "won(os.listdir(os.path.expanduser('~root')))", said_so),
    Attack("secret_same_chance", "foretell a neighbour's random numbers", (
        "import random, hashlib\nwon(random.getstate()[1][:5] == random.Random(0).getstate()[1][:5])"
    ), said_so),
]  # fmt: skip
