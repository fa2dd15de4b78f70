"""Tables, figures, images and files: what a cell shows, with the real pandas and matplotlib."""

import struct
from datetime import datetime

import pytest
from pyarrow import parquet

from smoldesk.sandbox.cell import CellTable, ProducedFile
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor


def rows_of(desk, table):
    """All rows in the file behind a table."""
    return [list(row.values()) for row in parquet.read_table(desk.folder / table.path).to_pylist()]


def shown_columns(table):
    """(name, kind) of a table's columns."""
    return [(column["name"], column["kind"]) for column in table.columns]


def size_of_png(path):
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:24])


def test_a_table_as_last_value_is_shown_and_told_in_words(science_desk):
    code = """
import pandas as pd
days = pd.to_datetime(["2024-01-05", "2024-01-06 12:30"], format="ISO8601")
rooms = pd.DataFrame({"room": ["Kitchen", None], "temp": [21.5, float("nan")], "n": [1, 2]})
rooms["ok"] = [True, False]
rooms["day"] = days
rooms"""
    result = science_desk.run(code)
    (table,) = result.output_items
    assert isinstance(table, CellTable)
    assert (table.name, table.row_count) == ("rooms", 2)
    assert shown_columns(table) == [
        ("room", "text"),
        ("temp", "number"),
        ("n", "number"),
        ("ok", "bool"),
        ("day", "date"),
    ]
    assert [column["type"] for column in table.columns][1:4] == ["double", "int64", "bool"]
    assert table.rows == [
        ["Kitchen", 21.5, 1, True, "2024-01-05"],
        [None, None, 2, False, "2024-01-06T12:30:00"],
    ]
    days = [datetime(2024, 1, 5), datetime(2024, 1, 6, 12, 30)]
    assert rows_of(science_desk, table) == [
        ["Kitchen", 21.5, 1, True, days[0]],
        [None, None, 2, False, days[1]],
    ]
    assert table.path.startswith(".smoldesk/tables/") and table.path.endswith(".parquet")
    assert "Kitchen" in result.output


def test_an_index_that_says_something_is_a_column(science_desk):
    code = (
        "import pandas as pd\nd = pd.DataFrame({'a': [1, 2, 4], 'g': ['x', 'y', 'x']})\nd.groupby('g').sum()"
    )
    (table,) = science_desk.run(code).output_items
    assert ([c["name"] for c in table.columns], table.rows) == (["g", "a"], [["x", 5], ["y", 2]])
    (table,) = science_desk.run("d['a'].describe()").output_items
    assert table.columns[0]["name"] == "index"
    assert table.rows[0] == ["count", 3.0]
    (table,) = science_desk.run("d.groupby('g').agg(['min', 'max'])").output_items
    assert [c["name"] for c in table.columns] == ["g", "a / min", "a / max"]
    (table,) = science_desk.run("d.groupby(['g', 'a']).size()").output_items
    assert [c["name"] for c in table.columns] == ["g", "a", "value"]


def test_a_large_table_is_previewed_and_kept_whole(science_desk):
    code = "import pandas as pd, numpy as np\nbig = pd.DataFrame({'n': np.arange(120_000)})\nbig"
    (table,) = science_desk.run(code).output_items
    assert (table.row_count, len(table.rows)) == (120_000, 50)
    assert len(rows_of(science_desk, table)) == 120_000


