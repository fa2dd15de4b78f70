/**
 * Event bus of the page. Panes hold no references to each other; they emit and listen here. `on` returns a function
 * that removes the listener, for `destroy` of a pane.
 */

/**
 * @template {object} Events
 */
export class Bus {
  constructor() {
    /** @type {Map<keyof Events, Set<(value: any) => void>>} */
    this.listeners = new Map();
  }

  /**
   * Call `listener` for every `name` until the returned function is called.
   *
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(value: Events[Name]) => void} listener
   * @returns {() => void}
   */
  on(name, listener) {
    const set = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, set.add(listener));
    return () => {
      set.delete(listener);
    };
  }

  /**
   * Call all listeners now. If one throws, the others are still called.
   *
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {Events[Name]} value
   */
  emit(name, value) {
    for (const listener of [...(this.listeners.get(name) ?? [])]) {
      try {
        listener(value);
      } catch (fault) {
        reportError(fault);
      }
    }
  }
}
