/**
 * What can be drawn, each in a module of its own under layers/ that registers itself here; layers/all.js names them.
 *
 * @typedef {object} LayerKind
 * @property {string} id
 * @property {string} label for people
 * @property {string} hint one sentence: what it shows
 * @property {boolean} enabled at first
 * @property {boolean} [touch] it shows what hands do: not while a shape is shown instead of the simulation
 * @property {(view: import('./view.js').View) => Layer} create for one scene
 *
 * @typedef {object} Layer
 * @property {import('three').Object3D} [object] drawn while the layer is on
 * @property {(scene: object) => true|string} [available] or why it is not, given the state's scene
 * @property {(surface: import('./drawn_surface.js').DrawnSurface) => void} [body] bodies came that share it
 * @property {(message: import('../protocol.js').Frame) => void} [frame] while it is on, and once when it is turned on
 * @property {(dt: number) => boolean} [update] time passes; true where something still moves
 * @property {() => void} [theme] the theme, the colouring, the selected tool or the layers that are on have changed
 * @property {() => void} dispose
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
