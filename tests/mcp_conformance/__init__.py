"""The official MCP conformance suite against this desk's own /mcp: `python -m tests.mcp_conformance`."""
