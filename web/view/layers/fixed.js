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

  /** They do not move, but where a tool holds the body. */
  body(surface) {
    const { message, bodies } = surface;
    if (message.fixed.length === 0) return;
    const geometry = new THREE.IcosahedronGeometry(1, message.fixed.length * bodies.length > 3000 ? 0 : 1);
    for (const body of bodies) this.#add(surface, body, geometry);
  }

  #add(surface, body, geometry) {
    const { count, radius: size } = surface;
    const { fixed, rest } = surface.message;
    const material = this.view.clip.patch(new THREE.MeshStandardMaterial({ roughness: 0.5 }));
    const pins = new THREE.InstancedMesh(geometry, material, fixed.length);
    // Smaller where vertices are close together.
    const radius = size * Math.min(0.0105, 0.4 / Math.sqrt(count));
    const matrix = new THREE.Matrix4().makeScale(radius, radius, radius);
    const at = new THREE.Vector3();
    fixed.forEach((vertex, k) => pins.setMatrixAt(k, matrix.setPosition(at.fromArray(rest, 3 * vertex))));
    pins.computeBoundingSphere();
    pins.matrixAutoUpdate = false;
    pins.matrix.copy(surface.frameOf(body));
    Object.assign(pins.userData, { surface, body });
    this.object.add(pins);
  }

  frame() {
    for (const { matrix, userData } of this.object.children) matrix.copy(userData.surface.frameOf(userData.body));
  }

  theme() {
    for (const { material } of this.object.children)
      material.color.set(this.view.theme === 'dark' ? 0xd5dde6 : 0x3c4854);
    this.view.looks.hide(this.object.children);
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
