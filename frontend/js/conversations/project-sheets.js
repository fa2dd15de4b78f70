/** Dialogs of projects and agents: a new project, a new agent, its passkey, and how an agent joins. */

import { copyText } from "../core/clipboard.js";
import { addDeskAgent, addMember, addProject, removeMember, removeProject } from "./api.js";
import { listAgents } from "../core/api.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { attempt, openSheet, sheetButton, submitButton } from "../core/sheet.js";
import { visible } from "../core/escaping.js";

/** @import { AgentInfo, ProjectDetail, Translate } from "../types.js" */

const LONGEST_NAME = 200;

/**
 * @param {Translate} t
 * @param {(id: string) => void} onCreated
 */
export function askForProject(t, onCreated) {
  const field = nameField("project-name", t("talk.project_example"));
  const go = submitButton(t("talk.create"));
  const sheet = openSheet({
    title: t("talk.new_project"),
    body: [labelled(t("shared.name"), field), el("p", { class: "sheet-hint" }, t("talk.project_hint"))],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), go],
    focus: field,
    submit: () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        if (!named(field)) return sheet.showError(t("talk.name_needed"));
        const { id } = await addProject(field.value.trim());
        sheet.close();
        onCreated(id);
      }),
  });
}

/**
 * @param {Translate} t
 * @param {ProjectDetail} project
 * @param {() => void} onCreated
 */
export function askForMember(t, project, onCreated) {
  const field = nameField("member-name", t("talk.agent_example"));
  const agentSelect = el("select", {
    class: "sheet-field",
    id: "member-agent",
    "aria-label": t("talk.kind_desk"),
  });
  const ofDesk = el("div", { hidden: true }, agentSelect);
  const kinds = /** @type {("ai" | "desk" | "human")[]} */ (["ai", "desk", "human"]).map((kind) =>
    el(
      "label",
      { class: "sheet-choice" },
      el("input", {
        type: "radio",
        name: "kind",
        value: kind,
        checked: kind === "ai",
        on: {
          change: () => {
            ofDesk.hidden = chosen() !== "desk";
          },
        },
      }),
      el(
        "span",
        {},
        t(`talk.kind_${kind}`),
        el("span", { class: "sheet-hint" }, t(`talk.kind_${kind}_hint`)),
      ),
    ),
  );
  const chosen = () =>
    kinds.map((kind) => kind.querySelector("input")).find((input) => input?.checked)?.value;
  const go = submitButton(t("talk.add"));
  const sheet = openSheet({
    title: t("talk.new_agent"),
    body: [
      labelled(t("shared.name"), field),
      el("div", { class: "sheet-choices", role: "radiogroup", "aria-label": t("talk.kind") }, kinds),
      ofDesk,
    ],
    buttons: [sheetButton(t("shared.cancel"), () => sheet.close()), go],
    focus: field,
    submit: () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        const name = field.value.trim();
        const kind = chosen();
        if (kind !== "desk" && !named(field)) return sheet.showError(t("talk.name_needed"));
        if (kind === "desk" && agentSelect.options.length === 0) await list();
        const member =
          kind === "desk"
            ? await addDeskAgent(project.id, agentSelect.value, name)
            : await addMember(project.id, name, kind === "human" ? "human" : "ai");
        sheet.close();
        onCreated();
        if (member.passkey) showPasskey(t, project.id, name, member.id, member.passkey);
      }),
  });
  const list = async () => {
    const { agents } = await listAgents();
    agentSelect.replaceChildren(
      ...agents
        .filter(({ available }) => available)
        .map(({ name }) => el("option", { value: name }, visible(name))),
    );
  };
  list().catch(() => undefined); // without the list the dialog still works
}

/**
 * Show a passkey, once. It is on the page only while the dialog is open.
 *
 * @param {Translate} t
 * @param {string} projectId
 * @param {string} name
 * @param {string} id
 * @param {string} passkey
 */
