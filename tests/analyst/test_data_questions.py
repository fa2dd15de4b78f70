"""Questions about tables: the code is really run, and figures checked against pandas used independently."""

import pandas as pd
import pytest

from tests.analyst.desk import Desk, Seen


def figures(seen: Seen) -> dict[str, float]:
    """The bulleted figures of an answer: name to number."""
    lines = [line[2:].rsplit(": ", 1) for line in seen.answer.splitlines() if line.startswith("- ")]
    return {name: float(value.removesuffix(" %").replace(",", "")) for name, value in lines}


def assert_figures(seen: Seen, expected: "pd.Series[float]", within: float = 0.006) -> None:
    wanted = {
        ", ".join(map(str, name)) if isinstance(name, tuple) else str(name): float(value)
        for name, value in expected.items()
    }
    assert figures(seen) == pytest.approx(wanted, abs=within)


TITANIC_STATISTICS = [
    "Load the Titanic dataset and show me basic statistics",
    "タイタニックのデータを読み込んで基本統計を見せて",
]


@pytest.mark.parametrize("request_", TITANIC_STATISTICS)
def test_titanic_statistics_lead_with_key_figures_and_show_a_table_and_plots(
    desk: Desk, request_: str
) -> None:
    seen = desk.ask(request_)
    frame = desk.frames["titanic"]
    for figure in ("891", "38.4 %", f"{frame['age'].mean():.2f}", f"{frame['fare'].mean():.2f}"):
        assert figure in seen.answer
    assert (
        seen.answer.index("891")
        < seen.answer.index("38.4 %")
        < seen.answer.index(f"{frame['age'].mean():.2f}")
    )
    table = seen.tables[0].set_index("index")
    assert table.loc["mean", "age"] == pytest.approx(frame["age"].mean(), abs=0.01)
    assert [ax.get_xlabel() for ax in seen.axes] == ["age", "sibsp", "parch", "fare"]
    assert 'load_dataset("titanic")' in seen.code


@pytest.mark.parametrize(
    ("request_", "number"),
    [
        ("How many rows are in measurement?", 960),
        ("measurementは何行ありますか", 960),
        ("how many passengers are there in titanic", 891),
        ("how many people survived", 342),
        ("how many people died", 549),
        ("生存者は何人？", 342),
    ],
)
def test_rows_are_counted(desk: Desk, request_: str, number: int) -> None:
    assert number in desk.ask(request_).numbers()


@pytest.mark.parametrize("request_", ["survival rate by class as a plot", "クラス別の生存率をグラフで"])
def test_survival_rate_by_class_is_a_table_a_bar_plot_and_figures(desk: Desk, request_: str) -> None:
    seen = desk.ask(request_)
    expected = 100 * desk.frames["titanic"].groupby("class")["survived"].mean()
    assert_figures(seen, expected, within=0.06)
    assert len(seen.tables) == 1
    (ax,) = seen.axes
    assert sorted(bar.get_height() for bar in ax.patches) == pytest.approx(sorted(expected))
    assert ax.get_title() and ax.get_xlabel() == "class" and ax.get_ylabel()


@pytest.mark.parametrize(
    "request_",
    ["correlation between age and survival", "年齢と生存の相関", "How are age and survival correlated?"],
)
def test_the_correlation_of_two_columns(desk: Desk, request_: str) -> None:
    frame = desk.frames["titanic"]
    seen = desk.ask(request_)
    assert f"{frame['age'].corr(frame['survived']):.3f}" in seen.answer
    assert f"{frame['age'].notna().sum()}" in seen.answer


@pytest.mark.parametrize("request_", ["How many passengers by gender?", "性別ごとの乗客数", "男女別の人数"])
def test_passengers_by_gender(desk: Desk, request_: str) -> None:
    assert_figures(desk.ask(request_), desk.frames["titanic"]["sex"].value_counts())  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "request_",
    [
        "average temperature per room",
        "部屋ごとの平均温度",
        "mean temp by room",
        "各部屋の温度の平均",
        "averge temprature per room",
    ],
)
def test_average_temperature_per_room(desk: Desk, request_: str) -> None:
    expected = desk.frames["measurement"].groupby("roomname")["Temperature"].mean()
    seen = desk.ask(request_)
    assert_figures(seen, expected)
    shown = seen.tables[0].set_index("roomname").iloc[:, 0]
    assert shown.to_dict() == pytest.approx(expected.to_dict(), abs=0.006)
    assert str(expected.idxmax()) in seen.answer.splitlines()[0]


