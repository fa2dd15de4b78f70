"""Figures of answers about small tables: which have evidence, and which values of the run are theirs."""

from collections.abc import Sequence

import pytest
from pydantic import JsonValue

from smoldesk import messages as m
from smoldesk.events import Printed, RunEvent, Shown, StepStarted
from smoldesk.evidence import EvidenceCollector, examination

TABLE = "f_000000000000000000000001"


def table(header: str, *lines: str, name: str = "t") -> Shown:
    """A shown table: names of columns and values, separated by commas."""
    rows: list[list[JsonValue]] = [[_value(text) for text in line.split(",")] for line in lines]
    columns = [
        m.Column(name=name, kind="number" if isinstance(value, int | float) else "text")
        for name, value in zip(header.split(","), rows[0], strict=True)
    ]
    content = m.TableContent(table_id=TABLE, name=name, columns=columns, rows=rows, row_count=len(rows))
    return Shown(message=m.Table(content=content))


def _value(text: str) -> JsonValue:
    try:
        return float(text)
    except ValueError:
        return text


def figures_of(answer: str, *events: RunEvent, question: str = "") -> Sequence[m.FigureEvidence]:
    """The figures of an answer after a run of one step."""
    collector = EvidenceCollector(question)
    collector.note([StepStarted(step=1), *events])
    evidence = collector.evidence(answer)
    return evidence.content.figures if evidence else []


def evident(answer: str, *events: RunEvent, question: str = "") -> list[str]:
    """The figures of an answer that have evidence."""
    figures = figures_of(answer, *events, question=question)
    return [figure.text for figure in figures if figure.status in ("matched", "derived")]


SHOPS = table("店,売上_百万円,利益_百万円", "銀座店,1420,-24", "池袋店,1283,187", "大宮店,977,61")
TEAMS = table("team,W,L,points", "Lions,18,6,54", "Bears,15,8,46", "Hawks,15,9,45", "Eagles,4,20,12")
WAGES = table("industry,2021,2023", "Mining,31.2,33.07", "Tech,42.7,45.26", "Retail,18.4,19.5")
TICKETS = table("priority,closed,open,All", "high,9,5,14", "low,18,4,22", "All,27,9,36")
PLAYERS = table("player,goals,games", "Salah,24,34", "Isak,19,30", "Haaland,22,28", "Kane,21,32")
WAITS = table("level,patients,median_wait", "urgent,692,34", "standard,1043,78", "minor,317,112")
MARKS = table(
    "group,math / mean,math / max,art / mean,art / max",
    "A,75.5,96,74.5,99",
    "B,66.9,94,77.3,98",
    "C,77.7,99,72.1,97",
)
SURVEY = table("answer,n,percent", "satisfied,64,42.7", "very satisfied,38,25.3", "neutral,48,32")
DAYS = table("曜日,来客数", "金,203", "土,318", "日,287")
CLASSES = table("class,pupils", "1A,22", "1B,28", "2A,31", "2B,24", "3A,29", "3B,21")
STOCKS = table("ticker,change", "ALFA,28.0", "BRVO,-6.4", "ECHO,-17.0", "FXTR,0.8", "DLTA,27.7")
VISITS = table(
    "week,sessions,orders", "2025-05-26,56120,1235", "2025-06-02,60345,1388", "2025-06-09,58912,1325"
)
FLIGHTS = table(
    "flight,date,delay_min", "KL1022,2025-03-03,134", "AZ204,2025-03-05,92", "LX318,2025-03-06,63"
)
POWER = table("月,使用量kWh,待ち時間秒", "2024-05,251,40", "2024-06,268,55", "2024-08,421,94")
SPEND = table("item,budget,actual", "Hosting,31000,36875", "Rent,24000,24000", "Travel,12000,14230")
GENERATION = table("source,2022,2023", "Gas,125.3,101.7", "Nuclear,47.7,40.6", "Coal,4.9,3.8")
BIBS = table("index,bib,minutes", "0,101,178.4", "4,155,187.9", "1,118,192.7")
RENTS = table("区,mean,min", "杉並区,107400,71000", "江東区,170800,88000")
RUNS = table("date,km", "2024-03-02,8.2", "2024-03-05,5.0", "2024-03-30,21.1")


