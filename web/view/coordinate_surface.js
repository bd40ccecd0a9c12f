import * as THREE from 'three';
import { FIELD } from '../protocol/protocol.js';
import { NO_LOAD } from '../protocol/shapes.js';
import { DrawnSurface } from './drawn_surface.js';
import { BODY_COLOURS } from './palette.js';

const WIDEST = 4096; // pixels of a texture
const STEPS = 32767;
const WATCHED = 4000; // vertices whose displacements are looked at, of all bodies together
const FIELD_WIDTH = 1024; // values in a row of the fields' texture; a power of two
const MANY = 50000; // vertices, above which the processor draws no shadows of them

/**
 * u = U q and the normal N + dN q. A texel of the basis holds six numbers of 16 bits for a vertex and a coordinate;
 * a row of the state holds a body's coordinates, in steps of each (x, y) and over 32767 (z), then place and number,
 * orientation, colour and the scale of its field.
 */
const DEFORM = /* glsl */ `
uniform highp usampler2D tacBasis;
uniform highp sampler2D tacState;
uniform int tacSize;   // coordinates, r
uniform int tacShift;  // a row of the basis has 2^tacShift vertices
uniform int tacFirst;  // body that is drawn first
uniform highp usampler2D tacFields; // of stress or stretch, all vertices of a body after those of another
uniform int tacFieldKind;
uniform int tacVertices;
uniform highp isampler2D tacLoads; // a mode of loads, in steps
const float pressure = 0.0;
const float tacPressure = 0.0;
float tacFieldValue;
vec2 tacLoad;
vec3 tacAt;
vec3 tacNormal;
vec3 tacHome;
vec3 tacHomeNormal;
vec3 tacColour;
float tacBody;

vec3 tacTurn(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void tacDeform() {
  int row = gl_InstanceID + tacFirst;
  // Without a division: that of integers has brought a driver down.
  ivec2 at = ivec2((gl_VertexID & ((1 << tacShift) - 1)) * tacSize, gl_VertexID >> tacShift);
  vec3 u = vec3(0.0);
  vec3 n = normal;
  for (int j = 0; j < tacSize; ++j) {
    uvec3 both = texelFetch(tacBasis, ivec2(at.x + j, at.y), 0).xyz;
    vec2 q = texelFetch(tacState, ivec2(j, row), 0).xy;
    ivec3 low = ivec3(both << 16u) >> 16;
    ivec3 high = ivec3(both) >> 16;
    u += q.x * vec3(ivec3(low.x, high.x, low.y));
    n += q.y * vec3(ivec3(high.y, low.z, high.z));
  }
  vec4 place = texelFetch(tacState, ivec2(tacSize, row), 0);
  vec4 turn = texelFetch(tacState, ivec2(tacSize + 1, row), 0);
  vec4 paint = texelFetch(tacState, ivec2(tacSize + 2, row), 0);
  tacColour = paint.rgb;
  tacFieldValue = 0.0;
  if (tacFieldKind > 0) {
    int value = row * tacVertices + gl_VertexID;
    ivec2 from = ivec2(value & ${FIELD_WIDTH - 1}, value >> ${Math.log2(FIELD_WIDTH)});
    tacFieldValue = paint.a * float(texelFetch(tacFields, from, 0).x) / 65535.0;
  }
  int load = texelFetch(tacLoads, ivec2(gl_VertexID & ${FIELD_WIDTH - 1}, gl_VertexID >> ${Math.log2(FIELD_WIDTH)}), 0).x;
  tacLoad = load == ${NO_LOAD} ? vec2(0.5, 0.0) : vec2(0.5 + float(load) / ${2 * STEPS}.0, 1.0);
  tacBody = place.w;
  tacHome = place.xyz + tacTurn(turn, position);
  tacHomeNormal = tacTurn(turn, normal);
  tacAt = tacHome + tacTurn(turn, u);
  float size = length(n);
  tacNormal = size > 1e-6 ? tacTurn(turn, n / size) : tacHomeNormal;
}
`;