@pytest.mark.parametrize(
    "turns",
    [
        ("save the average temperature per room to CSV",),
        ("average temperature per room", "Save it to CSV"),
        ("部屋ごとの平均温度", "CSVに保存して"),
    ],
)
def test_a_result_is_saved_as_csv(desk: Desk, turns: tuple[str, ...]) -> None:
    seen = desk.ask(*turns)
    ((name, saved),) = seen.saved.items()
    expected = desk.frames["measurement"].groupby("roomname")["Temperature"].mean()
    assert f"{name}.csv" in seen.answer
    assert saved.set_index("roomname").iloc[:, 0].to_dict() == pytest.approx(expected.to_dict())


def test_a_file_name_in_the_request_is_used(desk: Desk) -> None:
    assert list(desk.ask("save the average temperature per room as rooms.csv").saved) == ["rooms"]


@pytest.mark.parametrize(
    "request_", ["What datasets are there?", "データセットの一覧を見せて", "どんなデータがありますか？"]
)
def test_datasets_are_listed(desk: Desk, request_: str) -> None:
    seen = desk.ask(request_)
    assert "titanic" in seen.answer and "measurement" in seen.answer
    assert seen.tables[0].iloc[:, 1].tolist() == [891, 960]


@pytest.mark.parametrize(
    ("request_", "query", "column", "aggregate"),
    [
        ("average fare of women in first class", "sex == 'female' and pclass == 1", "fare", "mean"),
        ("1等の女性の平均運賃", "sex == 'female' and pclass == 1", "fare", "mean"),
        ("median age of men", "sex == 'male'", "age", "median"),
        ("total fare of children", "who == 'child'", "fare", "sum"),
        ("what is the highest fare", "fare == fare", "fare", "max"),
        ("最低運賃は？", "fare == fare", "fare", "min"),
        ("oldest passenger", "fare == fare", "age", "max"),
        ("average age excluding children", "who != 'child'", "age", "mean"),
        ("average fare of passengers older than 50", "age > 50", "fare", "mean"),
        ("30歳以上の乗客の平均運賃", "age >= 30", "fare", "mean"),
        ("average fare in class 3", "pclass == 3", "fare", "mean"),
        ("standard deviation of age", "fare == fare", "age", "std"),
    ],
)
def test_one_figure_of_filtered_rows(
    desk: Desk, request_: str, query: str, column: str, aggregate: str
) -> None:
    expected = desk.frames["titanic"].query(query)[column].agg(aggregate)
    seen = desk.ask(request_)
    assert any(abs(number - expected) < 0.006 for number in seen.numbers()), (seen.answer, expected)


@pytest.mark.parametrize(
    ("request_", "query"),
    [
        ("how many women in first class", "sex == 'female' and pclass == 1"),
        ("how many women survived", "sex == 'female' and survived == 1"),
        ("how many passengers older than 60", "age > 60"),
        ("how many passengers are between 20 and 30 years old", "20 <= age <= 30"),
        ("how many passengers with age at least 30 and fare above 50", "age >= 30 and fare > 50"),
        ("how many passengers from Cherbourg", "embark_town == 'Cherbourg'"),
        ("how many passengers not in first class", "pclass != 1"),
        ("how many passengers travelled alone", "alone"),
        ("子供は何人？", "who == 'child'"),
        ("30歳未満の男性は何人", "age < 30 and sex == 'male'"),
    ],
)
def test_filtered_rows_are_counted(desk: Desk, request_: str, query: str) -> None:
    seen = desk.ask(request_)
    assert seen.numbers()[0] == len(desk.frames["titanic"].query(query)), seen.answer


@pytest.mark.parametrize(
    ("request_", "rows", "hits"),
    [
        ("what percentage of passengers were women?", "fare == fare", "sex == 'female'"),
        ("percentage of women in first class", "pclass == 1", "sex == 'female'"),
        ("what percentage of passengers in first class were women", "pclass == 1", "sex == 'female'"),
        ("survival rate of women", "sex == 'female'", "survived == 1"),
        ("女性の生存率", "sex == 'female'", "survived == 1"),
        ("女性の割合は？", "fare == fare", "sex == 'female'"),
        ("share of passengers who died", "fare == fare", "survived == 0"),
    ],
)
def test_shares_count_the_right_rows(desk: Desk, request_: str, rows: str, hits: str) -> None:
    among = desk.frames["titanic"].query(rows)
    assert f"{100 * len(among.query(hits)) / len(among):.1f} %" in desk.ask(request_).answer


