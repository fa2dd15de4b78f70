/**
 * Tracks of the background music: four calm endless pieces, as rules for bars. A bar depends on its number alone, so a
 * piece is the same in any tab and tests need not play it. Pure.
 */

/**
 * @typedef {{ voice: "pad" | "pluck" | "bell" | "bass", at: number, length: number, midi: number, level: number }} Note
 */
/**
 * @typedef {object} Track
 * @property {string} name as the agent knows it
 * @property {number} bar seconds
 * @property {number[][]} chords one per bar, repeated; MIDI numbers, the lowest is the bass
 * @property {number} tone highest frequency of the pads, in Hz
 * @property {number} rain level of the rain, 0 for none
 * @property {{ voice: "pluck" | "bell", places: number, chance: number, level: number, octave: number }} figure notes
 *   over the chords
 */

/** @type {Record<number, Track>} */
export const TRACKS = {
  1: {
    name: "Morning",
    bar: 6,
    tone: 1400,
    rain: 0,
    chords: [
      [48, 60, 64, 67, 71],
      [45, 60, 64, 67, 72],
      [41, 60, 65, 69, 72],
      [43, 59, 62, 67, 69],
    ],
    figure: { voice: "pluck", places: 8, chance: 0.7, level: 0.5, octave: 1 },
  },
  2: {
    name: "Rain",
    bar: 8,
    tone: 800,
    rain: 0.5,
    chords: [
      [50, 57, 60, 65, 69],
      [46, 57, 62, 65, 69],
      [43, 58, 62, 65, 70],
      [45, 55, 62, 64, 67],
    ],
    figure: { voice: "bell", places: 6, chance: 0.35, level: 0.3, octave: 1 },
  },
  3: {
    name: "Focus",
    bar: 4,
    tone: 700,
    rain: 0,
    chords: [
      [40, 55, 59, 62, 66],
      [36, 55, 59, 64, 67],
      [45, 55, 60, 64, 67],
      [38, 54, 57, 62, 66],
    ],
    figure: { voice: "pluck", places: 8, chance: 1, level: 0.28, octave: 0 },
  },
  4: {
    name: "Night",
    bar: 10,
    tone: 550,
    rain: 0,
    chords: [
      [44, 56, 60, 63, 67],
      [41, 56, 60, 63, 68],
      [37, 56, 61, 65, 68],
      [39, 55, 58, 63, 65],
    ],
    figure: { voice: "bell", places: 5, chance: 0.5, level: 0.4, octave: 1 },
  },
};

/**
 * Return the notes of a bar; `at` is in seconds from its start.
 *
 * @param {number} number number of the track
 * @param {number} bar counts from 0
 * @returns {Note[]}
 */
export function notesOf(number, bar) {
  const track = TRACKS[number];
  if (track === undefined) throw new RangeError(`there is no track ${number}`);
  const chord = track.chords[bar % track.chords.length] ?? [];
  const [low = 48, ...high] = chord;
  const { voice, places, chance, level, octave } = track.figure;
  const chance_of = randomFrom(number * 7919 + bar);
  /** @type {Note[]} */
  const notes = [
    { voice: "bass", at: 0, length: track.bar, midi: low, level: 0.5 },
    ...high.map(
      (midi) => /** @type {Note} */ ({ voice: "pad", at: 0, length: track.bar, midi, level: 0.22 }),
    ),
  ];
  for (let place = 0; place < places; place += 1) {
    const [plays, which, loud] = [chance_of(), chance_of(), chance_of()];
    if (plays > chance) continue;
    const midi = (high[Math.floor(which * high.length)] ?? low) + 12 * octave;
    notes.push({
      voice,
      at: (place * track.bar) / places,
      length: 1.5,
      midi,
      level: level * (0.6 + 0.4 * loud),
    });
  }
  return notes;
}

/** @param {number} midi @returns {number} Hz */
export const frequency = (midi) => 440 * 2 ** ((midi - 69) / 12);

/** Return a generator of numbers from 0 to 1, the same for the same seed (mulberry32). @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
