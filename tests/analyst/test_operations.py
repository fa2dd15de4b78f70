"""Operations beyond plain figures, run for real on small tables, in both languages and by both kinds of agents."""

from pathlib import Path

import pandas as pd
import pytest
from scipy import stats

from tests.analyst.small_tables import SmallDesk

STAFF = "Gender,Dept,Salary ($),Age,Rating,Hire Date\n" + "\n".join(
    f'{"male" if place % 3 else "female"},{("Sales", "IT")[place % 2]},"{41000 + 137 * (place * 7 % 40):,}",'
    f"{22 + place * 5 % 31},{'' if place == 4 else round(2 + place % 7 / 3, 1)},{1 + place % 28:02d}/{1 + place % 6:02d}/2024"
    for place in range(40)
)
SALES = "受注日,支店,性別,売上(円),数量\n" + "\n".join(
    f"2024年{1 + place % 4}月{1 + place % 28}日,{('札幌', '仙台', '福岡')[place % 3]},{('男性', '女性')[place % 2]},"
    f'"¥{1000 + 310 * (place * 3 % 11):,}",'
    f"{1 + place * place % 6}"
    for place in range(36)
)


def number(text: str) -> float:
    return float(text.replace("$", "").replace("¥", "").replace(",", ""))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("staff"), staff=STAFF)


@pytest.fixture(scope="module")
def japanese(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("sales"), sales=SALES)


@pytest.fixture(scope="module")
def staff(desk: SmallDesk) -> pd.DataFrame:
    frame = pd.read_csv(desk.folder / "staff.csv")
    frame["Salary ($)"] = frame["Salary ($)"].map(number)
    frame["Hire Date"] = pd.to_datetime(frame["Hire Date"], format="%d/%m/%Y")
    return frame


@pytest.fixture(scope="module")
def sales(japanese: SmallDesk) -> pd.DataFrame:
    frame = pd.read_csv(japanese.folder / "sales.csv")
    frame["売上(円)"] = frame["売上(円)"].map(number)
    frame["month"] = pd.to_datetime(frame["受注日"], format="%Y年%m月%d日").dt.month
    return frame


@pytest.mark.parametrize("tools", [False, True], ids=["code", "tools"])
def test_the_difference_between_two_groups_has_both_figures(
    desk: SmallDesk, japanese: SmallDesk, staff: pd.DataFrame, sales: pd.DataFrame, tools: bool
) -> None:
    means = staff.groupby("Gender")["Salary ($)"].mean()
    said = desk.ask("difference in average salary between men and women", tools=tools)
    apart = means["male"] - means["female"]
    assert f"male − female: {apart:,.2f}" in said.first
    assert f"{means['male']:,.2f}" in said.first and f"{means['female']:,.2f}" in said.first
    totals = sales.groupby("支店")["売上(円)"].sum()
    said = japanese.ask("札幌と福岡の売上合計の差は？", tools=tools)
    assert f"札幌 − 福岡）: {totals['札幌'] - totals['福岡']:,.0f}" in said.first


def test_a_difference_within_groups_names_the_widest(desk: SmallDesk, staff: pd.DataFrame) -> None:
    said = desk.ask("difference in average age between men and women by dept")
    table = staff.pivot_table(index="Dept", columns="Gender", values="Age")
    gaps = table["male"] - table["female"]
    assert gaps.abs().idxmax() in said.first  # pyright: ignore[reportOperatorIssue]
    shown = said.tables[0].set_index("Dept")["difference"]
    assert shown.to_dict() == pytest.approx(gaps.round(2).to_dict())


def test_a_difference_between_two_months(japanese: SmallDesk, sales: pd.DataFrame) -> None:
    totals = sales.groupby("month")["売上(円)"].sum()
    assert f"{totals[3] - totals[4]:,.0f}" in japanese.ask("3月と4月の売上合計の差").first


def test_a_difference_without_two_sides_is_asked_about(desk: SmallDesk) -> None:
    said = desk.ask("difference in average salary")
    assert "two groups" in said.text and "Gender" in said.text and not said.tables


