// What the server sends once a load: bodies, models, pointshells; and answers to questions about fields.

import { HEAD, checkIndices, need, taker } from './bytes.js';

/** A step of a load mode where no load acts. */
export const NO_LOAD = -32768;
const BODY_HEAD = 32;
const MODEL_HEAD = 48;
const RIGID_HEAD = 56;
const SHELL_HEAD = 96;
const SLICE_HEAD = 56;
const ISOSURFACE_HEAD = 32;
const LOAD_MODES_HEAD = 40;
const MOST_LEVELS = 12;

/**
 * @typedef {object} Body
 * @property {'body'} type
 * @property {number} body
 * @property {number} load
 * @property {Float32Array} rest 3 for each vertex, m, world
 * @property {Uint32Array} triangles
 * @property {Uint32Array} fixed vertices
 * @property {Float32Array} volume 3 for each vertex of the volume mesh, m, world
 * @property {Uint32Array} edges 2 for each edge of the volume mesh
 *
 * @typedef {object} Model what bodies shown by coordinates share, all in their own frame
 * @property {'model'} type
 * @property {number} model its number
 * @property {number} load
 * @property {number} size coordinates of a body, r
 * @property {boolean} free whether the bodies move as a whole, too
 * @property {Float32Array} rest 3 for each vertex, m
 * @property {Float32Array} normals 3 for each vertex
 * @property {Uint32Array} triangles
 * @property {Uint32Array} fixed vertices
 * @property {Float32Array} volume 3 for each vertex of the volume mesh, m
 * @property {Uint32Array} edges 2 for each edge of the volume mesh
 * @property {Uint32Array} bodies their numbers
 * @property {Float32Array} poses at the start, for each body position x, y, z (m), orientation w, x, y, z
 * @property {Float32Array} scales of the r displacements, then of the r changes of normals: scale * basis / 32767
 * @property {Int16Array} basis 6 for each vertex and coordinate: displacement and change of the normal, for q = 1
 * @property {{label: string, coordinates: Float32Array}[]} shapes
 *
 * @typedef {object} Rigid a rigid body
 * @property {'rigid'} type
 * @property {number} body
 * @property {number} load
 * @property {Float32Array} pose at the start: position x, y, z (m), orientation w, x, y, z
 * @property {Float32Array} rest 3 for each vertex, m, in its own frame
 * @property {Uint32Array} triangles
 *
 * @typedef {object} Shell a pointshell, in the frame of its bodies
 * @property {'shell'} type
 * @property {number} shell its number
 * @property {number} load
 * @property {number} size coordinates of a body, r; 0: it does not deform
 * @property {number} all points that it has, of which the deepest levels may not have been sent
 * @property {Uint32Array} sizes points of the levels 0 to l, for each level
 * @property {Float32Array} origin m
 * @property {number} step m
 * @property {Uint32Array} bodies their numbers
 * @property {Float32Array} scales of the r displacements: scale * basis / 32767
 * @property {Uint16Array} points 4 for each: place in steps from the origin; the fourth holds the bytes of the normal
 * @property {Int16Array} basis 3 for each point and coordinate: displacement for q = 1
 *
 * @typedef {object} Slice of a distance field, in the frame of its body
 * @property {'slice'} type
 * @property {number} body
 * @property {number} load
 * @property {number} number of the question
 * @property {number} axis across which it is: 0, 1, 2
 * @property {number} width samples along the next axis
 * @property {number} height samples along the one after that
 * @property {boolean} deformed the field is that of a moment
 * @property {Float32Array} corner m, of the first sample
 * @property {number} spacing m
 * @property {number} scale m: scale * values[i] / 32767
 * @property {number} voxel m, of the field's grid; 0: it has none
 * @property {Int16Array} values
 *
 * @typedef {object} Isosurface of a distance field, in the frame of its body
 * @property {'isosurface'} type
 * @property {number} body
 * @property {number} load
 * @property {number} number of the question
 * @property {boolean} deformed the field is that of a moment
 * @property {number} value m
 * @property {number} spacing m, of the samples that it was made from
 * @property {Float32Array} rest 3 for each vertex, m
 * @property {Uint32Array} triangles
 *
 * @typedef {object} LoadModes the modes Y of baked loads, which belong to the coordinates of a model
 * @property {'loadModes'} type
 * @property {number} model
 * @property {number} load
 * @property {number} count of vertices
 * @property {number} loads how many act
 * @property {number} most N, T: the size of the loads
 * @property {Float32Array|null} direction of all loads, unit, in the frame of the bodies; null: along the outward normal
 * @property {Float32Array} scales of the modes: what the load adds to the coordinate is scale * values / 32767
 * @property {Int16Array} values for each mode and, faster, each vertex; NO_LOAD: none acts there
 */

