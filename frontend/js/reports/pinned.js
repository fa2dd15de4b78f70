/** Pinning a part: append it to the report, and show a notice with a link that disappears after a while. */

import { Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { failure, putReport, readReport } from "./api.js";

/** @import { ReportPin, Translate } from "../types.js" */

const NOTICE_MS = 6000;
const TRIES = 3;
const CONFLICT = 409;
const MAX_PINS = 100;

/**
 * @param {Translate} t
 * @param {string} chatId
 * @param {ReportPin} pin
 * @param {() => void} open
 */
export async function pinPart(t, chatId, pin, open) {
  try {
    const isNew = await added(t, chatId, pin);
    notify(t(isNew ? "report.pinned" : "report.pinned_before"), t("report.open"), open);
  } catch (fault) {
    notify(failure(t, fault), "", open);
  }
}

/** Append a part, and return whether it is new. @param {Translate} t @param {string} chatId @param {ReportPin} pin */
async function added(t, chatId, pin) {
  for (let tries = TRIES; ; tries -= 1) {
    const { version, title, pins } = await readReport(chatId);
    if (pins.some((other) => keyOf(other) === keyOf(pin))) return false;
    if (pins.length >= MAX_PINS) throw new Refusal(t("report.full", { n: MAX_PINS }));
    try {
      await putReport(chatId, version, [...pins, pin], title);
      return true;
    } catch (fault) {
      // another tab saved first: try again
      if (!(fault instanceof Refusal) || fault.status !== CONFLICT || tries === 1) throw fault;
    }
  }
}

/** Return the identity of a part. @param {ReportPin} pin */
const keyOf = ({ kind, seq, floorId, view }) => JSON.stringify([kind, seq, floorId ?? null, view ?? null]);

/** @param {string} text @param {string} lead @param {() => void} open */
function notify(text, lead, open) {
  document.querySelector(".report-said")?.remove();
  const notice = el("div", { class: "report-said", role: "status" }, icon("pin"), el("span", {}, text));
  const dismiss = () => {
    if (!notice.matches(":hover, :focus-within")) notice.remove();
    else window.setTimeout(dismiss, NOTICE_MS);
  };
  if (lead)
    notice.append(
      el(
        "button",
        {
          class: "text-button small",
          type: "button",
          on: {
            click: () => {
              notice.remove();
              open();
            },
          },
        },
        lead,
      ),
    );
  document.body.append(notice);
  window.setTimeout(dismiss, NOTICE_MS);
}
