/** Sheet of MCP servers: their state, tools, resources and prompts, and actions to add, switch and remove one. */

import { el } from "../core/dom.js";
import { attempt, openSheet, sheetButton } from "../core/sheet.js";
import { branch, errorText, leaf, smallButton } from "./branch.js";
import { askForServer } from "./mcp_add.js";
import { promptLine } from "./mcp_prompt.js";
import { authorizeServer, listServers, removeServer, restartServer, switchServer } from "./mcp_api.js";

/** @import { Translate } from "../types.js" */
/** @import { McpServer } from "./mcp_api.js" */
/** @typedef {{ facts: string, item: HTMLElement }} Line */

/** Milliseconds until a server that starts, or waits for a person, is queried again. */
const POLL_DELAY = 1500;

/** Open the sheet. @param {Translate} t @param {(text: string) => void} use puts a prompt's text into the message */
export function openServers(t, use) {
  const list = el("ul", { class: "source-list source-roots", "aria-busy": "true" });
  const status = el("p", { class: "source-said", role: "status" });
  const add = sheetButton(
    t("mcp.add"),
    () =>
      askForServer(t, (server) => {
        status.textContent = t(server.state === "failed" ? "mcp.added_failed" : "sources.added", {
          name: server.name,
          problem: server.problem,
        });
        void draw();
      }),
    "strong",
  );
  const done = sheetButton(t("shared.done"), () => sheet.close());
  const closed = el("p", { class: "sheet-hint", hidden: true }, t("mcp.not_allowed"));
  let timer = 0;
  /** Server whose line had the focus last. If the line is redrawn, it gets the focus again. */
  let focused = "";
  list.addEventListener("focusin", ({ target }) => {
    focused = [...drawn].find(([, { item }]) => item.contains(/** @type {Node} */ (target)))?.[0] ?? "";
  });
  /** Lines of the last drawing: an unchanged line stays. @type {Map<string, Line>} */
  let drawn = new Map();
  add.hidden = true;
  const sheet = openSheet({
    title: t("mcp.title"),
    body: [el("p", { class: "sheet-hint" }, t("mcp.about")), list, status, closed],
    buttons: [add, done],
    closed: () => clearTimeout(timer),
  });
  list.closest("dialog")?.classList.add("source-sheet", "mcp-sheet");
  const take = (/** @type {string} */ text) => {
    sheet.close();
    use(text);
  };
  void draw();

  async function draw() {
    clearTimeout(timer);
    try {
      const { servers, mayChange } = await listServers();
      const before = drawn;
      drawn = new Map(
        servers.map((server) => [server.name, lineOf(server, mayChange, before.get(server.name))]),
      );
      if (servers.length > 0 && [...before.keys()].join() === [...drawn.keys()].join())
        drawn.forEach(({ item }, name) => {
          if (!item.isConnected) before.get(name)?.item.replaceWith(item);
        });
      else
        list.replaceChildren(
          ...(servers.length > 0 ? [...drawn.values()].map(({ item }) => item) : [leaf(t("mcp.none"))]),
        );
      add.hidden = !mayChange;
      closed.hidden = mayChange;
      if (list.isConnected && servers.some(({ state }) => state === "starting" || state === "authorize"))
        timer = setTimeout(() => void draw(), POLL_DELAY);
    } catch (fault) {
      sheet.showError(errorText(fault, t));
    }
    list.setAttribute("aria-busy", "false");
    if (document.activeElement === document.body && list.isConnected)
      /** @type {HTMLElement} */ (
        drawn.get(focused)?.item.querySelector(".source-branch") ?? (add.hidden ? done : add)
      ).focus();
  }

  /** @param {McpServer} server @param {boolean} mayChange @param {Line} [before] @returns {Line} */
  function lineOf(server, mayChange, before) {
    const facts = JSON.stringify([server, mayChange]);
    if (before?.facts === facts) return before;
    const item = line(server, mayChange);
    if (before?.item.querySelector(".source-branch[aria-expanded=true]"))
      /** @type {HTMLElement | null} */ (item.querySelector(".source-branch"))?.click();
    return { facts, item };
  }

  /** @param {McpServer} server @param {boolean} mayChange */
  function line(server, mayChange) {
    const { name, state } = server;
    /** @param {string} action @param {() => Promise<unknown>} act */
    const button = (action, act) => {
      const created = smallButton(
        t(`mcp.${action}`),
        t(`mcp.${action}_one`, { name }),
        () =>
          void attempt(created, sheet.showError, t("shared.no_answer"), async () => {
            await act();
            await draw();
          }),
      );
      return created;
    };
    const authorize = async () => {
      const { url } = await authorizeServer(name);
      status.replaceChildren(
        t("mcp.open_page"),
        " ",
        el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, new URL(url).host),
      );
    };
    const acts = !mayChange
      ? []
      : [
          ...(state === "authorize" ? [button("authorize", authorize)] : []),
          ...(state === "off" ? [] : [button("restart", () => restartServer(name))]),
          state === "off"
            ? button("on", () => switchServer(name, true))
            : button("off", () => switchServer(name, false)),
          ...(server.removable
            ? [
                smallButton(t("shared.remove"), t("shared.remove_one", { name }), () =>
                  confirmRemoval(t, name, () => void draw()),
                ),
              ]
            : []),
        ];
    const item = branch({
      name,
      detail: [t(`mcp.state_${state}`), server.problem || server.description || server.place].join(" · "),
      sign: "tool",
      t,
      acts,
      load: async () => inside(t, server, sheet.showError, take),
    });
    item.dataset.state = state;
    return item;
  }
}

