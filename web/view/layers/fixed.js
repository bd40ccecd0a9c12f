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
  body({ message, count, radius: size }) {
    const { fixed, rest } = message;
    if (fixed.length === 0) return;
    const geometry = new THREE.IcosahedronGeometry(1, fixed.length > 3000 ? 0 : 1);
    const pins = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial({ roughness: 0.5 }), fixed.length);
    // Smaller where vertices are close together.
    const radius = size * Math.min(0.0105, 0.4 / Math.sqrt(count));
    const matrix = new THREE.Matrix4().makeScale(radius, radius, radius);
    fixed.forEach((vertex, k) =>
      pins.setMatrixAt(k, matrix.setPosition(rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2])),
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
