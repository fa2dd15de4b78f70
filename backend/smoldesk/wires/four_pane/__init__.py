"""The four-pane wire (spec/reference/interfacespec.md): `WS /ws`, the page's own protocol.

- `routes`: the socket; `requests`: parsing of client frames, pure; `encoder`: from events to messages, pure.
- `socket_writer`: sends messages and the list of open asks at the client's pace.
- `protocol_1_2`: conversion for older clients.
"""