@pytest.mark.parametrize(
    ("answer", "shown", "expected"),
    [
        # Scales in the names of columns, signs, and words for a loss.
        ("銀座店は売上14億2,000万円、営業損失2,400万円でした。", SHOPS, ["14億2,000万円", "2,400万円"]),
        ("池袋店の利益は18億7,000万円、大宮店は△24です。", SHOPS, []),
        ("3店舗の売上の合計は36億8,000万円です。", SHOPS, ["3", "36億8,000万円"]),
        # The column is that of the words directly before or after, not that of the figure before.
        ("The Lions lead with 54 points from 18 wins; the Bears lost 8.", TEAMS, ["54", "18", "8"]),
        ("Tech paid 45.26 in 2023, up from 42.70 two years earlier.", WAGES, ["45.26", "42.70"]),
        # Operations on values that the sentence states; one whose direction is wrong is none.
        ("Tech went from 42.70 to 45.26 (+6.0%).", WAGES, ["42.70", "45.26", "+6.0%"]),
        ("Mining went from 31.2 to 33.07 (+7.0%).", WAGES, ["31.2", "33.07"]),
        # A column of parallel lines or phrases.
        (
            "- Salah – 24 goals in 34\n- Haaland – 22 in 28\n- Kane – 21 in 30",
            PLAYERS,
            ["24", "34", "22", "28", "21"],
        ),
        ("In **math**, group A had 75.5 on average, B 66.9 and C 72.1.", MARKS, ["75.5", "66.9"]),
        # A unit that a column does not say is the one of most of its figures.
        (
            "- urgent: a median wait of 34 minutes\n- standard: 78 minutes\n- minor: 112 hours",
            WAITS,
            ["34 minutes", "78 minutes"],
        ),
        # Two figures of one name.
        (
            "We saw that 64 (42.7%) are satisfied and 38 (25.3%) very satisfied.",
            SURVEY,
            ["64", "42.7%", "38", "25.3%"],
        ),
        # Totals and shares of a row and a column of totals.
        ("There are 36 tickets. Overall, 75.0% are closed.", TICKETS, ["36", "75.0%"]),
        ("Five high ones are open, i.e. 35.7% of that group.", TICKETS, ["Five", "35.7%"]),
        # Ranks, and words that are figures only with evidence.
        ("The Bears are second, one point ahead of the Hawks. Nobody is third.", TEAMS, ["second", "one"]),
        ("The Eagles are second.", TEAMS, []),
        # Other names of rows.
        ("土曜日は318人、週末(土日)の合計は605人です。", DAYS, ["318", "605"]),
        ("The shortest run was 5 km on March 5th.", RUNS, ["5 km", "March 5th"]),
        ("The largest of the six classes has 31 pupils; it had 25.", CLASSES, ["six", "31"]),
        # Rows below zero.
        ("Two stocks lost value.", STOCKS, ["Two"]),
        ("Three stocks lost value.", STOCKS, []),
        # The last row of successive dates, and the date of a named row.
        ("Orders came to 1,388 in the last week.", VISITS, []),
        ("Orders came to 1,325 in the final week.", VISITS, ["1,325"]),
        ("1. KL1022 on 3 March 2025\n2. AZ204 on 6 March 2025", FLIGHTS, ["3 March 2025"]),
        # Units that stand directly behind Japanese names.
        ("最長の待ち時間は94秒、最短は40分でした。", POWER, ["94秒"]),
        ("8月は5月の約1.7倍の使用量です。", POWER, ["8月", "5月", "1.7倍"]),
        # A line above names a column only for figures that no other column of their row has.
        ("**Over budget**\n- Hosting: $36,875\n- Rent: $24,001", SPEND, ["$36,875"]),
        # Columns of two times.
        ("Nuclear is down about 15%, Coal down 31.4%.", GENERATION, ["15%"]),
        # Rows that a number names, and their places.
        ("Bib 155 took 187.9 minutes and was 2nd overall, bib 118 was 2nd.", BIBS, ["187.9 minutes", "2nd"]),
        # Statistics of `agg`.
        ("江東区の平均は杉並区より約6万3千円高く、最低は約0.6倍です。", RENTS, ["6万3千円"]),
        # The extreme that a sentence says.
        ("The longest km was 8.2.", RUNS, []),
    ],
)
def test_figures_have_evidence_in_the_rows_and_columns_that_their_words_name(
    answer: str, shown: Shown, expected: list[str]
) -> None:
    assert evident(answer, shown) == expected


