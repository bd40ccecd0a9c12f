/**
 * The viewer's messages (docs/viewer_protocol.md): reads those of the server, writes those of the page.
 *
 * Large arrays are views of the message, not copies: a surface goes to the graphics card as it came. Like the protocol,
 * typed arrays are little-endian wherever browsers run.
 */

export const VERSION = 1;
export const MOST_TEXT = 512; // bytes of a command's text

export const COMMAND = Object.freeze({
  open: 1,
  reload: 2,
  pause: 3,
  step: 4,
  reset: 5,
  record: 6,
  replay: 7,
  seek: 8,
  play: 9,
  parameter: 10,
  demo: 11,
  speed: 12,
  rename: 13,
  delete: 14,
  take: 15,
  follow: 16,
});
export const WISH = Object.freeze({
  surfaces: 1,
  stress: 2,
  pressure: 4,
  pairs: 8,
  points: 16,
  balls: 32,
  shells: 64,
  contacts: 128,
  coupling: 256,
  stretch: 512,
});
/** What may be asked of a body's distance field. */
export const ASK = Object.freeze({ x: 0, y: 1, z: 2, isosurface: 3 });
export const FIELD = Object.freeze({ stress: 1, pressure: 2, stretch: 3 });
export const CONTACT = Object.freeze({ none: 0, sticks: 1, slides: 2, grabbed: 3 });

const POINTER_TOUCH = 1;
const POINTER_GRAB = 2;
const LIMIT_FORCE = 1;
const LIMIT_RATE = 2;
const LIMIT_COUPLING = 4;
const FRAME_BUSY = 1;
const TOOL_LED = 1;
const TOOL_LIFTED = 2;
const TOOL_GRABS = 4;
const HEAD = 8;
const BODY_HEAD = 32;
const MODEL_HEAD = 48;
const RIGID_HEAD = 56;
const SHELL_HEAD = 96;
const SLICE_HEAD = 56;
const ISOSURFACE_HEAD = 32;
const LOAD_MODES_HEAD = 40;
/** A step of a load mode where no load acts. */
export const NO_LOAD = -32768;
const MOST_LEVELS = 12;
const FRAME_HEAD = 32;
const SECTION_HEAD = 8;
const TOOL_SIZE = 136;
const CONTACT_SIZE = 48;
const NEVER_MOVES = 0xffff;

