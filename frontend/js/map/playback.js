// @ts-check
/**
 * Player of frames. A frame follows only after the previous one was painted and had its time, so none is skipped: on a
 * slow machine the playback takes longer. It knows nothing about the frames' content.
 */

/**
 * Milliseconds per frame at normal speed: one second for a few frames, less for many, so that a hundred take twelve
 * seconds.
 */
const LONGEST = 1000;
const SHORTEST = 120;
const MAX_TOTAL = 12_000;
export const SPEEDS = [0.5, 1, 2, 4];

/** Return the pace. @param {number} count of frames @param {number} speed @returns {number} milliseconds per frame */
export function paceOf(count, speed) {
  return Math.min(LONGEST, Math.max(SHORTEST, MAX_TOTAL / Math.max(1, count))) / speed;
}

export class Player {
  /**
   * @param {{show: (at: number) => void, changed: () => void}} hooks `show` paints a frame at once; `changed` reports
   *   playing and pausing
   */
  constructor({ show, changed }) {
    this.show = show;
    this.changed = changed;
    this.count = 0;
    this.at = 0;
    this.speed = 1;
    this.playing = false;
    /** Frames painted since the first frame. */
    this.painted = 0;
    /** Frame on the screen. @type {number | null} */
    this.paintedAt = null;
    /** Time of the next frame; 0 before the first one is painted. */
    this.nextAt = 0;
    this.frame = 0;
  }

  /** Load a playback, or none. @param {number} count of frames @param {boolean} plays at once */
  load(count, plays) {
    this.pause();
    this.count = count;
    this.at = 0;
    this.forget();
    if (plays && count > 1) this.play();
  }

  /** Follow a history that grows. @param {number} count of frames @param {number} at the shown one */
  follow(count, at) {
    this.count = count;
    this.at = at;
  }

  play() {
    if (this.playing || this.count < 2) return;
    if (this.at >= this.count - 1) {
      this.at = 0;
      this.forget();
      this.show(0);
    }
    this.playing = true;
    this.nextAt = 0;
    this.frame = requestAnimationFrame((now) => this.tick(now));
    this.changed();
  }

  pause() {
    cancelAnimationFrame(this.frame);
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Show a chosen frame and pause. @param {number} at */
  seek(at) {
    this.pause();
    this.at = Math.min(this.count - 1, Math.max(0, at));
    this.show(this.at);
  }

  /** Set the speed. @param {number} speed one of SPEEDS */
  setSpeed(speed) {
    this.speed = speed;
    this.nextAt = 0;
  }

  /** Handle that a frame was painted. @param {number} at */
  drawn(at) {
    if (at === this.paintedAt) return;
    this.paintedAt = at;
    this.painted += 1;
  }

  /** @param {number} now */
  tick(now) {
    this.frame = requestAnimationFrame((next) => this.tick(next));
    if (this.paintedAt !== this.at) return; // the frame was not painted yet
    const pace = paceOf(this.count, this.speed);
    // after a long pause (a hidden tab) restart the clock instead of catching up
    if (this.nextAt === 0 || now - this.nextAt > pace) this.nextAt = this.nextAt === 0 ? now + pace : now;
    if (now < this.nextAt) return;
    if (this.at >= this.count - 1) return this.pause();
    this.nextAt += pace;
    this.at += 1;
    this.show(this.at);
  }

  forget() {
    this.painted = 0;
    this.paintedAt = null;
  }

  destroy() {
    cancelAnimationFrame(this.frame);
  }
}
