import * as THREE from 'three';
import { number } from '../text/quantity.js';

/** "12.34 mm". @param {number} metres */
export const millimetres = (metres) => `${number(1000 * metres, 4)} mm`;

/** The angle at b between the ways to a and to c, degrees. */
export function angleAt(a, b, c) {
  const [u, v] = [new THREE.Vector3().subVectors(a, b), new THREE.Vector3().subVectors(c, b)];
  return THREE.MathUtils.radToDeg(Math.atan2(new THREE.Vector3().crossVectors(u, v).length(), u.dot(v)));
}

/** A distance between two points on surfaces, or the angle at the second of three. */
export class Measure {
  /** @param {import('./surface_point.js').SurfacePoint[]} points two or three */
  constructor(points) {
    this.points = points;
    this.at = points.length === 2 ? 0.5 : 1;
    this.side = 'below'; // what is probed stands above
  }

  get kind() {
    return this.points.length === 2 ? 'distance' : 'angle';
  }

  #of(places) {
    if (places.includes(null)) return null;
    return places.length === 2 ? places[0].distanceTo(places[1]) : angleAt(...places);
  }

  /** Now: m, or degrees; null where a body is gone. */
  get value() {
    return this.#of(this.points.map((point) => point.position()));
  }

  /** What it was at the beginning. */
  get start() {
    return this.#of(this.points.map((point) => point.start()));
  }

  /** @param {number|null} value */
  format(value) {
    if (value === null) return '–';
    return this.points.length === 2 ? millimetres(value) : `${value.toFixed(1)}°`;
  }

  text() {
    return this.format(this.value);
  }
}
