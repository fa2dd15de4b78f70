/** Drives the official OpenAI client for JavaScript: reads {url, key} from stdin, prints what it saw as one line of JSON. */
import { readFileSync } from "node:fs";
import OpenAI from "openai";

const { url, key } = JSON.parse(readFileSync(0, "utf8"));
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
const told = {};

const models = [];
for await (const model of client.models.list()) models.push(model.id);
told.models = models;

/** The class, status and code of what a call throws. */
async function refusal(call) {
  try {
    await call;
    return null;
  } catch (fault) {
    return [fault.constructor.name, fault.status, fault.code];
  }
}
const asked = { model: "code", messages: [{ role: "user", content: "hi" }] };
told.wrongKey = await refusal(
  new OpenAI({ baseURL: `${url}/v1`, apiKey: "wrong", maxRetries: 0 }).models.list(),
);
told.noModel = await refusal(client.chat.completions.create({ ...asked, model: "gpt-9" }));
told.twoAnswers = await refusal(client.chat.completions.create({ ...asked, n: 2 }));

const stream = client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } });
told.pieces = [];
stream.on("content", (delta) => told.pieces.push(delta));
told.whole = (await stream.finalChatCompletion()).choices[0].message.content;

const clock = {
  type: "function",
  function: {
    name: "get_time",
    description: "The time somewhere.",
    parameters: { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] },
    parse: JSON.parse,
    function: ({ zone }) => `12:00 in ${zone}`,
  },
};
const runner = client.chat.completions.runTools({
  model: "tools",
  messages: [{ role: "user", content: "What time is it?" }],
  tools: [clock],
});
told.withTools = await runner.finalContent();

const response = await client.responses.create({ model: "code", input: "hi", stream: true });
told.events = [];
let id = "";
for await (const event of response) {
  told.events.push(event.type);
  if (event.type === "response.completed") id = event.response.id;
}
told.rest = [];
for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: 3 })) {
  told.rest.push(event.type);
}
const begun = await client.responses.create({ model: "code", input: "wait", background: true });
told.cancelled = (await client.responses.cancel(begun.id)).status;

const schema = {
  type: "object",
  properties: { rooms: { type: "array", items: { type: "string" } } },
  required: ["rooms"],
};
const parsed = await client.chat.completions.parse({
  model: "code",
  messages: [{ role: "user", content: "Which rooms, as data?" }],
  response_format: { type: "json_schema", json_schema: { name: "rooms", schema, strict: true } },
});
told.parsed = parsed.choices[0].message.parsed;

const left = await client.chat.completions.create({ ...asked, stream: true });
for await (const _ of left) break; // which closes the connection
process.stdout.write(`${JSON.stringify(told)}\n`);