@pytest.mark.parametrize(
    ("request_", "groups", "column", "aggregate"),
    [
        ("median fare by class and sex", ["class", "sex"], "fare", "median"),
        ("average age of men and women", ["sex"], "age", "mean"),
        ("sum of fare per class", ["class"], "fare", "sum"),
        ("クラス別と性別ごとの平均年齢", ["class", "sex"], "age", "mean"),
        ("highest fare per class", ["class"], "fare", "max"),
        ("minimum age by class", ["class"], "age", "min"),
    ],
)
def test_groups(desk: Desk, request_: str, groups: list[str], column: str, aggregate: str) -> None:
    keys = groups if len(groups) > 1 else groups[0]
    expected = desk.frames["titanic"].groupby(keys)[column].agg(aggregate)
    assert_figures(desk.ask(request_), expected)


def test_which_group_is_the_highest_is_answered_first(desk: Desk) -> None:
    for request in (
        "which room has the highest average temperature",
        "which room is the warmest",
        "どの部屋の温度が一番高い？",
    ):
        assert "Bathroom" in desk.ask(request).answer.splitlines()[0]


def test_several_figures_for_each_group(desk: Desk) -> None:
    seen = desk.ask("average temperature and humidity per room")
    expected = desk.frames["measurement"].groupby("roomname")[["Temperature", "Humidity"]].mean().round(2)
    pd.testing.assert_frame_equal(seen.tables[0].set_index("roomname"), expected)


def test_top_rows_and_top_groups(desk: Desk) -> None:
    frame = desk.frames["titanic"]
    seen = desk.ask("top 5 passengers by fare")
    assert seen.tables[0]["fare"].tolist() == frame["fare"].nlargest(5).tolist()
    best = frame.groupby("class")["age"].mean().nlargest(2)
    assert_figures(desk.ask("top 2 classes by average age"), best)


def test_missing_distinct_columns_and_first_rows(desk: Desk) -> None:
    frame = desk.frames["titanic"]
    assert f"age ({frame['age'].isna().sum()})" in desk.ask("missing values in titanic").answer
    assert "Cherbourg, Queenstown, Southampton" in desk.ask("unique values of embark town").answer
    assert desk.ask("how many classes are there").numbers()[0] == 3
    assert "embark_town" in desk.ask("what columns does titanic have").answer
    assert len(desk.ask("first 7 rows of titanic").tables[0]) == 7
    assert len(desk.ask("タイタニックの最初の3行").tables[0]) == 3


def test_plots_have_titles_and_labels(desk: Desk) -> None:
    requests = {
        "histogram of age": "age",
        "年齢の分布": "age",
        "age vs fare scatter plot": "age",
        "box plot of fare by class": "class",
        "temperature over time in Kitchen": "date",
        "daily average temperature as a line chart": "day",
        "average temperature per room as a bar chart": "roomname",
    }
    for request, label in requests.items():
        (ax,) = desk.ask(request).axes
        assert ax.get_title() and ax.get_ylabel() and ax.get_xlabel() == label, request


def test_a_line_over_time_shows_the_readings_of_the_room(desk: Desk) -> None:
    frame = desk.frames["measurement"].query("roomname == 'Kitchen'")
    (ax,) = desk.ask("temperature over time in Kitchen").axes
    assert ax.lines[0].get_ydata().tolist() == pytest.approx(frame["Temperature"].tolist())


def test_figures_by_day(desk: Desk) -> None:
    frame = desk.frames["measurement"]
    expected = frame.groupby(frame["date"].str[:10])["Temperature"].mean().round(2)
    shown = desk.ask("average temperature per day").tables[0]
    assert shown.iloc[:, 1].tolist() == pytest.approx(expected.tolist())


def test_a_heatmap_of_correlations(desk: Desk) -> None:
    seen = desk.ask("heatmap of measurement")
    expected = desk.frames["measurement"].corr(numeric_only=True)
    assert seen.tables[0].set_index("index").to_numpy() == pytest.approx(expected.to_numpy(), abs=0.0006)
    assert seen.axes


def test_mathematical_plots(desk: Desk) -> None:
    for request in ("plot a sine wave", "サイン波を描いて", "random scatter", "ランダムな散布図を描いて"):
        assert len(desk.ask(request).axes) == 1


