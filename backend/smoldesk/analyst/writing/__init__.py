"""A data intent becomes Python: tables, figures, groups, plots, files, and the answer in words."""
