"""Answers that are a table, a figure, a dict or a mixture, as code; and the signs of a Python repr."""

import re

from tests.support.scripted_model import code

SETUP = """
import datetime, decimal
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
df = pd.DataFrame({"room": ["hall", "attic"], "n": [1, 2]})
spec = {"mark": "bar", "encoding": {"x": {"field": "room"}, "y": {"field": "n", "type": "quantitative"}}}
def plot():
    fig, ax = plt.subplots()
    ax.plot([1, 2])
    return fig, ax
"""
SIZE = "Table with 2 rows and 2 columns."
# Of each kind: the answer, and its text.
KINDS = {
    "table": ("df", SIZE),
    "figure": ("fig", "An image."),
    "dict": ("{'mean': np.float64(1.5)}", "| Name | Value |\n| --- | ---: |\n| mean | 1.5 |"),
    "mixture": ("{'rooms': df, 'n': np.int64(2), 'plot': fig}", "**n**: 2\n\n**plot**: An image."),
}
# Signs of a Python repr, and of markup that was not escaped.
REPR = re.compile(r"np\.\w+\(|DataFrame\(|Timestamp\(|dtype|<\w+[ .>].*>|\{'|Decimal\(| at 0x")


def answering(answer: str) -> str:
    """Return a reply with that answer, and with an open figure if the answer needs one."""
    figure = "fig, ax = plot()\n" if re.search(r"\b(fig|ax)\b", answer) else ""
    return code(SETUP + figure + answer)


def answer_of(kind: str) -> str:
    """Return a reply whose answer is of that kind."""
    return answering(f"final_answer({KINDS[kind][0]})")
