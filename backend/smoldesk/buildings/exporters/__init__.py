"""Exports of a building: IMDF, GeoJSON and the desk's own form. Importing an export gives the same building.

Pure: each module makes bytes of a `MapDefinitionContent`; `formats.py` lists them.
"""
