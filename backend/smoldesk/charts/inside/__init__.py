"""Chart code that runs in jailed children: standard library, and libraries where installed.

- `picture_program`: draws pictures of charts with vl-convert.
- `cell_charts`: charts in cells; `charts` and `plotly_charts` make them, `chart_rules` checks them.
"""
