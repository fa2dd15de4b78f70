/** Every key of the page, by where it is meant: a key is one or more strokes, `words` the name of its sentence. Data alone. */

/** @typedef {{ keys: string[], words: string }} Key */

/** @type {{ name: string, keys: Key[] }[]} */
export const KEYS = [
  {
    name: "page",
    keys: [
      { keys: ["Ctrl+K"], words: "help.chats" },
      { keys: ["/"], words: "help.write" },
      { keys: ["a"], words: "help.next_ask" },
      { keys: ["c"], words: "help.conversations" },
      { keys: ["m"], words: "help.maximise" },
      { keys: ["l"], words: "help.layout" },
      { keys: ["?"], words: "help.help" },
    ],
  },
  {
    name: "composer",
    keys: [
      { keys: ["Enter"], words: "help.send" },
      { keys: ["Shift+Enter"], words: "help.line" },
      { keys: ["↑", "↓"], words: "help.recall" },
      { keys: ["Tab"], words: "help.complete" },
      { keys: ["/"], words: "help.commands" },
      { keys: ["Esc"], words: "help.leave" },
    ],
  },
  {
    name: "turn",
    keys: [
      { keys: ["←", "→"], words: "help.turn_actions" },
      { keys: ["Enter"], words: "help.run_from_here" },
      { keys: ["Ctrl+Enter"], words: "help.run_code" },
      { keys: ["Esc"], words: "help.leave_edit" },
    ],
  },
  {
    name: "chats",
    keys: [
      { keys: ["↑", "↓"], words: "help.list" },
      { keys: ["Enter"], words: "help.open_chat" },
      { keys: ["F2"], words: "help.rename" },
      { keys: ["Delete"], words: "help.delete" },
      { keys: ["Esc"], words: "help.close" },
    ],
  },
  {
    name: "asks",
    keys: [
      { keys: ["y"], words: "help.allow" },
      { keys: ["n"], words: "help.deny" },
      { keys: ["e"], words: "help.edit" },
      { keys: ["1", "…", "9"], words: "help.choose" },
      { keys: ["Ctrl+Enter"], words: "help.edited" },
    ],
  },
  {
    name: "grid",
    keys: [
      { keys: ["Shift+↑", "↓", "←", "→"], words: "help.mark" },
      { keys: ["Ctrl+A"], words: "help.mark_all" },
      { keys: ["Ctrl+C"], words: "help.copy_cells" },
      { keys: ["Ctrl+Enter"], words: "help.ask_cells" },
    ],
  },
  {
    name: "map",
    keys: [
      { keys: ["↑", "↓", "←", "→"], words: "help.move" },
      { keys: ["+", "−"], words: "help.zoom" },
      { keys: ["0"], words: "help.fit" },
      { keys: ["Page Up", "Page Down"], words: "help.floor" },
      { keys: ["Space"], words: "help.play" },
      { keys: ["Esc"], words: "help.unselect" },
    ],
  },
  {
    name: "others",
    keys: [
      { keys: ["←", "→"], words: "help.images" },
      { keys: ["↑", "↓"], words: "help.debug" },
      { keys: ["←", "→", "↑", "↓"], words: "help.splitters" },
    ],
  },
];
