import * as THREE from 'three';
import { handy, number } from '../../text/quantity.js';
import { ASK } from '../../protocol/protocol.js';
import { FieldQuestion } from '../field_question.js';
import { registerLayer } from '../layers.js';

const INK = 0x2fb6c9;

const VERTEX = /* glsl */ `
varying vec3 seen;
varying vec3 facing;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  seen = at.xyz;
  facing = normalMatrix * normal;
  gl_Position = projectionMatrix * at;
}`;

// Clear where one looks straight at it, so that one sees how far from the body it is.
const FRAGMENT = /* glsl */ `
varying vec3 seen;
varying vec3 facing;
uniform vec3 colour;
void main() {
  float towards = dot(normalize(facing), -normalize(seen));
  float rim = 1.0 - abs(towards);
  gl_FragColor = vec4(colour * (0.75 + 0.25 * towards), 0.2 + 0.65 * rim * rim);
  #include <colorspace_fragment>
}`;

/** The surface on which a body's distance field has a value, in the body's frame. */
class IsosurfaceLayer {
  #question;
  #body = -1;
  #value = 0; // m
  #message = null;

  constructor(view) {
    this.view = view;
    this.#question = new FieldQuestion(view);
    const { bodies, pairs } = view.world;
    const having = bodies.map((body, index) => [index, body.name]).filter(([index]) => bodies[index].field);
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { colour: { value: new THREE.Color(INK) } },
      transparent: true,
      side: THREE.DoubleSide,
      depthWrite: false,
    });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.renderOrder = 4;
    this.object = new THREE.Group().add(this.mesh);
    if (having.length > 0) this.#choose(pairs?.[0]?.field ?? having[0][0]);
    this.settings = [
      { label: 'Field of', options: having, get: () => this.#body, set: (body) => this.#choose(+body) },
      {
        label: 'Value',
        range: () => this.#extent(),
        text: (value) => `${number(1000 * value)} mm`,
        get: () => this.#value,
        set: (value) => {
          this.#value = value;
          this.#ask();
        },
      },
    ];
  }

  get #size() {
    const field = this.view.world.bodies[this.#body]?.field;
    return field ? Math.max(...[0, 1, 2].map((k) => field.upper[k] - field.lower[k])) : 1;
  }

  #extent() {
    return [-0.06 * this.#size, 0.12 * this.#size];
  }

  #choose(body) {
    this.#body = body;
    this.#value = 0.03 * this.#size;
    this.#ask();
  }

  #ask() {
    if (!this.view.shows('isosurface')) return;
    this.#question.ask({ body: this.#body, what: ASK.isosurface, value: this.#value });
  }

  available(scene) {
    return scene.bodies.some((body) => body.field) || 'no body of this scene has a distance field';
  }

  /** @param {import('../../protocol/shapes.js').Isosurface} message */
  isosurface(message) {
    if (!this.#question.takes(message)) return;
    this.#message = message;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(message.rest, 3));
    geometry.setIndex(new THREE.BufferAttribute(message.triangles, 1));
    geometry.computeVertexNormals();
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.mesh.visible = message.triangles.length > 0;
    this.#place();
    this.#updateLegend();
    this.view.invalidate();
  }

  #place() {
    const { body } = this.#message;
    const frame = this.view.surface(body)?.frameOf(body);
    if (frame) this.mesh.matrix.copy(frame);
  }

  frame() {
    this.#question.moved();
    this.#ask();
    if (this.#message) this.#place();
  }

  update(dt) {
    this.#question.pass(dt);
    return false;
  }

  #updateLegend() {
    if (!this.#message || !this.view.shows('isosurface')) {
      this.view.legend('isosurface', null);
      return;
    }
    const { value, spacing, triangles } = this.#message;
    const [far, fine] = [handy('m', value), handy('m', spacing)];
    const text =
      triangles.length > 0
        ? `samples every ${number(spacing * fine.factor, 2)} ${fine.unit}`
        : 'the field does not reach this value';
    const label = `Field = ${number(value * far.factor)} ${far.unit}`;
    this.view.legend('isosurface', { label, swatches: [{ colour: `#${INK.toString(16)}`, text }] });
  }

  theme() {
    this.#ask();
    this.#updateLegend();
  }

  dispose() {
    this.view.legend('isosurface', null);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

registerLayer({
  id: 'isosurface',
  label: 'Isosurface of a field',
  hint: 'The surface on which the distance has the chosen value',
  enabled: false,
  create: (view) => new IsosurfaceLayer(view),
});
