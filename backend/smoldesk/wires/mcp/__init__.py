"""The MCP wire: a server at /mcp for agents, with the official library, over streamable HTTP.

It supports both generations of the protocol, resumable. The library is imported with the first request (`routes`); `tools`
has the tools and resources of agents, `requests` their permissions, `models` their output.
"""