def test_a_scale_that_the_run_printed_holds_for_columns_without_a_unit() -> None:
    shown = table("genre,y2022,y2023", "Drama,1.12,1.30", "Animation,1.45,2.17")
    answer = "Animation earned $2.17 billion in y2023, Drama $1.30 million."
    assert evident(answer, shown, Printed(step=1, text="(billion USD)\n")) == ["$2.17 billion"]


def test_printed_labels_may_hold_numbers() -> None:
    printed = Printed(step=1, text="      週  販売数\n0  第1週   120\n1  第2週   185\n2  第3週   310\n")
    assert evident("第2週の販売数は185個、第3週は120個でした。", printed) == ["185"]


def test_several_names_in_a_printed_line_are_rows() -> None:
    printed = Printed(step=1, text="weekend: 12045 weekday: 22475\npredicted for 100 m2: 264.7k\n")
    answer = "22,475 on weekdays and 12,054 at the weekend. For 100 m² 264.7k is predicted."
    assert evident(answer, printed) == ["22,475", "100 m²", "264.7k"]


def test_values_before_a_correction_count_only_for_sentences_that_call_them_so() -> None:
    printed = Printed(step=1, text="preliminary\nLIONS  61\nBEARS  47\n")
    corrected = table("team,points", "Lions,54", "Bears,46")
    assert evident("The Lions have 61 points, the Bears 46.", printed, corrected) == ["46"]
    assert evident("The Lions have 54 points, originally 61.", printed, corrected) == ["54", "61"]


def test_a_heading_that_is_printed_alone_holds_for_the_values_after_it() -> None:
    parts = ["棚卸前\n", "札幌 1420\n仙台 1283\n", "棚卸後\n", "札幌 1489\n仙台 1283\n"]
    events = [Printed(step=1, text=text) for text in parts]
    assert evident("札幌は1,420、仙台は1,283です。", *events) == ["1,283"]
    assert evident("札幌は1,489です。", *events) == ["1,489"]


def test_of_two_tables_with_the_same_rows_and_column_the_newer_one_counts() -> None:
    with_outlier = table("region,orders", "Iberia,33740", "Nordics,2093")
    without = table("region,orders", "Iberia,1610", "Nordics,2093", name="cleaned")
    assert evident("Iberia has 33,740 orders and Nordics 2,093.", with_outlier, without) == ["2,093"]
    assert evident("Iberia has 33,740 orders in t.", with_outlier, without) == ["33,740"]


def test_figures_in_a_larger_scale_than_a_column_without_a_unit_count_only_together() -> None:
    prices = table("築年帯,平均価格", "10年以内,5502", "20年以内,4773", "30年以内,3900")
    assert evident("10年以内:5,502万円\n\n20年以内:4,773万円", prices) == ["5,502万円", "4,773万円"]
    assert evident("10年以内:5,502万円", prices) == []


def test_of_values_that_round_to_a_figure_the_nearest_is_meant() -> None:
    weather = table("city,temperature,felt", "Tokyo,22,22.4", "Osaka,25,26.1")
    [figure] = figures_of("Tokyo: mostly sunny, 22 °C.", weather)
    assert figure.places[0].column == "temperature"


def test_a_value_of_another_row_or_of_a_row_in_another_language_is_possible() -> None:
    medals = table("country,gold,silver", "South Korea,24,13", "China,10,12", "Canada,9,15")
    gold = figures_of("中国と比べると、韓国は金が24個です。", medals)[0]
    assert (gold.status, gold.places[0].row, gold.places[0].column) == ("possible", 0, "gold")
    [other] = figures_of("China won 24 gold medals.", medals)
    assert (other.status, other.places[0].row) == ("possible", 0)
    [invented] = figures_of("China won 31 gold medals.", medals)
    assert (invented.status, invented.places) == ("unmatched", [])


