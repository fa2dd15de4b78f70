/**
 * Start of the page while its modules load: opens the socket and requests the texts, so that neither waits for the
 * other. It also detects modules that do not load at all.
 */

import { rememberedChat, replayInHash, socketAddress } from "./core/address.js";
import { openFirst } from "./core/first-socket.js";
import { firstLanguage, loadLanguage } from "./core/i18n.js";
import { missed } from "./page/recovery.js";
import { wornTheme } from "./page/theme.js";
import { acceptKey } from "./core/session.js";

acceptKey();
document.documentElement.dataset.theme = wornTheme(); // what is painted first wears it already
if (replayInHash(window.location.hash) === null) openFirst(socketAddress(rememberedChat(), 0));
loadLanguage(firstLanguage()).catch(() => undefined); // app.js asks for them, too
window.addEventListener("load", () => {
  if (document.documentElement.dataset.page === undefined) missed(); // app.js would have set it
});
