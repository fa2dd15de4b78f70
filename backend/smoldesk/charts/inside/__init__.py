"""Code of charts that runs in jailed children: the standard library, and libraries that are there.

- `picture_program`: pictures of charts, by vl-convert.
- `cell_charts`: what cells have of charts; `charts` and `plotly_charts` make them, by the rules of `chart_rules`.
"""
