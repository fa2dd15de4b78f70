/** All shortcuts of the page by context. A shortcut is one or more strokes; `textKey` names its text. */

/** @typedef {{ keys: string[], textKey: string }} Key */

/** @type {{ name: string, keys: Key[] }[]} */
export const KEYS = [
  {
    name: "page",
    keys: [
      { keys: ["Ctrl+K"], textKey: "commands.chats" },
      { keys: ["/"], textKey: "help.write" },
      { keys: ["a"], textKey: "help.next_ask" },
      { keys: ["c"], textKey: "talk.open" },
      { keys: ["m"], textKey: "help.maximise" },
      { keys: ["l"], textKey: "help.layout" },
      { keys: ["?"], textKey: "help.title" },
    ],
  },
  {
    name: "composer",
    keys: [
      { keys: ["Enter"], textKey: "help.send" },
      { keys: ["Shift+Enter"], textKey: "help.line" },
      { keys: ["↑", "↓"], textKey: "help.recall" },
      { keys: ["Tab"], textKey: "help.complete" },
      { keys: ["/"], textKey: "help.commands" },
      { keys: ["Esc"], textKey: "help.leave" },
    ],
  },
  {
    name: "turn",
    keys: [
      { keys: ["←", "→"], textKey: "help.turn_actions" },
      { keys: ["Enter"], textKey: "help.run_from_here" },
      { keys: ["Ctrl+Enter"], textKey: "help.run_code" },
      { keys: ["Esc"], textKey: "help.leave_edit" },
    ],
  },
  {
    name: "chats",
    keys: [
      { keys: ["↑", "↓"], textKey: "help.list" },
      { keys: ["Enter"], textKey: "shared.open" },
      { keys: ["F2"], textKey: "shared.rename" },
      { keys: ["t"], textKey: "help.tags" },
      { keys: ["Delete"], textKey: "help.delete" },
      { keys: ["Esc"], textKey: "shared.close" },
    ],
  },
  {
    name: "asks",
    keys: [
      { keys: ["y"], textKey: "ask.allow" },
      { keys: ["n"], textKey: "ask.deny" },
      { keys: ["e"], textKey: "help.edit" },
      { keys: ["1", "…", "9"], textKey: "help.choose" },
      { keys: ["Ctrl+Enter"], textKey: "help.edited" },
    ],
  },
  {
    name: "grid",
    keys: [
      { keys: ["Shift+↑", "↓", "←", "→"], textKey: "help.mark" },
      { keys: ["Ctrl+A"], textKey: "help.mark_all" },
      { keys: ["Ctrl+C"], textKey: "help.copy_cells" },
      { keys: ["Ctrl+Enter"], textKey: "help.ask_rows" },
      { keys: ["Space"], textKey: "help.select_row" },
      { keys: ["Shift+Space"], textKey: "help.select_rows" },
      { keys: ["Alt+↓"], textKey: "help.column_menu" },
      { keys: ["Enter"], textKey: "help.group_rows" },
    ],
  },
  {
    name: "map",
    keys: [
      { keys: ["↑", "↓", "←", "→"], textKey: "help.move" },
      { keys: ["+", "−"], textKey: "map.zoom" },
      { keys: ["0"], textKey: "map.fit" },
      { keys: ["Page Up", "Page Down"], textKey: "help.floor" },
      { keys: ["Enter"], textKey: "help.room_menu" },
      { keys: ["Space"], textKey: "help.play" },
      { keys: ["Esc"], textKey: "help.unselect" },
    ],
  },
  {
    name: "others",
    keys: [
      { keys: ["←", "→"], textKey: "help.images" },
      { keys: ["↑", "↓"], textKey: "help.debug" },
      { keys: ["←", "→", "↑", "↓"], textKey: "help.splitters" },
    ],
  },
];
