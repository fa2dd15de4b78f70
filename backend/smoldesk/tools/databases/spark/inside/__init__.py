"""Code that runs in children: the PySpark session of cells, and the program that reads Arrow data."""
