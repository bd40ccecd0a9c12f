import * as THREE from 'three';
import { loadText } from '../../text/load_text.js';
import { Arrow } from '../arrow.js';
import { Label } from '../label.js';
import { registerLayer } from '../layers.js';
import { BEYOND_COLOUR, LOAD_COLOUR } from '../palette.js';
import { disposeAll } from '../xray.js';

const LONGEST = 0.5; // over the size of a body, for the largest load that was baked
const MOST = 1.5; // times that, for any
const LEAST = 0.01; // of it: smaller loads are left out
const INK = { dark: '#fff6e0', light: '#5a3d00', edge: '#e0a526' };
const BEYOND_INK = { dark: '#ffe9e8', light: '#7a0f0b', edge: '#e5322d' };

/** What presses each body that was baked for certain loads: an arrow that ends where it acts, as long as its share of T. */
class LoadLayer {
  object = new THREE.Group();
  #marks = new Map(); // by body
  #loads = [];

  constructor(view) {
    this.view = view;
    view.world.bodies.forEach(({ loads }, body) => {
      if (!loads) return;
      const mark = { most: loads.most, arrow: new Arrow(LOAD_COLOUR), label: new Label('left', 190) };
      this.#marks.set(body, mark);
      this.object.add(mark.arrow.object, mark.label.object);
    });
    this.#place();
  }

  available(scene) {
    return scene.bodies.some((body) => body.loads) || 'no body of this scene was baked for certain loads';
  }

  frame({ loads }) {
    this.#loads = loads;
    const shares = loads.map(({ body, force }) => Math.hypot(...force) / (this.#marks.get(body)?.most ?? Infinity));
    const beyond = loads.filter((load) => load.beyond).length;
    Object.assign(this.view.element.dataset, { load: Math.max(0, ...shares).toFixed(3), beyond }); // for tests
    this.#place();
  }

  #place() {
    const { unit, theme } = this.view;
    const [along, tail] = [new THREE.Vector3(), new THREE.Vector3()];
    for (const { arrow, label } of this.#marks.values()) arrow.object.visible = label.object.visible = false;
    for (const { body, beyond, place, force } of this.#loads) {
      const mark = this.#marks.get(body);
      const size = Math.hypot(...force);
      if (!mark || !(size > LEAST * mark.most)) continue;
      const { arrow, label, most } = mark;
      const length = LONGEST * unit * Math.min(size / most, MOST);
      along.fromArray(force).divideScalar(size);
      tail.fromArray(place).addScaledVector(along, -length);
      arrow.colour = beyond ? BEYOND_COLOUR : LOAD_COLOUR;
      arrow.point(tail, along, length, unit);
      const { dark, light, edge } = beyond ? BEYOND_INK : INK;
      const paper = theme === 'dark' ? 'rgba(16, 24, 28, 0.82)' : 'rgba(255, 255, 255, 0.88)';
      label.set(loadText(size, most), { ink: theme === 'dark' ? dark : light, paper, edge });
      label.object.position.copy(tail);
      arrow.object.visible = label.object.visible = true;
    }
    this.#fit();
  }

  #fit() {
    for (const { label } of this.#marks.values()) label.fit(this.view);
  }

  update() {
    this.#fit();
    return false;
  }

  theme() {
    this.#place();
  }

  dispose() {
    disposeAll(this.object);
  }
}

registerLayer({
  id: 'loads',
  label: 'Loads',
  hint: 'Loads on bodies that were baked for certain loads, as a share of the largest; red above it',
  enabled: true,
  touch: true,
  create: (view) => new LoadLayer(view),
});
