/** Panes of the page in the order of the tabs. To add one, add an entry (spec/guides/add_a_pane.md). */

import { ChatPane } from "./chat/chat.js";
import { ImageViewer } from "./images/viewer.js";
import { latePane } from "./core/late.js";

/**
 * `column`: column on a wide screen, below the previous panes; `shows`: message types that put a dot on its tab.
 *
 * @satisfies {import("./types.js").PaneEntry[]}
 */
export const PANES = /** @type {const} */ ([
  {
    name: "chat",
    title: { en: "Chat", ja: "チャット" },
    icon: "chat",
    column: "right",
    Pane: ChatPane,
    shows: ["text", "error", "ask", "json"],
  },
  {
    name: "map",
    title: { en: "Floor map", ja: "フロアマップ" },
    icon: "map",
    column: "left",
    Pane: latePane(async () => (await import("./map/viewer.js")).MapViewer),
    shows: ["map", "map_frames", "highlight_room", "arrow", "clear_map", "clear_arrows"],
  },
  {
    name: "images",
    title: { en: "Images", ja: "画像" },
    icon: "image",
    column: "left",
    Pane: ImageViewer,
    shows: ["image", "chart"],
  },
  {
    name: "debug",
    title: { en: "Debug", ja: "デバッグ" },
    icon: "debug",
    column: "right",
    Pane: latePane(async () => (await import("./debug/viewer.js")).DebugViewer, {
      sheet: "debug",
      until: ({ entries }) => entries.length > 0,
      textKey: "debug.empty",
    }),
    shows: [],
  },
]);