@pytest.mark.parametrize(
    ("made", "kind", "rows"),
    [
        ("[2**60, 1]", "number", [str(2**60), 1]),
        ("[float('inf'), 1.5]", "number", [None, 1.5]),
        ("[[1, 2], {'a': 1}]", "text", ["[1, 2]", "{'a': 1}"]),
        ("[1 + 2j]", "text", ["(1+2j)"]),
        ("pd.Series([True, None], dtype='boolean')", "bool", [True, None]),
        ("pd.Series([1, None], dtype='Int64')", "number", [1, None]),
        ("pd.Series(['a', None], dtype='category')", "text", ["a", None]),
        ("pd.to_timedelta(['1 day'])", "text", ["1 days 00:00:00"]),
        (
            "pd.to_datetime(['2024-01-05', None]).tz_localize('UTC')",
            "date",
            ["2024-01-05T00:00:00+00:00", None],
        ),
        ("[__import__('datetime').date(2024, 2, 29)]", "date", ["2024-02-29"]),
        ("[__import__('decimal').Decimal('1.5')]", "number", [1.5]),
        ("pd.Series([], dtype=object)", "text", []),
    ],
)
def test_columns_of_every_kind_become_plain(science_desk, made, kind, rows):
    (table,) = science_desk.run(f"import pandas as pd\npd.DataFrame({{'c': {made}}})").output_items
    assert shown_columns(table) == [("c", kind)]
    assert len(rows_of(science_desk, table)) == len(rows)
    assert [row[0] for row in table.rows] == rows


def test_a_column_of_values_of_several_types_becomes_text_and_that_is_said(science_desk):
    code = "import pandas as pd\nt = pd.DataFrame({'mixed': [1, 'a', None], 'whole': [1, 2, 3]})\nt"
    result = science_desk.run(code)
    (table,) = result.output_items
    assert [column.get("as_text", False) for column in table.columns] == [True, False]
    assert rows_of(science_desk, table) == [["1", 1], ["a", 2], [None, 3]]
    assert "kept as text" in result.printed and "mixed" in result.printed and "whole" not in result.printed


def test_columns_beyond_the_bound_are_left_out_and_that_is_said(science_desk):
    result = science_desk.run("import pandas as pd\npd.DataFrame([range(400)])")
    (table,) = result.output_items
    assert len(table.columns) == len(table.rows[0]) == len(rows_of(science_desk, table)[0]) == 300
    assert "the first 300 of 400 columns" in result.printed


def test_names_that_repeat_or_are_no_text_are_taken_as_they_are(science_desk):
    code = "import pandas as pd\npd.DataFrame([[1, 2, 3]], columns=['a', 'a', 5], index=['r'])"
    (table,) = science_desk.run(code).output_items
    assert [c["name"] for c in table.columns] == ["index", "a", "a", "5"]
    assert table.rows == [["r", 1, 2, 3]]
    names = parquet.read_schema(science_desk.folder / table.path).names
    assert names == ["index", "a", "a_2", "5"]


def test_an_open_figure_is_shown_once_and_closed(science_desk):
    code = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 3, 2]);"
    (figure,) = science_desk.run(code).output_items
    assert isinstance(figure, ProducedFile)
    assert (figure.kind, figure.path.startswith(".smoldesk/figures/")) == ("figure", True)
    assert figure.size == (science_desk.folder / figure.path).stat().st_size
    width, _height = size_of_png(science_desk.folder / figure.path)
    assert width > 650
    assert science_desk.run("plt.get_fignums()").value == []
    assert science_desk.executor.last.output_items == []


@pytest.mark.parametrize(
    "code",
    [
        "plt.plot([1, 2]); plt.show()",
        "fig, ax = plt.subplots(); display(fig)",
        "fig, ax = plt.subplots(); fig.show()",
        "fig, ax = plt.subplots()\nfig",
        "fig, ax = plt.subplots()\nfinal_answer(fig)",
        "plt.plot([1, 2])\nfinal_answer('done')",
        "plt.plot([1, 2])\n1 / 0",
    ],
)
def test_a_figure_is_shown_once_however_it_is_shown(science_desk, code):
    result = science_desk.run(f"import matplotlib.pyplot as plt\n{code}")
    assert [item.kind for item in result.output_items] == ["figure"]
    assert result.printed == ""


