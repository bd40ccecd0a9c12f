import * as THREE from 'three';

/** Of bodies, in their order: muted, like tissue and clay, and told apart by lightness too. */
export const BODY_COLOURS = [0xb0594f, 0xd0a873, 0x7590a6, 0x93a37d, 0xa3829f, 0xcf8f80, 0x85735f, 0x7fa8a0];

const TOOL_COLOURS = [0x3d8bd9, 0xe08a2e, 0x2fa384, 0xc75b9b, 0x8f7ae0, 0xc9b037, 0x5aa9c9, 0xd96a5a];

/** Of contacts, by CONTACT: as in the program's reports, sticking blue, sliding orange, grabbed green. */
export const CONTACT_COLOURS = [0x9aa5b0, 0x2f7de0, 0xee7b22, 0x1fa06b];

export const FORCE_COLOUR = 0x14b37d;
export const TORQUE_COLOUR = 0x9a6bf0;

/** What presses a body that answers only some loads; and loads that were not baked. */
export const LOAD_COLOUR = 0xe0a526;
export const BEYOND_COLOUR = 0xe5322d;

/** Of contacts that obey laws: their friction cones, and their forces. */
export const CONE_COLOUR = 0x9b3fd1;
export const LAW_FORCE_COLOUR = 0x9a5a24;
/** Of those that are near and do not touch yet. */
export const NEAR_COLOUR = 0x2b8fb3;

/**
 * A tool's colour: that of its curves (the style sheet's --s0 to --s7) where there is one.
 * @param {HTMLElement} element
 * @param {number} index
 */
export function toolColour(element, index) {
  const text = getComputedStyle(element)
    .getPropertyValue(`--s${index % 8}`)
    .trim();
  const plain = /^#([0-9a-f]{3}|[0-9a-f]{6})$|^rgb\(/i.test(text);
  return new THREE.Color(plain ? text : TOOL_COLOURS[index % TOOL_COLOURS.length]);
}

/** Of a pointshell's levels, from the coarsest: in the order of the rainbow, all of them bright. */
export const LEVEL_COLOURS = [
  0xffd84a, 0xff9f40, 0xf4613f, 0xe0457f, 0xb45ae0, 0x6f7bf2, 0x37a3ea, 0x25b8b0, 0x43bf6e, 0x9ac43c, 0xc9b037,
  0xa9967a,
];

/** For a legend of so many levels. */
export function levelSwatches(count) {
  return LEVEL_COLOURS.slice(0, count).map((colour, level) => ({
    colour: `#${new THREE.Color(colour).getHexString()}`,
    text: String(level),
  }));
}