/** A texture that shaders read number by number. */
export function table(values, width, height, format, type, internal) {
  const texture = new THREE.DataTexture(values, width, height, format, type);
  texture.internalFormat = internal;
  texture.minFilter = texture.magFilter = THREE.NearestFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return texture;
}

/** @param {number} count of values */
function fieldTexture(count) {
  const rows = Math.ceil(count / FIELD_WIDTH);
  const values = new Uint16Array(FIELD_WIDTH * rows);
  return table(values, FIELD_WIDTH, rows, THREE.RedIntegerFormat, THREE.UnsignedShortType, 'R16UI');
}

/** A mode of loads at all vertices; none acts beyond the values. @param {Int16Array} values */
function loadTexture(values) {
  const rows = Math.max(1, Math.ceil(values.length / FIELD_WIDTH));
  const steps = new Int16Array(FIELD_WIDTH * rows).fill(NO_LOAD);
  steps.set(values);
  return table(steps, FIELD_WIDTH, rows, THREE.RedIntegerFormat, THREE.ShortType, 'R16I');
}

/** The surface of bodies that share a basis: the graphics card has it, and frames bring coordinates. */
export class CoordinateSurface extends DrawnSurface {
  #state;
  #values; // of the state's texture
  #q; // of all bodies, in steps of 1: what the last frame said
  #basis; // Int16Array, as it came
  #watched = null; // vertices
  #largest = null;
  #scales = []; // of the bodies' fields
  #shape = null; // coordinates of a shape that is shown instead; null: the simulation
  #phase = 0;
  #moved = new THREE.Vector3();
  /** Of bodies that know their answer to some loads alone. @type {import('../protocol/shapes.js').LoadModes|null} */
  loadModes = null;

