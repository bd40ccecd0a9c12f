import * as THREE from 'three';
import { CONTACT, REQUEST } from '../../protocol/protocol.js';
import { registerLayer } from '../layers.js';
import { CONE_COLOUR, LAW_FORCE_COLOUR, NEAR_COLOUR } from '../palette.js';
import { SteadyScale } from '../steady_scale.js';
import { disposeAll } from '../xray.js';

const MOST = 256; // contacts
const CONE = 0.2; // height over the size of a body
const WIDEST = 3; // friction beyond this is drawn as this
const LONGEST = 0.6; // of an arrow, for a force that fills the scale
const THICKNESS = 0.008;
const LEAST = 0.01; // of the scale: shorter arrows are left out
const NEAR = 0.025; // radius of the ring in the plane of a contact that is near
const UP = new THREE.Vector3(0, 1, 0);

/** Many of one shape; what bodies hide of them is paler. */
class Marks {
  object = new THREE.Group();
  #meshes;

  constructor(geometry, colour, opacity) {
    this.#meshes = [
      [0.5 * opacity, THREE.GreaterDepth, 21],
      [opacity, THREE.LessEqualDepth, 22],
    ].map(([alpha, depthFunc, order]) => {
      const material = new THREE.MeshBasicMaterial({
        color: colour,
        transparent: true,
        opacity: alpha,
        depthFunc,
        depthWrite: alpha === 1,
        side: THREE.DoubleSide,
        toneMapped: false,
      });
      const mesh = new THREE.InstancedMesh(geometry, material, MOST);
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      this.object.add(mesh);
      return mesh;
    });
    this.begin();
  }

  begin() {
    for (const mesh of this.#meshes) mesh.count = 0;
  }

  add(matrix) {
    for (const mesh of this.#meshes) mesh.setMatrixAt(mesh.count++, matrix);
  }

  end() {
    for (const mesh of this.#meshes) mesh.instanceMatrix.needsUpdate = true;
  }
}

/**
 * Contacts that obey laws: the cone that friction keeps each force in, and the force; of those that are near but do not
 * touch yet their plane and normal.
 */
class LawLayer {
  object = new THREE.Group();
  #scale = new SteadyScale(0.01); // N
  #most = 0;
  #contacts = [];
  #near = true; // whether those are drawn, too
  // Tips at the contact, open along the normal.
  #cones = new Marks(
    new THREE.ConeGeometry(1, 1, 32, 1, true).translate(0, -0.5, 0).rotateX(Math.PI),
    CONE_COLOUR,
    0.38,
  );
  #shafts = new Marks(new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), LAW_FORCE_COLOUR, 1);
  #heads = new Marks(new THREE.ConeGeometry(2.8, 7, 16).translate(0, -3.5, 0), LAW_FORCE_COLOUR, 1);

  // A ring in the plane, and a pin along the normal.
  #rings = new Marks(new THREE.RingGeometry(0.82, 1, 24).rotateX(-0.5 * Math.PI), NEAR_COLOUR, 0.9);
  #pins = new Marks(new THREE.CylinderGeometry(0.05, 0.05, 1, 8).translate(0, 0.5, 0), NEAR_COLOUR, 0.9);

  constructor(view) {
    this.view = view;
    const marks = [this.#cones, this.#shafts, this.#heads, this.#rings, this.#pins];
    this.object.add(...marks.map(({ object }) => object));
    this.settings = [
      {
        label: 'Contacts',
        options: [
          ['all', 'that touch or are near'],
          ['touching', 'that touch'],
        ],
        get: () => (this.#near ? 'all' : 'touching'),
        set: (value) => {
          this.#near = value === 'all';
          this.#place();
          view.invalidate();
        },
      },
    ];
  }

  frame({ contacts }) {
    if (!contacts) return; // not in this frame
    this.#contacts = contacts.slice(0, MOST);
    this.#most = Math.max(0, ...this.#contacts.map(({ force }) => Math.hypot(...force)));
    this.#scale.offer(this.#most);
    const touching = this.#contacts.filter(({ state }) => state !== CONTACT.none).length;
    Object.assign(this.view.element.dataset, { laws: touching, near: this.#contacts.length - touching }); // for tests
    this.#place();
  }

  #place() {
    const marks = [this.#cones, this.#shafts, this.#heads, this.#rings, this.#pins];
    const { unit } = this.view;
    const [at, along, size] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const turn = new THREE.Quaternion();
    const matrix = new THREE.Matrix4();
    for (const each of marks) each.begin();
    for (const { place, normal, force, friction, state } of this.#contacts) {
      at.fromArray(place);
      turn.setFromUnitVectors(UP, along.fromArray(normal).normalize());
      if (state === CONTACT.none) {
        if (!this.#near) continue;
        matrix.compose(at, turn, size.setScalar(NEAR * unit));
        this.#rings.add(matrix);
        this.#pins.add(matrix);
        continue;
      }
      const wide = Math.min(friction, WIDEST) * CONE * unit;
      if (wide > 0) this.#cones.add(matrix.compose(at, turn, size.set(wide, CONE * unit, wide)));
      const newtons = Math.hypot(...force);
      if (!(newtons > LEAST * this.#scale.shown)) continue;
      const length = LONGEST * unit * Math.min(newtons / this.#scale.shown, 1);
      const thick = Math.min(THICKNESS * unit, 0.09 * length);
      turn.setFromUnitVectors(UP, along.fromArray(force).divideScalar(newtons));
      this.#shafts.add(matrix.compose(at, turn, size.set(thick, length - 6 * thick, thick)));
      at.addScaledVector(along, length);
      this.#heads.add(matrix.compose(at, turn, size.setScalar(thick)));
    }
    for (const each of marks) each.end();
  }

  update(dt) {
    const moved = this.#scale.pass(dt, this.#most);
    if (moved) this.#place();
    return moved;
  }

  dispose() {
    disposeAll(this.object);
  }
}

registerLayer({
  id: 'laws',
  label: 'Contact laws',
  hint: 'Contacts with the laws of Signorini and Coulomb: friction cones and the forces in them; planes of near contacts',
  enabled: true,
  touch: true,
  requests: REQUEST.contacts,
  create: (view) => new LawLayer(view),
});