/**
 * @typedef {object} Tool
 * @property {Float32Array} position m, world
 * @property {Float32Array} orientation w, x, y, z
 * @property {Float32Array} proxy m
 * @property {Float32Array} force N, on the hand
 * @property {Float32Array} torque N m, on the hand
 * @property {Float32Array} point m, the contact on the deformed surface
 * @property {Float32Array} normal of the contact
 * @property {number} penetration m
 * @property {Float32Array} spring m, where the pointer pulls it to
 * @property {number} state one of CONTACT
 * @property {number} body that it touches
 * @property {boolean} led by a pointer
 * @property {boolean} lifted touches nothing
 * @property {boolean} grabs
 * @property {number} client that leads it, 0: none
 * @property {Float32Array} proxyOrientation w, x, y, z: of the body that it holds
 *
 * @typedef {object} Surface
 * @property {number} body
 * @property {number} count of vertices
 * @property {number} scale m: a vertex is displaced by scale * values[4 i + 0, 1, 2] / 32767
 * @property {Int16Array} values 4 for each vertex; the fourth holds the two bytes of the octahedral normal
 *
 * @typedef {object} Field
 * @property {number} body
 * @property {number} kind one of FIELD
 * @property {number} scale Pa, or of stretch a number: scale * values[i] / 65535
 * @property {Uint16Array} values
 *
 * @typedef {object} Coordinates
 * @property {number} model
 * @property {number} count of bodies
 * @property {number} size r
 * @property {boolean} poses whether the bodies move as a whole
 * @property {Float32Array} values for each body q[r], and where `poses` position x, y, z (m), orientation w, x, y, z
 *
 * @typedef {object} Numbers
 * @property {number} servoRate Hz
 * @property {number} displayRate Hz
 * @property {{p50: number, p99: number, p999: number, max: number}} tick s
 * @property {{p99: number, max: number}} lateness s
 * @property {number} missedByComputation ticks
 * @property {number} missedByLateness ticks
 * @property {number} contacts
 * @property {number} clients
 *
 * @typedef {object} Trace
 * @property {number} first tick
 * @property {number} ticks
 * @property {number} tools
 * @property {number} stride numbers a tick: tick time s, lateness s; for each tool force N, penetration m, energy J, and what a
 *   limit kept from the hand N, -1 where none did
 * @property {Float32Array} values
 *
 * @typedef {object} Frame
 * @property {'frame'} type
 * @property {number} number
 * @property {number} load
 * @property {boolean} busy the world stands still, as the state's `busy` says
 * @property {number} time s
 * @property {number} tick
 * @property {Tool[]} tools
 * @property {Surface[]} surfaces
 * @property {Field[]} fields
 * @property {Numbers|null} numbers
 * @property {Trace[]} traces stretches of consecutive ticks that came with it; the connection fills them in
 * @property {{body: number, values: Float32Array}[]} sensors
 * @property {Coordinates[]} coordinates
 * @property {{body: number, values: Float32Array}[]} poses position x, y, z (m), orientation w, x, y, z
 * @property {Pair[]} pairs
 * @property {{body: number, values: Float32Array}[]} told what bodies tell of themselves, as the state lists it
 * @property {Load[]} loads what presses bodies that answer from a vademecum, one for each of them
 * @property {Limits|null} limits
 * @property {LawContact[]|null} contacts that obey laws, near ones (CONTACT.none) among them; null: not in this frame
 * @property {Coupling|null} coupling likewise
 *
 * @typedef {object} Limits
 * @property {Float32Array} doubts of each body its expected error, 0.1 is 10 %; -1: not known
 * @property {{given: number, force: boolean, rate: boolean, coupling: boolean}[]} tools the force that the hand gets, N,
 *   and what kept it from the tool's force: the device's largest, how fast it may change; a saturated coupling
 *
 * @typedef {object} Load
 * @property {number} body
 * @property {boolean} beyond what was baked
 * @property {Float32Array} place m, where it acts in the mean; zero where there is none
 * @property {Float32Array} force N, on the body: the sum
 *
 * @typedef {object} LawContact
 * @property {Float32Array} place m
 * @property {Float32Array} normal unit, out of the second body into the first
 * @property {Float32Array} force N, on the first body
 * @property {number} friction
 * @property {number} state one of CONTACT
 * @property {(number|null)[]} bodies null: what never moves
 *
 * @typedef {object} Coupling the Delassus operator W
 * @property {number} count of contacts, m
 * @property {number} most the largest of its diagonal, m/N
 * @property {Uint8Array} values [3 m][3 m]: of each contact along the normal and two directions across; each has the
 *   size most (value / 255)²
 *
 * @typedef {object} Pair
 * @property {number} pair
 * @property {number} level that is rendered
 * @property {number} last level that may be
 * @property {number} visited nodes
 * @property {number} touching points in contact
 * @property {number} deepest m
 * @property {Float32Array} points 4 for each that was sent: place x, y, z, depth, m
 * @property {DataView} balls 20 bytes for each that was sent: `f32` centre x, y, z, radius, m; `u16` level, opened
 * @property {number} ballCount that were sent
 *
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
 * @typedef {object} Model what reduced bodies share, all in their own frame
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
 * @typedef {object} LoadModes the modes Y of a vademecum, which belong to the coordinates of a model
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

function need(view, at, size, what) {
  if (at + size > view.byteLength) {
    throw new Error(`${what} is cut short: ${size} bytes needed at ${at}, the message has ${view.byteLength}`);
  }
}

function readJson(buffer, what) {
  try {
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(buffer, HEAD)));
    if (json === null || typeof json !== 'object' || Array.isArray(json)) throw new Error('not an object');
    return json;
  } catch (error) {
    throw new Error(`${what} has no readable JSON: ${error.message}`);
  }
}

function checkIndices(indices, count, what) {
  for (let i = 0; i < indices.length; ++i) {
    if (indices[i] >= count) throw new Error(`${what} names vertex ${indices[i]} of ${count}`);
  }
}

function readBody(buffer, view, body, load) {
  need(view, 0, BODY_HEAD, 'a body');
  const counts = [0, 1, 2, 3, 4].map((k) => view.getUint32(HEAD + 4 * k, true));
  const [vertices, triangles, fixed, volume, edges] = counts;
  need(view, BODY_HEAD, 4 * (3 * vertices + 3 * triangles + fixed + 3 * volume + 2 * edges), `body ${body}`);
  let at = BODY_HEAD;
  const take = (Type, length) => {
    const array = new Type(buffer, at, length);
    at += 4 * length;
    return array;
  };
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
function readLabels(buffer, at, length, count, what) {
  const text = new TextDecoder('utf-8').decode(new Uint8Array(buffer, at, length)).replace(/\0+$/, '');
  const labels = count > 0 ? text.split('\n') : [];
  if (labels.length !== count) throw new Error(`${what} has ${labels.length} labels for ${count} shapes`);
  return labels;
}

function readModel(buffer, view, model, load) {
  need(view, 0, MODEL_HEAD, 'a model');
  const what = `model ${model}`;
  const counts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((k) => view.getUint32(HEAD + 4 * k, true));
  const [vertices, triangles, fixed, volume, edges, size, shapes, bodies, labels, free] = counts;
  const numbers = 6 * vertices + 3 * triangles + fixed + 3 * volume + 2 * edges + 8 * bodies + 2 * size;
  need(view, MODEL_HEAD, 4 * (numbers + 3 * vertices * size + shapes * size) + labels, what);
  if (size === 0 || bodies === 0) throw new Error(`${what} has ${size} coordinates and ${bodies} bodies`);
  let at = MODEL_HEAD;
  const take = (Type, length) => {
    const array = new Type(buffer, at, length);
    at += array.byteLength;
    return array;
  };
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
  message.shapes = readLabels(buffer, at, labels, shapes, what).map((label, k) => ({
    label,
    coordinates: coordinates[k],
  }));
  checkIndices(message.triangles, vertices, `a triangle of ${what}`);
  checkIndices(message.fixed, vertices, `a fixed vertex of ${what}`);
  checkIndices(message.edges, volume, `an edge of ${what}`);
  return message;
}

/** Takes arrays one after the other. */
function taker(buffer, from) {
  let at = from;
  return (Type, length) => {
    const array = new Type(buffer, at, length);
    at += array.byteLength;
    return array;
  };
}

