import * as THREE from 'three';
import { fixed } from '../../text/quantity.js';
import { Arrow, THICKNESS } from '../arrow.js';
import { Label } from '../label.js';
import { registerLayer } from '../layers.js';
import { FORCE_COLOUR, TORQUE_COLOUR } from '../palette.js';
import { SteadyScale } from '../steady_scale.js';
import { disposeAll, xray } from '../xray.js';

const LONGEST = 0.75; // over the size of a body, for a force that fills the scale
const SHORTEST = 0.2; // of that, where the picture ends
const FORCE_INK = { dark: '#eafff6', light: '#064b35', edge: '#14b37d' };
const TORQUE_INK = { dark: '#f2ecff', light: '#3a2080', edge: '#9a6bf0' };
const LEAST_FORCE = 0.02; // N for each newton that the scale spans: shorter arrows are left out
const LEAST_TORQUE = 0.1; // likewise

/** An arc with a head about +y: the way a torque turns. */
class Turn {
  constructor(colour) {
    const material = new THREE.MeshStandardMaterial({
      color: colour,
      roughness: 0.45,
      emissive: colour,
      emissiveIntensity: 0.35,
    });
    const [wide, thick, arc] = [0.16, 0.75 * THICKNESS, 1.5 * Math.PI];
    const ring = new THREE.TorusGeometry(wide, thick, 12, 64, arc).rotateX(-Math.PI / 2);
    const head = new THREE.ConeGeometry(2.6 * thick, 6.5 * thick, 24);
    this.ring = xray(new THREE.Mesh(ring, material));
    this.head = xray(new THREE.Mesh(head, material));
    this.head.position.set(wide * Math.cos(arc), 0, -wide * Math.sin(arc));
    this.head.quaternion.setFromUnitVectors(
      new THREE.Vector3(0, 1, 0),
      new THREE.Vector3(-Math.sin(arc), 0, -Math.cos(arc)),
    );
    this.object = new THREE.Group().add(this.ring, this.head);
  }

  point(at, axis, size) {
    this.object.position.copy(at);
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis);
    this.object.scale.setScalar(size);
  }
}

const newtons = (value) => `${value.toFixed(value < 10 ? 2 : 1)} N`;

const DIFFERS = 0.02; // of a force, that is told

/** What the hand gets, as the plots have it; and where that is not what the tool asks for, that too. */
function forceText(asked, given, limit) {
  const coupled = limit?.coupling ? ', coupling saturated' : '';
  if (Math.abs(asked - given) <= DIFFERS * Math.max(asked, given)) return newtons(given) + coupled;
  return `${newtons(given)}${limit?.force || limit?.rate ? ', limited,' : ''} of ${newtons(asked)}${coupled}`;
}

/** An arrow through which one sees. */
function paleArrow(colour) {
  const arrow = new Arrow(colour);
  Object.assign(arrow.shaft.material, { transparent: true, opacity: 0.3, depthWrite: false }); // the head's, too
  return arrow;
}

/** How long an arrow may be whose head shall be in the picture, where its foot is. */
function seenLength(view, from, along, length) {
  const at = new THREE.Vector3();
  const seen = (share) => {
    at.copy(from).addScaledVector(along, share * length).project(view.camera);
    return Math.abs(at.x) < 0.97 && Math.abs(at.y) < 0.97 && at.z < 1;
  };
  if (!seen(0) || seen(1)) return length;
  let [least, most] = [SHORTEST, 1];
  for (let k = 0; k < 8; ++k) {
    const middle = 0.5 * (least + most);
    if (seen(middle)) least = middle;
    else most = middle;
  }
  return least * length;
}

class ArrowLayer {
  object = new THREE.Group();
  #forces = new SteadyScale(0.5); // N
  #torques = new SteadyScale(0.005); // N m
  #label = new Label('above', 400);
  #torqueLabel = new Label('below');
  #most = { force: 0, torque: 0 };
  #limits = [];

