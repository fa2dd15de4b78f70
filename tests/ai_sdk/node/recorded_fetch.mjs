/** A `fetch` for the stock HTTP transport that writes down each request and, beside the SDK, reads each response. */

const EMPTY_LINE = /\r?\n\r?\n/;

/**
 * @param {import("./record.mjs").Record} record
 * @returns {typeof fetch}
 */
export function recordedFetch(record) {
  return async (url, init) => {
    const body = typeof init?.body === "string" ? JSON.parse(init.body) : null;
    const exchange = record.begin(body ?? { method: init?.method, url: String(url) });
    const response = await fetch(url, init);
    exchange.status = response.status;
    exchange.headers = Object.fromEntries(response.headers);
    record.reading.push(read(record, exchange, response.clone()));
    return response;
  };
}

/**
 * @param {import("./record.mjs").Record} record
 * @param {import("./record.mjs").Exchange} exchange
 * @param {Response} response
 */
async function read(record, exchange, response) {
  if (response.status !== 200) {
    exchange.refusal = await response.text();
    exchange.ended = true;
    return;
  }
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const bytes of response.body) {
      const events = (rest + decoder.decode(bytes, { stream: true })).split(EMPTY_LINE);
      rest = events.pop();
      for (const event of events) record.event(exchange, event);
    }
    exchange.ended = true;
  } catch (error) {
    exchange.malformed.push(`the response broke off: ${error.message}`);
  }
  if (rest !== "") exchange.malformed.push(`no empty line at the end: ${rest.slice(0, 200)}`);
}
