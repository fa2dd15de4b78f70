// One question to /mcp with the protocol's TypeScript client: what came of it, as JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { url, mode, question, accepts } = JSON.parse(await new Response(process.stdin).text());
const client = new Client(
  { name: "smoldesk-tests", version: "1" },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
);
const forms = [];
const progress = [];
client.setRequestHandler("elicitation/create", ({ params }) => {
  forms.push(params);
  return { action: accepts ? "accept" : "decline", ...(accepts && { content: { answer: true } }) };
});
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const result = await client.callTool(
  { name: "ask_analyst", arguments: { question } },
  { onprogress: ({ message }) => progress.push(message) },
);
const { contents } = await client.readResource({
  uri: tools.find(({ name }) => name === "ask_analyst")._meta.ui.resourceUri,
});
await client.close();
process.stdout.write(`${JSON.stringify({ result, forms, progress, app: contents[0].mimeType })}\n`);
