const numbers = (values) => values.flatMap((value) => (typeof value === 'object' ? [...value] : Number(value)));

/** What of a frame is drawn, each with a name; but for balls, whose layer asks for its pictures. */
function* parts({ tools, surfaces, coordinates, poses, fields, pairs, contacts, loads, limits }) {
  for (const [i, tool] of tools.entries()) yield [`tool ${i}`, numbers(Object.values(tool))];
  for (const { body, scale, values } of surfaces) yield [`surface ${body}`, values, scale];
  for (const { model, values } of coordinates) yield [`coordinates ${model}`, values];
  for (const { body, values } of poses) yield [`pose ${body}`, values];
  for (const { body, kind, scale, values } of fields) yield [`field ${body} ${kind}`, values, scale];
  for (const { pair, points } of pairs) yield [`pair ${pair}`, points];
  if (contacts) yield ['contacts', numbers(contacts.flatMap(({ place, normal, force, state }) => [place, normal, force, state]))];
  yield ['loads', numbers(loads.flatMap(({ beyond, place, force }) => [beyond, place, force]))];
  if (limits) yield ['limits', numbers(limits.tools.flatMap((tool) => Object.values(tool)))];
}

/** A number that is another one when a value is: FNV-1a, by whole values. */
function digest(values, scale) {
  const array = Array.isArray(values) ? Float32Array.from(values) : values;
  const bits = array instanceof Float32Array ? new Uint32Array(array.buffer, array.byteOffset, array.length) : array;
  let hash = 0x811c9dc5 ^ new Uint32Array(Float32Array.of(scale).buffer)[0];
  for (let i = 0; i < bits.length; ++i) {
    hash = Math.imul(hash ^ bits[i], 0x01000193);
    hash ^= hash >>> 15; // or two changes of signs would cancel
  }
  return hash;
}

/** Tells frames in which something moves from those that repeat what was there. */
export class Motion {
  #last = new Map();

  /** @param {import('../protocol/frame.js').Frame} frame @returns {boolean} whether something that is drawn has changed */
  in(frame) {
    let moved = false;
    for (const [name, values, scale = 1] of parts(frame)) {
      const now = digest(values, scale);
      if (this.#last.get(name) === now) continue;
      this.#last.set(name, now);
      moved = true;
    }
    return moved;
  }
}
