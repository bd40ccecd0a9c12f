const SOME = 61; // of long lists every so many values are looked at

/** What of a frame moves the picture, each with a name. */
function* parts({ tools, surfaces, coordinates, poses, fields }) {
  for (const [i, { position, orientation, proxy, force }] of tools.entries())
    yield [`tool ${i}`, [...position, ...orientation, ...proxy, ...force]];
  for (const { body, scale, values } of surfaces) yield [`surface ${body}`, values, scale];
  for (const { model, values } of coordinates) yield [`coordinates ${model}`, values];
  for (const { body, values } of poses) yield [`pose ${body}`, values];
  for (const { body, scale, values } of fields) yield [`field ${body}`, values, scale];
}

/** Tells frames in which something moves from those that repeat what was there. */
export class Motion {
  #last = new Map();

  /** @param {import('../protocol.js').Frame} frame @returns {boolean} whether something has moved */
  in(frame) {
    let moved = false;
    for (const [name, values, scale = 1] of parts(frame)) {
      const step = values.length > 100 ? SOME : 1;
      let sum = scale;
      for (let i = 0; i < values.length; i += step) sum = (31 * sum + values[i]) % 4294967291;
      if (this.#last.get(name) === sum) continue;
      this.#last.set(name, sum);
      moved = true;
    }
    return moved;
  }
}
