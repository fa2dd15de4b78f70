"""The whole page, fed from inside: its socket is a stand-in that says what a test or a benchmark tells it to.

So messages come as fast as a browser can take them, one task each as from a real socket, and nothing else is measured.
"""

import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

from tests.support.servers import http_served

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
FEED = """
    window.WebSocket = class extends EventTarget {
        static OPEN = 1;
        constructor() {
            super();
            this.readyState = 1;
            window.say = (message) => {
                this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
            };
            setTimeout(() => {
                this.dispatchEvent(new Event("open"));
                window.say({ type: "map_definition", content: { floors: [], bitmaps: [] } });
                const isolation = { isolated: true, label: "isolated", reasons: [] };
                const names = { chatId: "c", protocol: "2.0", title: "", model: "m", agent: "code", agentName: "a" };
                window.say({ type: "chat", content: { ...names, files: [], tools: [], selection: [], isolation } });
            });
        }
        send() {}
        close() {}
    };

    // One task for each message; told when all of it is drawn.
    window.feed = (messages) => new Promise((drawn) => {
        const { port1, port2 } = new MessageChannel();
        let at = 0;
        port1.onmessage = () => {
            if (at < messages.length) {
                window.say(messages[at]);
                at += 1;
                port2.postMessage(0);
            } else {
                requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn)));
            }
        };
        port2.postMessage(0);
    });

    // A hundred turns of ten messages are a thousand.
    window.turns = (count) => Array.from({ length: count }, (_, turn) => {
        const runId = `r${turn}`;
        const step = "Step 1";
        const call = { callId: `c${turn}`, tool: "load_dataset", step: 1 };
        const columns = [{ name: "room", kind: "text" }, { name: "value", kind: "number" }];
        const rows = Array.from({ length: 5 }, (_, n) => [`Room${n}`, n / 4]);
        return [
            { type: "user_message", content: `Question ${turn}`, ahead: 0 },
            { type: "run", content: { runId, state: "running", step: 1 } },
            { type: "tool", content: { ...call, state: "called", arguments: { name: "titanic" } } },
            { type: "tool", content: { ...call, state: "returned", result: "891 rows" } },
            { type: "printed", content: `printed ${turn}\\n`, step: 1 },
            { type: "debug", content: { agent_response: {}, parsed_outputs: [], output_count: 3 } },
            { type: "code", content: "import pandas as pd\\npd.DataFrame()", language: "python", step },
            { type: "table", content: { tableId: `t${turn}`, name: "rooms", columns, rows, rowCount: 5 } },
            { type: "text", content: `Answer ${turn}`, tone: "answer" },
            { type: "run", content: { runId, state: "finished", text: `Answer ${turn}` } },
        ].map((message) => ({ ...message, runId }));
    }).flat();

    window.deltas = (count) => [
        { type: "user_message", content: "Write", ahead: 0, runId: "long" },
        { type: "run", content: { runId: "long", state: "running", step: 1 }, runId: "long" },
        ...Array.from({ length: count }, (_, n) => (
            { type: "delta", kind: "code", step: 1, runId: "long", content: n % 4 ? `v_${n} = ${n}; ` : `print(${n})\\n` })),
    ];

    // What a terminal program writes: lines, some of them in two pieces.
    window.outputs = (count) => [
        { type: "user_message", content: "Run", ahead: 0, runId: "program" },
        { type: "run", content: { runId: "program", state: "running", step: 1 }, runId: "program" },
        ...Array.from({ length: count }, (_, n) => {
            const content = n % 4 ? `line ${n} of the program, and so on\\n` : `part ${n} `;
            return { type: "delta", kind: "output", step: 1, runId: "program", content };
        }),
    ];

    window.numbered = (messages) => messages.map((message, at) => (
        { ...message, seq: at + 1, timestamp: new Date(1_700_000_000_000 + at * 20).toISOString() }));
"""

COUNT_WRITES = """
    let frame = 0;
    let open = false;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { open = false; };
    const tick = () => {  // asked for before anybody else in each frame, so the first of the next; times may be the same
        window.requestAnimationFrame(tick);
        [frame, open] = [frame + 1, true];
        port2.postMessage(0);
    };
    window.requestAnimationFrame(tick);

    // What was written: by pane, how often in its busiest frame; and every write that no frame asked for.
    window.countWrites = () => {
        const seen = { frames: 0, most: {}, outside: [] };
        const begun = frame;
        const busy = new Map();
        const watch = new MutationObserver((records) => {
            const panes = new Set(records.map(({ target }) => {
                const node = target instanceof Element ? target : target.parentElement;
                return node?.closest("[data-pane]")?.dataset.pane ?? "page";
            }));
            for (const pane of panes) {
                const key = `${pane} ${frame}`;
                busy.set(key, (busy.get(key) ?? 0) + 1);
                seen.most[pane] = Math.max(seen.most[pane] ?? 0, busy.get(key));
            }
            const said = records.map(({ target, attributeName }) => `${target.className ?? target} ${attributeName}`);
            if (!open) seen.outside.push(...said);
        });
        watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        return () => { watch.disconnect(); return { ...seen, frames: frame - begun }; };
    };
"""
"""In which frame each pane writes to the document; see tests/page/test_frames.py."""


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = "index.html" if self.path.split("?")[0] == "/" else self.path.removeprefix("/static/")
        file = Path(self.directory) / name
        if not file.is_file():
            return self.send_error(404)
        body = file.read_bytes()
        kind = (
            "text/javascript" if file.suffix == ".js" else mimetypes.guess_type(file.name)[0] or "text/plain"
        )
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        self.wfile.write(body)
        return None


@contextmanager
def served_page(frontend: Path = FRONTEND) -> Iterator[str]:
    """frontend/ on a free port; its address."""
    with http_served(_Files, directory=str(frontend)) as address:
        yield f"{address}/"


def open_fed(browser: Browser | BrowserContext, address: str, *scripts: str) -> Page:
    """The page, connected to its stand-in; more scripts run before it. A context keeps the page's modules for the next."""
    page = browser.new_page()
    page.set_viewport_size({"width": 1440, "height": 900})
    for script in (FEED, *scripts):
        page.add_init_script(script)
    page.goto(address)
    page.wait_for_selector(".connection[data-connection=open]", state="attached")
    return page
