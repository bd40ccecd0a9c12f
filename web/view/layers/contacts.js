import * as THREE from 'three';
import { CONTACT } from '../../protocol/protocol.js';
import { Decals } from '../decals.js';
import { registerLayer } from '../layers.js';
import { CONTACT_COLOURS } from '../palette.js';
import { disposeAll, xray } from '../xray.js';

const RING = 0.058; // over the size of a body
const NORMAL = 0.2;

/** A ring where a tool touches, and the surface's normal there; the colour says what the contact does. */
class ContactLayer {
  object = new THREE.Group();
  #decals = new Decals({ width: 0.24, order: 6 });
  #normals = [];

  constructor(view) {
    this.view = view;
    this.object.add(this.#decals.object);
    const rod = new THREE.CylinderGeometry(0.0045, 0.0045, NORMAL, 12).translate(0, 0.5 * NORMAL, 0);
    const knob = new THREE.SphereGeometry(0.011, 16, 12).translate(0, NORMAL, 0);
    this.#normals = view.world.tools.map(() => {
      const material = new THREE.MeshStandardMaterial({ roughness: 0.5 });
      material.emissive = material.color;
      material.emissiveIntensity = 0.4;
      const group = new THREE.Group().add(xray(new THREE.Mesh(rod, material)), xray(new THREE.Mesh(knob, material)));
      group.visible = false;
      this.object.add(group);
      return { group, material };
    });
  }

  available(scene) {
    return scene.tools.length > 0 || 'this scene has no tool';
  }

  body(surface) {
    this.#decals.add(surface);
  }

  frame() {
    this.#decals.clear();
    this.#normals.forEach(({ group, material }, index) => {
      const tool = this.view.tool(index);
      group.visible = Boolean(tool) && tool.state !== CONTACT.none && !tool.lifted;
      if (!group.visible) return;
      const colour = CONTACT_COLOURS[tool.state] ?? CONTACT_COLOURS[0];
      const along = new THREE.Vector3().fromArray(tool.normal);
      group.position.fromArray(tool.point);
      group.scale.setScalar(this.view.unit);
      if (along.lengthSq() > 0) group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
      material.color.set(colour);
      // The mean of many points need not lie on the surface.
      if (Number.isInteger(this.view.world.tools[index].body)) return;
      this.#decals.mark(tool.body, tool.point, tool.normal, RING * this.view.unit, colour);
    });
  }

  dispose() {
    this.#decals.dispose();
    this.#decals.object.removeFromParent();
    disposeAll(this.object);
  }
}

registerLayer({
  id: 'contacts',
  label: 'Contacts',
  hint: 'Where tools touch, and the normal there: blue sticks, orange slides, green is grabbed',
  enabled: true,
  touch: true,
  create: (view) => new ContactLayer(view),
});
