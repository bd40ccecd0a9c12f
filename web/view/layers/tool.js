import * as THREE from 'three';
import { registerLayer } from '../layers.js';
import { FORCE_COLOUR, toolColour } from '../palette.js';
import { graspPose } from '../tool_pose.js';
import { disposeAll, xray } from '../xray.js';

const SIZE = 0.026; // radius of the tip over that of a body
const AXIS = 0.22; // length of an axis, over the size of a body
const TILT_TIME = 0.12; // s in which a stylus turns to where it leans

/** Profiles of a stylus, radius and height in radii of its tip, which ends in the origin. */
function profiles() {
  const arc = (from, to, radius, height, count) =>
    Array.from({ length: count }, (_, k) => {
      const angle = from + ((to - from) * k) / (count - 1);
      return [radius * Math.sin(angle), height - radius * Math.cos(angle)];
    });
  return {
    tip: [...arc(0, 1.75, 1, 1, 14), [0.78, 2.6], [0.66, 3.4]],
    neck: [
      [0.66, 3.4],
      [0.62, 5.4],
      [0.74, 5.8],
    ],
    collar: [
      [0.74, 5.8],
      [1.14, 6],
      [1.22, 6.2],
      [1.22, 6.9],
      [1.16, 7.1],
    ],
    barrel: [
      [1.16, 7.1],
      [1.4, 8],
      [1.52, 10],
      [1.54, 15],
      [1.42, 22],
      [1.2, 27],
    ],
    cap: [[1.2, 27], ...arc(Math.PI / 2, Math.PI, 1.2, 27, 10)],
  };
}

let geometries = null;
function styluses() {
  geometries ??= Object.fromEntries(
    Object.entries(profiles()).map(([name, profile]) => [
      name,
      new THREE.LatheGeometry(
        profile.map(([r, h]) => new THREE.Vector2(r, h)),
        40,
      ),
    ]),
  );
  return geometries;
}

class Stylus {
  #axis = new THREE.Vector3(0, 0, 1);
  #outward = new THREE.Vector3(0, 0, 1);
  #solid;
  #ghost;
  #placed = false;

  constructor(view, index) {
    this.view = view;
    this.index = index;
    const { tip, neck, collar, barrel, cap } = styluses();
    this.accent = new THREE.Color();
    this.shell = new THREE.Color();
    const make = (ghostly) => {
      const material = (options) =>
        new THREE.MeshStandardMaterial(ghostly ? { ...options, transparent: true, opacity: 0.38 } : options);
      const accent = material({ roughness: 0.35 });
      accent.color = this.accent;
      const shell = material({ roughness: 0.38 });
      shell.color = this.shell;
      const parts = [
        [tip, material({ color: 0x2b3138, roughness: 0.55 })],
        [neck, material({ color: 0xc4ccd4, roughness: 0.25, metalness: 0.85 })],
        [collar, accent],
        [barrel, shell],
        [cap, accent],
      ];
      const group = new THREE.Group();
      for (const [geometry, use] of parts) {
        const mesh = new THREE.Mesh(geometry, use);
        mesh.castShadow = !ghostly;
        group.add(mesh);
      }
      return group;
    };
    this.#solid = make(false);
    this.#ghost = make(true);
    this.body = new THREE.Group().add(this.#solid, this.#ghost);
    const bead = new THREE.MeshStandardMaterial({
      color: FORCE_COLOUR,
      roughness: 0.4,
      emissive: FORCE_COLOUR,
      emissiveIntensity: 0.35,
    });
    this.proxy = xray(new THREE.Mesh(new THREE.SphereGeometry(0.6, 24, 16), bead), 0.4);
    // The rim of a fingertip's contact, in its true size.
    this.ring = xray(new THREE.Mesh(new THREE.TorusGeometry(1, 0.03, 8, 48), bead), 0.4);
    this.object = new THREE.Group().add(this.body, this.proxy, this.ring);
    this.object.visible = false;
  }

  theme() {
    this.accent.copy(toolColour(this.view.element, this.index));
    this.shell.set(this.view.theme === 'dark' ? 0xe9edf0 : 0xb9c3cd);
  }

  /** @param {import('../../protocol/frame.js').Tool} tool */
  frame(tool) {
    this.object.visible = true;
    this.#solid.visible = !tool.lifted;
    this.#ghost.visible = tool.lifted;
    this.body.scale.setScalar(SIZE * this.view.unit);
    this.proxy.scale.setScalar(SIZE * this.view.unit);
    this.body.position.fromArray(tool.position);
    this.proxy.position.fromArray(tool.proxy);
    // Free, the two are one.
    this.proxy.visible = tool.state !== 0 && !tool.lifted;
    const radius = this.view.world.tools[this.index]?.radius ?? 0;
    this.ring.visible = this.proxy.visible && radius > 0;
    if (this.ring.visible) {
      this.ring.scale.setScalar(radius);
      this.ring.position.copy(this.proxy.position);
      this.ring.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3().fromArray(tool.normal));
    }
    if (tool.state !== 0) this.#outward.fromArray(tool.normal);
    else this.#outward.subVectors(this.body.position, this.view.centre).normalize();
    this.tool = tool;
  }