def test_a_figure_of_few_digits_is_not_possible_beside_many_values() -> None:
    lines = [f"r{number},{number * 37 % 100}" for number in range(60)]
    assert figures_of("The mayor has 12 cats.", table("row,value", *lines))[0].status == "unmatched"


def test_columns_of_a_printed_data_frame_are_those_that_end_where_its_values_do() -> None:
    frame = """ line  trips  avg_delay_s punctual
db-01    860           58    96.6%
db-02   2210           74    94.9%
"""
    answer = "`db-01` had 860 trips, `db-02` 74 trips and is 94.9% punctual."
    assert evident(answer, Printed(step=1, text=frame)) == ["860", "94.9%"]


HOURS = """          km   min
count  5000  5000
50%    1.76  11.8
max   15.05  61.1
hour
17    474
16    427
median trips 13.4, fares 20434 dollars (£20.4k)
T-01: 95% (38/40)
10代: 40.8% (914/2240)
20代: 35.2% (4287/12180)
"""


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The medians are 1.76 km and 11.8 minutes.", ["1.76 km", "11.8 minutes"]),
        ("The busiest hours are 17:00 (474 trips) and 16:00 (474).", ["474"]),
        ("20,434 dollars were paid, £20.4k in all, i.e. £20.4m.", ["20,434 dollars", "£20.4k"]),
        ("10代の投票者は914人、20代は914人です。T-01は38件です。", ["914", "38"]),
        ("The longest ride took 15.05 min.", []),
    ],
)
def test_each_printed_table_has_its_own_columns_and_rows(answer: str, expected: list[str]) -> None:
    assert evident(answer, Printed(step=1, text=HOURS)) == expected


BIRDS = table("bird,y2023,y2024,diff", "Lapwing,5260,4318,-942", "Curlew,1136,1208,72", "Dunlin,180,191,11")
WARDS = table("ward,mean,median", "Heart,11.0,9.4", "Bone,5.3,4.1", "Eye,6.3,6.1")
TIPS = table("time,tip,bill", "Dinner,3.10,20.8", "Lunch,2.73,17.17")
QUAKES = table("time,place,mag,depth", "2025-05-22,Crete,6.12,60.3", "2025-05-13,Crete,6.01,83.2")


@pytest.mark.parametrize(
    ("answer", "shown", "expected"),
    [
        ("Lapwing went from 4,318 to 5,260.", BIRDS, []),
        ("Lapwing went from 5,260 to 4,318.", BIRDS, ["5,260", "4,318"]),
        ("Lapwing: 942 less, ending at 5,260.", BIRDS, ["942"]),
        ("Bone averages 5.3 days, Eye 6.1 days on average.", WARDS, ["5.3 days"]),
        ("The mean is 6.3 in all.", table("day,size", "Mon,6.3", "Tue,5.1", "Wed,7.5"), ["6.3"]),
        ("Dinner guests tip more ($2.73 vs $3.10).", TIPS, []),
        ("Dinner guests tip more ($3.10 vs $2.73).", TIPS, ["$3.10", "$2.73"]),
        (
            "Heart stays 9.4 long, and 11.0 on average, i.e. 5.7 longer than Bone.",
            WARDS,
            ["9.4", "11.0", "5.7"],
        ),
        ("Heart: 11.0, Eye: 6.3, so Heart patients stay 4.7 longer than Bone ones.", WARDS, ["11.0", "6.3"]),
        ("Crete's strongest (6.12) was on 13 May at 60.3 km.", QUAKES, ["60.3 km"]),
        ("Lapwing fell by 942 (17.9%).", BIRDS, ["942", "17.9%"]),
        ("Lapwing fell by 942 (21.8%).", BIRDS, ["942"]),
        ("Curlew had 1,208 (21.1%) in y2024.", BIRDS, ["1,208", "21.1%"]),
    ],
)
def test_words_of_a_sentence_rule_out_values(answer: str, shown: Shown, expected: list[str]) -> None:
    assert evident(answer, shown) == expected


