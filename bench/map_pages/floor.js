/** A made-up floor: rooms in a grid with corridors between every other row, of unlike widths, each with a name. */

/** @param {number} count rooms */
export function building(count) {
  const across = Math.round(Math.sqrt(count * 1.6));
  const [wide, high] = [16, 10];
  const rectangles = Array.from({ length: count }, (_, at) => {
    const [row, column] = [Math.floor(at / across), at % across];
    const left = column * wide + ((row * 7) % 5) / 5;
    const top = row * high + Math.floor(row / 2) * 4;
    const kind = at % 9 === 0 ? "Store" : "Room";
    return {
      name: `${kind} ${at + 1}`,
      topLeft: { x: left, y: top },
      bottomRight: { x: left + wide - 1, y: top + high - 1 },
    };
  });
  const width = across * wide + 1;
  const height = Math.max(...rectangles.map(({ bottomRight }) => bottomRight.y)) + 1;
  const coordinateSystem = {
    topLeft: { px: 0, py: 0, x: 0, y: 0 },
    bottomRight: { px: width * 2, py: height * 2, x: width, y: height },
  };
  return {
    floors: [{ floorId: "1", floorName: "1", floorImage: "", coordinateSystem, rectangles }],
    bitmaps: [],
  };
}