def test_the_largest_minus_the_smallest_is_a_range(
    desk: SmallDesk, japanese: SmallDesk, staff: pd.DataFrame, sales: pd.DataFrame
) -> None:
    age = staff["Age"]
    assert f": {age.max() - age.min()}." in desk.ask("difference between the highest and lowest age").first
    spans = sales.groupby("支店")["売上(円)"].agg(lambda one: one.max() - one.min())
    said = japanese.ask("支店ごとの最高売上と最低売上の差")
    assert all(f"- {name}: {value:,.0f}" in said.text for name, value in spans.items())


def test_a_range_of_numbers_is_a_condition(desk: SmallDesk, japanese: SmallDesk, staff: pd.DataFrame) -> None:
    count = int(staff["Age"].between(30, 40).sum())
    assert desk.ask("how many rows have an age in the range 30 to 40").first.startswith(f"{count} ")
    assert "（2 ≤ 数量 ≤ 4）" in japanese.ask("数量が2から4の範囲の件数").first


@pytest.mark.parametrize(
    ("question", "name", "call"),
    [
        ("variance of rating", "Rating", "var"),
        ("skewness of age", "Age", "skew"),
        ("kurtosis of age", "Age", "kurt"),
    ],
)
def test_measures_of_shape(desk: SmallDesk, staff: pd.DataFrame, question: str, name: str, call: str) -> None:
    value = float(getattr(staff[name], call)())
    written = f"{value:,.2f}" if abs(value) >= 1 else f"{value:,.3g}"
    assert f": {written}." in desk.ask(question).first


def test_the_mode_says_all_values_that_occur_as_often(desk: SmallDesk, japanese: SmallDesk) -> None:
    ages = pd.read_csv(desk.folder / "staff.csv")["Age"].value_counts()
    often = [str(one) for one in ages[ages == ages.max()].index]
    said = desk.ask("mode of age")
    assert all(one in said.first for one in often[:5]) and f"({ages.max()} times)" in said.first
    counts = pd.read_csv(japanese.folder / "sales.csv")["数量"].value_counts()
    assert f"{counts.index[0]}" in japanese.ask("数量の最頻値").first


@pytest.mark.parametrize("tools", [False, True], ids=["code", "tools"])
def test_a_test_of_normality_is_told_in_plain_words(
    desk: SmallDesk, japanese: SmallDesk, staff: pd.DataFrame, tools: bool
) -> None:
    p = float(stats.shapiro(staff["Age"])[1])
    said = desk.ask("is age normally distributed?", tools=tools)
    assert ("is not normally" in said.first) == (p < 0.05)
    assert (f"p = {p:.3f}" if p >= 0.001 else "p < 0.001") in said.first and "Shapiro-Wilk" in said.first
    assert "正規分布" in japanese.ask("売上の正規性を検定して", tools=tools).first


def test_many_values_are_tested_by_dagostino(tmp_path: Path) -> None:
    rows = "\n".join(f"{place % 977},{place}" for place in range(5001))
    said = SmallDesk(tmp_path, results=f"score,place\n{rows}").ask("normality test of score")
    assert "D'Agostino" in said.first and "not normally" in said.first


def test_a_straight_line_has_slope_intercept_fit_and_rows(
    desk: SmallDesk, japanese: SmallDesk, staff: pd.DataFrame, sales: pd.DataFrame
) -> None:
    both = staff.dropna(subset=["Age", "Rating"])
    fit = stats.linregress(both["Age"], both["Rating"])
    said = desk.ask("linear regression of rating on age")
    assert said.first.startswith("Rating = ") and f"R² {fit.rvalue**2:.3f}" in said.first  # pyright: ignore[reportAttributeAccessIssue]
    assert f"n = {len(both)}" in said.first and f"slope {fit.slope:.3g}" in said.first.lower()  # pyright: ignore[reportAttributeAccessIssue]
    drawn = desk.ask("regression of rating on age with a plot")
    assert drawn.axes[0].get_xlabel() == "Age" and len(drawn.axes[0].lines) == 1
    line = stats.linregress(sales["数量"], sales["売上(円)"])
    assert f"{line.intercept:,.2f}" in japanese.ask("数量で売上を単回帰して").first  # pyright: ignore[reportAttributeAccessIssue]