  /** Where the stylus points: its own way for tools that turn, else held like a pen, off the surface. */
  #wanted(into) {
    const { camera, world } = this.view;
    if (world.tools[this.index]?.dof >= 6) {
      const [w, x, y, z] = this.tool.orientation;
      return into.set(0, 0, 1).applyQuaternion(new THREE.Quaternion(x, y, z, w).normalize());
    }
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    const back = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 2);
    into.copy(this.#outward).addScaledVector(right, 0.7).addScaledVector(up, 0.9).addScaledVector(back, 0.15);
    return into.lengthSq() > 1e-6 ? into.normalize() : into.copy(up);
  }

  update(dt) {
    if (!this.tool) return false;
    const wanted = this.#wanted(new THREE.Vector3());
    const off = wanted.distanceTo(this.#axis);
    if (off < 1e-4 && this.#placed) return false;
    if (this.#placed && off < 1.9) this.#axis.lerp(wanted, 1 - Math.exp(-dt / TILT_TIME)).normalize();
    else this.#axis.copy(wanted);
    this.#placed = true;
    this.body.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.#axis);
    return true;
  }

  dispose() {
    for (const group of [this.#solid, this.#ghost]) for (const mesh of group.children) mesh.material.dispose();
    disposeAll(this.proxy);
    disposeAll(this.ring);
  }
}

/** Where a tool holds a body: the three axes that its device leads. */
class Grasp {
  constructor(view) {
    this.view = view;
    const rod = new THREE.CylinderGeometry(0.006, 0.006, AXIS, 10).translate(0, 0.5 * AXIS, 0);
    const tip = new THREE.ConeGeometry(0.018, 0.05, 16).translate(0, AXIS, 0);
    const knob = new THREE.SphereGeometry(0.02, 20, 14);
    const material = (colour) =>
      new THREE.MeshStandardMaterial({ color: colour, roughness: 0.4, emissive: colour, emissiveIntensity: 0.3 });
    this.object = new THREE.Group();
    [0xe5484d, 0x46a758, 0x3e7bfa].forEach((colour, axis) => {
      const arrow = new THREE.Group();
      arrow.add(...[rod, tip].map((geometry) => xray(new THREE.Mesh(geometry, material(colour)), 0.5)));
      arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3().setComponent(axis, 1));
      this.object.add(arrow);
    });
    this.knob = xray(new THREE.Mesh(knob, material(0xffffff)), 0.6);
    this.object.add(this.knob);
    this.object.visible = false;
  }

  theme() {}

  /** @param {import('../../protocol/frame.js').Tool} tool */
  frame(tool) {
    this.object.visible = true;
    graspPose(tool).decompose(this.object.position, this.object.quaternion, this.object.scale);
    this.object.scale.setScalar(this.view.unit);
  }

  update() {
    return false;
  }

  dispose() {
    disposeAll(this.object);
  }
}

/** A finger pad, or two that face each other: discs whose faces are where the pads are. */
class Pads {
  constructor(view, index, { radius, opening, approach }) {
    this.view = view;
    this.index = index;
    this.accent = new THREE.MeshStandardMaterial({ roughness: 0.4 });
    this.metal = new THREE.MeshStandardMaterial({ color: 0xc4ccd4, roughness: 0.3, metalness: 0.8 });
    this.object = new THREE.Group();
    const thick = 0.25 * radius;
    const arm = 0.18 * radius;
    const part = (geometry, material) => this.object.add(new THREE.Mesh(geometry, material)).children.at(-1);
    const rod = (from, to) => {
      const way = new THREE.Vector3().subVectors(to, from);
      const mesh = part(new THREE.CylinderGeometry(arm, arm, way.length(), 16), this.metal);
      mesh.position.addVectors(from, to).multiplyScalar(0.5);
      mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
    };
    const top = new THREE.Vector3(0, 0, Math.max(2.5 * radius, 0.7 * opening));
    const pad = (place, into) => {
      const mesh = part(new THREE.CylinderGeometry(radius, radius, thick, 40), this.accent);
      mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), into);
      mesh.position.copy(place).addScaledVector(into, -0.5 * thick);
      return place.clone().addScaledVector(into, -thick - arm);
    };
    if (opening > 0) {
      for (const side of [1, -1]) {
        const back = pad(new THREE.Vector3(0.5 * side * opening, 0, 0), new THREE.Vector3(-side, 0, 0));
        const shoulder = back.clone().add(top);
        rod(back, shoulder);
        rod(shoulder, top);
      }
      rod(top, top.clone().multiplyScalar(2));
    } else {
      const into = new THREE.Vector3().fromArray(approach);
      const back = pad(new THREE.Vector3(), into);
      rod(back, back.clone().addScaledVector(into, -6 * radius));
    }
    for (const mesh of this.object.children) mesh.castShadow = true;
    this.object.visible = false;
  }

  theme() {
    this.accent.color.copy(toolColour(this.view.element, this.index));
  }

  /** @param {import('../../protocol/frame.js').Tool} tool */
  frame(tool) {
    this.object.visible = true;
    graspPose(tool).decompose(this.object.position, this.object.quaternion, this.object.scale);
    for (const material of [this.accent, this.metal]) {
      material.transparent = tool.lifted;
      material.opacity = tool.lifted ? 0.38 : 1;
    }
  }

  update() {
    return false;
  }

  dispose() {
    disposeAll(this.object);
  }
}

class ToolLayer {
  object = new THREE.Group();
  #styluses = [];

  constructor(view) {
    this.view = view;
    this.#styluses = view.world.tools.map((tool, index) => {
      if (tool.pads) return new Pads(view, index, tool.pads);
      return Number.isInteger(tool.body) ? new Grasp(view) : new Stylus(view, index);
    });
    for (const stylus of this.#styluses) this.object.add(stylus.object);
  }

  available(scene) {
    return scene.tools.length > 0 || 'this scene has no tool';
  }

  frame() {
    this.#styluses.forEach((stylus, index) => {
      const tool = this.view.tool(index);
      if (tool) stylus.frame(tool);
    });
  }

  update(dt) {
    return this.#styluses.map((stylus) => stylus.update(dt)).some(Boolean);
  }

  theme() {
    for (const stylus of this.#styluses) stylus.theme();
  }

  dispose() {
    for (const stylus of this.#styluses) stylus.dispose();
  }
}

registerLayer({
  id: 'tool',
  label: 'Tools',
  hint: 'Each tool (pale while lifted) and its bead on the surface; the grasp of held bodies; pads',
  enabled: true,
  touch: true,
  create: (view) => new ToolLayer(view),
});
