"""NumPy and shapely as untyped modules: shapely's functions on arrays have no annotations that pyright can use."""

from typing import Any

import numpy
import shapely as _shapely

np: Any = numpy
shapely: Any = _shapely
