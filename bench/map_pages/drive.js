/**
 * The script both maps follow: wheel in, move about near, wheel out, move about with everything in sight. One step a frame; a
 * frame lasts until the browser asks for the next one, with no limit to how often it does.
 */

/** @returns {{zoom: number, x: number, y: number, moves: boolean, phase: string}[]} `zoom` 1 shows the whole floor; x and y are shares of it */
function steps() {
  const list = [];
  const near = 9;
  const zoomed = (share) => Math.exp(Math.log(near) * share);
  for (let at = 0; at <= 40; at += 1)
    list.push({ phase: "zoom", zoom: zoomed(at / 40), x: 0.5 - 0.15 * (at / 40), y: 0.5, moves: false });
  for (let at = 0; at < 60; at += 1)
    list.push({
      phase: "pan",
      zoom: near,
      x: 0.35 + 0.004 * at,
      y: 0.5 + 0.1 * Math.sin(at / 9),
      moves: true,
    });
  for (let at = 40; at >= 0; at -= 1)
    list.push({ phase: "zoom", zoom: zoomed(at / 40), x: 0.5 + 0.09 * (at / 40), y: 0.5, moves: false });
  for (let at = 0; at < 60; at += 1)
    list.push({
      phase: "pan",
      zoom: 1.02,
      x: 0.5 + 0.05 * Math.sin(at / 8),
      y: 0.5 + 0.03 * Math.cos(at / 6) - 0.03,
      moves: true,
    });
  return list;
}

const frame = () => new Promise((go) => requestAnimationFrame(go));

/** Count the pixels of the outlines of rooms: those are red on both maps. */
function outlined() {
  let count = 0;
  for (const sheet of document.querySelectorAll("canvas")) {
    if (!sheet.width || !sheet.height) continue;
    const pixels = sheet.getContext("2d").getImageData(0, 0, sheet.width, sheet.height).data;
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at + 3] > 64 && pixels[at] > pixels[at + 1] + 64 && pixels[at] > pixels[at + 2] + 64)
        count += 1;
  }
  return count;
}

/**
 * Throws when the map shows no room at the end: a browser takes an empty floor for nothing to paint, and falls back to its
 * clock of 60 frames a second.
 *
 * @param {{look: (step: object) => void}} map
 * @returns {Promise<{phase: string, ms: number}[]>}
 */
export async function drive({ look }) {
  const found = [];
  for (let at = 0; at < 10; at += 1) await frame();
  let before = await frame();
  for (const step of steps()) {
    look(step);
    const now = await frame();
    found.push({ phase: step.phase, ms: now - before });
    before = now;
  }
  if (outlined() < 100) throw new Error(`the map shows no room: ${outlined()} pixels of outlines`);
  return found;
}
