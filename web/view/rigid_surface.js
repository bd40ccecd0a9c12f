import * as THREE from 'three';
import { DrawnSurface } from './drawn_surface.js';
import { BODY_COLOURS } from './palette.js';

const MANY = 50000; // vertices, above which the processor draws no shadows of them

const DEFORM = /* glsl */ `
uniform vec3 tacPlace;
uniform vec4 tacTurned; // x, y, z, w
uniform float tacNumber;
uniform vec3 tacPaint;
const float pressure = 0.0;
const float tacFieldValue = 0.0;
const int tacFieldKind = 0;
const float tacPressure = 0.0;
const vec2 tacLoad = vec2(0.5, 0.0);
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
  tacBody = tacNumber;
  tacColour = tacPaint;
  tacAt = tacHome = tacPlace + tacTurn(tacTurned, position);
  tacNormal = tacHomeNormal = tacTurn(tacTurned, normal);
}
`;

/** The surface of a rigid body: where it is comes with the frames, while a tool holds it. */
export class RigidSurface extends DrawnSurface {
  /**
   * @param {import('../protocol/shapes.js').Rigid} message
   * @param {{physical: boolean}} quality
   */
  constructor(message, quality) {
    super();
    const none = new Uint32Array(0);
    this.index = message.body;
    this.shown = 'rigid';
    this.bodies = [message.body];
    this.message = { ...message, fixed: none, edges: none, volume: new Float32Array(0) };
    this.count = message.rest.length / 3;
    this.largest = 0;
    this.uniforms = {
      tacPlace: { value: new THREE.Vector3() },
      tacTurned: { value: new THREE.Quaternion() },
      tacNumber: { value: message.body },
      tacPaint: { value: new THREE.Color(BODY_COLOURS[message.body % BODY_COLOURS.length]) },
    };
    this.setPose(message.pose);
    this.places = [this.frameOf(message.body)];
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute('position', new THREE.BufferAttribute(message.rest, 3));
    this.geometry.setIndex(new THREE.BufferAttribute(message.triangles, 1));
    this.geometry.computeVertexNormals();
    this.geometry.computeBoundingBox();
    this.radius = 0.5 * this.geometry.boundingBox.getSize(new THREE.Vector3()).length(); // m
    this.coarse = !quality.physical && this.count > MANY;
  }

  get deformation() {
    return DEFORM;
  }

  /** @param {Float32Array} pose position x, y, z (m), orientation w, x, y, z */
  setPose([x, y, z, w, i, j, k]) {
    this.uniforms.tacPlace.value.set(x, y, z);
    this.uniforms.tacTurned.value.set(i, j, k, w).normalize();
  }

  displacement(body, vertex, into) {
    return into.set(0, 0, 0);
  }

  field() {
    return null;
  }

  frameOf() {
    const { tacPlace, tacTurned } = this.uniforms;
    return new THREE.Matrix4().makeRotationFromQuaternion(tacTurned.value).setPosition(tacPlace.value);
  }
}
