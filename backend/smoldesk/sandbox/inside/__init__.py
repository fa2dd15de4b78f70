"""Code that runs inside a child process: cells, their outputs, and the proxies of the host's tools.

It is started by file path under the name it has here, uses the standard library and (if present) the scientific
packages, and never imports the server. The host checks again what it sends.
"""
