import * as THREE from 'three';
import { registerLayer } from '../layers.js';

class WireframeLayer {
  object = new THREE.Group();
  #surfaces = [];

  constructor(view) {
    this.view = view;
  }

  body(surface) {
    this.#surfaces.push(surface);
    if (this.object.visible && this.view.shows('wireframe')) this.#make();
  }

  /** Only when they are looked at: unique edges take a moment for large bodies. */
  #make() {
    for (const surface of this.#surfaces.splice(0)) {
      const material = surface.patch(
        new THREE.LineBasicMaterial({ transparent: true, depthWrite: false }),
        'wireframe',
      );
      const lines = new THREE.LineSegments(surface.edges, material);
      lines.frustumCulled = false;
      lines.renderOrder = 2;
      this.object.add(lines);
    }
  }

  theme() {
    if (this.view.shows('wireframe')) this.#make();
    const dark = this.view.theme === 'dark';
    const alone = !this.view.shows('surface');
    for (const { material } of this.object.children) {
      material.color.set(alone && dark ? 0xc3cfdb : dark ? 0x0b0f13 : 0x17202a);
      material.opacity = alone ? 0.65 : 0.42;
    }
  }

  dispose() {
    for (const lines of this.object.children) lines.material.dispose(); // the edges belong to the bodies
  }
}

registerLayer({
  id: 'wireframe',
  label: 'Triangles',
  hint: 'The edges of the surface mesh',
  enabled: false,
  create: (view) => new WireframeLayer(view),
});
