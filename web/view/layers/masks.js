import * as THREE from 'three';
import { CONTACT } from '../../protocol/protocol.js';
import { Decals } from '../decals.js';
import { registerLayer } from '../layers.js';
import { SteadyScale } from '../steady_scale.js';

/** How far a contact's pressure reaches, and the pressure itself as far as the program sends it. */
class MaskLayer {
  object = new THREE.Group();
  #decals = new Decals({ width: 0.035, order: 5 });
  #scale = new SteadyScale(1);

  constructor(view) {
    this.view = view;
    this.object.add(this.#decals.object);
  }

  available(scene) {
    return scene.bodies.some((body) => body.mask > 0) || 'no body of this scene has pressure masks';
  }

  body(surface) {
    this.#decals.add(surface);
  }

  frame() {
    const { view } = this;
    const ink = view.theme === 'dark' ? 0xfdf3d8 : 0x2a2140;
    this.#decals.clear();
    const pressures = [...view.bodies.values()].map((surface) => surface.fieldScale.pressure);
    this.#scale.offer(Math.max(0, ...pressures));
    // Where colours mean something else already, a tint would falsify them.
    const most = view.colour === 'plain' ? this.#scale.shown : 0;
    this.#decals.fill = view.colour === 'plain' ? 0.1 : 0;
    for (const surface of view.bodies.values())
      this.#decals.tint(surface.index, surface.fieldScale.pressure > 0 ? most : 0, 0x3d2fb0);
    for (const tool of view.tools) {
      const radius = view.world.bodies[tool.body]?.mask;
      if (tool.state === CONTACT.none || tool.lifted || !(radius > 0)) continue;
      this.#decals.mark(tool.body, tool.point, tool.normal, radius, ink);
    }
  }

  update(dt) {
    return this.#scale.pass(
      dt,
      Math.max(0, ...[...this.view.bodies.values()].map((surface) => surface.fieldScale.pressure)),
    );
  }

  dispose() {
    this.#decals.dispose();
  }
}

registerLayer({
  id: 'masks',
  label: 'Pressure masks',
  hint: 'A ring as wide as the pressure mask of a contact; on plain bodies, its pressure',
  enabled: false,
  touch: true,
  create: (view) => new MaskLayer(view),
});
