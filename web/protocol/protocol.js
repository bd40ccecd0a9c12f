/**
 * The viewer's messages (docs/viewer_protocol.md): reads those of the server, writes those of the page.
 *
 * Large arrays are views of the message, not copies: a surface goes to the graphics card as it came. Like the protocol,
 * typed arrays are little-endian wherever browsers run.
 */

import { HEAD, need } from './bytes.js';
import { readFrame, readTicks } from './frame.js';
import { readBody, readIsosurface, readLoadModes, readModel, readRigid, readShell, readSlice } from './shapes.js';

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
export const REQUEST = Object.freeze({
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

function readJson(buffer, what) {
  try {
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(buffer, HEAD)));
    if (json === null || typeof json !== 'object' || Array.isArray(json)) throw new Error('not an object');
    return json;
  } catch (error) {
    throw new Error(`${what} has no readable JSON: ${error.message}`);
  }
}

/**
 * Reads a message of the server. JSON's members become members of the result:
 * `welcome` {client, program, protocol, ...}, `state` {load, phase, scene, ...}, `notice` {kind, text}, `badges` {scenes}.
 * Null where its type is unknown and it is to be ignored; throws where it is cut short or makes no sense.
 * @param {ArrayBuffer} buffer
 * @returns {import('./frame.js').Frame|import('./frame.js').Trace|object|null} or one of shapes.js
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
  if (!Number.isFinite(sum) || !(norm > 0)) throw new Error("the position of a pointer must be finite");
  const view = head(36, 64, tool, (touch ? POINTER_TOUCH : 0) | (grab ? POINTER_GRAB : 0));
  for (let k = 0; k < 3; ++k) view.setFloat32(8 + 4 * k, position[k], true);
  for (let k = 0; k < 4; ++k) view.setFloat32(20 + 4 * k, orientation[k] / norm, true);
  return view.buffer;
}

/**
 * Says that a frame has been shown, and what the page requests to be sent.
 * @param {number} frame
 * @param {number} requests bits of REQUEST
 * @returns {ArrayBuffer}
 */
export function encodeShown(frame, requests) {
  return head(8, 65, requests, frame).buffer;
}

/**
 * Asks for a slice across an axis at a place, or the isosurface at a value, of a body's distance field.
 * @param {{body: number, number: number, what: number, value: number}} question what: one of ASK; value: m
 * @returns {ArrayBuffer}
 */
export function encodeAsk({ body, number, what, value }) {
  if (!(Math.abs(value) <= 1000)) throw new Error('the point of a query must be within 1 km');
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