def test_things_are_shown_in_order(science_desk):
    code = """
import matplotlib.pyplot as plt, pandas as pd
plt.plot([1]); plt.show()
display(pd.DataFrame({"a": [1]}), "some words")
plt.plot([2]); plt.show()
open("note.txt", "w").write("x")
plt.plot([3])
pd.DataFrame({"b": [2]})"""
    result = science_desk.run(code)
    kinds = [
        item.kind if isinstance(item, ProducedFile) else item.columns[0]["name"]
        for item in result.output_items
    ]
    assert kinds == ["figure", "a", "figure", "b", "figure", "file"]
    assert [item.name for item in result.output_items if isinstance(item, CellTable)] == [
        "a",
        "pd.DataFrame({'b': [2]})",
    ]
    assert result.printed == "'some words'\n"


def test_a_figure_saved_by_the_cell_is_reported_as_that_file_only(science_desk):
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('plot.png')\nplt.show()"
    assert [(f.kind, f.path) for f in science_desk.run(code).output_items] == [("figure", "plot.png")]
    code = "plt.plot([1, 2])\nplt.savefig('paper.pdf')"
    kinds = [(f.kind, f.path.split(".")[-1]) for f in science_desk.run(code).output_items]
    assert kinds == [("figure", "png"), ("file", "pdf")]
    code = "import io\nplt.plot([1, 2])\nplt.savefig(io.BytesIO())"
    assert [f.kind for f in science_desk.run(code).output_items] == ["figure"]


@pytest.mark.parametrize(
    ("names", "drawn", "turned"),
    [
        ("['First', 'Second', 'Third']", "plot.bar()", 0),
        ("['一等', '二等', '三等']", "plot.bar()", 0),
        ("[f'a rather long name {n}' for n in range(12)]", "plot.bar()", 90),
        ("['First', 'Second', 'Third']", "plot.bar(rot=45)", 45),
    ],
    ids=["short", "japanese", "too-long", "turned-on-purpose"],
)
def test_labels_of_bars_stand_upright_where_they_fit(science_desk, names, drawn, turned):
    code = f"""
import pandas as pd
names = {names}
ax = pd.Series(range(1, len(names) + 1), index=names).{drawn}
fig = ax.figure
fig.show()
print([label.get_rotation() for label in ax.get_xticklabels()])"""
    result = science_desk.run(code)
    assert result.printed.strip() == str([float(turned)] * (12 if turned == 90 else 3))
    assert [item.kind for item in result.output_items] == ["figure"]


@pytest.mark.parametrize(("chosen", "below"), [("", True), ("loc='upper left'", False)])
def test_a_legend_covers_nothing_unless_its_place_was_chosen(science_desk, chosen, below):
    code = f"""
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
for name in ("north", "south", "west"):
    ax.plot([1, 5], [2, 3], label=name)
ax.legend({chosen})
fig.show()
legend = ax.get_legend()
print(legend.get_window_extent().y1 <= ax.bbox.y0, [text.get_text() for text in legend.get_texts()])"""
    result = science_desk.run(code)
    assert result.printed.strip() == f"{below} ['north', 'south', 'west']"


def test_legends_of_two_axes_stand_below_each_other_as_they_were_chosen(science_desk):
    code = """
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
ax.plot([1, 5], label="sales")
other = ax.twinx()
other.plot([9, 2], label="visits")
ax.legend(title="Left", frameon=False)
other.legend(title="Right")
fig.show()
first, second = (each.get_legend() for each in (ax, other))
print(first.get_window_extent().y0 >= second.get_window_extent().y1, first.get_frame_on(), first.get_title().get_text())"""
    assert science_desk.run(code).printed.strip() == "True False Left"


def test_labels_of_a_plot_have_11_css_pixels_where_a_phone_shows_it(science_desk):
    code = """
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
ax.bar(["a", "b"], [30, 60])
ax.set(title="By class", xlabel="class", ylabel="%")
fig.show()
print(min(label.get_fontsize() for label in ax.get_xticklabels() + ax.get_yticklabels()))"""
    result = science_desk.run(code)
    (figure,) = result.output_items
    width, _height = size_of_png(science_desk.folder / figure.path)
    pixels = float(result.printed) * 144 / 72
    assert pixels * 358 / width >= 11, (width, pixels)


