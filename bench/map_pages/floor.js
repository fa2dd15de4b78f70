/** A made-up building: rooms in a grid with corridors between every other row, of unlike widths, each with a name. */

/** @param {number} count rooms of each floor @param {number} [floors] of several, rooms are L-shaped and have doors */
export function building(count, floors = 1) {
  const [floor] = rectangular(count).floors;
  if (floors === 1) return { floors: [floor], bitmaps: [] };
  const shaped = floor.rectangles.map((room) => {
    const [{ x, y }, far] = [room.topLeft, room.bottomRight];
    const middle = { x: x + 4, y: (y + far.y) / 2 };
    const polygon = [{ x: middle.x, y }, { x: far.x, y }, far, { x, y: far.y }, { x, y: middle.y }, middle];
    return { ...room, polygon };
  });
  const doors = shaped.map(({ name, topLeft, bottomRight }) => ({
    rooms: [name],
    at: { x: (topLeft.x + bottomRight.x) / 2, y: bottomRight.y },
    accessible: true,
  }));
  return {
    floors: Array.from({ length: floors }, (_, at) => ({
      ...floor,
      floorId: String(at + 1),
      floorName: String(at + 1),
      rectangles: shaped.map((room) => ({ ...room, name: `${at + 1}-${room.name}` })),
      doors: doors.map((door) => ({ ...door, rooms: [`${at + 1}-${door.rooms[0]}`] })),
    })),
    bitmaps: [],
  };
}

/** @param {number} count rooms */
function rectangular(count) {
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
