"""A real Spark for a test run: its Thrift server with two executors, each a process, that asks an LDAP server for passwords.

It comes from pip (`pyspark`) and wants a Java of 17 or newer. Tables live in its memory and a temporary folder; its metastore
is named where nobody listens, since it is asked for nothing but the end of a session.
"""

import contextlib
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import tempfile
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx

from tests.support.postgres import CannotHave
from tests.support.servers import free_port
from tests.support.waiting import come_true

READER, PASSWORD = "reader", "hunter2-of'spark"
SERVER = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
START_SECONDS = 120


class TestSpark:
    """The server of this test run."""

    __test__ = False

    def __init__(self) -> None:
        """Raises CannotHave."""
        if shutil.which("java") is None:
            raise CannotHave("no Spark: it wants a Java (a JRE of 17 or newer), and there is none")
        pyspark = find_spec("pyspark")
        if pyspark is None or pyspark.origin is None:
            raise CannotHave("no Spark: the extra smoldesk[slow] is not installed")
        self.folder = Path(tempfile.mkdtemp(prefix="smoldesk-spark-"))
        self._directory = _Directory(("127.0.0.1", 0), _Bind)
        threading.Thread(target=self._directory.serve_forever, daemon=True).start()
        self.port, self._ui = free_port(), free_port()
        home = Path(pyspark.origin).parent
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [home / "bin" / "spark-submit", *self._arguments()],
                cwd=self.folder,
                env={**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            come_true(self._listens, START_SECONDS)
        except AssertionError:
            tail = (self.folder / "log").read_text("utf-8", "replace")[-600:]
            self.remove()
            raise CannotHave(f"no Spark: it did not start: {tail}") from None

    def url(self, password: str = PASSWORD, database: str = "default") -> str:
        from sqlalchemy import URL

        created = URL.create("hive", READER, password, "127.0.0.1", self.port, database)
        return created.render_as_string(hide_password=False)

    def execute(self, *statements: str) -> None:
        """As somebody who may do anything."""
        from pyhive import hive

        session: Any = hive.connect("127.0.0.1", self.port, username=READER, password=PASSWORD, auth="LDAP")
        for statement in statements:
            session.cursor().execute(statement)
        session.close()

    def told(self, direction: str) -> Any:
        """What Spark itself says of what it ran: `sql`, `jobs`, `executors`, `stages`."""
        address = f"http://127.0.0.1:{self._ui}/api/v1/applications"
        (application,) = httpx.get(address, timeout=90).json()
        return httpx.get(f"{address}/{application['id']}/{direction}", timeout=90).json()

    def remove(self) -> None:
        """It takes its executors with it."""
        with contextlib.suppress(ProcessLookupError):  # it ended by itself
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(20)
        self._directory.shutdown()
        self._directory.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _listens(self) -> bool:
        assert self._process.poll() is None, "Spark ended"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _arguments(self) -> list[str]:
        hadoop = {
            "hive.server2.thrift.port": self.port,
            "hive.server2.thrift.bind.host": "127.0.0.1",
            "hive.server2.authentication": "LDAP",
            "hive.server2.authentication.ldap.url": f"ldap://127.0.0.1:{self._directory.server_address[1]}",
            "hive.metastore.uris": "thrift://127.0.0.1:1",
            "hive.metastore.connect.retries": 0,
            "hive.metastore.failure.retries": 0,
            "hive.metastore.client.connect.retry.delay": 0,
        }
        settings = {
            "spark.ui.port": self._ui,
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "ERROR",
            "spark.sql.shuffle.partitions": 2,
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.catalogImplementation": "in-memory",
            "spark.sql.warehouse.dir": self.folder / "warehouse",
            "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "spark.executor.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "spark.executor.memory": "512m",
            **{f"spark.hadoop.{key}": value for key, value in hadoop.items()},
        }
        all_settings = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
        started = ["--master", "local-cluster[2,1,512]", "--driver-memory", "512m", "--class", SERVER]
        hive = [part for key, value in hadoop.items() for part in ("--hiveconf", f"{key}={value}")]
        return [*started, *all_settings, "spark-internal", *hive]


class _Directory(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


class _Bind(socketserver.BaseRequestHandler):
    """As much of LDAP (RFC 4511) as a password is asked with: a simple bind, its names and passwords below 100 bytes."""

    def handle(self) -> None:
        while (requested := self.request.recv(1_000)) and requested[5] == 0x60:
            name_ends = 12 + requested[11]
            is_right = (
                requested[name_ends + 2 :] == PASSWORD.encode() and requested[12:name_ends] == READER.encode()
            )
            code = 0 if is_right else 49
            self.request.sendall(bytes([0x30, 12, 2, 1, requested[4], 0x61, 7, 10, 1, code, 4, 0, 4, 0]))
