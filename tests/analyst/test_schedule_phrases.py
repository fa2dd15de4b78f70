"""Times in a request ("every Monday at 9") are no part of its question; what groups rows by time stays."""

import pytest

from smoldesk.analyst.schedule_phrases import without_schedule


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("every Monday at 9 send me sales by shop", "sales by shop"),
        ("Send me the mean fare by class every weekday at 8:30 am", "the mean fare by class"),
        ("Each day at 17:00, email me the total fare", "the total fare"),
        ("毎週月曜9時に店舗別の売上を送ってください", "店舗別の売上を表示して"),
        ("毎朝8時に、クラス別の平均運賃を教えて", "クラス別の平均運賃を教えて"),
        ("show sales every month", "show sales every month"),
        ("mean temperature each day", "mean temperature each day"),
        ("毎日9時の売上を教えて", "毎日9時の売上を教えて"),
        ("毎月の売上を教えて", "毎月の売上を教えて"),
    ],
)
def test_only_the_time_of_an_answer_is_left_out(text: str, question: str) -> None:
    assert without_schedule(text) == question
