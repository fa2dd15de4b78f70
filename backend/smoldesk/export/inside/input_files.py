# type: ignore
# ruff: noqa: F821, T201
"""Files that this notebook reads, by the SHA-256 of their bytes. Small ones are embedded and written beside it."""

import base64
import gzip
import hashlib
import pathlib

_missing = []
for _name, _hash in INPUTS.items():
    _file = pathlib.Path(_name)
    if not _file.exists() and _name in CONTENTS:
        _file.write_bytes(gzip.decompress(base64.b64decode(CONTENTS[_name])))
    if not _file.is_file():
        _missing.append(_name)
        _which = f"the file with SHA-256 {_hash}" if _hash else "it, which was not in the chat any more,"
        print(f"{_name} is missing: put {_which} beside this notebook.")
    elif _hash and hashlib.sha256(_file.read_bytes()).hexdigest() != _hash:
        print(f"{_name} is another file than then: what follows may differ.")
if INPUTS and not _missing:
    print(f"{len(INPUTS)} input file(s): all here.")
