"""The debug pane over 20,000 events of one chat, and what kept prompts add to the log of a run whose memory grows.

The pane stands alone, with the page's own store of messages; what it takes to open has the loading of its modules in it. A
filter is timed from the key to the frame that shows what is left. The log is that of a real desk with a scripted model.
"""

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from sqlalchemy import text

from bench.browsing import chromium
from bench.report import Ratio, Section, median, ms, of_times
from tests.support.desk_server import live_desk
from tests.support.fed_page import COUNT_WRITES, open_fed, served_page
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient

OPEN, FILTER, MORE = 1.0, 0.1, 0.1
"""Goals: seconds until a filled pane is seen, seconds until a filter is, and the share that prompts add to the log."""
CALLS = """
    window.traced = (runs) => Array.from({ length: runs }, (_, run) => {
        const runId = `r${run}`;
        const state = (state, more = {}) => ({ type: "run", content: { runId, state, notes: [], ...more } });
        const steps = [1, 2, 3, 4].flatMap((step) => {
            const call = { callId: `c${run}.${step}`, tool: "load_dataset", step };
            const counted = { firstToken: 0.2, inputTokens: 5000, cachedTokens: 4000, outputTokens: 200, cost: 0.01 };
            const line = `df = load_dataset(${step})\\nprint(df.describe())\\n# line of step ${step} of run ${run}\\n`;
            const lines = line.repeat(4);
            return [
                state("running", { step }),
                ...[0, 1, 2, 3].map((n) => ({ type: "delta", kind: "code", step, content: lines.slice(n * 40, n * 40 + 40) })),
                { type: "model_call", content: { step, model: "m", messages: 3 * step, duration: 0.4, ...counted } },
                { type: "tool", content: { ...call, state: "called", arguments: { name: "titanic" } } },
                { type: "tool", content: { ...call, state: step === 3 ? "failed" : "returned", result: "891 rows" } },
                { type: "printed", content: `printed in run ${run}\\n`, step },
                { type: "debug", content: { agent_response: { raw_output: lines }, parsed_outputs: [], output_count: 1 } },
                { type: "code", content: lines, language: "python", step: `Step ${step}`, html: lines },
                { type: "arrow", content: { room: "Kitchen", direction: "left" } },
            ];
        });
        return [{ type: "user_message", content: `Question ${run}`, ahead: 0 }, ...steps, state("finished", { text: "Done" })]
            .map((message) => ({ ...message, runId }));
    }).flat();
    window.seen = async (shown) => {
        const began = performance.now();
        while (!shown() && performance.now() < began + 20_000) await new Promise(requestAnimationFrame);
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
        return (performance.now() - began) / 1000;
    };
"""
ALONE = """async () => {
    const modules = ["core/bus", "page/store", "core/i18n"].map((name) => import(`/static/js/${name}.js`));
    const [{ Bus }, { Desk }, { loadLanguage, translator }] = await Promise.all(modules);
    document.querySelector("link[data-late=debug]").disabled = false;
    const box = Object.assign(document.createElement("section"), { style: "position: fixed; inset: 0; background: white" });
    box.dataset.pane = "debug";
    document.body.append(box);
    const bus = new Bus();
    const desk = new Desk(bus);
    window.say = (message) => desk.take(message);
    const t = translator(await loadLanguage("en"));
    window.open = async () => {
        const { DebugViewer } = await import("/static/js/debug/viewer.js");
        const pane = new DebugViewer({ bus, t });
        box.append(pane.tools, pane.dom);
        bus.emit("command", { name: "draw" });
    };
}"""
OPENED = """(count) => {
    open();
    const pane = () => document.querySelector(".debug-viewer");
    return seen(() => pane()?.dataset.messages === String(count) && pane().querySelector(".debug-row"));
}"""
TYPED = """(text) => {
    const field = document.querySelector(".debug-search input");
    const before = document.querySelector(".debug-list").dataset.rows;
    field.value = text;
    field.dispatchEvent(new Event("input"));
    return seen(() => document.querySelector(".debug-list").dataset.rows !== before);
}"""
CHOSEN = """() => {
    document.querySelector(".debug-tools .tool-button[aria-expanded]").click();
    const before = document.querySelector(".debug-list").dataset.rows;
    document.querySelector(".debug-kind[data-kind=tool]").click();
    return seen(() => document.querySelector(".debug-list").dataset.rows !== before);
}"""
FED = """async (runs) => {
    const end = countWrites();
    await feed(numbered(traced(runs)).map((one) => ({ ...one, seq: one.seq + 1e6 })));
    return end();
}"""
SEARCHES = ("kitchen", "zebra", "of step 3 of run 1", "")


