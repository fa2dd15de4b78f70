/**
 * One scenario from stdin, played to its end or to its limits, and what came of it as one line of JSON on stdout.
 *
 * A scenario: {url, version: 6 | 7, chatId?, predicate, turns: [Turn], messages?, history?, maxRequests?, seconds?} and
 * what the transport wants. `history` is an address of UI messages, which the chat begins with once they are validated.
 */
import { Answered, makeChat, predicate } from "./chat.mjs";
import { chunkCheck, release } from "./releases.mjs";
import { playTurn } from "./person.mjs";
import { Record } from "./record.mjs";

const MAX_REQUESTS = 8;
const SECONDS = 90;

/** @param {(ai: any, scenario: any, record: Record) => any} makeTransport */
export async function drive(makeTransport) {
  const scenario = await readScenario();
  const ai = await release(scenario.version);
  const record = new Record(scenario.maxRequests ?? MAX_REQUESTS);
  const answered = new Answered();
  record.onRequest(() => answered.sent());
  const transport = makeTransport(ai, scenario, record);
  const chat = makeChat(ai, {
    ...(scenario.chatId === undefined ? {} : { id: scenario.chatId }),
    transport,
    sendAutomaticallyWhen: predicate(scenario.predicate ?? "approval-helper", ai, answered),
  });
  if (scenario.messages) chat.messages = scenario.messages;
  const loaded = scenario.history && (await (await fetch(scenario.history)).json());
  if (loaded?.length) chat.messages = await ai.validateUIMessages({ messages: loaded });
  await within(scenario.seconds ?? SECONDS, record, async () => {
    for (const turn of scenario.turns) {
      transport.keepOpen = turn.keepOpen ?? false;
      await playTurn(chat, answered, record, turn);
    }
    await Promise.all(record.reading);
  });
  const check = await chunkCheck(scenario.version);
  const exchanges = await Promise.all(record.exchanges.map((exchange) => judged(exchange, check)));
  await print({
    version: scenario.version,
    chatId: chat.id,
    status: chat.status,
    statuses: chat.statuses,
    errors: chat.errors,
    messages: chat.messages,
    loaded,
    exchanges,
    outOfBand: record.outOfBand,
    stopped: record.stopped,
  });
}

/** The scenario, whole, from stdin. @returns {Promise<any>} */
export async function readScenario() {
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
  return JSON.parse(text);
}

/** The result, and with it the end: an open socket or a client that asks for ever shall not hold the process. */
export async function print(result) {
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(result)}\n`, resolve));
  process.exit(0);
}

/** Runs `work`, for so long at most; then the record says so. */
async function within(seconds, record, work) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, seconds * 1000, "late");
  });
  if ((await Promise.race([work(), late])) === "late") record.stopped ??= `not at its end after ${seconds} s`;
  clearTimeout(timer);
}

async function judged(exchange, check) {
  const invalid = [];
  for (const [index, chunk] of exchange.chunks.entries()) {
    for (const problem of await check(chunk)) invalid.push({ index, ...problem });
  }
  return { ...exchange, invalid };
}
