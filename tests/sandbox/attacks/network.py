"""Network: any word that reaches a listener of ours, by any family of sockets."""

from tests.sandbox.attacks.attack import Attack, connected, said_so

REACHES = {
    "tcp": "import socket; socket.create_connection(('127.0.0.1', @TCP@), 1)",
    "tcp_by_ctypes": (
        "s = call(41, 2, 1, 0); a = b'\\2\\0' + (@TCP@).to_bytes(2, 'big') + bytes([127, 0, 0, 1]) + bytes(8)\n"
        "call(42, s, a, 16)"
    ),
    "tcp_by_name": "import socket; socket.create_connection(('localhost', @TCP@), 1)",
    "tcp_ipv6": "import socket; socket.create_connection(('::1', @TCP6@), 1)",
    "http": "import urllib.request as u; u.urlopen('http://127.0.0.1:@TCP@/', timeout=0.3)",
    "asyncio": (
        "import asyncio\nasync def go(): await asyncio.wait_for(asyncio.open_connection('127.0.0.1', @TCP@), 1)\n"
        "asyncio.run(go())"
    ),
    "fast_open": ("import socket; s = socket.socket(); s.sendto(b'x', 0x20000000, ('127.0.0.1', @TCP@))"),
    "udp": "import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', @UDP@))",
    "udp_by_ctypes": (
        "s = call(41, 2, 2, 0); a = b'\\2\\0' + (@UDP@).to_bytes(2, 'big') + bytes([127, 0, 0, 1]) + bytes(8)\n"
        "call(44, s, b'x', 1, 0, a, 16)"
    ),
    "unix_path": "import socket; socket.socket(socket.AF_UNIX).connect('@UNIX@')",
    "unix_datagram": "import socket; socket.socket(socket.AF_UNIX, 2).sendto(b'x', '@DATAGRAM@')",
    "unix_abstract": "import socket; socket.socket(socket.AF_UNIX).connect('\\0@ABSTRACT@')",
    "pair_turned_datagram": (
        "import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b'x', '@DATAGRAM@')"
    ),
    "pair_send_message": (
        "import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        "a.sendmsg([b'x'], [], 0, '@DATAGRAM@')"
    ),
    "reconnect_own_socket": ("import socket; s = socket.socket(fileno=os.dup(3)); s.connect('@UNIX@')"),
}

MAKES = {
    "raw_socket": "import socket; socket.socket(2, 3, 1); won()",
    "packet_socket": "import socket; socket.socket(17, 3, 768); won()",
    "netlink": "import socket; socket.socket(16, 3, 0); won()",
    "vsock": "import socket; socket.socket(40, 1, 0); won()",
    "bluetooth_or_alg": "import socket; socket.socket(38, 5, 0); won()",
    "listen": "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); won()",
    "interfaces": "import socket; won(len(socket.if_nameindex()) > 0)",
    "resolve": "import socket; won(socket.getaddrinfo('localhost', 80))",
    "interfaces_in_proc": "won(len(open('/proc/net/dev').read()) > 0)",
    "interfaces_in_sys": "won(os.listdir('/sys/class/net'))",
}

ATTACKS = [
    *(
        Attack(f"reach_{name}", f"reach a listener: {name}", code, connected)
        for name, code in REACHES.items()
    ),
    *(Attack(f"network_{name}", f"have a network: {name}", code, said_so) for name, code in MAKES.items()),
]
