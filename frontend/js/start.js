/**
 * What runs before the page is there, while its modules are still loaded: it opens the socket and asks for the words of the
 * person's language, so that neither waits for the other. When the modules do not come at all, it is what notices.
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
