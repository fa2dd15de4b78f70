"""Spark Connect servers for a test run: Spark itself (pip's `pyspark`, with a Java of 17 or newer), and Sail, without Java."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx

from tests.support.postgres import CannotHave
from tests.support.servers import free_port
from tests.support.waiting import come_true

TOKEN = "hunter2-of'spark"
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
START_SECONDS = 120
SAIL = """
import sys
from pysail.spark import SparkConnectServer
SparkConnectServer(ip="127.0.0.1", port=int(sys.argv[1])).start(background=False)
"""


class ConnectServer:
    """One server in a process group and a folder of its own."""

    def __init__(self, command: list[str], environment: dict[str, str], port: int, folder: Path) -> None:
        """Raises CannotHave."""
        self.port, self.folder = port, folder
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            come_true(self._listens, START_SECONDS)
        except AssertionError:
            tail = (folder / "log").read_text("utf-8", "replace")[-600:]
            self.remove()
            raise CannotHave(f"no Spark: it did not start: {tail}") from None

    @property
    def url(self) -> str:
        return f"sc://127.0.0.1:{self.port}"

    def session(self) -> Any:
        """A session of somebody who may do anything."""
        from pyspark.sql.connect.session import SparkSession

        return SparkSession.builder.remote(f"sc://localhost:{self.port}/;token={TOKEN}").create()

    def remove(self) -> None:
        with contextlib.suppress(ProcessLookupError):  # it ended by itself
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _listens(self) -> bool:
        assert self.process.poll() is None, "Spark ended"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class SparkServer(ConnectServer):
    """Spark on Java, in local mode; its pages tell what it ran."""

    def __init__(self) -> None:
        """Raises CannotHave."""
        home = _spark_home()
        folder = Path(tempfile.mkdtemp(prefix="smoldesk-spark-"))
        port, self._ui = free_port(), free_port()
        settings = {
            "spark.connect.grpc.binding.port": port,
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.authenticate.token": TOKEN,
            "spark.ui.port": self._ui,
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "ERROR",
            "spark.sql.shuffle.partitions": 2,
            "spark.sql.catalogImplementation": "in-memory",
            "spark.sql.warehouse.dir": folder / "warehouse",
            "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
        }
        pairs = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
        options = ["--master", "local[2]", "--driver-memory", "1g", "--class", SERVER]
        command = [str(home / "bin" / "spark-submit"), *options, *pairs, "spark-internal"]
        environment = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
        super().__init__(command, environment, port, folder)

    def report(self, path: str) -> Any:
        """What Spark itself says of what it ran: `sql`, `jobs`, `stages`."""
        address = f"http://127.0.0.1:{self._ui}/api/v1/applications"
        (application,) = httpx.get(address, timeout=90).json()
        return httpx.get(f"{address}/{application['id']}/{path}", timeout=90).json()


class SailServer(ConnectServer):
    """Sail: the same protocol over DataFusion."""

    def __init__(self) -> None:
        """Raises CannotHave."""
        if find_spec("pysail") is None:
            raise CannotHave("no Sail: the extra smoldesk[slow] is not installed")
        folder, port = Path(tempfile.mkdtemp(prefix="smoldesk-sail-")), free_port()
        super().__init__([sys.executable, "-c", SAIL, str(port)], {}, port, folder)


def _spark_home() -> Path:
    """Return the folder of Spark's programs: SPARK_HOME, or pip's package. Raises CannotHave."""
    if shutil.which("java") is None:
        raise CannotHave("no Spark: it wants a Java (a JRE of 17 or newer), and there is none")
    pyspark = find_spec("pyspark")
    folders = [
        os.environ.get("SPARK_HOME", ""),
        str(Path(pyspark.origin).parent) if pyspark and pyspark.origin else "",
    ]
    for folder in filter(None, folders):
        if (Path(folder) / "jars").is_dir():
            return Path(folder)
    raise CannotHave("no Spark: the extra smoldesk[slow] is not installed")
