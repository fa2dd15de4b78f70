/** Fields of a new model that depend on its provider: the key, the region or resource, and the model from its list. */

import { runFault } from "../core/fault-words.js";
import { Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { field, labelled } from "../core/sheet.js";
import { providerModels } from "./api.js";

/** @import { Translate } from "../types.js" */
/** @import { Provider } from "./api.js" */

const LIST_ID = "models-of-provider";

/** Choice of a provider and its fields; without one ("Other server") the form has an address. */
export class ProviderFields {
  /** @param {Translate} t @param {Provider[]} providers */
  constructor(t, providers) {
    this.t = t;
    this.providers = providers;
    this.select = el(
      "select",
      { class: "sheet-field", on: { change: () => this.update() } },
      providers.map(({ name, title }) => el("option", { value: name }, title)),
      el("option", { value: "" }, t("models.other_server")),
    );
    this.url = field("text", 2000, "http://127.0.0.1:11434/v1");
    this.place = field("text", 63);
    this.key = field("password", 2000);
    this.key.addEventListener("change", () => void this.listModels());
    this.model = field("text", 300);
    this.model.setAttribute("list", LIST_ID);
    this.list = el("datalist", { id: LIST_ID });
    this.listed = el("p", { class: "sheet-hint", role: "status" });
    this.about = el("p", { class: "sheet-hint" });
    this.install = el("p", { class: "sheet-warning" });
    this.labels = {
      url: labelled(t("models.url"), this.url),
      place: labelled("", this.place),
      hint: el("p", { class: "sheet-hint" }, t("models.model_hint")),
    };
    this.dom = [
      labelled(t("models.provider"), this.select),
      this.install,
      this.labels.url,
      this.labels.place,
      labelled(t("models.key_field"), this.key),
      this.about,
      labelled(t("shared.model"), this.model),
      this.listed,
      this.labels.hint,
      this.list,
    ];
    this.update();
  }

  get provider() {
    return this.providers.find(({ name }) => name === this.select.value) ?? null;
  }

  /** Show the fields of the chosen provider. What was entered for another one is removed, above all its key. */
  update() {
    const { provider, t } = this;
    for (const input of [this.key, this.place, this.model]) input.value = "";
    this.model.dispatchEvent(new Event("input")); // the suggested name follows
    this.key.placeholder = provider?.keyForm ?? "";
    this.model.placeholder = provider?.example ?? "openai:gpt-5";
    this.labels.url.hidden = provider !== null;
    this.labels.hint.hidden = provider !== null;
    this.labels.place.hidden = !provider?.place;
    if (provider?.place) this.labels.place.firstChild?.replaceWith(t(`models.place_${provider.place}`));
    this.place.placeholder = provider?.place === "region" ? "eu-west-1" : "my-resource";
    this.install.hidden = !provider?.install;
    this.install.textContent = provider?.install ? t("models.install", { command: provider.install }) : "";
    this.about.replaceChildren(
      t("shared.stored_encrypted"),
      ...(provider ? [" ", keyLink(t, provider)] : []),
    );
    this.list.replaceChildren();
    this.listed.textContent = "";
  }

  /** Ask the server for the provider's models, by the key that was entered. */
  async listModels() {
    const { provider, t } = this;
    const key = this.key.value;
    if (!provider?.lists || !key) return;
    const report = (/** @type {string} */ text) => {
      if (this.provider === provider && this.key.value === key) this.listed.textContent = text;
    };
    report(t("models.listing", { name: provider.title }));
    try {
      const { models } = await providerModels(provider.name, key);
      report(t("models.listed", { n: models.length }));
      if (this.provider === provider)
        this.list.replaceChildren(...models.map((value) => el("option", { value })));
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      const { code, message: content } =
        fault instanceof Refusal ? fault : { code: "", message: t("shared.no_answer") };
      report(runFault({ code, content }, t).text);
    }
  }

  /** Return the first required field that is empty. */
  missing() {
    const required = this.provider
      ? [...(this.provider.place ? [this.place] : []), this.key, this.model]
      : [this.model];
    for (const input of [this.place, this.key, this.model]) input.setAttribute("aria-invalid", "false");
    return required.find(({ value }) => value.trim() === "") ?? null;
  }

  /** Return the fields of a request for a new model. @returns {{ [name: string]: string | null }} */
  values() {
    const model = this.model.value.trim();
    const key = this.key.value || null;
    if (this.provider) return { provider: this.provider.name, place: this.place.value.trim(), model, key };
    const url = this.url.value.trim();
    return { model: model.includes(":") && !url ? model : asId(model), baseUrl: url, key };
  }
}

/** @param {Translate} t @param {Provider} provider */
const keyLink = (t, { keysAt, title }) =>
  el(
    "a",
    { href: keysAt, target: "_blank", rel: "noopener noreferrer" },
    t("models.keys_at", { name: title }),
  );

/**
 * Return the id of a model. A plain name is a model of an OpenAI-compatible server; names like `llama3.2:3b` contain a
 * colon of their own.
 *
 * @param {string} written
 */
const asId = (written) => (/^(openai|litellm|transformers):/.test(written) ? written : `openai:${written}`);