def test_a_figure_that_cannot_be_drawn_is_a_note_and_no_more(science_desk):
    code = "import matplotlib.pyplot as plt\nplt.title('$\\\\frac{broken$')\n'ok'"
    result = science_desk.run(code)
    assert (result.output, result.output_items) == ("ok", [])
    assert "a figure could not be drawn" in result.printed


def test_japanese_in_a_chart_has_glyphs_also_under_seaborns_theme(science_desk):
    code = (
        "import matplotlib.pyplot as plt, seaborn as sns\nsns.set_theme()\nplt.title('気温と湿度')\n'drawn'"
    )
    result = science_desk.run(code)
    assert (result.printed, len(result.output_items)) == ("", 1)


def test_charts_have_the_desks_style(tmp_path):
    children = Children(preload=("matplotlib.pyplot",), max_children=1)
    try:
        executor = SandboxExecutor(children.child("style", tmp_path))
        code = "import matplotlib as m\nr = m.rcParams\n"
        code += "[r['savefig.dpi'], r['axes.prop_cycle'].by_key()['color'][0]]"
        executor(code)
        assert executor.last.value == [144, "#3b6fe0"]  # pyright: ignore[reportOptionalMemberAccess]
        executor.cleanup()
    finally:
        children.close()


def test_a_picture_is_shown(science_desk):
    code = "from PIL import Image\nImage.new('RGB', (40, 30), 'red')"
    (picture,) = science_desk.run(code).output_items
    assert size_of_png(science_desk.folder / picture.path) == (40, 30)


def test_an_answer_that_is_a_table_is_shown_and_told(science_desk):
    result = science_desk.run("import pandas as pd\nfinal_answer(pd.DataFrame({'a': [7]}))")
    assert [type(item) for item in result.output_items] == [CellTable]
    assert (result.is_final_answer, result.value) == (True, None)
    assert "7" in science_desk.output.output


def test_an_answer_of_numpy_values_is_plain(science_desk):
    code = "import numpy as np\nfinal_answer({'mean': np.float64(1.5), 'n': np.arange(3), 'gap': np.nan})"
    assert science_desk.run(code).value == {"mean": 1.5, "n": [0, 1, 2], "gap": None}


def test_tables_travel_to_and_from_tools(science_desk):
    desk = science_desk
    desk.tool("measure", lambda _request: None, data="any")
    desk.tool("rows", lambda _request: None)
    desk.tool("from_file", lambda _request: None)
    rows = {"kind": "rows", "columns": ["room", "t"], "rows": [["Kitchen", 21.5], ["Toilet", None]]}
    desk.host.answers["rows"] = lambda _request: rows

    def write(_request):
        (desk.folder / "result.csv").write_text("a,b\n1,x\n")
        return {"kind": "table_file", "name": "result.csv"}

    desk.host.answers["from_file"] = write
    code = "import pandas as pd\ndays = pd.to_datetime(['2024-01-01', None])\n"
    code += "measure(pd.DataFrame({'a': [1, 2], 'd': days}))\n"
    code += (
        "measure(pd.Series([1.5, float('nan')]))\n[rows()['t'].isna().tolist(), from_file()['b'].tolist()]"
    )
    result = desk.run(code)
    assert result.value == [[False, True], ["x"]]
    assert result.output_items == []  # what the host wrote is not the cell's
    sent = [request.kwargs["data"] for request in desk.host.requests if request.tool == "measure"]
    assert sent == [{"a": [1, 2], "d": ["2024-01-01T00:00:00", None]}, [1.5, None]]


def test_the_bundled_datasets_load_without_a_network(science_desk):
    code = "import seaborn as sns\nsns.load_dataset('measurement')['temperature'].tolist()"
    assert science_desk.run(code).value == [21.5]