function showPasskey(t, projectId, name, id, passkey) {
  const done = sheetButton(t("shared.done"), () => sheet.close(), "strong");
  const sheet = openSheet({
    title: t("talk.passkey_title", { name: visible(name) }),
    body: [
      el("p", { class: "sheet-warning" }, icon("warning"), el("span", {}, t("talk.passkey_once"))),
      el(
        "dl",
        { class: "sheet-facts" },
        copied(t, t("talk.passkey"), passkey),
        copied(t, "agent_id", id),
        copied(t, "project_id", projectId),
        copied(t, t("talk.mcp_address"), mcpAddress()),
      ),
    ],
    buttons: [done],
    focus: done,
  });
}

/** Describe how an agent joins. @param {Translate} t @param {string} projectId */
export function joining(t, projectId) {
  return [
    el(
      "ol",
      { class: "joining" },
      ["talk.join_add", "talk.join_connect", "talk.join_authenticate", "talk.join_talk"].map((key) =>
        el("li", {}, t(key)),
      ),
    ),
    el("p", { class: "sheet-hint" }, t("talk.join_desk")),
    el(
      "dl",
      { class: "sheet-facts" },
      copied(t, t("talk.mcp_address"), mcpAddress()),
      copied(t, "project_id", projectId),
    ),
  ];
}

/**
 * @param {Translate} t
 * @param {ProjectDetail} project
 * @param {AgentInfo} member
 * @param {() => void} gone
 */
export function askToRemoveMember(t, project, member, gone) {
  confirm(
    t,
    t("talk.remove_agent_title", { name: visible(member.name) }),
    t("talk.remove_agent_what"),
    t("shared.remove"),
    async () => {
      await removeMember(project.id, member.id);
      gone();
    },
  );
}

/**
 * @param {Translate} t
 * @param {ProjectDetail} project
 * @param {() => void} gone
 */
export function askToRemoveProject(t, project, gone) {
  confirm(
    t,
    t("shared.remove_title", { name: visible(project.name) }),
    t("talk.remove_project_what"),
    t("shared.remove"),
    async () => {
      await removeProject(project.id);
      gone();
    },
  );
}

/**
 * Ask for confirmation, with the focus on the harmless button.
 *
 * @param {Translate} t
 * @param {string} title
 * @param {string} detail consequence
 * @param {string} word label of the button that confirms
 * @param {() => Promise<void>} act
 */
export function confirm(t, title, detail, word, act) {
  const keep = sheetButton(t("shared.cancel"), () => sheet.close());
  const go = sheetButton(
    word,
    () =>
      attempt(go, sheet.showError, t("shared.no_answer"), async () => {
        await act();
        sheet.close();
      }),
    "danger",
  );
  const sheet = openSheet({ title, body: [el("p", {}, detail)], buttons: [keep, go], focus: keep });
}

const mcpAddress = () => new URL("/mcp", window.location.href).href;

/** Check whether a field is filled, and show an error if not. @param {HTMLInputElement} field */
function named(field) {
  const well = field.value.trim() !== "";
  field.setAttribute("aria-invalid", String(!well));
  if (!well) field.focus();
  return well;
}

/** @param {string} name @param {string} example */
function nameField(name, example) {
  return el("input", {
    class: "sheet-field",
    type: "text",
    name,
    placeholder: example,
    maxlength: LONGEST_NAME,
    autocomplete: "off",
    spellcheck: "false",
  });
}

/** @param {string} label @param {HTMLElement} field */
const labelled = (label, field) => el("label", { class: "sheet-label" }, label, field);

/** Create a fact with a copy button. @param {Translate} t @param {string} name @param {string} value */
function copied(t, name, value) {
  const button = el(
    "button",
    {
      class: "icon-button small",
      type: "button",
      "aria-label": t("talk.copy", { what: name }),
      title: t("talk.copy", { what: name }),
      on: {
        click: async () => {
          const well = await copyText(value);
          button.replaceChildren(icon(well ? "check" : "error"));
          status.textContent = t(well ? "shared.copied" : "shared.not_copied");
        },
      },
    },
    icon("copy"),
  );
  const status = el("span", { class: "visually-hidden", role: "status" });
  return el(
    "div",
    { class: "sheet-fact" },
    el("dt", {}, name),
    el("dd", {}, el("code", {}, value), button, status),
  );
}
