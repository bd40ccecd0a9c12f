import * as THREE from 'three';
import { registerLayer } from '../layers.js';
import { disposeAll } from '../xray.js';

class VolumeLayer {
  object = new THREE.Group();

  constructor(view) {
    this.view = view;
  }

  available(scene) {
    return (
      scene.bodies.some((body) => body.volume) || 'no body of this scene has a volume mesh: boundary elements need none'
    );
  }

  clears() {
    return true;
  }

  body(surface) {
    const { message, places, bodies } = surface;
    if (message.edges.length === 0) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(message.volume, 3));
    geometry.setIndex(new THREE.BufferAttribute(message.edges, 1));
    places.forEach((place, i) => {
      const material = this.view.clip.patch(new THREE.LineBasicMaterial({ transparent: true, depthWrite: false }));
      const lines = new THREE.LineSegments(geometry, material);
      lines.matrixAutoUpdate = false;
      lines.matrix.copy(place);
      lines.renderOrder = 1;
      Object.assign(lines.userData, { surface, body: bodies[i] });
      this.object.add(lines);
    });
  }

  /** A body that a tool holds takes it along. */
  frame() {
    for (const { matrix, userData } of this.object.children) matrix.copy(userData.surface.frameOf(userData.body));
  }

  theme() {
    for (const { material } of this.object.children) {
      material.color.set(this.view.theme === 'dark' ? 0xdfe8f0 : 0x1c2a36);
      material.opacity = 0.22;
    }
    this.view.looks.hide(this.object.children);
  }

  dispose() {
    disposeAll(this.object);
  }
}

registerLayer({
  id: 'volume',
  label: 'Volume mesh',
  hint: 'The edges of the elements inside, at rest; makes the surface transparent',
  enabled: false,
  create: (view) => new VolumeLayer(view),
});
