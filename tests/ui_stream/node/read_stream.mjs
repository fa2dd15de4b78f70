/**
 * Feeds recorded responses to a release's readUIMessageStream, one after another, each going on with the last's message.
 *
 * From stdin {version: "first" | 6 | 7, responses: [the raw text of one each]}, to stdout {message, snapshots, errors}.
 */
import { print, readScenario } from "./drive.mjs";
import { release } from "./packages.mjs";

const { version, responses } = await readScenario();
const ai = await release(version);
const errors = [];
let snapshots = 0;
let message;
for (const response of responses) {
  const stream = chunksOf(response);
  const onError = (error) => errors.push(`${error.name}: ${error.message}`);
  try {
    for await (const state of ai.readUIMessageStream({ message, stream, onError, terminateOnError: true })) {
      message = state;
      snapshots += 1;
    }
  } catch (error) {
    if (errors.length === 0) onError(error);
  }
}
await print({ message, snapshots, errors });

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
