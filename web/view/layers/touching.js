import * as THREE from 'three';
import { REQUEST } from '../../protocol/protocol.js';
import { CUT } from '../clip_plane.js';
import { colourStops } from '../colour_map.js';
import { registerLayer } from '../layers.js';
import { SteadyScale } from '../steady_scale.js';

const PIXELS = 7;

const VERTEX = /* glsl */ `
${CUT}
attribute vec4 contact; // place and depth, m
uniform float tacMost;
uniform float tacSharp; // pixels of the screen for each of the page
varying float depth;
void main() {
  depth = contact.w / tacMost;
  gl_Position = projectionMatrix * viewMatrix * vec4(contact.xyz, 1.0);
  gl_PointSize = ${PIXELS.toFixed(1)} * tacSharp;
  if (tacCut(contact.xyz)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // out of the picture
}`;

const FRAGMENT = /* glsl */ `
varying float depth;
uniform sampler2D tacColourMap;
uniform float tacOpacity;
void main() {
  vec2 from = 2.0 * gl_PointCoord - 1.0;
  float away = dot(from, from);
  if (away > 1.0) discard;
  vec3 colour = texture2D(tacColourMap, vec2((clamp(depth, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  gl_FragColor = vec4(mix(colour, vec3(0.02), 0.75 * smoothstep(0.6, 0.95, away)), tacOpacity);
  #include <colorspace_fragment>
}`;

/** Points in contact, coloured by how deep they are. */
class TouchingLayer {
  object = new THREE.Group();
  #geometry = new THREE.BufferGeometry();
  #room = 0;
  #scale = new SteadyScale(1e-6); // m
  #deepest = 0;
  #uniforms;

  constructor(view) {
    this.view = view;
    this.#scale.reset(2e-4 * view.radius);
    const { tacColourMap } = view.colouring;
    this.#uniforms = { tacColourMap, tacMost: { value: 1 }, tacSharp: { value: 1 }, ...view.clip.uniforms };
    // They lie inside of bodies: what hides them makes them paler.
    for (const [opacity, depthFunc, order] of [
      [0.5, THREE.GreaterDepth, 31],
      [1, THREE.LessEqualDepth, 32],
    ]) {
      const material = new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { ...this.#uniforms, tacOpacity: { value: opacity } },
        transparent: true,
        depthFunc,
        depthWrite: false,
      });
      const points = new THREE.Points(this.#geometry, material);
      points.frustumCulled = false;
      points.renderOrder = order;
      this.object.add(points);
    }
    this.#geometry.setDrawRange(0, 0);
  }

  available(scene) {
    return scene.pairs?.length > 0 || 'no bodies of this scene are in distributed contact';
  }

  #reserve(count) {
    if (count <= this.#room) return;
    this.#room = Math.max(1024, 2 ** Math.ceil(Math.log2(count)));
    this.#geometry.dispose(); // the old buffer
    const attribute = new THREE.BufferAttribute(new Float32Array(4 * this.#room), 4).setUsage(THREE.DynamicDrawUsage);
    this.#geometry.setAttribute('contact', attribute);
  }

  frame({ pairs }) {
    const count = pairs.reduce((sum, pair) => sum + pair.points.length / 4, 0);
    this.#reserve(count);
    let at = 0;
    for (const { points } of pairs) {
      if (points.length > 0) this.#geometry.attributes.contact.array.set(points, at);
      at += points.length;
    }
    if (count > 0) this.#geometry.attributes.contact.needsUpdate = true;
    this.#geometry.setDrawRange(0, count);
    this.#deepest = Math.max(0, ...pairs.map((pair) => pair.deepest));
    this.#scale.offer(this.#deepest);
    this.#updateLegend();
  }

  update(dt) {
    this.#uniforms.tacSharp.value = this.view.renderer.getPixelRatio();
    const moved = this.#scale.pass(dt, this.#deepest);
    if (moved) this.#updateLegend();
    return moved;
  }

  #updateLegend() {
    this.#uniforms.tacMost.value = this.#scale.shown;
    const { most } = this.#scale;
    const shown = this.view.shows('touching');
    this.view.legend('touching', shown ? { label: 'Depth of points', unit: 'm', most, stops: colourStops() } : null);
  }

  theme() {
    this.#updateLegend();
  }

  dispose() {
    this.view.legend('touching', null);
    this.#geometry.dispose();
    for (const { material } of this.object.children) material.dispose();
  }
}

registerLayer({
  id: 'touching',
  label: 'Points in contact',
  hint: 'Every point that is inside the other body, coloured by its depth',
  enabled: true,
  touch: true,
  requests: REQUEST.points,
  create: (view) => new TouchingLayer(view),
});
