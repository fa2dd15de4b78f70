"""nginx with deploy/nginx.conf.template in front of three `smoldesk serve` processes that share a PostgreSQL."""

import os
import shutil
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import NamedTuple

from tests.support.desk_server import SERVING, DeskProcess
from tests.support.servers import free_port
from tests.support.waiting import come_true
from tests.support.warm import ROOT

TEMPLATE = ROOT / "deploy" / "nginx.conf.template"
NAMES = ("a", "b", "c")
PROXY = "127.0.0.9"
"""The address from which nginx calls the servers; nobody else is trusted to name a client."""
MAX_BODY = 33_000_000
"""Bytes of a body that nginx lets pass."""


def find_nginx() -> str | None:
    """The nginx of this machine; Debian's is outside an ordinary user's PATH."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


class LogLine(NamedTuple):
    """A request in nginx's log: the servers that were tried, and their answers."""

    request: str
    status: str
    servers: list[str]


class Balancer:
    """One nginx at `url`; its files are in `folder`."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        self.ws_url = url.replace("http", "ws", 1) + "/ws"

    def written(self) -> str:
        """All that nginx logged."""
        return "".join((self.folder / name).read_text() for name in ("access.log", "error.log", "stderr"))

    def log(self) -> list[LogLine]:
        """The requests that ended so far. nginx writes a line just after the response."""
        lines = (self.folder / "access.log").read_text().splitlines()
        parts = [line.split('"') for line in lines]
        return [LogLine(part[1], part[2].split()[0], part[3].split(", ")) for part in parts]

    def served_by(self, request: str, count: int, since: int) -> list[str]:
        """The server of each of `count` requests (method and path), in order, after the first `since` lines of the log."""

        def servers() -> list[str]:
            return [line.servers[-1] for line in self.log()[since:] if line.request == request]

        come_true(lambda: len(servers()) >= count)
        return servers()


@contextmanager
def balanced(folder: Path, servers: Sequence[str], listen: str = "", main: str = "") -> Generator[Balancer]:
    """Yield a running nginx in front of `servers` (host:port). `listen` may add ssl, `main` is set around the template."""
    folder.mkdir(parents=True)
    port = free_port()
    inputs = {
        "DESK_LISTEN": f"127.0.0.1:{port} {listen}",
        "DESK_LOGS": str(folder),
        "DESK_MAX_BODY": str(MAX_BODY),
    }
    inputs |= {f"DESK_{number}": server for number, server in enumerate(servers, 1)}
    content = Template(TEMPLATE.read_text()).safe_substitute(inputs)
    (folder / "desk.conf").write_text(content)
    temporary = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(
        f"{user} worker_processes 2; daemon off; pid {folder}/pid; error_log {folder}/error.log crit;\n"
        f"events {{ worker_connections 512; }}\n"
        f"http {{ {temporary} proxy_bind {PROXY}; {main} include {folder}/desk.conf; }}\n"
    )
    nginx = find_nginx()
    assert nginx, "such a test is skipped where there is none"
    with (folder / "stderr").open("wb") as errors:
        process = subprocess.Popen([nginx, "-e", str(folder / "error.log"), "-c", str(config)], stderr=errors)
    try:
        come_true(lambda: (folder / "pid").exists() or process.poll() is not None)
        assert process.poll() is None, (folder / "stderr").read_text()
        yield Balancer(folder, f"{'https' if listen else 'http'}://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait(20)


class Fleet:
    """Three servers at fixed addresses; one that was stopped can be started again."""

    def __init__(self, folder: Path, env: Mapping[str, str], code: str = SERVING) -> None:
        self._folder, self._code = folder, code
        self._env = {"SMOLDESK_ALLOW_UNISOLATED": "true", "SMOLDESK_LOG_LEVEL": "INFO"} | dict(env)
        self.ports = {name: free_port() for name in NAMES}
        self.servers: dict[str, DeskProcess] = {}

    @property
    def addresses(self) -> list[str]:
        """Host and port of each server."""
        return [f"127.0.0.1:{port}" for port in self.ports.values()]

    def up(self) -> None:
        """Start the servers that do not run."""
        missing = [
            name
            for name in NAMES
            if name not in self.servers or self.servers[name].process.poll() is not None
        ]
        for name in missing:
            if name in self.servers:
                self.servers[name].close()
            self.servers[name] = DeskProcess(self._folder / name, self.ports[name], self._env, self._code)
        for name in missing:
            self.servers[name].wait_until_up()

    def at(self, address: str) -> DeskProcess:
        """The server at host:port."""
        return self.servers[NAMES[self.addresses.index(address)]]

    def close(self) -> None:
        for server in self.servers.values():
            server.close()
