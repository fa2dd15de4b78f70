/**
 * Page of a shared view. The key is behind `#` in the address: it goes to the server in a header only. The page asks for
 * what the view shows; the server answers when that differs from what is here, or after a while that it does not.
 */

/** @typedef {{ html: string, version: string, kind: string, caption: string, expiresAt: number }} ViewContent */

const CONTENT = "/view/content";
const RETRY_MS = 3000;
const NO_CHANGE = 204;
const GONE = new Set([400, 404, 410]);

/** @type {Record<string, Record<string, string>>} */
const STRINGS = {
  en: {
    live: "Live until {time}",
    lost: "The server cannot be reached. Trying again …",
    ended: "This view has ended. Ask for a new link.",
    table: "Table",
    more: "{n} more rows",
  },
  ja: {
    live: "{time}まで自動で更新されます",
    lost: "サーバーに接続できません。再接続しています…",
    ended: "このビューは終了しました。新しいリンクを発行してもらってください。",
    table: "表",
    more: "ほか{n}行",
  },
};

const language = navigator.language.startsWith("ja") ? "ja" : "en";
const strings = STRINGS[language] ?? {};
const policy = window.trustedTypes?.createPolicy("smoldesk", { createHTML: (html) => html });
const content = /** @type {HTMLElement} */ (document.getElementById("content"));
const title = /** @type {HTMLElement} */ (document.getElementById("title"));
const status = /** @type {HTMLElement} */ (document.getElementById("status"));

document.documentElement.lang = language;
window.addEventListener("hashchange", () => window.location.reload());
const key = window.location.hash.slice(1);
if (/^[\w-]+$/.test(key)) void follow(key);
else end();

/** Show what the view shows until it ends. @param {string} key */
async function follow(key) {
  let [version, live] = ["", ""];
  for (;;) {
    const answer = await ask(key, version);
    if (answer === "ended") return end();
    if (answer === "lost") {
      say(strings.lost ?? "");
      await new Promise((resume) => window.setTimeout(resume, RETRY_MS));
    } else {
      if (answer) [version, live] = [answer.version, show(answer)];
      say(live);
    }
  }
}

/**
 * Ask for what the view shows; null if it is `version`.
 *
 * @param {string} key
 * @param {string} version
 * @returns {Promise<ViewContent | "ended" | "lost" | null>}
 */
async function ask(key, version) {
  try {
    const response = await fetch(`${CONTENT}?after=${encodeURIComponent(version)}`, {
      headers: { "x-smoldesk-view": key },
      cache: "no-store",
      credentials: "omit",
    });
    if (GONE.has(response.status)) return "ended";
    if (response.status === NO_CHANGE) return null;
    return response.ok ? await response.json() : "lost";
  } catch {
    return "lost";
  }
}

/** Show the object, and return until when the view lasts, in words. @param {ViewContent} view */
function show({ html, caption, expiresAt }) {
  const scrolled = content.querySelector(".table")?.scrollTop ?? 0;
  content.innerHTML = /** @type {string} */ (policy ? policy.createHTML(html) : html);
  content.querySelector(".table")?.scrollTo(0, scrolled);
  translate();
  const until = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  if (caption) document.title = title.textContent = caption;
  return (strings.live ?? "").replace("{time}", until.format(expiresAt * 1000));
}

/** Put the texts of the server's HTML into the language of the page. */
function translate() {
  for (const name of content.querySelectorAll("[data-table]")) name.textContent = strings.table ?? "";
  for (const note of content.querySelectorAll("[data-more]")) {
    const count = Number(note.getAttribute("data-more")).toLocaleString(language);
    note.textContent = (strings.more ?? "").replace("{n}", count);
  }
}

function end() {
  content.replaceChildren();
  say(strings.ended ?? "");
}

/** @param {string} text */
function say(text) {
  if (status.textContent !== text) status.textContent = text;
}
