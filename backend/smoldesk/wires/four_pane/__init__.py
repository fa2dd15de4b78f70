"""The four-pane wire (spec/reference/interfacespec.md): `WS /ws`, the page's own protocol.

- `routes`: a socket, served; `requests`: client frames, pure; `encoder`: from events to messages, pure.
- `socket_writer`: sends them, and the list of open asks, at the client's pace.
- `protocol_1_2`: what older clients get instead.
"""
