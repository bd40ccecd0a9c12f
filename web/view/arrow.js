import * as THREE from 'three';
import { xray } from './xray.js';

export const THICKNESS = 0.0085; // of a shaft, over the size of a body

/** From the origin along +y, of a given length; the head keeps its shape. */
export class Arrow {
  constructor(colour) {
    const material = new THREE.MeshStandardMaterial({
      color: colour,
      roughness: 0.45,
      emissive: colour,
      emissiveIntensity: 0.35,
    });
    this.shaft = xray(new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 20).translate(0, 0.5, 0), material));
    this.head = xray(new THREE.Mesh(new THREE.ConeGeometry(2.6, 6.5, 28).translate(0, -3.25, 0), material));
    this.object = new THREE.Group().add(this.shaft, this.head);
  }

  set colour(colour) {
    const { material } = this.shaft; // the head's, too
    material.color.set(colour);
    material.emissive.set(colour);
  }

  /** @param {THREE.Vector3} direction unit @param {number} unit the size of a body, m */
  point(from, direction, length, unit) {
    const thickness = Math.min(THICKNESS * unit, 0.09 * length);
    this.object.position.copy(from);
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), direction);
    this.shaft.scale.set(thickness, Math.max(length - 6 * thickness, 1e-9), thickness);
    this.head.scale.setScalar(thickness);
    this.head.position.set(0, length, 0);
  }
}
