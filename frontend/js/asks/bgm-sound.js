/** Synthesiser of the tracks: oscillators, filters and an echo, created for each note. It loads no files. */

import { frequency, notesOf, randomFrom, TRACKS } from "./bgm-tracks.js";

/** @import { Note } from "./bgm-tracks.js" */

/** Gain at full volume, low enough for a background. */
const LOUDEST = 0.3;
const FADE_IN = 1.5;
const FADE_OUT = 0.8;

/** Playback of one track. */
export class Sound {
  /** @param {BaseAudioContext} context @param {number} number number of the track @param {number} volume from 0 to 1 */
  constructor(context, number, volume) {
    const track = TRACKS[number];
    if (track === undefined) throw new RangeError(`there is no track ${number}`);
    this.context = context;
    this.number = number;
    this.track = track;
    this.bar = 0;
    this.begins = context.currentTime + 0.05;
    this.volume = new GainNode(context, { gain: gainOf(volume) });
    this.fade = new GainNode(context, { gain: 0 });
    this.fade.gain.setValueAtTime(0, this.begins);
    this.fade.gain.linearRampToValueAtTime(1, this.begins + FADE_IN);
    const limit = new DynamicsCompressorNode(context, { threshold: -18, ratio: 6 });
    this.fade.connect(this.volume).connect(limit).connect(context.destination);
    this.pads = new BiquadFilterNode(context, { type: "lowpass", frequency: track.tone, Q: 0.3 });
    this.pads.connect(this.fade);
    this.figures = new GainNode(context);
    this.figures.connect(this.fade);
    this.echo();
    if (track.rain > 0) this.rain(track.rain);
  }

  /** Create the echo of the notes over the chords, each repetition softer. */
  echo() {
    const { context } = this;
    const delay = new DelayNode(context, { delayTime: 0.42, maxDelayTime: 1 });
    const softer = new GainNode(context, { gain: 0.35 });
    const darker = new BiquadFilterNode(context, { type: "lowpass", frequency: 1600 });
    this.figures.connect(delay).connect(darker).connect(softer).connect(this.fade);
    softer.connect(delay);
  }

  /** @param {number} level */
  rain(level) {
    const { context } = this;
    const buffer = context.createBuffer(1, context.sampleRate * 4, context.sampleRate);
    const samples = buffer.getChannelData(0);
    const random = randomFrom(2);
    let brown = 0;
    for (let at = 0; at < samples.length; at += 1)
      samples[at] = (brown = (brown + 0.03 * (2 * random() - 1)) / 1.02) * 3;
    const source = new AudioBufferSourceNode(context, { buffer, loop: true });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 1800, Q: 0.4 });
    const quiet = new GainNode(context, { gain: level });
    source.connect(filter).connect(quiet).connect(this.fade);
    source.start(this.begins);
    this.drops = source;
  }

  /** Schedule the notes that start before a time of the context's clock. @param {number} until seconds */
  schedule(until) {
    for (;;) {
      const begins = this.begins + this.bar * this.track.bar;
      if (begins >= until) return;
      const late = this.context.currentTime - begins;
      // skip bars that were missed while the tab was suspended
      if (late < this.track.bar) for (const note of notesOf(this.number, this.bar)) this.play(note, begins);
      this.bar += 1;
    }
  }

  /** Play a note. @param {Note} note @param {number} begins start of its bar */
  play({ voice, at, length, midi, level }, begins) {
    const start = Math.max(begins + at, this.context.currentTime);
    const pitch = frequency(midi);
    if (voice === "pad") {
      this.tone({
        type: "triangle",
        pitch,
        start,
        length: length + 2,
        level: level * 0.5,
        attack: length * 0.35,
        detune: -4,
        into: this.pads,
      });
      this.tone({
        type: "sine",
        pitch,
        start,
        length: length + 2,
        level: level * 0.5,
        attack: length * 0.35,
        detune: 4,
        into: this.pads,
      });
    } else if (voice === "bass") {
      this.tone({ type: "sine", pitch, start, length: length + 1, level, attack: 0.6, into: this.pads });
    } else {
      this.tone({
        type: voice === "bell" ? "sine" : "triangle",
        pitch,
        start,
        length,
        level: level * 0.3,
        attack: 0.015,
        into: this.figures,
      });
      if (voice === "bell")
        this.tone({
          type: "sine",
          pitch: pitch * 2.01,
          start,
          length,
          level: level * 0.08,
          attack: 0.01,
          into: this.figures,
        });
    }
  }

  /**
   * @param {{ type: OscillatorType, pitch: number, start: number, length: number, level: number, attack: number,
   *   detune?: number, into: AudioNode }} how
   */
  tone({ type, pitch, start, length, level, attack, detune = 0, into }) {
    const { context } = this;
    const oscillator = new OscillatorNode(context, { type, frequency: pitch, detune });
    const shape = new GainNode(context, { gain: 0 });
    shape.gain.setValueAtTime(0, start);
    shape.gain.linearRampToValueAtTime(level, start + attack);
    shape.gain.setTargetAtTime(0, start + Math.max(attack, length - 2), Math.min(0.7, length / 3));
    oscillator.connect(shape).connect(into);
    oscillator.start(start);
    oscillator.stop(start + length + 2);
  }

  /** Set the volume. @param {number} volume from 0 to 1 */
  louder(volume) {
    this.volume.gain.setTargetAtTime(gainOf(volume), this.context.currentTime, 0.05);
  }

  /** Fade out, and return the seconds until it is silent. */
  end() {
    const now = this.context.currentTime;
    this.fade.gain.cancelScheduledValues(now);
    this.fade.gain.setTargetAtTime(0, now, FADE_OUT / 4);
    this.drops?.stop(now + FADE_OUT);
    return FADE_OUT;
  }

  /** Stop and disconnect all nodes. */
  cut() {
    this.volume.disconnect();
  }
}

/** Return the gain of a volume: half the volume sounds half as loud. @param {number} volume from 0 to 1 */
export const gainOf = (volume) => LOUDEST * volume ** 2;
