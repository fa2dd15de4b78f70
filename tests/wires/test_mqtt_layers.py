"""Live layers of agents.toml over MQTT: a broker, what it sends, and what happens when it goes away."""

import time
from pathlib import Path
from typing import Any

import pytest

from smoldesk.connections import layer_feeds
from tests.support.desk_server import live_desk
from tests.support.mqtt_broker import Broker
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient

LAYER = """
[layers.temperature]
mqtt = "mqtt://{host}:{port}"
topic = "site/+/temperature"
user = "desk"
password_env = "BROKER_PASSWORD"
unit = "°C"
low = 0
high = 40
"""


def status(page: WsClient, **facts: Any) -> dict[str, Any]:
    """The next list whose layer has these values."""
    while True:
        [layer] = page.until("layers")["content"]["layers"]
        if all(layer.get(name) == value for name, value in facts.items()):
            return layer


def _fail(*_: Any) -> None:
    raise Exception("INSERT 21.5")


def test_messages_of_a_broker_repaint_pages_and_a_lost_one_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKER_PASSWORD", "geheim-7316")
    monkeypatch.setattr(layer_feeds, "FIRST_WAIT", 0.05)
    with Broker("geheim-7316") as broker:
        (tmp_path / "agents.toml").write_text(LAYER.format(host="127.0.0.1", port=broker.port))
        with live_desk(tmp_path) as live, WsClient(live.ws_url).greeted() as page:
            come_true(broker.subscribed)
            page.send(type="show_layer", layer="temperature")
            broker.publish("site/Kitchen/temperature", b"21.5")
            values = page.until("layer_values")["content"]
            assert values["rooms"] == [{"floorId": "1F", "name": "Kitchen"}]
            assert [stop["value"] for stop in values["legend"]["stops"]][::16] == [0, 40]

            now = time.time()
            broker.publish("site/x/temperature", b'{"room": "Room1", "value": 19, "time": %d}' % (now - 60))
            broker.publish("site/Kitchen/humidity", b"99")
            assert page.until("layer_values")["content"]["rooms"] == [{"floorId": "1F", "name": "Room1"}]
            for hostile in (b"warm", b"[" * 5_000, b"\xff\xfe", b'{"value": 1e999}', b"9" * 1_000_001):
                broker.publish("site/Kitchen/temperature", hostile)
            broker.publish("site/Attic/temperature", b"5")
            assert status(page, unknown=["Attic"])["problem"].startswith("site/Kitchen/temperature: ")

            with monkeypatch.context() as patch:
                patch.setattr(live.desk.layers, "add", _fail)
                broker.publish("site/Kitchen/temperature", b"22")
                assert "could not be stored (Exc" in status(page, state="unreachable")["problem"]
            broker.publish("site/Kitchen/temperature", b"22")
            status(page, state="live")
            states: list[str] = []
            note = live.desk.layers.note_feed
            with monkeypatch.context() as patch:
                patch.setattr(layer_feeds, "readings_of_message", _fail)
                patch.setattr(
                    live.desk.layers, "note_feed", lambda *facts: (states.append(facts[1]), note(*facts))
                )
                broker.publish("site/Kitchen/temperature", b"23")
                come_true(lambda: "unreachable" in states and states[-1] == "waiting")
            broker.publish("site/Kitchen/temperature", b"24")
            while page.until("layer_values")["content"]["frames"][-1]["values"] != [24.0]:
                pass

            broker.stop()
            lost = status(page, state="unreachable")
            assert lost["time"] and "geheim" not in str(lost)
            broker.start()
            status(page, state="live")
            come_true(broker.subscribed)
            broker.publish("site/Kitchen/temperature", b"30")
            while page.until("layer_values")["content"]["frames"][-1]["values"] != [30.0]:
                pass
            assert "geheim" not in str(page.seen)


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "[fd00:ec2::254]"]
)
def test_addresses_of_credentials_are_not_connected_to(tmp_path: Path, host: str) -> None:
    text = LAYER.replace("password_env", "# ").format(host=host, port=1883)
    (tmp_path / "agents.toml").write_text(text)
    with live_desk(tmp_path) as live, WsClient(live.ws_url).greeted() as page:
        assert "link-local" in status(page, state="unreachable")["problem"]
