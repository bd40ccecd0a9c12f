// Frames: what the server sends of every moment that is shown, and the ticks between them.

import { HEAD, need } from './bytes.js';

const LIMIT_FORCE = 1;
const LIMIT_RATE = 2;
const LIMIT_COUPLING = 4;
const FRAME_BUSY = 1;
const TOOL_LED = 1;
const TOOL_LIFTED = 2;
const TOOL_GRABS = 4;
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
 * @property {{body: number, values: Float32Array}[]} bodyNumbers that each body reports, in the order of the state
 * @property {Load[]} loads what presses bodies that answer only some loads, one for each of them
 * @property {Limits|null} limits
 * @property {LawContact[]|null} contacts that obey laws, near ones (CONTACT.none) among them; null: not in this frame
 * @property {Coupling|null} coupling likewise
 *
 * @typedef {object} Limits
 * @property {Float32Array} errorEstimates estimated model error of each body, 0.1 is 10 %; -1: not known
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
 */

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

export function readTicks(buffer, view, load) {
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

function readBodyNumbers(buffer, view, at, end, frame) {
  need(view, at, 8, 'the values of a body');
  const count = view.getUint32(at + 4, true);
  if (at + 8 + 4 * count > end) throw new Error(`${count} numbers of a body do not fit into their section`);
  frame.bodyNumbers.push({ body: view.getUint32(at, true), values: new Float32Array(buffer, at + 8, count) });
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
    errorEstimates: new Float32Array(buffer, at + 8, bodies),
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
  [12, readBodyNumbers],
  [13, readLoad],
  [14, readLimits],
]);

export function readFrame(buffer, view, sections, number) {
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
    bodyNumbers: [],
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
