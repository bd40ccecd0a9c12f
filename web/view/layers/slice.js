import * as THREE from 'three';
import { handy, number } from '../../text/quantity.js';
import { FieldQuestion } from '../field_question.js';
import { registerLayer } from '../layers.js';
import { table } from '../coordinate_surface.js';
import { roundUp } from '../steady_scale.js';

const AXES = ['x', 'y', 'z'];
const INSIDE = [0x9cc9ef, 0x1f4fa8]; // from the surface inwards
const OUTSIDE = [0xf6e2c0, 0xc2611f];

const VERTEX = /* glsl */ `
varying vec2 at; // samples
uniform vec2 size;
void main() {
  at = position.xy * (size - 1.0);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = /* glsl */ `
varying vec2 at;
uniform highp sampler2D values; // m
uniform vec2 size;
uniform float most;  // m, at which colours end
uniform float step;  // m, between lines
uniform vec3 inside[2];
uniform vec3 outside[2];
float sampleAt(ivec2 node) {
  return texelFetch(values, node, 0).x;
}
void main() {
  // Bilinear between the samples: the same as the field itself.
  vec2 x = clamp(at, vec2(0.0), size - 1.0);
  ivec2 node = min(ivec2(x), ivec2(size) - 2);
  vec2 f = x - vec2(node);
  float below = mix(sampleAt(node), sampleAt(node + ivec2(1, 0)), f.x);
  float above = mix(sampleAt(node + ivec2(0, 1)), sampleAt(node + ivec2(1, 1)), f.x);
  float value = mix(below, above, f.y);
  float share = sqrt(clamp(abs(value) / most, 0.0, 1.0));
  vec3 colour = value < 0.0 ? mix(inside[0], inside[1], share) : mix(outside[0], outside[1], share);
  float wide = max(fwidth(value), 1e-9);
  float lines = value / step;
  float line = 1.0 - smoothstep(0.5, 1.4, abs(fract(lines - 0.5) - 0.5) * step / wide);
  line *= 1.0 - smoothstep(0.2, 0.45, wide / step);
  float zero = 1.0 - smoothstep(1.2, 2.2, abs(value) / wide);
  colour = mix(colour, colour * 0.35, 0.85 * line * (1.0 - zero));
  colour = mix(colour, vec3(0.015, 0.02, 0.03), zero);
  float alpha = value < 0.0 ? 0.92 : mix(0.8, 0.3, share);
  gl_FragColor = vec4(colour, max(alpha, zero));
  #include <colorspace_fragment>
}`;

/** A plane through a body's distance field, in the body's frame. */
class SliceLayer {
  #question;
  #body = -1;
  #axis = 0;
  #place = 0; // m
  #message = null;
  #uniforms = {
    values: { value: null },
    size: { value: new THREE.Vector2(2, 2) },
    most: { value: 1 },
    step: { value: 1 },
    inside: { value: INSIDE.map((colour) => new THREE.Color(colour)) },
    outside: { value: OUTSIDE.map((colour) => new THREE.Color(colour)) },
  };

  constructor(view) {
    this.view = view;
    this.#question = new FieldQuestion(view);
    const { bodies, pairs } = view.world;
    const having = bodies.map((body, index) => [index, body.name]).filter(([index]) => bodies[index].field);
    const geometry = new THREE.PlaneGeometry(1, 1).translate(0.5, 0.5, 0);
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: this.#uniforms,
      side: THREE.DoubleSide,
      transparent: true,
      depthWrite: false,
    });
    this.plane = new THREE.Mesh(geometry, material);
    this.plane.matrixAutoUpdate = false;
    this.plane.frustumCulled = false;
    this.plane.visible = false;
    this.plane.renderOrder = 3;
    this.object = new THREE.Group().add(this.plane);
    if (having.length > 0) this.#put(pairs?.[0]?.field ?? having[0][0], 1);
    this.settings = [
      { label: 'Field of', options: having, get: () => this.#body, set: (body) => this.#choose(+body, this.#axis) },
      {
        label: 'Across',
        options: AXES.map((name, axis) => [axis, name]),
        get: () => this.#axis,
        set: (axis) => this.#choose(this.#body, +axis),
      },
      {
        label: 'Position',
        range: () => this.#extent(),
        text: (value) => `${number(1000 * value)} mm`,
        get: () => this.#place,
        set: (place) => {
          this.#place = place;
          this.#ask();
        },
      },
    ];
  }

  clears({ bodies }) {
    return bodies.includes(this.#body);
  }

  #extent() {
    const field = this.view.world.bodies[this.#body]?.field;
    return field ? [field.lower[this.#axis], field.upper[this.#axis]] : [0, 1];
  }

  /** In the middle of a field. */
  #put(body, axis) {
    [this.#body, this.#axis] = [body, axis];
    const [lower, upper] = this.#extent();
    this.#place = 0.5 * (lower + upper);
  }

  #choose(body, axis) {
    this.#put(body, axis);
    this.#ask();
    this.view.restyle(); // what it lies in becomes clear
  }

  #ask() {
    if (this.view.shows('slice')) this.#question.ask({ body: this.#body, what: this.#axis, value: this.#place });
  }

  available(scene) {
    return scene.bodies.some((body) => body.field) || 'no body of this scene has a distance field';
  }

  /** @param {import('../../protocol/shapes.js').Slice} message */
  slice(message) {
    if (!this.#question.takes(message) || message.width < 2 || message.height < 2) return;
    this.#message = message;
    const { width, height, scale, values } = message;
    const metres = Float32Array.from(values, (value) => (scale * value) / 32767);
    this.#uniforms.values.value?.dispose();
    this.#uniforms.values.value = table(metres, width, height, THREE.RedFormat, THREE.FloatType, 'R32F');
    this.#uniforms.size.value.set(width, height);
    let [least, most] = [0, 0];
    for (const value of metres) [least, most] = [Math.min(least, value), Math.max(most, value)];
    this.#uniforms.most.value = roundUp(Math.max(-1.8 * least, 0.06 * most, 1e-9));
    this.#uniforms.step.value = this.#uniforms.most.value / 5;
    this.#seat();
    this.plane.visible = true;
    this.#updateLegend();
    this.view.invalidate();
  }

  /** The plane's own axes are those after the one that it is across. */
  #seat() {
    const { body, axis, width, height, spacing, corner } = this.#message;
    const side = (along, length) => new THREE.Vector3().setComponent(along % 3, length);
    const matrix = new THREE.Matrix4().makeBasis(
      side(axis + 1, (width - 1) * spacing),
      side(axis + 2, (height - 1) * spacing),
      side(axis, 1),
    );
    matrix.setPosition(...corner);
    const frame = this.view.surface(body)?.frameOf(body);
    if (frame) this.plane.matrix.multiplyMatrices(frame, matrix);
  }

  frame() {
    this.#question.moved();
    this.#ask();
    if (this.#message) this.#seat();
  }

  update(dt) {
    this.#question.pass(dt);
    return false;
  }

  #updateLegend() {
    const { most, step } = this.#uniforms;
    const lines = handy('m', step.value);
    const share = (k) => Math.sqrt(Math.abs(k) / 8);
    const mixed = ([from, to], k) => new THREE.Color(from).lerp(new THREE.Color(to), share(k)).getStyle();
    const stops = Array.from({ length: 17 }, (_, k) => ({
      at: k / 16,
      colour: mixed(k < 8 ? INSIDE : OUTSIDE, k - 8),
    }));
    const label = `Distance (lines every ${+(step.value * lines.factor).toPrecision(2)} ${lines.unit})`;
    const shown = this.view.shows('slice') && this.plane.visible;
    this.view.legend('slice', shown ? { label, unit: 'm', least: -most.value, most: most.value, stops } : null);
  }

  theme() {
    this.#ask();
    this.#updateLegend();
  }

  dispose() {
    this.view.legend('slice', null);
    this.plane.geometry.dispose();
    this.plane.material.dispose();
    this.#uniforms.values.value?.dispose();
  }
}

registerLayer({
  id: 'slice',
  label: 'Slice of a field',
  hint: 'A slice of the distance field that points are tested against: blue inside, a black line on the surface',
  enabled: false,
  create: (view) => new SliceLayer(view),
});
