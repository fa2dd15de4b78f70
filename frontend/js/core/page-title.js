/**
 * Title of the browser tab: the number of open asks in all chats, then the chat. It also changes while the tab is
 * hidden.
 */

/** Return the tab's title. @param {string} chat title of the chat, or "" @param {number} count number of open asks */
export function titleText(chat, count) {
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
    document.title = titleText(chat, count);
  }
}
