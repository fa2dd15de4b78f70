/** Facts of a model in one line: state, location, context size, cost. */

/** @import { Translate } from "../types.js" */
/** @import { ModelFacts } from "./api.js" */

/** @param {ModelFacts} model @param {Translate} t */
export function factsOf(
  { model, id, server, address, context, images, structured, inputPrice, outputPrice },
  t,
) {
  return [
    id === "builtin" ? t("models.offline") : server ? t("models.at", { server }) : model === id ? "" : model,
    address && !server ? address : "",
    context ? t("models.context", { n: tokens(context) }) : "",
    inputPrice === null || outputPrice === null
      ? ""
      : t("models.price", { in: dollars(inputPrice), out: dollars(outputPrice) }),
    images ? t("models.images") : "",
    structured ? t("models.structured") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Return the options that are set in one line. @param {ModelFacts} model @param {Translate} t */
export function optionsOf({ options: { temperature, maxTokens, reasoningEffort, extraBody } }, t) {
  return [
    temperature === null ? "" : t("models.set_temperature", { n: temperature }),
    maxTokens === null ? "" : t("models.set_max_tokens", { n: t.number(maxTokens) }),
    reasoningEffort === null ? "" : t("models.set_effort", { effort: reasoningEffort }),
    Object.entries(extraBody)
      .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
      .join(", ")
      .slice(0, 120),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Return what limits a model here, a sentence each: features that its server does not take, and a window that is too
 * small for the prompt of the chat's agent.
 *
 * @param {ModelFacts} model
 * @param {number | null} promptTokens
 * @param {Translate} t
 */
export function limitsOf(model, promptTokens, t) {
  const list = model.refused.map((feature) => {
    const key = `models.feature_${feature}`;
    return t.has(key) ? t(key) : feature;
  });
  return [
    list.length ? t("models.refused", { list: list.join(t("models.refused_separator")) }) : "",
    isTooSmall(model, promptTokens)
      ? t("models.too_small", { n: t.number(Math.round((promptTokens ?? 0) / 100) * 100) })
      : "",
  ].filter(Boolean);
}

/** @param {ModelFacts} model @param {number | null} promptTokens */
export const isTooSmall = ({ context }, promptTokens) =>
  context !== null && promptTokens !== null && context <= promptTokens;

/** Return the label of a model; a detected one without its server. @param {ModelFacts} model @param {Translate} t */
export const nameOf = ({ id, model, server }, t) =>
  id === "builtin" ? t("models.builtin") : server ? model : id;

/** @param {number} count */
const tokens = (count) => (count < 1000 ? String(count) : `${Math.round(count / 1000)}k`);

/** @param {number} price */
const dollars = (price) => `$${Number(price.toFixed(price < 1 ? 3 : 2))}`;
