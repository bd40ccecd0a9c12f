import * as THREE from 'three';

/**
 * How bodies are looked at: each may be hidden, seen through, or selected. Shaders read that from a table by the number of the
 * body (tacBody), so that it holds for single bodies of those that are drawn together, and for all that draws them: surfaces,
 * edges, shadows, and what the pointer picks.
 */

/** For vertex shaders, after the surface's own code. */
export const LOOK = /* glsl */ `
uniform highp sampler2D tacLooks; // of each body: 1 where it is shown, opacity, 1 where it is selected
varying vec2 tacSeen;             // opacity, selected
void tacLook() {
  vec4 look = texelFetch(tacLooks, ivec2(int(tacBody + 0.5), 0), 0);
  tacSeen = look.yz;
  if (look.x < 0.5) gl_Position = vec4(0.0, 0.0, 2.0, 1.0); // beyond what is seen
}
`;

/** Makes one of three's materials apply it. @param {object} shader whose vertices call tacDeform() */
export function applyLook(shader) {
  shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', '#include <project_vertex>\ntacLook();');
}

const SEEN = /* glsl */ `
diffuseColor.a *= tacSeen.x;
if (tacSeen.y > 0.5) {
  // The rim glows, as if lit from behind.
  float rim = smoothstep(0.35, 0.95, 1.0 - abs(dot(normal, normalize(vViewPosition))));
  diffuseColor.rgb = mix(diffuseColor.rgb, tacSelected, 0.14);
  totalEmissiveRadiance += tacSelected * (0.04 + 0.9 * rim);
}`;

/** Likewise, and lets its fragments be seen through and glow. */
export function showLook(shader, view) {
  shader.uniforms.tacSelected = view.looks.colour;
  shader.fragmentShader = `varying vec2 tacSeen;\nuniform vec3 tacSelected;\n${shader.fragmentShader}`.replace(
    /(#include <emissivemap_fragment>[^]*?)(#include <lights_)/,
    `$1${SEEN}\n$2`,
  );
}

const PALE = 0.28;

/** @typedef {{visible: boolean, pale: boolean, selected: boolean}} Look */

export class BodyLooks {
  #values = new Uint8Array(4);
  #count = 0;
  /** @type {{value: THREE.DataTexture}} */
  uniform = { value: null };
  /** Of what is selected. */
  colour = { value: new THREE.Color(0x2f8bff) };

  constructor() {
    this.reset(1);
  }

  /** Other bodies: all are shown. */
  reset(count) {
    this.#count = count;
    this.#values = new Uint8Array(4 * Math.max(1, count)).map((_, k) => [255, 255, 0, 0][k % 4]);
    this.uniform.value?.dispose();
    this.uniform.value = new THREE.DataTexture(this.#values, Math.max(1, count), 1);
    this.uniform.value.needsUpdate = true;
  }

  /** @returns {Look} */
  get(body) {
    const [visible, opacity, selected] = this.#values.subarray(4 * body, 4 * body + 3);
    return { visible: visible > 0, pale: opacity < 255, selected: selected > 0 };
  }

  /** @param {Partial<Look>} look what changes */
  set(body, look) {
    if (!(body < this.#count)) return;
    const { visible, pale, selected } = { ...this.get(body), ...look };
    this.#values.set([visible ? 255 : 0, pale ? Math.round(255 * PALE) : 255, selected ? 255 : 0], 4 * body);
    this.uniform.value.needsUpdate = true;
  }

  /** After the material was dressed otherwise: one sees through it where one of its bodies is pale. */
  patch(material, surface) {
    if (!surface.bodies.some((body) => this.get(body).pale)) return;
    if (!material.transparent) material.needsUpdate = true;
    Object.assign(material, { transparent: true, side: THREE.FrontSide });
  }

  /** Hides objects that belong to hidden bodies (`userData.body`). */
  hide(objects) {
    for (const object of objects) object.visible = this.get(object.userData.body).visible;
  }
}
