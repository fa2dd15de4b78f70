"""Connections of a desk: the operator's, and those that people add from the page. They know no chats.

- `mcp_servers`: MCP servers; `chats.mcp_apps` has the views they show in a chat.
- `sources`: databases and their contents; `chats.source_files` makes files of their tables.
- `layer_feeds`: values of live layers from MQTT brokers.
- `models`: models that chats may choose, and whether they answer.
"""

from smoldesk.connections.layer_feeds import MqttFeeds
from smoldesk.connections.mcp_servers import DeskServers
from smoldesk.connections.models import Models
from smoldesk.connections.sources import Sources

__all__ = ["DeskServers", "Models", "MqttFeeds", "Sources"]
