/** The title of the browser's tab: how many asks are open anywhere, then the chat. It is set at once, also in a hidden tab. */

/**
 * @param {string} chat the chat's title; empty for none
 * @param {number} count of open asks
 */
export function titled(chat, count) {
  return `${count > 0 ? `(${count}) ` : ""}${chat ? `${chat} · ` : ""}smoldesk`;
}

export class PageTitle {
  constructor() {
    this.chat = "";
    this.count = 0;
  }

  /** @param {{ chat?: string, count?: number }} facts */
  set({ chat = this.chat, count = this.count }) {
    this.chat = chat;
    this.count = count;
    document.title = titled(chat, count);
  }
}
