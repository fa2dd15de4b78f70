"""Names of variables in code, found by its tokens: rather too many than too few, since a name costs one more run.

Code that a model wrote is not parsed here (that is for jailed children).
"""

import re
from collections.abc import Iterable, Sequence

_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_ASSIGNED = re.compile(r"^\s*([^\n=()\[\]#'\"]+?)\s*(?:[-+*/|&^%@]|//|\*\*|<<|>>)?=(?!=)", re.MULTILINE)
_DEFINED = re.compile(r"\b(?:def|class|import|as|for)\s+([^\n:=(]+)|([^\W\d]\w*)\s*:=")
# A line that gives names new values, whatever they were: `df = ...`, `a, b = ...`, `import x`, `def f(...)`.
_SET = re.compile(
    r"([^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)\s*=(?!=)(.*)|(?:import|from|def|class)\s(.*)", re.DOTALL
)


def names_in(cells: Iterable[str]) -> set[str]:
    """Return all names that cells have, also those in texts."""
    return {name for cell in cells for name in _NAME.findall(cell)}


def bound_names(cells: Iterable[str]) -> set[str]:
    """Return all names that cells may give a value."""
    parts = [
        "".join(match.groups(""))
        for cell in cells
        for pattern in (_ASSIGNED, _DEFINED)
        for match in pattern.finditer(cell)
    ]
    return names_in(parts)


def free_names(cells: Sequence[str]) -> set[str]:
    """Return the names that cells may read before they set them."""
    free: set[str] = set()
    bound: set[str] = set()
    for line in "\n".join(cells).splitlines():
        match = _SET.match(line)
        if match is None:
            free |= names_in([line]) - bound
        elif match[3] is not None:
            bound |= names_in([match[3].partition("(")[0]])
        else:
            free |= names_in([match[2]]) - bound
            bound |= names_in([match[1]])
    return free
