/** Composition root of the page: creates each part, passes it what it needs, and opens the socket. */

import { AgentChooser } from "./page/agent-chooser.js";
import { Bus } from "./core/bus.js";
import { readLocation } from "./asks/client-location.js";
import { ChatsButton } from "./chats/chats.js";
import { ChatTitle } from "./chats/title.js";
import { ClientWork } from "./asks/client-work.js";
import { ConversationsEntry } from "./conversations/entry.js";
import { Desk } from "./page/store.js";
import { el } from "./core/dom.js";
import { followFloors } from "./core/floor-names.js";
import { firstLanguage, loadLanguage, translator } from "./core/i18n.js";
import { loadLatePart, loadPart } from "./core/late.js";
import { Layout } from "./page/layout.js";
import { LayoutChoice } from "./page/layout-choice.js";
import { Link } from "./page/chat-session.js";
import { OpenAsksButton } from "./asks/open-asks.js";
import { PANES } from "./panes.js";
import { replayInHash } from "./core/address.js";
import { PageMenu } from "./page/menu.js";
import { PageTitle } from "./core/page-title.js";
import { markLoaded, missed } from "./page/recovery.js";
import { followWidth, isWide } from "./core/screen.js";
import { keep } from "./core/storage.js";
import { listenForShortcuts } from "./page/shortcuts.js";
import { SkipLink } from "./page/skip-link.js";
import { ThemeChoice } from "./page/theme.js";
import { TopBar } from "./page/top-bar.js";
import { acceptKey, followSession } from "./core/session.js";
import { NoticesButton } from "./watches/notices.js";

/** @import { BgmPlayer } from "./asks/bgm-player.js" */
/** @import { ClientOutcome, DeskEvents, JsonValue, Language } from "./types.js" */

const PAINT_TIMEOUT = 100;

acceptKey(); // also in start.js: either module may run first
followSession();
document.documentElement.dataset.page = "loading"; // tells start.js that this module loaded
const t = translator(firstLanguage());
const learned = loadLanguage(t.language).catch((fault) => {
  missed();
  throw fault;
});
await Promise.all([learned, painted()]);

/** @type {Bus<DeskEvents>} */
const bus = new Bus();
document.documentElement.lang = t.language;
followFloors(bus, t);

const theme = new ThemeChoice(bus);
const desk = new Desk(bus);
const link = new Link(bus, desk);
const layout = new Layout({ bus, t, panes: PANES });
const page = new PageTitle();
const asks = new OpenAsksButton({ bus, t, title: page });
const notices = new NoticesButton({ bus, t });
const music = el("div");
/** @type {Promise<BgmPlayer | null> | null} */
let player = null;
const agents = new AgentChooser({ bus, t });
const talk = new ConversationsEntry({ bus, t, talk: () => desk.state.talk });
const layouts = new LayoutChoice({ bus, t });
const switchTheme = () => theme.toggle();
const menu = new PageMenu({ bus, t, layouts, switchTheme, switchLanguage, talk: () => talk.toggle() });
const chats = new ChatsButton({ bus, t, state: () => desk.state });
const title = new ChatTitle({ bus, t, page });
const bar = new TopBar({
  bus,
  t,
  chats: chats.dom,
  title: title.dom,
  agent: agents.dom,
  place: [talk.place, talk.leave],
  attention: [music, notices.dom, asks.dom],
  menu,
});
placeTitle();
followWidth(placeTitle);
listenForShortcuts({ bus, t });
bus.on("command", async (command) => {
  if (command.name !== "compare-versions") return;
  const module = await loadLatePart(() => import("./versions/sheet.js"), t, "versions");
  void module?.openVersions(t, desk.state, command.versions);
});
new ClientWork({
  bus,
  tools: { get_location: () => readLocation(), change_bgm: changeMusic },
});

document.body.replaceChildren(new SkipLink({ bus, t }).dom, bar.dom, layout.dom, layout.tabs.dom, talk.dom);
document.documentElement.dataset.page = "ready";
markLoaded();
theme.apply();
desk.schedule();
if (replayInHash(window.location.hash) === null) link.open();
else
  void loadLatePart(() => import("./replay/replay.js"), t, "replay").then(
    (module) => module && new module.Replay({ bus, t, desk }),
  );
bus.emit("command", { name: "write" });
talk.follow();

/** Put the chat's title in its pane, or into the bar where tabs name the panes. */
function placeTitle() {
  if (isWide()) layout.frame("chat").title.after(title.dom);
  else agents.dom.before(title.dom);
}

/**
 * Wait until the bar of index.html was painted, because creating the page takes longer. A hidden tab paints nothing,
 * hence the timeout.
 */
function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => window.setTimeout(done));
    window.setTimeout(done, PAINT_TIMEOUT);
  });
}

/**
 * Change the background music; the player is loaded with the first track.
 *
 * @param {{ [name: string]: JsonValue }} input
 * @returns {Promise<ClientOutcome>}
 */
async function changeMusic(input) {
  player ??= loadPart(() => import("./asks/bgm-player.js"), t).then((module) => {
    const loaded = module && new module.BgmPlayer({ bus, t });
    if (loaded) music.replaceWith(loaded.dom);
    return loaded;
  });
  const loaded = await player;
  if (loaded !== null) return loaded.change(input);
  player = null;
  return { granted: false, reason: "The player of the page did not load" };
}

async function switchLanguage() {
  /** @type {Language} */
  const language = t.language === "en" ? "ja" : "en";
  if ((await loadPart(() => loadLanguage(language), t)) === null) return;
  t.language = language;
  document.documentElement.lang = language;
  keep("language", language);
  bus.emit("language", language);
}
