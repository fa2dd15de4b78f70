"""Files that hold tables, read into DataFrames: what is in them, how code loads them, what is wrong with them where.

Runs in a child only: a parser meets bytes that nobody trusts. `read_tables(path)` is all that most callers need;
`read_file` also says how code would load each table and what could not be read; `report` is what the desk runs when a
file comes in. One module per kind of file; `encodings` and `separators` find out how a text file is written.
"""

from .reading import ENDINGS, read_file, read_tables
from .shapes import Problem, Reading, Table, Unreadable

__all__ = ["ENDINGS", "Problem", "Reading", "Table", "Unreadable", "read_file", "read_tables"]
