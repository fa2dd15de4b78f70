/** Puts one pane on an otherwise empty page; tests reach it as `window.desk`. */

import { Bus } from "./js/core/bus.js";
import { Desk } from "./js/page/store.js";
import { followFloors } from "./js/core/floor-names.js";
import { loadLanguage, translator } from "./js/core/i18n.js";

const PANES = {
  map: async () => (await import("./js/map/viewer.js")).MapViewer,
  images: async () => (await import("./js/images/viewer.js")).ImageViewer,
  debug: async () => (await import("./js/debug/viewer.js")).DebugViewer,
};

const wishes = new URLSearchParams(location.search);
document.documentElement.dataset.theme = wishes.get("theme") ?? "light";
document.body.style.cssText =
  "margin: 0; font-family: var(--font); height: 100vh; display: flex; flex-direction: column";

const bus = new Bus();
const store = new Desk(bus);
await Promise.all(["en", "ja"].map(loadLanguage)); // a test changes it at once
const t = translator(wishes.get("language") ?? "en");
followFloors(bus, t);
const heard = { send: [], select: [], hover: [], command: [], leg: [] };
for (const name of Object.keys(heard)) bus.on(name, (value) => heard[name].push(value));

const Pane = await PANES[wishes.get("pane")]();
const pane = new Pane({ bus, t });
const frame = document.createElement("div");
frame.style.cssText = "flex: 1; min-height: 0; position: relative";
frame.append(pane.dom);
if (pane.tools) {
  const header = document.createElement("header");
  header.style.cssText = "display: flex; align-items: center; height: 36px; padding: 0 8px";
  header.append(pane.tools);
  document.body.append(header);
}
document.body.append(frame);

window.desk = {
  bus,
  t,
  pane,
  store,
  heard,
  tell: (messages) => {
    for (const message of messages) store.take(message);
  },
};
