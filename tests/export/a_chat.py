"""A real chat with a table, a chart, a plot, a map, an approval, the desk's data and a fault, in Japanese and English."""

from pathlib import Path

from smoldesk.desk import Desk
from smoldesk.events import AskOpened, RunCancelled, RunFailed, RunFinished, StoredEvent
from smoldesk.runs import Answer

QUESTION = "売上を店舗ごとに合計して"
CSV = "店舗,月,金額\n東京,1,120\n大阪,1,80\n東京,2,150\n大阪,2,95\n"
TABLES = """\
import pandas as pd
import matplotlib.pyplot as plt

sales = pd.read_csv("売上.csv")
totals = sales.groupby("店舗", as_index=False)["金額"].sum()
display(totals)
print("合計", int(sales["金額"].sum()))
explain_change(sales, "金額", over="月", by="店舗", language="ja")
fig, ax = plt.subplots(figsize=(3, 2))
ax.plot(sales["月"], sales["金額"], "o")
chart(sales, {"mark": "bar", "encoding": {"x": {"field": "店舗"}, "y": {"field": "金額", "aggregate": "sum"}}})
"""
MAP = """\
print(show_map("1F", highlight_rooms=["Kitchen"]))
print(draw_arrow("Room1", "right"))
print(len(sql("select * from titanic where age > 60")))
titanic = load_dataset("titanic")
print(len(titanic), titanic["age"].notna().sum())
"""
PAY = """\
receipt = process_payment(recipient="Alice", amount=30, currency="USD")
print("paid", receipt["success"])
"""
FAULT = "totals['ない列']"
CODES = (TABLES, MAP, PAY, FAULT)


async def make(desk: Desk, folder: Path) -> str:
    """The chat's id; each run is answered to its end, every ask granted."""
    chat_id = (await desk.chats.create("売上 <script>alert(1)</script>")).id
    path = folder / "売上.csv"
    path.write_text(CSV, encoding="utf-8")
    await desk.uploads.add(chat_id, path, path.name)
    await finished(desk, chat_id, await desk.runs.start(chat_id, QUESTION))
    for code in CODES:
        await finished(desk, chat_id, await desk.runs.run_code(chat_id, code))
    return chat_id


async def finished(desk: Desk, chat_id: str, run_id: str) -> StoredEvent:
    """The closing event of a run, whose asks are granted as they come."""
    granted: set[str] = set()
    async for batch in desk.runs.follow(chat_id):
        for item in batch:
            if not isinstance(item, StoredEvent) or item.run_id != run_id:
                continue
            if isinstance(item.event, AskOpened) and item.event.ask.id not in granted:
                ask = item.event.ask
                granted.add(ask.id)
                await desk.runs.answer(ask.id, Answer(True, ask.options[0] if ask.options else None), chat_id)
            if isinstance(item.event, RunFinished | RunFailed | RunCancelled):
                return item
    raise AssertionError("the run never ended")
