/**
 * Start of the page while its modules load: opens the socket and requests the texts, so that neither waits for the
 * other. It also detects modules that do not load at all.
 */

import { rememberedChat, replayInHash, socketAddress } from "./core/address.js";
import { openFirst } from "./core/first-socket.js";
import { firstLanguage, loadLanguage } from "./core/i18n.js";
import { missed } from "./page/recovery.js";
import { currentTheme } from "./page/theme.js";
import { acceptKey } from "./core/session.js";

acceptKey();
document.documentElement.dataset.theme = currentTheme(); // before the first paint, which would flash otherwise
if (replayInHash(window.location.hash) === null) openFirst(socketAddress(rememberedChat(), 0));
// starts the download early; app.js requests them again and handles errors
loadLanguage(firstLanguage()).catch(() => undefined);
window.addEventListener("load", () => {
  if (document.documentElement.dataset.page === undefined) missed(); // app.js sets data-page when it loads
});
