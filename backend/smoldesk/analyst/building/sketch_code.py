"""Plots of nothing but mathematics as code, to try the image pane: waves, and random data from a seed that is said."""

from smoldesk.analyst.building.intents import Sketch
from smoldesk.analyst.cell import Cell, Value, fstring, literal
from smoldesk.analyst.language import Language, say

_WAVES = {
    "sine": (("sin",), "Sine wave", "サイン波"),
    "cosine": (("cos",), "Cosine wave", "コサイン波"),
    "both": (("sin", "cos"), "Sine and cosine waves", "サイン波とコサイン波"),
}


def write_sketch(intent: Sketch, language: Language) -> Cell:
    """The code of a wave, or of a plot of random data."""
    if intent.what == "random":
        return _random(intent, language, intent.seed)
    cell = Cell()
    cell.use("np", "plt")
    functions, english, japanese = _WAVES[intent.what]
    title = say(language, english, japanese)
    cell.add("x = np.linspace(0, 4 * np.pi, 400)", "", "fig, ax = plt.subplots()")
    if len(functions) == 1:
        cell.add(f"ax.plot(x, np.{functions[0]}(x))")
    else:
        cell.add(*(f'ax.plot(x, np.{name}(x), label="{name}(x)")' for name in functions), "ax.legend()")
    label = f"{functions[0]}(x)" if len(functions) == 1 else "y"
    cell.add(f'ax.set(title={literal(title)}, xlabel="x", ylabel="{label}")', "ax.grid(alpha=0.3)")
    cell.answer(
        literal(
            say(
                language,
                f"{english} over two periods, in the image pane.",
                f"{japanese}を2周期分描きました。",
            )
        )
    )
    return cell


def _random(intent: Sketch, language: Language, seed: int) -> Cell:
    cell = Cell()
    cell.use("np", "plt")
    cell.add(f"generator = np.random.default_rng({seed})")
    if intent.plot in ("hist", "box"):
        _values(cell, intent.plot, language, seed)
    elif intent.plot in ("line", "bar", "pie"):
        _series(cell, intent.plot, language, seed)
    else:
        _pairs(cell, language, seed)
    return cell


def _pairs(cell: Cell, language: Language, seed: int) -> None:
    title = say(language, "200 random points", "ランダムな200点")
    cell.add(
        "x, y = generator.normal(size=(2, 200))",
        "correlation = np.corrcoef(x, y)[0, 1]",
        "",
        "fig, ax = plt.subplots()",
        "ax.scatter(x, y, alpha=0.6)",
        f'ax.set(title={literal(title)}, xlabel="x", ylabel="y")',
    )
    figure = Value("correlation", ":.3f")
    cell.answer(
        fstring("ランダムな200点の散布図です。相関係数は ", figure, f" です（乱数の種は{seed}）。")
        if language == "ja"
        else fstring("200 random points, with a correlation of ", figure, f" (seed {seed}).")
    )


def _values(cell: Cell, plot: str, language: Language, seed: int) -> None:
    title = say(language, "1,000 random values", "ランダムな1,000個の値")
    drawn = "ax.boxplot(values)" if plot == "box" else "ax.hist(values, bins=30)"
    axes = say(language, "value, count", "値, 度数").split(", ")
    labels = f"ylabel={literal(axes[0])}"
    if plot == "hist":
        labels = f"xlabel={literal(axes[0])}, ylabel={literal(axes[1])}"
    cell.add(
        "values = generator.normal(size=1000)",
        "",
        "fig, ax = plt.subplots()",
        drawn,
        f"ax.set(title={literal(title)}, {labels})",
    )
    mean, spread = Value("values.mean()", ":.3f"), Value("values.std()", ":.3f")
    cell.answer(
        fstring("正規分布の乱数1,000個: 平均 ", mean, "、標準偏差 ", spread, f"（乱数の種は{seed}）。")
        if language == "ja"
        else fstring(
            "1,000 normal random values: average ", mean, ", standard deviation ", spread, f" (seed {seed})."
        )
    )


def _series(cell: Cell, plot: str, language: Language, seed: int) -> None:
    count = 100 if plot == "line" else 8
    title = say(language, f"{count} random values", f"ランダムな{count}個の値")
    drawn = {
        "line": "ax.plot(np.arange(1, 101), values)",
        "bar": "ax.bar(np.arange(1, 9), values)",
        "pie": 'ax.pie(values, labels=np.arange(1, 9), autopct="%.0f%%")',
    }[plot]
    labels = (
        ""
        if plot == "pie"
        else f", xlabel={literal(say(language, 'number', '番号'))}, ylabel={literal(say(language, 'value', '値'))}"
    )
    cell.add(
        f"values = generator.uniform(0, 100, size={count})",
        "",
        "fig, ax = plt.subplots()",
        drawn,
        f"ax.set(title={literal(title)}{labels})",
    )
    low, high = Value("values.min()", ":.1f"), Value("values.max()", ":.1f")
    cell.answer(
        fstring(f"0〜100の乱数{count}個: 最小 ", low, "、最大 ", high, f"（乱数の種は{seed}）。")
        if language == "ja"
        else fstring(
            f"{count} random values from 0 to 100: lowest ", low, ", highest ", high, f" (seed {seed})."
        )
    )
