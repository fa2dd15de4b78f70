"""Attacks on the jail: code that runs in a cell, and how the host judges that it succeeded.

`catalogue` collects them, `world` is what they are aimed at, `runner` tries them under one set of layers.
"""
