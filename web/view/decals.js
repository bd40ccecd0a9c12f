import * as THREE from 'three';
import { CUT } from './clip_plane.js';

const MOST = 16; // marks on a body

const VERTEX = /* glsl */ `
varying vec3 here;
varying vec3 facing;
varying float load;
void main() {
  tacDeform();
  here = tacAt;
  facing = tacNormal;
  load = pressure * tacPressure;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(tacAt, 1.0);
}`;

const FRAGMENT = /* glsl */ `
${CUT}
varying vec3 here;
varying vec3 facing;
varying float load;
uniform int count;
uniform vec4 spheres[${MOST}];  // centre and radius, m
uniform vec3 colours[${MOST}];
uniform vec3 normals[${MOST}];
uniform float width;            // of a ring, over its radius
uniform float fill;             // opacity within
uniform float mostLoad;         // Pa; 0: not drawn
uniform vec3 loadColour;
void main() {
  if (tacCut(here)) discard;
  vec4 ink = vec4(0.0);
  if (mostLoad > 0.0) ink = vec4(loadColour, 0.75 * pow(clamp(load / mostLoad, 0.0, 1.0), 0.75));
  for (int i = 0; i < ${MOST}; ++i) {
    if (i >= count) break;
    // A sphere cuts a thin plate's other side too, which is not meant.
    if (dot(facing, normals[i]) < -0.2) continue;
    float away = distance(here, spheres[i].xyz);
    float soft = min(fwidth(away), 0.1 * spheres[i].w); // at an outline it would be as wide as the body
    float from = abs(away - (1.0 - 0.5 * width) * spheres[i].w) - 0.5 * width * spheres[i].w;
    float ring = 1.0 - smoothstep(-0.5 * soft, 0.5 * soft, from - 0.5 * soft);
    float disc = fill * (1.0 - smoothstep(-0.5 * soft, 0.5 * soft, away - spheres[i].w));
    float alpha = max(0.95 * ring, disc * (1.0 - ink.a));
    float both = alpha + ink.a * (1.0 - alpha);
    ink = vec4(mix(ink.rgb, colours[i], alpha / max(both, 1e-4)), both);
  }
  if (ink.a < 0.004) discard;
  gl_FragColor = ink;
  #include <colorspace_fragment>
}`;

/** Rings and spots that lie on the deformed surfaces, however they bend. */
export class Decals {
  object = new THREE.Group();
  #surfaces = new Map(); // by body
  #meshes = new Map(); // by body, those that ever had a mark
  #style;
  #fill = { value: 0 };

  /** @param {{width: number, order?: number}} style width of a ring over its radius */
  constructor(style) {
    this.#style = style;
  }

  /** @param {import('./drawn_surface.js').DrawnSurface} surface */
  add(surface) {
    for (const body of surface.bodies) this.#surfaces.set(body, surface);
  }

  #mesh(body) {
    if (!this.#meshes.has(body) && this.#surfaces.has(body)) this.#make(body, this.#surfaces.get(body));
    return this.#meshes.get(body);
  }

  #make(body, surface) {
    const { geometry, uniforms } = surface.alone(body);
    const vectors = (Type) => Array.from({ length: MOST }, () => new Type());
    const material = new THREE.ShaderMaterial({
      vertexShader: surface.deformation + VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
      uniforms: {
        ...uniforms,
        count: { value: 0 },
        spheres: { value: vectors(THREE.Vector4) },
        colours: { value: vectors(THREE.Color) },
        normals: { value: vectors(THREE.Vector3) },
        width: { value: this.#style.width },
        fill: this.#fill,
        mostLoad: { value: 0 },
        loadColour: { value: new THREE.Color() },
      },
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.visible = false;
    mesh.renderOrder = this.#style.order ?? 5;
    this.#meshes.set(body, mesh);
    this.object.add(mesh);
  }

  /** Opacity within the rings. */
  set fill(opacity) {
    this.#fill.value = opacity;
  }

  /** Takes all marks away. */
  clear() {
    for (const { material } of this.#meshes.values()) material.uniforms.count.value = 0;
    for (const mesh of this.#meshes.values()) mesh.visible = mesh.material.uniforms.mostLoad.value > 0;
  }

  /** A ring on a body. */
  mark(body, centre, normal, radius, colour) {
    const mesh = this.#mesh(body);
    if (!mesh || mesh.material.uniforms.count.value >= MOST) return;
    const { count, spheres, colours, normals } = mesh.material.uniforms;
    spheres.value[count.value].set(centre[0], centre[1], centre[2], radius);
    normals.value[count.value].fromArray(normal);
    colours.value[count.value].set(colour);
    ++count.value;
    mesh.visible = true;
  }

  /** The pressure field, as a tint that is full at `most`; 0: none. */
  tint(body, most, colour) {
    const mesh = most > 0 ? this.#mesh(body) : this.#meshes.get(body);
    if (!mesh) return;
    mesh.material.uniforms.mostLoad.value = most;
    mesh.material.uniforms.loadColour.value.set(colour);
    if (most > 0) mesh.visible = true;
  }

  dispose() {
    for (const mesh of this.#meshes.values()) mesh.material.dispose(); // the geometry belongs to the bodies
  }
}
