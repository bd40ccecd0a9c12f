import * as THREE from 'three';

const scratch = [0, 1, 2].map(() => new THREE.Vector3());

/**
 * The triangle that is next to a point, and the shares of its vertices there.
 * @param {Float32Array} rest vertices
 * @param {Uint32Array} triangles
 * @param {THREE.Vector3} point
 * @returns {{vertices: number[], shares: number[]}|null} null: there is no triangle
 */
export function nearestTriangle(rest, triangles, point) {
  const triangle = new THREE.Triangle();
  const near = new THREE.Vector3();
  const p = point.toArray();
  let [least, found] = [Infinity, null];
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const corners = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    let beyond = false; // the nearest so far, in some direction alone
    for (let c = 0; c < 3 && !beyond; ++c) {
      const [x, y, z] = [rest[corners[0] + c] - p[c], rest[corners[1] + c] - p[c], rest[corners[2] + c] - p[c]];
      beyond = Math.min(x, y, z) > least || Math.max(x, y, z) < -least;
    }
    if (beyond) continue;
    triangle.a.fromArray(rest, corners[0]);
    triangle.b.fromArray(rest, corners[1]);
    triangle.c.fromArray(rest, corners[2]);
    const away = triangle.closestPointToPoint(point, near).distanceTo(point);
    if (!(away < least)) continue;
    const shares = triangle.getBarycoord(near, new THREE.Vector3());
    if (!shares) continue; // it has no area
    [least, found] = [away, { vertices: [...triangles.subarray(t, t + 3)], shares: shares.toArray() }];
  }
  return found;
}

/** A place on the surface of a body that goes with it as it deforms. */
export class SurfacePoint {
  #view;
  #vertices;
  #shares;
  #count; // of the surface that it was found on

  /**
   * @param {import('./view.js').View} view
   * @param {{body: number, rest: THREE.Vector3}} hit what the view picked
   */
  static at(view, { body, rest }) {
    const surface = view.surface(body);
    const home = rest.clone().applyMatrix4(surface.frameOf(body).invert());
    const found = nearestTriangle(surface.message.rest, surface.message.triangles, home);
    return found ? new SurfacePoint(view, body, found) : null;
  }

  constructor(view, body, { vertices, shares }) {
    this.#view = view;
    this.#vertices = vertices;
    this.#shares = shares;
    this.#count = view.surface(body).count;
    this.body = body;
  }

  /** A body that was made anew has another. */
  get surface() {
    const surface = this.#view.surface(this.body);
    return surface?.count === this.#count ? surface : null;
  }

  /** That has most of it. */
  get vertex() {
    return this.#vertices[this.#shares.indexOf(Math.max(...this.#shares))];
  }

  get bodyName() {
    return this.#view.world?.bodies[this.body]?.name ?? `body ${this.body}`;
  }

  #mixed(at, into) {
    into.set(0, 0, 0);
    this.#vertices.forEach((vertex, k) => into.addScaledVector(at(vertex, scratch[0]), this.#shares[k]));
    return into;
  }

  /** Where it is now; null where its surface is gone. @returns {THREE.Vector3|null} m, world */
  position(into = new THREE.Vector3()) {
    return this.surface ? this.#mixed(this.surface.placesOf(this.body), into) : null;
  }

  /** Where it was at the beginning. */
  start(into = new THREE.Vector3()) {
    const { surface } = this;
    if (!surface) return null;
    const frame = surface.places[surface.bodies.indexOf(this.body)];
    return this.#mixed(surface.placesOf(this.body, { deformed: false, frame }), into);
  }

  /** The outward normal now. */
  normal(into = new THREE.Vector3()) {
    if (!this.surface) return into.set(0, 0, 1);
    const at = this.surface.placesOf(this.body);
    const [a, b, c] = this.#vertices.map((vertex, k) => at(vertex, scratch[k]));
    return into.subVectors(b, a).cross(c.sub(a)).normalize();
  }

  /** How far it is displaced, m: by the body's shape, of a rigid body by the way that it went. */
  get displacement() {
    const { surface } = this;
    if (!surface) return null;
    if (surface.shown === 'rigid') return this.position().distanceTo(this.start());
    const into = new THREE.Vector3();
    return this.#mixed((vertex, moved) => surface.displacement(this.body, vertex, moved), into).length();
  }

  /**
   * What is known of it there, SI units; null: nothing.
   * @param {'displacement'|'stress'|'stretch'|'pressure'} name
   */
  value(name) {
    if (name === 'displacement') return this.displacement;
    const { surface } = this;
    if (!surface?.colours.has(name)) return null;
    const values = this.#vertices.map((vertex) => surface.field(name, this.body, vertex));
    if (values.includes(null)) return null;
    return values.reduce((sum, value, k) => sum + this.#shares[k] * value, 0);
  }
}