export function readBody(buffer, view, body, load) {
  need(view, 0, BODY_HEAD, 'a body');
  const counts = [0, 1, 2, 3, 4].map((k) => view.getUint32(HEAD + 4 * k, true));
  const [vertices, triangles, fixed, volume, edges] = counts;
  need(view, BODY_HEAD, 4 * (3 * vertices + 3 * triangles + fixed + 3 * volume + 2 * edges), `body ${body}`);
  const take = taker(buffer, BODY_HEAD);
  const message = {
    type: 'body',
    body,
    load,
    rest: take(Float32Array, 3 * vertices),
    triangles: take(Uint32Array, 3 * triangles),
    fixed: take(Uint32Array, fixed),
    volume: take(Float32Array, 3 * volume),
    edges: take(Uint32Array, 2 * edges),
  };
  // Once a body, so that nothing later reads beyond an array.
  checkIndices(message.triangles, vertices, `a triangle of body ${body}`);
  checkIndices(message.fixed, vertices, `a fixed vertex of body ${body}`);
  checkIndices(message.edges, volume, `an edge of body ${body}`);
  return message;
}

/** One label a line, with zeros at the end. */
function readLabels(bytes, count, what) {
  const text = new TextDecoder('utf-8').decode(bytes).replace(/\0+$/, '');
  const labels = count > 0 ? text.split('\n') : [];
  if (labels.length !== count) throw new Error(`${what} has ${labels.length} labels for ${count} shapes`);
  return labels;
}

export function readModel(buffer, view, model, load) {
  need(view, 0, MODEL_HEAD, 'a model');
  const what = `model ${model}`;
  const counts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((k) => view.getUint32(HEAD + 4 * k, true));
  const [vertices, triangles, fixed, volume, edges, size, shapes, bodies, labels, free] = counts;
  const numbers = 6 * vertices + 3 * triangles + fixed + 3 * volume + 2 * edges + 8 * bodies + 2 * size;
  need(view, MODEL_HEAD, 4 * (numbers + 3 * vertices * size + shapes * size) + labels, what);
  if (size === 0 || bodies === 0) throw new Error(`${what} has ${size} coordinates and ${bodies} bodies`);
  const take = taker(buffer, MODEL_HEAD);
  const message = {
    type: 'model',
    model,
    load,
    size,
    free: free !== 0,
    rest: take(Float32Array, 3 * vertices),
    normals: take(Float32Array, 3 * vertices),
    triangles: take(Uint32Array, 3 * triangles),
    fixed: take(Uint32Array, fixed),
    volume: take(Float32Array, 3 * volume),
    edges: take(Uint32Array, 2 * edges),
    bodies: take(Uint32Array, bodies),
    poses: take(Float32Array, 7 * bodies),
    scales: take(Float32Array, 2 * size),
    basis: take(Int16Array, 6 * vertices * size),
  };
  const coordinates = Array.from({ length: shapes }, () => take(Float32Array, size));
  message.shapes = readLabels(take(Uint8Array, labels), shapes, what).map((label, k) => ({
    label,
    coordinates: coordinates[k],
  }));
  checkIndices(message.triangles, vertices, `a triangle of ${what}`);
  checkIndices(message.fixed, vertices, `a fixed vertex of ${what}`);
  checkIndices(message.edges, volume, `an edge of ${what}`);
  return message;
}

export function readLoadModes(buffer, view, model, load) {
  need(view, 0, LOAD_MODES_HEAD, 'modes of loads');
  const [count, modes, loads] = [0, 1, 2].map((k) => view.getUint32(HEAD + 4 * k, true));
  need(view, LOAD_MODES_HEAD, modes * (4 + 2 * count), `modes of the loads of model ${model}`);
  const take = taker(buffer, HEAD + 16);
  const [most, ...along] = take(Float32Array, 4);
  return {
    type: 'loadModes',
    model,
    load,
    count,
    loads,
    most,
    direction: along.some((x) => x !== 0) ? Float32Array.from(along) : null,
    scales: take(Float32Array, modes),
    values: take(Int16Array, modes * count),
  };
}

