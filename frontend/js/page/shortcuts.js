/**
 * Shortcuts of the page, outside of fields: `/` to write, `a` for the next ask, `l` for the layout, `?` for the sheet
 * with all keys. The sheets load on first use.
 */

import { loadLatePart } from "../core/late.js";

/** @import { DeskBus, Translate } from "../types.js" */

/**
 * @param {object} needs
 * @param {DeskBus} needs.bus
 * @param {Translate} needs.t
 */
export function listenForShortcuts({ bus, t }) {
  document.addEventListener("keydown", (event) => {
    const writing =
      event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    if (writing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") bus.emit("command", { name: "focus-pane", pane: "chat" });
    else if (event.key === "a") bus.emit("command", { name: "next-ask" });
    else if (event.key === "l") bus.emit("command", { name: "layout" });
    else if (event.key === "?") bus.emit("command", { name: "help" });
    else return;
    event.preventDefault();
  });
  const write = (/** @type {string} */ text) => bus.emit("command", { name: "write", text });
  bus.on("command", async (command) => {
    const { name } = command;
    if (name === "help") (await loadLatePart(() => import("../help/sheet.js"), t, "help"))?.openHelp(t);
    if (name === "sources")
      (await loadLatePart(() => import("../sources/sources.js"), t, "sources"))?.openSources(t);
    if (name === "mcp")
      (await loadLatePart(() => import("../sources/sources.js"), t, "sources"))?.openServers(t, write);
    if (name === "report")
      (await loadLatePart(() => import("../reports/report.js"), t, "reports"))?.report(
        t,
        command.chatId,
        command.pin,
      );
    if (name === "tests") {
      const open = () => bus.emit("command", { name: "tests" });
      const module = await loadLatePart(() => import("../suites/tests.js"), t, "suites");
      if (command.save) void module?.saveAnswer(t, command.save.chatId, command.save.runId, open);
      else module?.openTests(t, command.file);
    }
    if (name === "watches") {
      const open = () => bus.emit("command", { name: "watches" });
      const module = await loadLatePart(() => import("../watches/list.js"), t, "watches");
      if (command.add) void module?.addWatchOf(t, command.add, open);
      else module?.openWatches(t, command.unread ?? { notices: [], count: 0 });
    }
    if (name === "share" && command.chatId)
      (await loadLatePart(() => import("../reports/report.js"), t, "reports"))?.openSharedViews(
        t,
        command.chatId,
        command.object,
      );
  });
}