  /**
   * @param {import('../protocol/shapes.js').Model} message
   * @param {{physical: boolean}} quality
   */
  constructor(message, quality) {
    super();
    this.shown = 'coordinates';
    this.message = message;
    this.model = message.model;
    this.bodies = [...message.bodies];
    this.index = this.bodies[0];
    this.count = message.rest.length / 3;
    this.size = message.size; // r
    this.places = this.bodies.map((_, i) => {
      const [w, x, y, z] = message.poses.subarray(7 * i + 3, 7 * i + 7);
      const turn = new THREE.Quaternion(x, y, z, w);
      const at = message.poses.subarray(7 * i, 7 * i + 3);
      return new THREE.Matrix4().makeRotationFromQuaternion(turn).setPosition(...at);
    });
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.instanceCount = this.bodies.length;
    this.geometry.setAttribute('position', new THREE.BufferAttribute(message.rest, 3));
    this.geometry.setAttribute('normal', new THREE.BufferAttribute(message.normals, 3));
    this.geometry.setIndex(new THREE.BufferAttribute(message.triangles, 1));
    this.geometry.computeBoundingBox();
    this.radius = 0.5 * this.geometry.boundingBox.getSize(new THREE.Vector3()).length(); // m
    this.coarse = !quality.physical && this.count * this.bodies.length > MANY;
    const shift = Math.floor(Math.log2(WIDEST / this.size));
    this.uniforms = {
      tacBasis: { value: this.#basisTexture(2 ** shift) },
      tacState: { value: this.#stateTexture() },
      tacSize: { value: this.size },
      tacShift: { value: shift },
      tacFirst: { value: 0 },
      tacFields: { value: fieldTexture(FIELD_WIDTH) }, // none yet
      tacFieldKind: { value: 0 },
      tacVertices: { value: this.count },
      tacLoads: { value: loadTexture(new Int16Array(0)) },
    };
  }

  get deformation() {
    return DEFORM;
  }

  /** @param {number} across vertices in a row */
  #basisTexture(across) {
    this.#basis = this.message.basis;
    const [width, height] = [across * this.size, Math.ceil(this.count / across)];
    const values = new Uint32Array(4 * width * height);
    const words = new Uint32Array(this.#basis.buffer, this.#basis.byteOffset, this.#basis.length / 2);
    for (let from = 0, to = 0; from < words.length; from += 3, to += 4) {
      values[to] = words[from];
      values[to + 1] = words[from + 1];
      values[to + 2] = words[from + 2];
    }
    return table(values, width, height, THREE.RGBAIntegerFormat, THREE.UnsignedIntType, 'RGBA32UI');
  }

  #stateTexture() {
    const width = this.size + 3;
    this.#values = new Float32Array(4 * width * this.bodies.length);
    this.#q = new Float32Array(this.size * this.bodies.length);
    const colour = new THREE.Color();
    this.bodies.forEach((body, i) => {
      this.#place(i, this.message.poses, 7 * i);
      const at = 4 * (width * i + this.size);
      this.#values[at + 3] = body;
      colour.set(BODY_COLOURS[body % BODY_COLOURS.length]).toArray(this.#values, at + 8);
    });
    this.#state = table(this.#values, width, this.bodies.length, THREE.RGBAFormat, THREE.FloatType, 'RGBA32F');
    return this.#state;
  }

  /** Position x, y, z and orientation w, x, y, z of a body. */
  #place(i, from, at) {
    const to = 4 * ((this.size + 3) * i + this.size);
    for (let k = 0; k < 3; ++k) this.#values[to + k] = from[at + k];
    for (let k = 0; k < 4; ++k) this.#values[to + 4 + k] = from[at + 3 + ((k + 1) % 4)];
  }

  frameOf(body) {
    const at = 4 * ((this.size + 3) * this.bodies.indexOf(body) + this.size);
    const turn = new THREE.Quaternion().fromArray(this.#values, at + 4);
    return new THREE.Matrix4().makeRotationFromQuaternion(turn).setPosition(...this.#values.subarray(at, at + 3));
  }

  /** @param {import('../protocol/frame.js').Coordinates} coordinates of a frame */
  setCoordinates({ count, size, poses, values }) {
    if (count !== this.bodies.length || size !== this.size) return;
    const stride = size + (poses ? 7 : 0);
    for (let i = 0; i < count; ++i) {
      for (let j = 0; j < size; ++j) this.#q[size * i + j] = values[stride * i + j];
      if (poses) this.#place(i, values, stride * i + size);
    }
    this.#uploadValues();
  }

  /**
   * @param {'stress'|'stretch'} name
   * @param {import('../protocol/frame.js').Field} field of one of the bodies
   */
  setField(name, { body, kind, scale, values }) {
    const i = this.bodies.indexOf(body);
    if (i < 0 || values.length !== this.count) return;
    const { tacFields, tacFieldKind } = this.uniforms;
    const all = this.count * this.bodies.length;
    if (tacFields.value.image.data.length < all) {
      tacFields.value.dispose();
      tacFields.value = fieldTexture(all);
    }
    tacFields.value.image.data.set(values, this.count * i);
    tacFields.value.needsUpdate = true;
    tacFieldKind.value = kind;
    this.#values[4 * ((this.size + 3) * i + this.size + 2) + 3] = scale;
    this.#scales[i] = scale;
    this.fieldScale[name] = Math.max(...this.#scales);
    this.#state.needsUpdate = true;
  }

  /** @param {import('../protocol/shapes.js').LoadModes} message */
  setLoadModes(message) {
    if (message.count === this.count && message.scales.length <= this.size) this.loadModes = message;
  }

  /**
   * Lets the colours of loads be those of a mode. @param {number} mode
   * @returns {number|null} m: how far the load moves what the mode moves most, at the most; null: nothing is known
   */
  showLoads(mode) {
    const { scales, values } = this.loadModes ?? { scales: [] };
    if (!(mode < scales.length)) return null;
    this.uniforms.tacLoads.value.dispose();
    this.uniforms.tacLoads.value = loadTexture(values.subarray(mode * this.count, (mode + 1) * this.count));
    const unit = new Float32Array(this.size);
    unit[mode] = scales[mode];
    return this.extent(unit);
  }

  /**
   * Shows a shape instead of the simulation, as it swings; null: the simulation again.
   * @param {Float32Array|null} coordinates at its largest
   */
  set shape(coordinates) {
    this.#shape = coordinates;
    this.#uploadValues();
  }

  /** @param {number} phase -1 to 1: how far it has swung */
  swing(phase) {
    this.#phase = phase;
    this.#uploadValues();
  }

  /** The coordinate j of a body as it is shown. */
  #coordinate(i, j) {
    return this.#shape ? this.#phase * this.#shape[j] : this.#q[this.size * i + j];
  }

  #uploadValues() {
    const { scales } = this.message;
    const width = this.size + 3;
    for (let i = 0; i < this.bodies.length; ++i) {
      for (let j = 0; j < this.size; ++j) {
        const q = this.#coordinate(i, j) / STEPS;
        this.#values[4 * (width * i + j)] = q * scales[j];
        this.#values[4 * (width * i + j) + 1] = q * scales[this.size + j];
        this.#values[4 * (width * i + j) + 2] = q;
      }
    }
    this.#state.needsUpdate = true;
    this.#largest = null;
  }

  displacement(body, vertex, into) {
    const i = this.bodies.indexOf(body);
    return this.#move(vertex, (j) => this.#coordinate(i, j), into);
  }

  field(name, body, vertex) {
    const { tacFields, tacFieldKind } = this.uniforms;
    const i = this.bodies.indexOf(body);
    if (tacFieldKind.value !== FIELD[name] || !(this.#scales[i] > 0)) return null;
    return (this.#scales[i] * tacFields.value.image.data[this.count * i + vertex]) / 65535;
  }

  /** The displacement of a vertex under coordinates, m. @param {(j: number) => number} q */
  #move(vertex, q, into) {
    const { scales } = this.message;
    let [x, y, z] = [0, 0, 0];
    for (let j = 0; j < this.size; ++j) {
      const at = 6 * (vertex * this.size + j);
      const factor = (q(j) * scales[j]) / STEPS;
      x += factor * this.#basis[at];
      y += factor * this.#basis[at + 1];
      z += factor * this.#basis[at + 2];
    }
    return into.set(x, y, z);
  }

  /** How far a vertex goes under coordinates, m. */
  #displacement(vertex, q) {
    return this.#move(vertex, q, this.#moved).length();
  }

  /** The largest displacement of any vertex under some coordinates, m. @param {ArrayLike<number>} q */
  extent(q) {
    let most = 0;
    for (let v = 0; v < this.count; ++v) most = Math.max(most, this.#displacement(v, (j) => q[j]));
    return most;
  }

  /** The largest displacement of any body, m; of many vertices some are looked at, those that move most among them. */
  get largest() {
    if (this.#largest === null) {
      this.#watched ??= this.#choose();
      this.#largest = 0;
      for (let i = 0; i < (this.#shape ? 1 : this.bodies.length); ++i) {
        const q = (j) => this.#coordinate(i, j);
        for (const v of this.#watched) this.#largest = Math.max(this.#largest, this.#displacement(v, q));
      }
    }
    return this.#largest;
  }

  #choose() {
    const step = Math.max(1, Math.ceil((this.count * this.bodies.length) / WATCHED));
    const chosen = new Set();
    for (let v = 0; v < this.count; v += step) chosen.add(v);
    for (let j = 0; step > 1 && j < this.size; ++j) {
      let [most, best] = [-1, 0];
      for (let v = 0; v < this.count; ++v) {
        const at = 6 * (v * this.size + j);
        const length = Math.hypot(this.#basis[at], this.#basis[at + 1], this.#basis[at + 2]);
        if (length > most) [most, best] = [length, v];
      }
      chosen.add(best);
    }
    return chosen;
  }

  dispose() {
    super.dispose();
    this.uniforms.tacBasis.value.dispose();
    this.uniforms.tacFields.value.dispose();
    this.uniforms.tacLoads.value.dispose();
    this.#state.dispose();
  }
}
