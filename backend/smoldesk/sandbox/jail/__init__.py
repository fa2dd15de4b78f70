"""The layers that keep model-written code from the machine: one module each, in the order they are taken.

All of it runs in the process that is about to be jailed (`enter` is the order), on the standard library
alone. `probe` finds out, by using them, which layers this machine gives. The picture is in
`spec/reference/sandbox.md`.
"""
