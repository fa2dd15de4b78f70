"""Nodes: other machines that run processes of chats for a desk.

On the desk, `listener` accepts connections, `node` is one connected machine, `node_process` one process there. On the
node, `node_agent` forks processes and `served_child` connects each with the desk. `authority` and `membership` decide who may
connect, `secure_stream` and `file_exchange` are used by both sides. The page for operators is spec/reference/nodes.md.
"""
