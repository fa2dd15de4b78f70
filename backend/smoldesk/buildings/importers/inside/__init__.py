"""Reading a person's building files inside a child: our JSON, an image with its rectangles, GeoJSON; and the images.

`report.py` is what the desk asks; the three formats have a module each and end in the same `Draft`.
"""
