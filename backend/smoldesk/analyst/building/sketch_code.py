"""Plots of nothing but mathematics as code, to try the image pane: waves, and random data from a seed that is said."""

from smoldesk.analyst.building.intents import Sketch
from smoldesk.analyst.cell import Cell, literal
from smoldesk.analyst.language import Language, say, told

_WAVES = {"sine": (("sin",), "Sine wave", "サイン波"), "cosine": (("cos",), "Cosine wave", "コサイン波"),
    "both": (("sin", "cos"), "Sine and cosine waves", "サイン波とコサイン波")}  # fmt: skip
_NORMAL = ("values = generator.normal(size=1000)", "random_values")
_SERIES = ("values = generator.uniform(0, 100, size=100)", "random_series")
_RANDOM = {"hist": ("ax.hist(values, bins=30)", *_NORMAL), "box": ("ax.boxplot(values)", *_NORMAL),
    "line": ("ax.plot(np.arange(1, 101), values)", *_SERIES),
    "bar": ("ax.bar(np.arange(1, 101), values)", *_SERIES)}  # fmt: skip
_PAIRS = ("ax.scatter(x, y, alpha=0.6)", "x, y = generator.normal(size=(2, 200))", "random_pairs")
"""For each kind of plot how it is plotted, what is drawn from the generator, and the sentence that answers."""


def write_sketch(intent: Sketch, language: Language) -> Cell:
    """The code of a wave, or of a plot of random data."""
    cell = Cell()
    cell.use("np", "plt")
    if intent.what == "random":
        _random(cell, intent, language)
        return cell
    functions, english, japanese = _WAVES[intent.what]
    title = say(language, english, japanese)
    cell.add("x = np.linspace(0, 4 * np.pi, 400)", "", "fig, ax = plt.subplots()")
    if len(functions) == 1:
        cell.add(f"ax.plot(x, np.{functions[0]}(x))")
    else:
        cell.add(*(f'ax.plot(x, np.{name}(x), label="{name}(x)")' for name in functions), "ax.legend()")
    label = f"{functions[0]}(x)" if len(functions) == 1 else "y"
    cell.add(f'ax.set(title={literal(title)}, xlabel="x", ylabel="{label}")', "ax.grid(alpha=0.3)")
    cell.answer(literal(told("wave", language, wave=title)))
    return cell


def _random(cell: Cell, intent: Sketch, language: Language) -> None:
    drawn, made, sentence = _RANDOM.get(intent.plot, _PAIRS)
    title = say(language, "Random values", "ランダムな値")
    cell.add(f"generator = np.random.default_rng({intent.seed})", made)
    cell.add(*(["correlation = np.corrcoef(x, y)[0, 1]"] if sentence == "random_pairs" else []), "")
    cell.add("fig, ax = plt.subplots()", drawn, f'ax.set(title={literal(title)}, xlabel="x", ylabel="y")')
    cell.answer(f'f"{told(sentence, language, seed=intent.seed, count=100)}"')
