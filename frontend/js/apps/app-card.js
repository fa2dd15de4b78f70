/**
 * View of an MCP server next to the answer: its name, its frame, the hosts it may reach, and its requests to the
 * person. The frame is created from the log, so it is there after a reload; its later state is the view's own.
 */

import { argumentTable } from "../asks/arguments.js";
import { moving } from "./attention.js";
import { send } from "../core/api.js";
import { el } from "../core/dom.js";
import { visible } from "../core/escaping.js";
import { icon } from "../core/icons.js";
import { deskAddress } from "../core/message-address.js";
import { closed, mayHaveCrashed, opened } from "./crashes.js";
import { fixed, readTheme, place, readLanguage } from "./context.js";
import { AppFrame, confinesViews } from "./frame.js";
import { AppHost, RpcFault } from "./host.js";
import { AppQuestion } from "./question.js";
import { request } from "../core/session.js";

/** @import { JsonValue, McpApp, PaneNeeds } from "../types.js" */
/** @typedef {PaneNeeds & { chatId: () => string | null }} Needs */
/**
 * Call of the view, and the permissions that its server declared.
 *
 * @typedef {{ server: string, tool: Record<string, JsonValue>, arguments: Record<string, JsonValue>, domains:
 *   Record<string, string[]>, permissions: string[], border: boolean | null }} Facts
 */

const LEAST_HEIGHT = 48;
const MOST_HEIGHT = 640;
const HEIGHT = 240;
/** Permissions that the person has granted to views of a chat, until the page is left. @type {Set<string>} */
const permitted = new Set();

export class AppCard {
  /** @param {McpApp} message @param {Needs} needs */
  constructor(message, needs) {
    const { t, bus } = needs;
    const { title, server, callId } = message.content;
    this.message = message;
    this.needs = needs;
    /** @type {Facts | null} */
    this.facts = null;
    /** @type {AppFrame | null} */
    this.frame = null;
    /** @type {AppHost | null} */
    this.host = null;
    /** Display modes of the view; null if it did not declare any. @type {string[] | null} */
    this.modes = null;
    /** Elements around the card when it was opened. @type {Element[] | null} */
    this.home = null;
    this.full = false;
    this.height = HEIGHT;
    /** Size of the card as last sent to the view. */
    this.sentPlace = "";
    this.question = new AppQuestion(t);
    this.size = this.button("maximise", "app.full", () => this.resize(!this.full));
    this.shut = this.button("close", "app.close", () =>
      this.frame ? this.close(t("app.closed")) : void this.start(),
    );
    this.reach = el("div", { class: "app-reach", hidden: true });
    this.stage = el("div", { class: "app-stage" });
    this.status = el("p", { class: "app-status", role: "status" });
    this.dom = el(
      "figure",
      {
        class: "app-card",
        "data-call": callId,
        "data-state": "opens",
        on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
      },
      el(
        "figcaption",
        { class: "app-head" },
        icon("layout"),
        el("span", { class: "app-title" }, visible(title)),
        el("span", { class: "app-server" }, t("app.of", { server: visible(server) })),
        this.size,
        this.shut,
      ),
      this.reach,
      this.stage,
      this.question.dom,
      this.status,
    );
    this.undo = [
      bus.on("theme", () => this.host?.changed(readTheme())),
      bus.on("language", () => this.host?.changed(readLanguage())),
    ];
    this.watch = new ResizeObserver(() => this.placed());
    this.watch.observe(this.stage);
    void this.start();
  }

  /** @param {McpApp} message */
  update(message) {
    this.message = message;
    void this.finish();
  }

  /** Base path of the view's API. */
  get base() {
    return `/api/chats/${encodeURIComponent(this.needs.chatId() ?? "")}/apps/${encodeURIComponent(this.message.content.factsId)}`;
  }

  /** Return the key of a permission in `permitted`. @param {unknown} limit calls or reads that the permission covers */
  permit(limit) {
    return JSON.stringify([this.needs.chatId(), this.message.content.server, limit]);
  }