def test_figures_that_all_are_of_one_row_in_its_order_need_no_name_of_it() -> None:
    medals = table("country,gold,silver,bronze", "South Korea,24,13,11", "China,10,15,8", "Canada,9,12,12")
    answer = "- 韓国:金24、銀13、銅11\n- 中国:金10、銀12、銅8\n- カナダ:金12、銀9、銅12"
    assert evident(answer, medals) == ["24", "13", "11"]


def test_a_loss_may_be_written_without_its_sign() -> None:
    churn = table("month,churn", "Mar,-8700", "May,-14600")
    assert evident("Churn was lowest in March ($8,700). It rose by 14,600 in May.", churn) == ["$8,700"]
    assert evident("An M6.7 shook it.", table("event,mag", "main,7.7", "after,6.7")) == ["6.7"]


YEARS = """year  jobs  people
1947  60323  107608
1957  68169  120445
1958  66513  121950
mean jobs: 65001.7
"""


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("People rose by 14,342 to 121,950.", ["14,342", "121,950"]),
        ("In 1958 jobs fell by 1,656 to 66,513.", ["1,656", "66,513"]),
        ("雇用は1957年の68,169千人から1958年の66,513千人へ減った。", ["68,169千", "66,513千"]),
        ("In 1957 there were 68,169 jobs, in 1958 66,513 thousand.", ["68,169"]),
    ],
)
def test_operations_are_on_the_rows_of_one_printed_table(answer: str, expected: list[str]) -> None:
    figures = figures_of(answer, Printed(step=1, text=YEARS))
    sealed = [figure.text for figure in figures if figure.status in ("matched", "derived")]
    assert [text for text in sealed if not text[:4].isdigit()] == expected


def test_decades_and_statistics_name_rows() -> None:
    decades = table("decade,infl,peak", "1970,7.22,8.9", "1980,4.91,10.7")
    assert evident("Inflation was 7.22 in the 1970s, 1980年代は7.22。", decades) == ["7.22"]
    summary = Printed(step=1, text="      hue\nmin  0.48\n50%  0.96\nmax  1.71\n")
    assert evident("最大は1.71、最小は0.96、中央値は0.96です。", summary) == ["1.71", "0.96"]


def test_a_word_that_one_label_alone_has_names_its_row() -> None:
    lots = table("wine,hammer_m", "Tenuta Falcone 2012,195", "Quinta do Mirante 1994,980")
    assert evident("The Falcone fetched 980, the Mirante 980.", lots) == ["980"]
    assert evident("Falcone brought 195 million, Mirante 980 billion.", lots) == ["195 million"]


def test_a_scale_that_stands_alone_in_a_line_holds_for_all_columns() -> None:
    shown = table("item,fy24,fy25", "Schools,1284.0,1341.2", "Health,400.1,428.4")
    printed = Printed(step=1, text="USD millions\n")
    assert evident("Schools got $1,341.2M in fy25, Health $428.4k.", printed, shown) == ["$1,341.2M"]


def test_durations_and_times_are_found_in_labels() -> None:
    shown = table("race,best,start", "men,2:14:35,2024-07-01T16:00:00", "women,2:38:13,2024-07-01T06:00:00")
    answer = "男子は2時間14分35秒で、2時間38分3秒の女子より速い。The men began at 4 pm, the women at 06:00."
    assert evident(answer, shown) == ["2時間14分35秒", "4 pm", "06:00"]


def test_an_answer_without_time_is_cut_and_keeps_what_was_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    collector = EvidenceCollector()
    collector.note([StepStarted(step=1), Printed(step=1, text="\n".join(map(str, range(1_000, 1_400))))])
    answer = " ".join(f"{number}," for number in range(1_000, 1_400))
    clock = iter(range(10_000))
    monkeypatch.setattr(examination.time, "thread_time", lambda: next(clock) / 100)
    evidence = collector.evidence(answer)
    assert evidence is not None
    assert evidence.content.is_cut
    assert 50 < len(evidence.content.figures) < 150


def test_an_answer_teaches_its_names_of_rows_by_the_values_beside_them() -> None:
    shown = table("smoker,count,mean,median", "No,151,15.93,15.56", "Yes,93,16.32,15.38")
    items = "- 非喫煙者（151件）：平均15.93%、中央値15.56%\n- 喫煙者（93件）：平均16.32%、中央値15.38%"
    assert evident(f"{items}\n\n喫煙者は93件、非喫煙者は93件です。", shown)[-2:] == ["15.38%", "93"]