/**
 * Create the details of one server.
 *
 * @param {Translate} t
 * @param {McpServer} server
 * @param {(problem: string) => void} showError
 * @param {(text: string) => void} use takes a prompt's text
 */
function inside(t, server, showError, use) {
  const { name, tools, resources, prompts, problem } = server;
  const facts = [
    server.information,
    server.place,
    server.isProgram ? t(server.isolated ? "mcp.isolated" : "mcp.not_isolated") : "",
    server.isProgram && server.network ? t("mcp.with_network") : "",
    server.variables.join(", "),
  ].filter(Boolean);
  /** @type {HTMLElement[]} */
  const lines = [...(problem ? [problem] : []), facts.join(" · ")].map((text) =>
    el("li", {}, el("p", { class: "mcp-words" }, text)),
  );
  for (const tool of tools)
    lines.push(
      detailLine(
        tool.name || tool.tool,
        tool.problem ? t("mcp.left_out", { why: tool.problem }) : t(`mcp.approval_${tool.approval}`),
        tool.description,
      ),
    );
  for (const resource of resources)
    lines.push(detailLine(resource.name, resource.address, resource.description));
  for (const prompt of prompts) lines.push(promptLine(t, name, prompt, showError, use));
  return lines;
}

/**
 * Create a line with the server's description below its name.
 *
 * @param {string} name
 * @param {string} detail
 * @param {string} text
 */
function detailLine(name, detail, text) {
  const item = leaf(name, detail);
  return el(
    "li",
    { class: "mcp-item" },
    el("div", { class: "source-leaf" }, ...item.childNodes),
    text && el("p", { class: "mcp-words" }, text),
  );
}

/** @param {Translate} t @param {string} name @param {() => void} gone */
function confirmRemoval(t, name, gone) {
  const keep = sheetButton(t("shared.cancel"), () => sheet.close());
  const go = sheetButton(
    t("shared.remove"),
    () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        await removeServer(name);
        sheet.close();
        gone();
      }),
    "danger",
  );
  const sheet = openSheet({
    title: t("shared.remove_title", { name }),
    body: [el("p", {}, t("mcp.remove_what"))],
    buttons: [keep, go],
    focus: keep,
  });
}
