"""The wire of agents that talk to each other: an MCP server at /mcp, by the official library, over streamable HTTP.

Both generations of the protocol, resumable. Nothing of the library is imported until the first request (`routes`);
`tools` says what an agent can call and read, `requests` who may, `models` what it gets.
"""
