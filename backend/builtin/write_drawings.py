"""Plots of nothing but mathematics, to try the image pane."""

from backend.builtin.cell import Cell, Value, fstring, literal
from backend.builtin.figures import say
from backend.builtin.intents import Draw, Language


def write_drawing(intent: Draw, language: Language) -> Cell:
    """The code of a sine or cosine wave, or of a random scatter plot."""
    cell = Cell()
    cell.use("np", "plt")
    if intent.what == "random":
        title = say(language, "200 random points", "ランダムな200点")
        cell.add(
            "generator = np.random.default_rng()",
            "x, y = generator.normal(size=(2, 200))",
            "",
            "fig, ax = plt.subplots()",
            "ax.scatter(x, y, alpha=0.6)",
            f'ax.set(title={literal(title)}, xlabel="x", ylabel="y")',
        )
        answer = say(
            language,
            "A scatter plot of 200 random points; their correlation is ",
            "ランダムな200点の散布図です。相関係数は ",
        )
        cell.answer(fstring(answer, Value("np.corrcoef(x, y)[0, 1]", ":.3f"), say(language, ".", " です。")))
        return cell
    function, english, japanese = {
        "sine": ("sin", "Sine wave", "サイン波"),
        "cosine": ("cos", "Cosine wave", "コサイン波"),
    }[intent.what]
    title = say(language, english, japanese)
    cell.add(
        "x = np.linspace(0, 4 * np.pi, 400)",
        f"y = np.{function}(x)",
        "",
        "fig, ax = plt.subplots()",
        "ax.plot(x, y)",
        f'ax.set(title={literal(title)}, xlabel="x", ylabel="{function}(x)")',
        "ax.grid(alpha=0.3)",
    )
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
