"""A live layer of 1,000 sensors at 1 Hz: from an MQTT broker to the painted page, and the processors that it takes.

The broker is amqtt in a process of its own (`pip install --no-deps amqtt`: it pins an old websockets), the page is in a real
browser. A sample is the time from the first message of a second to the frame that shows this second. Run it alone:
`python -m bench.live [SECONDS]`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from bench.browsing import chromium
from tests.support.desk_server import DeskProcess, live_desk
from tests.support.servers import free_port

SENSORS = 1_000
BROKER = """
import asyncio, sys
from amqtt.broker import Broker
async def main():
    listeners = {"default": {"type": "tcp", "bind": "127.0.0.1:" + sys.argv[1]}}
    plugins = {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}}
    await Broker({"listeners": listeners, "plugins": plugins}).start()
    await asyncio.Event().wait()
asyncio.run(main())
"""
WATCH = """() => {
    window.lags = [];
    let shown = "";
    const time = document.querySelector(".map-time");
    new MutationObserver(() => {
        if (time.textContent === shown) return;
        shown = time.textContent;
        const second = new Date();
        const [h, m, s] = time.textContent.match(/\\d+/g).map(Number);
        second.setHours(h, m, s, 0);
        requestAnimationFrame(() => setTimeout(() => window.lags.push(Date.now() - second.getTime())));
    }).observe(time, { childList: true, characterData: true, subtree: true });
}"""


def building() -> dict[str, Any]:
    """One floor of 25 by 40 rooms."""
    rooms = [
        {
            "name": f"Room {at}",
            "topLeft": {"x": at % 40 * 10, "y": at // 40 * 10},
            "bottomRight": {"x": at % 40 * 10 + 9, "y": at // 40 * 10 + 9},
        }
        for at in range(SENSORS)
    ]
    corners = [{"px": x, "py": y, "x": x, "y": y} for x, y in ((0, 0), (400, 250))]
    system = {"topLeft": corners[0], "bottomRight": corners[1]}
    floor = {
        "floorId": "1F",
        "floorName": "1F",
        "floorImage": "",
        "coordinateSystem": system,
        "rectangles": rooms,
    }
    return {"floors": [floor], "bitmaps": []}


def publish(port: int, seconds: float) -> int:
    """Send each sensor's value once a second, spread over the second; return the count."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", port)
    client.loop_start()
    sent = 0
    start = time.time()
    while (now := time.time()) < start + seconds:
        while sent < (now - start) * SENSORS:
            row = json.dumps({"value": 20 + sent % 7, "time": time.time()})
            client.publish(f"site/Room {sent % SENSORS}/temperature", row)
            sent += 1
        time.sleep(0.005)
    client.disconnect()
    client.loop_stop()
    return sent


def cpu(pid: int) -> float:
    """Return the processor seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(seconds: float) -> dict[str, float]:
    """Return the figures of one run."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        with live_desk(folder) as live, live.client(timeout=120) as client:
            files = {"file": ("plan.json", json.dumps(building()).encode())}
            answer = client.post("/api/buildings", files=files, data={"name": "Sensors"})
            answer.raise_for_status()
            building_id = answer.json()["buildingId"]
        address = f'mqtt = "mqtt://127.0.0.1:{port}"\ntopic = "site/+/temperature"'
        layer = f'[layers.temperature]\n{address}\nbuilding = "{building_id}"\n'
        (folder / "agents.toml").write_text(layer)
        broker = subprocess.Popen([sys.executable, "-c", BROKER, str(port)], stderr=subprocess.DEVNULL)
        desk = DeskProcess(folder, free_port(), cold=True)
        try:
            desk.wait_until_up()
            chat_id = httpx.post(f"{desk.url}/api/chats").json()["id"]
            httpx.patch(
                f"{desk.url}/api/chats/{chat_id}", json={"buildingId": building_id}
            ).raise_for_status()
            with chromium() as browser:
                page = browser.new_page()
                page.goto(f"{desk.url}/#chat={chat_id}")
                page.locator(".map-live-button").click()
                page.get_by_role("switch").click()
                publish(port, 3)
                page.wait_for_selector(".map-time:not(:empty)")
                page.evaluate(WATCH)
                metrics = page.context.new_cdp_session(page)
                metrics.send("Performance.enable")
                before, busy = cpu(desk.process.pid), _busy(metrics)
                sent = publish(port, seconds)
                page.wait_for_timeout(1_000)
                lags = sorted(page.evaluate("window.lags"))
                rooms = int(page.locator(".map-viewer").get_attribute("data-highlights") or 0)
                return {
                    "messages": sent,
                    "rooms": rooms,
                    "samples": len(lags),
                    "lag p50 ms": lags[len(lags) // 2],
                    "lag p95 ms": lags[int(len(lags) * 0.95)],
                    "server %": 100 * (cpu(desk.process.pid) - before) / seconds,
                    "page %": 100 * (_busy(metrics) - busy) / seconds,
                }
        finally:
            desk.terminate()
            broker.kill()


def _busy(metrics: Any) -> float:
    found = metrics.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in found if metric["name"] == "TaskDuration")


if __name__ == "__main__":
    for name, value in measure(float(sys.argv[1]) if len(sys.argv) > 1 else 30).items():
        print(f"{name}: {value:,.1f}")