  /** Open the view, also again after it was closed. */
  async start() {
    const { t } = this.needs;
    const { title, server, pageId, callId } = this.message.content;
    this.dom.dataset.state = "opens";
    this.showStatus("");
    try {
      this.facts ??= await data(this.message.url);
      if (mayHaveCrashed(callId)) return this.warn("app.crashed", () => opened(callId));
      if (!confinesViews(navigator.userAgent) && !permitted.has(this.permit("leaks")))
        return this.warn("app.leaks", () => permitted.add(this.permit("leaks")));
      const network = permitted.has(this.permit(this.facts?.domains));
      const { url, domains } = await send("POST", `${this.base}/frames`, { pageId, network });
      this.frame?.destroy();
      this.question.close(false);
      const frame = new AppFrame(
        t("app.frame", { title, server }),
        url,
        (message) => host.take(message),
        (reason) => this.ended(reason),
      );
      const host = new AppHost(
        (message) => frame.send(message),
        this.services(network ? domains : {}, () => this.frame === frame),
      );
      [this.frame, this.host] = [frame, host];
      opened(callId);
      this.frame.dom.style.blockSize = `${this.height}px`;
      this.dom.toggleAttribute("data-bare", this.facts?.border === false);
      this.stage.replaceChildren(this.frame.dom);
      this.home = ancestors(this.dom);
      this.drawReach([...new Set(/** @type {string[]} */ (Object.values(domains).flat()))], network);
      this.shut.hidden = false;
      this.label(this.shut, "close", "app.close");
      this.dom.dataset.state = "open";
      host.begin(this.facts?.arguments ?? {});
      await this.finish();
    } catch (fault) {
      this.close(t("app.failed", { why: fault instanceof Error ? fault.message : "" }));
    }
  }

  /** Ask the person before the view is opened. @param {string} reason @param {() => void} agreed */
  warn(reason, agreed) {
    const { t } = this.needs;
    const { server } = this.message.content;
    const show = () => {
      agreed();
      void this.start();
    };
    this.dom.dataset.state = "warns";
    this.size.hidden = this.shut.hidden = true;
    this.reach.hidden = false;
    this.reach.replaceChildren(
      el("p", {}, icon("warning"), t(reason, { server })),
      el("button", { class: "text-button", type: "button", on: { click: show } }, t("app.show")),
    );
  }

  /** Send the result of its call to the view, once it is there. */
  async finish() {
    const {
      host,
      message: {
        resultUrl,
        content: { state, reason },
      },
    } = this;
    if (host === null || state === "called") return;
    try {
      host.end(state === "returned" ? { result: await data(resultUrl) } : { reason: reason ?? "" });
    } catch {
      host.end({ reason: "The result could not be read." });
    }
  }

  /**
   * Handle the end of the frame. Browsers without moveBefore reload a frame when the page moves it; then the view
   * starts again.
   *
   * @param {import("./frame.js").Ending} reason
   */
  ended(reason) {
    if (
      reason === "left" &&
      this.home !== null &&
      ancestors(this.dom).some((ancestor, at) => ancestor !== this.home?.[at])
    )
      void this.start();
    else this.close(this.needs.t(`app.${reason}`));
  }

  /** Close the view; its card stays. @param {string} reason */
  close(reason) {
    moving();
    closed(this.message.content.callId);
    this.host?.teardown();
    this.frame?.destroy();
    this.frame = this.host = null;
    this.question.close(false);
    if (this.full) this.resize(false);
    this.stage.replaceChildren();
    this.dom.dataset.state = "closed";
    this.label(this.shut, "retry", "app.again");
    this.size.hidden = true;
    this.showStatus(reason);
  }

