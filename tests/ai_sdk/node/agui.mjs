/**
 * AG-UI's own client, driven by lines of JSON: each line on stdin is one run of an agent, each on stdout what came of it.
 *
 * A line is {agent, url?, threadId?, messages?, say?, results?, state?, resume?, tools?, context?, forwardedProps?, runId?,
 * connect?, abortOn?}. The first of an agent makes it; `results` are tool messages. What the client strips or warns of is told, so
 * that nothing passes unseen.
 */
import { createInterface } from "node:readline";
import { HttpAgent, runHttpRequest, transformHttpEventStream } from "@ag-ui/client";

/** The stock agent, with the one method that the package leaves to those who know the server's address for it. */
class DeskAgent extends HttpAgent {
  connect(input) {
    return transformHttpEventStream(
      runHttpRequest(() => this.fetch(`${this.url}/connect`, this.requestInit(input))),
    );
  }
}

const warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));
console.error = () => {};
const agents = new Map();
let made = 0;

async function play(line) {
  const {
    agent: name,
    url,
    threadId,
    say,
    results = [],
    state: set,
    messages: before,
    connect,
    abortOn,
    ...given
  } = line;
  if (!agents.has(name)) agents.set(name, new DeskAgent({ url, threadId }));
  const agent = agents.get(name);
  if (before !== undefined) agent.setMessages(before);
  for (const message of results) agent.addMessage({ id: `result-${++made}`, role: "tool", ...message });
  if (say !== undefined) agent.addMessage({ id: `user-${++made}`, role: "user", content: say });
  if (set !== undefined) agent.setState(set);
  const events = [];
  let pending = null;
  const heard = {
    onEvent: ({ event }) => {
      events.push(event);
      if (event.type === abortOn) agent.abortRun();
    },
    onRunFinishedEvent: (finished) => void (pending = finished.pendingToolCallIds ?? null),
  };
  let error = null;
  try {
    await (connect ? agent.connectAgent(given, heard) : agent.runAgent(given, heard));
  } catch (fault) {
    error = String(fault.message ?? fault);
  }
  const { messages, state, pendingInterrupts: interrupts } = agent;
  return { events, messages, state, interrupts, pending, error, warnings: warnings.splice(0) };
}

for await (const text of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await play(JSON.parse(text))));
}
