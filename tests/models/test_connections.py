"""Ending a blocked read over TLS, in the handshake and after it: the plain case is tested with the model."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from smoldesk.models.connections import Connections


def serve(listener: socket.socket, talk: Callable[[socket.socket], None]) -> threading.Thread:
    """Accept one connection and hand it to `talk`, which owns it."""
    thread = threading.Thread(target=lambda: talk(listener.accept()[0]), daemon=True)
    thread.start()
    return thread


def blocked_get(client: httpx2.Client, url: str) -> tuple[threading.Thread, list[httpx2.HTTPError]]:
    failures: list[httpx2.HTTPError] = []

    def get() -> None:
        try:
            client.get(url)
        except httpx2.HTTPError as failure:
            failures.append(failure)

    thread = threading.Thread(target=get, daemon=True)
    thread.start()
    return thread, failures


def client_of(connections: Connections, verify: ssl.SSLContext) -> httpx2.Client:
    hooks = {"request": [connections.watch]}
    return httpx2.Client(timeout=60, verify=verify, trust_env=False, event_hooks=hooks)


def test_a_handshake_that_never_ends_is_cut() -> None:
    greeted, release = threading.Event(), threading.Event()

    def only_listen(peer: socket.socket) -> None:
        with peer:
            peer.recv(1)
            greeted.set()
            release.wait(20)

    connections = Connections()
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        client_of(connections, ssl.create_default_context()) as client,
    ):
        server = serve(listener, only_listen)
        thread, failures = blocked_get(client, f"https://127.0.0.1:{listener.getsockname()[1]}/")
        assert greeted.wait(10)
        connections.cut()
        thread.join(10)
        release.set()
        server.join(10)
        assert not thread.is_alive()
    assert isinstance(failures[0], httpx2.ConnectError)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here to make a certificate with")
def test_a_silent_server_behind_tls_is_cut(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    make = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
    ]
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*make, *names], check=True, capture_output=True)
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(cert, key)
    requested, release = threading.Event(), threading.Event()

    def fall_silent(peer: socket.socket) -> None:
        with served.wrap_socket(peer, server_side=True) as inside:
            inside.recv(1)
            requested.set()
            release.wait(20)

    connections = Connections()
    trusting = ssl.create_default_context(cafile=str(cert))
    with socket.create_server(("127.0.0.1", 0)) as listener, client_of(connections, trusting) as client:
        server = serve(listener, fall_silent)
        thread, failures = blocked_get(client, f"https://localhost:{listener.getsockname()[1]}/")
        assert requested.wait(10)
        connections.cut()
        thread.join(10)
        release.set()
        server.join(10)
        assert not thread.is_alive()
    assert isinstance(failures[0], httpx2.NetworkError | httpx2.RemoteProtocolError)


def test_a_connection_opened_after_the_cut_is_of_no_use() -> None:
    connections = Connections()
    connections.cut()
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        client_of(connections, ssl.create_default_context()) as client,
        pytest.raises(httpx2.TransportError),
    ):
        client.get(f"http://127.0.0.1:{listener.getsockname()[1]}/")