  /** @param {Record<string, string[]>} csp @param {() => boolean} isOpen @returns {import("./host.js").Services} */
  services(csp, isOpen) {
    const { t, bus } = this.needs;
    const server = visible(this.message.content.server);
    const refused = () => new RpcFault("The person refused.");
    const confirm = async (
      /** @type {string} */ text,
      /** @type {import("../core/dom.js").Child} */ detail,
      /** @type {string} */ yes,
    ) => {
      if (!isOpen() || !this.dom.isConnected) throw new RpcFault("The view is closed.");
      if (this.question.isOpen) throw new RpcFault("The person is being asked something already.");
      if (!(await this.question.ask(text, detail, yes))) throw refused();
    };
    const granted = async (
      /** @type {"calls" | "reads"} */ limit,
      /** @type {Record<string, JsonValue>} */ body,
      /** @type {() => Promise<void>} */ ask,
    ) => {
      const { base } = this;
      const first = await send("POST", `${base}/${limit}`, body);
      if (!first.grant) return first.result;
      await ask();
      const { result } = await send("POST", `${base}/${limit}`, { ...body, grant: first.grant });
      if (result === undefined) throw new RpcFault("The person agreed too late.");
      return result;
    };
    return {
      context: () => ({
        ...fixed(/** @type {Facts} */ (this.facts)),
        ...readTheme(),
        ...readLanguage(),
        ...place(this.room()),
      }),
      sandbox: () => ({ csp }),
      call: (tool, input) =>
        granted("calls", { tool, arguments: input }, () =>
          confirm(
            t("app.wants_call", { server, tool: visible(tool) }),
            argumentTable(/** @type {any} */ ({ arguments: input, parameters: {} }), null, t),
            t("app.allow"),
          ),
        ),
      read: (uri) =>
        granted("reads", { uri }, () =>
          confirm(t("app.wants_read", { server }), el("code", {}, visible(uri)), t("app.allow")),
        ),
      open: async (url) => {
        await confirm(t("app.wants_link", { server }), el("code", {}, visible(url)), t("shared.open"));
        window.open(url, "_blank", "noopener,noreferrer");
      },
      write: async (text) => {
        await confirm(t("app.wants_write", { server }), el("blockquote", {}, visible(text)), t("app.write"));
        if (this.full) this.resize(false);
        bus.emit("command", { name: "write", text });
      },
      display: (mode) => {
        const isAllowed =
          // only the person may cover the page
          mode === "fullscreen" ? (navigator.userActivation?.isActive ?? true) : mode === "inline";
        if (isAllowed) this.resize(mode === "fullscreen");
        return this.full ? "fullscreen" : "inline";
      },
      size: (height) => {
        const before = this.height;
        this.height = Math.round(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, height)));
        if (this.height !== before) moving();
        if (!this.full && this.frame) this.frame.dom.style.blockSize = `${this.height}px`;
      },
      log: (level, text) => console.info(`A view of the MCP server ${server} (${level}):`, text),
      ready: (modes) => {
        this.modes = modes;
        this.size.hidden = !this.mayFill;
      },
      leave: () => this.close(t("app.closed")),
    };
  }

  /**
   * Show the hosts that the view declares, and whether it may reach them.
   *
   * @param {string[]} domains
   * @param {boolean} network
   */
  drawReach(domains, network) {
    const { t } = this.needs;
    this.reach.hidden = domains.length === 0;
    if (this.reach.hidden) return;
    const names = el("span", { class: "app-domains" }, domains.join(", "));
    const allow = () => {
      permitted.add(this.permit(this.facts?.domains));
      void this.start();
    };
    this.reach.replaceChildren(
      el(
        "p",
        {},
        icon(network ? "link" : "shield"),
        t(network ? "app.reaches" : "app.wants_reach"),
        " ",
        names,
      ),
      network
        ? ""
        : el("button", { class: "text-button", type: "button", on: { click: allow } }, t("app.let_reach")),
    );
  }

  get mayFill() {
    return this.modes === null || this.modes.includes("fullscreen");
  }

  /** Show the view full screen or in its place. @param {boolean} full over the whole page */
  resize(full) {
    if (full === this.full || (full && !this.mayFill)) return;
    moving();
    this.full = full;
    const focused = document.activeElement === this.size;
    if (full) this.dom.setAttribute("popover", "manual");
    this.dom.togglePopover?.(full);
    if (!full) this.dom.removeAttribute("popover");
    this.label(this.size, full ? "restore" : "maximise", full ? "app.inline" : "app.full");
    if (this.frame) this.frame.dom.style.blockSize = full ? "" : `${this.height}px`;
    if (full || focused) this.size.focus({ preventScroll: true });
    this.placed();
  }

  /** Return the view's size. */
  room() {
    const { clientWidth: width, clientHeight } = this.stage;
    return { width, height: this.full ? clientHeight : MOST_HEIGHT, full: this.full };
  }

  /** Remove the view when another chat is shown. */
  destroy() {
    this.close("");
    this.watch.disconnect();
    for (const undo of this.undo) undo();
  }

  placed() {
    if (!this.dom.isConnected) return this.destroy(); // a detached node has no size
    const now = place(this.room());
    const nowText = JSON.stringify(now);
    if (nowText === this.sentPlace) return;
    this.sentPlace = nowText;
    this.host?.changed(now);
  }

  /** Stop shortcuts of the page while the view is full screen. @param {KeyboardEvent} event */
  key(event) {
    if (!this.full) return;
    event.stopPropagation();
    if (event.key === "Escape") this.resize(false);
  }

  /** @param {string} text */
  showStatus(text) {
    this.status.textContent = text;
  }

  /** @param {string} drawing @param {string} textKey @param {() => void} press */
  button(drawing, textKey, press) {
    const button = el("button", { class: "icon-button small", type: "button", on: { click: press } });
    this.label(button, drawing, textKey);
    return button;
  }

  /** @param {HTMLElement} button @param {string} drawing @param {string} textKey */
  label(button, drawing, textKey) {
    const name = this.needs.t(textKey);
    button.replaceChildren(icon(drawing));
    button.title = name;
    button.setAttribute("aria-label", name);
  }
}

/** Return a node and all its ancestors. @param {Element | null} node @returns {Element[]} */
const ancestors = (node) => (node === null ? [] : [node, ...ancestors(node.parentElement)]);

/** @param {string | undefined} url @returns {Promise<any>} */
async function data(url) {
  const response = await request(deskAddress(url) ?? "");
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}
