/**
 * Feeds recorded responses to a release's readUIMessageStream.
 *
 * From stdin {version: "first" | 6 | 7, recordings: [[the raw text of one response each]]}, to stdout
 * {readings: [{message, snapshots, errors}]}. The responses of a recording are read one after another, each going on with
 * the message of the one before.
 */
import { print, readScenario } from "./drive.mjs";
import { release } from "./releases.mjs";

const { version, recordings } = await readScenario();
const ai = await release(version);
const readings = [];
for (const responses of recordings) readings.push(await read(responses));
await print({ readings });

/** @param {string[]} responses */
async function read(responses) {
  const reading = { message: undefined, snapshots: 0, errors: [] };
  const onError = (error) => reading.errors.push(`${error.name}: ${error.message}`);
  for (const response of responses) {
    const options = { message: reading.message, stream: chunksOf(response), onError, terminateOnError: true };
    try {
      for await (const message of ai.readUIMessageStream(options)) {
        reading.message = message;
        reading.snapshots += 1;
      }
    } catch (error) {
      if (reading.errors.length === 0) onError(error);
    }
  }
  return reading;
}

/** As DefaultChatTransport reads a response's body. @param {string} response */
function chunksOf(response) {
  const stream = new Response(response).body;
  return ai.parseJsonEventStream({ stream, schema: ai.uiMessageChunkSchema }).pipeThrough(
    new TransformStream({
      transform(parsed, controller) {
        if (!parsed.success) throw parsed.error;
        controller.enqueue(parsed.value);
      },
    }),
  );
}
