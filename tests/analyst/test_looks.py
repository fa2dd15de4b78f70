"""Requests that look at a table as it stands: all rows, a sample, the ends, what comes again, types, and a file of it."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

TOOLS = """Tool ID,Name,Kind,Price,Bought,Lent,Contact
1,Saw,hand,12.5,2024-01-03,yes,a@x.org
2,Drill,power,80,2024-01-09,no,b@x.org
3,Saw,hand,12.5,2024-02-01,yes,
4,Plane,hand,30,2024-02-11,no,a@x.org
5,Sander,power,64,2024-03-02,yes,c@x.org
6,Drill,power,80,2024-03-09,no,d@x.org
7,Chisel,hand,9,2024-03-10,no,
"""
BIRDS = """鳥,場所,羽数,見た日
サギ,川,3,2024-05-01
サギ,川,3,2024-05-01
カモ,池,8,2024-05-02
トビ,山,1,2024-05-04
カモ,川,2,2024-05-06
"""
GRAINS = "Sample,Type,Duplicate,Weight\nS1,rice,yes,2.5\nS2,rice,no,3.5\nS3,oats,yes,4\n"


@pytest.fixture
def tools(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, tools=TOOLS)


@pytest.fixture
def birds(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, 鳥の記録=BIRDS)


@pytest.mark.parametrize(
    "asked",
    ["show all rows", "Print everything!", "show me the whole table", "could you show me the data?", "the full table",
     "show all of the records please", "list all tools", "show the tools table"],
)  # fmt: skip
def test_all_rows_are_shown(tools: SmallDesk, asked: str) -> None:
    said = tools.ask(asked)
    assert [len(table) for table in said.tables] == [7]
    assert "7 " in said.first


@pytest.mark.parametrize(
    "asked", ["表を全部見せて", "全データを表示", "全部の行を", "データを見せて", "全件表示してください"]
)
def test_all_rows_are_shown_in_japanese(birds: SmallDesk, asked: str) -> None:
    assert [len(table) for table in birds.ask(asked).tables] == [5]


def test_conditions_hold_for_all_rows(tools: SmallDesk) -> None:
    assert [list(t["Tool ID"]) for t in tools.ask("show all rows where kind is power").tables] == [[2, 5, 6]]
    assert "purple" in tools.ask("show all rows where kind is purple").text


def test_of_several_tables_one_is_asked_for(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, tools=TOOLS, birds=BIRDS)
    for asked in ("show everything", "3 random rows", "any duplicate rows?", "save as csv", "data types"):
        said = desk.ask(asked)
        assert not said.tables and not said.saved
        assert "tools" in said.text and "birds" in said.text
    assert [len(table) for table in desk.ask("show all rows of birds").tables] == [5]


@pytest.mark.parametrize(
    "asked",
    ["3 random rows", "a random sample of 3", "sample 3 rows", "pick three tools at random", "show me 3 randomly chosen rows"],
)  # fmt: skip
def test_a_sample_has_so_many_rows_of_the_table(tools: SmallDesk, asked: str) -> None:
    said = tools.ask(asked)
    (table,) = said.tables
    assert len(set(table["Tool ID"])) == 3 and set(table["Tool ID"]) <= set(range(1, 8))
    assert "seed 1" in said.text


def test_a_sample_can_be_drawn_again_and_anew(tools: SmallDesk) -> None:
    def drawn(*asked: str) -> list[int]:
        return list(tools.ask(*asked).tables[0]["Tool ID"])

    assert drawn("4 random rows with seed 7") == drawn("show the columns", "4 random rows with seed 7")
    assert drawn("4 random rows") == drawn("4 random rows", "save it as csv")
    assert drawn("4 random rows", "another sample") == drawn("4 random rows with seed 2")
    assert len({tuple(drawn(f"4 random rows with seed {seed}")) for seed in range(1, 9)}) > 1


def test_a_sample_of_a_condition(tools: SmallDesk, tmp_path: Path) -> None:
    assert set(tools.ask("2 random power tools").tables[0]["Kind"]) == {"power"}
    assert set(tools.ask("2 random rows", "only hand ones").tables[0]["Kind"]) == {"hand"}
    assert not tools.ask("a random sample of 20% of the rows").tables


@pytest.mark.parametrize(
    "asked", ["ランダムに2件", "無作為に2行選んで", "2件をランダムに抽出して", "サンプルを2件見せて"]
)
def test_a_sample_in_japanese(birds: SmallDesk, asked: str) -> None:
    said = birds.ask(asked)
    assert [len(table) for table in said.tables] == [2]
    assert "種は1" in said.text


def test_a_japanese_sample_keeps_its_condition(birds: SmallDesk) -> None:
    assert set(birds.ask("川の行からランダムに2件").tables[0]["場所"]) == {"川"}


@pytest.mark.parametrize(
    "asked", ["save the table as csv", "save the data", "export everything to csv", "save as csv"]
)
def test_the_whole_table_is_saved(tools: SmallDesk, asked: str) -> None:
    (frame,) = tools.ask(asked).saved.values()
    assert len(frame) == 7


def test_save_means_the_answer_before_it(tools: SmallDesk) -> None:
    (frame,) = tools.ask("average price by kind", "save as csv").saved.values()
    assert len(frame) == 2
    assert not tools.ask("average shoe size", "save as csv").saved
    (few,) = tools.ask("save the first 3 rows as csv").saved.values()
    assert len(few) == 3


@pytest.mark.parametrize("asked", ["CSVに保存して", "全データをCSVで保存して", "表をCSVで出力してください"])
def test_the_whole_table_is_saved_in_japanese(birds: SmallDesk, asked: str) -> None:
    (frame,) = birds.ask(asked).saved.values()
    assert len(frame) == 5


def test_rows_that_come_again(tools: SmallDesk, birds: SmallDesk) -> None:
    for asked in ("any duplicate rows?", "how many duplicates are there", "find duplicates"):
        said = tools.ask(asked)
        assert said.first.startswith("No duplicate rows") and not said.tables
    for asked in ("重複はありますか", "重複行は何件", "重複している行を見せて"):
        said = birds.ask(asked)
        assert "重複している行は1行" in said.first
        assert [len(table) for table in said.tables] == [2]


@pytest.mark.parametrize(
    "asked",
    ["duplicate names", "which names occur more than once?", "tools with the same name", "are names unique?"],
)
def test_values_that_come_again(tools: SmallDesk, asked: str) -> None:
    (table,) = tools.ask(asked).tables
    assert dict(table.itertuples(index=False)) == {"Saw": 2, "Drill": 2}


def test_blanks_are_no_value_that_comes_again(tools: SmallDesk) -> None:
    said = tools.ask("which contacts appear more than once")
    assert "a@x.org (2)" in said.first and "not counted: 2" in said.text


def test_two_columns_together(tools: SmallDesk) -> None:
    assert "Saw / 12.5 (2)" in tools.ask("duplicates by name and price").first


@pytest.mark.parametrize("asked", ["重複している鳥", "2回以上出てくる鳥は", "鳥の重複はありますか"])
def test_values_that_come_again_in_japanese(birds: SmallDesk, asked: str) -> None:
    assert "サギ (2)" in birds.ask(asked).first and "カモ (2)" in birds.ask(asked).first


def test_a_column_that_is_not_there_is_named(tools: SmallDesk, birds: SmallDesk) -> None:
    assert "colours" in tools.ask("which colours occur more than once").text
    assert "電話" in birds.ask("重複している電話番号").text


def test_rows_without_what_comes_again(tools: SmallDesk, birds: SmallDesk) -> None:
    assert len(birds.ask("重複を除いた行").tables[0]) == 4
    assert list(tools.ask("remove duplicates by name").tables[0]["Tool ID"]) == [1, 2, 4, 5, 7]
    (frame,) = birds.ask("重複を除いてCSVで保存して").saved.values()
    assert len(frame) == 4


@pytest.mark.parametrize("asked", ["what type is each column?", "data types", "column types", "dtypes"])
def test_types(tools: SmallDesk, asked: str) -> None:
    said = tools.ask(asked)
    assert "Bought: dates" in said.first and "Lent: yes or no" in said.first
    assert len(said.tables[0]) == 7


@pytest.mark.parametrize("asked", ["各列の型", "データ型は", "列のデータ型を教えて"])
def test_types_in_japanese(birds: SmallDesk, asked: str) -> None:
    assert "羽数: 数値" in birds.ask(asked).first


def test_columns_of_one_type(tools: SmallDesk, birds: SmallDesk) -> None:
    assert tools.ask("which columns are numeric").first.startswith("2 of the 7 columns")
    assert birds.ask("数値の列はどれ").first.endswith("羽数")
    assert "Price: numbers" in tools.ask("what type is price").first
    assert "KB" in tools.ask("memory usage").first


def test_rows_at_the_ends(tools: SmallDesk, birds: SmallDesk) -> None:
    assert list(tools.ask("last row").tables[0]["Tool ID"]) == [7]
    assert list(tools.ask("last 2 rows where kind is power").tables[0]["Tool ID"]) == [5, 6]
    assert list(birds.ask("最後の2件").tables[0]["鳥"]) == ["トビ", "カモ"]
    assert list(birds.ask("川の最後の1件").tables[0]["羽数"]) == [2]


def test_words_that_a_table_has_of_its_own(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, grains=GRAINS)
    assert "rice" in desk.ask("how many samples per type").text
    assert "comes again" not in desk.ask("how many duplicate samples").text
    assert desk.ask("how many duplicate ones").text != desk.ask("any repeated rows?").text


def test_what_no_look_answers_is_declined(tools: SmallDesk, birds: SmallDesk) -> None:
    for asked in (
        "last 2 rows per kind",
        "total price excluding duplicates",
        "kinds with the same price",
        "sample size",
    ):
        said = tools.ask(asked)
        assert not said.tables and not any(char.isdigit() for char in said.first)
    assert "of those" in tools.ask("3 random rows", "of those, the average price").first
    assert not birds.ask("場所ごとの最後の1件").tables


def test_follow_ups(tools: SmallDesk) -> None:
    assert "a@x.org (2)" in tools.ask("any duplicate names?", "and contacts?").first
    assert "Saw (2)" in tools.ask("any duplicate names?", "only hand ones").first
    assert list(tools.ask("how many power tools", "show them all").tables[0]["Tool ID"]) == [2, 5, 6]
    (frame,) = tools.ask("duplicate names", "save as csv").saved.values()
    assert len(frame) == 2
    prices = list(tools.ask("show the whole table sorted by price descending").tables[0]["Price"])
    assert prices == sorted(prices, reverse=True)


def test_both_kinds_of_agents_say_the_same(tools: SmallDesk) -> None:
    for asked in ("3 random rows", "duplicate names", "data types", "show all rows"):
        assert tools.ask(asked, tools=True).text == tools.ask(asked).text
