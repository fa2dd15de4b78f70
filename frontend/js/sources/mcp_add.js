/** Form for a new MCP server: a program or an address. The page does not keep the values of its variables. */

import { translateRefusal } from "../core/fault-words.js";
import { el } from "../core/dom.js";
import { attempt, field, labelled, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { addServer } from "./mcp_api.js";

/** @import { Translate } from "../types.js" */
/** @import { McpServer, NewServer } from "./mcp_api.js" */

/** @param {Translate} t @param {(server: McpServer) => void} added */
export function askForServer(t, added) {
  const name = field("text", 30, "files");
  const place = field("text", 4000, "npx -y @modelcontextprotocol/server-everything");
  const secrets = el("textarea", {
    class: "sheet-field mcp-secrets",
    rows: "2",
    placeholder: "API_KEY=…",
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "off",
  });
  const tools = field("text", 4000);
  const network = el("input", { type: "checkbox" });
  const always = el("input", { type: "checkbox" });
  const status = el("p", { class: "source-said", role: "status" });
  const go = submitButton(t("mcp.add_it"));
  const sheet = openSheet({
    title: t("mcp.add"),
    body: [
      labelled(t("shared.name"), name),
      labelled(t("mcp.place"), place),
      el("p", { class: "sheet-hint" }, t("mcp.place_hint")),
      labelled(t("mcp.secrets"), secrets),
      el("p", { class: "sheet-hint" }, t("mcp.secrets_hint")),
      labelled(t("mcp.allowed"), tools),
      el("label", { class: "sheet-choice" }, network, el("span", {}, t("mcp.network"))),
      el("label", { class: "sheet-choice" }, always, el("span", {}, t("mcp.always"))),
      status,
    ],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), go],
    focus: name,
    submit: () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        const empty = [name, place].find(({ value }) => value.trim() === "");
        for (const input of [name, place]) input.setAttribute("aria-invalid", String(input === empty));
        empty?.focus();
        if (empty) return sheet.showError(t("mcp.needed"));
        status.textContent = t("mcp.starting");
        try {
          const request = {
            ...serverOf(name.value, place.value, secrets.value, network.checked),
            ...more(tools.value, always.checked),
          };
          const server = await translateRefusal(t, () => addServer(request));
          sheet.close();
          added(server);
        } finally {
          status.textContent = "";
        }
      }),
  });
}

/** @param {string} tools @param {boolean} always */
function more(tools, always) {
  const names = tools.split(/[\s,、]+/).filter(Boolean);
  return { ...(names.length > 0 ? { tools: names } : {}), ...(always ? { approval: "always" } : {}) };
}

/**
 * Return the server's configuration: a web address, or else a command line.
 *
 * @param {string} name
 * @param {string} place
 * @param {string} secrets lines of NAME=value
 * @param {boolean} network
 * @returns {NewServer}
 */
export function serverOf(name, place, secrets, network) {
  const pairs = secrets
    .split("\n")
    .filter((line) => line.includes("="))
    .map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
  const values = Object.fromEntries(pairs);
  if (/^https?:\/\//i.test(place.trim()))
    return { name: name.trim(), url: place.trim(), ...(pairs.length > 0 ? { headers: values } : {}) };
  const [command = "", ...args] = splitLine(place);
  return { name: name.trim(), command, args, network, ...(pairs.length > 0 ? { env: values } : {}) };
}

/** Split a command line at spaces outside of quotes. @param {string} line */
const splitLine = (line) =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
