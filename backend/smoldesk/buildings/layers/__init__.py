"""Live layers: values of rooms that arrive over time, and the history that the playback slider shows. Pure.

- `entries`: layers that agents.toml declares; `rows`: readings from JSON, CSV and MQTT messages.
- `layer_history`: bounded frames; `painted`: messages of them.
"""
