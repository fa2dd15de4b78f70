/** Prompt of an MCP server in its sheet: its arguments, and its text, which a person can put into the message. */

import { el } from "../core/dom.js";
import { attempt, field, labelled } from "../core/sheet.js";
import { branch, smallButton } from "./branch.js";
import { promptOf } from "./mcp_api.js";

/** @import { Translate } from "../types.js" */
/** @import { ServerItem } from "./mcp_api.js" */

const LONGEST = 10_000;

/**
 * Create the line of a prompt.
 *
 * @param {Translate} t
 * @param {string} server
 * @param {ServerItem} what
 * @param {(problem: string) => void} showError
 * @param {(text: string) => void} use puts a text into the message
 */
export function promptLine(t, server, { name, description, arguments: parameters }, showError, use) {
  return branch({
    name,
    detail: parameters.length > 0 ? t("mcp.prompt_of", { names: parameters.join(", ") }) : t("mcp.prompt"),
    sign: "chat",
    t,
    load: async () => {
      const fields = parameters.map((argument) => ({ argument, input: field("text", LONGEST) }));
      const values = () =>
        Object.fromEntries(
          fields
            .filter(({ input }) => input.value !== "")
            .map(({ argument, input }) => [argument, input.value]),
        );
      const text = parameters.length > 0 ? description : (await promptOf(server, name)).text;
      const go = smallButton(
        t("mcp.use_prompt"),
        t("mcp.use_prompt_one", { name }),
        () =>
          void attempt(go, showError, t("shared.no_answer"), async () =>
            use((await promptOf(server, name, values())).text),
          ),
      );
      const enter = (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" && !event.isComposing) go.click();
      };
      return [
        el(
          "li",
          { class: "mcp-prompt", on: { keydown: enter } },
          text && el("p", { class: "mcp-words" }, text),
          fields.map(({ argument, input }) => labelled(argument, input)),
          go,
        ),
      ];
    },
  });
}