def measure(runs: int = 400, repeats: int = 3, steps: int = 40) -> Section:
    """A chat of `runs` runs of 50 messages in the pane, `repeats` times; a run of `steps` steps in the log."""
    section = Section(
        "trace: the debug pane, and prompts in the log",
        [
            f"{50 * runs:,} events of one chat ({runs} runs of four steps, each with a call, a tool and code);",
            f"median of {repeats} fresh pages. Prompts: a run of {steps} steps of a scripted model on a real desk.",
        ],
    )
    with served_page() as address, chromium() as browser:
        received = [looking(browser, address, runs) for _ in range(repeats)]
    opened, filtered = median([item[0] for item in received]), max(max(item[1]) for item in received)
    section.figures += [("the pane opens", ms(opened)), ("the slowest of all filters", ms(filtered))]
    section.figures.append(
        ("writes of the pane in its busiest frame", str(max(item[2] for item in received)))
    )
    section.ratios += [
        of_times("debug pane opens, of a second", opened, OPEN, 1),
        of_times("slowest filter, of 100 ms", filtered, FILTER, 1),
    ]
    log, more = kept(steps)
    section.figures += [("log without prompts", f"{log:,} bytes"), ("prompts and calls", f"{more:,} bytes")]
    section.ratios.append(
        Ratio("prompts kept, of the log's bytes", f"{more:,}", f"{log:,}", more / log, MORE)
    )
    return section


def looking(browser: Browser, address: str, runs: int) -> tuple[float, list[float], int]:
    """Seconds until a filled pane is seen, and each filter; its most writes in one frame while more comes."""
    page: Page = open_fed(browser, address, CALLS, COUNT_WRITES)
    try:
        page.evaluate(ALONE)
        page.evaluate("(runs) => { for (const message of numbered(traced(runs))) say(message); }", runs)
        opened = page.evaluate(OPENED, 50 * runs)
        page.wait_for_timeout(1000)  # a person has to read before
        filtered = [page.evaluate(TYPED, search) for search in SEARCHES]
        filtered.append(page.evaluate(CHOSEN))
        page.evaluate("() => document.querySelector('.debug-tools .tool-button[aria-expanded]').click()")
        writes = page.evaluate(FED, max(1, runs // 20))
        return opened, filtered, int(writes["most"].get("debug", 0))
    finally:
        page.close()


def kept(steps: int) -> tuple[int, int]:
    """Bytes of a run's log without, and those that its calls and their prompts add."""
    with tempfile.TemporaryDirectory() as folder:
        model = ScriptedModel(
            [*(code(cell(number)) for number in range(steps - 1)), code("final_answer('done')")]
        )
        with (
            live_desk(Path(folder), lambda: model, max_steps=steps + 1) as live,
            WsClient(live.ws_url) as client,
        ):
            client.hello()
            client.say("What do the readings of the last year say about the rooms?")
            client.until_closed()
            return live.desk.store.read(sizes)


def cell(number: int) -> str:
    """What a model writes in a step: some twenty lines, and as many printed."""
    lines, terms = range(12), "degree hours, more than"
    sums = [
        f"reading_{number}_{line} = sum(value * {line + number} for value in range({100 + line}))"
        for line in lines
    ]
    displayed = [
        f"print('room {line} of step {number} had', reading_{number}_{line}, '{terms}', {line} * 7)"
        for line in lines
    ]
    return "\n".join([f"# Step {number}: the rooms one by one, and what is left of them", *sums, *displayed])


def sizes(connection: Any) -> tuple[int, int]:
    """(bytes of events that are no calls, bytes of calls and of rows of kept messages)"""
    events = connection.execute(text("SELECT type, body FROM event")).all()
    calls = sum(len(body.encode()) for kind, body in events if kind == "model_called")
    rows = connection.execute(text("SELECT id, base, body FROM prompt")).all()
    messages = sum(len(name) + len(base or "") + len(body) for name, base, body in rows)
    return sum(len(body.encode()) for kind, body in events if kind != "model_called"), calls + messages
