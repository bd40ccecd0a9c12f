import * as THREE from 'three';
import { BODY_COLOURS } from './palette.js';

const FIRST = 1; // in the order of drawing: after the surfaces
const STEP = 0.001;
const GREY = 0x9a9da3;

const VERTEX = /* glsl */ `
varying vec3 at;
void main() {
  vec4 placed = modelMatrix * vec4(position, 1.0);
  at = placed.xyz;
  gl_Position = projectionMatrix * viewMatrix * placed;
}`;

const FRAGMENT = /* glsl */ `
varying vec3 at;
uniform vec3 colour;
uniform vec3 tacHatch;
void main() {
  float lines = dot(tacHatch, at);
  float wide = fwidth(lines);
  float line = 1.0 - smoothstep(0.06, 0.06 + wide, abs(fract(lines) - 0.5));
  gl_FragColor = vec4(colour * (1.0 - 0.22 * line * (1.0 - smoothstep(0.15, 0.4, wide))), 1.0);
  #include <colorspace_fragment>
}`;

/** Counts how often one looks into a body beyond the plane, and out of it. */
function counting(surface, side, pass) {
  const material = new THREE.MeshBasicMaterial({
    side,
    colorWrite: false,
    depthWrite: false,
    depthTest: false,
    stencilWrite: true,
    stencilFail: pass,
    stencilZFail: pass,
    stencilZPass: pass,
  });
  const mesh = new THREE.Mesh(surface.geometry, surface.patch(material, 'count'));
  mesh.frustumCulled = false;
  return mesh;
}

/**
 * The cut through bodies that share a surface, flat and hatched. Where one sees more inner sides than outer ones beyond
 * the plane, the plane lies in a body there: these pixels are marked first, then the plane is drawn on them.
 */
export class CutCap {
  object = new THREE.Group();
  #plane;
  #counts;
  #view;
  #colour = new THREE.Color();

  /**
   * @param {import('./view.js').View} view
   * @param {import('./drawn_surface.js').DrawnSurface} surface
   */
  constructor(view, surface) {
    this.#view = view;
    this.#counts = [
      counting(surface, THREE.BackSide, THREE.IncrementWrapStencilOp),
      counting(surface, THREE.FrontSide, THREE.DecrementWrapStencilOp),
    ];
    const alone = surface.bodies.length === 1;
    this.#colour.set(alone ? BODY_COLOURS[surface.index % BODY_COLOURS.length] : GREY);
    this.#plane = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1),
      new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { colour: { value: new THREE.Color() }, tacHatch: view.clip.uniforms.tacHatch },
        side: THREE.DoubleSide,
        polygonOffset: true, // as the surfaces: lines on them are seen
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
        stencilWrite: true,
        stencilRef: 0,
        stencilFunc: THREE.NotEqualStencilFunc,
      }),
    );
    this.#plane.frustumCulled = false;
    this.#plane.onAfterRender = (renderer) => renderer.clearStencil();
    this.object.add(...this.#counts, this.#plane);
  }

  /** @param {number} rank among all: later ones, which are smaller, are seen in those before */
  show(rank) {
    const { clip, radius, colour } = this.#view;
    for (const part of this.object.children) part.renderOrder = FIRST + STEP * (2 * rank + (part === this.#plane ? 1 : 0));
    this.#plane.position.copy(clip.middle);
    this.#plane.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), clip.normal);
    this.#plane.scale.setScalar(8 * radius);
    // The values of a surface's colours are not known inside.
    const { value } = this.#plane.material.uniforms.colour;
    value.copy(this.#colour).lerp(new THREE.Color(GREY), colour === 'plain' ? 0.35 : 1);
  }

  dispose() {
    for (const { material } of this.#counts) material.dispose(); // the geometry is the body's
    this.#plane.geometry.dispose();
    this.#plane.material.dispose();
  }
}