function readLoadModes(buffer, view, model, load) {
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

function readRigid(buffer, view, body, load) {
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

function readShell(buffer, view, shell, load) {
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

function readSlice(buffer, view, body, load) {
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

function readIsosurface(buffer, view, body, load) {
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

function readTools(buffer, view, at, end, frame) {
  need(view, at, 8, 'the tools');
  const count = view.getUint32(at, true);
  if (at + 8 + count * TOOL_SIZE > end) throw new Error(`${count} tools do not fit into their section`);
  for (let t = 0; t < count; ++t) {
    const from = at + 8 + t * TOOL_SIZE;
    const floats = (offset, length) => new Float32Array(buffer, from + offset, length);
    const flags = view.getUint32(from + 112, true);
    frame.tools.push({
      position: floats(0, 3),
      orientation: floats(12, 4),
      proxy: floats(28, 3),
      force: floats(40, 3),
      torque: floats(52, 3),
      point: floats(64, 3),
      normal: floats(76, 3),
      penetration: view.getFloat32(from + 88, true),
      spring: floats(92, 3),
      state: view.getUint32(from + 104, true),
      body: view.getUint32(from + 108, true),
      led: (flags & TOOL_LED) !== 0,
      lifted: (flags & TOOL_LIFTED) !== 0,
      grabs: (flags & TOOL_GRABS) !== 0,
      client: view.getUint32(from + 116, true),
      proxyOrientation: floats(120, 4),
    });
  }
}

function readSurface(buffer, view, at, end, frame) {
  need(view, at, 16, 'a surface');
  const count = view.getUint32(at + 4, true);
  if (at + 16 + 8 * count > end) throw new Error(`a surface of ${count} vertices does not fit into its section`);
  frame.surfaces.push({
    body: view.getUint32(at, true),
    count,
    scale: view.getFloat32(at + 8, true),
    values: new Int16Array(buffer, at + 16, 4 * count),
  });
}

function readField(buffer, view, at, end, frame) {
  need(view, at, 16, 'a field');
  const count = view.getUint32(at + 12, true);
  if (at + 16 + 2 * count > end) throw new Error(`a field of ${count} vertices does not fit into its section`);
  frame.fields.push({
    body: view.getUint32(at, true),
    kind: view.getUint32(at + 4, true),
    scale: view.getFloat32(at + 8, true),
    values: new Uint16Array(buffer, at + 16, count),
  });
}

function readNumbers(buffer, view, at, end, frame) {
  if (at + 48 > end) throw new Error('the numbers are cut short');
  const [servoRate, displayRate, p50, p99, p999, max, latenessP99, latenessMax] = new Float32Array(buffer, at, 8);
  const [missedByComputation, missedByLateness, contacts, clients] = new Uint32Array(buffer, at + 32, 4);
  frame.numbers = {
    servoRate,
    displayRate,
    tick: { p50, p99, p999, max },
    lateness: { p99: latenessP99, max: latenessMax },
    missedByComputation,
    missedByLateness,
    contacts,
    clients,
  };
}

function readTicks(buffer, view, load) {
  const at = HEAD;
  need(view, at, 16, 'ticks');
  const ticks = view.getUint32(at + 8, true);
  const tools = view.getUint32(at + 12, true);
  const stride = 2 + 4 * tools;
  need(view, at + 16, 4 * stride * ticks, `${ticks} ticks`);
  return {
    type: 'ticks',
    load,
    first: Number(view.getBigUint64(at, true)),
    ticks,
    tools,
    stride,
    values: new Float32Array(buffer, at + 16, stride * ticks),
  };
}

function readSensors(buffer, view, at, end, frame) {
  need(view, at, 8, 'the sensors');
  const count = view.getUint32(at + 4, true);
  if (at + 8 + 4 * count > end) throw new Error(`${count} sensor values do not fit into their section`);
  frame.sensors.push({ body: view.getUint32(at, true), values: new Float32Array(buffer, at + 8, count) });
}

function readCoordinates(buffer, view, at, end, frame) {
  need(view, at, 16, 'coordinates');
  const [model, count, size, flags] = [0, 4, 8, 12].map((offset) => view.getUint32(at + offset, true));
  const numbers = count * (size + (flags & 1 ? 7 : 0));
  if (at + 16 + 4 * numbers > end) throw new Error(`coordinates of ${count} bodies do not fit into their section`);
  frame.coordinates.push({
    model,
    count,
    size,
    poses: (flags & 1) !== 0,
    values: new Float32Array(buffer, at + 16, numbers),
  });
}

function readPoses(buffer, view, at, end, frame) {
  need(view, at, 8, 'poses');
  const count = view.getUint32(at, true);
  if (at + 8 + 32 * count > end) throw new Error(`poses of ${count} bodies do not fit into their section`);
  for (let i = 0; i < count; ++i) {
    const from = at + 8 + 32 * i;
    frame.poses.push({ body: view.getUint32(from, true), values: new Float32Array(buffer, from + 4, 7) });
  }
}

function readPair(buffer, view, at, end, frame) {
  if (at + 32 > end) throw new Error('a pair is cut short');
  const [pair, level, last, visited, touching, points, balls] = new Uint32Array(buffer, at, 7);
  if (at + 32 + 16 * points + 20 * balls > end) {
    throw new Error(`a pair with ${points} points and ${balls} balls does not fit into its section`);
  }
  frame.pairs.push({
    pair,
    level,
    last,
    visited,
    touching,
    deepest: view.getFloat32(at + 28, true),
    points: new Float32Array(buffer, at + 32, 4 * points),
    balls: new DataView(buffer, at + 32 + 16 * points, 20 * balls),
    ballCount: balls,
  });
}

function readContacts(buffer, view, at, end, frame) {
  need(view, at, 8, 'contacts');
  const count = view.getUint32(at, true);
  if (at + 8 + CONTACT_SIZE * count > end) throw new Error(`${count} contacts do not fit into their section`);
  frame.contacts = Array.from({ length: count }, (_, i) => {
    const from = at + 8 + CONTACT_SIZE * i;
    const floats = (offset) => new Float32Array(buffer, from + offset, 3);
    return {
      place: floats(0),
      normal: floats(12),
      force: floats(24),
      friction: view.getFloat32(from + 36, true),
      state: view.getUint32(from + 40, true),
      bodies: [44, 46].map((offset) => {
        const body = view.getUint16(from + offset, true);
        return body === NEVER_MOVES ? null : body;
      }),
    };
  });
}

function readCoupling(buffer, view, at, end, frame) {
  need(view, at, 8, 'a coupling');
  const count = view.getUint32(at, true);
  if (at + 8 + 9 * count * count > end) throw new Error(`the coupling of ${count} contacts does not fit into its section`);
  const values = new Uint8Array(buffer, at + 8, 9 * count * count);
  frame.coupling = { count, most: view.getFloat32(at + 4, true), values };
}

function readTold(buffer, view, at, end, frame) {
  need(view, at, 8, 'what a body tells');
  const count = view.getUint32(at + 4, true);
  if (at + 8 + 4 * count > end) throw new Error(`${count} numbers of a body do not fit into their section`);
  frame.told.push({ body: view.getUint32(at, true), values: new Float32Array(buffer, at + 8, count) });
}

function readLoad(buffer, view, at, end, frame) {
  if (at + 32 > end) throw new Error('a load is cut short');
  frame.loads.push({
    body: view.getUint32(at, true),
    beyond: (view.getUint32(at + 4, true) & 1) !== 0,
    place: new Float32Array(buffer, at + 8, 3),
    force: new Float32Array(buffer, at + 20, 3),
  });
}

function readLimits(buffer, view, at, end, frame) {
  need(view, at, 8, 'the limits');
  const bodies = view.getUint32(at, true);
  const tools = view.getUint32(at + 4, true);
  if (at + 8 + 4 * bodies + 8 * tools > end) throw new Error(`limits of ${bodies} bodies do not fit into their section`);
  const from = at + 8 + 4 * bodies;
  frame.limits = {
    doubts: new Float32Array(buffer, at + 8, bodies),
    tools: Array.from({ length: tools }, (_, t) => {
      const flags = view.getUint32(from + 8 * t + 4, true);
      return {
        given: view.getFloat32(from + 8 * t, true),
        force: (flags & LIMIT_FORCE) !== 0,
        rate: (flags & LIMIT_RATE) !== 0,
        coupling: (flags & LIMIT_COUPLING) !== 0,
      };
    }),
  };
}

/** What reads each section of a frame; tags that are not here are skipped. */
const SECTIONS = new Map([
  [1, readTools],
  [2, readSurface],
  [3, readField],
  [4, readNumbers],
  [6, readSensors],
  [7, readCoordinates],
  [8, readPoses],
  [9, readPair],
  [10, readContacts],
  [11, readCoupling],
  [12, readTold],
  [13, readLoad],
  [14, readLimits],
]);

function readFrame(buffer, view, sections, number) {
  need(view, 0, FRAME_HEAD, 'a frame');
  const frame = {
    type: 'frame',
    number,
    load: view.getUint32(8, true),
    busy: (view.getUint32(12, true) & FRAME_BUSY) !== 0,
    time: view.getFloat64(16, true),
    tick: Number(view.getBigUint64(24, true)),
    tools: [],
    surfaces: [],
    fields: [],
    numbers: null,
    traces: [],
    sensors: [],
    coordinates: [],
    poses: [],
    pairs: [],
    told: [],
    loads: [],
    limits: null,
    contacts: null,
    coupling: null,
  };
  let at = FRAME_HEAD;
  for (let s = 0; s < sections; ++s) {
    need(view, at, SECTION_HEAD, `section ${s + 1} of ${sections} of a frame`);
    const tag = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    at += SECTION_HEAD;
    need(view, at, length, `section ${s + 1} (tag ${tag}) of a frame`);
    if (length % 8 !== 0)
      throw new Error(`section ${s + 1} (tag ${tag}) of a frame has ${length} bytes, not a multiple of 8`);
    SECTIONS.get(tag)?.(buffer, view, at, at + length, frame);
    at += length;
  }
  return frame;
}

/**
 * Reads a message of the server. JSON's members become members of the result:
 * `welcome` {client, program, protocol, ...}, `state` {load, phase, scene, ...}, `notice` {kind, text}, `badges` {scenes}.
 * Null where its type is unknown and it is to be ignored; throws where it is cut short or makes no sense.
 * @param {ArrayBuffer} buffer
 * @returns {Frame|Body|Model|Rigid|Shell|Slice|Isosurface|LoadModes|Trace|object|null}
 */
export function decode(buffer) {
  const view = new DataView(buffer);
  need(view, 0, HEAD, 'a message');
  const type = view.getUint8(0);
  const version = view.getUint8(1);
  const a = view.getUint16(2, true);
  const b = view.getUint32(4, true);
  if (version !== VERSION)
    throw new Error(`the server speaks version ${version} of the protocol, this page ${VERSION}`);
  switch (type) {
    case 1:
      return { ...readJson(buffer, 'the welcome'), type: 'welcome', client: b };
    case 2:
      return { ...readJson(buffer, 'the state'), type: 'state', load: b };
    case 3:
      return readBody(buffer, view, a, b);
    case 4:
      return readFrame(buffer, view, a, b);
    case 5:
      return { ...readJson(buffer, 'a notice'), type: 'notice' };
    case 20:
      return { ...readJson(buffer, 'badges'), type: 'badges' };
    case 6:
      return readModel(buffer, view, a, b);
    case 7:
      return readRigid(buffer, view, a, b);
    case 8:
      return readShell(buffer, view, a, b);
    case 9:
      return readSlice(buffer, view, a, b);
    case 10:
      return readIsosurface(buffer, view, a, b);
    case 11:
      return readLoadModes(buffer, view, a, b);
    case 12:
      return { type: 'beat' };
    case 13:
      return readTicks(buffer, view, b);
    default:
      return null;
  }
}

function head(size, type, a, b) {
  const view = new DataView(new ArrayBuffer(size));
  view.setUint8(0, type);
  view.setUint8(1, VERSION);
  view.setUint16(2, a, true);
  view.setUint32(4, b, true);
  return view;
}

/**
 * @param {object} sample
 * @param {number} sample.tool
 * @param {boolean} [sample.touch] else it hovers
 * @param {boolean} [sample.grab]
 * @param {ArrayLike<number>} sample.position m, world
 * @param {ArrayLike<number>} [sample.orientation] w, x, y, z; need not be of unit length
 * @returns {ArrayBuffer}
 */
export function encodePointer({ tool, touch = false, grab = false, position, orientation = [1, 0, 0, 0] }) {
  const norm = Math.hypot(orientation[0], orientation[1], orientation[2], orientation[3]);
  const sum = position[0] + position[1] + position[2] + norm;
  // The server closes the connection on such a message; better to find the fault here.
  if (!Number.isFinite(sum) || !(norm > 0)) throw new Error("a pointer's place must be finite");
  const view = head(36, 64, tool, (touch ? POINTER_TOUCH : 0) | (grab ? POINTER_GRAB : 0));
  for (let k = 0; k < 3; ++k) view.setFloat32(8 + 4 * k, position[k], true);
  for (let k = 0; k < 4; ++k) view.setFloat32(20 + 4 * k, orientation[k] / norm, true);
  return view.buffer;
}

/**
 * Says that a frame has been shown, and what the page wishes to be sent.
 * @param {number} frame
 * @param {number} wishes bits of WISH
 * @returns {ArrayBuffer}
 */
export function encodeShown(frame, wishes) {
  return head(8, 65, wishes, frame).buffer;
}

/**
 * Asks for a slice across an axis at a place, or the isosurface at a value, of a body's distance field.
 * @param {{body: number, number: number, what: number, value: number}} question what: one of ASK; value: m
 * @returns {ArrayBuffer}
 */
export function encodeAsk({ body, number, what, value }) {
  if (!(Math.abs(value) <= 1000)) throw new Error('a question must be within a kilometre');
  const view = head(16, 67, body, number);
  view.setUint32(8, what, true);
  view.setFloat32(12, value, true);
  return view.buffer;
}

/**
 * @param {number} command one of COMMAND
 * @param {{index?: number, value?: number, text?: string}} [what]
 * @returns {ArrayBuffer}
 */
export function encodeCommand(command, { index = 0, value = 0, text = '' } = {}) {
  if (!Number.isFinite(Number(value))) throw new Error("a command's value must be finite");
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MOST_TEXT) throw new Error(`a command's text has ${bytes.length} bytes; ${MOST_TEXT} are allowed`);
  const view = head(16 + bytes.length, 66, command, index);
  view.setFloat64(8, Number(value), true);
  new Uint8Array(view.buffer).set(bytes, 16);
  return view.buffer;
}