export function readRigid(buffer, view, body, load) {
  need(view, 0, RIGID_HEAD, 'a rigid body');
  const [vertices, triangles] = [0, 1].map((k) => view.getUint32(HEAD + 4 * k, true));
  need(view, RIGID_HEAD, 12 * (vertices + triangles), `rigid body ${body}`);
  const take = taker(buffer, RIGID_HEAD);
  const message = {
    type: 'rigid',
    body,
    load,
    pose: new Float32Array(buffer, HEAD + 16, 7),
    rest: take(Float32Array, 3 * vertices),
    triangles: take(Uint32Array, 3 * triangles),
  };
  checkIndices(message.triangles, vertices, `a triangle of rigid body ${body}`);
  return message;
}

export function readShell(buffer, view, shell, load) {
  need(view, 0, SHELL_HEAD, 'a pointshell');
  const what = `pointshell ${shell}`;
  const [points, levels, size, bodies, all] = [0, 1, 2, 3, 4].map((k) => view.getUint32(HEAD + 4 * k, true));
  if (levels === 0 || levels > MOST_LEVELS || bodies === 0) {
    throw new Error(`${what} has ${levels} levels and ${bodies} bodies`);
  }
  need(view, SHELL_HEAD, 4 * (bodies + size) + points * (8 + 6 * size), what);
  const sizes = new Uint32Array(buffer, HEAD + 24, levels);
  sizes.forEach((count, level) => {
    if (count > points || count < (sizes[level - 1] ?? 1)) throw new Error(`${what} has ${count} of ${points} points`);
  });
  if (sizes[levels - 1] !== points) throw new Error(`${what} has points beyond its levels`);
  const take = taker(buffer, SHELL_HEAD);
  return {
    type: 'shell',
    shell,
    load,
    size,
    all,
    sizes,
    origin: new Float32Array(buffer, SHELL_HEAD - 16, 3),
    step: view.getFloat32(SHELL_HEAD - 4, true),
    bodies: take(Uint32Array, bodies),
    scales: take(Float32Array, size),
    points: take(Uint16Array, 4 * points),
    basis: take(Int16Array, 3 * points * size),
  };
}

export function readSlice(buffer, view, body, load) {
  need(view, 0, SLICE_HEAD, 'a slice');
  const [number, axis, width, height, flags] = [0, 1, 2, 3, 4].map((k) => view.getUint32(HEAD + 4 * k, true));
  if (axis > 2) throw new Error(`a slice is across axis ${axis}`);
  need(view, SLICE_HEAD, 2 * width * height, 'a slice');
  return {
    type: 'slice',
    body,
    load,
    number,
    axis,
    width,
    height,
    deformed: (flags & 1) !== 0,
    corner: new Float32Array(buffer, HEAD + 20, 3),
    spacing: view.getFloat32(HEAD + 32, true),
    scale: view.getFloat32(HEAD + 36, true),
    voxel: view.getFloat32(HEAD + 40, true),
    values: new Int16Array(buffer, SLICE_HEAD, width * height),
  };
}

export function readIsosurface(buffer, view, body, load) {
  need(view, 0, ISOSURFACE_HEAD, 'an isosurface');
  const [number, vertices, triangles, flags] = [0, 1, 2, 3].map((k) => view.getUint32(HEAD + 4 * k, true));
  need(view, ISOSURFACE_HEAD, 12 * (vertices + triangles), 'an isosurface');
  const take = taker(buffer, ISOSURFACE_HEAD);
  const message = {
    type: 'isosurface',
    body,
    load,
    number,
    deformed: (flags & 1) !== 0,
    value: view.getFloat32(HEAD + 16, true),
    spacing: view.getFloat32(HEAD + 20, true),
    rest: take(Float32Array, 3 * vertices),
    triangles: take(Uint32Array, 3 * triangles),
  };
  checkIndices(message.triangles, vertices, 'a triangle of an isosurface');
  return message;
}
