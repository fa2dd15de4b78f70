/**
 * The one place where parts of the page meet. Nobody holds a reference to anybody else: they say things here, and
 * hear what others say. `on` returns its own undo, which is what `destroy` of a pane calls.
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
   * Hear every `name` until the returned function is called.
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
   * Tell everyone who listens now. One listener that throws does not keep the others from hearing.
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
