"""Reading messy cells by hand, independently of the analyst."""

import pandas as pd


def number(column: pd.Series) -> pd.Series:
    """Text such as "1,234", "$5.50", "¥1,200", "12%" as numbers; blanks stay blank."""
    return column.astype("string").str.replace(r"[,$€¥%]", "", regex=True).astype("Float64").astype("float64")