def test_running_totals_go_up_within_each_group(
    desk: SmallDesk, japanese: SmallDesk, staff: pd.DataFrame, sales: pd.DataFrame
) -> None:
    said = japanese.ask("月ごとの売上の累計")
    assert f"{sales['売上(円)'].sum():,.0f}" in said.first
    shown = desk.ask("cumulative salary by month and dept").tables[0]
    last = shown.groupby("Dept").last().iloc[:, -1]
    assert last.to_dict() == pytest.approx(staff.groupby("Dept")["Salary ($)"].sum().to_dict())


def test_steps_in_time_stay_within_their_group(desk: SmallDesk, staff: pd.DataFrame) -> None:
    month = staff["Hire Date"].dt.to_period("M").astype(str)
    figures = staff.groupby([month, "Dept"])["Age"].mean()
    changes = figures.groupby(level="Dept").diff().dropna()
    shown = desk.ask("monthly average age, change from month to month by dept").tables[0]
    assert shown.iloc[:, -1].tolist() == pytest.approx(changes.round(2).tolist())
    moving = desk.ask("2 month rolling mean of age by dept").tables[0]
    wanted = figures.groupby(level="Dept").transform(lambda one: one.rolling(2).mean()).dropna()
    assert moving.iloc[:, -1].tolist() == pytest.approx(wanted.round(2).tolist())


def test_quantiles_and_several_figures_for_each_group(
    desk: SmallDesk, japanese: SmallDesk, staff: pd.DataFrame
) -> None:
    wanted = staff.groupby("Dept")["Salary ($)"].quantile(0.9)
    said = desk.ask("90th percentile of salary by dept")
    assert all(f"- {name}: {value:,.2f}".removesuffix(".00") in said.text for name, value in wanted.items())
    assert "75パーセンタイル" in japanese.ask("支店別の売上の四分位数").text
    table = desk.ask("mean and median of salary and age by dept").tables[0]
    assert list(table.columns) == [
        "Dept", "average Salary ($)", "median Salary ($)", "average Age", "median Age",
    ]  # fmt: skip


def test_a_figure_beside_a_count(desk: SmallDesk, staff: pd.DataFrame) -> None:
    said = desk.ask("average salary and number of rows per dept")
    shown = said.tables[0].set_index("Dept")
    assert shown.iloc[:, 1].to_dict() == staff["Dept"].value_counts().to_dict()


@pytest.mark.filterwarnings("ignore:Glyph")  # the sandbox brings a Japanese font
def test_heatmaps_of_columns_and_of_two_keys(desk: SmallDesk, japanese: SmallDesk) -> None:
    columns = desk.ask("heatmap of the numeric columns")
    assert [one.get_text() for one in columns.axes[0].get_xticklabels()] == ["Salary ($)", "Age", "Rating"]
    keys = japanese.ask("支店と性別の平均売上のヒートマップ")
    assert keys.axes[0].get_ylabel() == "支店" and keys.axes[0].get_xlabel() == "性別"


def test_a_pair_plot_shows_every_pair(desk: SmallDesk) -> None:
    said = desk.ask("pair plot")
    assert "pairplot" in said.code and len([ax for ax in said.axes if ax.get_xlabel()]) >= 3


@pytest.mark.parametrize("question", ["regression of salary on age by dept", "normality test of age by dept"])
def test_what_would_be_left_out_is_declined(desk: SmallDesk, question: str) -> None:
    said = desk.ask(question)
    assert not said.tables and ("?" in said.text or "two number columns" in said.text)


def test_the_one_row_at_the_end_is_said_by_what_it_is(desk: SmallDesk, japanese: SmallDesk) -> None:
    earliest = desk.ask("show the row with the earliest hire date").text
    assert earliest.startswith("Earliest Hire Date: 2024-01-01")
    two = desk.ask("the 2 lowest salaries").text
    assert two.startswith("The 2 smallest values of Salary ($): ")
    assert "最も小さい売上(円)" in japanese.ask("売上が一番低い行を表示して").text
