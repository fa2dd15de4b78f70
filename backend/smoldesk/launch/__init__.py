"""A desk for a person's own agent, launched from a script or a notebook.

- `desk_ui`: `DeskUI(agent).launch()`, the desk's counterpart of smolagents' GradioUI.
- `jupyter`: the page in a cell's output, and the origins that may show it.
"""
