import * as THREE from 'three';

export const ACROSS = ['x', 'y', 'z', 'free'];
const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
const HATCH = 26; // lines over the size of a body
const NOTHING = [0, 0, 0, 1]; // a plane that cuts nothing off
const BEYOND = 1.02; // of the scene's radius: how far the plane may go

/** For shaders of anything that is cut: whether a place of the world is cut off. */
export const CUT = /* glsl */ `
uniform vec4 tacClip;
bool tacCut(vec3 at) {
  return dot(tacClip.xyz, at) + tacClip.w < 0.0;
}`;

/** Makes the shader of one of three's materials leave out what is cut off; it needs the uniform tacClip. */
export function cutAway(shader) {
  shader.vertexShader = `varying vec3 tacWorld;\n${shader.vertexShader}`.replace(
    '#include <project_vertex>',
    `#include <project_vertex>
vec4 tacPlaced = vec4(transformed, 1.0);
#ifdef USE_INSTANCING
tacPlaced = instanceMatrix * tacPlaced;
#endif
tacWorld = (modelMatrix * tacPlaced).xyz;`,
  );
  shader.fragmentShader = `${CUT}\nvarying vec3 tacWorld;\n${shader.fragmentShader}`.replace(
    'void main() {',
    'void main() {\nif (tacCut(tacWorld)) discard;',
  );
}

/** A unit vector by its angles, rad: about z from x, and up from the ground. */
export function fromAngles(turn, tilt, into = new THREE.Vector3()) {
  return into.set(Math.cos(tilt) * Math.cos(turn), Math.cos(tilt) * Math.sin(turn), Math.sin(tilt));
}

/**
 * A plane that bodies are cut open with: across one of the world's axes or free. A place p lies on it where the product
 * of p with the `normal` is `place`; what is beyond is cut off, or what is before where it is flipped. Event: `change`.
 */
export class ClipPlane extends EventTarget {
  #on = false;
  #across = 'x';
  #places = { x: 0, y: 0, z: 0, free: 0 }; // m
  #flipped = false;
  #turn = 0; // rad, of the free one
  #tilt = 0;
  #centre = new THREE.Vector3();
  #radius = 1;
  /** For shaders. `tacHatch`: lines on the cut, for each metre. */
  uniforms = {
    tacClip: { value: new THREE.Vector4(...NOTHING) },
    tacHatch: { value: new THREE.Vector3() },
  };

  #hatch = 1;

  /** Makes it lie in the middle of a scene, off. @param {{centre: THREE.Vector3, radius: number, unit: number}} scene */
  reset({ centre, radius, unit }) {
    this.#centre.copy(centre);
    this.#radius = radius;
    this.#hatch = HATCH / unit;
    [this.#on, this.#across, this.#flipped, this.#turn, this.#tilt] = [false, 'x', false, 0, 0];
    for (const across of ACROSS) this.#places[across] = this.#normalOf(across).dot(centre);
    this.#changed();
  }

  get on() {
    return this.#on;
  }

  get across() {
    return this.#across;
  }

  get flipped() {
    return this.#flipped;
  }

  get turn() {
    return this.#turn;
  }

  get tilt() {
    return this.#tilt;
  }

  /** m, along the normal. */
  get place() {
    return this.#places[this.#across];
  }

  get normal() {
    return this.#normalOf(this.#across);
  }

  /** Where it may lie: [least, most], m. */
  get range() {
    const middle = this.normal.dot(this.#centre);
    return [middle - BEYOND * this.#radius, middle + BEYOND * this.#radius];
  }

  /** The place on it that is next to the middle of the scene. */
  get middle() {
    const { normal } = this;
    return this.#centre.clone().addScaledVector(normal, this.place - normal.dot(this.#centre));
  }

  /** All that there is to choose, for keeping. */
  get choice() {
    const { on, across, place, flipped, turn, tilt } = this;
    return { on, across, place, flipped, turn, tilt };
  }

  #normalOf(across) {
    return across === 'free' ? fromAngles(this.#turn, this.#tilt) : new THREE.Vector3(...AXES[across]);
  }

  /**
   * Changes some of it; what makes no sense is left as it was.
   * @param {{on?: boolean, across?: string, place?: number, flipped?: boolean, turn?: number, tilt?: number}} wanted
   */
  set({ on, across, place, flipped, turn, tilt }) {
    if (ACROSS.includes(across)) this.#across = across;
    const middle = this.middle;
    if (Number.isFinite(turn)) this.#turn = Math.atan2(Math.sin(turn), Math.cos(turn));
    if (Number.isFinite(tilt)) this.#tilt = Math.min(Math.max(tilt, -Math.PI / 2), Math.PI / 2);
    // A free one turns about its middle.
    if (this.#across === 'free') this.#places.free = this.normal.dot(middle);
    if (Number.isFinite(place)) {
      const [least, most] = this.range;
      this.#places[this.#across] = Math.min(Math.max(place, least), most);
    }
    if (typeof flipped === 'boolean') this.#flipped = flipped;
    if (typeof on === 'boolean') this.#on = on;
    this.#changed();
  }

  /** Lays a free one across a direction, so that what it points away from is cut off. @param {THREE.Vector3} direction */
  face(direction) {
    const { x, y, z } = direction.clone().normalize();
    const through = this.#across === 'free' ? this.middle : this.#centre.clone();
    this.#across = 'free';
    [this.#turn, this.#tilt] = [Math.atan2(y, x), Math.asin(Math.min(Math.max(z, -1), 1))];
    this.#places.free = this.normal.dot(through);
    this.#flipped = false;
    this.#changed();
  }

  /** Makes one of three's materials leave out what is cut off. */
  patch(material) {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      cutAway(shader);
    };
    return material;
  }

  #changed() {
    const { normal } = this;
    const side = this.#flipped ? 1 : -1;
    const { tacClip, tacHatch } = this.uniforms;
    if (this.#on) tacClip.value.set(side * normal.x, side * normal.y, side * normal.z, -side * this.place);
    else tacClip.value.set(...NOTHING);
    // Lines at 45 degrees to what is level in the plane.
    const level = Math.abs(normal.z) > 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 0, 1);
    const across = new THREE.Vector3().crossVectors(normal, level).normalize();
    const up = new THREE.Vector3().crossVectors(across, normal);
    tacHatch.value.addVectors(across, up).multiplyScalar(Math.SQRT1_2 * this.#hatch);
    this.dispatchEvent(new Event('change'));
  }
}
