import * as THREE from 'three';
import { FIELD } from '../protocol/protocol.js';
import { DrawnSurface } from './drawn_surface.js';
import { BODY_COLOURS } from './palette.js';

/** `moved` is a vertex of a frame as it came: three displacements and, in one number, the bytes of its normal. */
const DEFORM = /* glsl */ `
attribute ivec4 moved;
attribute float field;
attribute float pressure;
uniform float tacMoved;   // m for each step of a displacement
uniform float tacDecoded; // 1 where the normals of frames are there
uniform float tacField;   // scale of the field, which is
uniform int tacFieldKind; // one of FIELD: stress or stretch
uniform float tacPressure;
uniform float tacNumber;
uniform vec3 tacPaint;
const vec2 tacLoad = vec2(0.5, 0.0);
float tacFieldValue;
vec3 tacAt;
vec3 tacNormal;
vec3 tacHome;
vec3 tacHomeNormal;
vec3 tacColour;
float tacBody;

vec3 tacOctahedral(int bytes) {
  vec2 n = vec2(float((bytes << 24) >> 24), float(bytes >> 8)) / 127.0;
  float z = 1.0 - abs(n.x) - abs(n.y);
  float under = max(-z, 0.0);
  n += vec2(n.x >= 0.0 ? -under : under, n.y >= 0.0 ? -under : under);
  return normalize(vec3(n, z));
}

void tacDeform() {
  tacBody = tacNumber;
  tacFieldValue = field * tacField;
  tacColour = tacPaint;
  tacHome = position;
  tacHomeNormal = normal;
  tacAt = position + tacMoved * vec3(moved.xyz);
  // Bytes are coarse, by about a degree: where the surface turns by less, its normal at rest is better and steady.
  vec3 turned = tacOctahedral(moved.w);
  tacNormal = normalize(mix(normal, turned, tacDecoded * smoothstep(0.015, 0.06, length(turned - normal))));
}
`;

/** The surface of a body whose displaced vertices come with the frames. */
export class BodySurface extends DrawnSurface {
  #largest = { steps: 0, of: null, time: -Infinity };

  /** @param {import('../protocol/shapes.js').Body} message */
  constructor(message) {
    super();
    this.index = message.body;
    this.shown = 'vertices';
    this.bodies = [message.body];
    this.places = [new THREE.Matrix4()];
    this.message = message;
    this.count = message.rest.length / 3;
    this.scale = 0; // m: the largest component of a displacement

    const moved = new THREE.BufferAttribute(new Int16Array(4 * this.count), 4);
    moved.gpuType = THREE.IntType;
    const values = () =>
      new THREE.BufferAttribute(new Uint16Array(this.count), 1, true).setUsage(THREE.DynamicDrawUsage);
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute('position', new THREE.BufferAttribute(message.rest, 3));
    this.geometry.setIndex(new THREE.BufferAttribute(message.triangles, 1));
    this.geometry.computeVertexNormals();
    this.geometry.computeBoundingBox();
    this.radius = 0.5 * this.geometry.boundingBox.getSize(new THREE.Vector3()).length(); // m
    this.geometry.setAttribute('moved', moved.setUsage(THREE.DynamicDrawUsage));
    this.geometry.setAttribute('field', values());
    this.geometry.setAttribute('pressure', values());
    this.uniforms = {
      tacMoved: { value: 0 },
      tacDecoded: { value: 0 },
      tacField: { value: 0 },
      tacFieldKind: { value: 0 },
      tacPressure: { value: 0 },
      tacNumber: { value: message.body },
      tacPaint: { value: new THREE.Color(BODY_COLOURS[message.body % BODY_COLOURS.length]) },
    };
  }

  get deformation() {
    return DEFORM;
  }

  /** The largest displacement, m. Large bodies are looked through ten times a second at most. */
  get largest() {
    const { array } = this.geometry.attributes.moved;
    const now = performance.now();
    if (array !== this.#largest.of && (this.count < 10000 || now - this.#largest.time > 100)) {
      let most = 0;
      for (let i = 0; i < array.length; i += 4) {
        const x = array[i] >> 2; // so that the sum of squares is a small integer
        const y = array[i + 1] >> 2;
        const z = array[i + 2] >> 2;
        const sum = (x * x + y * y + z * z) | 0;
        if (sum > most) most = sum;
      }
      this.#largest = { steps: 4 * Math.sqrt(most), of: array, time: now };
    }
    return this.#largest.steps * this.uniforms.tacMoved.value;
  }

  /**
   * The bytes go to the graphics card as they came.
   * @param {import('../protocol/frame.js').Surface} surface
   */
  setSurface(surface) {
    if (surface.count !== this.count) return;
    this.#upload('moved', surface.values);
    this.scale = surface.scale;
    this.uniforms.tacMoved.value = surface.scale / 32767;
    this.uniforms.tacDecoded.value = 1;
  }

  displacement(body, vertex, into) {
    const { array } = this.geometry.attributes.moved;
    const step = this.uniforms.tacMoved.value;
    return into.set(array[4 * vertex], array[4 * vertex + 1], array[4 * vertex + 2]).multiplyScalar(step);
  }

  field(name, body, vertex) {
    const { tacField, tacFieldKind, tacPressure } = this.uniforms;
    const pressed = name === 'pressure';
    if (!pressed && tacFieldKind.value !== FIELD[name]) return null;
    const { array } = this.geometry.attributes[pressed ? 'pressure' : 'field'];
    return ((pressed ? tacPressure : tacField).value * array[vertex]) / 65535;
  }

  /**
   * @param {'stress'|'stretch'|'pressure'} name
   * @param {import('../protocol/frame.js').Field} field
   */
  setField(name, field) {
    if (field.values.length !== this.count) return;
    const shown = name === 'pressure' ? 'pressure' : 'field';
    this.#upload(shown, field.values);
    this.uniforms[shown === 'field' ? 'tacField' : 'tacPressure'].value = field.scale;
    if (shown === 'field') this.uniforms.tacFieldKind.value = field.kind;
    this.fieldScale[name] = field.scale;
  }

  #upload(name, values) {
    const attribute = this.geometry.attributes[name];
    attribute.array = values;
    attribute.needsUpdate = true;
  }
}
