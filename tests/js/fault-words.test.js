/** Error messages in the language of the page, with and without a translation. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { noticeOf, runFault, translateRefusal } from "../../frontend/js/core/fault-words.js";
import { fileNoteText } from "../../frontend/js/chat/file-notes.js";
import { Refusal } from "../../frontend/js/core/api.js";
import { loadLanguage, loadLateStrings, translator } from "../../frontend/js/core/i18n.js";

await loadLanguage("ja");
await loadLanguage("en");
const [ja, en] = [translator("ja"), translator("en")];
const restarted = {
  code: "server_restarted",
  content: "The server restarted during this run.",
  hint: "Ask again to start a new run.",
};

test("what the page has words for is said in its language, and all of it where the server knows no more", () => {
  assert.deepEqual(runFault(restarted, ja), {
    text: "実行中にサーバーが再起動しました。",
    hint: "もう一度質問すると、新しく実行されます。",
  });
  const late = {
    code: "code_timeout",
    content: "TimeoutError: The code ran longer than 60 s and was stopped",
    hint: "",
  };
  assert.deepEqual(runFault(late, ja), {
    text: "コードの実行が制限時間を超えたため、停止しました。",
    hint: late.content,
  });
});

test("English is the server's own, and so is what the page has no words for", () => {
  assert.deepEqual(runFault(restarted, en), { text: restarted.content, hint: restarted.hint });
  for (const code of ["code_error", "toString", ""])
    assert.deepEqual(runFault({ code, content: "It broke.", hint: "x" }, ja), {
      text: "It broke.",
      hint: "x",
    });
});

test("a notice is said with its facts, and as it came where the page has no words for it", () => {
  const of = (/** @type {string} */ code, /** @type {Record<string, string | number>} */ facts) =>
    noticeOf(
      /** @type {any} */ ({
        type: "text",
        tone: "notice",
        content: "In English.",
        html: "<p>In English.</p>",
        code,
        facts,
      }),
      ja,
    );
  assert.deepEqual(of("variables_lost", { reason: "idle" }), {
    type: "text",
    tone: "notice",
    code: "variables_lost",
    facts: { reason: "idle" },
    content: "以前のコードの変数は失われました（しばらく使われませんでした）。ファイルは残っています。",
    html: undefined,
  });
  assert.match(of("variables_lost", { reason: "a comet" }).content, /（a comet）/);
  assert.equal(
    of("chat_imported", { of: "", cut: "yes" }).content,
    "ログからインポートしました（ログは途中で切れています）。ファイルは含まれますが、変数は含まれません。",
  );
  assert.match(
    of("chat_imported", { of: "2026-01-02 03:04", cut: "" }).content,
    /^ログ（2026-01-02 03:04 UTC）からインポートしました。/,
  );
  assert.match(of("program_cut", { left: 12345 }).content, /12,345文字/);
  assert.equal(of("toString", {}).content, "In English.");
});

test("what a form was refused is said in the language of the page, and what the server alone knows behind it", async () => {
  await loadLateStrings();
  const refuse = (/** @type {string} */ code) => () =>
    Promise.reject(new Refusal("'B' is no name. Expected a-z.", 422, code));
  await assert.rejects(translateRefusal(ja, refuse("bad_name")), {
    message: "この名前は使えません。 'B' is no name. Expected a-z.",
    code: "bad_name",
  });
  await assert.rejects(translateRefusal(ja, refuse("name_taken")), {
    message: "この名前はすでに使われています。 別の名前を付けてください。",
  });
  await assert.rejects(translateRefusal(ja, refuse("unheard")), { message: "'B' is no name. Expected a-z." });
});

test("figures of an error and what would fit stand in its text, and nothing stands for what would not", () => {
  const fault = { code: "prompt_too_long", content: "In English.", hint: "Choose." };
  const facts = { needed: 5800, window: 2048, models: "big, wide", agent: "small", setting: "-c 16384" };
  const complete = runFault({ ...fault, facts }, ja);
  assert.match(complete.text, /約5,800トークン.*2,048トークン/);
  assert.equal(
    complete.hint,
    "上限がより大きいモデルを選択してください（big, wide）。エージェント「small」ならプロンプトが短くなります。モデルのサーバーの上限を大きくすることもできます（-c 16384）。",
  );
  const bare = runFault({ ...fault, facts: { ...facts, models: "", agent: "", setting: "" } }, ja);
  assert.equal(bare.hint, "上限がより大きいモデルを選択してください。");
  assert.deepEqual(runFault({ ...fault, facts }, en), { text: "In English.", hint: "Choose." });
});

test("a note of a file is said in the page's language, its values as they are, and in English without a known code", async () => {
  await loadLateStrings();
  const markup = "<img src=x onerror=alert(1)> {n}";
  const note = {
    code: "lost_zeros",
    values: { n: 1234, name: markup },
    place: { sheet: "売上", line: 1200 },
  };
  const text = "Sheet '売上', line 1,200: 1,234 columns";
  assert.equal(
    fileNoteText(text, note, ja),
    `シート「売上」、1,200行目：コードの列が多すぎるため、1,234列で先頭の0が失われます。最初の列は「${markup}」です。`,
  );
  assert.match(fileNoteText(text, note, en), /^Sheet '売上', line 1,200: 1,234 columns of codes lose/);
  const misnamed = { code: "misnamed", values: { expected: "csv", kind: "zip<b>" }, place: {} };
  assert.equal(fileNoteText("", misnamed, ja), "拡張子ではテキストの表ですが、内容はzip<b>です。");
  const list = { code: "others_not_read", values: { names: ["a.doc", "…"] }, place: {} };
  assert.equal(fileNoteText("", list, ja), "アーカイブ内のほかのファイルは読み取りません：a.doc、…");
  const unknown = [
    undefined,
    { ...note, code: "toString" },
    { ...note, code: "" },
    { ...note, place: { constructor: 1 } },
  ];
  for (const other of unknown) assert.equal(fileNoteText(text, other, ja), text);
});
