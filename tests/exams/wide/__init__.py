"""Sets of small tables from many trades, each with questions as different people put them; one module for each language.

They are written down under `cases/` as `wide_*.jsonl`, the tables as `csv` within the cases.
"""
