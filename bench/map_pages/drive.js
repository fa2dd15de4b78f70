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

/** @param {{look: (step: object) => void}} map @returns {Promise<{phase: string, ms: number}[]>} */
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
  return found;
}
