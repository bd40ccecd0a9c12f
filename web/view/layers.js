/**
 * What can be drawn, each in a module of its own under layers/ that registers itself here; layers/all.js names them.
 *
 * @typedef {object} LayerKind
 * @property {string} id
 * @property {string} label for people
 * @property {string} hint one sentence: what it shows
 * @property {boolean} enabled at first
 * @property {boolean} [touch] it shows what hands do: not while a shape is shown instead of the simulation
 * @property {number} [requests] what it needs the program to send, bits of REQUEST
 * @property {(view: import('./view.js').View) => Layer} create for one scene
 *
 * @typedef {object} Layer
 * @property {import('three').Object3D} [object] drawn while the layer is on
 * @property {(scene: object) => true|string} [available] or why it is not, given the state's scene
 * @property {(surface: import('./drawn_surface.js').DrawnSurface) => void} [body] bodies came that share it
 * @property {(message: import('../protocol/frame.js').Frame) => void} [frame] while it is on, and once when it is turned on
 * @property {(dt: number) => boolean} [update] time passes; true where something still moves
 * @property {() => void} [theme] the theme, the colouring, the selected tool or the layers that are on have changed
 * @property {(surface: import('./drawn_surface.js').DrawnSurface) => boolean} [clears] whether what is inside of these
 *   bodies shall be seen
 * @property {(surface: import('./drawn_surface.js').DrawnSurface) => boolean} [dims] whether these bodies shall be
 *   dark, so that what lies on them is seen
 * @property {(message: object) => void} [shell] and `slice`, `isosurface`: messages of these types
 * @property {Setting[]} [settings] what a person may choose
 * @property {() => void} dispose
 *
 * @typedef {object} Setting
 * @property {string} label
 * @property {[any, string][]} [options] values and what is read of them
 * @property {() => [number, number]} [range] instead: from least to most
 * @property {(value: number) => string} [text] of a value in the range
 * @property {() => any} get
 * @property {(value: any) => void} set
 */

/** @type {Map<string, LayerKind>} */
const kinds = new Map();

/** @param {LayerKind} kind */
export function registerLayer(kind) {
  if (kinds.has(kind.id)) throw new Error(`there are two layers "${kind.id}"`);
  kinds.set(kind.id, kind);
}

/** @returns {LayerKind[]} in the order of their modules */
export function layerKinds() {
  return [...kinds.values()];
}