def test_names_of_columns_may_be_shortened() -> None:
    shown = table("decade,infl,unemp", "1970s,7.22,6.22", "1980s,4.91,7.82")
    answer = "Inflation was 2.31 points lower in the 1980s, unemployment 2.31 points higher."
    assert evident(answer, shown) == ["2.31"]


def test_a_ratio_stands_between_its_two_values() -> None:
    shown = table("state,murder", "Columbia,24.2", "Louisiana,12.3", "Maine,4.9")
    assert evident("Columbia has 24.2, about five times Maine's 4.9.", shown) == ["24.2", "five", "4.9"]
    assert evident("Columbia has 24.2, about six times Maine's 4.9.", shown) == ["24.2", "4.9"]


def test_the_middle_half_lies_between_the_quartiles() -> None:
    text = "count  142.00\nmean  126.54\nmin  72.5\n25%  93.25\n50%  131.75\n75%  148.5\nmax  191.25\n"
    printed = Printed(step=1, text=text)
    assert evident("The middle half lies between 93.25 and 131.75.", printed) == ["93.25"]
    assert evident("範囲は72.5から191.25までです。", printed) == ["72.5", "191.25"]


def test_one_scale_holds_for_all_columns_of_a_table() -> None:
    shown = table("year,jobs,people", "1961,4806,129345", "1962,4007,130081")
    assert evident("1961年は4,806千人、人口は1962年に130,081千人です。", shown) == [
        "1961年",
        "4,806千",
        "1962年",
        "130,081千",
    ]


def test_the_total_of_a_column_of_counts_is_the_number_of_all() -> None:
    shown = table("bucket,count,amount", "due,2,14885", "late,3,16445", "old,5,11955")
    assert evident("There are 10 invoices.", shown) == ["10"]
    assert evident("There are 11 invoices.", shown) == []


def test_two_names_and_a_ratio_need_no_column() -> None:
    shown = table("field,requested,granted", "Engineering,14.1,28.5", "Arts,6.1,12.9")
    assert evident("Engineering got 2.2 times as much as Arts.", shown) == ["2.2 times"]
    periods = table("maker,2023,2024", "Toyota,1674,1352", "Subaru,98,104")
    assert evident("Toyota has 17 times as many as Subaru.", periods) == []


def test_a_printed_frame_by_year_keeps_its_first_column() -> None:
    text = "      sold  price\n1951  3173.0  26.56\n1955  3755.1  42.70\n1960  4627.9  33.78\n"
    printed = Printed(step=1, text=text)
    assert evident("In 1955 sold was 3,755.1, price 42.70.", printed)[-2:] == ["3,755.1", "42.70"]


def test_quarters_name_their_numbers_and_a_median_is_no_number_of_rows() -> None:
    shown = table("quarter,strikes,days", "1,16,37.9", "2,16,77.9", "3,16,16.2", "4,14,38.1")
    assert evident("Q4: 14 strikes. 第3四半期は16.2日。", shown)[-2:] == ["14", "16.2"]
    assert evident("執行数の中央値は4件です。", shown) == []


def test_a_result_of_values_that_the_sentence_does_not_name_is_possible() -> None:
    shown = table(
        "band,income,food", "low,522.7,364.4", "second,766.8,518.4", "third,992.3,644.1", "high,1648.4,970.1"
    )
    (ratio,) = figures_of("The richest quarter earns 3.2 times what the poorest does.", shown)
    assert (ratio.status, {place.column for place in ratio.places}) == ("possible", {"income"})


def test_a_share_of_another_row_is_not_computed_because_its_column_is_called_share() -> None:
    shown = table("店舗,売上,構成比", "京都,6479060,5.0", "福岡,6244949,27.7", "仙台,9823321,67.3")
    answer = "| 店舗 | 売上 | 構成比 |\n|---|---|---|\n| 京都 | 6,479,060円 | 27.7% |"
    assert evident(answer, shown) == ["6,479,060円"]
