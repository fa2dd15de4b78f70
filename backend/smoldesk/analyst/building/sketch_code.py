"""Code for charts without tables, to try smoldesk: waves, and random data whose seed is part of the answer."""

from smoldesk.analyst.building.intents import Sketch
from smoldesk.analyst.cell import Cell, chart_lines, literal
from smoldesk.analyst.language import Language, localize, render
from smoldesk.charts.inside import chart_forms as forms

_WAVES = {"sine": (("sin",), "Sine wave", "サイン波"), "cosine": (("cos",), "Cosine wave", "コサイン波"),
    "both": (("sin", "cos"), "Sine and cosine waves", "サイン波とコサイン波")}  # fmt: skip
_NORMAL = ('{"value": generator.normal(size=1000)}', "random_values")
_SERIES = ('{"n": range(1, 101), "value": generator.uniform(0, 100, size=100)}', "random_series")
_N, _VALUE, _SIDES = {"field": "n"}, {"field": "value"}, ({"field": "x"}, {"field": "y"})
_BARS = forms.groups("bar", forms.in_order("n"), _VALUE)
_RANDOM = {"hist": (forms.histogram(_VALUE, "n", bins=30), *_NORMAL), "box": (forms.boxes(_VALUE), *_NORMAL),
    "line": (forms.groups("line", _N, _VALUE), *_SERIES), "bar": (_BARS, *_SERIES)}  # fmt: skip
# Spec of the chart, source of the random data, and name of the answer's sentence; likewise in `_RANDOM`.
_PAIRS = (forms.points(*_SIDES), '{side: generator.normal(size=200) for side in "xy"}', "random_pairs")


def write_sketch(intent: Sketch, language: Language) -> Cell:
    """Return the code of a wave, or of a plot of random data."""
    cell = Cell()
    if intent.what == "random":
        _random(cell, intent, language)
        return cell
    functions, english, japanese = _WAVES[intent.what]
    title = localize(language, english, japanese)
    waves = ", ".join(f'"{name}(x)": np.{name}(x)' for name in functions)
    cell.add("x = np.linspace(0, 4 * np.pi, 400)")
    cell.add(f'data = pd.DataFrame({{"x": x, {waves}}}).melt("x", var_name="wave", value_name="y")')
    cell.add(*chart_lines("data", title, forms.curves(*_SIDES, "wave")))
    cell.answer(literal(render("wave", language, wave=title)))
    return cell


def _random(cell: Cell, intent: Sketch, language: Language) -> None:
    spec, source, sentence = _RANDOM.get(intent.plot, _PAIRS)
    cell.add(f"generator = np.random.default_rng({intent.seed})", f"data = pd.DataFrame({source})")
    cell.add("correlation = data.x.corr(data.y)" if sentence == "random_pairs" else "values = data.value")
    cell.add(*chart_lines("data", localize(language, "Random values", "ランダムな値"), spec))
    cell.answer(f'f"{render(sentence, language, seed=intent.seed, count=100)}"')
