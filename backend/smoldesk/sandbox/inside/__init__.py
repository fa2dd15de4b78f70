"""The code that runs inside a child process: cells, what they show, and the proxies of the host's tools.

It is started by file path under the name it has here, uses the standard library and (when
present) the scientific packages, and never imports the server. Whatever it sends is checked again on the
host.
"""