  constructor(view) {
    this.view = view;
    this.arrows = view.world.tools.map(() => ({
      force: new Arrow(FORCE_COLOUR),
      asked: paleArrow(FORCE_COLOUR), // what the tool asks for, where the hand gets less
      turn: new Turn(TORQUE_COLOUR),
      along: new THREE.Vector3(0, 0, 1), // the last direction of its force
    }));
    for (const { force, asked, turn } of this.arrows) this.object.add(force.object, asked.object, turn.object);
    this.object.add(this.#label.object, this.#torqueLabel.object);
  }

  available(scene) {
    return scene.tools.length > 0 || 'this scene has no tool';
  }

  frame(frame) {
    this.#limits = frame?.limits?.tools ?? [];
    this.#most = { force: 0, torque: 0 };
    this.view.tools.forEach((tool, index) => {
      this.#most.force = Math.max(this.#most.force, Math.hypot(...tool.force), this.#given(index));
      this.#most.torque = Math.max(this.#most.torque, Math.hypot(...tool.torque));
    });
    this.#forces.offer(this.#most.force);
    this.#torques.offer(this.#most.torque);
    this.#place();
  }

  /** The size of the force that the hand gets, N: what the plots show of the same tick. */
  #given(index) {
    return this.#limits[index]?.given ?? Math.hypot(...(this.view.tool(index)?.force ?? [0]));
  }

  #place() {
    const { view } = this;
    const at = new THREE.Vector3();
    const axis = new THREE.Vector3();
    this.#label.object.visible = this.#torqueLabel.object.visible = false;
    this.arrows.forEach(({ force, asked, turn, along }, index) => {
      const tool = view.tool(index);
      const wanted = tool ? Math.hypot(...tool.force) : 0;
      const given = tool ? this.#given(index) : 0;
      const torque = tool ? Math.hypot(...tool.torque) : 0;
      const least = LEAST_FORCE * this.#forces.shown;
      force.object.visible = given > least;
      asked.object.visible = wanted > least && wanted - given > DIFFERS * wanted;
      turn.object.visible = torque > LEAST_TORQUE * this.#torques.shown;
      if (!tool) return;
      at.fromArray(tool.position);
      if (turn.object.visible) {
        turn.point(
          at,
          axis.fromArray(tool.torque).divideScalar(torque),
          view.unit * (0.5 + 0.5 * Math.min(torque / this.#torques.shown, 1)),
        );
        const text = `${fixed(1000 * torque, torque < 0.1 ? 1 : 0)} mN m`;
        if (index === view.selectedTool) this.#write(this.#torqueLabel, text, TORQUE_INK, at);
      }
      if (index === view.selectedTool) view.element.dataset.forceLabel = '';
      if (!force.object.visible && !asked.object.visible) return;
      if (wanted > 0) along.fromArray(tool.force).divideScalar(wanted);
      const longest = asked.object.visible ? wanted : given;
      const most = Math.min(longest / this.#forces.shown, 1); // of the longest arrow
      const unit = seenLength(view, at, along, LONGEST * view.unit * most) / most;
      const length = (size) => unit * Math.min(size / this.#forces.shown, 1);
      force.point(at, along, length(given), view.unit);
      asked.point(at, along, length(wanted), view.unit);
      if (index === view.selectedTool) {
        const text = forceText(wanted, given, this.#limits[index]);
        this.#write(this.#label, text, FORCE_INK, at.addScaledVector(along, length(longest)));
        view.element.dataset.forceLabel = text;
      }
    });
    this.#label.fit(this.view);
    this.#torqueLabel.fit(this.view);
  }

  #write(label, text, { dark, light, edge }, at) {
    const isDark = this.view.theme === 'dark';
    const paper = isDark ? 'rgba(16, 24, 28, 0.82)' : 'rgba(255, 255, 255, 0.88)';
    label.set(text, { ink: isDark ? dark : light, paper, edge });
    label.object.position.copy(at);
    label.object.visible = true;
  }

  update(dt) {
    const moved = [this.#forces.pass(dt, this.#most.force), this.#torques.pass(dt, this.#most.torque)].some(Boolean);
    this.#place(); // the camera may have moved
    return moved;
  }

  theme() {
    this.#place();
  }

  dispose() {
    disposeAll(this.object);
  }
}

registerLayer({
  id: 'arrows',
  label: 'Forces',
  hint: 'Force and torque on the hand, with the numbers of the chosen tool',
  enabled: true,
  touch: true,
  create: (view) => new ArrowLayer(view),
});
