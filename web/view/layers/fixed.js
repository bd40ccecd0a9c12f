import * as THREE from 'three';
import { registerLayer } from '../layers.js';
import { disposeAll } from '../xray.js';

class FixedLayer {
  object = new THREE.Group();

  constructor(view) {
    this.view = view;
  }

  available(scene) {
    return scene.bodies.some((body) => body.fixed > 0) || 'no vertex of this scene is held';
  }

  /** They do not move. */
  body({ message, count, radius: size, places }) {
    const { fixed, rest } = message;
    if (fixed.length === 0) return;
    const geometry = new THREE.IcosahedronGeometry(1, fixed.length * places.length > 3000 ? 0 : 1);
    const material = new THREE.MeshStandardMaterial({ roughness: 0.5 });
    const pins = new THREE.InstancedMesh(geometry, material, fixed.length * places.length);
    // Smaller where vertices are close together.
    const radius = size * Math.min(0.0105, 0.4 / Math.sqrt(count));
    const matrix = new THREE.Matrix4().makeScale(radius, radius, radius);
    const at = new THREE.Vector3();
    places.forEach((place, copy) =>
      fixed.forEach((vertex, k) => {
        matrix.setPosition(at.fromArray(rest, 3 * vertex).applyMatrix4(place));
        pins.setMatrixAt(copy * fixed.length + k, matrix);
      }),
    );
    pins.computeBoundingSphere();
    this.object.add(pins);
  }

  theme() {
    for (const { material } of this.object.children)
      material.color.set(this.view.theme === 'dark' ? 0xd5dde6 : 0x3c4854);
  }

  dispose() {
    disposeAll(this.object);
  }
}

registerLayer({
  id: 'fixed',
  label: 'Held vertices',
  hint: 'A pin at every vertex that cannot move',
  enabled: false,
  create: (view) => new FixedLayer(view),
});