@pytest.mark.parametrize(
    ("turns", "groups", "column", "aggregate", "query"),
    [
        (
            ("average temperature per room", "same for humidity"),
            "roomname",
            "Humidity",
            "mean",
            "Humidity > 0",
        ),
        (("部屋ごとの平均温度", "湿度は？"), "roomname", "Humidity", "mean", "Humidity > 0"),
        (
            ("average temperature per room", "and the median?"),
            "roomname",
            "Temperature",
            "median",
            "Humidity > 0",
        ),
        (
            ("average temperature per room", "only Kitchen and Room1"),
            "roomname",
            "Temperature",
            "mean",
            "roomname in ('Kitchen', 'Room1')",
        ),
    ],
)
def test_follow_ups_keep_the_rest(
    desk: Desk, turns: tuple[str, ...], groups: str, column: str, aggregate: str, query: str
) -> None:
    expected = desk.frames["measurement"].query(query).groupby(groups)[column].agg(aggregate)
    assert_figures(desk.ask(*turns), expected)


def test_follow_ups_change_groups_filters_and_plots(desk: Desk) -> None:
    frame = desk.frames["titanic"]
    rates = 100 * frame.groupby("sex")["survived"].mean()
    assert_figures(desk.ask("survival rate by class", "by sex instead"), rates, within=0.06)
    women = 100 * frame.query("sex == 'female'").groupby("class")["survived"].mean()
    assert_figures(desk.ask("survival rate by class", "only women"), women, within=0.06)
    seen = desk.ask("survival rate by class", "only women", "as a bar chart")
    assert_figures(seen, women, within=0.06)
    assert len(seen.axes) == 1


def test_a_refused_request_in_between_does_not_break_the_thread(desk: Desk) -> None:
    seen = desk.ask("average temperature per room", "why is the kitchen warm?", "as a bar chart")
    assert len(seen.axes) == 1


def test_own_files_are_understood_by_their_headers(rides: Desk) -> None:
    assert rides.ask("whats the typical ride length in minutes (median)?").numbers()[0] == 16.0
    expected = pd.Series({"casual": 17.1 / 3, "member": 6.4 / 3})
    assert_figures(rides.ask("avg distance by rider type"), expected)
    assert rides.ask("how many rides took longer than 20 min and had no helmet").numbers()[0] == 3
    assert "distance (km) (1)" in rides.ask("any blanks in there? which column").answer
    assert rides.ask("rides per month").tables[0].iloc[:, 1].tolist() == [3, 3, 1]
    seen = rides.ask("bar chart of rides per station", "only members please")
    assert sorted(bar.get_height() for bar in seen.axes[0].patches) == [2, 2]
    assert '"station"' in seen.code and '"rider type"' in seen.code


def test_own_files_with_japanese_headers(harvest: Desk) -> None:
    assert_figures(harvest.ask("畑ごとの収穫量の合計は?"), pd.Series({"北畑": 244, "南畑": 142, "東畑": 95}))
    seen = harvest.ask("等級Aの割合を%で")
    assert "40.0 %" in seen.answer and "空白の1行" in seen.answer
    assert harvest.ask("収穫量が100以上の行数").numbers()[0] == 2
    assert_figures(
        harvest.ask("total harvest by crop"), pd.Series({"トマト": 244, "ナス": 142, "キュウリ": 95})
    )


def test_an_empty_selection_is_said(desk: Desk) -> None:
    assert "No rows" in desk.ask("average fare of passengers older than 500").answer


def test_a_yes_no_column_beside_a_measure_says_which_rows(desk: Desk) -> None:
    survivors = desk.frames["titanic"].query("survived == 1")
    assert abs(desk.ask("average age of survivors").numbers()[1] - survivors["age"].mean()) < 0.006
    women = survivors.query("sex == 'female'").groupby("class")["age"].mean()
    assert_figures(desk.ask("average age by class for women who survived"), women)


def test_values_of_one_column_are_compared(desk: Desk) -> None:
    frame = desk.frames["titanic"]
    assert_figures(
        desk.ask("how many men and women survived"),
        frame.query("survived == 1")["sex"].value_counts(),  # pyright: ignore[reportArgumentType]
    )
    rates = 100 * frame.query("pclass != 2").groupby("class")["survived"].mean()
    assert_figures(desk.ask("1等と3等の生存率"), rates, within=0.06)


def test_the_hottest_day_ranks_days(desk: Desk) -> None:
    frame = desk.frames["measurement"].query("roomname == 'Kitchen'")
    days = frame.groupby(frame["date"].str[:10])["Temperature"].mean()
    assert f"({days.idxmax()})" in desk.ask("hottest day in Kitchen").answer
