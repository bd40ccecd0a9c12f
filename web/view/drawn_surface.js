import * as THREE from 'three';
import { LOOK, applyLook } from './body_look.js';
import { cutAway } from './clip_plane.js';

/**
 * Unique edges of triangles, two vertices each.
 * @param {Uint32Array} triangles
 * @param {number} count of vertices
 */
function uniqueEdges(triangles, count) {
  // Sorted into one bucket for each smaller vertex; buckets are short.
  const start = new Uint32Array(count + 1);
  const each = (use) => {
    for (let t = 0; t < triangles.length; t += 3) {
      for (let k = 0; k < 3; ++k) {
        const a = triangles[t + k];
        const b = triangles[t + ((k + 1) % 3)];
        if (a !== b) use(Math.min(a, b), Math.max(a, b));
      }
    }
  };
  each((a) => {
    ++start[a + 1];
  });
  for (let i = 0; i < count; ++i) start[i + 1] += start[i];
  const ends = new Uint32Array(start[count]);
  const filled = new Uint32Array(count);
  each((a, b) => {
    const from = start[a];
    for (let k = 0; k < filled[a]; ++k) if (ends[from + k] === b) return;
    ends[from + filled[a]++] = b;
  });
  const edges = new Uint32Array(2 * filled.reduce((sum, n) => sum + n, 0));
  let at = 0;
  for (let a = 0; a < count; ++a) {
    for (let k = 0; k < filled[a]; ++k) {
      edges[at++] = a;
      edges[at++] = ends[start[a] + k];
    }
  }
  return edges;
}

/** The same vertices, to be drawn as often or another number of times, with another index or the same. */
function shared(geometry, { index = geometry.index, times = geometry.instanceCount } = {}) {
  const made = geometry.isInstancedBufferGeometry ? new THREE.InstancedBufferGeometry() : new THREE.BufferGeometry();
  for (const [name, attribute] of Object.entries(geometry.attributes)) made.setAttribute(name, attribute);
  made.setIndex(index);
  if (made.isInstancedBufferGeometry) made.instanceCount = times;
  return made;
}

/**
 * Surfaces of bodies on the graphics card, shared by all that draws them. What extends it has `geometry`, `count` (of
 * vertices), `message` with `triangles`, and
 * - `deformation`, shader code with tacDeform(), which sets tacAt and tacNormal, the same at rest where the body is
 *   (tacHome, tacHomeNormal), its number (tacBody) and its colour (tacColour), and the value tacFieldValue of a field of
 *   the kind tacFieldKind (0: there is none), and of a mode of loads tacLoad: its value, 0.5 standing for zero, and 1
 *   where a load acts, else 0; with the uniforms `uniforms`; `kind` names it;
 * - `bodies`, their numbers, `index`, the first of them, and `places`, where they are at the start (matrices for what
 *   the message has); `frameOf(body)`, the same now;
 * - `radius` of one body, m; `largest`, the largest displacement, m; `coarse`, whether it is drawn without shadows;
 * - `displacement(body, vertex, into)`, of a vertex as it is shown, in the body's frame, m;
 * - `field(name, body, vertex)`, the value of a field (a name of FIELD) at a vertex, SI units; null: it has not come.
 */
export class DrawnSurface {
  #edges = null;
  #one = null;
  /** The largest values of the fields that came: Pa, and of stretch a number. */
  fieldScale = { stress: 0, stretch: 0, pressure: 0 };
  /** What the bodies may be coloured by, as the state says. @type {Set<string>} */
  colours = new Set();

  /** The same vertices with the unique edges of the triangles as lines. */
  get edges() {
    this.#edges ??= shared(this.geometry, {
      index: new THREE.BufferAttribute(uniqueEdges(this.message.triangles, this.count), 1),
    });
    return this.#edges;
  }

  /** What draws one of the bodies alone. @returns {{geometry: THREE.BufferGeometry, uniforms: object}} */
  alone(body) {
    if (!this.geometry.isInstancedBufferGeometry) return { geometry: this.geometry, uniforms: this.uniforms };
    this.#one ??= shared(this.geometry, { times: 1 });
    return { geometry: this.#one, uniforms: { ...this.uniforms, tacFirst: { value: this.bodies.indexOf(body) } } };
  }

  /**
   * Makes one of three's materials draw the bodies as they are deformed.
   * @param {THREE.Material} material
   * @param {string} [key] names what `more` does, for the cache of programs
   * @param {(shader: object) => void} [more] changes the shader further
   */
  patch(material, key = '', more = null) {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = `${this.deformation}\n${LOOK}\n${shader.vertexShader}`
        .replace('void main() {', 'void main() {\ntacDeform();')
        .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = tacNormal;')
        .replace('#include <begin_vertex>', 'vec3 transformed = tacAt;');
      applyLook(shader);
      cutAway(shader);
      more?.(shader);
    };
    material.customProgramCacheKey = () => `${this.shown} ${key}`;
    return material;
  }

  /** From the frame of the message to the world, now. @returns {THREE.Matrix4} */
  frameOf(body) {
    return this.places[this.bodies.indexOf(body)].clone();
  }

  /**
   * Where vertices of a body are, in the world.
   * @param {number} body
   * @param {{deformed?: boolean, frame?: THREE.Matrix4}} [options] undeformed where the body is, or elsewhere
   * @returns {(vertex: number, into: THREE.Vector3) => THREE.Vector3}
   */
  placesOf(body, { deformed = true, frame = this.frameOf(body) } = {}) {
    const { rest } = this.message;
    const moved = new THREE.Vector3();
    return (vertex, into) => {
      into.fromArray(rest, 3 * vertex);
      if (deformed) into.add(this.displacement(body, vertex, moved));
      return into.applyMatrix4(frame);
    };
  }

  dispose() {
    this.geometry.dispose();
    this.#edges?.dispose();
    this.#one?.dispose();
  }
}
