"""Evidence of answers of real runs: code in a jailed child, a scripted model, and what clients and documents say."""

from pathlib import Path

from smoldesk import messages as m
from smoldesk.desk import Desk, build_desk
from smoldesk.events import RunFinished, Shown, StoredEvent
from smoldesk.runs import RunOptions
from tests.support.aio import run_async
from tests.support.desk_server import settings_for
from tests.support.scripted_model import ScriptedModel, code

PRINTS = code(
    "import pandas as pd\n"
    "df = pd.DataFrame({'city': ['Tokyo', 'Osaka', 'Kobe'], 'sales': [1200, 950, 431]})\n"
    "print(df)"
)
ANSWER = code('final_answer("Tokyo sold 1,200 units, Osaka 431. The total sales are 2,581.")')
LATER = code('final_answer("As said, Tokyo sold 1,200 units; next year it may be 1,777.")')


async def asked(desk: Desk, chat_id: str, message: str) -> m.EvidenceContent:
    """Ask, wait for the end, and return the evidence of the answer."""
    run_id = await desk.runs.start(chat_id, message, RunOptions())
    content: list[m.EvidenceContent] = []
    async for batch in desk.runs.follow(chat_id):
        for stored in batch:
            if not isinstance(stored, StoredEvent) or stored.run_id != run_id:
                continue
            if isinstance(stored.event, Shown) and isinstance(stored.event.message, m.Evidence):
                content.append(stored.event.message.content)
            if isinstance(stored.event, RunFinished):
                return content[0]
    raise AssertionError("the run did not end")


def test_true_figures_have_places_false_ones_none_and_later_answers_rest_on_earlier_ones(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([PRINTS, ANSWER, LATER])
    desk = build_desk(settings_for(tmp_path), lambda: model)
    desk.open()
    try:

        async def talk() -> tuple[m.EvidenceContent, m.EvidenceContent]:
            chat_id = (await desk.chats.create()).id
            return await asked(desk, chat_id, "Sales?"), await asked(desk, chat_id, "And again?")

        first, second = run_async(talk())
    finally:
        desk.close()
    assert [(figure.text, figure.status, figure.operation) for figure in first.figures] == [
        ("1,200", "matched", None),
        ("431", "possible", None),
        ("2,581", "derived", "sum"),
    ]
    assert first.figures[0].places == [m.EvidencePlace(kind="printed", step=1, line=2)]
    assert (first.supported, first.total, first.possible, first.unmatched) == (2, 3, 1, 0)
    assert [(figure.text, figure.status) for figure in second.figures] == [
        ("1,200", "earlier"),
        ("1,777", "unmatched"),
    ]
